#include "answer/export.h"

#include "base/json.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status give_events(const oc_output *out, ocelotl_events *events,
                                  const oc_export_steps *steps, void *to)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, events));
    if (steps->open != NULL)
        OC_TRY(steps->open(to));
    while (found && out->status == OCELOTL_OK) {
        OC_TRY(steps->event(to, &event));
        OC_TRY(ocelotl_events_next(&found, &event, events));
    }
    return steps->close != NULL ? steps->close(to) : OCELOTL_OK;
}

ocelotl_status oc_export_events(oc_output *out, ocelotl_events *events, ocelotl_losses *losses,
                                const oc_export_steps *steps, void *to)
{
    *losses = (ocelotl_losses){0};
    const ocelotl_status status = oc_output_send(out, give_events(out, events, steps, to));
    if (steps->free != NULL)
        steps->free(to);
    return oc_output_end(out, status);
}

/* --- What a format cannot say */

void oc_lose(ocelotl_losses *losses, const char *what, uint64_t count)
{
    size_t i = 0;
    while (i < losses->count && losses->losses[i].what != what)
        i++;
    if (count == 0 || i == OCELOTL_MOST_LOSSES)
        return;
    if (i == losses->count)
        losses->losses[losses->count++] = (ocelotl_loss){what, 0};
    losses->losses[i].count += count;
}

void oc_lose_clock(ocelotl_losses *losses, const ocelotl_trace *trace, const oc_exact *clock,
                   bool origin)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++)
        oc_lose(losses, "units of variables",
                ocelotl_trace_event_type_at(trace, t).unit[0] != '\0');
    oc_lose(losses, "times of recording", origin && info.origin[0] != '\0');
    oc_lose(losses, "clocks whose ticks are no decimals: times are rounded to picoseconds",
            clock->rounds);
}

ocelotl_status oc_read_counts(uint64_t *counts, size_t count, ocelotl_trace *trace, const char *sql)
{
    ocelotl_query *query = NULL;
    bool found = false;
    OC_TRY(ocelotl_query_open(&query, trace, sql));
    const ocelotl_status status = ocelotl_query_next(&found, query);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++)
        counts[i] = found ? (uint64_t)ocelotl_query_cell_at(query, (uint32_t)i).integer : 0;
    ocelotl_query_free(query);
    return status;
}

/* --- Of a trace */

bool oc_has_events(const ocelotl_trace *trace, ocelotl_category category)
{
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        if (type.category == category && type.count > 0)
            return true;
    }
    return false;
}

const char *oc_resource_type_name(const ocelotl_trace *trace, uint32_t resource)
{
    const uint32_t type = ocelotl_trace_resource_at(trace, resource).type;
    return ocelotl_trace_resource_type_at(trace, type).name;
}

bool oc_is_lane(const ocelotl_trace *trace, uint32_t resource)
{
    return ocelotl_trace_resource_at(trace, resource).name[0] == '~' &&
           strcmp(oc_resource_type_name(trace, resource), "Lane") == 0;
}

bool oc_is_called_root(const ocelotl_trace *trace, uint32_t resource)
{
    const ocelotl_resource one = ocelotl_trace_resource_at(trace, resource);
    return one.parent == OCELOTL_ROOT && strcmp(one.name, "0") == 0 &&
           strcmp(oc_resource_type_name(trace, resource), "0") == 0;
}

static bool is_above(const ocelotl_trace *trace, uint32_t above, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && resource > above)
        resource = ocelotl_trace_resource_at(trace, resource).parent;
    return resource == above;
}

uint32_t oc_link_container(const ocelotl_trace *trace, const ocelotl_event *link)
{
    const uint32_t type = ocelotl_trace_event_type_at(trace, link->event_type).resource_type;
    const uint32_t target = link->target != OCELOTL_NONE ? link->target : link->source;
    uint32_t found = link->source != OCELOTL_NONE ? link->source : link->target;
    if (type == OCELOTL_ROOT)
        return OCELOTL_ROOT;
    while (found != OCELOTL_ROOT && (ocelotl_trace_resource_at(trace, found).type != type ||
                                     !is_above(trace, found, target)))
        found = ocelotl_trace_resource_at(trace, found).parent;
    return found;
}

/* --- What events carry */

/* The length of a string of JSON behind its opening quote. */
static size_t string_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '"' && text[length] != '\0')
        length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
    return length;
}

bool oc_member_next(oc_member *found, const char **object)
{
    const char *next = *object + strcspn(*object, "\"");
    if (*next == '\0')
        return false;
    found->name = next + 1;
    found->name_length = string_length(found->name);
    next = found->name + found->name_length;
    next += *next == '"';
    next += *next == ':';
    const bool quoted = *next == '"';
    found->value = next + quoted;
    found->length = quoted ? string_length(found->value) : strcspn(next, ",}");
    next = found->value + found->length;
    *object = next + (quoted && *next == '"');
    return true;
}

ocelotl_status oc_carried_texts_read(oc_carried_texts *carried, const char *attributes)
{
    oc_text *text = &carried->text;
    oc_member member;
    carried->count = 0;
    oc_text_clear(text);
    while (attributes != NULL && oc_member_next(&member, &attributes)) {
        OC_TRY(
            oc_grow(&carried->all, &carried->capacity, carried->count + 1, sizeof *carried->all));
        carried->all[carried->count].name = text->length;
        oc_json_decode(text, member.name, member.name_length, true);
        oc_text_append(text, "", 1);
        carried->all[carried->count++].text = text->length;
        oc_json_decode(text, member.value, member.length, true);
        oc_text_append(text, "", 1);
    }
    return text->failed ? oc_fail_memory() : OCELOTL_OK;
}

void oc_carried_texts_free(oc_carried_texts *carried)
{
    oc_text_free(&carried->text);
    free(carried->all);
}

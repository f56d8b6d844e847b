#include "answer/export/export.h"

#include "answer/answer.h"

#include "base/format/date.h"
#include "base/format/json.h"
#include "base/memory.h"
#include "query/events.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status give_all(const oc_output *out, const oc_export *from,
                               const oc_export_steps *steps, void *to)
{
    const ocelotl_trace *trace = from->trace;
    const ocelotl_selection *selection = from->selection;
    const uint32_t count = steps->resource != NULL ? ocelotl_trace_resource_count(trace) : 0;
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, from->events));
    if (steps->open != NULL)
        OC_TRY(steps->open(to));
    for (uint32_t r = 0; r < count; r++) {
        const ocelotl_resource one = ocelotl_trace_resource_at(trace, r);
        if (one.begin <= selection->to && one.end >= selection->from &&
            ocelotl_events_cover(from->events, r))
            OC_TRY(steps->resource(to, r));
    }
    while (found && out->status == OCELOTL_OK) {
        const bool loose = (from->lacks & OC_LACKS_LOOSE_LINKS) != 0 && !oc_is_whole(&event);
        const bool crosses = (from->lacks & OC_LACKS_CROSSING_STATES) != 0 && event.outlived > 0;
        if (loose)
            oc_lose(from->losses, "links with one end, which are left out", 1);
        if (crosses)
            oc_lose(from->losses,
                    "states that end before others that began in them, which are left out", 1);
        if (!loose && !crosses)
            OC_TRY(steps->event(to, &event));
        OC_TRY(ocelotl_events_next(&found, &event, from->events));
    }
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        if ((from->lacks & OC_LACKS_UNITS) != 0)
            oc_lose(from->losses, "units of variables", type.unit[0] != '\0');
        oc_lose(from->losses, "kinds of variables", type.kind == OCELOTL_COUNTER);
    }
    if ((from->lacks & OC_LACKS_ORIGIN) != 0)
        oc_lose(from->losses, "times of recording", ocelotl_trace_info_of(trace).origin[0] != '\0');
    if ((from->lacks & OC_LACKS_FINE_CLOCKS) != 0)
        oc_lose(from->losses,
                "clocks whose ticks are no decimals: times are rounded to picoseconds",
                from->clock.rounds);
    return steps->close != NULL ? steps->close(to) : OCELOTL_OK;
}

ocelotl_status oc_export_events(oc_output *out, const oc_export *from, const oc_export_steps *steps,
                                void *to)
{
    *from->losses = (ocelotl_losses){0};
    return oc_output_end(out, oc_output_send(out, give_all(out, from, steps, to)));
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

uint32_t oc_link_container(const ocelotl_trace *trace, const ocelotl_event *link)
{
    const uint32_t type = ocelotl_trace_event_type_at(trace, link->event_type).resource_type;
    const uint32_t target = link->target != OCELOTL_NONE ? link->target : link->source;
    uint32_t found = link->source != OCELOTL_NONE ? link->source : link->target;
    for (; type != OCELOTL_ROOT && found != OCELOTL_ROOT;
         found = ocelotl_trace_resource_at(trace, found).parent) {
        uint32_t above = target;
        while (above != OCELOTL_ROOT && above > found)
            above = ocelotl_trace_resource_at(trace, above).parent;
        if (above == found && ocelotl_trace_resource_at(trace, found).type == type)
            return found;
    }
    return OCELOTL_ROOT;
}

/* --- Places, times and parts */

ocelotl_status oc_export_places(uint32_t *places, const ocelotl_trace *trace, uint32_t count)
{
    uint32_t *below = NULL; /* the number of resources in and below each */
    uint32_t *next = NULL;  /* the place of the next child */
    uint32_t root = 0;
    OC_TRY(oc_allocate(&below, count, sizeof *below));
    const ocelotl_status status = oc_allocate(&next, count, sizeof *next);
    for (uint32_t r = count; r-- > 0;) {
        const uint32_t parent = ocelotl_trace_resource_at(trace, r).parent;
        below[r]++;
        if (parent != OCELOTL_ROOT)
            below[parent] += below[r];
    }
    for (uint32_t r = 0; r < count && status == OCELOTL_OK; r++) {
        const uint32_t parent = ocelotl_trace_resource_at(trace, r).parent;
        uint32_t *place = parent != OCELOTL_ROOT ? &next[parent] : &root;
        places[r] = *place;
        next[r] = *place + 1;
        *place += below[r];
    }
    free(next);
    free(below);
    return status;
}

bool oc_find_base(int64_t *base, const char *origin)
{
    enum { NANOSECONDS = 1000000000, DIGITS = 9 };
    oc_instant is;
    return oc_instant_read(&is, origin) && strcmp(is.zone, "Z") == 0 && is.digits <= DIGITS &&
           !__builtin_mul_overflow(is.second, (int64_t)NANOSECONDS, base) &&
           !__builtin_add_overflow(*base, is.part / (OC_INSTANT_PARTS / NANOSECONDS), base);
}

int64_t oc_slice_tick(const ocelotl_model_info *info, uint32_t slice, bool ends)
{
    __extension__ typedef unsigned __int128 wide;
    ocelotl_piece piece = {.from = info->from, .to = info->to, .slices = info->slice_count};
    for (uint32_t i = 0; i < info->piece_count && slice + !ends > info->pieces[i].first; i++)
        piece = info->pieces[i];
    const wide length = (wide)((uint64_t)piece.to - (uint64_t)piece.from);
    return (int64_t)((uint64_t)piece.from +
                     (uint64_t)(length * (slice - piece.first) / piece.slices));
}

ocelotl_status oc_check_parts(const ocelotl_partition *partition, ocelotl_losses *losses)
{
    *losses = (ocelotl_losses){0};
    return partition == NULL || ocelotl_model_info_of(ocelotl_partition_model(partition)).has_time
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "the partition is of no trace: its slices are no "
                                                 "times");
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

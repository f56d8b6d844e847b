#include "store/select/groups.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "store/select/resources.h"
#include "store/trace/paths.h"

#include <stdlib.h>
#include <string.h>

const char oc_whole_group[] = "all";

static ocelotl_status fail_unknown(const ocelotl_trace *trace, const char *at)
{
    enum { MOST = 9 }; /* that are named */
    const char **names = NULL;
    OC_TRY(oc_allocate(&names, (size_t)trace->resource_type_count + 1, sizeof *names));
    for (uint32_t t = 0; t < trace->resource_type_count; t++)
        names[t] = trace->resource_types[t].name;
    names[trace->resource_type_count] = oc_whole_group;
    const char *nearest = names[oc_nearest(at, names, (size_t)trace->resource_type_count + 1)];
    oc_text text = {0};
    oc_text_format(&text, "%s: has no resources of a type \"%s\"; the nearest is \"%s\"",
                   trace->label, at, nearest);
    for (uint32_t t = 0; t <= trace->resource_type_count && trace->resource_type_count < MOST; t++)
        oc_text_format(&text, "%s%s", t == 0 ? ", of " : ", ", names[t]);
    free(names);
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s", text.bytes);
    oc_text_free(&text);
    return status;
}

/* Finds by resource type whether its resources are groups; *whole: the whole trace is one. */
static ocelotl_status find_group_types(bool *is_group, bool *whole, const ocelotl_trace *trace,
                                       const char *at)
{
    bool found = false;
    for (uint32_t t = 0; t < trace->resource_type_count; t++) {
        is_group[t] = strcmp(trace->resource_types[t].name, at) == 0;
        found = found || is_group[t];
    }
    *whole = !found && strcmp(at, oc_whole_group) == 0;
    return found || *whole ? OCELOTL_OK : fail_unknown(trace, at);
}

/* --- Groups of what is used */

void oc_groups_free(oc_groups *groups)
{
    free(groups->group_of);
    free(groups->resources);
    free(groups->nodes);
    *groups = (oc_groups){0};
}

/* Finds what is used, and everything above it. */
static void find_used(bool *used, const oc_group_request *asked)
{
    const ocelotl_trace *trace = asked->trace;
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        used[r] = used[r] || (asked->used[r] && oc_is_selected(asked->chosen, r));
        if (asked->at != NULL && used[r] && trace->resources[r].parent != OCELOTL_ROOT)
            used[trace->resources[r].parent] = true;
    }
}

/* Whether a resource is a group: by its type, or because links begin or end there. */
static bool begins_group(const oc_group_request *asked, uint32_t resource, const bool *used,
                         const bool *is_group, bool inside)
{
    const uint32_t type = asked->trace->resources[resource].type;
    if (is_group == NULL)
        return used[resource];
    return !inside && used[resource] && type != OCELOTL_NONE && is_group[type];
}

/* Numbers the groups in the order of the hierarchy: `by_place` has the resources in it. A group
 * holds what is below it, but where no type is asked for. */
static void give_groups(oc_groups *groups, const oc_group_request *asked, const bool *used,
                        const bool *is_group, const uint32_t *by_place)
{
    const ocelotl_trace *trace = asked->trace;
    for (uint32_t i = 0; i < trace->resource_count; i++) {
        const uint32_t r = by_place[i];
        const uint32_t parent = trace->resources[r].parent;
        const uint32_t above =
            parent != OCELOTL_ROOT && is_group != NULL ? groups->group_of[parent] : OCELOTL_NONE;
        groups->group_of[r] = above;
        if (!begins_group(asked, r, used, is_group, above != OCELOTL_NONE))
            continue;
        groups->resources[groups->count] = r;
        groups->group_of[r] = groups->count++;
    }
}

/* The type that all groups have, "" where they have several. */
static const char *name_type(const oc_groups *groups, const ocelotl_trace *trace, bool whole)
{
    if (whole)
        return oc_whole_group;
    const uint32_t type =
        groups->count > 0 ? trace->resources[groups->resources[0]].type : OCELOTL_NONE;
    for (uint32_t g = 0; g < groups->count; g++)
        if (trace->resources[groups->resources[g]].type != type)
            return "";
    return type != OCELOTL_NONE ? trace->resource_types[type].name : "";
}

static ocelotl_status find(oc_groups *groups, const oc_group_request *asked, oc_arena *scratch)
{
    const ocelotl_trace *trace = asked->trace;
    const size_t count = trace->resource_count;
    bool whole = false;
    bool *used = NULL;
    bool *is_group = NULL;
    uint32_t *by_place = NULL;
    uint32_t *places = NULL;
    OC_TRY(oc_arena_allocate(&used, scratch, count, sizeof *used));
    OC_TRY(oc_arena_allocate(&is_group, scratch, trace->resource_type_count, sizeof *is_group));
    OC_TRY(oc_arena_allocate(&by_place, scratch, count, sizeof *by_place));
    OC_TRY(oc_find_places(&places, scratch, trace));
    for (uint32_t r = 0; r < count; r++)
        by_place[places[r]] = r;
    find_used(used, asked);
    if (asked->at != NULL)
        OC_TRY(find_group_types(is_group, &whole, trace, asked->at));
    OC_TRY(oc_allocate(&groups->group_of, count, sizeof *groups->group_of));
    OC_TRY(oc_allocate(&groups->resources, count + 1, sizeof *groups->resources));
    if (whole)
        groups->resources[groups->count++] = OCELOTL_NONE;
    else
        give_groups(groups, asked, used, asked->at != NULL ? is_group : NULL, by_place);
    /* What is in no group. */
    for (uint32_t r = 0; r < count; r++)
        if (groups->group_of[r] == OCELOTL_NONE || !oc_is_selected(asked->chosen, r))
            groups->group_of[r] = groups->count;
    groups->type = name_type(groups, trace, whole);
    return OCELOTL_OK;
}

ocelotl_status oc_groups_find(oc_groups *groups, const oc_group_request *asked)
{
    oc_arena scratch = {0};
    const ocelotl_status status = find(groups, asked, &scratch);
    oc_arena_free(&scratch);
    return status;
}

ocelotl_status oc_find_link_ends(bool **ends, const ocelotl_trace *trace, const bool *event_types)
{
    OC_TRY(oc_allocate(ends, trace->resource_count, sizeof **ends));
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (oc_is_of_links(stream) && oc_is_selected(event_types, stream->event_type) &&
            stream->resource < trace->resource_count)
            (*ends)[stream->resource] = true;
    }
    return OCELOTL_OK;
}

/* A link has two records where it begins, and those without a beginning count as well. */
ocelotl_status oc_find_orphans(bool **orphans, const ocelotl_trace *trace)
{
    uint64_t *begun = NULL;
    OC_TRY(oc_allocate(orphans, trace->event_type_count, sizeof **orphans));
    OC_TRY(oc_allocate(&begun, trace->event_type_count, sizeof *begun));
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (trace->streams[s].role == OC_ROLE_LINKS_OUT)
            begun[trace->streams[s].event_type] += trace->streams[s].count / 2;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        (*orphans)[e] = trace->event_types[e].category == OCELOTL_LINK &&
                        trace->event_types[e].count > begun[e];
    free(begun);
    return OCELOTL_OK;
}

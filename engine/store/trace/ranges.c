#include "store/trace/ranges.h"

#include <inttypes.h>

enum { ROLES = OC_ROLE_LINKS_IN + 1 };

static ocelotl_status damaged(const ocelotl_trace *trace, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: %s", trace->path, what);
}

static bool add(uint64_t *sum, uint64_t count)
{
    *sum += count; /* both have 63 bits */
    return *sum <= INT64_MAX;
}

static ocelotl_status check_sums(const ocelotl_trace *trace)
{
    uint64_t events = 0;
    uint64_t records = 0;
    bool fits = true;
    for (uint32_t t = 0; t < trace->event_type_count && fits; t++)
        fits = add(&events, trace->event_types[t].count);
    for (uint32_t s = 0; s < trace->stream_count && fits; s++)
        fits = add(&records, trace->streams[s].count);
    return fits ? OCELOTL_OK : damaged(trace, "more than 2^63 events");
}

/* `left` is by event type. */
static ocelotl_status check_values(const ocelotl_trace *trace, uint64_t *left)
{
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        left[t] = trace->event_types[t].count;
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const ocelotl_value *value = &trace->values[v];
        if (value->count > left[value->event_type])
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: is damaged: value %" PRIu32 " has %" PRIu64
                           " events, expected no more than its type",
                           trace->path, v, value->count);
        left[value->event_type] -= value->count;
    }
    return OCELOTL_OK;
}

/* `first` has the first stream of each resource and `next` of each stream the next one there, all +
 * 1; `seen` has by event type and role the last resource, + 1, that had such a stream. */
static ocelotl_status check_streams(const ocelotl_trace *trace, uint32_t *first, uint32_t *next,
                                    uint32_t *seen)
{
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        next[s] = first[trace->streams[s].resource];
        first[trace->streams[s].resource] = s + 1;
    }
    for (uint32_t r = 0; r < trace->resource_count; r++)
        for (uint32_t s = first[r]; s != 0; s = next[s - 1]) {
            const oc_stream *stream = &trace->streams[s - 1];
            uint32_t *last = &seen[(size_t)stream->event_type * ROLES + (size_t)stream->role];
            if (*last == r + 1)
                return oc_fail(OCELOTL_ERROR_INPUT,
                               "%s: is damaged: stream %" PRIu32 " is there twice", trace->path,
                               s - 1);
            *last = r + 1;
        }
    return OCELOTL_OK;
}

static ocelotl_status check(const ocelotl_trace *trace, oc_arena *scratch)
{
    uint64_t *left = NULL;
    uint32_t *first = NULL;
    uint32_t *next = NULL;
    uint32_t *seen = NULL;
    OC_TRY(check_sums(trace));
    OC_TRY(oc_arena_allocate(&left, scratch, trace->event_type_count, sizeof *left));
    OC_TRY(check_values(trace, left));
    OC_TRY(oc_arena_allocate(&first, scratch, trace->resource_count, sizeof *first));
    OC_TRY(oc_arena_allocate(&next, scratch, trace->stream_count, sizeof *next));
    OC_TRY(
        oc_arena_allocate(&seen, scratch, (size_t)trace->event_type_count * ROLES, sizeof *seen));
    return check_streams(trace, first, next, seen);
}

ocelotl_status oc_ranges_check(const ocelotl_trace *trace)
{
    oc_arena scratch = {0};
    const ocelotl_status status = check(trace, &scratch);
    oc_arena_free(&scratch);
    return status;
}

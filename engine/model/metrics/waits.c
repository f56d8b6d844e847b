/* Metrics of waiting: how long a resource waits, and lets others wait, and what all wait for. */
#include "model/metrics/filling.h"
#include "model/metrics/metrics.h"

#include "base/file/bulk.h"

#include <stdlib.h>
#include <string.h>

/* An idle stream lacks nothing by itself: its waits have a metric of their own. */
static bool is_of(const oc_metric *metric, const oc_wait *wait)
{
    static const char *const kinds[OC_WAIT_KINDS] = {"wait-late-sender", "wait-late-receiver",
                                                     "wait-collective", "wait-launch"};
    return strcmp(metric->listed.name, kinds[wait->kind]) == 0 ||
           (strcmp(metric->listed.name, "wait") == 0 && wait->kind != OC_WAIT_LAUNCH);
}

void oc_add_wait_times(double *times, const oc_metric *metric, const oc_waiting *waiting)
{
    const bool caused = strcmp(metric->listed.name, "wait-caused") == 0;
    for (size_t i = 0; caused && i < waiting->delay_count; i++) {
        const oc_delay *delay = &waiting->delays[i];
        times[delay->value] += ((double)delay->to - (double)delay->from) * delay->weight;
    }
    for (size_t i = 0; i < waiting->count; i++) {
        const oc_wait *wait = &waiting->waits[i];
        if (is_of(metric, wait))
            times[wait->value] += (double)wait->end - (double)wait->begin;
    }
}

/* Adds up what lasts, in parts of a tick. */
typedef struct adding {
    oc_filling *filling;
    oc_slice_finder finder;
    const oc_path_piece *pieces; /* of one resource, in order */
    size_t piece_count;
    oc_time_span *spans; /* of states that have ended: in order and apart */
    size_t span_count, span_capacity;
} adding;

static ocelotl_status add_time(adding *a, uint32_t resource, uint32_t type, int64_t from,
                               int64_t to, double number)
{
    return type == OCELOTL_NONE ? OCELOTL_OK
                                : oc_arrivals_add_time(&a->filling->arrivals, &a->finder, resource,
                                                       type, from, to, number);
}

static ocelotl_status add_waits(adding *a, const oc_waiting *waiting)
{
    for (size_t i = 0; i < waiting->count; i++) {
        const oc_wait *wait = &waiting->waits[i];
        if (is_of(a->filling->metric, wait))
            OC_TRY(add_time(a, wait->resource, a->filling->type_of_value[wait->value], wait->begin,
                            wait->end, 1));
    }
    return OCELOTL_OK;
}

static ocelotl_status add_delays(adding *a, const oc_waiting *waiting)
{
    for (size_t i = 0; i < waiting->delay_count; i++) {
        const oc_delay *delay = &waiting->delays[i];
        OC_TRY(add_time(a, delay->resource, a->filling->type_of_value[delay->value], delay->from,
                        delay->to, delay->weight));
    }
    return OCELOTL_OK;
}

/* --- The critical path, by the innermost state of the resource that it is in */

static ocelotl_status add_on_path(adding *a, uint32_t type, int64_t from, int64_t to)
{
    size_t low = 0;
    for (size_t high = a->piece_count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (a->pieces[middle].to <= from)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < a->piece_count && a->pieces[low].from < to; low++) {
        const oc_path_piece *piece = &a->pieces[low];
        OC_TRY(add_time(a, piece->resource, type, piece->from > from ? piece->from : from,
                        piece->to < to ? piece->to : to, 1));
    }
    return OCELOTL_OK;
}

/* States come in the order of their ends: those within one have ended before it. What these leave
 * of it is its own. */
static ocelotl_status add_state(adding *a, const oc_interval *state)
{
    const uint32_t type = state->value < a->filling->trace->value_count
                              ? a->filling->type_of_value[state->value]
                              : OCELOTL_NONE;
    int64_t until = state->end;
    int64_t begin = state->begin;
    for (; a->span_count > 0 && a->spans[a->span_count - 1].end > begin; a->span_count--) {
        const oc_time_span *last = &a->spans[a->span_count - 1];
        OC_TRY(add_on_path(a, type, last->end, until));
        until = last->begin;
        begin = last->begin < begin ? last->begin : begin;
    }
    if (state->begin < until)
        OC_TRY(add_on_path(a, type, state->begin, until));
    OC_TRY(oc_bulk_grow(&a->spans, &a->span_capacity, a->span_count + 1, sizeof *a->spans));
    a->spans[a->span_count++] = (oc_time_span){begin, state->end};
    return OCELOTL_OK;
}

static ocelotl_status add_states(adding *a, oc_walk *walk, uint32_t stream)
{
    const oc_interval *state;
    int64_t since = a->pieces[0].from;
    a->span_count = 0;
    walk->to = a->pieces[a->piece_count - 1].to;
    OC_TRY(oc_walk_begin(walk, stream, since));
    OC_TRY(oc_walk_next_interval(&state, walk));
    while (state != NULL) {
        if (state->begin < state->end)
            OC_TRY(add_state(a, state));
        OC_TRY(oc_walk_next_interval(&state, walk));
    }
    for (size_t i = 0; i <= a->span_count; i++) {
        OC_TRY(add_on_path(a, a->filling->untraced, since,
                           i < a->span_count ? a->spans[i].begin : INT64_MAX));
        since = i < a->span_count ? a->spans[i].end : since;
    }
    return OCELOTL_OK;
}

static int compare_pieces(const void *left, const void *right)
{
    const oc_path_piece *a = left;
    const oc_path_piece *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static ocelotl_status add_pieces(adding *a, const oc_waiting *waiting, oc_walk *walk,
                                 oc_path_piece *pieces)
{
    const oc_resource_streams *streams = a->filling->streams;
    for (size_t i = 0; i < waiting->path_count; i++)
        pieces[i] = waiting->path[i];
    OC_TRY(oc_bulk_sort(pieces, waiting->path_count, sizeof *pieces, compare_pieces));
    for (size_t i = 0; i < waiting->path_count; i += a->piece_count) {
        const uint32_t resource = pieces[i].resource;
        a->pieces = &pieces[i];
        a->piece_count = 0;
        while (i + a->piece_count < waiting->path_count &&
               pieces[i + a->piece_count].resource == resource)
            a->piece_count++;
        for (uint32_t s = streams->first[resource]; s < streams->first[resource + 1]; s++)
            OC_TRY(add_states(a, walk, streams->list[s]));
    }
    return OCELOTL_OK;
}

static ocelotl_status add_path(adding *a, const oc_waiting *waiting)
{
    oc_path_piece *pieces = NULL;
    oc_walk walk = {.reader = {.connection = a->filling->connection}};
    ocelotl_status status = oc_bulk_allocate(&pieces, waiting->path_count, sizeof *pieces);
    if (status == OCELOTL_OK)
        status = add_pieces(a, waiting, &walk, pieces);
    oc_walk_free(&walk);
    oc_bulk_free(pieces);
    return status;
}

static ocelotl_status prepare(oc_filling *filling)
{
    const char *name = filling->metric->listed.name;
    const oc_waiting *waiting;
    adding a = {.filling = filling,
                .finder = oc_slice_finder_of(filling->slicing, filling->boundaries)};
    OC_TRY(oc_filling_check_filters(filling));
    const bool path = strcmp(name, "critical-path") == 0;
    OC_TRY((path ? oc_waiting_of_path : oc_waiting_of)(&waiting, filling->trace,
                                                       &filling->options->work));
    const ocelotl_status status = path                               ? add_path(&a, waiting)
                                  : strcmp(name, "wait-caused") == 0 ? add_delays(&a, waiting)
                                                                     : add_waits(&a, waiting);
    oc_bulk_free(a.spans);
    oc_arrivals_join(&filling->arrivals);
    return status;
}

/* All has been found before. */
static ocelotl_status read(oc_measuring *m, uint32_t stream)
{
    (void)m;
    (void)stream;
    return OCELOTL_OK;
}

const oc_measure oc_measure_waits = {
    .prepare = prepare, .read = read, .give = oc_measuring_give_arrivals, .seconds = true};

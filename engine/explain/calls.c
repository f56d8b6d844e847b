#include "explain/calls.h"

#include "base/memory.h"
#include "base/weighed.h"
#include "store/read/walk.h"

#include <math.h>
#include <stdlib.h>

enum { COMMON_LEAST = 4 };

/* Two blocks become one. */
static void merge_blocks(oc_call_series *series)
{
    for (uint32_t b = 0; b < series->count / 2; b++) {
        series->sums[b] = series->sums[2 * (size_t)b] + series->sums[2 * (size_t)b + 1];
        series->begins[b] = series->begins[2 * (size_t)b];
    }
    series->count /= 2;
    series->size *= 2;
}

static ocelotl_status add_call(oc_call_series *series, int64_t begin, int64_t end)
{
    const double ticks = (double)end - (double)begin;
    series->size += series->size == 0;
    if (series->calls == series->count * series->size) {
        if (series->count == OC_CALLS_APART)
            merge_blocks(series);
        size_t capacity = series->capacity;
        OC_TRY(
            oc_grow_few(&series->sums, &capacity, series->count + (size_t)1, sizeof *series->sums));
        capacity = series->capacity;
        OC_TRY(oc_grow_few(&series->begins, &capacity, series->count + (size_t)1,
                           sizeof *series->begins));
        series->capacity = (uint32_t)capacity;
        series->sums[series->count] = 0;
        series->begins[series->count++] = begin;
    }
    series->sums[series->count - 1] += ticks;
    series->calls++;
    series->end = end;
    return OCELOTL_OK;
}

/* Reads a stream of a row; `gaps` are what is between its outermost states, or NULL. */
static ocelotl_status read_stream(oc_calls *calls, oc_walk *walk, uint32_t stream, uint32_t row,
                                  oc_call_series *gaps, const oc_calls_wanted *wanted,
                                  const ocelotl_trace *trace)
{
    const oc_interval *state;
    int64_t last = trace->resources[trace->streams[stream].resource].begin;
    last = last > wanted->from ? last : wanted->from;
    walk->to = wanted->to;
    OC_TRY(oc_walk_begin(walk, stream, wanted->from));
    OC_TRY(oc_walk_next_interval(&state, walk));
    while (state != NULL) {
        const uint32_t type =
            state->value < trace->value_count ? wanted->type_of_value[state->value] : OCELOTL_NONE;
        if (gaps != NULL && state->around == 0 && state->begin >= last &&
            state->begin <= wanted->to)
            OC_TRY(add_call(gaps, last, state->begin));
        if (state->around == 0)
            last = state->end > last ? state->end : last;
        if (type != OCELOTL_NONE && state->begin >= wanted->from && state->end <= wanted->to)
            OC_TRY(add_call(&calls->series[(size_t)type * calls->rows + row], state->begin,
                            state->end));
        OC_TRY(oc_walk_next_interval(&state, walk));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_calls_read(oc_calls *calls, ocelotl_trace *trace, const oc_calls_wanted *wanted,
                             const ocelotl_work *work)
{
    oc_watch watch = {.work = *work};
    oc_walk walk = {.reader.connection = oc_connection_of(trace)};
    walk.reader.watch = &watch;
    walk.reader.asks = true;
    *calls = (oc_calls){.rows = wanted->rows, .types = wanted->types};
    ocelotl_status status =
        oc_allocate(&calls->series, (size_t)wanted->rows * wanted->types, sizeof *calls->series);
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++) {
        const oc_stream *stream = &trace->streams[s];
        const uint32_t row = stream->resource < trace->resource_count
                                 ? wanted->row_of_resource[stream->resource]
                                 : OCELOTL_NONE;
        if (stream->role != OC_ROLE_STATES || row == OCELOTL_NONE)
            continue;
        oc_call_series *gaps = wanted->untraced != OCELOTL_NONE
                                   ? &calls->series[(size_t)wanted->untraced * calls->rows + row]
                                   : NULL;
        /* of several streams those of the first */
        status = read_stream(calls, &walk, s, row, gaps != NULL && gaps->calls == 0 ? gaps : NULL,
                             wanted, trace);
    }
    oc_walk_free(&walk);
    return oc_fail_in_trace(trace, status);
}

void oc_calls_free(oc_calls *calls)
{
    for (size_t i = 0; calls->series != NULL && i < (size_t)calls->rows * calls->types; i++) {
        free(calls->series[i].sums);
        free(calls->series[i].begins);
    }
    free(calls->series);
    *calls = (oc_calls){0};
}

ocelotl_status oc_calls_count(uint64_t *usual, bool *most, oc_arena *arena, const oc_calls *calls,
                              uint32_t type)
{
    uint64_t *counts = NULL;
    size_t with = 0;
    size_t same = 0;
    *usual = 0;
    *most = false;
    OC_TRY(oc_arena_allocate(&counts, arena, calls->rows, sizeof *counts));
    for (uint32_t row = 0; row < calls->rows; row++)
        if (oc_call_series_of(calls, type, row)->calls > 0)
            counts[with++] = oc_call_series_of(calls, type, row)->calls;
    if (with == 0)
        return OCELOTL_OK;
    qsort(counts, with, sizeof *counts, oc_compare_counts);
    *usual = counts[with / 2];
    for (size_t i = 0; i < with; i++)
        same += counts[i] == *usual;
    *most = 2 * same > with && with * COMMON_LEAST >= calls->rows;
    return OCELOTL_OK;
}

ocelotl_status oc_calls_tabulate(double **values, size_t *columns, oc_arena *arena,
                                 const oc_calls *calls, uint32_t type)
{
    uint64_t usual;
    bool most;
    *values = NULL;
    *columns = 0;
    OC_TRY(oc_calls_count(&usual, &most, arena, calls, type));
    for (uint32_t row = 0; row < calls->rows && usual > 0; row++)
        if (oc_call_series_of(calls, type, row)->calls == usual)
            *columns = oc_call_series_of(calls, type, row)->count;
    OC_TRY(oc_arena_allocate(values, arena, calls->rows * *columns, sizeof **values));
    for (uint32_t row = 0; row < calls->rows; row++) {
        const oc_call_series *series = oc_call_series_of(calls, type, row);
        const bool fits = most ? series->calls == usual
                               : series->calls > 0 && 2 * (size_t)series->count >= *columns;
        for (size_t c = 0; c < *columns; c++) {
            const uint32_t block = fits ? oc_call_block(series, *columns, c) : 0;
            (*values)[row * *columns + c] =
                fits ? series->sums[block] / (double)oc_calls_in_block(series, block) : (double)NAN;
        }
    }
    return OCELOTL_OK;
}

/* Metrics of states (thesis 5.2.1, 5.2.2): how much of each slice a leaf spends in each, and how
 * long those last that end in it. They come from running totals, or from the states one by one
 * where a filter needs more than these hold. */
#include "model/metrics/filling.h"
#include "model/metrics/metrics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- State duration */

static bool is_inclusive(const oc_filling *filling)
{
    return filling->options->cells.nesting == OCELOTL_INCLUSIVE &&
           filling->metric->measure != &oc_measure_work;
}

static ocelotl_status prepare_times(oc_filling *filling)
{
    for (uint32_t v = 0; v < filling->trace->value_count; v++)
        if (filling->readable[filling->trace->values[v].event_type] &&
            filling->trace->values[v].innermost_ticks > 0 && !filling->filter->values[v])
            filling->hides = true;
    filling->nests = filling->nests && !is_inclusive(filling);
    return OCELOTL_OK;
}

/* The units of a leaf in any state that is shown, behind those of the types. */
static ocelotl_status find_any(int64_t **any, oc_measuring *m)
{
    return oc_leaf_rows_get(any, &m->rows[0], m->filling->model->type_count);
}

/* Sums the units in any type: each moment is in one type at most. */
static ocelotl_status sum_types(oc_measuring *m)
{
    const uint32_t slices = m->filling->slicing->slices;
    int64_t *any;
    OC_TRY(find_any(&any, m));
    memset(any, 0, slices * sizeof *any);
    for (uint32_t type = 0; type < m->filling->model->type_count; type++) {
        const int64_t *units = oc_leaf_rows_find(&m->rows[0], type);
        for (uint32_t slice = 0; units != NULL && slice < slices; slice++)
            any[slice] += units[slice];
    }
    return OCELOTL_OK;
}

/* Computes the change since the last boundary, in units. Between two ticks nothing changes, so what
 * lies behind the last tick belongs to what is open then: `rest` units. */
static bool take_step(int64_t *units, const oc_slicing *slicing, oc_before *before, int64_t ticks,
                      int64_t rest)
{
    const oc_instant from = {before->ticks, 0};
    const oc_instant to = {ticks, 0};
    const bool fits = oc_slicing_between(units, slicing, from, to) &&
                      oc_add_times(units, *units, rest - before->rest);
    *before = (oc_before){ticks, rest, 0};
    return fits;
}

/* The time in any state is in front of that of the types. */
static ocelotl_status take_times(oc_measuring *m, const oc_group_total *groups, size_t count,
                                 uint32_t boundary)
{
    const oc_filling *filling = m->filling;
    const oc_slicing *slicing = filling->slicing;
    const int64_t rest = filling->boundaries[boundary].rest;
    int64_t units = 0;
    bool fits = true;
    bool sound = true;
    for (size_t i = 0; i < count; i++) {
        const bool step =
            take_step(&units, slicing, &m->before[i + 1], groups[i].ticks, rest * groups[i].open);
        fits = fits && (step || boundary == 0);
        sound = sound && (!step || units >= 0 || boundary == 0);
        if (boundary == 0 || groups[i].group == OCELOTL_NONE || units == 0)
            continue;
        int64_t *row;
        OC_TRY(oc_leaf_rows_get(&row, &m->rows[0], groups[i].group));
        row[boundary - 1] = units;
    }
    if (!fits && sound && is_inclusive(filling))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: nested states add up to more than can be counted in a slice, expected "
                       "a shorter window or --nesting innermost",
                       filling->trace->path);
    const bool open = count > 0 && oc_totals_is_traced(m->totals);
    const bool step = take_step(&units, slicing, &m->before[0],
                                count > 0 ? oc_totals_traced(m->totals) : 0, open ? rest : 0);
    int64_t *any;
    if (boundary == 0)
        return OCELOTL_OK;
    OC_TRY(find_any(&any, m));
    any[boundary - 1] = units;
    return sound && fits && step && units >= 0 && (uint64_t)units <= slicing->length
               ? OCELOTL_OK
               : oc_filling_fail_totals(filling);
}

/* States come in the order of their ends, so what a span touches is at the end of the list. */
static ocelotl_status add_span(oc_measuring *m, oc_time_span span)
{
    while (m->span_count > 0 && m->spans[m->span_count - 1].end >= span.begin) {
        const oc_time_span *last = &m->spans[--m->span_count];
        span.begin = last->begin < span.begin ? last->begin : span.begin;
    }
    OC_TRY(oc_grow(&m->spans, &m->span_capacity, m->span_count + 1, sizeof *m->spans));
    m->spans[m->span_count++] = span;
    return OCELOTL_OK;
}

static ocelotl_status take_state(oc_measuring *m, const oc_ended_state *state,
                                 const oc_state_detail *detail)
{
    const uint32_t type = oc_filling_type(m->filling, m->stream->event_type, state->value);
    int64_t *row;
    if (type == OCELOTL_NONE || !oc_filling_passes(m->filling, state, detail))
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&row, &m->rows[0], type));
    if (is_inclusive(m->filling)) {
        const int64_t since = detail != NULL ? detail->within_depth : state->begin;
        if (since > state->end)
            return OCELOTL_OK;
        oc_span_add(row, &m->finder, since, state->end);
        return add_span(m, (oc_time_span){since, state->end});
    }
    oc_span_add(row, &m->finder, detail != NULL ? detail->since : state->begin, state->end);
    for (size_t i = 0; detail != NULL && i < detail->piece_count; i++)
        row[detail->pieces[i].slice] += detail->pieces[i].units;
    return OCELOTL_OK;
}

static ocelotl_status scan_times(oc_measuring *m, uint32_t stream)
{
    const oc_scanned_states *found;
    const uint32_t depth = m->filling->options->cells.nesting_depth;
    m->scan.depth = depth;
    m->scan.shown = m->filling->nests || depth > 0 ? m->filling->filter->values : NULL;
    m->scan.without_pieces = is_inclusive(m->filling);
    OC_TRY(oc_measuring_scan(m, stream));
    do {
        OC_TRY(oc_state_scan_next(&found, &m->scan));
        for (size_t i = 0; i < found->count; i++)
            OC_TRY(take_state(m, &found->states[i], found->detail));
    } while (found->count > 0);
    return OCELOTL_OK;
}

/* Running totals do not know with inclusive time when any shown state is open, never how deep it
 * is, and not which of those that are shown is the innermost. */
static ocelotl_status read_times(oc_measuring *m, uint32_t stream)
{
    const oc_filling *filling = m->filling;
    const bool inclusive = is_inclusive(filling);
    int64_t *any;
    if (!oc_filling_reads_states(filling, m->stream->event_type) && !filling->nests &&
        filling->options->cells.nesting_depth == 0 &&
        !(filling->hides && inclusive && filling->untraced != OCELOTL_NONE)) {
        OC_TRY(oc_visit_states(m, stream, inclusive, take_times));
        return filling->hides && !inclusive ? sum_types(m) : OCELOTL_OK;
    }
    OC_TRY(scan_times(m, stream));
    if (!inclusive)
        return sum_types(m);
    OC_TRY(find_any(&any, m));
    for (size_t i = 0; i < m->span_count; i++)
        oc_span_add(any, &m->finder, m->spans[i].begin, m->spans[i].end);
    return OCELOTL_OK;
}

static ocelotl_status give_times(oc_measuring *m)
{
    const oc_filling *filling = m->filling;
    int64_t *any;
    for (uint32_t type = 0; type < filling->model->type_count; type++) {
        const int64_t *units = oc_leaf_rows_find(&m->rows[0], type);
        if (units != NULL)
            OC_TRY(oc_measuring_give_units(m, type, units));
    }
    if (filling->untraced == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(find_any(&any, m));
    if (filling->metric->measure != &oc_measure_work) {
        oc_slicing_untraced(any, filling->slicing, filling->boundaries, m->resource->begin,
                            m->resource->end);
        return oc_measuring_give_units(m, filling->untraced, any);
    }
    for (uint32_t slice = 0; slice < filling->slicing->slices; slice++)
        any[slice] = -any[slice]; /* nobody works before its life, or behind it */
    oc_span_add(any, &m->finder, m->resource->begin, m->resource->end);
    return oc_measuring_give_units(m, filling->untraced, any);
}

const oc_measure oc_measure_state_duration = {
    .prepare = prepare_times, .read = read_times, .give = give_times};

/* What is hidden is no work, and no time of what is around it. */
static ocelotl_status prepare_work(oc_filling *filling)
{
    filling->nests = false;
    return oc_filling_check_filters(filling);
}

const oc_measure oc_measure_work = {
    .prepare = prepare_work, .read = read_times, .give = give_times};

/* --- States that end */

/* What has ended in a slice, in ticks before they become seconds; 1 more than the extreme, 0:
 * none. */
typedef struct ended {
    int64_t ticks;
    uint64_t count, extreme;
} ended;

static bool draws_extremes(const oc_filling *filling)
{
    return filling->metric->drawing != OC_DRAW_RATIO;
}

static double seconds_of(const oc_filling *filling, int64_t ticks)
{
    return ocelotl_trace_seconds(filling->trace, ticks);
}

static inline void widen(ended *cell, bool least, int64_t ticks)
{
    const uint64_t more = (uint64_t)ticks + 1;
    if (cell->extreme == 0 || (least ? more < cell->extreme : more > cell->extreme))
        cell->extreme = more;
}

static inline ocelotl_status add_ended(ended *cell, const oc_filling *filling, int64_t ticks,
                                       uint64_t count)
{
    cell->count += count;
    return oc_add_times(&cell->ticks, cell->ticks, ticks) ? OCELOTL_OK
                                                          : oc_filling_fail_totals(filling);
}

static ocelotl_status take_totals(oc_measuring *m, const oc_group_total *totals, size_t count,
                                  uint32_t boundary)
{
    for (size_t i = 0; i < count; i++) {
        const oc_before now = {totals[i].ended_ticks, (int64_t)(totals[i].begun - totals[i].open),
                               0};
        const oc_before before = m->before[i];
        ended *cells;
        m->before[i] = now;
        if (boundary == 0 || totals[i].group == OCELOTL_NONE || now.rest == before.rest)
            continue;
        if ((uint64_t)now.rest < (uint64_t)before.rest || now.ticks < before.ticks)
            return oc_filling_fail_totals(m->filling);
        OC_TRY(oc_leaf_rows_get(&cells, &m->rows[0], totals[i].group));
        OC_TRY(add_ended(&cells[boundary - 1], m->filling, now.ticks - before.ticks,
                         (uint64_t)(now.rest - before.rest)));
    }
    return OCELOTL_OK;
}

/* Whether all that ends between two instants ends in one slice, or in none. */
static bool is_in_one_slice(void *context, int64_t begin, int64_t end)
{
    const oc_filling *filling = ((const oc_measuring *)context)->filling;
    const uint32_t slice = oc_filling_slice(filling, begin);
    return slice == oc_filling_slice(filling, end) &&
           (slice != OCELOTL_NONE || end < filling->slicing->begin);
}

/* The cell of what ends at an instant; NULL: it does not count. */
static inline ocelotl_status find_cell(ended **cell, oc_measuring *m, uint32_t value, int64_t end)
{
    const uint32_t type = oc_filling_type(m->filling, m->stream->event_type, value);
    const uint32_t slice = oc_filling_slice_next(&m->found, m->filling, end);
    ended *cells;
    *cell = NULL;
    if (type == OCELOTL_NONE || slice == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&cells, &m->rows[0], type));
    *cell = &cells[slice];
    return OCELOTL_OK;
}

static ocelotl_status take_durations(void *context, uint32_t value, int64_t end,
                                     const oc_duration_range *durations)
{
    oc_measuring *m = context;
    const bool least = m->filling->metric->drawing == OC_DRAW_LEAST;
    ended *cell;
    OC_TRY(find_cell(&cell, m, value, end));
    if (cell != NULL)
        widen(cell, least, least ? durations->low : durations->high);
    return OCELOTL_OK;
}

/* Time and number are known from running totals, and the extremes from the chunks; but where chunks
 * are hardly more than slices, most of them are read for either, and all is added up at once. */
static ocelotl_status read_ends(oc_measuring *m, uint32_t stream)
{
    const oc_filling *filling = m->filling;
    const oc_scanned_states *found;
    const bool extremes = draws_extremes(filling);
    const bool least = filling->metric->drawing == OC_DRAW_LEAST;
    const bool filtered = oc_filling_reads_states(filling, m->stream->event_type);
    if (!filtered && !extremes)
        return oc_visit_states(m, stream, true, take_totals);
    m->scan.walk.within = m->scan.without_pieces = true;
    m->scan.context = m;
    m->scan.take = take_durations;
    m->scan.is_enough = NULL;
    OC_TRY(oc_measuring_scan(m, stream));
    const bool sums = filtered || oc_state_scan_chunks(&m->scan) / 2 <= filling->slicing->slices;
    if (!sums) {
        m->scan.is_enough = is_in_one_slice;
        OC_TRY(oc_visit_states(m, stream, true, take_totals));
    }
    do {
        OC_TRY(oc_state_scan_next(&found, &m->scan));
        for (size_t i = 0; i < found->count; i++) {
            const oc_ended_state *state = &found->states[i];
            ended *cell = NULL;
            if (!filtered || oc_filling_passes(filling, state, found->detail))
                OC_TRY(find_cell(&cell, m, state->value, state->end));
            if (cell != NULL && extremes)
                widen(cell, least, state->end - state->begin);
            if (cell != NULL && sums)
                OC_TRY(add_ended(cell, filling, state->end - state->begin, 1));
        }
    } while (found->count > 0);
    return OCELOTL_OK;
}

/* The solver has the time and, behind all types, the number of each. */
static ocelotl_status give_ends(oc_measuring *m)
{
    oc_filling *filling = m->filling;
    const uint32_t slices = filling->slicing->slices;
    const uint32_t types = filling->model->type_count;
    const bool extremes = draws_extremes(filling);
    for (uint32_t x = 0; x < 3 * types; x++) {
        const bool drawn = x >= 2 * types;
        const uint32_t type = drawn ? x - 2 * types : x < types ? x : x - types;
        const ended *cells = oc_leaf_rows_find(&m->rows[0], type);
        for (uint32_t s = 0; cells != NULL && s < slices; s++)
            m->row[s] = x < types             ? seconds_of(filling, cells[s].ticks)
                        : !drawn || !extremes ? (double)cells[s].count
                        : cells[s].extreme > 0 && cells[s].count > 0
                            ? seconds_of(filling, (int64_t)(cells[s].extreme - 1))
                            : NAN;
        if (cells != NULL)
            OC_TRY(oc_cells_add(drawn ? &filling->drawn : &filling->sums, m->leaf, drawn ? type : x,
                                m->row, slices, drawn && extremes));
    }
    return OCELOTL_OK;
}

const oc_measure oc_measure_state_ends = {.read = read_ends,
                                          .give = give_ends,
                                          .finish = oc_fill_weighed,
                                          .width = sizeof(ended) / sizeof(int64_t)};

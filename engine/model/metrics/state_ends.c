/* Metrics of how long states last (thesis 5.2.2): the whole durations of those that end in a slice,
 * from running totals. Chunks that lie within a slice give their shortest and longest state. If few
 * chunks do, and with filters, the states of the window are read. */
#include "model/metrics/filling.h"
#include "model/metrics/metrics.h"

#include "base/memory.h"
#include "store/read/durations.h"

#include <math.h>
#include <stdlib.h>

/* What is known of a value at a boundary. */
typedef struct ended {
    int64_t ticks; /* summed durations, */
    uint64_t count;
} ended;

/* What has ended of a type in the slice at hand. */
typedef struct ended_now {
    int64_t ticks, low, high;
    uint64_t count;
} ended_now;

/* What is collected of a leaf: doubles for each type. */
typedef struct collecting {
    oc_filling *filling;
    oc_leaf_rows seconds, counts, extremes;
    oc_leaf_rows known;       /* 1 in slices that have an extreme */
    oc_totals_reader *totals; /* NULL: was not needed yet */
    ended_now *now;           /* by type, added up in one slice after the other: */
    uint32_t *met;            /* the types that have some */
    uint32_t met_count;
    oc_durations_reader durations;
    oc_found_slice found;
    ended *before; /* of each type, at the last boundary */
    size_t before_count, before_capacity;
} collecting;

static double seconds_of(const oc_filling *filling, int64_t ticks)
{
    return ocelotl_trace_seconds(filling->trace, ticks);
}

static ocelotl_status add(collecting *c, uint32_t type, uint32_t slice, int64_t ticks, double count)
{
    double *row;
    OC_TRY(oc_leaf_rows_get(&row, &c->seconds, type));
    row[slice] += seconds_of(c->filling, ticks);
    OC_TRY(oc_leaf_rows_get(&row, &c->counts, type));
    row[slice] += count;
    return OCELOTL_OK;
}

static ocelotl_status fail_totals(const collecting *c)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible running totals",
                   c->filling->trace->path);
}

static ocelotl_status take_totals(void *context, const oc_group_total *totals, size_t count,
                                  uint32_t boundary)
{
    collecting *c = context;
    OC_TRY(oc_grow(&c->before, &c->before_capacity, count, sizeof *c->before));
    while (c->before_count < count)
        c->before[c->before_count++] = (ended){0};
    for (size_t i = 0; i < count; i++) {
        const ended now = {totals[i].ended_ticks, totals[i].begun - totals[i].open};
        const ended before = c->before[i];
        c->before[i] = now;
        if (boundary == 0 || totals[i].group == OCELOTL_NONE || now.count == before.count)
            continue;
        if (now.count < before.count || now.ticks < before.ticks)
            return fail_totals(c);
        OC_TRY(add(c, totals[i].group, boundary - 1, now.ticks - before.ticks,
                   (double)(now.count - before.count)));
    }
    return OCELOTL_OK;
}

/* Takes a duration of a type that ends in a slice. */
static ocelotl_status widen(collecting *c, uint32_t type, uint32_t slice, double seconds)
{
    double *extremes;
    double *known;
    const bool least = c->filling->metric->drawing == OC_DRAW_LEAST;
    OC_TRY(oc_leaf_rows_get(&extremes, &c->extremes, type));
    OC_TRY(oc_leaf_rows_get(&known, &c->known, type));
    if (!(known[slice] > 0) || (least ? seconds < extremes[slice] : seconds > extremes[slice]))
        extremes[slice] = seconds;
    known[slice] = 1;
    return OCELOTL_OK;
}

/* Whether all that ends between two instants ends in one slice, or in none. */
static bool is_in_one_slice(void *context, int64_t begin, int64_t end)
{
    const oc_filling *filling = ((const collecting *)context)->filling;
    const uint32_t slice = oc_filling_slice(filling, begin);
    return slice == oc_filling_slice(filling, end) &&
           (slice != OCELOTL_NONE || end < filling->slicing->begin);
}

static bool is_never_enough(void *context, int64_t begin, int64_t end)
{
    (void)context;
    (void)begin;
    (void)end;
    return false;
}

static ocelotl_status take_filtered(collecting *c, const oc_ended_state *state,
                                    const oc_state_detail *detail)
{
    const oc_filling *filling = c->filling;
    const uint32_t type = oc_filling_type(filling, filling->state_type, state->value);
    if (type == OCELOTL_NONE || !oc_filling_passes(filling, state, detail))
        return OCELOTL_OK;
    const uint32_t slice = oc_filling_slice_next(&c->found, filling, state->end);
    if (slice == OCELOTL_NONE)
        return OCELOTL_OK;
    const int64_t ticks = state->end - state->begin;
    OC_TRY(add(c, type, slice, ticks, 1));
    return filling->metric->drawing == OC_DRAW_RATIO
               ? OCELOTL_OK
               : widen(c, type, slice, seconds_of(filling, ticks));
}

/* --- Of all states, added up in ticks before they become seconds, as running totals are */

static ocelotl_status give_slice(collecting *c, uint32_t slice, bool sums)
{
    const bool least = c->filling->metric->drawing == OC_DRAW_LEAST;
    const uint32_t count = c->met_count;
    c->met_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t type = c->met[i];
        const ended_now now = c->now[type];
        c->now[type] = (ended_now){0};
        if (sums)
            OC_TRY(add(c, type, slice, now.ticks, (double)now.count));
        OC_TRY(widen(c, type, slice, seconds_of(c->filling, least ? now.low : now.high)));
    }
    return OCELOTL_OK;
}

/* Gives what has ended in the slice before. */
static ocelotl_status go_to_slice(collecting *c, int64_t end, bool sums)
{
    const uint32_t before = c->found.slice;
    return oc_filling_slice_next(&c->found, c->filling, end) == before
               ? OCELOTL_OK
               : give_slice(c, before, sums);
}

static ocelotl_status take_durations(void *context, uint32_t value, int64_t end,
                                     const oc_duration_range *durations)
{
    collecting *c = context;
    const oc_filling *filling = c->filling;
    const uint32_t type = oc_filling_type(filling, filling->state_type, value);
    OC_TRY(go_to_slice(c, end, false));
    if (c->found.slice == OCELOTL_NONE || type == OCELOTL_NONE)
        return OCELOTL_OK;
    return widen(c, type, c->found.slice,
                 seconds_of(filling, filling->metric->drawing == OC_DRAW_LEAST ? durations->low
                                                                               : durations->high));
}

static ocelotl_status take_ended(collecting *c, const oc_ended_state *state, bool sums)
{
    const oc_filling *filling = c->filling;
    const uint32_t type = oc_filling_type(filling, filling->state_type, state->value);
    OC_TRY(go_to_slice(c, state->end, sums));
    if (c->found.slice == OCELOTL_NONE || type == OCELOTL_NONE)
        return OCELOTL_OK;
    const int64_t ticks = state->end - state->begin;
    ended_now *now = &c->now[type];
    if (now->count == 0) {
        c->met[c->met_count++] = type;
        now->low = ticks;
    }
    if (!oc_add_times(&now->ticks, now->ticks, ticks))
        return fail_totals(c);
    now->count++;
    now->low = ticks < now->low ? ticks : now->low;
    now->high = ticks > now->high ? ticks : now->high;
    return OCELOTL_OK;
}

static ocelotl_status take_extremes(void *context, const oc_ended_state *states, size_t count)
{
    for (size_t i = 0; i < count; i++)
        OC_TRY(take_ended(context, &states[i], false));
    return OCELOTL_OK;
}

static ocelotl_status take_all(void *context, const oc_ended_state *states, size_t count)
{
    for (size_t i = 0; i < count; i++)
        OC_TRY(take_ended(context, &states[i], true));
    return OCELOTL_OK;
}

/* Time and number are known from running totals, and the extremes from the chunks; but where chunks
 * are hardly more than slices, most of them are read for either, and all is added up at once. */
static ocelotl_status collect_extremes(collecting *c, uint32_t stream)
{
    const oc_filling *filling = c->filling;
    const uint32_t slices = filling->slicing->slices;
    const int64_t begin = filling->slicing->begin;
    const int64_t end = filling->boundaries[slices].ticks;
    oc_durations_reader *reader = &c->durations;
    reader->bytes.connection = filling->connection;
    OC_TRY(oc_durations_select(reader, stream));
    const bool sums = oc_durations_chunks(reader, begin, end) / 2 <= slices;
    const oc_durations_use use = {c, sums ? is_never_enough : is_in_one_slice, take_durations,
                                  sums ? take_all : take_extremes};
    if (!sums)
        OC_TRY(oc_visit_states(&c->totals, filling, stream, OC_BY_WINDOW, take_totals, c));
    OC_TRY(oc_durations_read(reader, begin, end, &use));
    return give_slice(c, c->found.slice, sums);
}

static ocelotl_status scan_stream(collecting *c, uint32_t stream)
{
    const oc_scanned_states *found;
    oc_state_scan scan = oc_filling_scan(c->filling);
    scan.walk.within = true;
    scan.without_pieces = true;
    ocelotl_status status = oc_state_scan_begin(&scan, stream);
    while (status == OCELOTL_OK && (status = oc_state_scan_next(&found, &scan)) == OCELOTL_OK &&
           found->count > 0)
        for (size_t i = 0; i < found->count && status == OCELOTL_OK; i++)
            status = take_filtered(c, &found->states[i], found->detail);
    oc_state_scan_free(&scan);
    return status;
}

/* Clears the extreme of each slice in which no state has ended. */
static void clear_absent(double *extremes, const double *counts, uint32_t slices)
{
    for (uint32_t slice = 0; slice < slices; slice++)
        if (!(counts[slice] > 0))
            extremes[slice] = NAN;
}

/* The solver has the time and, behind all types, the number of each. */
static ocelotl_status add_leaf(collecting *c, uint32_t leaf)
{
    oc_filling *filling = c->filling;
    const uint32_t slices = filling->slicing->slices;
    const uint32_t types = filling->model->type_count;
    for (uint32_t type = 0; type < 2 * types; type++) {
        const double *row = type < types ? oc_leaf_rows_find(&c->seconds, type)
                                         : oc_leaf_rows_find(&c->counts, type - types);
        if (row != NULL)
            OC_TRY(oc_cells_add(&filling->sums, leaf, type, row, slices, false));
    }
    for (uint32_t type = 0; type < types; type++) {
        const double *counts = oc_leaf_rows_find(&c->counts, type);
        double *extremes = oc_leaf_rows_find(&c->extremes, type);
        if (counts == NULL)
            continue;
        if (extremes != NULL)
            clear_absent(extremes, counts, slices);
        const bool ratio = filling->metric->drawing == OC_DRAW_RATIO;
        OC_TRY(
            oc_cells_add(&filling->drawn, leaf, type, ratio ? counts : extremes, slices, !ratio));
    }
    return OCELOTL_OK;
}

static size_t end_of(const oc_cells *cells, size_t series)
{
    return series + 1 < cells->series_count ? cells->series[series + 1].first : cells->count;
}

/* Weighs a state by the mean duration of its type, so that time and number count equally. */
static ocelotl_status weigh(oc_filling *filling)
{
    const uint32_t types = filling->model->type_count;
    oc_cells *cells = &filling->sums;
    double *totals = NULL; /* by type: seconds, then counts */
    OC_TRY(oc_allocate(&totals, (size_t)2 * types, sizeof *totals));
    for (size_t s = 0; s < cells->series_count; s++)
        for (size_t i = cells->series[s].first; i < end_of(cells, s); i++)
            totals[cells->series[s].type] += cells->value[i];
    for (size_t s = 0; s < cells->series_count; s++) {
        const uint32_t type = cells->series[s].type;
        if (type < types)
            continue;
        const double seconds = totals[type - types];
        const double each = seconds > 0 ? seconds / totals[type] : seconds_of(filling, 1);
        for (size_t i = cells->series[s].first; i < end_of(cells, s); i++)
            cells->value[i] *= each;
    }
    free(totals);
    filling->model->matrix.type_count = 2 * types;
    return OCELOTL_OK;
}

static ocelotl_status collect_leaf(collecting *c, uint32_t leaf)
{
    const oc_filling *filling = c->filling;
    const uint32_t stream =
        filling->streams->list[filling->streams->first[filling->tree->resources[leaf]]];
    oc_leaf_rows_clear(&c->known);
    oc_leaf_rows_clear(&c->seconds);
    oc_leaf_rows_clear(&c->counts);
    oc_leaf_rows_clear(&c->extremes);
    c->before_count = 0;
    if (oc_filling_reads_states(filling, filling->state_type))
        OC_TRY(scan_stream(c, stream));
    else if (filling->metric->drawing != OC_DRAW_RATIO)
        OC_TRY(collect_extremes(c, stream));
    else
        OC_TRY(oc_visit_states(&c->totals, filling, stream, OC_BY_WINDOW, take_totals, c));
    return add_leaf(c, leaf);
}

static ocelotl_status collect_leaves(oc_filling *filling, uint32_t first, uint32_t end,
                                     const void *context)
{
    (void)context;
    const oc_leaf_rows rows = {.slices = filling->slicing->slices,
                               .type_count = filling->model->type_count};
    collecting c = {
        .filling = filling, .seconds = rows, .counts = rows, .extremes = rows, .known = rows};
    ocelotl_status status = oc_allocate(&c.now, rows.type_count, sizeof *c.now);
    if (status == OCELOTL_OK)
        status = oc_allocate(&c.met, rows.type_count, sizeof *c.met);
    for (uint32_t leaf = first; leaf < end && status == OCELOTL_OK; leaf++)
        status = collect_leaf(&c, leaf);
    oc_leaf_rows_free(&c.seconds);
    oc_leaf_rows_free(&c.counts);
    oc_leaf_rows_free(&c.extremes);
    oc_leaf_rows_free(&c.known);
    oc_durations_reader_free(&c.durations);
    oc_totals_free(c.totals);
    free(c.before);
    free(c.now);
    free(c.met);
    return status;
}

ocelotl_status oc_fill_state_ends(oc_filling *filling)
{
    OC_TRY(oc_fill_leaves(filling, collect_leaves, NULL));
    return weigh(filling);
}

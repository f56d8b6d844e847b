/* What metrics share: slices of ticks, totals at boundaries, and threads that measure leaves. */
#include "model/metrics/filling.h"

#include "base/machine.h"
#include "base/memory.h"
#include "store/read/team.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_filling_fail_totals(const oc_filling *filling)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible running totals",
                   filling->trace->path);
}

uint32_t oc_filling_slice(const oc_filling *filling, int64_t tick)
{
    const int64_t end = oc_filling_end(filling);
    if (tick < filling->boundaries[0].ticks || tick > end || (tick == end && !filling->to_end))
        return OCELOTL_NONE;
    return oc_slicing_find(filling->slicing, filling->boundaries, tick);
}

ocelotl_status oc_measuring_add_at(oc_measuring *m, uint32_t type, int64_t tick, double number)
{
    const uint32_t slice = oc_filling_slice_next(&m->found, m->filling, tick);
    double *row;
    if (slice == OCELOTL_NONE || type == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(oc_leaf_rows_get(&row, &m->rows[0], type));
    row[slice] += number;
    return OCELOTL_OK;
}

/* A row, and what is as long in it. */
typedef struct lasting {
    double *row;
    double number;
} lasting;

static ocelotl_status add_units(void *context, uint32_t slice, int64_t units)
{
    const lasting *it = context;
    it->row[slice] += it->number * (double)units;
    return OCELOTL_OK;
}

void oc_measuring_add_time(double *row, oc_measuring *m, int64_t from, int64_t to, double number)
{
    (void)oc_span_divide(&m->finder, from, to, add_units, &(lasting){row, number});
}

bool oc_filling_reads_states(const oc_filling *filling, uint32_t event_type)
{
    return filling->options->selection.min_duration > 0 ||
           filling->options->selection.max_duration < INT64_MAX ||
           oc_conditions_concern(filling->conditions, event_type);
}

/* Filters of durations or attributes would be of states, and what is shown is a part of one. */
ocelotl_status oc_filling_check_filters(const oc_filling *filling)
{
    for (uint32_t e = 0; e < filling->trace->event_type_count; e++)
        if (filling->readable[e] && oc_filling_reads_states(filling, e))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "the metric %s takes no filter of durations or attributes, expected "
                           "one of names, resources or time",
                           filling->metric->listed.name);
    return OCELOTL_OK;
}

ocelotl_status oc_measuring_scan(oc_measuring *m, uint32_t stream)
{
    m->scan.walk.reader.connection = m->filling->connection;
    m->scan.walk.conditions = m->filling->conditions;
    m->scan.finder = oc_slice_finder_of(m->filling->slicing, m->filling->boundaries);
    m->scan.least = m->filling->options->selection.min_duration;
    m->scan.most = m->filling->options->selection.max_duration;
    return oc_state_scan_begin(&m->scan, stream);
}

/* --- Totals at boundaries */

static ocelotl_status make_room(oc_measuring *m, size_t count)
{
    OC_TRY(oc_grow(&m->before, &m->before_capacity, count, sizeof *m->before));
    /* Totals that are new were 0 before. */
    while (m->before_count < count)
        m->before[m->before_count++] = (oc_before){0};
    return OCELOTL_OK;
}

ocelotl_status oc_measuring_add_more(oc_measuring *m, size_t total, uint32_t type, double now,
                                     uint32_t boundary)
{
    const double more = now - m->before[total].number;
    m->before[total].number = now;
    if (!isfinite(more))
        return oc_filling_fail_totals(m->filling);
    if (boundary == 0 || type == OCELOTL_NONE || !(more > 0))
        return boundary > 0 && more < 0 ? oc_filling_fail_totals(m->filling) : OCELOTL_OK;
    double *row;
    OC_TRY(oc_leaf_rows_get(&row, &m->rows[0], type));
    row[boundary - 1] += more;
    return OCELOTL_OK;
}

static bool is_through(const oc_filling *filling, oc_boundary_rule rule, uint32_t boundary)
{
    const bool later = filling->boundaries[boundary].rest > 0;
    const bool last = boundary == filling->slicing->slices && filling->to_end;
    return later || (rule == OC_BY_WINDOW && last);
}

static ocelotl_status visit(oc_measuring *m, oc_cursor *cursor, oc_boundary_rule rule,
                            oc_take_fold take)
{
    const oc_filling *filling = m->filling;
    const oc_fold nothing = {.role = m->stream->role, .time = filling->boundaries[0].ticks};
    for (uint32_t i = 0; i <= filling->slicing->slices; i++) {
        const oc_fold *fold = &nothing;
        if (i > 0 || !filling->from_begin) {
            const int64_t tick = filling->boundaries[i].ticks;
            const bool over = rule == OC_BY_LIFE && tick >= m->resource->end;
            OC_TRY(oc_cursor_seek(cursor, over ? m->resource->end : tick,
                                  !over && is_through(filling, rule, i)));
            fold = oc_cursor_fold(cursor);
        }
        OC_TRY(make_room(m, fold->total_count + 1));
        OC_TRY(take(m, fold, i));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_visit_boundaries(oc_measuring *m, uint32_t stream, oc_boundary_rule rule,
                                   oc_take_fold take)
{
    oc_cursor *cursor = NULL;
    OC_TRY(oc_cursor_open(&cursor, &m->filling->connection, stream,
                          (uint64_t)m->filling->slicing->slices + 1));
    const ocelotl_status status = visit(m, cursor, rule, take);
    oc_cursor_free(cursor);
    return status;
}

ocelotl_status oc_visit_states(oc_measuring *m, uint32_t stream, bool inclusive, oc_take_types take)
{
    const oc_filling *filling = m->filling;
    const oc_state_groups types = {filling->type_of_value, filling->model->type_count, inclusive};
    if (m->totals == NULL)
        OC_TRY(oc_totals_open(&m->totals, &filling->connection, &types));
    OC_TRY(oc_totals_begin(m->totals, stream, filling->slicing->slices));
    for (uint32_t i = 0; i <= filling->slicing->slices; i++) {
        const bool before_all = i == 0 && filling->from_begin;
        if (!before_all)
            OC_TRY(oc_totals_move(m->totals, filling->boundaries[i].ticks,
                                  is_through(filling, OC_BY_WINDOW, i)));
        const size_t count = before_all ? 0 : oc_totals_count(m->totals);
        OC_TRY(make_room(m, count + 1));
        OC_TRY(take(m, oc_totals_groups(m->totals), count, i));
    }
    return OCELOTL_OK;
}

/* --- Threads that measure leaves */

/* With fewer records a thread, another connection to the file costs more than it saves. */
static const uint64_t records_per_thread = 200000;

/* Blocks end at different times: each thread has some. */
static const uint32_t blocks_per_thread = 16;

/* What the leaves of a block hold. */
typedef struct block {
    oc_cells sums, drawn;
} block;

typedef struct leaf_work {
    const oc_filling *filling;
    uint32_t first, leaf_count; /* those of this rank */
    uint32_t block_count;
    block *blocks;
} leaf_work;

ocelotl_status oc_measuring_give_units(oc_measuring *m, uint32_t type, const int64_t *units)
{
    const oc_slicing *slicing = m->filling->slicing;
    for (uint32_t slice = 0; slice < slicing->slices; slice++)
        m->row[slice] = (double)units[slice] / (double)slicing->length;
    return oc_cells_add(&m->filling->sums, m->leaf, type, m->row, slicing->slices, false);
}

ocelotl_status oc_measuring_give_numbers(oc_measuring *m)
{
    const oc_slicing *slicing = m->filling->slicing;
    const oc_measure *measure = m->filling->metric->measure;
    const double unit = measure->timed ? (double)slicing->length
                        : measure->seconds
                            ? slicing->slices / ocelotl_trace_seconds(m->filling->trace, 1)
                            : 1;
    for (uint32_t type = 0; type < m->filling->model->type_count; type++) {
        const double *row = oc_leaf_rows_find(&m->rows[0], type);
        double sum = 0;
        if (row == NULL)
            continue;
        for (uint32_t slice = 0; slice < slicing->slices; slice++) {
            m->row[slice] = row[slice] / unit;
            sum += m->row[slice];
        }
        if (!isfinite(sum))
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: damaged chunk of events: more bytes than can be added up",
                           m->filling->trace->path);
        OC_TRY(oc_cells_add(&m->filling->sums, m->leaf, type, m->row, slicing->slices, false));
    }
    return OCELOTL_OK;
}

static ocelotl_status measure_leaf(oc_measuring *m, uint32_t leaf)
{
    const oc_filling *filling = m->filling;
    const oc_measure *measure = filling->metric->measure;
    const uint32_t resource = filling->tree->resources[leaf];
    const uint32_t *first = filling->streams->first + resource;
    m->leaf = leaf;
    m->resource = &filling->trace->resources[resource];
    m->span_count = 0;
    for (size_t i = 0; i < 3; i++)
        oc_leaf_rows_clear(&m->rows[i]);
    for (uint32_t i = first[0]; i < first[1]; i++) {
        m->stream = &filling->trace->streams[filling->streams->list[i]];
        m->before_count = 0;
        OC_TRY(measure->read(m, filling->streams->list[i]));
    }
    return measure->give(m);
}

static ocelotl_status measure_block(leaf_work *work, const oc_connection *connection,
                                    uint32_t number)
{
    const uint64_t leaves = work->leaf_count;
    oc_filling own = *work->filling;
    const uint32_t slices = own.slicing->slices;
    const uint32_t width = own.metric->measure->width;
    const oc_leaf_rows rows = {.slices = slices, .type_count = own.model->type_count + 1};
    oc_measuring m = {.filling = &own,
                      .rows = {rows, rows, rows},
                      .walk = {.reader = {.connection = *connection}, .conditions = own.conditions},
                      .finder = oc_slice_finder_of(own.slicing, own.boundaries)};
    m.rows[0].slices = width > 0 ? width * slices : slices;
    own.connection = *connection;
    own.sums = own.drawn = (oc_cells){0};
    ocelotl_status status = oc_allocate(&m.row, slices, sizeof *m.row);
    for (uint32_t leaf = (uint32_t)(leaves * number / work->block_count);
         leaf < leaves * (number + 1) / work->block_count && status == OCELOTL_OK; leaf++)
        status = measure_leaf(&m, work->first + leaf);
    work->blocks[number] = (block){own.sums, own.drawn};
    for (size_t i = 0; i < 3; i++)
        oc_leaf_rows_free(&m.rows[i]);
    oc_totals_free(m.totals);
    oc_state_scan_free(&m.scan);
    oc_walk_free(&m.walk);
    free(m.row);
    free(m.before);
    free(m.open);
    free(m.spans);
    return status;
}

static ocelotl_status measure_blocks(void *context, const oc_team_member *member)
{
    leaf_work *work = context;
    size_t number;
    while (oc_team_next(&number, member)) {
        OC_TRY(oc_team_ask(member, &work->filling->options->work));
        OC_TRY(measure_block(work, &member->connection, (uint32_t)number));
    }
    return OCELOTL_OK;
}

static uint64_t count_records(const oc_filling *filling, uint32_t leaf)
{
    const uint32_t *first = filling->streams->first + filling->tree->resources[leaf];
    uint64_t records = 0;
    for (uint32_t i = first[0]; i < first[1]; i++)
        records += filling->trace->streams[filling->streams->list[i]].count;
    return records;
}

/* The leaves of this rank: ranks have about as many records. */
static ocelotl_status choose_leaves(leaf_work *work, const ocelotl_exchange *exchange)
{
    const uint32_t leaves = work->leaf_count;
    uint64_t *weights = NULL;
    uint32_t *ranks = NULL;
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    ocelotl_status status = oc_allocate(&weights, leaves, sizeof *weights);
    if (status == OCELOTL_OK)
        status = oc_allocate(&ranks, leaves, sizeof *ranks);
    if (status == OCELOTL_OK) {
        for (uint32_t leaf = 0; leaf < leaves; leaf++)
            weights[leaf] = 1 + count_records(work->filling, leaf);
        oc_exchange_deal(ranks, exchange, weights, leaves);
        work->leaf_count = 0;
        for (uint32_t leaf = 0; leaf < leaves; leaf++) {
            work->first += ranks[leaf] < exchange->rank;
            work->leaf_count += ranks[leaf] == exchange->rank;
        }
    }
    free(weights);
    free(ranks);
    return status;
}

static int choose_threads(const leaf_work *work)
{
    uint64_t records = 0;
    for (uint32_t leaf = 0; leaf < work->leaf_count; leaf++)
        records += count_records(work->filling, work->first + leaf);
    return oc_team_threads(records, records_per_thread, 0);
}

/* Brings the cells of all blocks together: what they need is known. */
static ocelotl_status join(oc_cells *cells, const leaf_work *work, bool drawn)
{
    oc_cells sum = {0};
    for (uint32_t i = 0; i < work->block_count; i++) {
        oc_cells *more = drawn ? &work->blocks[i].drawn : &work->blocks[i].sums;
        if (work->block_count == 1) {
            *cells = *more;
            *more = (oc_cells){0};
            return OCELOTL_OK;
        }
        sum.count += more->count;
        sum.series_count += more->series_count;
    }
    OC_TRY(oc_grow(&cells->slice, &cells->slice_capacity, sum.count, sizeof *cells->slice));
    OC_TRY(oc_grow(&cells->value, &cells->value_capacity, sum.count, sizeof *cells->value));
    OC_TRY(oc_grow(&cells->series, &cells->series_capacity, sum.series_count + 1,
                   sizeof *cells->series));
    for (uint32_t i = 0; i < work->block_count; i++)
        OC_TRY(oc_cells_append(cells, drawn ? &work->blocks[i].drawn : &work->blocks[i].sums));
    return OCELOTL_OK;
}

/* Each rank gets all cells, which are there twice while they come. */
static ocelotl_status check_room(size_t count, const oc_filling *filling)
{
    const ocelotl_work *with = &filling->options->work;
    const uint64_t budget = oc_memory_budget(with->memory_limit);
    double needed = 2.0 * (double)count * (sizeof(uint32_t) + sizeof(double));
    OC_TRY(oc_exchange_combine(&needed, sizeof needed, oc_combine_sums, with->exchange));
    OC_TRY(oc_exchange_spread(&needed, sizeof needed, with->exchange));
    if (needed <= (double)budget)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "%s: the cells of all ranks would need about %.0f MiB of memory on each, and "
                   "%.0f MiB may be used; use fewer slices",
                   filling->trace->label, needed / 1048576, (double)budget / 1048576);
}

/* Gives all ranks the cells of all: a rank's leaves are behind those of the rank before. */
static ocelotl_status exchange_cells(oc_cells *cells, const oc_filling *filling)
{
    const ocelotl_exchange *exchange = filling->options->work.exchange;
    oc_bytes all = {0};
    if (oc_is_alone(exchange))
        return OCELOTL_OK;
    ocelotl_status status = oc_cells_pack(&all, cells);
    cells->count = cells->series_count = 0;
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, exchange);
    while (status == OCELOTL_OK && all.read < all.length)
        status = oc_cells_unpack(cells, &all);
    oc_bytes_free(&all);
    return status;
}

static ocelotl_status measure_leaves(oc_filling *filling)
{
    const ocelotl_exchange *exchange = filling->options->work.exchange;
    leaf_work work = {.filling = filling, .leaf_count = filling->model->matrix.tree.leaf_count[0]};
    OC_TRY(choose_leaves(&work, exchange));
    const int threads = choose_threads(&work);
    const uint32_t wanted = threads == 1 ? 1 : (uint32_t)threads * blocks_per_thread;
    work.block_count = wanted < work.leaf_count ? wanted : work.leaf_count;
    OC_TRY(oc_allocate(&work.blocks, work.block_count, sizeof *work.blocks));
    ocelotl_status status =
        oc_team_do(filling->trace, threads, work.block_count, measure_blocks, &work);
    if (status == OCELOTL_OK)
        status = join(&filling->sums, &work, false);
    if (status == OCELOTL_OK)
        status = join(&filling->drawn, &work, true);
    for (uint32_t i = 0; i < work.block_count; i++) {
        oc_cells_free(&work.blocks[i].sums);
        oc_cells_free(&work.blocks[i].drawn);
    }
    free(work.blocks);
    if (status == OCELOTL_OK && !oc_is_alone(exchange))
        status = check_room(filling->sums.count + filling->drawn.count, filling);
    if (status == OCELOTL_OK)
        status = exchange_cells(&filling->sums, filling);
    return status == OCELOTL_OK ? exchange_cells(&filling->drawn, filling) : status;
}

ocelotl_status oc_fill(oc_filling *filling)
{
    const oc_measure *measure = filling->metric->measure;
    ocelotl_status status = measure->prepare != NULL ? measure->prepare(filling) : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = measure_leaves(filling);
    free(filling->arrivals.list);
    free(filling->orphans);
    filling->arrivals = (oc_arrivals){0};
    filling->orphans = NULL;
    return status;
}

ocelotl_status oc_fill_end(oc_filling *filling)
{
    const oc_measure *measure = filling->metric->measure;
    return measure->finish != NULL ? measure->finish(filling) : OCELOTL_OK;
}

static size_t end_of(const oc_cells *cells, size_t series)
{
    return series + 1 < cells->series_count ? cells->series[series + 1].first : cells->count;
}

ocelotl_status oc_fill_weighed(oc_filling *filling)
{
    const uint32_t types = filling->model->type_count;
    oc_cells *cells = &filling->sums;
    double *totals = NULL; /* by type: of the first, then of the others */
    OC_TRY(oc_allocate(&totals, (size_t)2 * types, sizeof *totals));
    for (size_t s = 0; s < cells->series_count; s++)
        for (size_t i = cells->series[s].first; i < end_of(cells, s); i++)
            totals[cells->series[s].type] += cells->value[i];
    for (size_t s = 0; s < cells->series_count; s++) {
        const uint32_t type = cells->series[s].type;
        if (type < types)
            continue;
        const double first = totals[type - types];
        const double each =
            first > 0 ? first / totals[type] : ocelotl_trace_seconds(filling->trace, 1);
        for (size_t i = cells->series[s].first; i < end_of(cells, s); i++)
            cells->value[i] *= each;
    }
    free(totals);
    filling->model->matrix.type_count = 2 * types;
    return OCELOTL_OK;
}

/* What metrics share: slices of ticks, totals at boundaries, and threads that fill leaves. */
#include "model/metrics/filling.h"

#include "base/memory.h"
#include "store/read/team.h"

#include <stdlib.h>

ocelotl_status oc_filling_add_time(double *row, const oc_filling *filling, int64_t from, int64_t to,
                                   double weight)
{
    const oc_slicing *slicing = filling->slicing;
    const oc_instant *boundaries = filling->boundaries;
    from = from > boundaries[0].ticks ? from : boundaries[0].ticks;
    to = to < oc_filling_end(filling) ? to : oc_filling_end(filling);
    if (from >= to)
        return OCELOTL_OK;
    for (uint32_t slice = oc_filling_slice(filling, from); slice < slicing->slices; slice++) {
        const bool whole = boundaries[slice + 1].ticks < to;
        int64_t units = 0;
        if (!oc_slicing_between(&units, slicing,
                                boundaries[slice].ticks >= from ? boundaries[slice]
                                                                : (oc_instant){from, 0},
                                whole ? boundaries[slice + 1] : (oc_instant){to, 0}))
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: impossible times",
                           filling->trace->path);
        row[slice] += weight * (double)units / (double)slicing->length;
        if (!whole)
            break;
    }
    return OCELOTL_OK;
}

oc_state_scan oc_filling_scan(const oc_filling *filling)
{
    return (oc_state_scan){
        .walk = {.reader = {.connection = filling->connection}, .conditions = filling->conditions},
        .bytes = {.connection = filling->connection},
        .finder = oc_slice_finder_of(filling->slicing, filling->boundaries),
        .least = filling->options->selection.min_duration,
        .most = filling->options->selection.max_duration};
}

bool oc_filling_reads_states(const oc_filling *filling, uint32_t event_type)
{
    return filling->options->selection.min_duration > 0 ||
           filling->options->selection.max_duration < INT64_MAX ||
           oc_conditions_concern(filling->conditions, event_type);
}

static int64_t window_begin(const oc_filling *filling)
{
    return filling->boundaries[0].ticks;
}

uint32_t oc_filling_slice(const oc_filling *filling, int64_t tick)
{
    const int64_t end = oc_filling_end(filling);
    if (tick < window_begin(filling) || tick > end || (tick == end && !filling->to_end))
        return OCELOTL_NONE;
    return oc_slicing_find(filling->slicing, filling->boundaries, tick);
}

static bool is_through(const oc_filling *filling, oc_boundary_rule rule, uint32_t boundary)
{
    const bool later = filling->boundaries[boundary].rest > 0;
    const bool last = boundary == filling->slicing->slices && filling->to_end;
    return later || (rule == OC_BY_WINDOW && last);
}

/* What a stream is visited for. */
typedef struct visit_request {
    oc_boundary_rule rule;
    int64_t life_end; /* of its resource */
    oc_take_boundary take;
    void *context;
} visit_request;

static ocelotl_status seek(oc_cursor *cursor, const oc_filling *filling,
                           const visit_request *request, uint32_t boundary)
{
    const int64_t tick = filling->boundaries[boundary].ticks;
    if (request->rule == OC_BY_LIFE && tick >= request->life_end)
        return oc_cursor_seek(cursor, request->life_end, false);
    return oc_cursor_seek(cursor, tick, is_through(filling, request->rule, boundary));
}

static ocelotl_status visit(const oc_filling *filling, oc_cursor *cursor,
                            const visit_request *request)
{
    const oc_fold nothing = {.role = oc_cursor_fold(cursor)->role, .time = window_begin(filling)};
    for (uint32_t i = 0; i <= filling->slicing->slices; i++) {
        const bool before_all = i == 0 && filling->from_begin;
        if (!before_all)
            OC_TRY(seek(cursor, filling, request, i));
        OC_TRY(request->take(request->context, before_all ? &nothing : oc_cursor_fold(cursor), i));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_visit_boundaries(const oc_filling *filling, uint32_t stream,
                                   oc_boundary_rule rule, oc_take_boundary take, void *context)
{
    oc_cursor *cursor = NULL;
    OC_TRY(oc_cursor_open(&cursor, &filling->connection, stream,
                          (uint64_t)filling->slicing->slices + 1));
    const int64_t life_end =
        filling->trace->resources[filling->trace->streams[stream].resource].end;
    const visit_request request = {rule, life_end, take, context};
    const ocelotl_status status = visit(filling, cursor, &request);
    oc_cursor_free(cursor);
    return status;
}

ocelotl_status oc_visit_states(oc_totals_reader **reader, const oc_filling *filling,
                               uint32_t stream, oc_boundary_rule rule, oc_take_types take,
                               void *context)
{
    const oc_state_groups types = {filling->type_of_value, filling->model->type_count, true};
    if (*reader == NULL)
        OC_TRY(oc_totals_open(reader, &filling->connection, &types));
    OC_TRY(oc_totals_begin(*reader, stream, filling->slicing->slices));
    for (uint32_t i = 0; i <= filling->slicing->slices; i++) {
        const bool before_all = i == 0 && filling->from_begin;
        if (!before_all)
            OC_TRY(oc_totals_move(*reader, filling->boundaries[i].ticks,
                                  is_through(filling, rule, i)));
        OC_TRY(
            take(context, oc_totals_groups(*reader), before_all ? 0 : oc_totals_count(*reader), i));
    }
    return OCELOTL_OK;
}

/* --- Threads that fill leaves */

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
    oc_fill_block fill;
    const void *context;
    uint32_t leaf_count, block_count;
    block *blocks;
} leaf_work;

static uint32_t first_leaf(const leaf_work *work, uint32_t number)
{
    return (uint32_t)((uint64_t)work->leaf_count * number / work->block_count);
}

static ocelotl_status fill_block(leaf_work *work, const oc_connection *connection, uint32_t number)
{
    oc_filling own = *work->filling;
    own.connection = *connection;
    own.sums = own.drawn = (oc_cells){0};
    const ocelotl_status status =
        work->fill(&own, first_leaf(work, number), first_leaf(work, number + 1), work->context);
    work->blocks[number] = (block){own.sums, own.drawn};
    return status;
}

static ocelotl_status fill_blocks(void *context, const oc_team_member *member)
{
    leaf_work *work = context;
    size_t number;
    while (oc_team_next(&number, member)) {
        OC_TRY(oc_team_ask(member, &work->filling->options->work));
        OC_TRY(fill_block(work, &member->connection, (uint32_t)number));
    }
    return OCELOTL_OK;
}

static int choose_threads(const oc_filling *filling, uint32_t leaf_count)
{
    uint64_t records = 0;
    for (uint32_t leaf = 0; leaf < leaf_count; leaf++) {
        const uint32_t resource = filling->tree->resources[leaf];
        for (uint32_t i = filling->streams->first[resource];
             i < filling->streams->first[resource + 1]; i++)
            records += filling->trace->streams[filling->streams->list[i]].count;
    }
    return oc_team_threads(records, records_per_thread, 0);
}

static ocelotl_status join(oc_filling *filling, const leaf_work *work)
{
    for (uint32_t i = 0; i < work->block_count; i++) {
        OC_TRY(oc_cells_append(&filling->sums, &work->blocks[i].sums));
        OC_TRY(oc_cells_append(&filling->drawn, &work->blocks[i].drawn));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_fill_leaves(oc_filling *filling, oc_fill_block fill, const void *context)
{
    const uint32_t leaf_count = filling->model->matrix.tree.leaf_count[0];
    const int threads = choose_threads(filling, leaf_count);
    const uint32_t wanted = threads == 1 ? 1 : (uint32_t)threads * blocks_per_thread;
    leaf_work work = {.filling = filling,
                      .fill = fill,
                      .context = context,
                      .leaf_count = leaf_count,
                      .block_count = wanted < leaf_count ? wanted : leaf_count};
    OC_TRY(oc_allocate(&work.blocks, work.block_count, sizeof *work.blocks));
    ocelotl_status status =
        oc_team_do(filling->trace, threads, work.block_count, fill_blocks, &work);
    if (status == OCELOTL_OK)
        status = join(filling, &work);
    for (uint32_t i = 0; i < work.block_count; i++) {
        oc_cells_free(&work.blocks[i].sums);
        oc_cells_free(&work.blocks[i].drawn);
    }
    free(work.blocks);
    return status;
}

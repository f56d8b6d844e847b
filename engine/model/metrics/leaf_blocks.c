#include "model/metrics/leaf_blocks.h"

#include "base/memory.h"
#include "store/read/team.h"

#include <stdlib.h>

/* Below so many records another connection to the file costs more than it saves. */
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
    size_t number;
    while (oc_team_next(&number, member))
        OC_TRY(fill_block(context, &member->connection, (uint32_t)number));
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
    return oc_team_threads(records, records_per_thread);
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

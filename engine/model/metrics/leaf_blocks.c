#include "model/metrics/leaf_blocks.h"

#include "base/first_failure.h"
#include "base/memory.h"
#include "base/thread.h"

#include <omp.h>
#include <stdlib.h>

/* Below so many records another connection to the file costs more than it saves. */
static const uint64_t records_per_thread = 200000;

/* Blocks end at different times: each thread has some. */
static const uint32_t blocks_per_thread = 16;

/* What the leaves of a block hold. */
typedef struct block {
    oc_cells sums, drawn;
} block;

typedef struct leaf_team {
    const oc_filling *filling;
    oc_fill_block fill;
    const void *context;
    uint32_t leaf_count, block_count;
    block *blocks;
    oc_first_failure failure;
} leaf_team;

static uint32_t first_leaf(const leaf_team *team, uint32_t number)
{
    return (uint32_t)((uint64_t)team->leaf_count * number / team->block_count);
}

static ocelotl_status fill_block(leaf_team *team, ocelotl_trace *trace, uint32_t number)
{
    oc_filling own = *team->filling;
    own.trace = trace;
    own.sums = own.drawn = (oc_cells){0};
    const ocelotl_status status =
        team->fill(&own, first_leaf(team, number), first_leaf(team, number + 1), team->context);
    team->blocks[number] = (block){own.sums, own.drawn};
    return status;
}

/* A trace has one connection, which serves the first thread; the others have copies with one of
 * their own. Outside a transaction each statement would lock the file anew. */
static ocelotl_status connect(ocelotl_trace *own, const ocelotl_trace *trace, bool first,
                              bool *began)
{
    *own = *trace;
    if (!first) {
        own->database = NULL;
        OC_TRY(oc_trace_connect(&own->database, trace));
    }
    *began = sqlite3_get_autocommit(own->database);
    return *began ? oc_database_execute(own->database, own->path, "BEGIN") : OCELOTL_OK;
}

static void disconnect(ocelotl_trace *own, bool first, bool began)
{
    if (began)
        sqlite3_exec(own->database, "COMMIT", NULL, NULL, NULL);
    if (!first)
        sqlite3_close(own->database);
}

/* A thread that gets no connection of its own leaves the work to the others; the first one needs
 * none. */
static void fill_blocks(leaf_team *team, int threads)
{
    uint32_t next = 0;
    threads = oc_team_size(threads);
#pragma omp parallel num_threads(threads)
    {
        ocelotl_trace own;
        bool began = false;
        const bool first = omp_get_thread_num() == 0;
        ocelotl_status status = connect(&own, team->filling->trace, first, &began);
        if (status != OCELOTL_OK && first)
            oc_first_failure_keep(&team->failure, status);
        while (status == OCELOTL_OK && !oc_first_failure_is_there(&team->failure)) {
            uint32_t number;
#pragma omp atomic capture
            number = next++;
            if (number >= team->block_count)
                break;
            status = fill_block(team, &own, number);
            if (status != OCELOTL_OK)
                oc_first_failure_keep(&team->failure, status);
        }
        disconnect(&own, first, began);
    }
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
    const uint64_t wanted = records / records_per_thread + 1;
    const int available = omp_get_max_threads();
    return wanted < (uint64_t)available ? (int)wanted : available;
}

static ocelotl_status join(oc_filling *filling, const leaf_team *team)
{
    for (uint32_t i = 0; i < team->block_count; i++) {
        OC_TRY(oc_cells_append(&filling->sums, &team->blocks[i].sums));
        OC_TRY(oc_cells_append(&filling->drawn, &team->blocks[i].drawn));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_fill_leaves(oc_filling *filling, oc_fill_block fill, const void *context)
{
    const uint32_t leaf_count = filling->model->matrix.tree.leaf_count[0];
    const int threads = choose_threads(filling, leaf_count);
    const uint32_t wanted = threads == 1 ? 1 : (uint32_t)threads * blocks_per_thread;
    leaf_team team = {.filling = filling,
                      .fill = fill,
                      .context = context,
                      .leaf_count = leaf_count,
                      .block_count = wanted < leaf_count ? wanted : leaf_count};
    OC_TRY(oc_allocate(&team.blocks, team.block_count, sizeof *team.blocks));
    fill_blocks(&team, threads);
    ocelotl_status status = oc_first_failure_give(&team.failure);
    if (status == OCELOTL_OK)
        status = join(filling, &team);
    for (uint32_t i = 0; i < team.block_count; i++) {
        oc_cells_free(&team.blocks[i].sums);
        oc_cells_free(&team.blocks[i].drawn);
    }
    free(team.blocks);
    return status;
}

/* Aggregates data that never was a trace: a tree, a few types, and values given as triplets.
 *
 *     own_data [PICTURE] */
#include <ocelotl/ocelotl.h>

#include <stdio.h>
#include <stdlib.h>

enum { SLICES = 12, NODES = 7, LEAVES = 4, RUN = 0, WAIT = 1, TYPES = 2 };

/*  cluster
 *    left:  l0 l1
 *    right: r0 r1  */
static const uint32_t parents[NODES] = {OCELOTL_ROOT, 0, 1, 1, 0, 4, 4};
static const char *const names[NODES] = {"cluster", "left", "l0", "l1", "right", "r0", "r1"};
static const char *const types[TYPES] = {"run", "wait"};
static const uint32_t leaves[LEAVES] = {2, 3, 5, 6};

/* Everybody runs; from slice 8 on everybody waits, but for r1, which waits already in slices 4
 * to 7. */
static size_t fill(ocelotl_cell *cells)
{
    size_t count = 0;
    for (uint32_t leaf = 0; leaf < LEAVES; leaf++)
        for (uint32_t slice = 0; slice < SLICES; slice++) {
            const double waits = slice >= 8 ? 0.9 : leaf == 3 && slice >= 4 ? 0.7 : 0.1;
            cells[count++] = (ocelotl_cell){leaves[leaf], RUN, slice, 1 - waits};
            cells[count++] = (ocelotl_cell){leaves[leaf], WAIT, slice, waits};
        }
    return count;
}

static ocelotl_status make_model(ocelotl_model **model)
{
    ocelotl_cell cells[LEAVES * SLICES * TYPES];
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    arrays.name = "own data";
    arrays.node_count = NODES;
    arrays.parents = parents;
    arrays.names = names;
    arrays.type_count = TYPES;
    arrays.types = types;
    arrays.slice_count = SLICES;
    arrays.cell_count = fill(cells);
    arrays.cells = cells;
    return ocelotl_model_from_arrays(model, &arrays);
}

static void print_levels(const ocelotl_levels *levels)
{
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        printf("level %zu: p from %.4f to %.4f, %zu parts\n", i, level.p_from, level.p_to,
               level.parts);
    }
}

static void print_parts(const ocelotl_partition *partition)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        printf("%-7s slices %2u to %2u: runs %.2f, waits %.2f\n",
               ocelotl_model_node_at(model, part.node).name, part.first, part.last,
               part.shares[RUN], part.shares[WAIT]);
    }
}

typedef struct analysis {
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    ocelotl_levels *levels;
    ocelotl_partition *partition;
} analysis;

/* A file is there whole, or not at all; its suffix names the format. */
static ocelotl_status draw(const char *path, const ocelotl_partition *partition)
{
    ocelotl_picture_format format;
    ocelotl_file *file = NULL;
    ocelotl_status status = ocelotl_picture_find_format(&format, path);
    if (status == OCELOTL_OK)
        status = ocelotl_file_open(&file, path, true);
    if (status != OCELOTL_OK)
        return status;
    const ocelotl_sink sink = ocelotl_file_sink(file);
    status = ocelotl_overview_draw(&sink, format, partition, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_file_commit(file);
    ocelotl_file_free(file);
    return status;
}

static ocelotl_status analyse(analysis *made, const char *picture)
{
    ocelotl_levels_options every_level = OCELOTL_LEVELS_OPTIONS_INIT;
    every_level.max_levels = SIZE_MAX;
    ocelotl_status status = make_model(&made->model);
    if (status == OCELOTL_OK)
        status = ocelotl_aggregation_create(&made->aggregation, made->model, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_levels_find(&made->levels, made->aggregation, &every_level);
    if (status == OCELOTL_OK)
        status = ocelotl_solve(&made->partition, made->aggregation, 0.4);
    if (status == OCELOTL_OK)
        status = draw(picture, made->partition);
    return status;
}

int main(int count, char **arguments)
{
    analysis made = {0};
    const ocelotl_status status = analyse(&made, count > 1 ? arguments[1] : "own_data.svg");
    if (status == OCELOTL_OK) {
        print_levels(made.levels);
        print_parts(made.partition);
    } else {
        fprintf(stderr, "own_data: %s\n", ocelotl_error_message());
    }
    ocelotl_partition_free(made.partition);
    ocelotl_levels_free(made.levels);
    ocelotl_aggregation_free(made.aggregation);
    ocelotl_model_free(made.model);
    return status == OCELOTL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

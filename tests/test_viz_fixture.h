/* A small cluster to draw, with parts given by hand: the views are tested without the aggregation.
 */
#ifndef OC_TESTS_VIZ_FIXTURE_H
#define OC_TESTS_VIZ_FIXTURE_H

#include "check.h"

#include "base/memory.h"
#include "model/core/model.h"
#include "viz/overview/overview.h"

enum { FIXTURE_TYPES = 4, FIXTURE_SLICES = 20, FIXTURE_PARTS_MOST = 256 };

typedef struct fixture {
    ocelotl_model *model;
    uint32_t machines, cores; /* cores of each machine, a leaf each */
    ocelotl_part parts[FIXTURE_PARTS_MOST];
    double shares[FIXTURE_PARTS_MOST][FIXTURE_TYPES];
    size_t part_count;
} fixture;

/* Share of a slice that a core spends in a type; the last type is untraced time. */
static inline double fixture_value(uint32_t leaf, uint32_t slice, uint32_t type)
{
    const bool waiting = slice >= 8 && slice < 12 && leaf >= 2;
    const double shares[FIXTURE_TYPES] = {waiting ? 0.1 : 0.7, waiting ? 0.8 : 0.1,
                                          leaf == 0 ? 0.05 : 0, 0};
    if (type + 1 < FIXTURE_TYPES)
        return shares[type];
    return 1 - shares[0] - shares[1] - shares[2];
}

static inline void fixture_add_nodes(fixture *made, const char *name)
{
    const uint32_t count = 1 + made->machines * (made->cores + 1);
    oc_given_node *nodes = NULL;
    char(*names)[64] = NULL;
    CHECK_OK(oc_allocate(&nodes, count, sizeof *nodes));
    CHECK_OK(oc_allocate(&names, count, sizeof *names));
    nodes[0] = (oc_given_node){OCELOTL_ROOT, "", NULL, OCELOTL_NONE, false};
    for (uint32_t i = 0; i < made->machines; i++) {
        const uint32_t machine = 1 + i * (made->cores + 1);
        snprintf(names[machine], sizeof names[machine], "%s-%u", name, i + 1);
        nodes[machine] = (oc_given_node){0, names[machine], "machine", machine, false};
        for (uint32_t core = 1; core <= made->cores; core++) {
            snprintf(names[machine + core], sizeof names[machine], "core %u", core - 1);
            nodes[machine + core] =
                (oc_given_node){machine, names[machine + core], "core", machine + core, false};
        }
    }
    CHECK_OK(oc_model_begin(&made->model, NULL, nodes, count));
    free(nodes);
    free(names);
}

static inline void fixture_add_cells(fixture *made)
{
    const uint32_t leaves = made->machines * made->cores;
    size_t count = 0;
    oc_given_cell *cells = NULL;
    CHECK_OK(oc_allocate(&cells, (size_t)leaves * FIXTURE_SLICES * FIXTURE_TYPES, sizeof *cells));
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (uint32_t slice = 0; slice < FIXTURE_SLICES; slice++)
            for (uint32_t type = 0; type < FIXTURE_TYPES; type++)
                cells[count++] =
                    (oc_given_cell){leaf, type, slice, 0, fixture_value(leaf, slice, type)};
    oc_twice twice;
    CHECK_OK(oc_model_set_cells(made->model, &twice, FIXTURE_SLICES, cells, count));
    free(cells);
}

static inline void fixture_set_text(char **member, const char *text)
{
    free(*member);
    CHECK_OK(oc_copy_text(member, text));
}

/* A model of a trace of one second; `types` are the names of three states. */
static inline void fixture_begin(fixture *made, uint32_t machines, uint32_t cores,
                                 const char *machine, const char *const types[3])
{
    *made = (fixture){.machines = machines, .cores = cores};
    fixture_add_nodes(made, machine);
    for (int i = 0; i < 3; i++)
        CHECK_OK(oc_model_add_type(made->model, types[i], i == 2 ? 0xC00000 : -1, false));
    CHECK_OK(oc_model_add_type(made->model, "(no state)", -1, true));
    fixture_add_cells(made);
    fixture_set_text(&made->model->name, "cluster.trace");
    fixture_set_text(&made->model->uid, "0123456789abcdef");
    fixture_set_text(&made->model->state_type, "MPI_STATE");
    made->model->has_time = true;
    made->model->begin = 0;
    made->model->end = 1;
    made->model->slices_wanted = FIXTURE_SLICES;
    made->model->leaves_left_out = 1;
}

static inline void fixture_end(fixture *made)
{
    ocelotl_model_free(made->model);
    made->model = NULL;
}

/* Adds a part, with the shares that the model gives it. */
static inline void fixture_part(fixture *made, uint32_t node, uint32_t first, uint32_t last)
{
    const ocelotl_node of = ocelotl_model_node_at(made->model, node);
    CHECK(made->part_count < FIXTURE_PARTS_MOST);
    double *shares = made->shares[made->part_count];
    for (uint32_t type = 0; type < FIXTURE_TYPES; type++) {
        for (uint32_t leaf = of.leaf_first; leaf < of.leaf_first + of.leaf_count; leaf++)
            for (uint32_t slice = first; slice <= last; slice++)
                shares[type] += fixture_value(leaf, slice, type);
        shares[type] /= (double)of.leaf_count * (last - first + 1);
    }
    made->parts[made->part_count++] =
        (ocelotl_part){node, first, last, of.leaf_count, 12.5, 0.25, shares};
}

/* Two machines of two cores: the first machine in one part for each core, the second cut in time.
 */
static inline void fixture_cluster(fixture *made)
{
    static const char *const types[3] = {"Compute", "MPI_Wait", "MPI_Send"};
    fixture_begin(made, 2, 2, "machine", types);
    fixture_part(made, 2, 0, 19);
    fixture_part(made, 3, 0, 19);
    fixture_part(made, 4, 0, 7);
    fixture_part(made, 4, 8, 11);
    fixture_part(made, 4, 12, 19);
}

static inline oc_overview_input fixture_input(const fixture *made)
{
    const ocelotl_partition_info partition = {.kind = OCELOTL_SPATIOTEMPORAL,
                                              .p = 0.25,
                                              .p_raw = 0.0078125,
                                              .pic = 3.5,
                                              .gain = 62.5,
                                              .loss = 1.25,
                                              .whole_gain = 80,
                                              .whole_loss = 40,
                                              .part_count = made->part_count,
                                              .cell_count = 20u * made->machines * made->cores};
    return (oc_overview_input){
        .model = made->model, .partition = partition, .parts = made->parts, .view = &oc_view_mode};
}

static inline oc_picture fixture_picture(double width, double height)
{
    const ocelotl_picture_options options = {
        .size = sizeof options, .width = width, .height = height};
    oc_picture picture = {0};
    CHECK_OK(oc_picture_read(&picture, &(oc_target){0}, &options));
    return picture;
}

#endif

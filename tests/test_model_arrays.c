/* Models from arrays: what is refused, and what the getters give beyond their range. */
#include "made.h"

static const uint32_t parents[] = {OCELOTL_ROOT, 0, 0};
static const char *const types[] = {"busy", "busy", "busy#2"};
static const ocelotl_cell cells[] = {{1, 0, 0, 1}, {1, 1, 1, 2}, {2, 2, 0, 3}};

static ocelotl_model_arrays good(void)
{
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    arrays.node_count = 3;
    arrays.parents = parents;
    arrays.type_count = 3;
    arrays.types = types;
    arrays.slice_count = 2;
    arrays.cell_count = 3;
    arrays.cells = cells;
    return arrays;
}

static void refuse(const ocelotl_model_arrays *arrays, const char *message)
{
    ocelotl_model *model = NULL;
    CHECK_REFUSED(ocelotl_model_from_arrays(&model, arrays), message);
    CHECK(model == NULL);
}

static void check_refusals(void)
{
    static const char *const unnamed[] = {"a", NULL, "c"};
    static const uint32_t circle[] = {OCELOTL_ROOT, 2, 1};
    static const uint32_t forest[] = {OCELOTL_ROOT, OCELOTL_ROOT, 0};
    static const ocelotl_cell twice[] = {{1, 0, 0, 1}, {1, 1, 1, 2}, {1, 0, 0, 3}};
    static const ocelotl_cell inner[] = {{0, 0, 0, 1}};
    static const ocelotl_cell negative[] = {{1, 0, 0, -1}};
    ocelotl_model_arrays arrays = good();
    arrays.types = unnamed;
    refuse(&arrays, "type 1 has no name");
    arrays = good();
    arrays.names = unnamed;
    refuse(&arrays, "node 1 has no name");
    arrays = good();
    arrays.parents = circle;
    refuse(&arrays, "circle");
    arrays.parents = forest;
    refuse(&arrays, "expected one root");
    arrays = good();
    arrays.cells = twice;
    refuse(&arrays, "cells 0 and 2 are the same");
    arrays.cells = inner;
    arrays.cell_count = 1;
    refuse(&arrays, "has children, expected a leaf");
    arrays.cells = negative;
    refuse(&arrays, "value is -1");
    arrays = good();
    arrays.size = 0;
    refuse(&arrays, "initialiser");
    arrays = good();
    arrays.slice_count = 0;
    refuse(&arrays, "0 slices");
}

static void check_getters(void)
{
    const ocelotl_model_arrays arrays = good();
    OWN_MODEL *model = must_take(&arrays);
    CHECK_TEXT(ocelotl_model_type_at(model, 0).name, "busy");
    CHECK_TEXT(ocelotl_model_type_at(model, 1).name, "busy#2");
    CHECK_TEXT(ocelotl_model_type_at(model, 2).name, "busy#2#2");
    CHECK_TEXT(ocelotl_model_type_at(model, 3).name, "");
    CHECK_TEXT(ocelotl_model_node_at(model, 3).path, "");
    OWN_AGGREGATION *aggregation = must_aggregate(model, NULL);
    OWN_PARTITION *partition = must_solve(aggregation, 0.5);
    OWN_LEVELS *levels = must_find_levels(aggregation, NULL);
    const size_t parts = ocelotl_partition_info_of(partition).part_count;
    CHECK(ocelotl_partition_part_at(partition, parts - 1).shares != NULL);
    CHECK(ocelotl_partition_part_at(partition, parts).shares == NULL);
    CHECK(ocelotl_levels_at(levels, ocelotl_levels_info_of(levels).count).parts == 0);
}

int main(void)
{
    check_refusals();
    check_getters();
    return 0;
}

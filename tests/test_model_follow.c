/* A model with the hierarchy of another one, of another trace. */
#include "test_hierarchy_trace.h"

#include "test_model_cells.h"

static const hierarchy_resource before[] = {
    {-1, 0, "s", 0, 100, 0, 0},    {0, 1, "c1", 0, 100, 0, 0},
    {0, 1, "c2", 0, 100, 0, 0},    {1, 2, "m1", 0, 100, 0, 0},
    {1, 2, "m2", 0, 100, 0, 0},    {2, 2, "m3", 0, 100, 40, 60}, /* has states of its own */
    {3, 3, "p1", 0, 100, 20, 30},  {3, 3, "p2", 0, 100, 50, 90},
    {4, 3, "p3", 0, 100, 10, 100}, {4, 3, "p4", 0, 100, 20, 30},
    {5, 3, "p5", 0, 100, 60, 65},  {5, 3, "p6", 0, 100, 10, 95},
};

/* Without p2 and p5, with p7, p8 and a machine and a cluster more; others are busy. */
static const hierarchy_resource after[] = {
    {-1, 0, "s", 0, 120, 0, 0},    {0, 1, "c2", 0, 120, 0, 0},   {0, 1, "c1", 0, 120, 0, 0},
    {0, 1, "c3", 0, 120, 0, 0},    {2, 2, "m1", 0, 120, 0, 0},   {2, 2, "m2", 0, 120, 0, 0},
    {1, 2, "m3", 0, 120, 30, 70},  {1, 2, "m4", 0, 120, 0, 0},   {3, 2, "m5", 0, 120, 5, 7},
    {4, 3, "p1", 0, 120, 50, 100}, {4, 3, "p7", 0, 120, 0, 100}, {5, 3, "p4", 0, 120, 90, 95},
    {5, 3, "p3", 0, 120, 20, 21},  {6, 3, "p6", 0, 120, 3, 99},  {7, 3, "p8", 0, 120, 1, 2},
    {8, 3, "p9", 0, 120, 11, 12},
};

/* The first model as the options want it, and the second with its hierarchy and the same options.
 */
static void build_both(ocelotl_model **models, ocelotl_trace *const *traces,
                       const ocelotl_model_options *options)
{
    ocelotl_model_options second = *options;
    models[0] = must_build(traces[0], options);
    second.hierarchy.like = models[0];
    models[1] = must_build(traces[1], &second);
}

static void check_paths(ocelotl_trace *const *traces, const ocelotl_model_options *options,
                        const char *const *paths)
{
    ocelotl_model *models[2];
    build_both(models, traces, options);
    hierarchy_check(models[1], paths);
    ocelotl_model_free(models[0]);
}

static void test_by_hand(ocelotl_trace *const *traces)
{
    static const char *const machines[] = {"machine"};
    static const char *const groups[] = {"*/p[136]=odd"};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 10;
    options.hierarchy.bare = true;
    /* The bare hierarchy of one trace changes nothing in that of another. */
    check_paths(traces, &options,
                HIERARCHY_PATHS("s", "s/c2", "s/c2/m3", "s/c2/m3/.", "s/c2/m3/p6", "s/c2/m4",
                                "s/c2/m4/p8", "s/c1", "s/c1/m1", "s/c1/m1/p1", "s/c1/m1/p7",
                                "s/c1/m2", "s/c1/m2/p4", "s/c1/m2/p3", "s/c3", "s/c3/m5",
                                "s/c3/m5/.", "s/c3/m5/p9"));
    /* What has gone is gone here, too, and what is new comes to the nearest that is left; c3 was
     * never there. */
    options.hierarchy.drop_levels = (ocelotl_names){machines, 1};
    check_paths(traces, &options,
                HIERARCHY_PATHS("s", "s/c1", "s/c1/m1/p1", "s/c1/m2/p3", "s/c1/m2/p4", "s/c1/m1/p7",
                                "s/c2", "s/c2/m3", "s/c2/m3/p6", "s/c2/m4", "s/c2/m4/p8", "s/c3",
                                "s/c3/m5", "s/c3/m5/.", "s/c3/m5/p9"));
    options.hierarchy.drop_levels = (ocelotl_names){NULL, 0};
    /* A group has the members that it has in the first. */
    options.hierarchy.groups = (ocelotl_names){groups, 1};
    check_paths(traces, &options,
                HIERARCHY_PATHS("s", "s/c1", "s/c1/m1", "s/c1/m1/p7", "s/c1/m2", "s/c1/m2/p4",
                                "s/odd", "s/c1/m1/p1", "s/c1/m2/p3", "s/c2/m3/p6", "s/c2",
                                "s/c2/m3", "s/c2/m3/.", "s/c2/m4", "s/c2/m4/p8", "s/c3", "s/c3/m5",
                                "s/c3/m5/.", "s/c3/m5/p9"));
    options.hierarchy.groups = (ocelotl_names){NULL, 0};
    /* What a leaf stands for takes what is new below it. */
    options.hierarchy.max_leaves = 2;
    check_paths(traces, &options,
                HIERARCHY_PATHS("s", "s/c1", "s/c2", "s/c3", "s/c3/m5", "s/c3/m5/.", "s/c3/m5/p9"));
}

static double sum_of(const ocelotl_model *model, uint32_t node, const char *type)
{
    enum { SLICES = 10, TYPES = 8 };
    double sums[SLICES * TYPES];
    const uint32_t types = ocelotl_model_info_of(model).type_count;
    double sum = 0;
    CHECK(types <= TYPES);
    CHECK_OK(ocelotl_model_sums(sums, model, node, 0, SLICES - 1));
    for (uint32_t slice = 0; slice < SLICES; slice++)
        sum += sums[slice * types + cells_type(model, type)];
    return sum;
}

/* Nothing is lost on the way, whatever was done to the first hierarchy, and its nodes are where
 * they were. */
static void check_kept(ocelotl_trace *const *traces, ocelotl_trace *second,
                       const ocelotl_model_options *options)
{
    ocelotl_model *models[2];
    ocelotl_model_options bare = OCELOTL_MODEL_OPTIONS_INIT;
    bare.slices = 10;
    OWN_MODEL *whole = must_build(second, &bare);
    build_both(models, traces, options);
    CHECK_NEAR(sum_of(models[1], 0, "busy"), sum_of(whole, 0, "busy"), 1e-12);
    CHECK(ocelotl_model_info_of(models[1]).row_count == ocelotl_model_info_of(whole).row_count);
    for (uint32_t k = 1; k < ocelotl_model_info_of(models[1]).node_count; k++) {
        const ocelotl_node node = ocelotl_model_node_at(models[1], k);
        for (uint32_t j = 1; j < ocelotl_model_info_of(models[0]).node_count; j++) {
            const ocelotl_node same = ocelotl_model_node_at(models[0], j);
            if (strcmp(node.path, same.path) == 0)
                CHECK_TEXT(ocelotl_model_node_at(models[1], node.parent).path,
                           ocelotl_model_node_at(models[0], same.parent).path);
        }
        if (node.source != OCELOTL_NONE && strcmp(node.name, ".") != 0)
            CHECK_TEXT(ocelotl_trace_resource_at(second, node.source).name, node.name);
    }
    ocelotl_model_free(models[0]);
    ocelotl_model_free(models[1]);
}

static void test_kept(ocelotl_trace *const *traces)
{
    static const char *const machines[] = {"machine", "cluster"};
    static const char *const groups[] = {"*/p[136]=odd", "*/m*=machines"};
    for (uint32_t i = 0; i < 64; i++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        options.slices = 10;
        options.hierarchy.cluster = i % 4 == 1;
        options.hierarchy.bare = i % 4 == 2;
        options.hierarchy.drop_levels = (ocelotl_names){machines, i % 4 == 3 ? 1 + i / 32 : 0};
        options.hierarchy.groups =
            (ocelotl_names){groups, options.hierarchy.cluster || i % 4 == 3 ? 0 : i / 4 % 3};
        options.hierarchy.max_leaves = i / 16;
        options.hierarchy.reuse_rows = i % 5 == 0;
        check_kept(traces, traces[1], &options);
        ocelotl_trace *const same[] = {traces[1], traces[1]};
        check_kept(same, traces[1], &options);
    }
}

/* Makes six processes; two behave unlike the others. */
static ocelotl_model *clustered(int second)
{
    hierarchy_resource resources[] = {
        {-1, 2, "m", 0, 100, 0, 0},   {0, 3, "p1", 0, 100, 0, 90},  {0, 3, "p2", 0, 100, 10, 11},
        {0, 3, "p3", 0, 100, 10, 11}, {0, 3, "p4", 0, 100, 10, 11}, {0, 3, "p5", 0, 100, 10, 11},
        {0, 3, "p6", 0, 100, 10, 11},
    };
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 10;
    options.hierarchy.cluster = true;
    resources[second].from = 0;
    resources[second].to = 90;
    OWN_TRACE *trace = hierarchy_trace(resources, sizeof resources / sizeof resources[0]);
    ocelotl_model *model = must_build(trace, &options);
    return model;
}

/* Nodes of one name are the same where their members are. */
static void test_matching(void)
{
    ocelotl_model *models[] = {clustered(2), clustered(3), clustered(2)};
    const ocelotl_node node = ocelotl_model_node_at(models[0], 1);
    CHECK(node.leaf_count == 2 && node.source == OCELOTL_NONE);
    CHECK(strcmp(ocelotl_model_node_at(models[2], 1).path, node.path) == 0);
    ocelotl_comparison *comparison = must_compare(models[0], models[1]);
    CHECK(comparison->info.node_count == 1 + 6);
    CHECK(comparison->info.only_count[0] == 0);
    CHECK(comparison->info.only_count[1] == 0);
    for (size_t i = 0; i < comparison->info.change_count; i++)
        CHECK(strcmp(comparison->changes[i].path, node.path) != 0);
    ocelotl_comparison_free(comparison);
    comparison = must_compare(models[0], models[2]);
    CHECK(comparison->info.node_count == ocelotl_model_info_of(models[0]).node_count);
    ocelotl_comparison_free(comparison);
    for (int i = 0; i < 3; i++)
        ocelotl_model_free(models[i]);
}

int main(void)
{
    ocelotl_trace *traces[2];
    temporary_begin();
    traces[0] = hierarchy_trace(before, sizeof before / sizeof before[0]);
    traces[1] = hierarchy_trace(after, sizeof after / sizeof after[0]);
    test_by_hand(traces);
    test_kept(traces);
    test_matching();
    ocelotl_trace_free(traces[0]);
    ocelotl_trace_free(traces[1]);
    return 0;
}

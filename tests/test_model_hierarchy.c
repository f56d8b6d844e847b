/* What is done to the hierarchy of a trace: levels that are dropped, siblings in another order,
 * leaves that are merged. */
#include "test_hierarchy_trace.h"

#include "test_model_cells.h"

#include "model/metrics/metrics.h"

#include <math.h>

static const hierarchy_resource small[] = {
    {-1, 0, "s", 0, 100, 0, 0},    {0, 1, "c1", 0, 100, 0, 0},
    {0, 1, "c2", 0, 100, 0, 0},    {1, 2, "m10", 0, 100, 0, 0},
    {1, 2, "m9", 0, 100, 0, 0},    {2, 2, "m1", 0, 100, 40, 60}, /* has states of its own */
    {3, 3, "p1", 10, 100, 20, 30}, {3, 3, "p0", 0, 100, 50, 90},
    {4, 3, "p0", 5, 100, 10, 100}, {5, 3, "p0", 50, 100, 60, 65},
};

static ocelotl_model_options plain_options(void)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    options.slices = 10;
    return options;
}

static ocelotl_model *dropped(ocelotl_trace *trace, const char *const *levels, size_t count)
{
    ocelotl_model_options options = plain_options();
    options.hierarchy.drop_levels = (ocelotl_names){levels, count};
    return must_build(trace, &options);
}

static void test_drop_levels(ocelotl_trace *trace)
{
    static const char *const machines[] = {"machine"};
    static const char *const both[] = {"machine", "site"};
    static const char *const all[] = {"machine", "site", "cluster"};
    hierarchy_check(dropped(trace, NULL, 0),
                    HIERARCHY_PATHS("s", "s/c1", "s/c1/m10", "s/c1/m10/p1", "s/c1/m10/p0",
                                    "s/c1/m9", "s/c1/m9/p0", "s/c2", "s/c2/m1", "s/c2/m1/.",
                                    "s/c2/m1/p0"));
    /* What happens in a dropped resource is a leaf of its name. */
    ocelotl_model *model = dropped(trace, machines, 1);
    CHECK_TEXT(ocelotl_model_node_at(model, 7).name, "m1");
    CHECK(cells_get(model, cells_leaf(model, "s/c2/m1"), cells_type(model, "busy"), 4) == 1);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "without level machine");
    hierarchy_check(model, HIERARCHY_PATHS("s", "s/c1", "s/c1/m10/p1", "s/c1/m10/p0", "s/c1/m9/p0",
                                           "s/c2", "s/c2/m1", "s/c2/m1/p0"));
    hierarchy_check(dropped(trace, both, 2),
                    HIERARCHY_PATHS("s/c1", "s/c1/m10/p1", "s/c1/m10/p0", "s/c1/m9/p0", "s/c2",
                                    "s/c2/m1", "s/c2/m1/p0"));
    hierarchy_check(dropped(trace, all, 3), HIERARCHY_PATHS("s/c1/m10/p1", "s/c1/m10/p0",
                                                            "s/c1/m9/p0", "s/c2/m1", "s/c2/m1/p0"));
}

/* Checks that the message for a wrong level lists the levels. */
static void test_wrong_levels(ocelotl_trace *trace)
{
    static const char *const wrong[] = {"machines", "process", NULL};
    ocelotl_model_options options = plain_options();
    options.hierarchy.drop_levels = (ocelotl_names){wrong, 1};
    MUST_REFUSE(trace, &options,
                "\"machines\"; the nearest is \"machine\" (the levels are \"site\", \"cluster\", "
                "\"machine\")");
    options.hierarchy.drop_levels = (ocelotl_names){wrong + 1, 1};
    MUST_REFUSE(trace, &options, "no level above the leaves is of the type \"process\"");
    options.hierarchy.drop_levels = (ocelotl_names){wrong + 2, 1};
    MUST_REFUSE(trace, &options, "level 0 has no name");
    options.hierarchy.drop_levels = (ocelotl_names){NULL, 0};
    options.hierarchy.order = OCELOTL_ORDER_TRAFFIC;
    MUST_REFUSE(trace, &options, "has no links");
    options.hierarchy.order = (ocelotl_order)9;
    MUST_REFUSE(trace, &options, "order is 9");
}

static ocelotl_model *ordered(ocelotl_trace *trace, ocelotl_order order)
{
    ocelotl_model_options options = plain_options();
    options.hierarchy.order = order;
    return must_build(trace, &options);
}

static void test_orders(ocelotl_trace *trace)
{
    hierarchy_check(ordered(trace, OCELOTL_ORDER_NAME),
                    HIERARCHY_PATHS("s", "s/c1", "s/c1/m9", "s/c1/m9/p0", "s/c1/m10", "s/c1/m10/p0",
                                    "s/c1/m10/p1", "s/c2", "s/c2/m1", "s/c2/m1/.", "s/c2/m1/p0"));
    hierarchy_check(ordered(trace, OCELOTL_ORDER_BEGIN),
                    HIERARCHY_PATHS("s", "s/c1", "s/c1/m10", "s/c1/m10/p0", "s/c1/m10/p1",
                                    "s/c1/m9", "s/c1/m9/p0", "s/c2", "s/c2/m1", "s/c2/m1/.",
                                    "s/c2/m1/p0"));
    /* m9 is busy for 90 ticks, m10 for 50, c2 for 25 (its own leaf for 20). */
    hierarchy_check(ordered(trace, OCELOTL_ORDER_ACTIVITY),
                    HIERARCHY_PATHS("s", "s/c1", "s/c1/m9", "s/c1/m9/p0", "s/c1/m10", "s/c1/m10/p0",
                                    "s/c1/m10/p1", "s/c2", "s/c2/m1", "s/c2/m1/.", "s/c2/m1/p0"));
}

/* Whatever the order, each leaf has its own cells and its own life. */
static void test_cells_stay(ocelotl_trace *trace)
{
    OWN_MODEL *plain = ordered(trace, OCELOTL_ORDER_TRACE);
    for (int order = 1; order < 4; order++) {
        OWN_MODEL *model = ordered(trace, (ocelotl_order)order);
        cells_check_part(model, plain, 0);
        CHECK(ocelotl_model_hash(model) != ocelotl_model_hash(plain));
        for (uint32_t k = 0; k < ocelotl_model_info_of(plain).node_count; k++)
            for (uint32_t j = 0; j < ocelotl_model_info_of(plain).node_count; j++) {
                const ocelotl_node a = ocelotl_model_node_at(plain, k);
                const ocelotl_node b = ocelotl_model_node_at(model, j);
                if (strcmp(a.path, b.path) != 0)
                    continue;
                CHECK(a.begin == b.begin && a.end == b.end && a.source == b.source &&
                      a.depth == b.depth);
                CHECK_TEXT(a.kind, b.kind);
            }
    }
}

static ocelotl_model *merged(ocelotl_trace *trace, uint32_t most)
{
    ocelotl_model_options options = plain_options();
    options.hierarchy.max_leaves = most;
    return must_build(trace, &options);
}

/* The deepest first, of these the smallest; a merged leaf lives as long as one of those that it
 * stands for. */
static void test_merging(ocelotl_trace *trace)
{
    ocelotl_model *model = merged(trace, 4);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "merged from 5 leaves to 4");
    CHECK(ocelotl_model_info_of(model).row_count == 5);
    const ocelotl_node node = ocelotl_model_node_at(model, 3);
    CHECK(node.row_count == 2 && node.leaf_count == 1 && node.begin == 0 && node.end == 10);
    hierarchy_check(model, HIERARCHY_PATHS("s", "s/c1", "s/c1/m10", "s/c1/m9", "s/c1/m9/p0", "s/c2",
                                           "s/c2/m1", "s/c2/m1/.", "s/c2/m1/p0"));
    hierarchy_check(merged(trace, 3), HIERARCHY_PATHS("s", "s/c1", "s/c1/m10", "s/c1/m9",
                                                      "s/c1/m9/p0", "s/c2", "s/c2/m1"));
    hierarchy_check(merged(trace, 2), HIERARCHY_PATHS("s", "s/c1", "s/c2"));
    model = merged(trace, 1);
    CHECK(ocelotl_model_info_of(model).node_count == 2 ||
          ocelotl_model_info_of(model).node_count == 1);
    CHECK(ocelotl_model_node_at(model, 0).row_count == 5);
    ocelotl_model_free(model);
    model = merged(trace, 5);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "");
    ocelotl_model_free(model);
}

/* Sums are those of the cells below, whether these are merged or not, and each slice has its own.
 */
static void check_sums(const ocelotl_model *merged, uint32_t at, const ocelotl_model *whole,
                       uint32_t node)
{
    enum { SLICES = 10, TYPES = 8 };
    double expected[SLICES * TYPES];
    double got[SLICES * TYPES];
    const uint32_t types = ocelotl_model_info_of(whole).type_count;
    const uint32_t count = ocelotl_model_node_at(whole, node).leaf_count;
    double values[TYPES];
    CHECK_OK(ocelotl_model_sums(expected, whole, node, 0, SLICES - 1));
    for (uint32_t first = 0; first < SLICES; first += 3) {
        CHECK_OK(ocelotl_model_sums(got, merged, at, first, SLICES - 1));
        for (uint32_t i = 0; i < (SLICES - first) * types; i++)
            CHECK_NEAR(got[i], expected[first * types + i], 1e-12);
    }
    for (uint32_t slice = 0; slice < SLICES && ocelotl_model_info_of(whole).additive; slice++) {
        CHECK_OK(ocelotl_model_values(values, whole, node, slice, slice));
        for (uint32_t x = 0; x < types; x++)
            CHECK_NEAR(expected[slice * types + x], values[x] * count, 1e-12);
    }
    CHECK_REFUSED(ocelotl_model_sums(got, whole, node, 0, SLICES), "10 slices");
}

/* What is drawn of a node is the same whether what is below it is merged or not, whatever the
 * metric. */
static void test_values(ocelotl_trace *trace)
{
    enum { SLICES = 10, TYPES = 8 };
    uint32_t compared = 0;
    for (uint32_t metric = 0; metric < ocelotl_metric_count(); metric++) {
        ocelotl_model_options options = plain_options();
        options.cells.metric = ocelotl_metric_at(metric).name;
        if (!oc_metric_serves(metric, trace))
            continue;
        OWN_MODEL *whole = must_build(trace, &options);
        const uint32_t types = ocelotl_model_info_of(whole).type_count;
        CHECK(types <= TYPES);
        for (options.hierarchy.max_leaves = 1; options.hierarchy.max_leaves <= 5;
             options.hierarchy.max_leaves++) {
            OWN_MODEL *model = must_build(trace, &options);
            for (uint32_t k = 0; k < ocelotl_model_info_of(whole).node_count; k++)
                for (uint32_t j = 0; j < ocelotl_model_info_of(model).node_count; j++) {
                    const ocelotl_node node = ocelotl_model_node_at(whole, k);
                    if (strcmp(node.path, ocelotl_model_node_at(model, j).path) != 0)
                        continue;
                    for (uint32_t first = 0; first < SLICES; first++)
                        for (uint32_t last = first; last < SLICES; last += 3) {
                            double expected[TYPES], got[TYPES];
                            CHECK_OK(ocelotl_model_values(expected, whole, k, first, last));
                            CHECK_OK(ocelotl_model_values(got, model, j, first, last));
                            for (uint32_t x = 0; x < types; x++) {
                                CHECK(isnan(expected[x]) == isnan(got[x]));
                                if (!isnan(expected[x]))
                                    CHECK_NEAR(got[x], expected[x], 1e-12 * fabs(expected[x]));
                                compared++;
                            }
                        }
                    CHECK(ocelotl_model_node_at(model, j).row_count == node.leaf_count);
                    check_sums(model, j, whole, k);
                }
        }
    }
    CHECK(compared > 3000);
}

/* Many siblings are merged in runs. */
static void test_runs(void)
{
    enum { PROCESSES = 41 };
    static char names[PROCESSES][16];
    hierarchy_resource resources[PROCESSES + 1] = {{-1, 2, "m", 0, 100, 0, 0}};
    for (int i = 0; i < PROCESSES; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        resources[i + 1] = (hierarchy_resource){0, 3, names[i], 0, 100, i, i + 10};
    }
    OWN_TRACE *trace = hierarchy_trace(resources, PROCESSES + 1);
    for (uint32_t most = 3; most <= PROCESSES; most++) {
        OWN_MODEL *model = merged(trace, most);
        const ocelotl_model_info info = ocelotl_model_info_of(model);
        CHECK(info.leaf_count == most && info.row_count == PROCESSES);
        for (uint32_t k = 2; k < info.node_count; k++) {
            const uint32_t weight = ocelotl_model_node_at(model, k).row_count;
            CHECK(weight == PROCESSES / most || weight == PROCESSES / most + 1);
        }
    }
    OWN_MODEL *model = merged(trace, 20);
    CHECK_TEXT(ocelotl_model_node_at(model, 2).path, "m/p0..p1");
    CHECK_TEXT(ocelotl_model_node_at(model, 21).path, "m/p38..p40");
}

static ocelotl_status from_file(ocelotl_model **model, ocelotl_trace *trace, const char *text)
{
    ocelotl_model_options options = plain_options();
    const char *path = temporary_path("tree.csv");
    temporary_write(path, text, strlen(text));
    options.hierarchy.file = path;
    return ocelotl_model_from_trace(model, trace, &options);
}

static void test_file(ocelotl_trace *trace)
{
    ocelotl_model *model;
    CHECK_OK(from_file(&model, trace,
                       "resource,path\r\ns/c1/m9/p0,b/one\np1,a/b%2Fc/two\ns/c2/m1/.,b/it\n"
                       "s/c2/m1/p0,top\n\"s/c1/m10/p0\",\"a/b%2Fc/x,y\"\n"));
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "reordered: by tree.csv");
    CHECK(cells_get(model, cells_leaf(model, "b/it"), cells_type(model, "busy"), 4) == 1);
    CHECK(cells_get(model, cells_leaf(model, "top"), cells_type(model, "busy"), 6) == 0.5);
    CHECK_TEXT(ocelotl_model_node_at(model, 5).name, "b/c");
    hierarchy_check(model, HIERARCHY_PATHS("b", "b/one", "b/it", "a", "a/b%2Fc", "a/b%2Fc/two",
                                           "a/b%2Fc/x,y", "top"));
    CHECK_OK(from_file(&model, trace, "resource,path\n*,rest/*\np1,rest/p0#2\n"));
    hierarchy_check(model, HIERARCHY_PATHS("rest", "rest/p0#2", "rest/p0", "rest/p0#3", "rest/m1",
                                           "rest/p0#4"));
    CHECK_OK(from_file(&model, trace, "resource,path\n*,*\n"));
    hierarchy_check(model, HIERARCHY_PATHS("p1", "p0", "p0#2", "m1", "p0#3"));
}

static void test_wrong_files(ocelotl_trace *trace)
{
    static const struct {
        const char *rows, *message;
    } cases[] = {
        {"p1,x\n", "does not say where leaf \"s/c1/m10/p0\" goes"},
        {"p1\n", "tree.csv:2: 1 fields"},
        {"p0,x\n", "tree.csv:2: several leaves are called \"p0\", expected a path, such as \"s/"},
        {"\np2,x\n", "tree.csv:3: no leaf is called \"p2\"; the nearest is \"s/"},
        {"s/c1,x\n", "tree.csv:2: no leaf is called \"s/c1\""},
        {"p1,x\np1,y\n", "tree.csv:3: \"p1\" is given its path by line 2 already"},
        {"p1,x\ns/c1/m9/p0,x\n", "tree.csv:3: the path \"x\" is given to two leaves, the other one "
                                 "by line 2"},
        {"p1,x/y\ns/c1/m9/p0,x\n", "tree.csv:3: \"x\" is to be a leaf, but others are below it"},
        {"p1,x\ns/c1/m9/p0,x/y\n", "tree.csv:3: \"x/y\" is below \"x\", which is a leaf by line 2"},
        {"p1,\n", "tree.csv:2: the path is \"\""},
        {"p1,a//b\n", "tree.csv:2: the path is \"a//b\""},
        {"p1,/b\n", "tree.csv:2: the path is \"/b\""},
        {"*,b\n", "tree.csv:2: all others go to \"b\""},
        {"*,b/*\n*,c/*\n", "tree.csv:3: where all others go is given twice"},
        {"p1,b\n*,b/*\n", "\"b/p0\" is below \"b\", which is a leaf by line 2"},
    };
    ocelotl_model *model;
    CHECK_FAILS(from_file(&model, trace, ""), OCELOTL_ERROR_INPUT,
                "expected the header resource,path");
    CHECK_FAILS(from_file(&model, trace, "path,resource\n"), OCELOTL_ERROR_INPUT,
                "tree.csv:1: is no hierarchy");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        snprintf(text, sizeof text, "resource,path\n%s", cases[i].rows);
        CHECK_FAILS(from_file(&model, trace, text), OCELOTL_ERROR_INPUT, cases[i].message);
    }
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.hierarchy.bare = true;
    options.hierarchy.file = temporary_path("none.csv");
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, &options), OCELOTL_ERROR_IO, "none.csv");
}

static ocelotl_status grouped(ocelotl_model **model, ocelotl_trace *trace, const char *first,
                              const char *second)
{
    const char *groups[] = {first, second};
    ocelotl_model_options options = plain_options();
    options.hierarchy.groups = (ocelotl_names){groups, second != NULL ? 2 : 1};
    return ocelotl_model_from_trace(model, trace, &options);
}

static void test_groups(ocelotl_trace *trace)
{
    ocelotl_model *model;
    CHECK_OK(
        grouped(&model, trace, "*/m1*=ones", NULL)); /* m10 and m1, with all below, right below s */
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "reordered: */m1* in group ones");
    CHECK_TEXT(ocelotl_model_node_at(model, 5).kind, "group");
    hierarchy_check(model, HIERARCHY_PATHS("s", "s/c1", "s/c1/m9", "s/c1/m9/p0", "s/ones",
                                           "s/c1/m10", "s/c1/m10/p1", "s/c1/m10/p0", "s/c2/m1",
                                           "s/c2/m1/.", "s/c2/m1/p0"));
    CHECK_OK(grouped(&model, trace, "s/c1/*/p0=zeros", "*/c1/zeros=all"));
    hierarchy_check(model, HIERARCHY_PATHS("s", "s/c1", "s/c1/m10", "s/c1/m10/p1", "s/c1/all",
                                           "s/c1/zeros", "s/c1/m10/p0", "s/c1/m9/p0", "s/c2",
                                           "s/c2/m1", "s/c2/m1/.", "s/c2/m1/p0"));
    CHECK_REFUSED(grouped(&model, trace, "s/c3=x", NULL),
                  "no resource matches \"s/c3\", the pattern of a group; the nearest is \"s/c");
    CHECK_REFUSED(grouped(&model, trace, "s/c1/m9=m10", NULL),
                  "a group would be \"s/c1/m10\", which is there already");
    CHECK_REFUSED(grouped(&model, trace, "s/c3", NULL), "\"s/c3\", expected PATTERN=NAME");
    CHECK_REFUSED(grouped(&model, trace, "s/c3=", NULL), "expected PATTERN=NAME");
    CHECK_REFUSED(grouped(&model, trace, "=x", NULL), "expected PATTERN=NAME");
}

static const hierarchy_resource lives[] = {
    /* in one slice with c, which follows it */
    {-1, 2, "m", 0, 100, 0, 0},
    {0, 3, "a", 0, 25, 5, 20},
    {0, 3, "b", 10, 60, 10, 60}, /* at the same time as these */
    /* and as d, which begins when it ends */
    {0, 3, "c", 25, 40, 27, 30},
    {0, 3, "d", 40, 90, 50, 70}, /* */
    /* elsewhere */
    {0, 3, "e", 60, 100, 95, 100},
    {-1, 2, "n", 0, 100, 0, 0},
    {6, 3, "f", 90, 100, 90, 100},
};

/* Checks that a row holds the sums of its resources, and only the untraced time that is left. */
static void test_rows(void)
{
    OWN_TRACE *trace = hierarchy_trace(lives, sizeof lives / sizeof *lives);
    ocelotl_model_options options = plain_options();
    options.hierarchy.reuse_rows = true;
    ocelotl_model *model = must_build(trace, &options);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "6 in 3 rows");
    CHECK(ocelotl_model_info_of(model).row_count == 3);
    const uint32_t busy = cells_type(model, "busy");
    const uint32_t untraced = cells_type(model, "(no state)");
    const uint32_t row = cells_leaf(model, "m/a");
    static const double expected[] = {0.5, 1, 0.3, 0, 0, 1, 1, 0, 0, 0};
    for (uint32_t slice = 0; slice < 10; slice++) {
        const double traced = slice == 2 ? 0.3 : expected[slice];
        CHECK_NEAR(cells_get(model, row, busy, slice), traced, 1e-12);
        CHECK_NEAR(cells_get(model, row, untraced, slice), slice == 9 ? 0 : 1 - traced, 1e-12);
    }
    const ocelotl_node node = ocelotl_model_node_at(model, 2);
    CHECK(node.begin == 0 && node.end == 9 && node.row_count == 1);
    hierarchy_check(model, HIERARCHY_PATHS("m", "m/a", "m/b", "n", "n/f"));
    options.hierarchy.max_leaves = 2; /* rows are merged as other leaves */
    model = must_build(trace, &options);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "6 in 3 rows, merged from 3 leaves to 2");
    ocelotl_model_free(model);
}

int main(void)
{
    temporary_begin();
    ocelotl_trace *trace = hierarchy_trace(small, sizeof small / sizeof *small);
    test_drop_levels(trace);
    test_wrong_levels(trace);
    test_orders(trace);
    test_cells_stay(trace);
    test_merging(trace);
    test_values(trace);
    test_file(trace);
    test_wrong_files(trace);
    test_groups(trace);
    ocelotl_trace_free(trace);
    test_runs();
    test_rows();
    return 0;
}

/* Groups of like siblings: what they are called, what they hold, that a part of a trace keeps those
 * of the whole, and takes them from a model that is known already with the same bytes as one that
 * found them alone. */
#include "test_hierarchy_trace.h"
#include "test_model_cells.h"

#include "model/hierarchy/arrange.h"

enum { PROCESSES = 9, SLOW = 3, END = 1000 };

static void test_names(void)
{
    static const char *const many[] = {"host-16", "host-20", "host-21", "host-22",
                                       "host-23", "host-24", "host-30", "host-32",
                                       "host-34", "host-36", "host-38", "host-40"};
    static const struct {
        const char *wanted, *kind, *names[5]; /* none: the many */
    } cases[] = {
        {"rank-1, 4-7", "RANK", {"rank-1", "rank-4", "rank-5", "rank-6", "rank-7"}},
        {"rank-2, 9, 10", "RANK", {"rank-10", "rank-9", "rank-2"}},
        {"12 hosts: 16, 20-24, 30, ..", "HOST", {NULL}},
        {"12 switches: 16, 20-24, ..", "SWITCH", {NULL}},
        {"12 mpi processes: 16, ..", "MPI_Process", {NULL}},
        {"12 resources: 16, 20-24, ..", "L1", {NULL}},
        {"12 resources: 16, 20-24, ..", NULL, {NULL}},
        {"node[1-3, 7].grid", "HOST", {"node1.grid", "node2.grid", "node3.grid", "node7.grid"}},
        {"north, south", "SITE", {"north", "south"}},
        {"4 cities: Amsterdam, ..", "CITY", {"Amsterdam", "Rotterdam", "Eindhoven", "Maastricht"}},
        {"n01, n02", "HOST", {"n01", "n02"}},
        {"7, 8, 11", "", {"7", "8", "11"}},
        {"2 hosts: 1, 2",
         "HOST",
         {"a-name-that-is-so-long-that-it-fills-a-line-1",
          "a-name-that-is-so-long-that-it-fills-a-line-2"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool few = cases[i].names[0] != NULL;
        oc_group_member members[12];
        oc_text name = {0};
        uint32_t count = 0;
        for (; few ? count < 5 && cases[i].names[count] != NULL : count < 12; count++)
            members[count] =
                (oc_group_member){few ? cases[i].names[count] : many[count], cases[i].kind};
        CHECK_OK(oc_group_name(&name, members, count));
        CHECK_TEXT(name.bytes, cases[i].wanted);
        oc_text_free(&name);
    }
}

static ocelotl_trace *write_trace(void)
{
    static char names[PROCESSES][16];
    hierarchy_resource resources[PROCESSES + 1] = {{-1, 2, "m", 0, END, 0, 0}};
    for (int i = 0; i < PROCESSES; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        resources[i + 1] =
            (hierarchy_resource){0, 3, names[i], 0, END, 100, i == SLOW ? 700 : i == 8 ? 310 : 300};
    }
    return hierarchy_trace(resources, PROCESSES + 1);
}

/* --- What a model finds */

/* Finds the group of this name; OCELOTL_NONE if none has it. */
static uint32_t find_group(const ocelotl_model *model, const char *name)
{
    for (uint32_t k = 1; k < ocelotl_model_info_of(model).node_count; k++)
        if (ocelotl_model_node_at(model, k).alike &&
            strcmp(ocelotl_model_node_at(model, k).name, name) == 0)
            return k;
    return OCELOTL_NONE;
}

static uint32_t count_groups(const ocelotl_model *model)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < ocelotl_model_info_of(model).node_count; k++)
        count += ocelotl_model_node_at(model, k).alike;
    return count;
}

/* Builds a model that has a group of like siblings of this name; NULL: it has none. */
static ocelotl_model *grouped(ocelotl_trace *trace, const ocelotl_model_options *options,
                              const char *name)
{
    ocelotl_model *model = must_build(trace, options);
    CHECK(name != NULL || count_groups(model) == 0);
    CHECK(name == NULL || find_group(model, name) != OCELOTL_NONE);
    return model;
}

static void check_place(const ocelotl_model *model, uint32_t node, const char *const *names,
                        size_t count)
{
    ocelotl_place place;
    CHECK_OK(ocelotl_model_place(&place, model, node, 0, 0));
    CHECK(place.resources.count == count);
    for (size_t i = 0; i < count; i++)
        CHECK_TEXT(place.resources.names[i], names[i]);
    ocelotl_place_free(&place);
    CHECK(place.resources.names == NULL);
    ocelotl_place_free(NULL);
}

static ocelotl_model_options window(int64_t from, int64_t to)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 20;
    options.selection.from = from;
    options.selection.to = to;
    return options;
}

static const char *const chosen[] = {"m/p1", "m/p3", "m/p5"};
static const char others[] = "p0-2, 4-8"; /* but the slow one */

/* One of nine is busy for longer: the others are a group, in their own order, and it is what it
 * was. */
static void test_slow(ocelotl_trace *trace)
{
    ocelotl_model_options options = window(INT64_MIN, INT64_MAX);
    static const char *const paths[] = {"m/p0", "m/p1", "m/p2", "m/p4",
                                        "m/p5", "m/p6", "m/p7", "m/p8"};
    OWN_MODEL *model = grouped(trace, &options, others);
    const uint32_t group = find_group(model, others);
    const ocelotl_node node = ocelotl_model_node_at(model, group);
    CHECK(node.leaf_count == 8 && node.source == OCELOTL_NONE && node.depth == 1);
    CHECK_TEXT(node.path, "m/p0-2, 4-8");
    CHECK_TEXT(node.kind, "group");
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "reordered: like ones together");
    check_place(model, group, paths, 8);
    check_place(model, 0, NULL, 0);
    const uint32_t alone = ocelotl_model_info_of(model).node_count - 1;
    CHECK_TEXT(ocelotl_model_node_at(model, alone).path, "m/p3");
    CHECK(ocelotl_model_node_at(model, alone).depth == 2);
    options.kind = OCELOTL_TEMPORAL;
    ocelotl_model_free(grouped(trace, &options, NULL));
    options.kind = OCELOTL_SPATIOTEMPORAL;
    options.hierarchy.bare = true;
    OWN_MODEL *bare = grouped(trace, &options, NULL);
    CHECK_TEXT(ocelotl_model_info_of(bare).hierarchy, "");
}

/* Checks that a window in which all behave alike keeps the groups, unless new ones are requested;
 * so do filters and choices. */
static void test_kept(ocelotl_trace *trace)
{
    static const char *const busy[] = {"busy"};
    ocelotl_model_options options = window(800, 900);
    ocelotl_model_free(grouped(trace, &options, others));
    options.hierarchy.regroup = true;
    OWN_MODEL *anew = grouped(trace, &options, NULL);
    CHECK_TEXT(ocelotl_model_info_of(anew).hierarchy, "");
    options.hierarchy.regroup = false;
    options.selection.resources = (ocelotl_names){chosen, 3};
    OWN_MODEL *three = grouped(trace, &options, "p1, 5");
    CHECK(count_groups(three) == 1);
    check_place(three, find_group(three, "p1, 5"), (const char *const[]){"m/p1", "m/p5"}, 2);
    /* What is above the chosen has more in the trace than they are. */
    check_place(three, 1, chosen, 3);
    check_place(three, 0, chosen, 3);
    options.selection.resources.count = 2; /* a group of one is none */
    OWN_MODEL *two = grouped(trace, &options, NULL);
    CHECK_TEXT(ocelotl_model_info_of(two).hierarchy, "");
    options = window(0, END);
    options.selection.except = (ocelotl_names){busy, 1};
    options.selection.min_duration = 5;
    ocelotl_model_free(grouped(trace, &options, others));
}

/* Rows that several share, and merged leaves, are those of the whole as well. */
static void test_changed(ocelotl_trace *trace)
{
    ocelotl_model_options options = window(800, 900);
    options.hierarchy.reuse_rows = true;
    OWN_MODEL *rows = grouped(trace, &options, others);
    CHECK(ocelotl_model_info_of(rows).leaf_count == PROCESSES);
    options.hierarchy.reuse_rows = false;
    options.hierarchy.max_leaves = 2;
    OWN_MODEL *merged = grouped(trace, &options, others);
    CHECK(ocelotl_model_info_of(merged).leaf_count == 2);
    const ocelotl_node leaf = ocelotl_model_node_at(merged, find_group(merged, others));
    CHECK(leaf.row_count == 8 && leaf.depth == 2);
    options.hierarchy.cluster = true;
    options.hierarchy.max_leaves = 0;
    OWN_MODEL *clustered = must_build(trace, &options);
    CHECK(find_group(clustered, others) != OCELOTL_NONE);
    options.hierarchy.regroup = true;
    OWN_MODEL *anew = must_build(trace, &options);
    CHECK(find_group(anew, others) == OCELOTL_NONE);
}

/* --- What is known already */

static bool count_calls(void *context, uint64_t done, uint64_t total)
{
    int *calls = context;
    (void)done;
    *calls += total > 0; /* the others are of reading */
    return true;
}

/* Builds a model; *calls counts the comparisons of children. */
static ocelotl_model *build(int *calls, ocelotl_trace *trace, const ocelotl_model_options *asked,
                            const ocelotl_model *const *known, size_t known_count)
{
    ocelotl_model_options options = *asked;
    *calls = 0;
    options.work.progress = count_calls;
    options.work.context = calls;
    options.hierarchy.known = known;
    options.hierarchy.known_count = known_count;
    return must_build(trace, &options);
}

/* A model with what is known is the same as one without, and found its groups anew or did not. */
static ocelotl_model *check_known(ocelotl_trace *trace, const ocelotl_model_options *options,
                                  const ocelotl_model *known, bool taken)
{
    int alone_calls, known_calls;
    OWN_MODEL *alone = build(&alone_calls, trace, options, NULL, 0);
    ocelotl_model *with = build(&known_calls, trace, options, &known, 1);
    cells_check_same(alone, with);
    CHECK(alone_calls > 0);
    CHECK(taken ? known_calls == 0 : known_calls == alone_calls);
    return with;
}

/* From the whole, from a part that found the groups itself, and from one that took them there. */
static void test_taken(ocelotl_trace *trace)
{
    const ocelotl_model_options all = window(INT64_MIN, INT64_MAX);
    const ocelotl_model_options late = window(800, 900);
    ocelotl_model_options few = late;
    int calls;
    few.selection.resources = (ocelotl_names){chosen, 3};
    few.hierarchy.max_leaves = 2;
    few.hierarchy.order = OCELOTL_ORDER_ACTIVITY;
    OWN_MODEL *whole = build(&calls, trace, &all, NULL, 0);
    ocelotl_model_free(check_known(trace, &late, whole, true));
    ocelotl_model_free(check_known(trace, &few, whole, true));
    OWN_MODEL *first = build(&calls, trace, &late, NULL, 0);
    CHECK(calls > 0);
    OWN_MODEL *second = check_known(trace, &few, first, true);
    ocelotl_model_free(check_known(trace, &late, second, true));
}

/* Checks models that must not be reused: found in another way, changed, or not the first that
 * fits. */
static void test_not_taken(ocelotl_trace *trace)
{
    const ocelotl_model_options all = window(INT64_MIN, INT64_MAX);
    const ocelotl_model_options late = window(800, 900);
    ocelotl_model_options ways[6];
    ocelotl_model *models[7];
    int calls;
    for (int i = 0; i < 6; i++)
        ways[i] = all;
    ways[0].slices = 10;
    ways[1].hierarchy.max_leaves = 2;
    ways[2].hierarchy.bare = true;
    ways[3].hierarchy.order = OCELOTL_ORDER_NAME;
    ways[4].cells.metric = "state-mean-duration";
    ways[5].cells.nesting = OCELOTL_INCLUSIVE;
    for (int i = 0; i < 6; i++) {
        models[i] = build(&calls, trace, &ways[i], NULL, 0);
        ocelotl_model_free(check_known(trace, &late, models[i], false));
    }
    models[6] = build(&calls, trace, &all, NULL, 0);
    ocelotl_model_free(build(&calls, trace, &late, (const ocelotl_model *const *)models, 7));
    CHECK(calls == 0);
    for (int i = 0; i < 7; i++)
        ocelotl_model_free(models[i]);
}

int main(void)
{
    temporary_begin();
    test_names();
    OWN_TRACE *trace = write_trace();
    test_slow(trace);
    test_kept(trace);
    test_changed(trace);
    test_taken(trace);
    test_not_taken(trace);
    return 0;
}

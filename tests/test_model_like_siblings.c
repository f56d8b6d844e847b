/* Groups of like siblings: what they are called, what they hold, and that a part of a trace keeps
 * those of the whole. */
#define _XOPEN_SOURCE 700
#include "made.h"
#include "model/hierarchy/arrange.h"
#include "test_hierarchy_trace.h"

enum { PROCESSES = 9, SLOW = 3, END = 1000 };

static void check_name(const char *wanted, const char *kind, const char *const *names,
                       uint32_t count)
{
    oc_group_member members[16];
    oc_text name = {0};
    for (uint32_t i = 0; i < count; i++)
        members[i] = (oc_group_member){names[i], kind};
    CHECK_OK(oc_group_name(&name, members, count));
    CHECK_TEXT(name.bytes, wanted);
    oc_text_free(&name);
}

static void test_names(void)
{
    static const char *const few[] = {"rank-1", "rank-4", "rank-5", "rank-6", "rank-7"};
    static const char *const unordered[] = {"rank-10", "rank-9", "rank-2"};
    static const char *const many[] = {"host-16", "host-20", "host-21", "host-22",
                                       "host-23", "host-24", "host-30", "host-32",
                                       "host-34", "host-36", "host-38", "host-40"};
    static const char *const behind[] = {"node1.grid", "node2.grid", "node3.grid", "node7.grid"};
    static const char *const words[] = {"north", "south"};
    static const char *const many_words[] = {"Amsterdam", "Rotterdam", "Eindhoven", "Maastricht"};
    static const char *const zeros[] = {"n01", "n02"};
    static const char *const digits[] = {"7", "8", "11"};
    static const char *const long_one[] = {"a-name-that-is-so-long-that-it-fills-a-line-1",
                                           "a-name-that-is-so-long-that-it-fills-a-line-2"};
    check_name("rank-1, 4-7", "RANK", few, 5);
    check_name("rank-2, 9, 10", "RANK", unordered, 3);
    check_name("12 hosts: 16, 20-24, 30, ..", "HOST", many, 12);
    check_name("12 switches: 16, 20-24, ..", "SWITCH", many, 12);
    check_name("12 mpi processes: 16, ..", "MPI_Process", many, 12);
    check_name("12 resources: 16, 20-24, ..", "L1", many, 12);
    check_name("12 resources: 16, 20-24, ..", NULL, many, 12);
    check_name("node[1-3, 7].grid", "HOST", behind, 4);
    check_name("north, south", "SITE", words, 2);
    check_name("4 cities: Amsterdam, ..", "CITY", many_words, 4);
    check_name("n01, n02", "HOST", zeros, 2);
    check_name("7, 8, 11", "", digits, 3);
    check_name("2 hosts: 1, 2", "HOST", long_one, 2);
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

/* One of nine is busy for longer: the others are a group, in their own order, and it is what it
 * was. */
static void test_slow(ocelotl_trace *trace)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    static const char *const others[] = {"m/p0", "m/p1", "m/p2", "m/p4",
                                         "m/p5", "m/p6", "m/p7", "m/p8"};
    options.slices = 20;
    ocelotl_model *model = must_build(trace, &options);
    const uint32_t group = find_group(model, "p0-2, 4-8");
    CHECK(group != OCELOTL_NONE);
    const ocelotl_node node = ocelotl_model_node_at(model, group);
    CHECK(node.leaf_count == 8 && node.source == OCELOTL_NONE && node.depth == 1);
    CHECK_TEXT(node.path, "m/p0-2, 4-8");
    CHECK_TEXT(node.kind, "group");
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "reordered: with like siblings together");
    check_place(model, group, others, 8);
    check_place(model, 0, NULL, 0);
    const uint32_t alone = ocelotl_model_info_of(model).node_count - 1;
    CHECK_TEXT(ocelotl_model_node_at(model, alone).path, "m/p3");
    CHECK(ocelotl_model_node_at(model, alone).depth == 2);
    ocelotl_model_free(model);
    options.hierarchy.bare = true;
    model = must_build(trace, &options);
    CHECK(count_groups(model) == 0);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "");
    ocelotl_model_free(model);
    options.hierarchy.bare = false;
    options.kind = OCELOTL_TEMPORAL;
    model = must_build(trace, &options);
    CHECK(count_groups(model) == 0);
    ocelotl_model_free(model);
}

/* Checks that a window in which all behave alike keeps the groups, unless new ones are requested;
 * so do filters and choices. */
static void test_kept(ocelotl_trace *trace)
{
    static const char *const chosen[] = {"m/p1", "m/p3", "m/p5"};
    static const char *const busy[] = {"busy"};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 20;
    options.selection.from = 800;
    options.selection.to = 900;
    ocelotl_model *model = must_build(trace, &options);
    CHECK(find_group(model, "p0-2, 4-8") != OCELOTL_NONE);
    ocelotl_model_free(model);
    options.hierarchy.regroup = true;
    model = must_build(trace, &options);
    CHECK(count_groups(model) == 0);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "");
    ocelotl_model_free(model);
    options.hierarchy.regroup = false;
    options.selection.resources = (ocelotl_names){chosen, 3};
    model = must_build(trace, &options);
    const uint32_t group = find_group(model, "p1, 5");
    CHECK(group != OCELOTL_NONE && count_groups(model) == 1);
    check_place(model, group, (const char *const[]){"m/p1", "m/p5"}, 2);
    /* What is above the chosen has more in the trace than they are. */
    check_place(model, 1, chosen, 3);
    check_place(model, 0, chosen, 3);
    ocelotl_model_free(model);
    options.selection.resources.count = 2; /* a group of one is none */
    model = must_build(trace, &options);
    CHECK(count_groups(model) == 0);
    CHECK_TEXT(ocelotl_model_info_of(model).hierarchy, "");
    ocelotl_model_free(model);
    options.selection.resources.count = 0;
    options.selection.except = (ocelotl_names){busy, 1};
    options.selection.from = 0;
    options.selection.to = END;
    options.selection.min_duration = 5;
    model = must_build(trace, &options);
    CHECK(find_group(model, "p0-2, 4-8") != OCELOTL_NONE);
    ocelotl_model_free(model);
}

/* Rows that several share, and merged leaves, are those of the whole as well. */
static void test_changed(ocelotl_trace *trace)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 20;
    options.selection.from = 800;
    options.selection.to = 900;
    options.hierarchy.reuse_rows = true;
    ocelotl_model *model = must_build(trace, &options);
    CHECK(find_group(model, "p0-2, 4-8") != OCELOTL_NONE);
    CHECK(ocelotl_model_info_of(model).leaf_count == PROCESSES);
    ocelotl_model_free(model);
    options.hierarchy.reuse_rows = false;
    options.hierarchy.max_leaves = 2;
    model = must_build(trace, &options);
    CHECK(ocelotl_model_info_of(model).leaf_count == 2);
    const uint32_t leaf = find_group(model, "p0-2, 4-8");
    CHECK(leaf != OCELOTL_NONE && ocelotl_model_node_at(model, leaf).row_count == 8);
    CHECK(ocelotl_model_node_at(model, leaf).depth == 2);
    ocelotl_model_free(model);
    options.hierarchy.cluster = true;
    options.hierarchy.max_leaves = 0;
    model = must_build(trace, &options);
    CHECK(find_group(model, "p0-2, 4-8") == OCELOTL_NONE);
    ocelotl_model_free(model);
}

int main(void)
{
    test_names();
    OWN_TRACE *trace = write_trace();
    test_slow(trace);
    test_kept(trace);
    test_changed(trace);
    return 0;
}

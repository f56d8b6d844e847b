/* Hierarchies made of behaviour: that what is alike comes together, and what that finds in a trace
 * whose truth is known. */
#include "test_hierarchy_trace.h"

/* Leaves of one behaviour come below one node, whatever the order, and those that are alike are
 * siblings. */
static void test_alike(void)
{
    enum { PROCESSES = 30, KINDS = 3 };
    static char names[PROCESSES][16];
    hierarchy_resource resources[PROCESSES + 1] = {{-1, 2, "m", 0, 100, 0, 0}};
    for (int i = 0; i < PROCESSES; i++) {
        snprintf(names[i], sizeof names[i], "p%d", i);
        resources[i + 1] =
            (hierarchy_resource){0, 3, names[i], 0, 100, 30 * (i % KINDS), 30 * (i % KINDS) + 30};
    }
    OWN_TRACE *trace = hierarchy_trace(resources, PROCESSES + 1);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = 20;
    options.hierarchy.cluster = true;
    ocelotl_model *model = must_build(trace, &options);
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    CHECK(info.leaf_count == PROCESSES && info.node_count == 1 + PROCESSES + KINDS + (KINDS - 2));
    CHECK_TEXT(info.hierarchy, "reordered: by behaviour");
    uint32_t tens = 0;
    for (uint32_t k = 1; k < info.node_count; k++) {
        const ocelotl_node node = ocelotl_model_node_at(model, k);
        if (node.leaf_count == 1 || node.leaf_count > PROCESSES / KINDS)
            continue;
        CHECK(node.leaf_count == PROCESSES / KINDS);
        CHECK(strncmp(node.name, "10 processes: ", 14) == 0 && node.alike);
        CHECK_TEXT(node.kind, "group");
        tens++;
        for (uint32_t i = 1; i <= node.leaf_count; i++) {
            const ocelotl_node leaf = ocelotl_model_node_at(model, k + i);
            CHECK(leaf.parent == k &&
                  leaf.source % KINDS == ocelotl_model_node_at(model, k + 1).source % KINDS);
        }
    }
    CHECK(tens == KINDS);
    ocelotl_model_free(model);
    options.hierarchy.file = "x.csv";
    MUST_REFUSE(trace, &options, "by a file and by behaviour, expected one of them");
    options.hierarchy.file = NULL;
    options.hierarchy.groups = (ocelotl_names){(const char *const[]){"p1*=ones"}, 1};
    MUST_REFUSE(trace, &options, "expected it alone");
}

static ocelotl_trace *import_stencil(void)
{
    const char *root = getenv("OCELOTL_ROOT");
    char path[1024];
    ocelotl_trace *trace;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    snprintf(path, sizeof path, "%s/tests/data/smpi-stencil-700.trace.zst",
             root != NULL ? root : ".");
    options.overwrite = true;
    CHECK_OK(ocelotl_import(temporary_path("stencil.db"), path, &options));
    trace = must_open(temporary_path("stencil.db"));
    return trace;
}

/* What the leaves on the slow switch, and others, have to do with parts of the cluster griffon that
 * compute, which is
 * "(no state)", while the rest waits. */
typedef struct found {
    double loss;
    uint32_t slow, others; /* leaves in such parts */
    uint32_t parts;        /* such parts with slow leaves */
} found;

static void count_leaves(found *is, const ocelotl_model *model, uint32_t node)
{
    const ocelotl_node top = ocelotl_model_node_at(model, node);
    is->parts++;
    for (uint32_t k = node; k < ocelotl_model_info_of(model).node_count; k++) {
        const ocelotl_node leaf = ocelotl_model_node_at(model, k);
        if (leaf.leaf_count != 1 || leaf.leaf_first < top.leaf_first ||
            leaf.leaf_first >= top.leaf_first + top.leaf_count ||
            strstr(leaf.path, "/rank-") == NULL)
            continue;
        if (strstr(leaf.path, "/griffon-sw2/") != NULL)
            is->slow++;
        else
            is->others++;
    }
}

/* Solves for at most `parts` parts; the machines of griffon-sw2 compute while the others wait in
 * slices 36 to 38 of 60. */
static found look(ocelotl_trace *trace, const char *const *levels, size_t count, uint32_t groups,
                  size_t parts)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_partition *partition;
    found is = {0};
    options.slices = 60;
    options.hierarchy.drop_levels = (ocelotl_names){levels, count};
    options.hierarchy.max_groups = groups;
    options.hierarchy.bare = groups == 0;
    ocelotl_model *model = must_build(trace, &options);
    ocelotl_aggregation *aggregation = must_aggregate(model, NULL);
    CHECK_OK(ocelotl_solve_parts(&partition, aggregation, parts));
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    is.loss = info.loss / info.whole_loss;
    for (size_t i = 0; i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        double untraced = 0;
        for (uint32_t x = 0; x < ocelotl_model_info_of(model).type_count; x++)
            untraced = ocelotl_model_type_at(model, x).untraced ? part.shares[x] : untraced;
        if (part.first <= 37 && part.last >= 37 && untraced > 0.85 &&
            strstr(ocelotl_model_node_at(model, part.node).path, "griffon") != NULL)
            count_leaves(&is, model, part.node);
    }
    fprintf(stderr,
            "%zu level(s) dropped, %u groups, %zu parts: loss %.5f, %u slow and %u other leaves in "
            "%u parts\n",
            count, groups, info.part_count, is.loss, is.slow, is.others, is.parts);
    must_free(partition, aggregation, model, NULL);
    return is;
}

static void test_slow_machines(void)
{
    enum { SLOW = 184 }; /* ranks below griffon-sw2 */
    static const char *const levels[] = {"SWITCH"};
    OWN_TRACE *trace = import_stencil();
    const found whole = look(trace, levels, 0, 0, 62);
    CHECK(whole.slow == SLOW && whole.others == 0 && whole.parts == 1);
    const found dropped = look(trace, levels, 1, 0, 62);
    CHECK(dropped.slow == 0);
    /* Without the switches in the trace, their slow one is found again: all of it, and some that
     * wait for it. Groups of like siblings set it apart without being asked, and lose less with the
     * switches, too. */
    const found grouped = look(trace, levels, 1, OCELOTL_DEFAULT_MAX_GROUPS, 62);
    CHECK(grouped.slow == SLOW && grouped.parts == 1 && grouped.others < SLOW / 10);
    CHECK(grouped.loss < 0.6 * dropped.loss && grouped.loss < whole.loss);
    CHECK(look(trace, levels, 1, OCELOTL_DEFAULT_MAX_GROUPS, 112).loss <
          0.85 * look(trace, levels, 1, 0, 112).loss);
    CHECK(look(trace, levels, 0, OCELOTL_DEFAULT_MAX_GROUPS, 62).loss < 0.7 * whole.loss);
}

/* What was reported as progress; it stops after `most_calls` calls. */
typedef struct told {
    uint64_t done, total;
    int calls, most_calls;
    int reads, most_reads; /* those of a total that is not known */
} told;

static bool watch(void *context, uint64_t done, uint64_t total)
{
    told *progress = context;
    if (total == 0)
        return ++progress->reads < progress->most_reads;
    CHECK(done >= progress->done && done <= total &&
          (progress->total == 0 || progress->total == total));
    progress->done = done;
    progress->total = total;
    return ++progress->calls < progress->most_calls;
}

static void test_progress(void)
{
    enum { LEAVES = 700 };
    OWN_TRACE *trace = import_stencil();
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    told all = {.most_calls = 1 << 30, .most_reads = 1 << 30};
    told few = {.most_calls = 5, .most_reads = 1 << 30}, soon = {.most_reads = 3};
    options.slices = 20;
    options.hierarchy.bare = true;
    options.work.progress = watch;
    options.work.context = &all;
    ocelotl_model *model = must_build(trace, &options);
    CHECK(all.calls == 0 && all.reads > 0); /* nothing is compared */
    ocelotl_model_free(model);
    model = NULL;
    options.hierarchy.cluster = true;
    model = must_build(trace, &options);
    CHECK(all.calls >= LEAVES && all.total == LEAVES && all.done == all.total);
    ocelotl_model_free(model);
    model = NULL;
    options.work.context = &few;
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, &options), OCELOTL_ERROR_CANCELLED,
                "cancelled with ");
    CHECK(few.calls == few.most_calls && model == NULL);
    options.work.context = &soon;
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, &options), OCELOTL_ERROR_CANCELLED,
                "reading was cancelled");
    CHECK(soon.reads == soon.most_reads && model == NULL);
    options.cells.metric = "event-count"; /* which reads in another way */
    soon.reads = 0;
    CHECK_FAILS(ocelotl_model_from_trace(&model, trace, &options), OCELOTL_ERROR_CANCELLED,
                "reading was cancelled");
    CHECK(soon.reads == soon.most_reads && model == NULL);
}

int main(void)
{
    temporary_begin();
    test_alike();
    test_slow_machines();
    test_progress();
    return 0;
}

/* Two models over disjoint leaves add up to the model of both, bit by bit. */
#include "test_query_trace.h"

#include "test_model_cells.h"

enum { MOST_LEAVES = 16, SLICES = 7 };

/* The leaves of a model by path, in two parts, neither of them empty. */
typedef struct division {
    const char *paths[2][MOST_LEAVES];
    size_t count[2];
} division;

static division divide(const ocelotl_model *whole, uint64_t *random)
{
    division made = {.count = {0, 0}};
    const uint32_t leaves = ocelotl_model_info_of(whole).leaf_count;
    CHECK(leaves <= MOST_LEAVES);
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        int which = (int)check_below(random, 2);
        if (leaf + 1 == leaves && made.count[0] * made.count[1] == 0)
            which = made.count[0] > 0;
        made.paths[which][made.count[which]++] = cells_path(whole, leaf);
    }
    return made;
}

static void check_same(const ocelotl_model *one, const ocelotl_model *other)
{
    const ocelotl_model_info a = ocelotl_model_info_of(one);
    const ocelotl_model_info b = ocelotl_model_info_of(other);
    double first[64], second[64];
    CHECK(a.node_count == b.node_count && a.leaf_count == b.leaf_count);
    CHECK(a.type_count == b.type_count && a.cell_count == b.cell_count && a.type_count <= 64);
    CHECK(ocelotl_model_hash(one) == ocelotl_model_hash(other));
    CHECK(strcmp(a.uid, b.uid) == 0 && strcmp(a.metric, b.metric) == 0 && a.empty == b.empty);
    for (uint32_t k = 0; k < a.node_count; k++) {
        const ocelotl_node x = ocelotl_model_node_at(one, k);
        const ocelotl_node y = ocelotl_model_node_at(other, k);
        CHECK(strcmp(x.name, y.name) == 0 && strcmp(x.kind, y.kind) == 0 && x.source == y.source);
        CHECK(x.begin == y.begin && x.end == y.end && x.depth == y.depth);
        for (uint32_t slice = 0; slice < a.slice_count; slice++) {
            CHECK_OK(ocelotl_model_values(first, one, k, 0, slice));
            CHECK_OK(ocelotl_model_values(second, other, k, 0, slice));
            CHECK(memcmp(first, second, a.type_count * sizeof *first) == 0);
        }
    }
    for (uint32_t x = 0; x < a.type_count; x++) {
        const ocelotl_type of_one = ocelotl_model_type_at(one, x);
        const ocelotl_type of_other = ocelotl_model_type_at(other, x);
        CHECK(strcmp(of_one.name, of_other.name) == 0 && of_one.low == of_other.low &&
              of_one.high == of_other.high);
    }
}

static void check_metric(ocelotl_trace *trace, uint32_t metric, uint64_t *random)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *sum;
    options.slices = SLICES;
    options.hierarchy.bare = true;
    options.cells.metric = ocelotl_metric_at(metric).name;
    options.cells.shift = options.cells.scale =
        strcmp(ocelotl_metric_at(metric).category, "variable") == 0;
    ocelotl_model *whole = must_build(trace, &options);
    if (ocelotl_model_info_of(whole).leaf_count < 2) {
        ocelotl_model_free(whole);
        return;
    }
    const division parts = divide(whole, random);
    ocelotl_model *part[2];
    for (int i = 0; i < 2; i++) {
        options.selection.resources = (ocelotl_names){parts.paths[i], parts.count[i]};
        part[i] = must_build(trace, &options);
    }
    const char *name = ocelotl_metric_at(metric).name;
    const bool weighed = strncmp(name, "state-", 6) == 0 && strcmp(name, "state-duration") != 0;
    if (weighed)
        CHECK_REFUSED(ocelotl_model_add(&sum, part[0], part[1]), "do not add up: their counts");
    for (int i = 0; i < 2 && !weighed; i++) {
        CHECK_OK(ocelotl_model_add(&sum, part[i], part[1 - i]));
        check_same(whole, sum);
        ocelotl_model_free(sum);
    }
    if (!weighed)
        CHECK_REFUSED(ocelotl_model_add(&sum, part[0], whole), "both models have the leaf");
    ocelotl_model_free(part[0]);
    ocelotl_model_free(part[1]);
    ocelotl_model_free(whole);
}

static void check_traces(uint64_t seed)
{
    known_trace known = {0};
    uint64_t random = seed * 0x9E3779B97F4A7C15u;
    known_write(&known, temporary_path("add.db"), seed, 600);
    OWN_TRACE *trace = must_open(temporary_path("add.db"));
    for (uint32_t metric = 0; metric < ocelotl_metric_count(); metric++)
        /* messages go back in time here, and a critical path refuses that; there is no counter */
        for (int i = 0; i < 3 && strcmp(ocelotl_metric_at(metric).name, "critical-path") != 0 &&
                        strcmp(ocelotl_metric_at(metric).name, "counter") != 0;
             i++)
            check_metric(trace, metric, &random);
    free(known.events);
    temporary_files(true);
}

/* A root with a node `group` above two leaves. */
static ocelotl_model *arrays_model(const char *group, const char *first, const char *second,
                                   const char *const types[2], uint32_t slices)
{
    static const uint32_t parents[] = {OCELOTL_ROOT, 0, 1, 1};
    const char *const names[] = {"", group, first, second};
    const ocelotl_cell cells[] = {{2, 0, 0, 1}, {2, 1, 1, 2}, {3, 1, 0, 3}};
    return must_take_cells(NULL, 4, parents, names, 2, types, slices, cells, 3);
}

/* Types that only one has come after the others, and so do nodes. */
static void check_arrays(void)
{
    static const char *const types[][2] = {{"x", "y"}, {"y", "z"}};
    static const char *const paths[] = {"", "a", "a/1", "a/2", "a/3", "a/4"};
    static const double expected[][3] = {{1, 0, 0}, {0, 3, 0}, {0, 1, 0}, {0, 0, 3}};
    OWN_MODEL *first = arrays_model("a", "1", "2", types[0], 2);
    OWN_MODEL *second = arrays_model("a", "3", "4", types[1], 2);
    ocelotl_model *sum;
    CHECK_OK(ocelotl_model_add(&sum, first, second));
    const ocelotl_model_info info = ocelotl_model_info_of(sum);
    CHECK(info.node_count == 6 && info.leaf_count == 4 && info.type_count == 3);
    CHECK(info.cell_count == 6);
    for (uint32_t k = 0; k < 6; k++)
        CHECK(strcmp(ocelotl_model_node_at(sum, k).path, paths[k]) == 0);
    for (uint32_t leaf = 0; leaf < 4; leaf++)
        for (uint32_t x = 0; x < 3; x++)
            CHECK(cells_get(sum, leaf, x, 0) == expected[leaf][x]);
    CHECK(ocelotl_type_names_count(ocelotl_model_type_names(sum)) == 3);
    ocelotl_model_free(sum);
}

static void check_refusals(void)
{
    static const char *const types[] = {"x", "y"};
    OWN_MODEL *first = arrays_model("a", "1", "2", types, 2);
    OWN_MODEL *longer = arrays_model("a", "3", "4", types, 3);
    OWN_MODEL *same = arrays_model("a", "2", "4", types, 2);
    OWN_MODEL *above = arrays_model("b", "3", "4", types, 2);
    ocelotl_model *sum;
    CHECK_REFUSED(ocelotl_model_add(&sum, first, longer), "2 and 3 slices do not add up");
    CHECK_REFUSED(ocelotl_model_add(&sum, first, same), "both models have the leaf \"a/2\"");
    CHECK_OK(ocelotl_model_add(&sum, first, above));
    CHECK(ocelotl_model_info_of(sum).node_count == 7);
    ocelotl_model_free(sum);
}

/* Groups of like siblings are no resources: which of them would be the sum's? */
static void check_groups(void)
{
    known_trace known = {0};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *sum;
    known_write(&known, temporary_path("groups.db"), 3, 600);
    OWN_TRACE *trace = must_open(temporary_path("groups.db"));
    options.slices = SLICES;
    options.hierarchy.max_leaves = 2;
    OWN_MODEL *model = must_build(trace, &options);
    CHECK_REFUSED(ocelotl_model_add(&sum, model, model), "expected bare ones");
    free(known.events);
}

int main(void)
{
    temporary_begin();
    check_arrays();
    check_refusals();
    check_groups();
    for (uint64_t seed = 1; seed <= 5; seed++)
        check_traces(seed);
    return 0;
}

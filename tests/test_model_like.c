/* Rows that are alike come together: the last joins of rows and all of them, that gathering many
 * rows keeps what is like no other, and what becomes of a hierarchy. */
#include "made.h"

#include "model/hierarchy/arrange.h"
#include "model/hierarchy/dendrogram.h"

#include <omp.h>

enum { WIDTH = 12, LAST = 5, PLACES = 128 };

static double logs(double x, double size)
{
    return x > 0 ? x * log2(x / size) : 0;
}

/* What drawing the mean of the rows of one cluster, or of two, loses. */
static double loss_of(const double *rows, const double *sizes, const uint32_t *of, uint32_t one,
                      uint32_t other, uint32_t count)
{
    double loss = 0;
    for (size_t i = 0; i < WIDTH; i++) {
        double sum = 0, size = 0;
        for (uint32_t r = 0; r < count; r++)
            if (of[r] == one || of[r] == other) {
                sum += rows[r * WIDTH + i];
                size += sizes[r];
                loss += logs(rows[r * WIDTH + i], sizes[r]);
            }
        loss -= logs(sum, size);
    }
    return loss;
}

static double join_loss(const double *rows, const double *sizes, const uint32_t *of, uint32_t a,
                        uint32_t b, uint32_t count)
{
    return loss_of(rows, sizes, of, a, b, count) - loss_of(rows, sizes, of, a, a, count) -
           loss_of(rows, sizes, of, b, b, count);
}

static void make_rows(double *rows, double *sizes, uint32_t count, uint64_t *random)
{
    for (uint32_t r = 0; r < count; r++) {
        sizes[r] = 1 + check_below(random, 3);
        for (uint32_t i = 0; i < WIDTH; i++)
            rows[r * WIDTH + i] =
                check_below(random, 3) == 0 ? 0 : sizes[r] * check_below(random, 1000) / 1000.0;
    }
}

/* The last joins of rows, or all. */
static oc_dendrogram make(oc_arena *arena, double *rows, double *sizes, uint32_t count,
                          uint32_t most)
{
    oc_dendrogram made = {0};
    const oc_summed_rows summed = {rows, sizes, count, WIDTH};
    CHECK_OK(oc_dendrogram_make(&made, arena, &summed, most, PLACES, NULL, NULL));
    return made;
}

/* Each join loses what it reports, and loses least of all pairs. */
static void test_joins(uint32_t last)
{
    enum { MOST = 24 };
    uint64_t random = last;
    for (int round = 0; round < 60; round++) {
        const uint32_t count = 2 + check_below(&random, MOST - 1);
        double rows[MOST * WIDTH], used[MOST * WIDTH], sizes[MOST], used_sizes[MOST];
        oc_arena arena = {0};
        make_rows(rows, sizes, count, &random);
        memcpy(used, rows, sizeof rows);
        memcpy(used_sizes, sizes, sizeof sizes);
        const oc_dendrogram made = make(&arena, used, used_sizes, count, last);
        uint32_t *of = made.cluster;
        CHECK(made.join_count == (count - 1 < last ? count - 1 : last));
        for (uint32_t j = 0; j < made.join_count; j++) {
            const uint32_t first = made.joins[j].first, second = made.joins[j].second;
            CHECK(first < second && of[first] == first && of[second] == second);
            for (uint32_t a = 0; a < count; a++)
                for (uint32_t b = a + 1; b < count; b++)
                    if (of[a] == a && of[b] == b)
                        CHECK(join_loss(rows, sizes, of, a, b, count) > made.joins[j].loss - 1e-8);
            CHECK_NEAR(made.joins[j].loss, join_loss(rows, sizes, of, first, second, count), 1e-8);
            for (uint32_t r = 0; r < count; r++)
                of[r] = of[r] == second ? first : of[r];
        }
        for (uint32_t r = 0; r < count; r++)
            CHECK(of[r] == 0);
        oc_arena_free(&arena);
    }
}

/* Checks that equal rows stay together and need no join. */
static void test_equal_rows(void)
{
    enum { ROWS = 300, KINDS = 3 };
    double rows[ROWS * WIDTH] = {0};
    double sizes[ROWS];
    oc_arena arena = {0};
    for (uint32_t r = 0; r < ROWS; r++) {
        sizes[r] = 1;
        rows[r * WIDTH + r % KINDS] = 1;
    }
    const oc_dendrogram made = make(&arena, rows, sizes, ROWS, LAST);
    CHECK(made.join_count == KINDS - 1);
    for (uint32_t r = 0; r < ROWS; r++)
        CHECK(made.cluster[r] == r % KINDS);
    oc_arena_free(&arena);
}

enum { MANY = 10000, KINDS = 4, ALONE = 7777 };

static double noisy(double value, uint64_t *random)
{
    return value * (0.9 + 0.2 * check_below(random, 1000) / 1000);
}

/* Ranks of some kinds with noise, and one that is slow now and then. */
static void make_many(double *rows, double *sizes)
{
    uint64_t random = 3;
    for (uint32_t r = 0; r < MANY; r++) {
        sizes[r] = 1;
        for (uint32_t i = 0; i < WIDTH; i++)
            rows[r * WIDTH + i] = noisy(i % KINDS == r % KINDS ? 0.7 : 0.3, &random);
    }
    for (uint32_t i = 0; i < WIDTH; i++)
        rows[ALONE * WIDTH + i] = i % 3 == 0 ? 1 : 0.01;
}

static void test_many_rows(void)
{
    enum { MANY_LAST = 16 };
    double *rows = malloc(sizeof(double) * MANY * WIDTH);
    double *sizes = malloc(sizeof(double) * MANY);
    oc_arena arena = {0};
    oc_dendrogram made[2];
    CHECK(rows != NULL && sizes != NULL);
    for (int run = 0; run < 2; run++) {
        omp_set_num_threads(run == 0 ? 1 : 4);
        make_many(rows, sizes);
        made[run] = make(&arena, rows, sizes, MANY, MANY_LAST);
    }
    const uint32_t *of = made[0].cluster;
    const oc_cluster_join *joins = made[0].joins;
    /* The same bits for any number of threads. */
    CHECK(made[0].join_count == MANY_LAST && made[1].join_count == MANY_LAST &&
          memcmp(of, made[1].cluster, MANY * sizeof *of) == 0);
    for (int j = 0; j < MANY_LAST; j++)
        CHECK(joins[j].first == made[1].joins[j].first &&
              joins[j].second == made[1].joins[j].second && joins[j].loss == made[1].joins[j].loss);
    /* no cluster has two kinds, and one has the slow rank alone */
    for (uint32_t r = 0; r < MANY; r++) {
        CHECK(r == ALONE || of[r] % KINDS == r % KINDS);
        CHECK((of[r] == of[ALONE]) == (r == ALONE));
    }
    /* The last joins are of the kinds and of what is alone. */
    CHECK(joins[MANY_LAST - KINDS].loss > 2 * joins[MANY_LAST - KINDS - 1].loss);
    oc_arena_free(&arena);
    free(rows);
    free(sizes);
}

static void test_gather(void)
{
    enum { FEW = 8 };
    static double rows[MANY * WIDTH];
    static double sizes[MANY];
    static uint32_t near[MANY];
    uint32_t places = 0;
    make_many(rows, sizes);
    CHECK_OK(oc_gather(near, &(oc_summed_rows){rows, sizes, MANY, WIDTH}, FEW));
    for (uint32_t r = 0; r < MANY; r++) {
        CHECK(near[r] <= r && near[near[r]] == near[r]);
        CHECK((near[r] == ALONE) == (r == ALONE));
        CHECK(r == ALONE || near[r] % KINDS == r % KINDS);
        places += near[r] == r;
    }
    CHECK(places <= FEW && places > KINDS);
}

/* A leaf is busy with one type in all slices; which one is the letter of its name. */
typedef struct resource {
    uint32_t parent;
    const char *name;
} resource;

enum { SLICES = 10, TYPES = 4 };

static ocelotl_model *make_model(const resource *resources, uint32_t count,
                                 const double values[TYPES])
{
    enum { MOST = 500 };
    static uint32_t parents[MOST];
    static const char *names[MOST];
    static ocelotl_cell cells[MOST * SLICES];
    ocelotl_model_arrays arrays = OCELOTL_MODEL_ARRAYS_INIT;
    CHECK(count <= MOST);
    for (uint32_t k = 0; k < count; k++) {
        bool leaf = true;
        parents[k] = resources[k].parent;
        names[k] = resources[k].name;
        for (uint32_t other = 0; other < count; other++)
            leaf = leaf && resources[other].parent != k;
        for (uint32_t s = 0; leaf && s < SLICES; s++) {
            const uint32_t type = (uint32_t)(names[k][0] - 'a');
            cells[arrays.cell_count++] = (ocelotl_cell){k, type, s, values[type]};
        }
    }
    arrays.node_count = count;
    arrays.parents = parents;
    arrays.names = names;
    arrays.type_count = TYPES;
    arrays.slice_count = SLICES;
    arrays.cells = cells;
    return must_take(&arrays);
}

static void group(ocelotl_model *model, uint32_t most)
{
    oc_arrangement arrangement = {0};
    CHECK_OK(oc_arrangement_begin(&arrangement, model));
    CHECK_OK(oc_group_children(&arrangement, most, NULL, NULL));
    CHECK_OK(oc_arrangement_settle(&arrangement));
    CHECK_OK(oc_model_rearrange(model, &arrangement, OC_MERGED));
    oc_arrangement_free(&arrangement);
}

/* The hierarchy as a text: the leaves by name, what is below a node in brackets, groups in braces.
 */
static void write_node(char *text, const ocelotl_model *model, uint32_t node)
{
    const uint32_t count = ocelotl_model_info_of(model).node_count;
    const ocelotl_node is = ocelotl_model_node_at(model, node);
    const bool grouped = strcmp(is.kind, "group") == 0;
    const size_t begun = strlen(text);
    strcat(text, grouped ? "{" : "(");
    for (uint32_t k = node + 1; k < count; k++)
        if (ocelotl_model_node_at(model, k).parent == node) {
            strcat(text, strlen(text) > begun + 1 ? " " : "");
            write_node(text, model, k);
        }
    if (strlen(text) == begun + 1)
        strcpy(text + begun, is.name);
    else
        strcat(text, grouped ? "}" : ")");
}

static void check_groups(const resource *resources, uint32_t count, uint32_t most,
                         const char *expected)
{
    static const double values[TYPES] = {1, 1, 1, 1};
    char text[1000] = "";
    OWN_MODEL *model = make_model(resources, count, values);
    group(model, most);
    write_node(text, model, 0);
    CHECK_TEXT(text, expected);
}

/* A group stands where its first member stands, and its members keep their order. */
static void test_groups(void)
{
    static const resource three[] = {{OCELOTL_ROOT, "m"}, {0, "a1"}, {0, "b1"}, {0, "c1"},
                                     {0, "a2"},           {0, "b2"}, {0, "a3"}, {0, "c2"},
                                     {0, "b3"},           {0, "a4"}};
    static const resource lone[] = {
        {OCELOTL_ROOT, "m"}, {0, "a1"}, {0, "a2"}, {0, "b1"}, {0, "a3"}};
    static const resource same[] = {{OCELOTL_ROOT, "m"}, {0, "a1"}, {0, "a2"}, {0, "a3"}};
    static const resource two[] = {{OCELOTL_ROOT, "m"}, {0, "a1"}, {0, "b1"}};
    check_groups(three, 10, 16, "({a1 a2 a3 a4} {{b1 b2 b3} {c1 c2}})");
    /* Two groups: what the last join was made of. One is not enough for it. */
    check_groups(three, 10, 2, "({a1 a2 a3 a4} {b1 c1 b2 c2 b3})");
    check_groups(three, 10, 1, "(a1 b1 c1 a2 b2 a3 c2 b3 a4)");
    /* What is alone is its own. */
    check_groups(lone, 5, 16, "({a1 a2 a3} b1)");
    check_groups(lone, 5, 1, "({a1 a2 a3} b1)");
    check_groups(same, 4, 16, "(a1 a2 a3)");
    check_groups(two, 3, 16, "(a1 b1)");
}

/* Children that have children are compared by these. */
static void test_nested(void)
{
    static const resource nested[] = {
        {OCELOTL_ROOT, "m"}, {0, "n1"}, {1, "a1"}, {1, "b1"}, {0, "n2"}, {4, "c1"}, {4, "c2"},
        {0, "n3"},           {7, "a2"}, {7, "b2"}, {7, "a3"}, {7, "b3"}, {0, "a4"}};
    check_groups(nested, 13, 16, "({{(a1 b1) ({a2 a3} {b2 b3})} a4} (c1 c2))");
}

/* Checks that many nodes get groups where these differ most; alike nodes all get them, or none. */
static void test_many_nodes(void)
{
    enum { NODES = 90, EACH = 4, STRONG = 70, ALL = 1 + NODES * (EACH + 1) };
    static const char *const names[2][EACH] = {{"a1", "a2", "b1", "b2"}, {"c1", "d1", "c2", "c3"}};
    static const double values[TYPES] = {1, 1, 0.01, 0.01};
    static resource resources[ALL] = {{OCELOTL_ROOT, "m"}};
    uint32_t groups[2] = {0};
    for (uint32_t n = 0; n < NODES; n++) {
        const uint32_t node = 1 + n * (EACH + 1);
        resources[node] = (resource){0, "n"};
        for (uint32_t i = 0; i < EACH; i++)
            resources[node + 1 + i] = (resource){node, names[n >= STRONG][i]};
    }
    OWN_MODEL *model = make_model(resources, ALL, values);
    group(model, 6);
    for (uint32_t k = 1; k < ocelotl_model_info_of(model).node_count; k++) {
        const ocelotl_node first = ocelotl_model_node_at(model, k + 1);
        if (strcmp(ocelotl_model_node_at(model, k).kind, "group") == 0 && first.leaf_count == 1)
            groups[first.name[0] >= 'c']++;
    }
    CHECK(groups[0] == 2 * STRONG && groups[1] == 0);
}

typedef struct told {
    uint64_t done, total;
    int calls, most_calls;
} told;

static bool watch(void *context, uint64_t done, uint64_t total)
{
    told *progress = context;
    CHECK(done >= progress->done && done <= total &&
          (progress->total == 0 || progress->total == total));
    progress->done = done;
    progress->total = total;
    return ++progress->calls < progress->most_calls;
}

static void check_progress(const ocelotl_model *model, uint32_t most, uint64_t total)
{
    oc_arrangement arrangement = {0};
    told all = {.most_calls = 1 << 30}, few = {.most_calls = 2};
    for (int run = 0; run < 2; run++) {
        told *progress = run == 0 ? &all : &few;
        CHECK_OK(oc_arrangement_begin(&arrangement, model));
        const ocelotl_status status = oc_group_children(&arrangement, most, watch, progress);
        CHECK(status == (run == 0 ? OCELOTL_OK : OCELOTL_ERROR_CANCELLED));
        oc_arrangement_free(&arrangement);
    }
    CHECK(strstr(ocelotl_error_message(), "cancelled with ") != NULL);
    CHECK(all.calls >= 6 && all.total == total && few.calls == few.most_calls);
}

/* Over several nodes progress never goes backwards. */
static void test_progress(void)
{
    static const resource nested[] = {{OCELOTL_ROOT, "m"}, {0, "n1"}, {1, "a1"}, {1, "b1"},
                                      {1, "c1"},           {0, "n2"}, {5, "a2"}, {5, "c2"},
                                      {5, "c3"},           {0, "a3"}};
    static const double values[TYPES] = {1, 1, 1, 1};
    OWN_MODEL *model = make_model(nested, 10, values);
    check_progress(model, 16, 9);
    check_progress(model, OC_ALL_GROUPS, 9);
}

int main(void)
{
    test_joins(LAST);
    test_joins(PLACES);
    test_equal_rows();
    test_many_rows();
    test_gather();
    test_groups();
    test_nested();
    test_many_nodes();
    test_progress();
    return 0;
}

/* The best values of a node can be given from outside: a part of a problem that is solved alone
 * gives the whole the bits that it would find by itself. */
#include "aggregate/extract/explored.h"
#include "test_aggregate_models.h"

/* A node of a problem with all below it, as a problem of its own. */
typedef struct part {
    oc_matrix matrix;
    ocelotl_aggregation *aggregation;
    double shift; /* added to what it gives */
} part;

static uint32_t *copy_from(const uint32_t *from, uint32_t first, uint32_t count, uint32_t shift)
{
    uint32_t *copy = malloc(count * sizeof *copy);
    CHECK(copy != NULL);
    for (uint32_t i = 0; i < count; i++)
        copy[i] = from[first + i] == OCELOTL_ROOT ? OCELOTL_ROOT : from[first + i] - shift;
    return copy;
}

static oc_matrix cut_matrix(const oc_matrix *whole, uint32_t node)
{
    const oc_tree *tree = &whole->tree;
    const uint32_t count = tree->subtree[node], leaf = tree->leaf_first[node];
    const size_t first = oc_series_from_leaf(whole->series, whole->series_count, leaf);
    const size_t end =
        oc_series_from_leaf(whole->series, whole->series_count, leaf + tree->leaf_count[node]);
    oc_matrix cut = *whole;
    cut.tree = (oc_tree){.node_count = count,
                         .parent = copy_from(tree->parent, node, count, node),
                         .subtree = copy_from(tree->subtree, node, count, 0),
                         .leaf_first = copy_from(tree->leaf_first, node, count, leaf),
                         .leaf_count = copy_from(tree->leaf_count, node, count, 0)};
    cut.tree.parent[0] = OCELOTL_ROOT;
    cut.series_count = end - first;
    cut.series = malloc((end - first + 1) * sizeof *cut.series);
    CHECK(cut.series != NULL && end >= first);
    memcpy(cut.series, whole->series + first, (end - first + 1) * sizeof *cut.series);
    for (size_t i = 0; i < cut.series_count; i++)
        cut.series[i].leaf -= leaf;
    return cut;
}

static void free_part(part *cut)
{
    ocelotl_aggregation_free(cut->aggregation);
    free(cut->matrix.tree.parent);
    free(cut->matrix.tree.subtree);
    free(cut->matrix.tree.leaf_first);
    free(cut->matrix.tree.leaf_count);
    free(cut->matrix.series);
}

static size_t intervals_of(const ocelotl_aggregation *aggregation)
{
    return oc_intervals(aggregation->slices);
}

/* Solves at a weight and writes what the root is worth, and the children of each inner node. */
static ocelotl_status solve_root(double *best, double *splits,
                                 const ocelotl_aggregation *aggregation, oc_weight weight)
{
    oc_solver *solver;
    CHECK_OK(oc_solver_borrow(&solver, aggregation));
    ocelotl_status status = oc_solver_run(solver, aggregation, weight);
    if (status == OCELOTL_OK)
        status = oc_solver_best(best, solver, &solver->workers[0], aggregation, 0);
    const size_t count = intervals_of(aggregation);
    for (uint32_t k = 0; status == OCELOTL_OK && splits != NULL && k < aggregation->nodes.count;
         k++)
        if (!oc_nodes_is_leaf(&aggregation->nodes, k))
            memcpy(splits + k * count, solver->split[aggregation->nodes.inner[k]],
                   count * sizeof *splits);
    oc_solver_return(solver, aggregation, status == OCELOTL_OK);
    return status;
}

static ocelotl_status give(double *best, void *context, size_t place, oc_weight weight)
{
    part *cut = context;
    CHECK(place == 0);
    OC_TRY(solve_root(best, NULL, cut->aggregation, weight));
    best[0] += cut->shift;
    return OCELOTL_OK;
}

static bool is_above(const oc_nodes *nodes, uint32_t above, uint32_t node)
{
    return above < node && node < oc_nodes_end(nodes, above);
}

/* The whole with and without what is given, by bits. */
static void check_weight(const ocelotl_aggregation *whole, const ocelotl_aggregation *with,
                         uint32_t node, part *cut, oc_weight weight)
{
    const size_t count = intervals_of(whole);
    double *best[2], *splits[2];
    for (int i = 0; i < 2; i++) {
        best[i] = calloc(count, sizeof(double));
        splits[i] = calloc(count * whole->nodes.count, sizeof(double));
        CHECK(best[i] != NULL && splits[i] != NULL);
        cut->shift = 0;
        CHECK_OK(solve_root(best[i], splits[i], i == 0 ? whole : with, weight));
    }
    CHECK(memcmp(best[0], best[1], count * sizeof(double)) == 0);
    for (uint32_t k = 0; k < whole->nodes.count; k++)
        if (is_above(&whole->nodes, k, node) && !whole->lossless[k])
            CHECK(memcmp(splits[0] + k * count, splits[1] + k * count, count * sizeof(double)) ==
                  0);
    /* And it is what is given that counts. */
    cut->shift = 1e6;
    CHECK_OK(solve_root(best[1], NULL, with, weight));
    CHECK(whole->lossless[0] || best[1][0] > best[0][0] + 1e5);
    for (int i = 0; i < 2; i++) {
        free(best[i]);
        free(splits[i]);
    }
}

static void check_node(const ocelotl_aggregation *whole, uint32_t node, uint32_t threads)
{
    static const oc_weight weights[] = {{0, true}, {.p = 0.01}, {.p = 0.3}, {.p = 0.9}};
    part cut = {.matrix = cut_matrix(whole->matrix, whole->nodes.name[node])};
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_aggregation *with;
    const oc_given given = {1, &whole->nodes.name[node], give, &cut};
    options.kind = whole->kind;
    options.work.threads = threads;
    const oc_problem alone = {.matrix = &cut.matrix, .unit = &whole->unit};
    CHECK_OK(oc_aggregation_of(&cut.aggregation, &alone, &options));
    const oc_problem problem = {.matrix = whole->matrix, .given = &given};
    CHECK_OK(oc_aggregation_of(&with, &problem, &options));
    bool spared = false; /* what is below a node that loses nothing is never asked for */
    for (uint32_t k = 0; k < node; k++)
        spared = spared || (is_above(&whole->nodes, k, node) && whole->lossless[k]);
    for (size_t w = 0; w < sizeof weights / sizeof weights[0] && !spared; w++)
        check_weight(whole, with, node, &cut, weights[w]);
    ocelotl_aggregation_free(with);
    free_part(&cut);
}

static void check_seed(uint64_t seed)
{
    test_model model =
        test_random_model(seed, seed % 3 == 0 ? OCELOTL_SPATIAL : OCELOTL_SPATIOTEMPORAL, 20, 20);
    OWN_MODEL *built = test_build(&model);
    const uint32_t threads = 1 + (uint32_t)(seed % 3);
    OWN_AGGREGATION *whole = test_aggregate(built, model.kind, threads);
    for (uint32_t node = 1; node < whole->nodes.count; node++)
        check_node(whole, node, threads);
    free(model.values);
}

static void check_unknown_node(void)
{
    test_model model = test_random_model(5, OCELOTL_SPATIOTEMPORAL, 6, 6);
    OWN_MODEL *built = test_build(&model);
    const uint32_t node = 1000;
    const oc_given given = {1, &node, give, NULL};
    const oc_problem problem = {.matrix = oc_model_matrix(built), .given = &given};
    ocelotl_aggregation *aggregation;
    CHECK_FAILS(oc_aggregation_of(&aggregation, &problem, NULL), OCELOTL_ERROR_INTERNAL,
                "node 1000, whose values are given");
    free(model.values);
}

int main(void)
{
    for (uint64_t seed = 1; seed <= 60; seed++)
        check_seed(seed);
    check_unknown_node();
    return 0;
}

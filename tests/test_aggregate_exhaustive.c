/* The solver against the definitions, executed literally: measures from the cells, every way to
 * cut, the tie rules. Small random models of all kinds; those of few different values are full of
 * ties. */
#include "test_aggregate_models.h"

#define MOST_SLICES 7
#define MOST_LEAVES 9
#define MOST_PARTS  (MOST_LEAVES * MOST_SLICES)

struct part {
    uint32_t node, first, last;
};

struct best {
    bool known;
    long double value, gain, loss, scale;
    size_t parts;
    struct part part[MOST_PARTS];
};

struct problem {
    const test_model *model;
    uint32_t slices;                              /* 1 for the spatial kind */
    long double p;                                /* 0: the limit from above */
    bool below[TEST_MOST_NODES][TEST_MOST_NODES]; /* node, leaf */
    struct best memo[TEST_MOST_NODES][MOST_SLICES][MOST_SLICES];
};

/* What a part covers: nodes with the same leaves are one. */
struct area {
    uint64_t leaves; /* a bit each */
    uint32_t first, last;
};

struct series {
    long double sum, logs, least, most;
    uint32_t cells;
};

static const struct series empty_series = {0, 0, INFINITY, 0, 0};

static long double times_log(long double x)
{
    return x > 0 ? x * log2l(x) : 0;
}

static void add_cell(struct series *series, long double value)
{
    series->sum += value;
    series->logs += times_log(value);
    series->least = value < series->least ? value : series->least;
    series->most = value > series->most ? value : series->most;
    series->cells++;
}

static void end_series(struct series *series, struct best *measure)
{
    if (series->sum > 0) {
        const long double gain = times_log(series->sum) - series->logs;
        const long double both = series->sum * log2l(series->cells);
        measure->gain += series->least == series->most ? both : gain;
        measure->loss += series->least == series->most ? 0 : both - gain;
        measure->scale += both;
    }
    *series = empty_series;
}

static long double cell(const struct problem *problem, uint32_t leaf, uint32_t type, uint32_t slice)
{
    if (problem->model->kind != OCELOTL_SPATIAL)
        return test_value(problem->model, leaf, type, slice);
    long double sum = 0;
    for (uint32_t t = 0; t < problem->model->slices; t++)
        sum += test_value(problem->model, leaf, type, t);
    return sum;
}

static void measure(const struct problem *problem, struct part whole, struct best *measure)
{
    struct series series = empty_series;
    for (uint32_t type = 0; type < problem->model->types; type++) {
        for (uint32_t leaf = 0; leaf < problem->model->leaves; leaf++) {
            if (!problem->below[whole.node][leaf])
                continue;
            for (uint32_t t = whole.first; t <= whole.last; t++)
                add_cell(&series, cell(problem, leaf, type, t));
            if (problem->model->kind == OCELOTL_TEMPORAL)
                end_series(&series, measure);
        }
        end_series(&series, measure);
    }
    if (problem->p == 0)
        measure->value = measure->loss == 0 ? measure->gain : (long double)-INFINITY;
    else
        measure->value = problem->p * measure->gain - (1 - problem->p) * measure->loss;
    measure->parts = 1;
    measure->part[0] = whole;
}

static void add(struct best *sum, const struct best *other)
{
    sum->value += other->value;
    sum->gain += other->gain;
    sum->loss += other->loss;
    sum->scale += other->scale;
    CHECK(sum->parts + other->parts <= MOST_PARTS);
    memcpy(sum->part + sum->parts, other->part, other->parts * sizeof *other->part);
    sum->parts += other->parts;
}

static bool better(const struct problem *problem, const struct best *a, const struct best *b)
{
    const long double scale = 1e-13L * fmaxl(a->scale, b->scale);
    if (isinf(a->value) || isinf(b->value))
        return !isinf(a->value);
    if (fabsl(a->value - b->value) > (problem->p == 0 ? 1 : problem->p) * scale)
        return a->value > b->value;
    if (fabsl(a->gain - b->gain) > scale)
        return a->gain > b->gain;
    return a->parts < b->parts;
}

static const struct best *solve(struct problem *problem, uint32_t node, uint32_t first,
                                uint32_t last)
{
    struct best *found = &problem->memo[node][first][last];
    if (found->known)
        return found;
    static struct best sum; /* copied before the next use, too large for a stack of recursion */
    measure(problem, (struct part){node, first, last}, found);
    found->known = true;
    if (problem->p == 1)
        return found;
    if (problem->model->kind != OCELOTL_TEMPORAL && node >= problem->model->leaves) {
        for (uint32_t child = 0; child < problem->model->nodes; child++)
            if (problem->model->parent[child] == (int)node)
                solve(problem, child, first, last);
        memset(&sum, 0, sizeof sum);
        for (uint32_t child = 0; child < problem->model->nodes; child++)
            if (problem->model->parent[child] == (int)node)
                add(&sum, solve(problem, child, first, last));
        if (better(problem, &sum, found)) {
            *found = sum;
            found->known = true;
        }
    }
    for (uint32_t c = first; c < last; c++) {
        const struct best *left = solve(problem, node, first, c);
        const struct best *right = solve(problem, node, c + 1, last);
        memset(&sum, 0, sizeof sum);
        add(&sum, left);
        add(&sum, right);
        if (better(problem, &sum, found)) {
            *found = sum;
            found->known = true;
        }
    }
    return found;
}

static void mark_leaves(struct problem *problem)
{
    for (uint32_t leaf = 0; leaf < problem->model->leaves; leaf++)
        for (int node = (int)leaf; node >= 0; node = problem->model->parent[node])
            problem->below[node][leaf] = true;
}

static struct area area_of(const struct problem *problem, uint32_t node, uint32_t first,
                           uint32_t last)
{
    struct area area = {0, first, problem->slices > 1 ? last : 0};
    for (uint32_t leaf = 0; leaf < problem->model->leaves; leaf++)
        area.leaves |= (uint64_t)problem->below[node][leaf] << leaf;
    return area;
}

static int compare_areas(const void *a, const void *b)
{
    const struct area *one = a;
    const struct area *other = b;
    if (one->leaves != other->leaves)
        return one->leaves < other->leaves ? -1 : 1;
    return one->first < other->first ? -1 : one->first > other->first;
}

/* The partition is the one that the tie rules name. */
static void check_parts(const struct problem *problem, const struct best *wanted,
                        const ocelotl_partition *partition)
{
    struct area expected[MOST_PARTS];
    struct area found[MOST_PARTS];
    const ocelotl_model *model = ocelotl_partition_model(partition);
    for (size_t i = 0; i < wanted->parts; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        const struct part other = wanted->part[i];
        found[i] =
            area_of(problem, ocelotl_model_node_at(model, part.node).source, part.first, part.last);
        expected[i] = area_of(problem, other.node, other.first, other.last);
    }
    qsort(found, wanted->parts, sizeof *found, compare_areas);
    qsort(expected, wanted->parts, sizeof *expected, compare_areas);
    for (size_t i = 0; i < wanted->parts; i++)
        CHECK(compare_areas(&found[i], &expected[i]) == 0 && found[i].last == expected[i].last);
}

static void check_at(const test_model *model, const ocelotl_aggregation *aggregation, double p,
                     bool parts)
{
    static struct problem problem;
    memset(&problem, 0, sizeof problem);
    problem.model = model;
    problem.slices = model->kind == OCELOTL_SPATIAL ? 1 : model->slices;
    problem.p = p;
    mark_leaves(&problem);
    const struct best *wanted = solve(&problem, model->nodes - 1, 0, problem.slices - 1);
    OWN_PARTITION *partition = must_solve_raw(aggregation, p);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const double scale = (double)wanted->scale + 1e-300;
    CHECK_NEAR(info.gain, (double)wanted->gain, 1e-12 * scale);
    CHECK_NEAR(info.loss, (double)wanted->loss, 1e-12 * scale);
    CHECK_NEAR(info.pic, (double)(p * wanted->gain - (1 - p) * wanted->loss),
               1e-12 * p * scale + 1e-16 * scale);
    CHECK(info.part_count == wanted->parts);
    if (parts)
        check_parts(&problem, wanted, partition);
}

/* Cells of few values, most of them 0: many partitions are equally good. */
static test_model sparse_model(uint64_t seed, ocelotl_kind kind)
{
    static const double densities[] = {0.05, 0.1, 0.2, 0.3, 0.5, 0.7};
    uint64_t state = seed;
    test_model model = test_random_model(seed, kind, MOST_LEAVES, MOST_SLICES);
    const double density = densities[check_below(&state, 6)];
    const uint32_t most = 1 + check_below(&state, 2);
    for (size_t i = 0; i < (size_t)model.leaves * model.types * model.slices; i++)
        model.values[i] = check_uniform(&state) < density ? 1 + check_below(&state, most) : 0;
    return model;
}

static void test_model_at(const test_model *model, const double *p, size_t count, bool parts)
{
    OWN_MODEL *built = test_build(model);
    OWN_AGGREGATION *aggregation = test_aggregate(built, model->kind, 1);
    for (size_t i = 0; i < count; i++)
        check_at(model, aggregation, p[i], parts);
}

/* Of a cut that follows another, the earlier one counts: a and b are whole in slices 0 and 2, and
 * neither in slice 1. Other seven parts gain as much. */
static void test_split_after_split(void)
{
    double values[] = {1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
    const double p[] = {0.223116};
    const test_model model = {.kind = OCELOTL_SPATIOTEMPORAL,
                              .nodes = 7,
                              .leaves = 4,
                              .types = 1,
                              .slices = 3,
                              .parent = {4, 4, 5, 5, 6, 6, -1},
                              .values = values};
    test_model_at(&model, p, 1, true);
}

static void test_sparse(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_SPATIOTEMPORAL,
                                         OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    uint64_t state = 20140707;
    for (uint64_t seed = 1; seed <= check_rounds(3000); seed++) {
        test_model model = sparse_model(seed, kinds[seed % 5]);
        const double p = check_uniform(&state);
        const double some_p[] = {0, p, p * p, p * p * p * p, 0.223116};
        fprintf(stderr, "sparse, seed %llu\n", (unsigned long long)seed);
        test_model_at(&model, some_p, sizeof some_p / sizeof *some_p, true);
        free(model.values);
    }
}

static void test_random(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    uint64_t state = 20150219;
    for (uint64_t seed = 1; seed <= check_rounds(600); seed++) {
        test_model model = test_random_model(seed, kinds[seed % 3], MOST_LEAVES, MOST_SLICES);
        double p[6] = {0, 1};
        for (int i = 0; i < 4; i++) {
            p[2 + i] = check_uniform(&state);
            if (i % 2 == 0)
                continue;
            p[2 + i] *= p[2 + i] * p[2 + i] * p[2 + i];
        }
        fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        test_model_at(&model, p, 6, false);
        free(model.values);
    }
}

int main(void)
{
    test_split_after_split();
    test_sparse();
    test_random();
    return 0;
}

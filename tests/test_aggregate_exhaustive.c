/* The solver against the definitions, executed literally: measures from the cells, every way to cut, the tie rules.
 * Small random models of all kinds; those of few different values are full of ties. */
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

static const struct best *solve(struct problem *problem, uint32_t node, uint32_t first, uint32_t last)
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

static void check_at(const test_model *model, const ocelotl_aggregation *aggregation, double p)
{
    static struct problem problem;
    memset(&problem, 0, sizeof problem);
    problem.model = model;
    problem.slices = model->kind == OCELOTL_SPATIAL ? 1 : model->slices;
    problem.p = p;
    mark_leaves(&problem);
    const struct best *wanted = solve(&problem, model->nodes - 1, 0, problem.slices - 1);
    ocelotl_partition *partition;
    CHECK_OK(ocelotl_solve_raw(&partition, aggregation, p));
    const ocelotl_partition_info info = ocelotl_partition_get_info(partition);
    const double scale = (double)wanted->scale + 1e-300;
    CHECK_NEAR(info.gain, (double)wanted->gain, 1e-12 * scale);
    CHECK_NEAR(info.loss, (double)wanted->loss, 1e-12 * scale);
    CHECK_NEAR(info.pic, (double)(p * wanted->gain - (1 - p) * wanted->loss), 1e-12 * p * scale + 1e-16 * scale);
    CHECK(info.part_count == wanted->parts);
    ocelotl_partition_free(partition);
}

int main(void)
{
    static const ocelotl_kind kinds[] = {OCELOTL_SPATIOTEMPORAL, OCELOTL_TEMPORAL, OCELOTL_SPATIAL};
    uint64_t state = 20150219;
    for (uint64_t seed = 1; seed <= 600; seed++) {
        test_model model = test_random_model(seed, kinds[seed % 3], MOST_LEAVES, MOST_SLICES);
        ocelotl_model *built = test_build(&model);
        ocelotl_aggregation *aggregation = test_aggregate(built, model.kind, 1);
        fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
        check_at(&model, aggregation, 0);
        check_at(&model, aggregation, 1);
        for (int i = 0; i < 4; i++) {
            const double p = test_uniform(&state);
            check_at(&model, aggregation, i % 2 == 0 ? p : p * p * p * p);
        }
        ocelotl_aggregation_free(aggregation);
        ocelotl_model_free(built);
        free(model.values);
    }
    return 0;
}

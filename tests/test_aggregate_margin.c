/* Left sides of cuts are passed over where they are proved useless (fill_uncut in solver.c). The
 * margin of the proof is more than rounding can make: the best values are the bits of all cuts
 * tried. And it is no more than that, or small differences would make every cut be tried. What a
 * solve shows of lower p (note_reach in solver.c) changes no bit either. */
#include "aggregate/extract/explored.h"
#include "test_aggregate_large.h"

/* The plain recurrence over the uncut values of a window, packed by rows. */
static void try_all(double *best, const oc_window *window)
{
    const uint32_t count = window->count;
    for (uint32_t i = count; i-- > 0;)
        for (uint32_t j = i; j < count; j++) {
            double value = window->uncut[i * window->stride + j];
            for (uint32_t c = i; c < j; c++) {
                const double cut = window->uncut[i * window->stride + c] +
                                   best[oc_row(count, c + 1) + (j - c - 1)];
                value = cut > value ? cut : value;
            }
            best[oc_row(count, i) + (j - i)] = value;
        }
}

/* Some ends by themselves, from some slice on, before all together. */
static void check_ends(oc_window *window, oc_worker *worker, const ocelotl_aggregation *aggregation,
                       const double *best)
{
    double column[64 + OC_PAST_END];
    CHECK(window->count <= 64);
    for (uint32_t last = 0; last < window->count; last += 1 + last % 3)
        for (uint32_t begin = last % 2; begin <= last; begin += 5) {
            oc_solver_cut_end(column, window, worker, aggregation, begin, last);
            for (uint32_t i = begin; i <= last; i++)
                CHECK(column[i] == best[oc_row(window->count, i) + (last - i)]);
        }
}

static void check_window(oc_window *window, oc_worker *worker,
                         const ocelotl_aggregation *aggregation)
{
    double *best = calloc(oc_intervals(window->count), sizeof *best);
    CHECK(best != NULL);
    try_all(best, window);
    check_ends(window, worker, aggregation, best);
    oc_solver_cut(window, worker, aggregation);
    check_ends(window, worker, aggregation, best);
    for (uint32_t i = 0; i < window->count; i++)
        for (uint32_t j = i; j < window->count; j++)
            CHECK(best[oc_row(window->count, i) + (j - i)] == window->best[i * window->stride + j]);
    free(best);
}

/* Solves at raw p, with the instructions given where the machine has them. */
static void check_bits(const large_model *model, double p, const char *instructions)
{
    OWN_MODEL *built = large_build(model);
    OWN_AGGREGATION *aggregation = test_aggregate_with(built, model->kind, 1, instructions);
    oc_solver *solver;
    oc_worker worker = {0};
    if (aggregation == NULL)
        return;
    CHECK_OK(oc_solver_borrow(&solver, aggregation));
    CHECK_OK(oc_solver_run(solver, aggregation, (oc_weight){.p = p}));
    for (uint32_t k = 0; k < aggregation->nodes.count; k++) {
        oc_window window = {.node = k, .first = 0, .count = aggregation->slices};
        CHECK_OK(oc_solver_look(&window, solver, &worker, aggregation, false));
        check_window(&window, &worker, aggregation);
    }
    oc_worker_free(&worker);
    oc_solver_return(solver, aggregation, true);
}

static void test_bits(void)
{
    static const double p[] = {0.001, 0.05, 0.3, 0.7, 0.999};
    for (uint32_t shape = 0; shape < LARGE_SHAPES; shape++)
        for (uint32_t texture = 0; texture < LARGE_TEXTURES; texture++) {
            large_model model = large_make(OCELOTL_SPATIOTEMPORAL, (large_shape)shape,
                                           (large_texture)texture, 12, 2, 40, 1 + texture);
            for (size_t i = 0; i < sizeof p / sizeof *p; i++)
                check_bits(&model, p[i], test_instructions[i % TEST_INSTRUCTIONS]);
            large_free(&model);
        }
}

/* One series of two values, one after the other. */
static large_model make_step(void)
{
    large_model model = large_make(OCELOTL_TEMPORAL, LARGE_FLAT, LARGE_DENSE, 1, 1, 96, 1);
    for (uint32_t t = 0; t < model.slices; t++)
        *large_at(&model, 0, 0, t) = t < 24 ? 1 : 2;
    return model;
}

/* Returns whether a cut of the slices up to `last` is best at raw p, for each begin in the first
 * four slices: vectors prove it for four rows together. Counts all cuts tried. */
static bool is_cut(uint64_t *tried, const ocelotl_aggregation *aggregation, uint32_t last, double p)
{
    oc_solver *solver;
    oc_worker worker = {0};
    oc_window window = {.node = 0, .first = 0, .count = aggregation->slices};
    bool cut = true;
    CHECK_OK(oc_solver_borrow(&solver, aggregation));
    CHECK_OK(oc_solver_run(solver, aggregation, (oc_weight){.p = p}));
    CHECK_OK(oc_solver_look(&window, solver, &worker, aggregation, false));
    oc_solver_cut(&window, &worker, aggregation);
    *tried = worker.tried;
    for (uint32_t i = 0; i < 4; i++) {
        const size_t at = i * window.stride + last;
        cut = cut && window.uncut[at] < window.best[at];
    }
    oc_worker_free(&worker);
    oc_solver_return(solver, aggregation, true);
    return cut;
}

static uint64_t count_tried(const ocelotl_aggregation *aggregation, double p)
{
    uint64_t tried;
    (void)is_cut(&tried, aggregation, 0, p);
    return tried;
}

/* Checks that cuts are skipped once their left sides are worse by little more than the margin: just
 * below the p at which they begin to be, as many are tried as far below. */
static void test_tight(void)
{
    large_model model = make_step();
    OWN_MODEL *built = large_build(&model);
    OWN_AGGREGATION *aggregation = test_aggregate(built, model.kind, 1);
    for (uint32_t last = 36; last < 60; last += 7) {
        double low = 0.001, high = 0.999;
        uint64_t tried;
        CHECK(is_cut(&tried, aggregation, last, low) && !is_cut(&tried, aggregation, last, high));
        while (high - low > 0x1p-46 * low) {
            const double middle = (low + high) / 2;
            *(is_cut(&tried, aggregation, last, middle) ? &low : &high) = middle;
        }
        const uint64_t before = count_tried(aggregation, low * (1 - 0x1p-36));
        CHECK(before == count_tried(aggregation, low * (1 - 0x1p-30)));
        CHECK(before < count_tried(aggregation, low * (1 + 0x1p-36)));
    }
    large_free(&model);
}

/* Solves at each p with a solver that remembers, and with a new one; all values are the same bits.
 * Returns how many cuts the first one spared more. */
static uint64_t compare_solvers(const ocelotl_aggregation *aggregation, const double *p,
                                size_t count)
{
    oc_solver *used;
    uint64_t spared = 0;
    CHECK_OK(oc_solver_borrow(&used, aggregation));
    for (size_t i = 0; i < count; i++) {
        oc_solver *fresh;
        CHECK_OK(oc_solver_borrow(&fresh, aggregation));
        CHECK_OK(oc_solver_run(used, aggregation, (oc_weight){.p = p[i]}));
        CHECK_OK(oc_solver_run(fresh, aggregation, (oc_weight){.p = p[i]}));
        for (uint32_t k = 0; k < aggregation->nodes.inner_count; k++)
            CHECK(memcmp(used->split[k], fresh->split[k],
                         oc_intervals(aggregation->slices) * sizeof(double)) == 0);
        spared += fresh->workers[0].tried - used->workers[0].tried;
        oc_solver_return(fresh, aggregation, false);
    }
    oc_solver_return(used, aggregation, true);
    return spared;
}

/* The same partitions from an aggregation that has solved at other p. */
static void compare_partitions(const ocelotl_model *built, ocelotl_kind kind, const double *p,
                               size_t count)
{
    OWN_AGGREGATION *used = test_aggregate(built, kind, 1);
    for (size_t i = 0; i < count; i++) {
        OWN_AGGREGATION *fresh = test_aggregate(built, kind, 1);
        OWN_PARTITION *a = must_solve_raw(used, p[i]);
        OWN_PARTITION *b = must_solve_raw(fresh, p[i]);
        test_check_same(a, b, ocelotl_model_info_of(built).type_count, 1);
    }
}

/* Falling, rising and random p, and some next to each other; the last model is homogeneous. */
static void test_reaches(void)
{
    static const uint32_t slices[] = {5, 33, 70, 101};
    enum { steps = 12 };
    double p[4][steps];
    uint64_t state = 7, spared = 0;
    for (int i = 0; i < steps; i++) {
        p[0][i] = 0.999 * pow(0.5, i);
        p[1][i] = p[0][0] * pow(0.5, steps - 1 - i);
        p[2][i] = check_uniform(&state);
        p[3][i] = 0.3 * (1 - ldexp(i % 4, -50)) - floor(i / 4.0) * 0.1;
    }
    for (uint32_t texture = 0; texture <= LARGE_TEXTURES; texture++)
        for (size_t s = 0; s < sizeof slices / sizeof *slices; s++) {
            large_model model =
                large_make(OCELOTL_SPATIOTEMPORAL, (large_shape)(texture % LARGE_SHAPES),
                           (large_texture)(texture % LARGE_TEXTURES), 6, 2, slices[s], 3 + texture);
            for (size_t i = 0; texture == LARGE_TEXTURES && i < (size_t)6 * 2 * slices[s]; i++)
                model.values[i] = 0.1;
            OWN_MODEL *built = large_build(&model);
            for (size_t name = 0; name < TEST_INSTRUCTIONS; name++) {
                OWN_AGGREGATION *aggregation =
                    test_aggregate_with(built, model.kind, 1, test_instructions[name]);
                for (size_t order = 0; aggregation != NULL && order < 4; order++)
                    spared += compare_solvers(aggregation, p[order], steps);
            }
            compare_partitions(built, model.kind, p[texture % 4], steps);
            large_free(&model);
        }
    CHECK(spared > 0);
}

int main(void)
{
    test_bits();
    test_reaches();
    test_tight();
    return 0;
}

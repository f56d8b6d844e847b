/* What messages say of clocks, where the answer is known: by hand, and in trials of samples before
 * and after a run, whose transits, outliers and lengths are those of the specification. */
#include "quality/clocks/network.h"
#include "quality/links.h"

#include "base/memory.h"
#include "check.h"

#include <ocelotl/types.h>

/* --- By hand */

static void test_hull(void)
{
    oc_hull hull = {0};
    for (int i = 0; i < 1000; i++)
        CHECK_OK(oc_hull_add(&hull, i % 100, 5 + (i * 37 % 101)));
    CHECK_OK(oc_hull_add(&hull, 0, 0));
    CHECK_OK(oc_hull_add(&hull, 50, -10));
    CHECK_OK(oc_hull_add(&hull, 99, 4));
    oc_hull_finish(&hull);
    CHECK(hull.count == 3 && hull.points[1].x == 50 && hull.points[1].z == -10);
    CHECK(oc_hull_least(&hull, 0) == -10);
    CHECK(oc_hull_least(&hull, -1) == 0);
    CHECK(oc_hull_least(&hull, 1) == 4 - 99);
    CHECK(oc_hull_slope_at(&hull, 10) == -0.2);
    CHECK_NEAR(oc_hull_slope_at(&hull, 60), 14. / 49, 1e-12);
    oc_hull_free(&hull);
}

/* A clock that is 1000 ticks ahead and 0.01 fast; messages take 6 and 10 ticks there, 4 and 8 back.
 */
static void test_line(void)
{
    oc_pairing pairing = {.a = 0, .b = 1};
    CHECK_OK(oc_pairing_add(&pairing, 0, 1006, true));
    CHECK_OK(oc_pairing_add(&pairing, 1000, 2020, true));
    CHECK_OK(oc_pairing_add(&pairing, 8, 1004, false));
    CHECK_OK(oc_pairing_add(&pairing, 1008, 2010, false));
    oc_hull_finish(&pairing.above);
    oc_hull_finish(&pairing.below);
    oc_line_find(&pairing, 0.1);
    CHECK(pairing.width > 0);
    /* The truth is among what no point contradicts, at both ends and between. */
    for (int x = 0; x <= 1008; x += 8) {
        const double truth = 1000 + 0.01 * x - (double)pairing.z;
        CHECK(oc_line_lowest(&pairing, x) <= truth && truth <= oc_line_highest(&pairing, x));
    }
    /* At 0 a line is no higher than the first point above it. */
    CHECK_NEAR(oc_line_highest(&pairing, 0), 0, 1e-6);
    CHECK_NEAR(oc_line_lowest(&pairing, 1008), 2010 - 1008 - 1006, 1e-6);
    oc_pairing_free(&pairing);

    /* The second message contradicts any line that is flat enough. */
    oc_pairing bent = {.a = 0, .b = 1};
    CHECK_OK(oc_pairing_add(&bent, 0, 0, true));
    CHECK_OK(oc_pairing_add(&bent, 0, 100, false));
    oc_hull_finish(&bent.above);
    oc_hull_finish(&bent.below);
    oc_line_find(&bent, 1e-4);
    CHECK_NEAR(bent.width, -100, 1e-6);
    oc_pairing_free(&bent);
}

/* What goes round is a set; what hangs on it by messages one way is not in it. */
static void test_sets(void)
{
    static const uint32_t ways[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {4, 5}, {5, 4}};
    oc_network network = {0};
    CHECK_OK(oc_network_make(&network, 7));
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const uint32_t a = ways[i][0], b = ways[i][1];
        uint32_t pairing;
        CHECK_OK(oc_network_pair(&pairing, &network, a < b ? a : b, a < b ? b : a));
        CHECK_OK(oc_network_add(&network, pairing, a, 10, b, 20));
    }
    network.most_drift = 1e-4;
    CHECK_OK(oc_network_join(&network, NULL, 0));
    CHECK(network.set_count == 4);
    CHECK(network.clocks[0].set == network.clocks[1].set);
    CHECK(network.clocks[0].set == network.clocks[2].set);
    CHECK(network.clocks[3].set != network.clocks[0].set);
    CHECK(network.clocks[4].set == network.clocks[5].set);
    CHECK(network.clocks[6].set == 3);
    CHECK_OK(oc_network_solve(&network));
    CHECK_OK(oc_network_bound(&network));
    oc_network_free(&network);
}

/* What pairs of clocks say of each other at the ends of the range of times. */
static void test_least_of_all(void)
{
    oc_clock_sums pairs[] = {
        {.source = 0, .target = 1, .links = 1, .least = 5, .transit = 5, .most_ahead = 5},
        {.source = 1,
         .target = 0,
         .links = 1,
         .least = INT64_MIN,
         .transit = -1,
         .most_ahead = INT64_MIN}};
    uint32_t resources[] = {OCELOTL_NONE, OCELOTL_NONE};
    ocelotl_causality c = {.pairs = pairs, .pair_count = 2};
    c.clocks.resources = resources;
    c.clocks.count = 2;
    CHECK(ocelotl_causality_pair_at(&c, 0).ahead_least == INT64_MAX);
    CHECK(ocelotl_causality_pair_at(&c, 0).ahead_most == 5);
    CHECK(ocelotl_causality_pair_at(&c, 1).ahead_least == -5);
    pairs[1].most_ahead = INT64_MAX;
    CHECK(ocelotl_causality_pair_at(&c, 0).ahead_least == INT64_MIN);
}

/* --- Samples before and after a run of an hour */

enum { TRIALS = 400, SAMPLES = 15 };

static uint64_t state = 42;

/* Half the transit of some exchanges is much longer, one way. */
static double transit(void)
{
    const double waits = check_uniform(&state) < 0.2 ? check_uniform(&state) * 1e6 : 0;
    return 50e3 - 20e3 * log(1 - check_uniform(&state)) + waits;
}

static double largest_error(double amplitude, double period)
{
    oc_pairing pairing = {.a = 0, .b = 1};
    const double offset = (check_uniform(&state) - 0.5) * 2e9;
    const double drift = (check_uniform(&state) - 0.5) * 1e-4;
    const double phase = check_uniform(&state) * 6.283185307179586;
    double worst = 0;
    for (int k = 0; k < 2 * SAMPLES; k++) {
        const double sent = (k < SAMPLES ? k : 3600 + k) * 1e9;
        const double there = sent + transit();
        const double back = there + transit();
        const double wave = amplitude * sin(6.283185307179586 * there / period + phase);
        const int64_t read = (int64_t)llrint(offset + (1 + drift) * there + wave);
        CHECK_OK(oc_pairing_add(&pairing, (int64_t)llrint(sent), read, true));
        CHECK_OK(oc_pairing_add(&pairing, (int64_t)llrint(back), read, false));
    }
    oc_hull_finish(&pairing.above);
    oc_hull_finish(&pairing.below);
    oc_line_find(&pairing, 1e-4);
    for (int i = 0; i <= 100; i++) {
        const double x = i * 36e9;
        const double wave = amplitude * sin(6.283185307179586 * x / period + phase);
        const double truth = offset + drift * x + wave - (double)pairing.z;
        worst = fmax(worst, fabs(pairing.line.level + pairing.line.slope * x - truth));
        CHECK(amplitude > 0 || (oc_line_lowest(&pairing, x) <= truth + 1 &&
                                truth - 1 <= oc_line_highest(&pairing, x)));
    }
    oc_pairing_free(&pairing);
    return worst;
}

static void check_trials(double amplitude, double period, double most)
{
    double errors[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        errors[i] = largest_error(amplitude, period);
    qsort(errors, TRIALS, sizeof errors[0], check_ascending);
    printf("wave of %g us: median %.1f us, 95 %% %.1f us\n", amplitude / 1e3,
           errors[TRIALS / 2] / 1e3, errors[TRIALS * 95 / 100] / 1e3);
    CHECK(errors[TRIALS * 95 / 100] <= most);
}

int main(void)
{
    test_hull();
    test_line();
    test_sets();
    test_least_of_all();
    check_trials(0, 1, 6e3);
    check_trials(17.5e3, 1020e9, 35e3);
    return 0;
}

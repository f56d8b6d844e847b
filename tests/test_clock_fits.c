/* Least squares over samples of clocks, against tables of Student's t, figures that É. Maillet
 * printed (Le traçage logiciel d'applications parallèles, 1996), and clocks that are known. */
#include "answer/answer.h"
#include "quality/fit/fit.h"

#include "check.h"

static const double pi = 3.14159265358979323846;

static uint64_t state = 7;

static double gaussian(void)
{
    return sqrt(-2 * log(1 - check_uniform(&state))) * cos(2 * pi * check_uniform(&state));
}

/* --- By hand */

static void test_student(void)
{
    CHECK_NEAR(oc_fit_student(1), 12.706, 1e-3);
    CHECK_NEAR(oc_fit_student(2), 4.303, 1e-3);
    CHECK_NEAR(oc_fit_student(5), 2.571, 1e-3);
    CHECK_NEAR(oc_fit_student(8), 2.306, 1e-3);
    CHECK_NEAR(oc_fit_student(30), 2.042, 1e-3);
    CHECK_NEAR(oc_fit_student(1000), 1.962, 1e-3);
    CHECK_NEAR(oc_fit_student(1001), 1.962, 1e-3);
    CHECK(isinf(oc_fit_student(0)));
}

/* Residuals 1, -2, 1 of the line 1 + x / 2: s^2 = 6, Sxx = 2. */
static void test_line(void)
{
    static const oc_fit_point points[] = {{0, 2}, {1, -0.5}, {2, 3}};
    oc_fit line;
    oc_fit_line(&line, points, 3);
    CHECK_NEAR(line.level, 1, 1e-12);
    CHECK_NEAR(line.slope, 0.5, 1e-12);
    CHECK_NEAR(line.deviation, sqrt(6), 1e-12);
    CHECK_NEAR(line.slope_error, sqrt(3), 1e-12);
    CHECK_NEAR(line.level_error, sqrt(6) * sqrt(1. / 3 + 1. / 2), 1e-12);
    CHECK_NEAR(line.durbin_watson, 18. / 6, 1e-12);
    oc_fit_line(&line, points, 1);
    CHECK(line.level == 2 && line.slope == 0 && isinf(line.level_error));
}

static void test_median(void)
{
    size_t left;
    oc_fit_point points[] = {{0, 5}, {1, 1}, {2, 3}, {3, 9}, {4, 4}};
    CHECK_OK(oc_fit_median(&left, points, 5, 3));
    CHECK(left == 3 && points[0].z == 3 && points[0].x == 2 && points[1].z == 3 &&
          points[2].z == 4 && points[2].x == 4);
    /* Three points stay. */
    CHECK_OK(oc_fit_median(&left, points, 3, 5));
    CHECK(left == 3 && points[2].z == 4);
}

static void test_steps(void)
{
    enum { COUNT = 200 };
    oc_fit_point points[COUNT];
    oc_fit line;
    bool steps;
    for (int trial = 0; trial < 300; trial++) {
        const int kind = trial % 3;
        for (int i = 0; i < COUNT; i++) {
            const double wave = kind == 1 ? 50 * sin(i / 10.) : 0;
            const double set = kind == 2 ? 100 * ((i / 25) % 2) : 0;
            points[i] = (oc_fit_point){i, 3 * gaussian() + wave + set};
        }
        oc_fit_line(&line, points, COUNT);
        CHECK_OK(oc_fit_finds_steps(&steps, &line, points, COUNT));
        CHECK(steps == (kind == 2));
    }
}

/* --- The clock of an SP2 (table 3.2): 922 points, 8 s apart */

static void test_wave(void)
{
    enum { COUNT = 922, TRIALS = 200 };
    static const double turn = 0.3208 / 60;
    oc_fit_point points[COUNT];
    oc_fit mean = {0};
    double linear = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        oc_fit line, wave;
        for (int i = 0; i < COUNT; i++) {
            const double x = 8. * i;
            points[i] = (oc_fit_point){x, 59726.8 + 0.2046 * x + 17.5 * sin(turn * x + 2.72) +
                                              11.1 * gaussian()};
        }
        oc_fit_line(&line, points, COUNT);
        oc_fit_wave(&wave, points, COUNT);
        linear += line.durbin_watson / TRIALS;
        mean.amplitude += wave.amplitude / TRIALS;
        mean.turn += wave.turn / TRIALS;
        mean.amplitude_error += wave.amplitude_error / TRIALS;
        mean.turn_error += wave.turn_error / TRIALS;
        mean.phase_error += wave.phase_error / TRIALS;
        mean.slope_error += wave.slope_error / TRIALS;
        mean.durbin_watson += wave.durbin_watson / TRIALS;
        CHECK(fabs(remainder(wave.phase - 2.72, 2 * pi)) < 0.3);
    }
    printf("SP2: A %.2f se %.3f, theta %.5f se %.5f, phase se %.4f, slope se %.3g us/s, "
           "Durbin-Watson %.3f, linear %.3f\n",
           mean.amplitude, mean.amplitude_error, mean.turn * 60, mean.turn_error * 60,
           mean.phase_error, mean.slope_error, mean.durbin_watson, linear);
    CHECK_NEAR(mean.amplitude, 17.5, 0.1);
    CHECK_NEAR(mean.amplitude_error, 0.52, 0.005);
    CHECK_NEAR(mean.turn * 60, 0.3209, 0.0005);
    CHECK_NEAR(mean.turn_error * 60, 0.0008, 0.00005);
    CHECK_NEAR(mean.phase_error, 0.058, 0.002);
    CHECK_NEAR(mean.slope_error * 1e-6, 1.7e-10, 0.1e-10);
    CHECK_NEAR(linear, 0.906, 0.03);
    CHECK_NEAR(mean.durbin_watson, 2.02, 0.03);
}

/* --- What Tape/PVM printed (figure 6.1) */

static void test_percent(void)
{
    static const double printed[][3] = {{0.156340, 0.000136, 0.09},  {-0.587212, 0.000344, 0.06},
                                        {-0.707214, 0.000041, 0.01}, {-0.471192, 0.000056, 0.01},
                                        {0.352856, 0.000043, 0.01},  {0.235829, 0.000038, 0.02},
                                        {-0.826943, 0.000043, 0.01}, {-0.426932, 0.000065, 0.02}};
    for (size_t i = 0; i < sizeof printed / sizeof printed[0]; i++)
        CHECK(lround(100 * oc_percent_of(printed[i][1], printed[i][0])) ==
              lround(100 * printed[i][2]));
}

/* --- Phases of samples before and after a run */

/* The largest error in `length` seconds of a clock that oscillates, from `before` samples a second
 * apart, and as many behind the run or none. */
static double error_of_wave(double length, int before, bool after, double phase)
{
    enum { MOST = 600 };
    static const double amplitude = 50;
    static const double turn = 2 * pi / (17 * 60);
    oc_fit_point points[MOST];
    oc_fit line;
    double worst = 0;
    size_t count = 0;
    for (int i = 0; i < (after ? 2 : 1) * before; i++) {
        const double x = i < before ? i : length + i;
        points[count++] = (oc_fit_point){x, amplitude * sin(turn * x + phase)};
    }
    oc_fit_line(&line, points, count);
    for (int i = 0; i <= 2000; i++) {
        const double x = before + length * i / 2000;
        worst = fmax(worst, fabs(line.level + line.slope * x - amplitude * sin(turn * x + phase)));
    }
    return worst;
}

/* A Meganode (3.4.2, 3.4.3): a message takes 512 us. */
static void test_meganode(void)
{
    enum { PHASES = 60 };
    int exceeds = 0;
    for (int i = 0; i < PHASES; i++) {
        const double phase = 2 * pi * i / PHASES;
        exceeds += error_of_wave(4 * 3600, 300, false, phase) > 512;
        CHECK(error_of_wave(10 * 3600, 150, true, phase) < 512);
        CHECK(error_of_wave(10 * 3600, 150, true, phase) <= 2 * 50);
    }
    printf("Meganode: samples before a run of 4 h are not enough in %d of %d phases\n", exceeds,
           PHASES);
    CHECK(exceeds > PHASES / 2);
}

/* --- Samples with outliers before and after a run of an hour */

enum { TRIALS = 4000, SAMPLES = 15 };

static double transit(void)
{
    return 50 - 20 * log(1 - check_uniform(&state));
}

typedef struct trial {
    bool after;       /* samples are taken behind the run, too */
    size_t window;    /* of the running median */
    double amplitude; /* of an oscillation of 17 minutes */
} trial;

static double wave_of(const trial *is, double phase, double time)
{
    return is->amplitude * sin(2 * pi * time / 1020e6 + phase);
}

/* One question in five waits up to a millisecond; answers do not. */
static double error_of_samples(const trial *is)
{
    oc_fit_point points[2 * SAMPLES];
    oc_fit line;
    double worst = 0;
    const size_t count = is->after ? 2 * SAMPLES : SAMPLES;
    const double level = (check_uniform(&state) - 0.5) * 2e6;
    const double drift = (check_uniform(&state) - 0.5) * 1e-4;
    const double phase = is->amplitude > 0 ? 2 * pi * check_uniform(&state) : 0;
    for (size_t k = 0; k < count; k++) {
        const double sent = 1e6 * ((double)k + (k < SAMPLES ? 0 : 3600 - SAMPLES));
        const double went =
            transit() + (check_uniform(&state) < 0.2 ? check_uniform(&state) * 1e3 : 0);
        const double came = transit();
        const double at = sent + went;
        points[k] = (oc_fit_point){at + came,
                                   level + drift * at + wave_of(is, phase, at) + (went - came) / 2};
    }
    size_t left;
    CHECK_OK(oc_fit_median(&left, points, count, is->window));
    oc_fit_line(&line, points, left);
    for (int i = 0; i <= 100; i++) {
        const double at = i * 36e6;
        worst = fmax(worst, fabs(line.level + line.slope * at - level - drift * at -
                                 wave_of(is, phase, at)));
    }
    return worst;
}

/* Of all trials the median and what 95 % are below are near what is known, where it is. */
static void check_trials(const trial *is, double median, double most)
{
    double errors[TRIALS];
    for (int i = 0; i < TRIALS; i++)
        errors[i] = error_of_samples(is);
    qsort(errors, TRIALS, sizeof errors[0], check_ascending);
    printf("%s, median of %zu, wave of %g us: %.1f us, 95 %% %.1f us\n",
           is->after ? "before and after" : "before", is->window, is->amplitude, errors[TRIALS / 2],
           errors[TRIALS * 95 / 100]);
    CHECK(median <= 0 || fabs(errors[TRIALS / 2] - median) <= 0.2 * median);
    CHECK(most <= 0 || fabs(errors[TRIALS * 95 / 100] - most) <= 0.2 * most);
}

int main(void)
{
    test_student();
    test_line();
    test_median();
    test_steps();
    test_wave();
    test_percent();
    test_meganode();
    check_trials(&(trial){false, 1, 0}, 17235, 0);
    check_trials(&(trial){false, 5, 0}, 4265, 0);
    check_trials(&(trial){true, 1, 0}, 57, 109);
    check_trials(&(trial){true, 5, 0}, 8.9, 70);
    check_trials(&(trial){true, 1, 17.5}, 0, 124);
    check_trials(&(trial){true, 5, 17.5}, 0, 85);
    return 0;
}

/* The arithmetic of what a tracer adds and what is left, against tables that others have printed:
 * E. Maillet, Le traçage logiciel d'applications parallèles, 1996. */
#include "check.h"
#include "quality/perturbation.h"

#include <math.h>

static bool is_near(double found, double expected, double most)
{
    return fabs(found - expected) <= most;
}

/* Tables 4.3 to 4.5: runs without tracer, corrected and traced, and what follows in percent. */
static void test_shares(void)
{
    static const struct {
        double without, corrected, traced, perturbation, removed;
    } rows[] = {{37289.5, 37291.6, 46180.2, 23.8, 99.98},
                {18.2, 18.6, 20.7, 13.7, 84},
                {26.7, 27.0, 32.6, 22.1, 95},
                {122.5, 122.8, 125.4, 2.4, 90},
                {101.3, 101.85, 107.9, 6.5, 92},
                {1.17, 1.19, 1.28, 9.4, 82},
                {1.17, 1.30, 2.40, 105, 89}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const ocelotl_shares shares =
            ocelotl_perturbation_shares(rows[i].without, rows[i].corrected, rows[i].traced);
        CHECK(is_near(100 * shares.perturbation, rows[i].perturbation, 0.5));
        CHECK(is_near(100 * shares.removed, rows[i].removed, 0.6));
    }
    CHECK(is_near(100 * ocelotl_perturbation_shares(37289.5, 37291.6, 46180.2).residual, 0.0056,
                  1e-4));
    /* table 6.1: a prediction is a correction of a run of 125.2 s */
    static const double predicted[][2] = {{122.6, 2.1}, {89.1, 28.8}, {79.6, 36.4}};
    for (size_t i = 0; i < 3; i++)
        CHECK(is_near(100 * (1 - predicted[i][0] / 125.2), predicted[i][1], 0.05));
}

/* Figures 6.2 and 6.4: mean and deviation of residuals, t, and what |t| may reach. The first prints
 * 2.44, which is exceeded once in 50 times. */
static void test_student(void)
{
    CHECK(is_near(ocelotl_student_of(0.20564, 0.16145, 36), 7.642, 1e-3));
    CHECK(is_near(ocelotl_student_critical(36), 2.030, 1e-3));
    CHECK(is_near(ocelotl_student_of(-0.022589, 0.069625, 34), -1.892, 1e-3));
    CHECK(is_near(ocelotl_student_critical(34), 2.035, 1e-3));
    CHECK(is_near(ocelotl_student_critical(31), 2.0423, 1e-3));
    CHECK(is_near(ocelotl_student_critical(1000000), 1.95997, 1e-4));
}

/* 2902.617 us, and 0.688442 s for 10^6 bytes. */
static void test_line(void)
{
    const ocelotl_size_line line = {2902.617e-6, 0.688442e-6};
    CHECK(is_near(line.fixed + line.per_byte * 262144, 0.183374, 1e-6));
}

int main(void)
{
    test_shares();
    test_student();
    test_line();
    return 0;
}

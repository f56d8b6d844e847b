/* Which clocks are the worst, and within what all others are. */
#ifndef OC_VIZ_CLOCKS_WORST_H
#define OC_VIZ_CLOCKS_WORST_H

#include <ocelotl/clocks.h>

/* A clock, over all its steps. */
typedef struct oc_course {
    uint32_t clock;
    double width; /* of its band, in ticks; infinite: it is not bounded */
    double off;   /* the most that it is found off its line */
    uint64_t wrong, still;
} oc_course;

/* O(steps). */
oc_course oc_course_of(const ocelotl_clock_courses *courses, uint32_t clock);

/* Puts those that are known least first; of these, those that messages contradict. */
void oc_courses_sort(oc_course *courses, uint32_t count);

/* Some clocks at a step. */
typedef struct oc_courses_step {
    const oc_course *clocks;
    uint32_t count, step;
} oc_courses_step;

/* What the bounds of a share of clocks do not exceed at a step, above or below; for clocks without
 * bounds how they were found. `values` has room for one of each. O(clocks log). */
double oc_courses_bound(double *values, const ocelotl_clock_courses *courses,
                        const oc_courses_step *at, bool above, double share);

#endif

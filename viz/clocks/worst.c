/* Clocks in the order in which somebody has to look at them. */
#include "viz/clocks/worst.h"

#include <math.h>
#include <stdlib.h>

oc_course oc_course_of(const ocelotl_clock_courses *courses, uint32_t clock)
{
    const uint32_t steps = ocelotl_clock_courses_info_of(courses).steps;
    oc_course found = {.clock = clock};
    for (uint32_t step = 0; step <= steps; step++) {
        const ocelotl_clock_instant instant = ocelotl_clock_courses_at(courses, clock, step);
        found.width = fmax(found.width, instant.most - instant.least);
        found.off = fmax(found.off, fabs(instant.off));
        found.wrong += instant.wrong;
        found.still += instant.still;
    }
    return found;
}

static int descending(double first, double second)
{
    return (first < second) - (first > second);
}

static int compare_courses(const void *first, const void *second)
{
    const oc_course *a = first;
    const oc_course *b = second;
    const int by_width = descending(a->width, b->width);
    const int by_off = descending(a->off, b->off);
    if (by_width != 0)
        return by_width;
    if (a->still != b->still)
        return a->still < b->still ? 1 : -1;
    if (by_off != 0)
        return by_off;
    if (a->wrong != b->wrong)
        return a->wrong < b->wrong ? 1 : -1;
    return (a->clock > b->clock) - (a->clock < b->clock);
}

void oc_courses_sort(oc_course *courses, uint32_t count)
{
    qsort(courses, count, sizeof *courses, compare_courses);
}

static int ascending(const void *first, const void *second)
{
    return descending(*(const double *)second, *(const double *)first);
}

double oc_courses_bound(double *values, const ocelotl_clock_courses *courses,
                        const oc_courses_step *at, bool above, double share)
{
    for (uint32_t i = 0; i < at->count; i++) {
        const ocelotl_clock_instant instant =
            ocelotl_clock_courses_at(courses, at->clocks[i].clock, at->step);
        const bool told = isfinite(instant.least) && isfinite(instant.most);
        const double value = !told ? instant.off : above ? instant.most : instant.least;
        values[i] = above ? value : -value;
    }
    qsort(values, at->count, sizeof *values, ascending);
    const double found = values[(uint32_t)((at->count - 1) * share)];
    return above ? found : -found;
}

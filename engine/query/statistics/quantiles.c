/* Durations, one by one, for the quantiles of a line. */
#include "query/statistics/statistics.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_statistics_collect(const oc_statistics_sums *sums, oc_statistic_sums *line,
                                     double duration)
{
    if (!sums->collects)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&line->durations, &line->duration_capacity, line->duration_count + 1,
                   sizeof *line->durations));
    line->durations[line->duration_count++] = duration;
    return OCELOTL_OK;
}

ocelotl_status oc_statistics_gather(oc_statistic_sums *whole, const oc_statistic_sums *line)
{
    const size_t count = whole->duration_count + line->duration_count;
    if (line->duration_count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&whole->durations, &whole->duration_capacity, count, sizeof *whole->durations));
    memcpy(whole->durations + whole->duration_count, line->durations,
           line->duration_count * sizeof *whole->durations);
    whole->duration_count = count;
    return OCELOTL_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

void oc_statistics_sort_durations(oc_statistic_sums *line)
{
    if (line->duration_count > 1)
        qsort(line->durations, line->duration_count, sizeof *line->durations, compare_numbers);
}

/* The least duration that at least this many hundredths of all do not exceed: whole numbers alone
 * decide which it is. */
double oc_statistics_quantile(const oc_statistic_sums *line, unsigned hundredths)
{
    const size_t count = line->duration_count;
    if (count == 0)
        return (double)NAN;
    const size_t rest = count % 100 * hundredths;
    const size_t rank = count / 100 * hundredths + rest / 100 + (rest % 100 > 0);
    return line->durations[rank > 0 ? rank - 1 : 0];
}

/* Durations, one by one, for the quantiles of a line. */
#include "query/statistics/statistics.h"

#include "base/memory.h"
#include "base/weighed.h"

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

/* Pieces are sorted each by itself: between two of them a caller can end it all. */
enum { PIECE = 1 << 17 };

static size_t length_of_piece(const oc_statistic_sums *line, size_t begin)
{
    const size_t rest = line->duration_count - begin;
    return rest < PIECE ? rest : PIECE;
}

ocelotl_status oc_statistics_sort_durations(oc_statistic_sums *line, const oc_reader *reader)
{
    for (size_t i = 0; i < line->duration_count; i += PIECE) {
        qsort(line->durations + i, length_of_piece(line, i), sizeof *line->durations,
              oc_compare_numbers);
        OC_TRY(oc_reader_ask(reader));
    }
    return OCELOTL_OK;
}

/* How many durations of a sorted piece a number is not below. */
static size_t count_in_piece(const double *piece, size_t length, double number)
{
    size_t low = 0;
    while (low < length) {
        const size_t middle = low + (length - low) / 2;
        if (piece[middle] <= number)
            low = middle + 1;
        else
            length = middle;
    }
    return low;
}

static size_t count_up_to(const oc_statistic_sums *line, double number)
{
    size_t count = 0;
    for (size_t i = 0; i < line->duration_count; i += PIECE)
        count += count_in_piece(line->durations + i, length_of_piece(line, i), number);
    return count;
}

static const uint64_t sign = UINT64_C(1) << 63;

/* A number's place among all that a double can hold. */
static uint64_t place_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

static double number_at(uint64_t place)
{
    const uint64_t bits = (place & sign) != 0 ? place ^ sign : ~place;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number + 0.0; /* there is one 0 */
}

/* The least number that at least `rank` durations do not exceed, which is one of them. */
static double find_rank(const oc_statistic_sums *line, size_t rank)
{
    uint64_t low = place_of(-INFINITY);
    uint64_t high = place_of(INFINITY);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (count_up_to(line, number_at(middle)) >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return number_at(low);
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
    return count <= PIECE ? line->durations[rank > 0 ? rank - 1 : 0]
                          : find_rank(line, rank > 0 ? rank : 1);
}

/* Functions from times to new times. */
#include "quality/derive/derive.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const ocelotl_time_function unchanged = {NULL, 0};

/* --- Functions */

/* The last piece that begins by a tick, or the first. */
const ocelotl_time_piece *oc_time_piece_at(const ocelotl_time_function *function, int64_t tick)
{
    size_t low = 0;
    size_t high = function->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (function->pieces[middle].from <= tick)
            low = middle;
        else
            high = middle;
    }
    return &function->pieces[low];
}

/* Adds to ticks what is no whole number of them. Halves go to even ticks of the sum, not of the
 * part: two clocks that put an instant at the same time must round it alike. */
static bool add_part(int64_t *sum, int64_t ticks, double part)
{
    const double below = floor(part);
    const double rest = part - below;
    if (!(fabs(below) < 0x1p63) || __builtin_add_overflow(ticks, (int64_t)below, sum))
        return false;
    const bool up = rest > 0.5 || (rest == 0.5 && (*sum & 1) != 0);
    return !up || !__builtin_add_overflow(*sum, 1, sum);
}

/* A double never holds an absolute time: of 10^18 ns it would lose the last 7 bits. */
int64_t oc_time_of(const ocelotl_time_function *function, int64_t tick, int64_t factor, bool *fits)
{
    static const ocelotl_time_piece as_it_is = {0};
    int64_t time;
    const ocelotl_time_piece *piece =
        function->count > 0 ? oc_time_piece_at(function, tick) : &as_it_is;
    const double since = tick >= piece->from ? (double)((uint64_t)tick - (uint64_t)piece->from)
                                             : -(double)((uint64_t)piece->from - (uint64_t)tick);
    const double part = (double)factor * (piece->fraction + piece->drift * since);
    if (!__builtin_add_overflow(tick, piece->offset, &time) &&
        !__builtin_mul_overflow(time, factor, &time) && add_part(&time, time, part))
        return time;
    if (fits != NULL)
        *fits = false;
    return (double)tick + (double)piece->offset + part / (double)factor < 0 ? INT64_MIN : INT64_MAX;
}

int64_t ocelotl_time_of(const ocelotl_time_function *function, int64_t tick, bool *fits)
{
    return oc_time_of(function, tick, 1, fits);
}

ocelotl_status oc_time_function_check(const ocelotl_time_function *function)
{
    for (size_t i = 0; i < function->count; i++) {
        const ocelotl_time_piece *piece = &function->pieces[i];
        if (!(fabs(piece->fraction) <= 1) || !(piece->drift > -1) || !(piece->drift < 1e15))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "piece %zu of a clock has the fraction %g and the drift %g, expected a "
                           "function of time that grows",
                           i, piece->fraction, piece->drift);
        if (i == 0)
            continue;
        const ocelotl_time_function before = {function->pieces, i};
        if (piece->from <= piece[-1].from || ocelotl_time_of(&before, piece->from - 1, NULL) >
                                                 ocelotl_time_of(function, piece->from, NULL))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "a clock runs backwards at tick %" PRId64
                           ", expected a function of time that grows",
                           piece->from);
    }
    return OCELOTL_OK;
}

/* A function as it was, moved by what a point is. */
static ocelotl_time_piece piece_at(const ocelotl_time_function *function, const oc_shift *at)
{
    const ocelotl_time_piece *piece = oc_time_piece_at(function, at->read);
    const double since = piece->drift * ((double)at->read - (double)piece->from);
    const double sum = piece->fraction + since + at->shift;
    const double whole = rint(sum);
    return (ocelotl_time_piece){.from = at->read,
                                .offset = piece->offset + (int64_t)whole,
                                .fraction = sum - whole,
                                .drift = piece->drift};
}

/* Points between which the line is straight need no piece of their own. */
static bool is_on_line(const oc_shift *first, const oc_shift *middle, const oc_shift *last)
{
    const double whole = (double)last->read - (double)first->read;
    const double part = (double)middle->read - (double)first->read;
    const double expected = first->shift + (last->shift - first->shift) * part / whole;
    return !middle->stays && fabs(middle->shift - expected) < 1e-3;
}

/* Time that is taken out as a whole hardly passes. */
static const double steepest = -1 + 1e-12;

size_t oc_time_function_shift(ocelotl_time_piece *pieces, const ocelotl_time_function *function,
                              const oc_shift *points, size_t count)
{
    size_t made = 0;
    const oc_shift *kept = NULL;
    for (size_t i = 0; i < count; i++) {
        if (kept != NULL && i + 1 < count && is_on_line(kept, &points[i], &points[i + 1]))
            continue;
        pieces[made] = piece_at(function, &points[i]);
        if (kept != NULL)
            pieces[made - 1].drift =
                fmax(steepest,
                     pieces[made - 1].drift + (points[i].shift - kept->shift) /
                                                  ((double)points[i].read - (double)kept->read));
        kept = &points[i];
        made++;
    }
    return made;
}

/* What no group is above of lives as long as what is below it, if that is in groups. */
ocelotl_status oc_functions_of_groups(uint32_t *function_of, const ocelotl_trace *trace,
                                      const oc_groups *groups)
{
    bool *is_above = NULL;
    OC_TRY(oc_allocate(&is_above, trace->resource_count, sizeof *is_above));
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        const uint32_t group = groups->group_of[r];
        const uint32_t parent = trace->resources[r].parent;
        const bool has = group < groups->count;
        function_of[r] = has ? group + 1 : is_above[r] ? OCELOTL_NONE : 0;
        if (parent != OCELOTL_ROOT && (has || is_above[r]))
            is_above[parent] = true;
    }
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        if (function_of[r] == 0 && parent != OCELOTL_ROOT && function_of[parent] != OCELOTL_NONE)
            function_of[r] = function_of[parent];
    }
    free(is_above);
    return OCELOTL_OK;
}

/* --- Of a derived trace */

static const ocelotl_time_function *function_of(const oc_derivation *d, uint32_t resource)
{
    const ocelotl_derive_options *options = &d->options;
    if (options->function_count == 0)
        return &unchanged;
    const uint32_t function = resource < d->trace->resource_count && options->function_of != NULL
                                  ? options->function_of[resource]
                                  : 0;
    return &options->functions[function < options->function_count ? function : 0];
}

int64_t oc_derive_time(oc_derivation *d, uint32_t resource, int64_t tick)
{
    int64_t time = oc_time_of(function_of(d, resource), tick, d->factor, &d->fits);
    if (__builtin_add_overflow(time, d->shift, &time))
        d->fits = false;
    return time;
}

ocelotl_status oc_derive_check(const oc_derivation *d)
{
    return d->fits ? OCELOTL_OK
                   : oc_fail(OCELOTL_ERROR_ARGUMENT,
                             "%s: a new time has more than 2^63 ticks, expected clocks that are "
                             "less far apart",
                             d->trace->label);
}

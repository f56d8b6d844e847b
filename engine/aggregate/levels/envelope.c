#include "aggregate/levels/envelope.h"

#include <float.h>

/* The share of gain and loss that rounding can make of sums that are kept in two parts. */
#define NOTHING 0x1p-96

/* How close the odds p / (1 - p) of two crossings can be, and still be told from each other. */
#define SAME_ODDS 0x1p-40

oc_line oc_line_of(const oc_solution *solution)
{
    return (oc_line){solution->gain, solution->loss, solution->gain_rest, solution->loss_rest};
}

oc_line oc_line_of_whole(const ocelotl_aggregation *aggregation)
{
    return (oc_line){aggregation->whole_gain, aggregation->whole_loss, 0, 0};
}

/* What `high` gains and loses more than `low`. */
static oc_line step_of(oc_line low, oc_line high)
{
    return (oc_line){(high.gain - low.gain) + (high.gain_rest - low.gain_rest),
                     (high.loss - low.loss) + (high.loss_rest - low.loss_rest), 0, 0};
}

/* Something, and not next to nothing beside what it loses more. */
static bool gains_more(oc_line low, oc_line high)
{
    const oc_line step = step_of(low, high);
    return step.gain > NOTHING * (high.gain + high.loss) && step.gain > OC_TIE * step.loss;
}

double oc_crossing_raw(oc_line low, oc_line high)
{
    const oc_line step = step_of(low, high);
    if (!gains_more(low, high))
        return 1;
    return step.loss > 0 ? step.loss / (step.loss + step.gain) : 0;
}

/* Gain and loss as shares of the whole's, where those are not 0. */
static oc_line normalise(const ocelotl_aggregation *aggregation, oc_line line)
{
    if (aggregation->whole_gain > 0 && aggregation->whole_loss > 0)
        return (oc_line){line.gain / aggregation->whole_gain, line.loss / aggregation->whole_loss,
                         0, 0};
    return line;
}

double oc_crossing(const ocelotl_aggregation *aggregation, oc_line low, oc_line high)
{
    const oc_line step = normalise(aggregation, step_of(low, high));
    if (!gains_more(low, high))
        return 1;
    return step.loss > 0 ? step.loss / (step.loss + step.gain) : 0;
}

double oc_line_value(const ocelotl_aggregation *aggregation, oc_line line, double p)
{
    const oc_line normal = normalise(aggregation, line);
    return p * normal.gain - (1 - p) * normal.loss;
}

/* Above the lower line, the chord rises from 0 at `from` to what the higher line is above it at
 * `to`. */
double oc_gap(const ocelotl_aggregation *aggregation, oc_line low, oc_line high, double from,
              double to)
{
    const oc_line step = normalise(aggregation, step_of(low, high));
    const double crossing = oc_crossing(aggregation, low, high);
    const double nearest = fmin(crossing - from, to - crossing);
    if (!(nearest > OC_TIE * fmin(crossing, 1 - crossing)))
        return 0;
    const double gap = (to * step.gain - (1 - to) * step.loss) * ((crossing - from) / (to - from));
    return fmax(gap, DBL_MIN);
}

bool oc_is_same_line(oc_line a, oc_line b)
{
    const oc_line step = step_of(a, b);
    const double nothing = NOTHING * (a.gain + a.loss);
    return fabs(step.gain) <= nothing && fabs(step.loss) <= nothing;
}

bool oc_is_between(oc_line line, oc_line low, oc_line high)
{
    const oc_line before = step_of(low, line);
    const oc_line after = step_of(line, high);
    if (!gains_more(low, line))
        return false;
    if (!gains_more(line, high)) /* the higher line is best nowhere below 1 */
        return after.loss > 0;
    /* The odds of the crossings are loss / gain of the steps. */
    return before.loss * after.gain * (1 + SAME_ODDS) < after.loss * before.gain;
}

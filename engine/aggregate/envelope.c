#include "aggregate/envelope.h"

/* Gains and losses are compared by what they are shares of: gain + loss. */
static bool gains_more(oc_line low, oc_line high)
{
    return high.gain - low.gain > OC_TIE * (high.gain + high.loss);
}

double oc_crossing_raw(oc_line low, oc_line high)
{
    const double loss = high.loss - low.loss;
    if (!gains_more(low, high))
        return 1;
    return loss > 0 ? loss / (loss + (high.gain - low.gain)) : 0;
}

/* Gain and loss as shares of the whole's, where those are not 0. */
static oc_line normalise(const ocelotl_aggregation *aggregation, oc_line line)
{
    if (aggregation->whole_gain > 0 && aggregation->whole_loss > 0)
        return (oc_line){line.gain / aggregation->whole_gain, line.loss / aggregation->whole_loss};
    return line;
}

double oc_crossing(const ocelotl_aggregation *aggregation, oc_line low, oc_line high)
{
    const oc_line step = normalise(aggregation, (oc_line){high.gain - low.gain, high.loss - low.loss});
    if (!gains_more(low, high))
        return 1;
    return step.loss > 0 ? step.loss / (step.loss + step.gain) : 0;
}

double oc_line_value(const ocelotl_aggregation *aggregation, oc_line line, double p)
{
    const oc_line normal = normalise(aggregation, line);
    return p * normal.gain - (1 - p) * normal.loss;
}

/* Differences first: what two partitions have in common would only be rounded. */
static double height(oc_line line, oc_line other, double p)
{
    return p * (line.gain - other.gain) - (1 - p) * (line.loss - other.loss);
}

double oc_height_above(oc_line line, oc_line low, oc_line high, double p_raw)
{
    const double above = fmin(height(line, low, p_raw), height(line, high, p_raw));
    return gains_more(low, line) && above > 2 * OC_TIE * p_raw * (high.gain + high.loss) ? above : 0;
}

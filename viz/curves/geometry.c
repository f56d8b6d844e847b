#include "viz/curves/curves.h"

#include <math.h>

enum { ABOVE_WHOLE = 10 /* pixels from the line of 100 % to the top of the plot */ };

double oc_curves_x(const oc_curves *curves, double p)
{
    return curves->shares.left + p * curves->shares.width;
}

double oc_curves_y(const oc_curves *curves, double share)
{
    const oc_frame *frame = &curves->shares;
    return frame->top + frame->height - 1 - share * (frame->height - 1 - ABOVE_WHOLE);
}

/* Logarithmic, from one part at the bottom to the most at the top. */
double oc_curves_parts_y(const oc_curves *curves, double parts)
{
    const oc_frame *frame = &curves->parts;
    const double most = curves->most_parts;
    const double share = most > 1 ? log10(fmax(1, parts)) / log10(most) : 0;
    return frame->top + frame->height - 3 - share * (frame->height - 6);
}

const ocelotl_level *oc_curves_level_at(const oc_curves_input *input, double p)
{
    size_t low = 0;
    size_t high = input->info.count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (input->levels[middle].p_from <= p)
            low = middle;
        else
            high = middle;
    }
    return &input->levels[low];
}

static double share(double part, double whole)
{
    return whole > 0 ? fmin(1, fmax(0, part / whole)) : 0;
}

double oc_curves_gain(const oc_curves_input *input, const ocelotl_level *level)
{
    return share(level->gain, input->whole_gain);
}

double oc_curves_loss(const oc_curves_input *input, const ocelotl_level *level)
{
    return share(level->loss, input->whole_loss);
}

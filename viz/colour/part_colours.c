#include "viz/colour/part_colours.h"

#include "viz/colour/colour.h"

#include <math.h>

/* Hue and lightness go on by shares of their ranges whose multiples stay away from whole numbers
 * together: found by a search for the largest least distance between near positions. */
static const double hue_step = 0.5851571;
static const double lightness_step = 0.8906963;

static const double least_contrast = 1.6;

uint32_t oc_part_colour(uint32_t position, uint32_t background)
{
    const double first_hue = 0.72; /* blue */
    const double darkest = 0.38;
    const double lightest = 0.84;
    const double colourful = 0.14;
    const double turn = 6.283185307179586;
    const double hue = turn * fmod(first_hue + position * hue_step, 1);
    const double lightness =
        darkest + (lightest - darkest) * fmod(0.4 + position * lightness_step, 1);
    const oc_perceived perceived = {lightness, colourful * cos(hue), colourful * sin(hue)};
    return oc_colour_visible(oc_colour_from_perceived(perceived), background, least_contrast);
}

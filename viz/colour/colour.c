#include "viz/colour/colour.h"

#include <math.h>

#define BLACK 0x000000u
#define WHITE 0xFFFFFFu

/* Intensities of light, 0 .. 1. */
typedef struct light {
    double red, green, blue;
} light;

static double channel(uint32_t colour, int shift)
{
    return (double)(colour >> shift & 255) / 255;
}

static double decoded(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double encoded(double intensity)
{
    return intensity <= 0.0031308 ? 12.92 * intensity : 1.055 * pow(intensity, 1 / 2.4) - 0.055;
}

static light light_of(uint32_t colour)
{
    return (light){decoded(channel(colour, 16)), decoded(channel(colour, 8)),
                   decoded(channel(colour, 0))};
}

static uint32_t byte_of(double value)
{
    return (uint32_t)lround(255 * fmin(1, fmax(0, value)));
}

static uint32_t colour_of(light of)
{
    return byte_of(encoded(of.red)) << 16 | byte_of(encoded(of.green)) << 8 |
           byte_of(encoded(of.blue));
}

static oc_perceived perceived_light(light of)
{
    const double l = cbrt(0.4122214708 * of.red + 0.5363325363 * of.green + 0.0514459929 * of.blue);
    const double m = cbrt(0.2119034982 * of.red + 0.6806995451 * of.green + 0.1073969566 * of.blue);
    const double s = cbrt(0.0883024619 * of.red + 0.2817188376 * of.green + 0.6299787005 * of.blue);
    return (oc_perceived){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static light light_perceived(oc_perceived as)
{
    const double l =
        pow(as.lightness + 0.3963377774 * as.red_green + 0.2158037573 * as.yellow_blue, 3);
    const double m =
        pow(as.lightness - 0.1055613458 * as.red_green - 0.0638541728 * as.yellow_blue, 3);
    const double s =
        pow(as.lightness - 0.0894841775 * as.red_green - 1.2914855480 * as.yellow_blue, 3);
    return (light){4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
                   -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                   -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

static bool is_shown(light of)
{
    const double slack = 1e-4;
    return of.red >= -slack && of.red <= 1 + slack && of.green >= -slack && of.green <= 1 + slack &&
           of.blue >= -slack && of.blue <= 1 + slack;
}

oc_perceived oc_colour_perceived(uint32_t colour)
{
    return perceived_light(light_of(colour));
}

uint32_t oc_colour_from_perceived(oc_perceived perceived)
{
    if (is_shown(light_perceived(perceived)))
        return colour_of(light_perceived(perceived));
    double inside = 0;
    double outside = 1;
    for (int step = 0; step < 20; step++) {
        const double share = (inside + outside) / 2;
        const oc_perceived paler = {perceived.lightness, perceived.red_green * share,
                                    perceived.yellow_blue * share};
        *(is_shown(light_perceived(paler)) ? &inside : &outside) = share;
    }
    perceived.red_green *= inside;
    perceived.yellow_blue *= inside;
    return colour_of(light_perceived(perceived));
}

static double part_of_light(double intensity)
{
    return fmin(1, fmax(0, intensity));
}

static light seen(light of, oc_vision vision)
{
    static const double matrices[OC_VISION_COUNT][9] = {
        [OC_VISION_NORMAL] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
        [OC_VISION_PROTANOPIA] = {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
                                  -0.003882, -0.048116, 1.051998},
        [OC_VISION_DEUTERANOPIA] = {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
                                    -0.011820, 0.042940, 0.968881},
        [OC_VISION_TRITANOPIA] = {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602,
                                  0.004733, 0.691367, 0.303900},
    };
    const double *by = matrices[vision];
    return (light){part_of_light(by[0] * of.red + by[1] * of.green + by[2] * of.blue),
                   part_of_light(by[3] * of.red + by[4] * of.green + by[5] * of.blue),
                   part_of_light(by[6] * of.red + by[7] * of.green + by[8] * of.blue)};
}

uint32_t oc_colour_seen(uint32_t colour, oc_vision vision)
{
    return colour_of(seen(light_of(colour), vision));
}

oc_appearance oc_colour_appearance(uint32_t colour)
{
    oc_appearance appearance;
    const light of = light_of(colour);
    for (oc_vision vision = 0; vision < OC_VISION_COUNT; vision++)
        appearance.to[vision] = perceived_light(seen(of, vision));
    return appearance;
}

static double squared_distance(const oc_perceived *a, const oc_perceived *b)
{
    const double lightness = a->lightness - b->lightness;
    const double red_green = a->red_green - b->red_green;
    const double yellow_blue = a->yellow_blue - b->yellow_blue;
    return lightness * lightness + red_green * red_green + yellow_blue * yellow_blue;
}

/* As oc_colour_distance. */
static double appearance_distance(const oc_appearance *a, const oc_appearance *b)
{
    double least = INFINITY;
    for (int vision = 0; vision < OC_VISION_COUNT; vision++)
        least = fmin(least, squared_distance(&a->to[vision], &b->to[vision]));
    return 100 * sqrt(least);
}

double oc_appearance_apart(const oc_appearance *a, const oc_appearance *b)
{
    const double wanted = 0.085;
    const double wanted_deficient = 0.0585;
    double least =
        squared_distance(&a->to[OC_VISION_NORMAL], &b->to[OC_VISION_NORMAL]) / (wanted * wanted);
    for (int vision = OC_VISION_NORMAL + 1; vision < OC_VISION_COUNT; vision++)
        least = fmin(least, squared_distance(&a->to[vision], &b->to[vision]) /
                                (wanted_deficient * wanted_deficient));
    return sqrt(least);
}

double oc_colour_distance(uint32_t a, uint32_t b)
{
    const oc_appearance left = oc_colour_appearance(a);
    const oc_appearance right = oc_colour_appearance(b);
    return appearance_distance(&left, &right);
}

double oc_colour_luminance(uint32_t colour)
{
    const light of = light_of(colour);
    return 0.2126 * of.red + 0.7152 * of.green + 0.0722 * of.blue;
}

double oc_contrast_between(uint32_t a, uint32_t b)
{
    const double left = oc_colour_luminance(a) + 0.05;
    const double right = oc_colour_luminance(b) + 0.05;
    return left > right ? left / right : right / left;
}

uint32_t oc_ink_on(uint32_t colour)
{
    return oc_contrast_between(colour, BLACK) > oc_contrast_between(colour, WHITE) ? BLACK : WHITE;
}

uint32_t oc_colour_mix(uint32_t colour, uint32_t with, double share)
{
    uint32_t result = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        const double value = channel(colour, shift) * (1 - share) + channel(with, shift) * share;
        result |= byte_of(value) << shift;
    }
    return result;
}

uint32_t oc_colour_over(uint32_t colour, double opacity, uint32_t background)
{
    return oc_colour_mix(background, colour, opacity);
}

uint32_t oc_colour_visible(uint32_t colour, uint32_t background, double contrast)
{
    const bool darker = oc_ink_on(background) == BLACK;
    oc_perceived perceived = oc_colour_perceived(colour);
    while (oc_contrast_between(colour, background) < contrast &&
           colour != (darker ? BLACK : WHITE)) {
        perceived.lightness = fmin(1, fmax(0, perceived.lightness + (darker ? -0.02 : 0.02)));
        colour = oc_colour_from_perceived(perceived);
    }
    return colour;
}

/* --- Colours of parts */

/* The steps of hue and lightness, as shares of their ranges. A search found the steps for which
 * near positions are farthest apart. */
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

/* --- Themes */

static const oc_theme themes[] = {
    [OCELOTL_THEME_LIGHT] = {.name = "light",
                             .paper = 0xFFFFFF,
                             .ink = 0x1F2328,
                             .muted = 0x57606A,
                             .rule = 0xB8C0C8,
                             .border = 0xD0D6DC,
                             .node = 0xECEFF2,
                             .hatch = 0xA8B0B8,
                             .accent = 0xB42318},
    [OCELOTL_THEME_DARK] = {.name = "dark",
                            .paper = 0x14171B,
                            .ink = 0xE8ECF0,
                            .muted = 0xA3ADB8,
                            .rule = 0x4C555F,
                            .border = 0x3A424B,
                            .node = 0x252B32,
                            .hatch = 0x5A6470,
                            .accent = 0xFF8A70},
};

/* Pale beside the paper, whatever the theme. */
uint32_t oc_theme_background(const oc_theme *theme)
{
    static const double opacity = 0.16;
    return oc_colour_over(theme->muted, opacity, theme->paper);
}

const oc_theme *oc_theme_get(ocelotl_theme number)
{
    const size_t index = number == OCELOTL_THEME_READER ? OCELOTL_THEME_LIGHT : (size_t)number;
    return index < sizeof themes / sizeof themes[0] ? &themes[index] : NULL;
}

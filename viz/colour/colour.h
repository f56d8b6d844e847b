/* Arithmetic of colours, 0xRRGGBB in sRGB: how they mix, how they contrast, how different they look
 * to whom. */
#ifndef OC_VIZ_COLOUR_COLOUR_H
#define OC_VIZ_COLOUR_COLOUR_H

#include "base/status.h"

#include <ocelotl/picture.h>

/* As people see it (OKLab, Ottosson 2020): lightness 0 .. 1, and how red against green and yellow
 * against blue. */
typedef struct oc_perceived {
    double lightness, red_green, yellow_blue;
} oc_perceived;

/* Who looks: with normal vision, or without one of the three kinds of cones. */
typedef enum oc_vision {
    OC_VISION_NORMAL,
    OC_VISION_PROTANOPIA,
    OC_VISION_DEUTERANOPIA,
    OC_VISION_TRITANOPIA,
    OC_VISION_COUNT
} oc_vision;

/* What a colour looks like to everybody. */
typedef struct oc_appearance {
    oc_perceived to[OC_VISION_COUNT];
} oc_appearance;

oc_perceived oc_colour_perceived(uint32_t colour);

/* The colour that is perceived so. Where screens have none, the one of that lightness and hue that
 * is least paler. */
uint32_t oc_colour_from_perceived(oc_perceived perceived);

/* What somebody with this vision sees, as a colour for the others (Machado, Oliveira and Fernandes
 * 2009, at full severity). */
uint32_t oc_colour_seen(uint32_t colour, oc_vision vision);

oc_appearance oc_colour_appearance(uint32_t colour);

/* How different two colours look to whom they look most alike, in hundredths of the way from black
 * to white: below 2 they are taken for one another side by side, below about 6 as small patches
 * apart. */
double oc_appearance_distance(const oc_appearance *a, const oc_appearance *b);
double oc_colour_distance(uint32_t a, uint32_t b);

/* How well two colours are told apart in a picture, 1: just so: by everybody who has normal vision
 * (a distance of 8.5), and by those who lack a kind of cones (5.85), whoever finds it hardest. */
double oc_appearance_apart(const oc_appearance *a, const oc_appearance *b);

/* Relative luminance, 0 (black) to 1 (white), and the contrast of two colours, 1 to 21 (both WCAG
 * 2). */
double oc_colour_luminance(uint32_t colour);
double oc_contrast_between(uint32_t a, uint32_t b);

/* Contrast of a colour with white, 1 to 21. */
double oc_colour_contrast(uint32_t colour);

/* Black or white, whichever is read better on a colour: a contrast of 4.5 at least. */
uint32_t oc_ink_on(uint32_t colour);

/* A colour moved towards another by a share, 0 .. 1. */
uint32_t oc_colour_mix(uint32_t colour, uint32_t with, double share);

/* What is seen where a colour of an opacity, 0 .. 1, lies over a background: mixed as SVG and cairo
 * do. */
uint32_t oc_colour_over(uint32_t colour, double opacity, uint32_t background);

/* Moves a colour away from a background, in its hue, until it contrasts with it so much at least,
 * or is black or white. */
uint32_t oc_colour_visible(uint32_t colour, uint32_t background, double contrast);

/* --- Colours of parts that stand for nothing but where they begin (thesis, 5.6.2). */

/* The colour of the part that begins at a position: its first slice. It depends on nothing else, so
 * that a part keeps it whatever p is and wherever the part ends. Positions up to eight apart have
 * colours that everybody tells apart, up to thirty apart that normal vision does; farther ones
 * never have the same, but of all pairs below 200 one in eighty is too near for normal vision and
 * one in ten for somebody, so a line between parts is still wanted. The colours stand out from the
 * background, white or dark. */
uint32_t oc_part_colour(uint32_t position, uint32_t background);

/* --- What all pictures have in common: colours of what is not data, sizes of lettering, distances.
 */

/* Colours are 0xRRGGBB; text contrasts with the paper by 4.5 at least. */
typedef struct oc_theme {
    const char *name;
    uint32_t paper;
    uint32_t ink;    /* titles and names */
    uint32_t muted;  /* captions and what is said of axes */
    uint32_t rule;   /* axes and edges of plots */
    uint32_t border; /* between parts that are too pale to end visibly */
    uint32_t node;   /* behind the names of the hierarchy */
    uint32_t hatch;  /* outside a lifetime */
    uint32_t accent; /* what is marked: the current p, a window */
} oc_theme;

/* The theme of a number of picture.h, NULL where there is none. */
const oc_theme *oc_theme_get(ocelotl_theme number);

/* Sizes of lettering, in pixels. */
#define OC_SIZE_TITLE   18
#define OC_SIZE_CAPTION 12
#define OC_SIZE_LABEL   11

#endif

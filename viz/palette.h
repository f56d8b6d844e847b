/* Colours of types. */
#ifndef OC_VIZ_PALETTE_H
#define OC_VIZ_PALETTE_H

#include "base/status.h"

typedef struct oc_palette_type {
    const char *name;
    int32_t wanted;  /* the colour that the trace defines, 0xRRGGBB, or -1 */
    uint32_t colour; /* given by oc_palette_assign */
} oc_palette_type;

/* Gives every type its colour; the most important types come first. A type keeps the colour that the trace defines
 * (darker where it would vanish on white), else it gets the one that its name stands for. Where that comes too near
 * to one already given, it gets the next that is free, in a fixed order. So the same types in the same order have the
 * same colours in every picture, and a type that meets no other of its colour has one colour everywhere. O(types). */
void oc_palette_assign(oc_palette_type *types, size_t count);

/* How different two colours look: 0 for equal ones, 765 for black and white. */
double oc_colour_distance(uint32_t a, uint32_t b);

/* Contrast of a colour with white, 1 to 21. */
double oc_colour_contrast(uint32_t colour);

#endif

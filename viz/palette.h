/* Colours of types. */
#ifndef OC_VIZ_PALETTE_H
#define OC_VIZ_PALETTE_H

#include "viz/colour.h"

#include <ocelotl/palette.h>

typedef struct oc_palette_type {
    const char *name;
    int32_t wanted;  /* the colour that the trace defines, 0xRRGGBB, or -1 */
    uint32_t colour; /* given by oc_palette_assign */
} oc_palette_type;

/* Colours that a user chose for names. */
typedef ocelotl_palette oc_palette;

/* Gives every type its colour on a background; the most important types come first. A type has, of these, the first
 * that there is: the colour that the user chose, exactly; the one that the trace defines, less colourful where it is glaring; the one that its name
 * stands for (oc_known_colour); the one that the hash of its name points to. All but the user's are made to stand out
 * from the background. Where a colour looks to anybody, with the common deficiencies of colour vision too, like one
 * given before, the type gets the next that is free in a fixed order, of its own hue if it can be. Colours are given
 * in the order above, and by importance. So the same types in the same order have the same colours in every picture,
 * and a type that meets none like its own has one colour everywhere. `user` may be NULL. O(types). */
void oc_palette_assign_on(oc_palette_type *types, size_t count, uint32_t background, const oc_palette *user);

/* The same on white, without a user's choice. */
void oc_palette_assign(oc_palette_type *types, size_t count);

/* Finds the user's colour of a name. Expected O(1), and O(patterns) where no name is it exactly. */
bool oc_palette_find(uint32_t *colour, const oc_palette *palette, const char *name);

/* Reads #rrggbb, #rgb or a basic name of CSS, in any case. */
bool oc_colour_read(uint32_t *colour, const char *text);

#endif

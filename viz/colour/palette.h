/* Colours of types. */
#ifndef OC_VIZ_COLOUR_PALETTE_H
#define OC_VIZ_COLOUR_PALETTE_H

#include "viz/colour/colour.h"

#include <ocelotl/palette.h>

typedef struct oc_palette_type {
    const char *name;
    int32_t wanted;  /* the colour that the trace defines, 0xRRGGBB, or -1 */
    uint32_t colour; /* given by oc_palette_assign */
} oc_palette_type;

/* Colours that a user chose for names. */
typedef ocelotl_palette oc_palette;

/* So many types, the most important ones, are told apart by everybody. */
#define OC_PALETTE_APART 25

/* What colours are chosen for, and against. */
typedef struct oc_palette_request {
    uint32_t background;
    const oc_palette *user; /* or NULL */
    /* so many types, the first ones, have their colours already and keep them */
    size_t fixed;
    bool scattered; /* a hash points to any colour of all, not to one of few: others that get
                       colours now hardly matter */
} oc_palette_request;

/* Gives every type its colour; the most important types come first. A type has, of these, the first
 * that there is: the colour that the user chose, exactly; the one that the trace defines, less
 * colourful where it is glaring; the one that its name stands for (oc_known_colour); the one that
 * the hash of its name points to. All but the user's are made to stand out from the background. The
 * first OC_PALETTE_APART types (after the fixed ones) are told apart from each other, and from what
 * is fixed as far as colours reach, but for two of the user's: their distance in OKLab is 0.08 at
 * least, and 0.05 for those who lack a kind of cones. A colour that is too near to one given before
 * gives way to a variant of its own hue, to the next that the hash points to, to the farthest that
 * there is; if the trace's colours leave no room, those of its less important types are dropped.
 * Further types are told apart as well as that goes. The same types in the same order have the same
 * colours everywhere, and a type that meets none like its own has the same in every trace. Errors:
 * MEMORY. O(types). */
ocelotl_status oc_palette_assign_on(oc_palette_type *types, size_t count,
                                    const oc_palette_request *request);

/* The same on white, without a user's choice. */
ocelotl_status oc_palette_assign(oc_palette_type *types, size_t count);

/* Finds the user's colour of a name. Expected O(1), and O(patterns) where no name is it exactly. */
bool oc_palette_find(uint32_t *colour, const oc_palette *palette, const char *name);

/* Reads #rrggbb, #rgb or a basic name of CSS, in any case. */
bool oc_colour_read(uint32_t *colour, const char *text);

#endif

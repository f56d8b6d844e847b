/* Colours, 0xRRGGBB in sRGB: their arithmetic, those of pictures, those of types. */
#ifndef OC_VIZ_COLOUR_COLOUR_H
#define OC_VIZ_COLOUR_COLOUR_H

#include "base/map.h"
#include "base/status.h"
#include "types/lookup.h"

#include <ocelotl/model.h>
#include <ocelotl/palette.h>
#include <ocelotl/picture.h>

/* As people see it (OKLab, Ottosson 2020): lightness 0 .. 1, and how red against green and yellow
 * against blue. */
typedef struct oc_perceived {
    double lightness, red_green, yellow_blue;
} oc_perceived;

/* Kinds of vision: normal, or without one of the three kinds of cones. */
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

/* Returns the colour that is perceived like this. If screens lack it, the result has its lightness
 * and hue, and as much of its chroma as possible. */
uint32_t oc_colour_from_perceived(oc_perceived perceived);

/* Returns what a person with this vision sees, as a colour for normal vision (Machado, Oliveira and
 * Fernandes 2009, at full severity). */
uint32_t oc_colour_seen(uint32_t colour, oc_vision vision);

oc_appearance oc_colour_appearance(uint32_t colour);

/* Returns how different two colours look, to the vision that separates them least. In hundredths of
 * the way from black to white: below 2 they look the same side by side, below about 6 as small
 * patches apart. */
double oc_colour_distance(uint32_t a, uint32_t b);

/* Returns how distinct two colours are in a picture, for the vision that finds it hardest. 1 is
 * just enough: a distance of 8.5 with normal vision, of 5.85 without a kind of cones. */
double oc_appearance_apart(const oc_appearance *a, const oc_appearance *b);

/* Relative luminance, 0 (black) to 1 (white), and the contrast of two colours, 1 to 21 (both WCAG
 * 2). */
double oc_colour_luminance(uint32_t colour);
double oc_contrast_between(uint32_t a, uint32_t b);

/* Returns black or white, whichever reads better on a colour: the contrast is at least 4.5. */
uint32_t oc_ink_on(uint32_t colour);

/* A colour moved towards another by a share, 0 .. 1. */
uint32_t oc_colour_mix(uint32_t colour, uint32_t with, double share);

/* Returns the colour seen where a colour of an opacity, 0 .. 1, lies over a background. It mixes
 * them as SVG and cairo do. */
uint32_t oc_colour_over(uint32_t colour, double opacity, uint32_t background);

/* Moves a colour away from a background, in its hue, until it has this contrast, or is black or
 * white. */
uint32_t oc_colour_visible(uint32_t colour, uint32_t background, double contrast);

/* --- Colours of parts that stand for nothing but where they begin (thesis, 5.6.2). */

/* Returns the colour of the part that begins at a position, its first slice. It depends on nothing
 * else, so a part keeps it at any p and wherever it ends. Positions up to eight apart differ for
 * everybody, those up to thirty apart for normal vision. Farther positions never share a colour,
 * but some pairs look alike: below 200, one pair in eighty for normal vision, and one in ten for
 * some kind of vision. So parts still need a line between them. The colours stand out from the
 * background, white or dark. */
uint32_t oc_part_colour(uint32_t position, uint32_t background);

/* --- What all pictures share: colours of what is not data, and sizes of lettering. */

/* Colours are 0xRRGGBB; text contrasts with the paper by 4.5 at least. */
typedef struct oc_theme {
    const char *name;
    uint32_t paper;
    uint32_t ink;    /* titles and names */
    uint32_t muted;  /* captions, and the text of axes */
    uint32_t rule;   /* axes and edges of plots */
    uint32_t border; /* between parts that are too pale to end visibly */
    uint32_t node;   /* behind the names of the hierarchy */
    uint32_t hatch;  /* outside a lifetime */
    uint32_t accent; /* what is marked: the current p, a window */
} oc_theme;

/* Returns the theme of a number of picture.h; NULL if the number is unknown. */
const oc_theme *oc_theme_get(ocelotl_theme number);

/* The colour of states that are background. */
uint32_t oc_theme_background(const oc_theme *theme);

/* Sizes of lettering, in pixels. */
#define OC_SIZE_TITLE   18
#define OC_SIZE_CAPTION 12
#define OC_SIZE_LABEL   11

/* --- Colours of types */

typedef struct oc_palette_type {
    const char *name;
    int32_t wanted;  /* the colour that the trace defines, 0xRRGGBB, or -1 */
    uint32_t colour; /* given by oc_palette_assign_on */
} oc_palette_type;

/* This many types, the most important ones, have colours that differ for everybody. */
#define OC_PALETTE_APART 25

/* What colours are chosen for, and against. */
typedef struct oc_palette_request {
    uint32_t background;
    const ocelotl_palette *user; /* or NULL */
    /* the first types, this many, have their colours already and keep them */
    size_t fixed;
    /* a hash chooses from all colours, not from a few: other types that get colours now hardly
     * matter */
    bool scattered;
} oc_palette_request;

/* Gives every type its colour; the most important types come first. A type takes the first of these
 * that exists: the colour that the user chose, exactly; the one that the trace defines, softened if
 * it is glaring; the conventional one of its name (oc_known_colour); the one that the hash of its
 * name chooses. All but the user's are made to stand out from the background. The first
 * OC_PALETTE_APART types after the fixed ones differ from each other, and from the fixed ones as
 * far as colours reach: their distance in OKLab is at least 0.08, and 0.05 without a kind of cones.
 * Two of the user's colours may be nearer. A colour that is too near an earlier one is replaced by
 * a variant of its hue, then by the next that the hash chooses, then by the farthest one. If the
 * trace's colours leave no room, those of its less important types are dropped. Further types
 * differ as well as possible. The same types in the same order have the same colours everywhere. A
 * type whose colour is near no other has the same colour in every trace. Errors: MEMORY.
 * O(types). */
ocelotl_status oc_palette_assign_on(oc_palette_type *types, size_t count,
                                    const oc_palette_request *request);

/* Finds the user's colour of a name. Expected O(1), and O(patterns) where no name is it exactly. */
bool oc_palette_find(uint32_t *colour, const ocelotl_palette *palette, const char *name);

/* --- Colours that states of common runtimes have by their names. */

/* Finds the conventional colour of a name: a call of MPI, a state of StarPU, OpenMP or an operating
 * system, idling, or computing. Upper case, prefixes (PMPI_, smpi_, action_ ...), `_`, `-` and
 * blanks do not matter. Related calls have related hues: blue for messages, purple for collectives,
 * red for waiting, yellow for files, green for work, grey for the beginning and the end and for
 * "others", pale for idling on any `background`. Any two of these colours differ for people with
 * the common deficiencies of colour vision, except those for the end and for others. */
bool oc_known_colour(uint32_t *colour, const char *name, uint32_t background);

/* --- One colour for every type of a trace in all pictures */

/* What the colours of a picture depend on, beside the names of its types. */
typedef struct oc_colouring {
    uint32_t paper;
    const ocelotl_palette *palette;  /* or NULL */
    const ocelotl_type_names *names; /* these get their colours first; or NULL */
    const ocelotl_names *shown; /* patterns of those that are not grey; NULL or none: no type is */
    const ocelotl_type_tree *tree; /* that colours follow; NULL: none */
} oc_colouring;

/* Zeroed it is empty. */
typedef struct oc_type_colours {
    oc_palette_type *types; /* in the order in which they got their colours */
    size_t count, capacity;
    oc_map numbers; /* of the types, by name */
} oc_type_colours;

/* The name that models give to types they put together. */
#define OC_OTHERS "others"

/* Gives colours to all names of a trace, to OC_OTHERS, and to "name#2", "name#3" .., the further
 * types of one name: see oc_palette_assign_on. They depend only on the names, the palette and the
 * paper; the names of `by` come first. Types that are not shown become grey in the end, which
 * changes no other colour. Free it in any case. Errors: ARGUMENT (a pattern of shown types that
 * matches nothing), MEMORY. O(names). */
ocelotl_status oc_type_colours_of_trace(oc_type_colours *colours, const ocelotl_trace *trace,
                                        const oc_colouring *by);

/* Gives colours to the names of models: those of the first, then those only in the second, then
 * groups that a person named. Each differs from the ones before it. */
ocelotl_status oc_type_colours_of_models(oc_type_colours *colours,
                                         const ocelotl_model *const *models, size_t count,
                                         const oc_colouring *by);

/* Gives colours to types and groups of the tree from `first` on; the ones before have theirs. Those
 * of groups depend on the tree and the paper alone, those of types also on the types before them. A
 * palette comes first. Errors: MEMORY. O(types + groups). */
ocelotl_status oc_tree_colours_assign(oc_palette_type *types, size_t first, size_t count,
                                      const oc_colouring *by);

/* Returns the colour of a name, grey for an unknown one. Expected O(1). */
uint32_t oc_type_colours_find(const oc_type_colours *colours, const char *name);
void oc_type_colours_free(oc_type_colours *colours);

#endif

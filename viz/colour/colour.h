/* Colours, 0xRRGGBB in sRGB: their arithmetic, those of pictures, those of types. */
#ifndef OC_VIZ_COLOUR_COLOUR_H
#define OC_VIZ_COLOUR_COLOUR_H

#include "base/map.h"
#include "base/status.h"

#include <ocelotl/model.h>
#include <ocelotl/palette.h>
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

/* --- Colours of types */

typedef struct oc_palette_type {
    const char *name;
    int32_t wanted;  /* the colour that the trace defines, 0xRRGGBB, or -1 */
    uint32_t colour; /* given by oc_palette_assign */
} oc_palette_type;

/* So many types, the most important ones, are told apart by everybody. */
#define OC_PALETTE_APART 25

/* What colours are chosen for, and against. */
typedef struct oc_palette_request {
    uint32_t background;
    const ocelotl_palette *user; /* or NULL */
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
bool oc_palette_find(uint32_t *colour, const ocelotl_palette *palette, const char *name);

/* Reads #rrggbb, #rgb or a basic name of CSS, in any case. */
bool oc_colour_read(uint32_t *colour, const char *text);

/* --- The colours that states of common runtimes have by their name alone. */

/* Finds the colour that a name stands for: a call of MPI, a state of StarPU, OpenMP or an operating
 * system, idling, computing. Upper case, prefixes (PMPI_, smpi_, action_ ...), `_`, `-` and blanks
 * do not matter. Related calls have related hues: blue for messages, purple for collectives, red
 * for waiting, yellow for files, green for work, grey for the beginning and the end and for
 * "others", pale for idling, which is pale against `background` whatever that is. Any two of these
 * colours but those for the end and for others are told apart with the common deficiencies of
 * colour vision. */
bool oc_known_colour(uint32_t *colour, const char *name, uint32_t background);

/* --- One colour for every type of a trace, whatever is shown of it: the only place where pictures
 * get them from */

/* What the colours of a picture follow from, beside the names of its types. */
typedef struct oc_colouring {
    uint32_t paper;
    const ocelotl_palette *palette;  /* or NULL */
    const ocelotl_type_names *names; /* that have their colours first, or NULL */
} oc_colouring;

/* Zeroed it is empty. */
typedef struct oc_type_colours {
    oc_palette_type *types; /* in the order in which they got their colours */
    size_t count, capacity;
    oc_map numbers; /* of the types, by name */
} oc_type_colours;

/* What models call the types that they put together. */
#define OC_OTHERS "others"

/* Gives colours to all names of a trace, to OC_OTHERS, and to "name#2", "name#3" .., which models
 * call further types of one name: see oc_palette_assign_on. They depend on nothing but the names,
 * the palette and the paper; the names of `by` come first. Free it in any case. Errors: MEMORY.
 * O(names). */
ocelotl_status oc_type_colours_of_trace(oc_type_colours *colours, const ocelotl_trace *trace,
                                        const oc_colouring *by);

/* The same of what models were made of: the names of the first, then those that only the second
 * has, then groups that a person named, each told apart from what is before it. */
ocelotl_status oc_type_colours_of_models(oc_type_colours *colours,
                                         const ocelotl_model *const *models, size_t count,
                                         const oc_colouring *by);

/* The colour of a name; grey for one that is not there. Expected O(1). */
uint32_t oc_type_colours_find(const oc_type_colours *colours, const char *name);
void oc_type_colours_free(oc_type_colours *colours);

#endif

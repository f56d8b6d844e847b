/* Colours of types. */
#ifndef OC_VIZ_COLOUR_PALETTE_H
#define OC_VIZ_COLOUR_PALETTE_H

#include "base/map.h"
#include "viz/colour/colour.h"

#include <ocelotl/model.h>
#include <ocelotl/palette.h>

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

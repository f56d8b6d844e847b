/* Colours of a page that is light or dark as its reader prefers: where a picture in light and one
 * in dark differ, a number stands in the scene for both colours, and the page says what it is in
 * each. */
#ifndef OC_VIZ_SCENE_PAIRED_COLOURS_H
#define OC_VIZ_SCENE_PAIRED_COLOURS_H

#include "viz/scene/scene.h"

/* Zero-initialised there are none. */
typedef struct oc_colour_pairs {
    uint32_t (*pairs)[2]; /* in light and in dark */
    size_t count, capacity;
} oc_colour_pairs;

/* The colour that stands for both: either, where they are the same. Errors: MEMORY. O(pairs). */
ocelotl_status oc_colour_pair(uint32_t *colour, oc_colour_pairs *pairs, uint32_t light,
                              uint32_t dark);

/* Whether a colour stands for two, and its number then. */
bool oc_colour_is_pair(uint32_t *number, uint32_t colour);

/* Gives a scene in light the colours that stand for its own and those of the same scene in dark.
 * *paired is false, and nothing has changed, where the two differ in more than colours. Errors:
 * MEMORY. O(items x pairs). */
ocelotl_status oc_scene_pair(bool *paired, oc_scene *light, const oc_scene *dark,
                             oc_colour_pairs *pairs);

/* A colour as CSS has it: "#rrggbb", "none", or the variable of a pair. */
void oc_colour_write(oc_text *text, uint32_t colour);

void oc_colour_pairs_free(oc_colour_pairs *pairs);

#endif

/* Many rectangles that do not overlap, in an SVG: those that look alike are one group, so that each
 * is short. */
#ifndef OC_VIZ_SCENE_SVG_TILES_H
#define OC_VIZ_SCENE_SVG_TILES_H

#include "viz/scene/scene.h"

/* Adds the rectangles that follow the group at *index, and moves *index to the last of them.
 * Errors: MEMORY. O(n log n). */
ocelotl_status oc_svg_add_tiles(oc_text *svg, const oc_scene *scene, size_t *index);

/* Adds the marks of the items from one to another. */
void oc_svg_add_marks(oc_text *svg, const oc_item *item, const oc_item *end);

#endif

/* How names, numbers and colours are written in an SVG. */
#ifndef OC_VIZ_SCENE_SVG_ELEMENTS_H
#define OC_VIZ_SCENE_SVG_ELEMENTS_H

#include "base/text.h"
#include "viz/scene/scene.h"

/* What every element of an SVG needs. */
void oc_svg_add_escaped(oc_text *svg, const char *string);
void oc_svg_add_attribute(oc_text *svg, const char *name, double value);
void oc_svg_add_colour(oc_text *svg, const char *name, uint32_t colour);
void oc_svg_add_subject(oc_text *svg, const oc_scene *scene, const oc_scene_item *item);

/* --- Many rectangles that do not overlap, in an SVG: those that look alike are one group, so that
 * each is short. */

/* Adds the rectangles that follow the group at *index, and moves *index to the last of them.
 * Errors: MEMORY. O(n log n). */
ocelotl_status oc_svg_add_tiles(oc_text *svg, const oc_scene *scene, size_t *index);

/* Adds the marks of the items from one to another. */
void oc_svg_add_marks(oc_text *svg, const oc_scene_item *item, const oc_scene_item *end);

#endif

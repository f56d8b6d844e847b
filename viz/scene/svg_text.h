/* How names, numbers and colours are written in an SVG. */
#ifndef OC_VIZ_SCENE_SVG_TEXT_H
#define OC_VIZ_SCENE_SVG_TEXT_H

#include "base/text.h"
#include "viz/scene/scene.h"

/* What every element of an SVG needs. */
void oc_svg_add_escaped(oc_text *svg, const char *string);
void oc_svg_add_attribute(oc_text *svg, const char *name, double value);
void oc_svg_add_colour(oc_text *svg, const char *name, uint32_t colour);
void oc_svg_add_subject(oc_text *svg, const oc_scene *scene, const oc_item *item);

#endif

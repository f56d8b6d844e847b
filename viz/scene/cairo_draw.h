/* Draws a scene with cairo, for the formats that are not written directly. */
#ifndef OC_VIZ_SCENE_CAIRO_DRAW_H
#define OC_VIZ_SCENE_CAIRO_DRAW_H

#include "viz/scene/scene.h"

#include <cairo.h>

/* Draws what may be seen between two heights of a scene; cairo's origin is that of the scene.
 * Errors: MEMORY, INTERNAL where cairo refuses something. */
ocelotl_status oc_cairo_draw(cairo_t *cairo, const oc_scene *scene, double top, double bottom);

#endif

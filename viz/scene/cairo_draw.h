/* Draws a scene with cairo, for the formats that are not written directly. */
#ifndef OC_VIZ_SCENE_CAIRO_DRAW_H
#define OC_VIZ_SCENE_CAIRO_DRAW_H

#include "base/status.h"
#include "viz/scene/scene.h"

#include <cairo.h>

/* Draws what may be seen between two heights of a scene; cairo's origin is that of the scene.
 * Errors: MEMORY, INTERNAL where cairo refuses something. */
ocelotl_status oc_cairo_draw(cairo_t *cairo, const oc_scene *scene, double top, double bottom);

/* --- Fonts of the formats that carry drawn letters, not text: which one has all characters of a
 * string. */

/* Selects a font of a size (pixels) for a string: the one of all pictures where it has every
 * character, else another installed one that has. Errors: ARGUMENT where none has them, naming the
 * character; MEMORY. */
ocelotl_status oc_font_select(cairo_t *cairo, const char *string, double size, bool bold);

/* A status of cairo as one of the library. */
ocelotl_status oc_cairo_check(cairo_status_t status);

#endif

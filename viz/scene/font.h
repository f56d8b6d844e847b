/* Fonts of the formats that carry drawn letters, not text: which one has all characters of a
 * string. */
#ifndef OC_VIZ_SCENE_FONT_H
#define OC_VIZ_SCENE_FONT_H

#include "base/status.h"

#include <cairo.h>

/* Selects a font of a size (pixels) for a string: the one of all pictures where it has every
 * character, else another installed one that has. Errors: ARGUMENT where none has them, naming the
 * character; MEMORY. */
ocelotl_status oc_font_select(cairo_t *cairo, const char *string, double size, bool bold);

/* A status of cairo as one of the library. */
ocelotl_status oc_cairo_check(cairo_status_t status);

#endif

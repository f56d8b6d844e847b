/* Formats of pictures. A new one takes an encoder, a number in picture.h and a row here. */
#ifndef OC_VIZ_SCENE_BACKEND_H
#define OC_VIZ_SCENE_BACKEND_H

#include "viz/scene/scene.h"

#include <ocelotl/picture.h>

typedef struct oc_backend {
    const char *suffix;                                              /* ".svg" */
    ocelotl_status (*encode)(oc_text *bytes, const oc_scene *scene); /* appends the whole file */
} oc_backend;

extern const oc_backend oc_backend_svg;
extern const oc_backend oc_backend_png;
extern const oc_backend oc_backend_pdf;

/* Checks a number that a caller gave. Errors: ARGUMENT. */
ocelotl_status oc_format_check(ocelotl_picture_format format);

/* Where a picture goes. A zeroed one is nowhere. */
typedef struct oc_target {
    const ocelotl_sink *sink;
    ocelotl_picture_format format;
} oc_target;

/* Draws a scene into its target. Errors: MEMORY; those of the sink. */
ocelotl_status oc_scene_write(const oc_scene *scene, const oc_target *target);

#endif

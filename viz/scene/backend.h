/* Formats of pictures, chosen by the suffix of the file's name: a new one is a new file and a line
 * in the table. */
#ifndef OC_VIZ_SCENE_BACKEND_H
#define OC_VIZ_SCENE_BACKEND_H

#include "viz/scene/scene.h"

typedef struct oc_backend {
    const char *suffix;                                              /* ".svg" */
    ocelotl_status (*encode)(oc_text *bytes, const oc_scene *scene); /* appends the whole file */
} oc_backend;

extern const oc_backend oc_backend_svg;
extern const oc_backend oc_backend_png;
extern const oc_backend oc_backend_pdf;

/* Finds the backend for a file's name. Errors: ARGUMENT, naming the suffixes that are known. */
ocelotl_status oc_backend_find(const oc_backend **backend, const char *path);

/* Draws a scene into a file, which is whole or absent. Errors: MEMORY, IO, ARGUMENT as
 * oc_backend_find. */
ocelotl_status oc_scene_write(const oc_scene *scene, const char *path);

#endif

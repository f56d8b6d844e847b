/* One scene in another. */
#ifndef OC_VIZ_SCENE_APPEND_H
#define OC_VIZ_SCENE_APPEND_H

#include "viz/scene/scene.h"

/* Adds all of `other`, moved by so many pixels; its metadata with `prefix` before the keys.
 * Failures are kept, as those of any item. O(items + points + strings). */
void oc_scene_append(oc_scene *scene, const oc_scene *other, double x, double y,
                     const char *prefix);

#endif

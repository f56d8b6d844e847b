/* Lines across a rectangle that say what is in it (thesis 6.4.4): the same in every format. */
#ifndef OC_VIZ_SCENE_MARK_H
#define OC_VIZ_SCENE_MARK_H

#include "viz/scene/scene.h"

#define OC_MARK_WIDTH   1
#define OC_MARK_OPACITY 0.5

/* Lines start and end in the middle of pixels. */
#define OC_MARK_INSET 0.5

/* The ends of each line of a rectangle's mark into `points`, room for two lines; how many lines
 * there are: none where they would not be seen. */
int oc_mark_lines(oc_point points[4], const oc_item *item);

#endif

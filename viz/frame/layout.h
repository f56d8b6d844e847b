/* One layout for every picture: boxes around a plot, each as large as its content needs. What is in
 * a box may depend on the plot, which takes what the boxes leave: both are solved together. */
#ifndef OC_VIZ_FRAME_LAYOUT_H
#define OC_VIZ_FRAME_LAYOUT_H

#include "viz/frame/picture.h"

typedef enum oc_side { OC_ABOVE, OC_BELOW, OC_LEFT, OC_RIGHT } oc_side;

/* Finds the size of a box, in pixels across its side, for the plot as it lies now. */
typedef ocelotl_status (*oc_measure)(int *size, void *subject);

typedef struct oc_layout_box {
    oc_side side;
    oc_measure measure; /* NULL: the size stays */
    int size;
    bool once; /* measured in the first round alone */
} oc_layout_box;

enum { OC_LAYOUT_BOXES_MOST = 8 };

/* A zeroed one has no boxes. */
typedef struct oc_layout {
    oc_layout_box boxes[OC_LAYOUT_BOXES_MOST];
    size_t count;
    int least_left; /* where the plot begins at the earliest */
    double extent;  /* the share of the width that the plot takes; 0: all */
} oc_layout;

/* Adds a box whose size depends on the plot, or one whose size does not. */
void oc_layout_measure(oc_layout *layout, oc_side side, oc_measure measure);
void oc_layout_measure_once(oc_layout *layout, oc_side side, oc_measure measure);
void oc_layout_reserve(oc_layout *layout, oc_side side, int size);

/* Places the plot: measures the boxes in the order in which they were added, again and again until
 * a whole round changes no size. The first measure finds the plot empty. What a box holds in the
 * end fits the plot, unless it is measured once. Errors: those of the boxes. */
ocelotl_status oc_layout_solve(oc_frame *plot, const oc_layout *layout, const oc_picture *picture,
                               void *subject);

#endif

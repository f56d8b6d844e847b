/* The boxes of a space-time diagram, before they are drawn: states, runs of merged ones, and
 * columns of rows that are drawn together. */
#ifndef OC_VIZ_GANTT_SHAPES_H
#define OC_VIZ_GANTT_SHAPES_H

#include "viz/gantt/gantt.h"

typedef struct oc_gantt_shape {
    uint32_t group, value;
    /* layers are drawn one after the other; inside one, no shape overlaps another */
    uint32_t lane, layer;
    int left, right;       /* pixels, of which no more than */
    int seen;              /* is left by those that begin later */
    uint64_t first, count; /* objects of the group's row; none where rows are drawn together */
    bool merged;           /* several states */
    int64_t begin, end;
    double opacity;
} oc_gantt_shape;

typedef struct oc_gantt_shapes {
    oc_gantt_shape *shapes; /* by layer, group, left */
    size_t count, capacity;
    int told_from;    /* those that are so wide have a tooltip of their own */
    bool some_untold; /* others have none */
} oc_gantt_shapes;

/* Zero-initialised there are none; *shapes is to be freed in any case. Errors: MEMORY. O(objects
 * log objects). */
ocelotl_status oc_gantt_shapes_find(oc_gantt_shapes *shapes, const oc_gantt *gantt);
void oc_gantt_shapes_free(oc_gantt_shapes *shapes);

static inline bool oc_gantt_is_told(const oc_gantt_shapes *shapes, const oc_gantt_shape *shape)
{
    return shape->count > 0 && shape->right - shape->left >= shapes->told_from;
}

/* Draws the states of all rows, and what rows of marks are together; then, above all that crosses
 * them, the names of states. Errors: MEMORY. O(objects log objects). */
ocelotl_status oc_gantt_draw_states(oc_scene *scene, const oc_gantt *gantt,
                                    const oc_gantt_shapes *shapes);
void oc_gantt_draw_names(oc_scene *scene, const oc_gantt *gantt, const oc_gantt_shapes *shapes);

/* Draws what a pointer finds where shapes say nothing: pieces of the plot that sum up what is in
 * them. Errors: MEMORY. */
ocelotl_status oc_gantt_draw_areas(oc_scene *scene, const oc_gantt *gantt);

#endif

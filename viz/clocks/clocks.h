/* What messages say of two clocks: points, and the line between them; and all clocks over time. */
#ifndef OC_VIZ_CLOCKS_CLOCKS_H
#define OC_VIZ_CLOCKS_CLOCKS_H

#include "viz/clocks/plot.h"

#include <ocelotl/clocks.h>

/* What is drawn. */
typedef struct oc_clock_points_input {
    const ocelotl_trace *trace;
    const ocelotl_clock_points *points;
} oc_clock_points_input;

/* Lays the points out into an empty scene; `subject` is an oc_clock_points_input. Errors: MEMORY.
 * O(points + pixels). */
ocelotl_status oc_clock_points_lay_out(oc_scene *scene, const oc_picture *picture,
                                       const void *subject);

typedef struct oc_clock_courses_input {
    const ocelotl_trace *trace;
    const ocelotl_clocks *clocks;
    const ocelotl_clock_courses *courses;
} oc_clock_courses_input;

/* The same for all clocks; `subject` is an oc_clock_courses_input. Errors: MEMORY. O(clocks x
 * steps + pixels). */
ocelotl_status oc_clock_courses_lay_out(oc_scene *scene, const oc_picture *picture,
                                        const void *subject);

#endif

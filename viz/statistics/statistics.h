/* Statistics of a window as bars (thesis 7.5): a group for each event type, a bar for each of its
 * values. */
#ifndef OC_VIZ_STATISTICS_STATISTICS_H
#define OC_VIZ_STATISTICS_STATISTICS_H

#include "viz/frame/picture.h"

#include <ocelotl/statistics.h>

/* What is drawn. */
typedef struct oc_statistics_input {
    const ocelotl_trace *trace;
    const ocelotl_statistics *statistics;
} oc_statistics_input;

/* Lays the bars out into an empty scene; `subject` is an oc_statistics_input. Errors: MEMORY.
 * O(rows). */
ocelotl_status oc_statistics_lay_out(oc_scene *scene, const oc_picture *picture,
                                     const void *subject);

/* Returns the height, in pixels, that all bars take. O(rows). */
double oc_statistics_height(const oc_statistics_input *input);

#endif

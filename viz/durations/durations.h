/* Histograms of durations: plots beside each other on scales that all share. */
#ifndef OC_VIZ_DURATIONS_DURATIONS_H
#define OC_VIZ_DURATIONS_DURATIONS_H

#include "viz/frame/frame.h"

#include <ocelotl/durations.h>

/* What is drawn. */
typedef struct oc_durations_input {
    const ocelotl_trace *trace;
    const ocelotl_durations *durations;
} oc_durations_input;

/* Lays the plots out into an empty scene; `subject` is an oc_durations_input. Errors: MEMORY.
 * O(columns x bins x slices). */
ocelotl_status oc_durations_lay_out(oc_scene *scene, const oc_picture *picture,
                                    const void *subject);

#endif

/* Quality curves: gain and loss of the levels of detail over p, or what they leave. */
#ifndef OC_VIZ_CURVES_CURVES_H
#define OC_VIZ_CURVES_CURVES_H

#include "viz/frame/chart.h"

/* What is drawn. */
typedef struct oc_curves_input {
    ocelotl_model_info model;
    ocelotl_kind kind;
    ocelotl_levels_info info;
    const ocelotl_level *levels; /* info.count, at least one */
    double whole_gain, whole_loss;
    double p;        /* marked; NaN: none */
    oc_frame *frame; /* receives the place of both plots; NULL: not wanted */
} oc_curves_input;

/* Reads what an aggregation has, with the levels, which the caller frees, and without a p. Errors:
 * MEMORY. O(levels). */
ocelotl_status oc_curves_read(oc_curves_input *input, ocelotl_level **levels,
                              const ocelotl_levels *from, const ocelotl_aggregation *aggregation);

/* Lays the curves out into an empty scene; `subject` is an oc_curves_input. Errors: MEMORY.
 * O(levels). */
ocelotl_status oc_curves_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject);

/* Colours of the two curves on a theme's paper. */
typedef struct oc_curves_colours {
    uint32_t gain, loss;
} oc_curves_colours;

oc_curves_colours oc_curves_colours_on(const oc_theme *theme);

/* Returns the level that is best at a p. */
const ocelotl_level *oc_curves_level_at(const oc_curves_input *input, double p);

#endif

/* Quality curves: gain and loss of the levels of detail over p, or what they leave. */
#ifndef OC_VIZ_CURVES_CURVES_H
#define OC_VIZ_CURVES_CURVES_H

#include "viz/frame/frame.h"
#include "viz/frame/picture.h"

/* What is drawn. */
typedef struct oc_curves_input {
    ocelotl_model_info model;
    ocelotl_kind kind;
    ocelotl_levels_info info;
    const ocelotl_level *levels; /* info.count, at least one */
    double whole_gain, whole_loss;
    bool falling;    /* what is left of both is drawn, instead of gain and loss */
    double p;        /* marked; NaN: none */
    oc_frame *frame; /* receives the place of both plots; NULL: not wanted */
} oc_curves_input;

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

/* The two quantities that are drawn, 0 .. 1: shares of the whole's, or what is left of them. */
double oc_curves_gain(const oc_curves_input *input, const ocelotl_level *level);
double oc_curves_loss(const oc_curves_input *input, const ocelotl_level *level);

/* Their names. */
const char *oc_curves_gain_name(const oc_curves_input *input);
const char *oc_curves_loss_name(const oc_curves_input *input);

/* The places of all that is drawn, in pixels. Both plots and the row between them share left and
 * width. */
typedef struct oc_curves {
    const oc_curves_input *input;
    const oc_picture *picture;
    oc_frame shares, parts;
    int plateaus;                   /* top of their row */
    int row;                        /* its height */
    double most_parts;              /* of a level */
    const ocelotl_level *automatic; /* NULL: not among the levels */
} oc_curves;

/* Pixel of a share and a number of parts. */
double oc_curves_y(const oc_curves *curves, double share);
double oc_curves_parts_y(const oc_curves *curves, double parts);

/* Draws the steps, with their names beside them. Errors: MEMORY. */
ocelotl_status oc_curves_draw_steps(oc_scene *scene, const oc_curves *curves);

/* Draws plateaus as numbered bands; the level to show first, and p. */
void oc_curves_draw_plateaus(oc_scene *scene, const oc_curves *curves);
void oc_curves_draw_marks(oc_scene *scene, const oc_curves *curves);

/* Draws what a pointer finds out about a level. */
void oc_curves_draw_tooltips(oc_scene *scene, const oc_curves *curves);

#endif

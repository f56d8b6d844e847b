/* What is around data that is drawn over time or values: the frame, its axis, rules. */
#ifndef OC_VIZ_FRAME_PLOT_H
#define OC_VIZ_FRAME_PLOT_H

#include "viz/frame/axis.h"
#include "viz/frame/picture.h"

/* Height of an axis below a plot: its ticks, their labels and, if it has one, its title. */
int oc_plot_axis_height(const oc_axis *axis);

/* Draws the axis below a frame. Labels reach beyond its ends by a margin at most. */
void oc_plot_draw_axis(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_axis *axis);

/* Draws the edge of a frame, one pixel outside of it, and its paper. */
void oc_plot_draw_frame(oc_scene *scene, const oc_picture *picture, const oc_frame *frame);

/* A line one pixel wide. */
void oc_plot_rule(oc_scene *scene, double x1, double y1, double x2, double y2, uint32_t colour);

#endif

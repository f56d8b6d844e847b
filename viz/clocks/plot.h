/* Offsets of clocks over time: what their pictures share. */
#ifndef OC_VIZ_CLOCKS_PLOT_H
#define OC_VIZ_CLOCKS_PLOT_H

#include "viz/frame/frame.h"

#include <ocelotl/clocks.h>

/* A plot of offsets, in ticks, over times, in ticks. Zero-initialised it is empty. */
typedef struct oc_clock_plot {
    oc_scene *scene;
    const oc_picture *picture;
    oc_frame frame;
    double tick; /* seconds */
    int64_t from, to;
    double low, high;
    oc_axis *time, *scale;
} oc_clock_plot;

/* Makes its axes. Errors: MEMORY. */
ocelotl_status oc_clock_plot_make(oc_clock_plot *plot);
void oc_clock_plot_free(oc_clock_plot *plot);

double oc_clock_plot_x(const oc_clock_plot *plot, double time);
double oc_clock_plot_y(const oc_clock_plot *plot, double off);

/* Finds the axis of time for the width of the frame; `margin` are pixels before it. Returns its
 * height. */
int oc_clock_plot_measure(oc_clock_plot *plot, double margin);

/* Draws plain numbers with their unit at the left of the frame. */
void oc_clock_plot_draw_scale(const oc_clock_plot *plot);

/* Appends a duration in ticks, to a share of it. */
void oc_clock_plot_add(oc_text *text, const oc_clock_plot *plot, double ticks, double share);

/* Adds what holds for all clocks together to a caption. */
void oc_clocks_say(oc_caption *caption, const oc_clock_plot *plot, const ocelotl_clocks_info *info);

#endif

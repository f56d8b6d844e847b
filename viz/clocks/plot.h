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
    oc_caption caption;
    oc_legend legend;
    int legend_rows;
    int margin;            /* pixels before the axis of time that its labels may take */
    uint32_t blue, orange; /* visible on the paper */
    double tick;           /* seconds */
    int64_t from, to;
    double low, high;
    oc_axis *time, *scale;
} oc_clock_plot;

/* Makes one with its axes, and begins the scene. Errors: MEMORY; free it in any case. */
ocelotl_status oc_clock_plot_make(oc_clock_plot *plot, oc_scene *scene, const oc_picture *picture,
                                  const ocelotl_trace *trace, int64_t from, int64_t to);
void oc_clock_plot_free(oc_clock_plot *plot);

/* Makes room for a value, unless it is infinite or none. */
void oc_clock_plot_widen(oc_clock_plot *plot, double value);

/* Makes the room that all values took `room` times as large, and a tick more. */
void oc_clock_plot_end_scale(oc_clock_plot *plot, double room);

/* Adds a colour to its legend. */
void oc_clock_plot_explain(oc_clock_plot *plot, uint32_t colour, double opacity, const char *name);

/* Places the frame between names and a scale of so many pixels at its left, the caption, the axis
 * of time and the legend. The caption is written with the plot as its subject: what it needs more
 * is in a structure that begins with the plot. Errors: MEMORY. */
ocelotl_status oc_clock_plot_place(oc_clock_plot *plot, int names, int scale,
                                   oc_write_caption write_caption);

double oc_clock_plot_x(const oc_clock_plot *plot, double time);
double oc_clock_plot_y(const oc_clock_plot *plot, double off);

/* Draws plain numbers with their unit at the left of the frame. */
void oc_clock_plot_draw_scale(const oc_clock_plot *plot);

/* Appends a duration in ticks, to a share of it. */
void oc_clock_plot_add(oc_text *text, const oc_clock_plot *plot, double ticks, double share);

#endif

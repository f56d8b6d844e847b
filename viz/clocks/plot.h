/* Offsets of clocks over time: what their charts share. */
#ifndef OC_VIZ_CLOCKS_PLOT_H
#define OC_VIZ_CLOCKS_PLOT_H

#include "quality/clocks.h"
#include "viz/frame/chart.h"

/* A plot of offsets, in ticks, over times, in ticks. */
typedef struct oc_clock_plot {
    oc_chart chart; /* the first: the steps of the chart are given it */
    const ocelotl_trace *trace;
    int scale;   /* pixels of the scale at the left, which labels of the axis may take */
    double tick; /* seconds */
    int64_t from, to;
    double low, high;
} oc_clock_plot;

/* A plot of a window, from 0 to 0. */
oc_clock_plot oc_clock_plot_of(const ocelotl_trace *trace, const oc_chart_kind *kind, int64_t from,
                               int64_t to);

/* Adds the axis, with `names` pixels before the scale, and metadata. */
void oc_clock_plot_prepare(oc_clock_plot *plot, int names, int scale);

/* Makes room for a value, unless it is infinite or none. */
void oc_clock_plot_widen(oc_clock_plot *plot, double value);

double oc_clock_plot_x(const oc_clock_plot *plot, double time);
double oc_clock_plot_y(const oc_clock_plot *plot, double off);

/* Draws plain numbers with their unit at the left of the frame, and times below it. */
void oc_clock_plot_draw_scale(const oc_clock_plot *plot);
void oc_clock_plot_draw_axis(oc_clock_plot *plot);

#endif

/* A chart: marks over data, with what stands around them. It knows how caption, legend, axis and
 * frame come together; a kind of chart fills it. */
#ifndef OC_VIZ_FRAME_CHART_H
#define OC_VIZ_FRAME_CHART_H

#include "viz/frame/frame.h"

/* The steps of a kind, each with its drawing. */
typedef struct oc_chart_kind {
    /* finds what is drawn, to which scales; adds boxes to the layout and entries to the legend */
    ocelotl_status (*prepare)(void *drawing);
    oc_write_caption write_caption;
    ocelotl_status (*draw)(void *drawing); /* all but caption and legend */
} oc_chart_kind;

/* The drawing of each kind begins with it, and says the first four. */
typedef struct oc_chart {
    const oc_chart_kind *kind;
    const char *title;    /* used if the user gave none */
    double width, height; /* the same; 0: as other pictures have it */
    oc_scene *scene;
    const oc_picture *picture;
    oc_layout layout; /* boxes beside those of caption and legend */
    oc_frame frame;   /* of the marks */
    oc_caption caption;
    oc_legend legend;
    oc_axis *axis;         /* below them */
    uint32_t blue, orange; /* visible on the paper */
} oc_chart;

/* Lays a chart out that has its scene and picture. Errors: those of the steps, MEMORY. */
ocelotl_status oc_chart_lay_out(oc_chart *chart);

/* Lays a chart out and writes it. Errors: those of the steps and of pictures. */
ocelotl_status oc_chart_draw(oc_chart *chart, const ocelotl_sink *sink,
                             ocelotl_picture_format format, const ocelotl_picture_options *options);

/* Adds a colour to its legend. */
void oc_chart_explain(oc_chart *chart, uint32_t colour, double opacity, const char *name);

/* Draws a tick with its label at the left of a frame. */
void oc_chart_tick(const oc_chart *chart, const oc_frame *frame, double y, const char *label);

/* Draws what fits of a text into `room` pixels; where it is cut, a tooltip has all of it. */
void oc_chart_text(const oc_chart *chart, const oc_label *label, const char *text, double room);

/* Draws a bar or a cell between edges, with its tooltip, which is taken. */
void oc_chart_box(const oc_chart *chart, double left, double top, double right, double bottom,
                  uint32_t colour, oc_text *tooltip);

/* Draws a mark of a size around a point, with its tooltip, which is taken. */
void oc_chart_point(const oc_chart *chart, oc_point at, double size, uint32_t fill, uint32_t stroke,
                    oc_text *tooltip);

/* Draws a line through points. */
void oc_chart_line(const oc_chart *chart, const oc_point *points, size_t count, uint32_t colour,
                   double width, const char *tooltip);

/* --- Bars below each other, with a name before and numbers behind each */

enum { OC_BAR_APART = 20 /* pixels from one to the next */ };

typedef struct oc_bar_row {
    const char *name, *numbers;
    double share;    /* of the longest one */
    uint32_t colour; /* OC_COLOUR_NONE: it is empty */
} oc_bar_row;

/* What the widest name and the widest numbers take, in pixels. */
typedef struct oc_bar_widths {
    double name, numbers;
} oc_bar_widths;

void oc_bar_widths_add(oc_bar_widths *widths, const char *name, const char *numbers);

/* Draws a bar at a height, with its tooltip, which is taken. */
void oc_chart_bar(const oc_chart *chart, const oc_bar_widths *widths, double y,
                  const oc_bar_row *bar, oc_text *tooltip);

#endif

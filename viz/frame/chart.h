/* A chart: marks over data, with what stands around them. It knows how caption, legend, axis and
 * frame come together; a kind of chart fills it. */
#ifndef OC_VIZ_FRAME_CHART_H
#define OC_VIZ_FRAME_CHART_H

#include "viz/frame/frame.h"

/* The drawing of each kind begins with it. */
typedef struct oc_chart {
    oc_scene *scene;
    const oc_picture *picture;
    oc_layout layout; /* boxes beside those of caption and legend */
    oc_frame frame;   /* of the marks */
    oc_caption caption;
    oc_legend legend;
    oc_axis *axis;         /* below them */
    uint32_t blue, orange; /* visible on the paper */
} oc_chart;

/* The steps of a kind, each with its drawing. */
typedef struct oc_chart_kind {
    /* finds what is drawn, to which scales; adds boxes to the layout and entries to the legend */
    ocelotl_status (*prepare)(void *drawing);
    oc_write_caption write_caption;
    ocelotl_status (*draw)(void *drawing); /* all but caption and legend */
} oc_chart_kind;

/* Lays a chart out that has its scene and picture, all else is zero; `title` is used if the user
 * gave none. Errors: those of the steps, MEMORY. */
ocelotl_status oc_chart_lay_out(oc_chart *chart, const oc_chart_kind *kind, const char *title);

/* Adds a colour to its legend. */
void oc_chart_explain(oc_chart *chart, uint32_t colour, double opacity, const char *name);

/* Draws a tick with its label at the left of a frame. */
void oc_chart_tick(const oc_chart *chart, const oc_frame *frame, double y, const char *label);

/* Draws a bar or a cell between edges, with its tooltip, which is taken. */
void oc_chart_box(const oc_chart *chart, double left, double top, double right, double bottom,
                  uint32_t colour, oc_text *tooltip);

/* Draws a mark of a size around a point, with its tooltip, which is taken. */
void oc_chart_point(const oc_chart *chart, oc_point at, double size, uint32_t fill, uint32_t stroke,
                    oc_text *tooltip);

/* Draws a line through points. */
void oc_chart_line(const oc_chart *chart, const oc_point *points, size_t count, uint32_t colour,
                   double width, const char *tooltip);

#endif

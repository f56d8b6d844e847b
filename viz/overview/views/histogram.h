/* What the stacked histogram and that of one type have in common: how high what is. */
#ifndef OC_VIZ_OVERVIEW_VIEWS_HISTOGRAM_H
#define OC_VIZ_OVERVIEW_VIEWS_HISTOGRAM_H

#include "viz/frame/axis.h"
#include "viz/overview/views/merged_parts.h"

/* A histogram over temporal parts. Values are mean values of a cell, as the shares of a part. */
typedef struct oc_histogram {
    const oc_overview *overview;
    double top; /* the value at the upper edge */
    /* of each part the share of its cells that are in a lifetime; NULL without lifetimes */
    double *alive;
    oc_merged_parts *merged; /* whose overview this is, once it is drawn */
} oc_histogram;

/* Draws something of the column of a part; the text is for its tooltips. */
typedef void (*oc_histogram_drawer)(oc_scene *scene, const oc_histogram *histogram, size_t part,
                                    oc_text *tooltip);

/* A histogram whose largest column has this value: what has time reaches up to 1 at least where
 * `whole` is set. */
oc_histogram oc_histogram_of(const oc_overview *overview, double largest, bool whole);

/* Draws it, parts that are too narrow as one: the columns, what lies over all of them (NULL:
 * nothing), the scales. Errors: MEMORY. O(nodes + slices + parts x types), and what is drawn. */
ocelotl_status oc_histogram_draw(oc_scene *scene, const oc_histogram *histogram,
                                 oc_histogram_drawer draw_column, oc_histogram_drawer draw_mark);

/* Pixel of a value in the frame. */
int oc_histogram_y(const oc_histogram *histogram, double value);

/* The scales: what share of the cells a value is at the left, how many resources that is at the
 * right; where there is no time, the sum over resources at the left alone. Widths in pixels, 0 for
 * none. */
int oc_histogram_left(const oc_histogram *histogram);
int oc_histogram_right(const oc_histogram *histogram);

/* Where a part's column stands, from the bottom to the top of the frame, without the line that
 * follows it. */
oc_box oc_histogram_column(const oc_histogram *histogram, size_t part);

/* The paper of a column, which tells what the part is, and the line after it. */
void oc_histogram_draw_paper(oc_scene *scene, const oc_histogram *histogram, size_t part,
                             oc_text *tooltip);

/* A block of a column from one value up to another; nothing where it has no height. */
void oc_histogram_draw_block(oc_scene *scene, const oc_histogram *histogram, size_t part,
                             double from, double to, const oc_rectangle *look, const char *tooltip);

/* Hatches what is outside lifetimes, at the top of a column. */
void oc_histogram_draw_outside(oc_scene *scene, const oc_histogram *histogram, size_t part,
                               oc_text *tooltip);

/* Appends "name 30 %", how many resources that is and a line for the span of the part. */
void oc_histogram_describe(oc_text *text, const oc_overview *overview, size_t part,
                           const char *name, double value);

/* Adds the mark of what is outside lifetimes to the legend, where there is any. */
void oc_histogram_explain_outside(oc_legend *legend, const oc_overview *overview);

#endif

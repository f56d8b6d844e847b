/* Temporal parts that are too narrow to be told apart, drawn as one with their neighbours that are,
 * too. */
#ifndef OC_VIZ_OVERVIEW_VIEWS_MERGED_PARTS_H
#define OC_VIZ_OVERVIEW_VIEWS_MERGED_PARTS_H

#include "viz/overview/overview.h"

/* The parts that one stands for. */
typedef struct oc_merged_range {
    size_t first, count;
} oc_merged_range;

/* An overview whose parts are what is drawn. It may not be moved, and lives no longer than the one
 * it was made from. */
typedef struct oc_merged_parts {
    oc_overview overview; /* without modes */
    oc_overview_input input;
    ocelotl_part *parts; /* shares are means over what each stands for; gain and loss are sums */
    double *shares;
    oc_merged_range *ranges; /* of the parts that were */
    size_t count;
} oc_merged_parts;

/* Merges neighbours that are all narrower than `smallest` pixels until they are not. The frame must
 * be known. Errors: MEMORY. O(parts x types). */
ocelotl_status oc_merged_parts_find(oc_merged_parts *merged, const oc_overview *overview);
void oc_merged_parts_free(oc_merged_parts *merged);

/* Keeps them for a page, in their order, where the overview is kept. Errors: MEMORY. */
ocelotl_status oc_merged_parts_show(const oc_merged_parts *merged);

/* Appends a line: the part's number, or for how many it stands. */
void oc_merged_parts_describe(oc_text *text, const oc_merged_parts *merged, size_t part);

/* Where a part is, a pixel wide at least; `gap`: less the line after it, which parts of `gap`
 * pixels or more leave. */
oc_box oc_merged_parts_box(const oc_overview *overview, size_t part, int gap);

/* Whether a part has less than a pixel, so that it takes one from a neighbour and must be drawn
 * after all others. */
bool oc_merged_parts_is_thin(const oc_overview *overview, size_t part);

/* A bar above each that stands for several. */
void oc_merged_parts_draw(oc_scene *scene, const oc_merged_parts *merged);

/* For the caption and the legend, where there are any. */
void oc_merged_parts_write_caption(oc_caption *caption, const oc_overview *overview);
void oc_merged_parts_write_legend(oc_legend *legend, const oc_overview *overview);

#endif

/* Treemaps: where the parts of a spatial partition lie, nested as the hierarchy is. */
#ifndef OC_VIZ_TREEMAP_TREEMAP_H
#define OC_VIZ_TREEMAP_TREEMAP_H

#include "viz/overview/overview.h"

typedef struct oc_area {
    double x, y, width, height;
} oc_area;

/* Divides a rectangle into areas proportional to the weights (> 0), in reading order: in rows from
 * top to bottom, in each from left to right. Rows are broken where that keeps the rectangles
 * nearest to squares. Errors: MEMORY. O(count sqrt(count)) for weights of one order of
 * magnitude. */
ocelotl_status oc_strips(oc_area *areas, const double *weights, size_t count,
                         const oc_area *within);

/* What the areas of a treemap are proportional to. */
typedef enum oc_treemap_metric {
    OC_TREEMAP_LEAVES,
    OC_TREEMAP_TRACED,
    OC_TREEMAP_TYPE
} oc_treemap_metric;

typedef struct oc_treemap_area {
    oc_treemap_metric metric;
    uint32_t type; /* of OC_TREEMAP_TYPE */
    /* of values: the largest share of a part, so that no sum overflows */
    double unit;
} oc_treemap_area;

/* Finds what areas are proportional to, by the user's name; NULL: the number of leaves. Errors:
 * ARGUMENT. O(types). */
ocelotl_status oc_treemap_area_find(oc_treemap_area *area, const oc_overview *overview);

/* The weight of a part. */
double oc_treemap_weight(const oc_overview *overview, const oc_treemap_area *area,
                         const ocelotl_part *part);

typedef enum oc_treemap_kind {
    OC_TREEMAP_FRAME,   /* around what lies in a node that is no part */
    OC_TREEMAP_PART,    /* a part */
    OC_TREEMAP_TOGETHER /* parts in a node, too small to be drawn apart */
} oc_treemap_kind;

/* A rectangle of a treemap. */
typedef struct oc_treemap_cell {
    oc_treemap_kind kind;
    uint32_t node; /* of the model */
    /* the first node of a chain of only children down to `node` */
    uint32_t above;
    uint32_t level; /* how many frames it lies in */
    size_t parent;  /* the cell it lies in; the first lies in itself */
    oc_area area;
    oc_area inside;      /* of a frame: what its name and its edges leave */
    size_t first, count; /* its parts, in the treemap's `parts` */
    double weight;       /* of its parts */
} oc_treemap_cell;

/* A zeroed one is empty. */
typedef struct oc_treemap {
    oc_treemap_cell *cells; /* frames before what lies in them */
    size_t cell_count;
    size_t *parts;       /* numbers of parts, cell by cell */
    size_t hidden_parts; /* without any weight */
    size_t joint_parts;  /* parts drawn together with others */
} oc_treemap;

/* Lays a treemap out in a rectangle; siblings in the order of the hierarchy, in rows like text.
 * Areas of parts are proportional to their weights among siblings, and nearly so in the whole, as
 * the layout makes up for the room of frames. Neighbours smaller than `smallest` squared are
 * joined. Errors: MEMORY. O(nodes), and what oc_strips takes. */
ocelotl_status oc_treemap_make(oc_treemap *treemap, const oc_overview *overview,
                               const oc_treemap_area *area, const oc_area *within);
void oc_treemap_free(oc_treemap *treemap);

/* Pixels across a name, and before and after it. */
enum { OC_TREEMAP_NAME = 15, OC_TREEMAP_NAME_EDGE = 4 };

/* Returns the room for a name above the content of a rectangle; 0 for none. */
int oc_treemap_header(const oc_area *area);

/* Finds the name of a cell: the names of a chain of only children in one; of a part with one leaf,
 * down to that leaf. O(length of the chain). */
void oc_treemap_find_name(oc_text *name, const oc_overview *overview, const oc_treemap_cell *cell);

/* Fits a name into a width in pixels. Returns whether anything telling fits. */
bool oc_treemap_fit_name(oc_text *fitted, const char *name, int width, bool bold);

/* What a part leaves for its name. */
typedef struct oc_treemap_room {
    int width, height;
    bool has_header; /* a name cut anywhere is better than none */
    bool is_alone;   /* a single resource: the number at its end is better than nothing */
} oc_treemap_room;

/* Fits a name into a part: whole rather than cut, above the strips rather than upright at their
 * left. */
bool oc_treemap_fit_part_name(oc_text *fitted, bool *upright, const char *name,
                              const oc_treemap_room *room);

#endif

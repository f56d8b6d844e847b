/* Treemaps: where the parts of a spatial partition lie, nested as the hierarchy is. */
#ifndef OC_VIZ_TREEMAP_H
#define OC_VIZ_TREEMAP_H

#include "viz/overview.h"

typedef struct oc_area {
    double x, y, width, height;
} oc_area;

/* Divides a rectangle into one for each weight (> 0, the largest first), as large as the weights are, and as near to
 * squares as going in rows along the shorter side gets (Bruls, Huizing and van Wijk 2000, Squarified Treemaps).
 * O(count). */
void oc_squarify(oc_area *areas, const double *weights, size_t count, const oc_area *within);

/* What the areas of a treemap are proportional to. */
typedef enum oc_treemap_metric { OC_TREEMAP_LEAVES, OC_TREEMAP_TRACED, OC_TREEMAP_TYPE } oc_treemap_metric;

typedef struct oc_treemap_area {
    oc_treemap_metric metric;
    uint32_t type; /* of OC_TREEMAP_TYPE */
    double unit;   /* of values: the largest share of a part, so that no sum is too large to be a number */
} oc_treemap_area;

/* What the user called so; NULL is the number of leaves. Errors: ARGUMENT. O(types). */
ocelotl_status oc_treemap_area_find(oc_treemap_area *area, const oc_overview *overview);

/* The weight of a part. */
double oc_treemap_weight(const oc_overview *overview, const oc_treemap_area *area, const ocelotl_part *part);

typedef enum oc_treemap_kind {
    OC_TREEMAP_FRAME,   /* around what lies in a node that is no part */
    OC_TREEMAP_PART,    /* a part */
    OC_TREEMAP_TOGETHER /* parts in a node that are too small to be drawn one by one */
} oc_treemap_kind;

/* A rectangle of a treemap. */
typedef struct oc_treemap_cell {
    oc_treemap_kind kind;
    uint32_t node;  /* of the model */
    uint32_t above; /* the first of the nodes that have no other child than the next, down to `node` */
    uint32_t level; /* how many frames it lies in */
    size_t parent;  /* the cell it lies in; of the first its own */
    oc_area area;
    oc_area inside;      /* of a frame: what its name and its edges leave */
    size_t first, count; /* of its parts: in the treemap's `parts` */
    double weight;       /* of its parts */
} oc_treemap_cell;

/* A zeroed one is empty. */
typedef struct oc_treemap {
    oc_treemap_cell *cells; /* frames before what lies in them */
    size_t cell_count;
    size_t *parts;       /* numbers of parts, those of a cell one after the other */
    size_t hidden_parts; /* without any weight */
    size_t joint_parts;  /* that are drawn together with others */
} oc_treemap;

/* Lays a treemap out in a rectangle; siblings by weight, the largest first, then in the order of the hierarchy. Areas of
 * parts are proportional to their weights among siblings, and nearly so in the whole: the room that frames take is
 * made up for. Children smaller than `smallest` squared are put together. Errors: MEMORY.
 * O(nodes log nodes). */
ocelotl_status oc_treemap_make(oc_treemap *treemap, const oc_overview *overview, const oc_treemap_area *area,
                               const oc_area *within);
void oc_treemap_free(oc_treemap *treemap);

/* Room for a name above what lies in a rectangle; 0 where there is none. */
int oc_treemap_header(const oc_area *area);

#endif

/* The columns at the left of a plot, one a level of a hierarchy, with the names of its nodes. */
#ifndef OC_VIZ_FRAME_COLUMNS_H
#define OC_VIZ_FRAME_COLUMNS_H

#include "viz/frame/picture.h"

/* A node of a hierarchy, over rows that lie one below the other, as high as one another. */
typedef struct oc_row_node {
    const char *name;
    const char *path; /* its tooltip */
    uint32_t depth;
    uint32_t first, count; /* its rows */
    bool leaf;
} oc_row_node;

/* Nodes in the order of drawing, parents before children. The strings belong to whoever made them.
 */
typedef struct oc_row_nodes {
    oc_row_node *nodes;
    size_t node_count;
    uint32_t row_count;
} oc_row_nodes;

/* Pixel of the edge above a row. */
int oc_row_y(const oc_frame *frame, const oc_row_nodes *rows, uint32_t row);

typedef struct oc_level_column {
    uint32_t depth;
    int width;
    bool rotated;
} oc_level_column;

typedef struct oc_level_columns {
    oc_level_column *columns;
    size_t count;
    int width; /* of all, with the space that follows them; 0 without any */
} oc_level_columns;

/* Chooses the levels that can be named in `room` pixels, for a plot so high. An implicit root
 * (depth 0, no name) is never shown. Errors: MEMORY. O(nodes). */
ocelotl_status oc_level_columns_choose(oc_level_columns *columns, const oc_row_nodes *rows,
                                       int height, int room);

/* Draws them at the left of a frame. Errors: MEMORY. O(nodes). */
ocelotl_status oc_level_columns_draw(oc_scene *scene, const oc_picture *picture,
                                     const oc_frame *frame, const oc_row_nodes *rows,
                                     const oc_level_columns *columns);
void oc_level_columns_free(oc_level_columns *columns);

#endif

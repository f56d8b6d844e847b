/* Names of some rows and the number of all, beside a plot whose columns do not tell the rows apart.
 */
#ifndef OC_VIZ_OVERVIEW_ROW_NAMES_H
#define OC_VIZ_OVERVIEW_ROW_NAMES_H

#include "viz/frame/columns.h"

/* A zeroed one has none. */
typedef struct oc_row_names {
    int name_width; /* of the names with their ticks, 0: there is no room for any */
    int width;      /* of all, 0: columns tell the rows apart, or there is one row */
} oc_row_names;

/* Chooses what can be said in `room` pixels beside a plot so high, with these columns. O(nodes). */
oc_row_names oc_row_names_choose(const oc_rows *rows, const oc_level_columns *columns, int height,
                                 int room);

/* Draws them at the left of a frame: as many leaves as can be read, each at its row, and how many
 * rows there are. */
void oc_row_names_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_rows *rows, const oc_row_names *names);

#endif

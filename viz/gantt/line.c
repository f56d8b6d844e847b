/* A line through all rows: where the critical path is, from one resource to the next. */
#include "viz/gantt/gantt.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Pixels. */
static const double width = 2.5;
static const double paper_width = 5;
static const double apart = 0.75; /* points that are nearer are one */

/* The first row of each resource that takes room; OCELOTL_NONE. */
static ocelotl_status find_rows(uint32_t **rows, const oc_gantt *gantt)
{
    const uint32_t resources = ocelotl_trace_resource_count(gantt->trace);
    OC_TRY(oc_allocate(rows, resources, sizeof **rows));
    for (uint32_t r = 0; r < resources; r++)
        (*rows)[r] = OCELOTL_NONE;
    for (uint32_t row = gantt->drawn_count; row-- > 0;)
        if (gantt->room[row] == OC_GANTT_OWN_ROOM)
            (*rows)[gantt->drawn[row].is.resource] = row;
    return OCELOTL_OK;
}

static void add(oc_point *points, size_t *count, oc_point point)
{
    const oc_point *last = *count > 0 ? &points[*count - 1] : NULL;
    if (last == NULL || fabs(point.x - last->x) > apart || fabs(point.y - last->y) > apart)
        points[(*count)++] = point;
}

/* Draws what has been added, on paper, so that it is seen on states of any colour. */
static void draw(oc_scene *scene, const oc_gantt *gantt, oc_point *points, size_t *count)
{
    const oc_theme *theme = gantt->picture->theme;
    oc_path path = {.fill = OC_COLOUR_NONE, .stroke = theme->paper, .opacity = 0.8};
    path.width = paper_width;
    if (*count > 1) {
        oc_scene_path(scene, &path, points, *count, NULL);
        path.stroke = theme->accent;
        path.opacity = 1;
        path.width = width;
        oc_scene_path(scene, &path, points, *count, "critical path");
    }
    *count = 0;
}

/* Where it is in a resource that is not drawn, it ends, and begins again behind that. */
ocelotl_status oc_gantt_draw_line(oc_scene *scene, const oc_gantt *gantt)
{
    const uint32_t pieces = ocelotl_drawables_piece_count(gantt->drawables);
    uint32_t *rows = NULL;
    oc_point *points = NULL;
    size_t count = 0;
    if (pieces == 0)
        return OCELOTL_OK;
    OC_TRY(find_rows(&rows, gantt));
    const ocelotl_status status = oc_allocate(&points, 2 * (size_t)pieces, sizeof *points);
    oc_scene_group(scene, "critical-path", &(oc_group_style){.inert = true}, NULL);
    for (uint32_t i = 0; i < pieces && status == OCELOTL_OK; i++) {
        const ocelotl_drawn_piece piece = ocelotl_drawables_piece_at(gantt->drawables, i);
        if (rows[piece.resource] == OCELOTL_NONE) {
            draw(scene, gantt, points, &count);
            continue;
        }
        const double y = oc_gantt_middle(gantt, rows[piece.resource]);
        add(points, &count, (oc_point){oc_gantt_x(gantt, piece.from), y});
        add(points, &count, (oc_point){oc_gantt_x(gantt, piece.to), y});
    }
    draw(scene, gantt, points, &count);
    oc_scene_group_end(scene);
    free(points);
    free(rows);
    return status;
}

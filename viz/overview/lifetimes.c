#include "viz/overview/overview.h"

#include <math.h>

static void hatch(oc_scene *scene, const oc_theme *theme, const oc_box *place)
{
    if (place->width <= 0 || place->height <= 0)
        return;
    const oc_rectangle rectangle = {.x = place->x,
                                    .y = place->y,
                                    .width = place->width,
                                    .height = place->height,
                                    .fill = theme->paper,
                                    .opacity = 0.75,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = theme->hatch};
    oc_scene_rectangle(scene, &rectangle, NULL);
}

/* Neighbouring leaves with the same lifetime, in pixels. */
typedef struct lifetime {
    int begin, end;
    uint32_t first_row, end_row;
} lifetime;

static void hatch_around(oc_scene *scene, const oc_overview *overview, const lifetime *alive)
{
    const oc_frame *frame = &overview->frame;
    const oc_theme *theme = overview->picture->theme;
    if (alive->end_row == alive->first_row)
        return;
    const int top = oc_overview_y(overview, alive->first_row);
    const int height = oc_overview_y(overview, alive->end_row) - top;
    hatch(scene, theme, &(oc_box){frame->left, top, alive->begin - frame->left, height});
    hatch(scene, theme,
          &(oc_box){alive->end, top, frame->left + frame->width - alive->end, height});
}

void oc_overview_draw_lifetimes(oc_scene *scene, const oc_overview *overview)
{
    const uint32_t count = overview->model.node_count;
    const oc_visible *visible = &overview->visible;
    const double end_slice = (double)visible->slice_first + visible->slice_count;
    lifetime alive = {0};
    oc_scene_group(scene, "lifetimes", &(oc_group){.inert = true}, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node(overview->input->model, i);
        const bool leaf =
            i + 1 == count || ocelotl_model_node(overview->input->model, i + 1).parent != i;
        if (!leaf || node.row_first < visible->row_first ||
            node.row_first >= visible->row_first + visible->row_count)
            continue;
        const int begin =
            oc_overview_x(overview, fmin(end_slice, fmax(visible->slice_first, node.begin)));
        const int end =
            oc_overview_x(overview, fmax(visible->slice_first, fmin(node.end, end_slice)));
        if (begin != alive.begin || end != alive.end) {
            hatch_around(scene, overview, &alive);
            alive = (lifetime){begin, end, node.row_first, node.row_first};
        }
        alive.end_row = node.row_first + node.row_count;
    }
    hatch_around(scene, overview, &alive);
    oc_scene_group_end(scene);
}

#include "viz/overview.h"

#include "viz/lettering.h"

#include <math.h>

/* Parts that are at least so large, in pixels, leave a line of the paper between them. */
enum { BORDERED_FROM = 3 };

typedef struct box {
    int x, y, width, height;
} box;

/* Edges are rounded the same way for every part, so that parts neither overlap nor leave gaps: where several share a
 * pixel, one of them gets it. */
static box box_of(const oc_overview *overview, const ocelotl_part *part)
{
    const ocelotl_node node = ocelotl_model_node(overview->input->model, part->node);
    const int left = oc_overview_x(overview, part->first);
    const int top = oc_overview_y(overview, node.leaf_first);
    return (box){left, top, oc_overview_x(overview, (double)part->last + 1) - left,
                 oc_overview_y(overview, node.leaf_first + node.leaf_count) - top};
}

size_t oc_overview_hidden_parts(const oc_overview *overview)
{
    size_t hidden = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++) {
        const box place = box_of(overview, &overview->input->parts[i]);
        hidden += place.width <= 0 || place.height <= 0;
    }
    return hidden;
}

/* Paler parts than this do not stand out from the paper between them. */
static const double pale = 0.4;

/* The borders after a pale part, in the space it leaves. */
static void draw_borders(oc_scene *scene, const oc_overview *overview, const box *place)
{
    const oc_frame *frame = &overview->frame;
    oc_rectangle border = {.x = place->x + place->width - 1,
                           .y = place->y,
                           .width = 1,
                           .height = place->height,
                           .fill = OC_COLOUR_BORDER,
                           .opacity = 1,
                           .stroke = OC_COLOUR_NONE,
                           .hatch = OC_COLOUR_NONE};
    if (place->width >= BORDERED_FROM && place->x + place->width < frame->left + frame->width)
        oc_scene_rectangle(scene, &border, NULL);
    border.x = place->x;
    border.y = place->y + place->height - 1;
    border.width = place->width;
    border.height = 1;
    if (place->height >= BORDERED_FROM && place->y + place->height < frame->top + frame->height)
        oc_scene_rectangle(scene, &border, NULL);
}

static void draw_all_borders(oc_scene *scene, const oc_overview *overview)
{
    oc_scene_group(scene, "borders", &(oc_group){.crisp = true, .inert = true}, NULL);
    for (size_t i = 0; i < overview->input->partition.part_count; i++) {
        const box place = box_of(overview, &overview->input->parts[i]);
        if (overview->modes[i].opacity < pale && place.width > 0 && place.height > 0)
            draw_borders(scene, overview, &place);
    }
    oc_scene_group_end(scene);
}

static void draw_part(oc_scene *scene, const oc_overview *overview, size_t index, oc_text *tooltip)
{
    box place = box_of(overview, &overview->input->parts[index]);
    const oc_mode *mode = &overview->modes[index];
    if (place.width <= 0 || place.height <= 0)
        return;
    place.width -= place.width >= BORDERED_FROM;
    place.height -= place.height >= BORDERED_FROM;
    const bool empty = mode->type == OCELOTL_NONE;
    const oc_rectangle rectangle = {.x = place.x,
                                    .y = place.y,
                                    .width = place.width,
                                    .height = place.height,
                                    .fill = empty ? OC_COLOUR_PAPER : overview->types[mode->type].colour,
                                    .opacity = empty ? 1 : mode->opacity,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_NONE};
    oc_text_clear(tooltip);
    oc_overview_describe_part(tooltip, overview, index);
    oc_scene_rectangle(scene, &rectangle, tooltip->bytes);
}

void oc_overview_draw_parts(oc_scene *scene, const oc_overview *overview)
{
    oc_text tooltip = {0};
    oc_scene_group(scene, "parts", &(oc_group){.crisp = true}, NULL);
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        draw_part(scene, overview, i, &tooltip);
    oc_scene_group_end(scene);
    draw_all_borders(scene, overview);
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
}

static bool hatch(oc_scene *scene, const box *place)
{
    if (place->width <= 0 || place->height <= 0)
        return false;
    const oc_rectangle rectangle = {.x = place->x,
                                    .y = place->y,
                                    .width = place->width,
                                    .height = place->height,
                                    .fill = OC_COLOUR_PAPER,
                                    .opacity = 0.75,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_HATCH};
    oc_scene_rectangle(scene, &rectangle, NULL);
    return true;
}

/* Neighbouring leaves with the same lifetime, in pixels. */
typedef struct lifetime {
    int begin, end;
    uint32_t first_leaf, end_leaf;
} lifetime;

static bool hatch_around(oc_scene *scene, const oc_overview *overview, const lifetime *alive)
{
    const oc_frame *frame = &overview->frame;
    const int top = oc_overview_y(overview, alive->first_leaf);
    const int height = oc_overview_y(overview, alive->end_leaf) - top;
    const bool before = hatch(scene, &(box){frame->left, top, alive->begin - frame->left, height});
    const bool after = hatch(scene, &(box){alive->end, top, frame->left + frame->width - alive->end, height});
    return before || after;
}

bool oc_overview_draw_lifetimes(oc_scene *scene, const oc_overview *overview)
{
    const uint32_t count = overview->model.node_count;
    lifetime alive = {0};
    bool drawn = false;
    oc_scene_group(scene, "lifetimes", &(oc_group){.inert = true}, NULL);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node(overview->input->model, i);
        const bool leaf = i + 1 == count || ocelotl_model_node(overview->input->model, i + 1).parent != i;
        if (!leaf)
            continue;
        const int begin = oc_overview_x(overview, fmax(0, node.begin));
        const int end = oc_overview_x(overview, fmin(node.end, overview->model.slice_count));
        if (alive.end_leaf == 0 || begin != alive.begin || end != alive.end) {
            drawn |= alive.end_leaf > 0 && hatch_around(scene, overview, &alive);
            alive = (lifetime){begin, end, node.leaf_first, node.leaf_first};
        }
        alive.end_leaf = node.leaf_first + 1;
    }
    drawn |= alive.end_leaf > 0 && hatch_around(scene, overview, &alive);
    oc_scene_group_end(scene);
    return drawn;
}

/* A partition as mode (thesis 6.4.3): a rectangle a part, in the colour of its dominant type, as opaque as that type's
 * share. */
#include "viz/overview.h"

#include "viz/lettering.h"

#include <math.h>

/* Parts that are at least so large, in pixels, leave a line of the paper between them. */
enum { BORDERED_FROM = 3 };

static oc_box box_of(const oc_overview *overview, const ocelotl_part *part)
{
    return oc_overview_box(overview, part->node, part->first, part->last);
}

size_t oc_overview_hidden_parts(const oc_overview *overview)
{
    size_t hidden = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++) {
        const oc_box place = box_of(overview, &overview->input->parts[i]);
        hidden += place.width <= 0 || place.height <= 0;
    }
    return hidden;
}

/* Paler parts than this do not stand out from the paper between them. */
static const double pale = 0.4;

/* The borders after a pale part, in the space it leaves. */
static void draw_borders(oc_scene *scene, const oc_overview *overview, const oc_box *place)
{
    const oc_frame *frame = &overview->frame;
    oc_rectangle border = {.x = place->x + place->width - 1,
                           .y = place->y,
                           .width = 1,
                           .height = place->height,
                           .fill = overview->picture->theme->border,
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
        const oc_box place = box_of(overview, &overview->input->parts[i]);
        if (overview->modes[i].opacity < pale && place.width > 0 && place.height > 0)
            draw_borders(scene, overview, &place);
    }
    oc_scene_group_end(scene);
}

static void draw_part(oc_scene *scene, const oc_overview *overview, size_t index, oc_text *tooltip)
{
    oc_box place = box_of(overview, &overview->input->parts[index]);
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
                                    .fill = empty ? overview->picture->theme->paper
                                                  : overview->types[mode->type].colour,
                                    .opacity = empty ? 1 : mode->opacity,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_NONE};
    oc_text_clear(tooltip);
    oc_overview_describe_part(tooltip, overview, index);
    oc_scene_rectangle(scene, &rectangle, tooltip->bytes);
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    oc_text tooltip = {0};
    oc_scene_group(scene, "parts", &(oc_group){.crisp = true}, NULL);
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        draw_part(scene, overview, i, &tooltip);
    oc_scene_group_end(scene);
    draw_all_borders(scene, overview);
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
    return OCELOTL_OK;
}

static void describe(oc_caption *caption, const oc_overview *overview)
{
    const size_t hidden = oc_overview_hidden_parts(overview);
    oc_text piece = {0};
    if (hidden > 0) {
        oc_count_add(&piece, hidden);
        oc_text_add(&piece, hidden == 1 ? " part smaller than a pixel" : " parts smaller than a pixel");
        oc_caption_add(caption, piece.bytes);
    }
    oc_text_free(&piece);
}

static const char what[] = "each part in the colour of its dominant type, as opaque as that type's share";

const oc_view oc_view_mode = {.is = {"mode", what, OCELOTL_SPATIOTEMPORAL},
                              .resources = true,
                              .shades = true,
                              .types = true,
                              .draw = draw,
                              .describe = describe};

const oc_view oc_view_temporal_mode = {.is = {"mode", what, OCELOTL_TEMPORAL},
                                       .shades = true,
                                       .types = true,
                                       .draw = draw,
                                       .describe = describe,
                                       .height = OC_BAR_PICTURE_HEIGHT};

const oc_view oc_view_spatial_mode = {.is = {"mode", what, OCELOTL_SPATIAL},
                                      .resources = true,
                                      .shades = true,
                                      .types = true,
                                      .draw = draw,
                                      .describe = describe};

/* A temporal partition as a bar of parts (thesis 5.6.2): the colour of a part tells where it begins, whatever p is. */
#include "viz/overview.h"

#include "viz/lettering.h"
#include "viz/part_colours.h"

#include <math.h>

enum {
    BORDERED_FROM = 3, /* pixels of a part that leaves a line of the paper after it */
    NUMBER_HEIGHT = 14,
    NUMBER_PADDING = 3,
    BASELINE = 4 /* below the middle */
};

static oc_box box_of(const oc_overview *overview, size_t index)
{
    const ocelotl_part *part = &overview->input->parts[index];
    const oc_frame *frame = &overview->frame;
    oc_box place = oc_overview_box(overview, part->node, part->first, part->last);
    place.width -= place.width >= BORDERED_FROM && place.x + place.width < frame->left + frame->width;
    return place;
}

static uint32_t colour_of(const oc_overview *overview, size_t index)
{
    return oc_part_colour(overview->input->parts[index].first, overview->picture->theme->paper);
}

static void draw_part(oc_scene *scene, const oc_overview *overview, size_t index, oc_text *tooltip)
{
    const oc_box place = box_of(overview, index);
    const oc_rectangle rectangle = {.x = place.x,
                                    .y = place.y,
                                    .width = place.width,
                                    .height = place.height,
                                    .fill = colour_of(overview, index),
                                    .opacity = 1,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_NONE};
    if (place.width <= 0)
        return;
    oc_text_clear(tooltip);
    oc_text_format(tooltip, "part %zu\n", index + 1);
    oc_overview_describe_part(tooltip, overview, index);
    oc_scene_rectangle(scene, &rectangle, tooltip->bytes);
}

static void draw_number(oc_scene *scene, const oc_overview *overview, size_t index, oc_text *number)
{
    const oc_box place = box_of(overview, index);
    oc_text_clear(number);
    oc_text_format(number, "%zu", index + 1);
    if (number->failed || place.height < NUMBER_HEIGHT ||
        oc_lettering_width(number->bytes, OC_SIZE_LABEL, false) + NUMBER_PADDING * 2 > place.width)
        return;
    const oc_label label = {place.x + place.width / 2.0,
                            place.y + floor(place.height / 2.0) + BASELINE,
                            OC_ANCHOR_MIDDLE,
                            OC_SIZE_LABEL,
                            false,
                            oc_ink_on(colour_of(overview, index)),
                            0};
    oc_scene_label(scene, &label, number->bytes, NULL);
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    oc_text text = {0};
    oc_scene_group(scene, "parts", &(oc_group){.crisp = true}, NULL);
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        draw_part(scene, overview, i, &text);
    oc_scene_group_end(scene);
    oc_scene_group(scene, "numbers", &(oc_group){.inert = true}, NULL);
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        draw_number(scene, overview, i, &text);
    oc_scene_group_end(scene);
    scene->failed = scene->failed || text.failed;
    oc_text_free(&text);
    return OCELOTL_OK;
}

const oc_view oc_view_temporal_partition = {
    .is = {"partition", "each part in a colour of its own, which tells where it begins", OCELOTL_TEMPORAL},
    .draw = draw,
    .height = OC_BAR_PICTURE_HEIGHT};

/* A temporal partition as a bar of parts (thesis 5.6.2): the colour of a part tells where it
 * begins, whatever p is. */
#include "viz/overview/views/merged_parts.h"

#include "viz/colour/part_colours.h"
#include "viz/words/lettering.h"

#include <math.h>

enum {
    BORDERED_FROM = 3, /* pixels of a part that leaves a line of the paper after it */
    NUMBER_HEIGHT = 14,
    NUMBER_PADDING = 3,
    BASELINE = 4 /* below the middle */
};

static oc_box box_of(const oc_overview *overview, size_t index)
{
    return oc_merged_parts_box(overview, index, BORDERED_FROM);
}

static uint32_t colour_of(const oc_overview *overview, size_t index)
{
    return oc_part_colour(overview->input->parts[index].first, overview->picture->theme->paper);
}

static void draw_part(oc_scene *scene, const oc_merged_parts *merged, size_t index,
                      oc_text *tooltip)
{
    const oc_overview *overview = &merged->overview;
    const oc_box place = box_of(overview, index);
    const oc_rectangle rectangle = {.x = place.x,
                                    .y = place.y,
                                    .width = place.width,
                                    .height = place.height,
                                    .fill = colour_of(overview, index),
                                    .opacity = 1,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_NONE};
    oc_text_clear(tooltip);
    oc_merged_parts_describe(tooltip, merged, index);
    oc_overview_describe_part(tooltip, overview, index);
    oc_scene_rectangle(scene, &rectangle, tooltip->bytes);
    oc_scene_refer(scene, index + 1);
}

static void draw_number(oc_scene *scene, const oc_merged_parts *merged, size_t index, oc_text *text)
{
    const oc_overview *overview = &merged->overview;
    const oc_box place = box_of(overview, index);
    oc_text_clear(text);
    oc_text_format(text, "%zu", merged->ranges[index].first);
    if (text->failed || merged->ranges[index].count > 1 || place.height < NUMBER_HEIGHT ||
        oc_lettering_width(text->bytes, OC_SIZE_LABEL, false) + NUMBER_PADDING * 2 > place.width)
        return;
    const oc_label label = {place.x + place.width / 2.0,
                            place.y + floor(place.height / 2.0) + BASELINE,
                            OC_ANCHOR_MIDDLE,
                            OC_SIZE_LABEL,
                            false,
                            oc_ink_on(colour_of(overview, index)),
                            0};
    oc_scene_label(scene, &label, text->bytes, NULL);
}

static void draw_all(oc_scene *scene, const oc_merged_parts *merged)
{
    oc_text text = {0};
    oc_scene_group(scene, "parts", &(oc_group){.crisp = true}, NULL);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < merged->count; i++)
            if (oc_merged_parts_is_thin(&merged->overview, i) == (pass == 1))
                draw_part(scene, merged, i, &text);
    oc_scene_group_end(scene);
    oc_scene_group(scene, "numbers", &(oc_group){.inert = true}, NULL);
    for (size_t i = 0; i < merged->count; i++)
        draw_number(scene, merged, i, &text);
    oc_scene_group_end(scene);
    oc_merged_parts_draw(scene, merged);
    scene->failed = scene->failed || text.failed;
    oc_text_free(&text);
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    oc_merged_parts merged = {0};
    ocelotl_status status = oc_merged_parts_find(&merged, overview);
    if (status == OCELOTL_OK)
        status = oc_merged_parts_record(&merged);
    if (status == OCELOTL_OK)
        draw_all(scene, &merged);
    oc_merged_parts_free(&merged);
    return status;
}

const oc_view oc_view_temporal_partition = {
    .is = {"partition", "each part in a colour of its own, which tells where it begins",
           OCELOTL_TEMPORAL},
    .draw = draw,
    .describe = oc_merged_parts_write_caption,
    .explain = oc_merged_parts_write_legend,
    .height = OC_BAR_PICTURE_HEIGHT};

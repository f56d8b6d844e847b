#include "viz/overview/views.h"

#include "base/memory.h"
#include "viz/colour/colour.h"
#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { BAR_HEIGHT = 3 };

static double slices_of(const ocelotl_part *part)
{
    return (double)part->last - part->first + 1;
}

/* The width before rounding, so that parts of one length are merged all or none. Until the frame is
 * known it is as wide as the picture. */
static double width_of(const oc_overview *overview, size_t part)
{
    const double frame =
        overview->frame.width > 0 ? overview->frame.width : overview->picture->width;
    return slices_of(&overview->input->parts[part]) / overview->visible.slice_count * frame;
}

static size_t end_of_group(const oc_overview *overview, size_t begin)
{
    const double smallest = overview->picture->smallest * (1 - 1e-9);
    const size_t count = overview->input->partition.part_count;
    double width = 0;
    size_t end = begin;
    while (end < count && width < smallest && width_of(overview, end) < smallest)
        width += width_of(overview, end++);
    return end > begin ? end : begin + 1;
}

static void merge(oc_merged_parts *merged, const oc_overview *overview, size_t begin, size_t end)
{
    const uint32_t types = overview->model.type_count;
    const ocelotl_part *from = overview->input->parts;
    double *shares = merged->shares + merged->count * types;
    ocelotl_part *part = &merged->parts[merged->count];
    *part = from[begin];
    part->last = from[end - 1].last;
    part->shares = shares;
    for (size_t i = begin; i < end; i++) {
        for (uint32_t type = 0; type < types; type++)
            shares[type] += from[i].shares[type] *
                            (end - begin > 1 ? slices_of(&from[i]) / slices_of(part) : 1);
        part->gain += i > begin ? from[i].gain : 0;
        part->loss += i > begin ? from[i].loss : 0;
    }
    merged->ranges[merged->count++] = (oc_merged_range){begin, end - begin};
}

ocelotl_status oc_merged_parts_find(oc_merged_parts *merged, const oc_overview *overview)
{
    const size_t count = overview->input->partition.part_count;
    OC_TRY(oc_allocate(&merged->parts, count, sizeof *merged->parts));
    OC_TRY(oc_allocate(&merged->ranges, count, sizeof *merged->ranges));
    OC_TRY(
        oc_allocate(&merged->shares, count, overview->model.type_count * sizeof *merged->shares));
    for (size_t begin = 0; begin < count; begin = end_of_group(overview, begin))
        merge(merged, overview, begin, end_of_group(overview, begin));
    merged->input = *overview->input;
    merged->input.parts = merged->parts;
    merged->input.partition.part_count = merged->count;
    merged->overview = *overview;
    merged->overview.input = &merged->input;
    merged->overview.modes = NULL;
    return OCELOTL_OK;
}

void oc_merged_parts_free(oc_merged_parts *merged)
{
    free(merged->parts);
    free(merged->ranges);
    free(merged->shares);
    *merged = (oc_merged_parts){0};
}

ocelotl_status oc_merged_parts_show(const oc_merged_parts *merged)
{
    for (size_t i = 0; i < merged->count && merged->input.shown != NULL; i++)
        OC_TRY(oc_shown_add_part(merged->input.shown, &merged->parts[i], merged->ranges[i].first,
                                 merged->ranges[i].count, merged->overview.model.type_count));
    return OCELOTL_OK;
}

void oc_merged_parts_describe(oc_text *text, const oc_merged_parts *merged, size_t part)
{
    if (merged->ranges[part].count == 1) {
        oc_part_add_number(text, merged->ranges[part].first);
        oc_text_add(text, "\n");
    } else {
        oc_text_format(text, "%zu parts too narrow to be drawn apart\n",
                       merged->ranges[part].count);
        oc_overview_describe_means(text, &merged->overview);
    }
}

double oc_merged_parts_density(const oc_overview *overview, size_t part)
{
    const ocelotl_part *of = &overview->input->parts[part];
    const double whole = overview->input->partition.whole_loss;
    return whole > 0 ? fmin(1, of->loss / slices_of(of) * (overview->model.slice_count / whole))
                     : 0;
}

oc_box oc_merged_parts_box(const oc_overview *overview, size_t part, int gap)
{
    const ocelotl_part *of = &overview->input->parts[part];
    const oc_frame *frame = &overview->frame;
    const int right = frame->left + frame->width;
    oc_box place = oc_overview_box(overview, of->node, of->first, of->last);
    place.y = frame->top;
    place.height = frame->height;
    if (place.width >= gap && place.x + place.width < right)
        place.width--;
    if (place.width < 1)
        place.width = 1;
    if (place.x + place.width > right)
        place.x = right - place.width;
    return place;
}

bool oc_merged_parts_is_thin(const oc_overview *overview, size_t part)
{
    const ocelotl_part *of = &overview->input->parts[part];
    return oc_overview_box(overview, of->node, of->first, of->last).width < 1;
}

void oc_merged_parts_draw(oc_scene *scene, const oc_merged_parts *merged)
{
    const oc_theme *theme = merged->overview.picture->theme;
    oc_text tooltip = {0};
    oc_scene_group(scene, "merged", &(oc_group_style){.crisp = true}, NULL);
    for (size_t i = 0; i < merged->count; i++) {
        const oc_box place = oc_merged_parts_box(&merged->overview, i, INT_MAX);
        const oc_rectangle bar =
            oc_rectangle_of(place.x, place.y - BAR_HEIGHT, place.width, BAR_HEIGHT, theme->ink);
        oc_text_clear(&tooltip);
        oc_merged_parts_describe(&tooltip, merged, i);
        if (merged->ranges[i].count > 1)
            oc_scene_rectangle(scene, &bar, tooltip.bytes);
    }
    oc_scene_group_end(scene);
    oc_scene_take(scene, &tooltip);
}

/* Counts the parts parts drawn together with others. */
static size_t count_merged(const oc_overview *overview)
{
    const size_t count = overview->input->partition.part_count;
    size_t merged = 0;
    for (size_t begin = 0, end; begin < count; begin = end) {
        end = end_of_group(overview, begin);
        merged += end - begin > 1 ? end - begin : 0;
    }
    return merged;
}

void oc_merged_parts_write_caption(oc_caption *caption, const oc_overview *overview)
{
    const size_t count = count_merged(overview);
    oc_text piece = {0};
    if (count > 0) {
        oc_count_add(&piece, count);
        oc_text_add(&piece, " parts too narrow to be drawn apart");
    }
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
}

void oc_merged_parts_write_legend(oc_legend *legend, const oc_overview *overview)
{
    oc_texture_write_legend(legend, overview);
    if (count_merged(overview) > 0)
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(overview->picture->theme->ink),
                      "bar above: several parts", NULL, false);
}

/* --- A temporal partition as a bar of parts (thesis 5.6.2): the colour of a part shows where it
 * begins, at any p */

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
    const oc_rectangle rectangle =
        oc_rectangle_of(place.x, place.y, place.width, place.height, colour_of(overview, index));
    oc_text_clear(tooltip);
    oc_merged_parts_describe(tooltip, merged, index);
    oc_overview_describe_part(tooltip, overview, index);
    oc_scene_rectangle(scene, &rectangle, tooltip->bytes);
    oc_scene_refer(scene, index + 1);
    if (overview->picture->texture)
        oc_scene_texture(scene, oc_merged_parts_density(overview, index),
                         oc_ink_on(rectangle.fill));
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
    const oc_label label =
        oc_label_at(place.x + place.width / 2.0, place.y + floor(place.height / 2.0) + BASELINE,
                    OC_ANCHOR_MIDDLE, oc_ink_on(colour_of(overview, index)));
    oc_scene_label(scene, &label, text->bytes, NULL);
}

static void draw_all(oc_scene *scene, const oc_merged_parts *merged)
{
    oc_text text = {0};
    oc_scene_group(scene, "parts", &(oc_group_style){.crisp = true}, NULL);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < merged->count; i++)
            if (oc_merged_parts_is_thin(&merged->overview, i) == (pass == 1))
                draw_part(scene, merged, i, &text);
    oc_scene_group_end(scene);
    oc_scene_group(scene, "numbers", &(oc_group_style){.inert = true}, NULL);
    for (size_t i = 0; i < merged->count; i++)
        draw_number(scene, merged, i, &text);
    oc_scene_group_end(scene);
    oc_merged_parts_draw(scene, merged);
    oc_scene_take(scene, &text);
}

static ocelotl_status draw(oc_scene *scene, const oc_overview *overview)
{
    oc_merged_parts merged = {0};
    ocelotl_status status = oc_merged_parts_find(&merged, overview);
    if (status == OCELOTL_OK)
        status = oc_merged_parts_show(&merged);
    if (status == OCELOTL_OK)
        draw_all(scene, &merged);
    oc_merged_parts_free(&merged);
    return status;
}

const oc_view oc_view_temporal_partition = {
    .is = {"partition", "each part in a colour of its own, which tells where it begins",
           OCELOTL_TEMPORAL},
    .texture = true,
    .draw = draw,
    .write_caption = oc_merged_parts_write_caption,
    .write_legend = oc_merged_parts_write_legend,
    .height = OC_BAR_PICTURE_HEIGHT};

#include "viz/overview/views.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts at least this wide, in pixels, leave a line between them. */
enum { BORDERED_FROM = 6 };

static const double percent = 100;

static double rows_of(const oc_overview *overview)
{
    return overview->model.row_count;
}

/* The sums behind a mean do not have its unit, but those of a variable over resources: its mean
 * over the slice. */
static bool has_sums(const oc_overview *overview)
{
    return overview->model.additive || strcmp(overview->model.metric, "variable-mean") == 0;
}

/* The unit of sums over resources. */
static const char *unit_of(const oc_overview *overview)
{
    const bool has_unit = overview->model.has_time && has_sums(overview);
    return has_unit ? overview->model.unit : "";
}

oc_histogram oc_histogram_of(const oc_overview *overview)
{
    oc_histogram made = overview->input->view->columns(overview);
    const double unit = overview->shading.shares ? percent : rows_of(overview);
    const double rounding = 1e-9;
    const bool has_whole =
        overview->model.untraced != OCELOTL_UNTRACED_IGNORE || made.largest > 0.5;
    made.overview = overview;
    made.top = oc_value_ceiling(made.largest * unit) / unit;
    if (overview->shading.shares && made.whole && has_whole && made.largest <= 1 + rounding)
        made.top = 1;
    return made;
}

/* lives[t] becomes the number of cells in lifetimes before slice t. A leaf counts in each slice it
 * lives in, even for a moment. A merged leaf counts once for each of its resources. */
static void count_lives(double *lives, const oc_overview *overview)
{
    const double slices = overview->model.slice_count;
    double living = 0, sum = 0;
    for (uint32_t i = 0; i < overview->model.node_count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(overview->input->model, i);
        const double begin = fmin(fmax(floor(node.begin), 0), slices);
        const double end = fmin(fmax(ceil(node.end), 0), slices);
        if (oc_is_leaf_of(overview->input->model, i) && begin < end) {
            lives[(uint32_t)begin] += node.row_count;
            lives[(uint32_t)end] -= node.row_count;
        }
    }
    for (uint32_t slice = 0; slice <= overview->model.slice_count; slice++) {
        living += lives[slice];
        lives[slice] = sum;
        sum += living;
    }
}

static ocelotl_status find_alive(oc_histogram *histogram)
{
    const oc_overview *overview = histogram->overview;
    const oc_overview_input *input = overview->input;
    double *lives = NULL;
    if (!overview->has_lifetimes || !overview->shading.shares)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&lives, (size_t)overview->model.slice_count + 1, sizeof *lives));
    const ocelotl_status status =
        oc_allocate(&histogram->alive, input->partition.part_count, sizeof *histogram->alive);
    if (status == OCELOTL_OK) {
        count_lives(lives, overview);
        for (size_t i = 0; i < input->partition.part_count; i++) {
            const ocelotl_part *part = &input->parts[i];
            const double cells = rows_of(overview) * ((double)part->last - part->first + 1);
            histogram->alive[i] = (lives[part->last + 1] - lives[part->first]) / cells;
        }
    }
    free(lives);
    return status;
}

int oc_histogram_y(const oc_histogram *histogram, double value)
{
    const oc_frame *frame = &histogram->overview->frame;
    const double share = fmin(fmax(value / histogram->top, 0), 1);
    /* values that differ only by rounding are equally high */
    const double half = 0.5 - 1e-6;
    return frame->top + frame->height - (int)floor(share * frame->height + half);
}

static oc_value_scale left_scale(const oc_histogram *histogram)
{
    const oc_overview *overview = histogram->overview;
    const bool one = overview->model.row_count == 1;
    oc_value_scale scale = {.top = histogram->top * percent, .unit = "%"};
    scale.title = one ? "of time" : "of resources and time";
    if (overview->shading.shares)
        return scale;
    scale.top = histogram->top * rows_of(overview);
    scale.unit = unit_of(overview);
    scale.title = one ? "per slice" : "sum over resources, per slice";
    if (overview->model.has_time && !has_sums(overview))
        scale.title = "sums that the metric is made of, per slice";
    else if (overview->model.rate != 1)
        scale.title = one ? "" : "sum over resources";
    return scale;
}

static oc_value_scale right_scale(const oc_histogram *histogram)
{
    return (oc_value_scale){histogram->top * rows_of(histogram->overview), "", "resources", true,
                            true};
}

/* A count of at most one resource needs no scale. */
static bool has_right_scale(const oc_histogram *histogram)
{
    return histogram->overview->shading.shares && rows_of(histogram->overview) > 1 &&
           histogram->top * rows_of(histogram->overview) >= 1;
}

/* A frame that is not known yet is taken to be as high as the picture. */
static int height_of(const oc_overview *overview)
{
    return overview->frame.height > 0 ? overview->frame.height : (int)overview->picture->height;
}

int oc_histogram_left(const oc_overview *overview)
{
    const oc_histogram histogram = oc_histogram_of(overview);
    const oc_value_scale scale = left_scale(&histogram);
    return oc_value_scale_width(&scale, height_of(overview));
}

int oc_histogram_right(const oc_overview *overview)
{
    const oc_histogram histogram = oc_histogram_of(overview);
    const oc_value_scale scale = right_scale(&histogram);
    return has_right_scale(&histogram) ? oc_value_scale_width(&scale, height_of(overview)) : 0;
}

oc_box oc_histogram_column(const oc_histogram *histogram, size_t part)
{
    return oc_merged_parts_box(histogram->overview, part, BORDERED_FROM);
}

/* All of a column has the texture of its part, but for what has stripes. */
static void add_texture(oc_scene *scene, const oc_histogram *histogram, size_t part,
                        const oc_rectangle *look)
{
    const oc_overview *overview = histogram->overview;
    if (overview->picture->texture && look->hatch == OC_COLOUR_NONE)
        oc_scene_texture(scene, oc_merged_parts_density(overview, part), oc_ink_on(look->fill));
}

void oc_histogram_draw_paper(oc_scene *scene, const oc_histogram *histogram, size_t part,
                             oc_text *tooltip)
{
    const oc_box column = oc_histogram_column(histogram, part);
    const oc_box with_gap = oc_merged_parts_box(histogram->overview, part, INT_MAX);
    const oc_theme *theme = histogram->overview->picture->theme;
    oc_rectangle look =
        oc_rectangle_of(column.x, column.y, column.width, column.height, theme->paper);
    oc_text_clear(tooltip);
    oc_merged_parts_describe(tooltip, histogram->merged, part);
    oc_overview_describe_part(tooltip, histogram->overview, part);
    oc_scene_rectangle(scene, &look, tooltip->bytes);
    oc_scene_refer(scene, part + 1);
    add_texture(scene, histogram, part, &look);
    look.x += look.width;
    look.width = with_gap.width - column.width;
    look.fill = theme->border;
    if (look.width > 0)
        oc_scene_rectangle(scene, &look, NULL);
}

void oc_histogram_draw_block(oc_scene *scene, const oc_histogram *histogram, size_t part,
                             double from, double to, const oc_rectangle *look, const char *tooltip)
{
    const oc_box column = oc_histogram_column(histogram, part);
    const int top = oc_histogram_y(histogram, to);
    oc_rectangle block = *look;
    block.x = column.x;
    block.y = top;
    block.width = column.width;
    block.height = oc_histogram_y(histogram, from) - top;
    if (!(block.width > 0 && block.height > 0))
        return;
    oc_scene_rectangle(scene, &block, tooltip);
    oc_scene_refer(scene, part + 1);
    add_texture(scene, histogram, part, &block);
}

void oc_histogram_describe(oc_text *text, const oc_overview *overview, size_t part,
                           const char *name, double value)
{
    const bool shares = overview->shading.shares;
    oc_clean_add(text, name, false);
    oc_text_add(text, " ");
    if (shares) {
        oc_percent_add(text, value);
        oc_text_add(text, "\n");
    }
    oc_quantity_add(text, value * rows_of(overview), 3, shares ? "" : unit_of(overview));
    if (shares)
        OC_PHRASE(text, " of {}", oc_word_count(overview->model.row_count, "resource"));
    oc_text_add(text, "\n");
    oc_part_add_span(text, &overview->model, &overview->input->parts[part], false);
}

void oc_histogram_draw_outside(oc_scene *scene, const oc_histogram *histogram, size_t part,
                               oc_text *tooltip)
{
    if (histogram->alive == NULL || histogram->alive[part] >= fmin(1, histogram->top))
        return;
    const oc_theme *theme = histogram->overview->picture->theme;
    oc_rectangle look = oc_legend_swatch(theme->paper);
    look.hatch = theme->hatch;
    oc_text_clear(tooltip);
    oc_histogram_describe(tooltip, histogram->overview, part, "outside lifetime",
                          1 - histogram->alive[part]);
    oc_histogram_draw_block(scene, histogram, part, histogram->alive[part], 1, &look,
                            tooltip->bytes);
}

void oc_histogram_explain_outside(oc_legend *legend, const oc_overview *overview)
{
    const oc_theme *theme = overview->picture->theme;
    if (overview->has_lifetimes && overview->shading.shares)
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_striped(theme, theme->paper, theme->hatch),
                      "outside lifetime", NULL, false);
}

static void draw_all(oc_scene *scene, const oc_histogram *histogram)
{
    const oc_overview *overview = histogram->overview;
    const oc_value_scale left = left_scale(histogram), right = right_scale(histogram);
    oc_text tooltip = {0};
    oc_scene_group(scene, "columns", &(oc_group_style){.crisp = true}, NULL);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < histogram->merged->count; i++)
            if (oc_merged_parts_is_thin(overview, i) == (pass == 1))
                histogram->draw_column(scene, histogram, i, &tooltip);
    oc_scene_group_end(scene);
    oc_scene_group(scene, "marks", &(oc_group_style){0}, NULL);
    for (size_t i = 0; i < histogram->merged->count && histogram->draw_mark != NULL; i++)
        histogram->draw_mark(scene, histogram, i, &tooltip);
    oc_scene_group_end(scene);
    oc_merged_parts_draw(scene, histogram->merged);
    oc_value_scale_draw(scene, overview->picture, &overview->frame, &left);
    if (has_right_scale(histogram))
        oc_value_scale_draw(scene, overview->picture, &overview->frame, &right);
    oc_scene_take(scene, &tooltip);
}

ocelotl_status oc_histogram_draw(oc_scene *scene, const oc_overview *overview)
{
    oc_merged_parts merged = {0};
    oc_histogram drawn = oc_histogram_of(overview);
    ocelotl_status status = oc_merged_parts_find(&merged, overview);
    drawn.overview = &merged.overview;
    drawn.merged = &merged;
    if (status == OCELOTL_OK)
        status = find_alive(&drawn);
    if (status == OCELOTL_OK)
        status = oc_merged_parts_show(&merged);
    if (status == OCELOTL_OK)
        draw_all(scene, &drawn);
    free(drawn.alive);
    oc_merged_parts_free(&merged);
    return status;
}

/* --- The histogram of one type (thesis 5.6.1): a column a part, as high as the type's share */

static double value_of(const oc_overview *overview, size_t part)
{
    return overview->type != OCELOTL_NONE ? overview->input->parts[part].shares[overview->type] : 0;
}

/* Untraced time has the colour of the paper elsewhere. */
static uint32_t colour_of(const oc_overview *overview)
{
    const oc_type_summary *summary = &overview->types[overview->type];
    return summary->type.untraced ? overview->picture->theme->muted : summary->colour;
}

static void draw_column(oc_scene *scene, const oc_histogram *histogram, size_t part,
                        oc_text *tooltip)
{
    const oc_overview *overview = histogram->overview;
    oc_histogram_draw_paper(scene, histogram, part, tooltip);
    oc_histogram_draw_outside(scene, histogram, part, tooltip);
    if (overview->type == OCELOTL_NONE)
        return;
    const oc_rectangle look = oc_legend_swatch(colour_of(overview));
    const double value = value_of(overview, part);
    oc_text_clear(tooltip);
    oc_histogram_describe(tooltip, overview, part, overview->types[overview->type].type.name,
                          value);
    oc_histogram_draw_block(scene, histogram, part, 0, value, &look, tooltip->bytes);
}

static oc_histogram columns(const oc_overview *overview)
{
    oc_histogram made = {.draw_column = draw_column};
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        made.largest = fmax(made.largest, value_of(overview, i));
    return made;
}

static void explain(oc_legend *legend, const oc_overview *overview)
{
    if (overview->type != OCELOTL_NONE) {
        oc_type_summary summary = overview->types[overview->type];
        summary.colour = colour_of(overview);
        oc_overview_explain_type(legend, OC_LEGEND_TYPE, &summary, " of the whole", "");
    }
    oc_histogram_explain_outside(legend, overview);
    oc_merged_parts_write_legend(legend, overview);
}

const oc_view oc_view_histogram = {
    .is = {"histogram", "the share of one type in each part", OCELOTL_TEMPORAL},
    .texture = true,
    .draw = oc_histogram_draw,
    .columns = columns,
    .write_caption = oc_merged_parts_write_caption,
    .write_legend = explain,
    .left = oc_histogram_left,
    .right = oc_histogram_right};

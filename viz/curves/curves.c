#include "viz/curves/curves.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- Caption and metadata */

static void add_quality(oc_text *piece, const oc_curves_input *input, const ocelotl_level *level)
{
    oc_counted_add(piece, level->parts, "part");
    oc_text_format(piece, ", %s ", oc_curves_gain_name(input));
    oc_percent_add(piece, oc_curves_gain(input, level));
    oc_text_format(piece, ", %s ", oc_curves_loss_name(input));
    oc_percent_add(piece, oc_curves_loss(input, level));
}

/* What is around both plots. */
typedef struct surroundings {
    oc_curves *curves;
    oc_caption caption;
    oc_axis *axis;
    oc_frame both;
} surroundings;

static void write_caption(oc_caption *caption, const void *subject)
{
    const oc_curves *curves = ((const surroundings *)subject)->curves;
    const oc_curves_input *input = curves->input;
    oc_text piece = {0};
    oc_text_format(&piece, "%s levels of detail, %s", oc_kind_name(input->kind),
                   input->falling ? "what is left of complexity (1 less the share of gain) and of "
                                    "information (1 less the share of loss)"
                                  : "gain and loss as shares of the whole's");
    oc_caption_take(caption, &piece);
    if (!isnan(input->p)) {
        oc_text_add(&piece, "p ");
        oc_number_add(&piece, input->p, 17);
        oc_text_add(&piece, ": ");
        add_quality(&piece, input, oc_curves_level_at(input, input->p));
    }
    oc_caption_take(caption, &piece);
    if (curves->automatic != NULL) {
        oc_text_add(&piece, "auto (p ");
        oc_number_add(&piece, curves->automatic->p, 17);
        oc_text_add(&piece, "): ");
        add_quality(&piece, input, curves->automatic);
    }
    oc_caption_take(caption, &piece);
    oc_counted_add(&piece, input->info.count, "level");
    oc_text_add(&piece, input->info.complete ? " in " : ", not all, in ");
    oc_counted_add(&piece, input->info.plateaus, "plateau");
    oc_caption_take(caption, &piece);
    oc_counted_add(&piece, input->model.slice_count, "slice");
    oc_caption_take(caption, &piece);
    if (input->model.state_type[0] != '\0') {
        oc_text_add(&piece, "state type ");
        oc_clean_add(&piece, input->model.state_type, false);
    }
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
}

static void add_metadata(oc_scene *scene, const oc_picture *picture, const oc_curves_input *input)
{
    const ocelotl_model_info *model = &input->model;
    oc_picture_add_metadata(scene, picture);
    oc_metadata_text(scene, "trace", model->name);
    oc_metadata_text(scene, "uid", model->uid);
    oc_scene_metadata(scene, "kind", oc_kind_name(input->kind));
    oc_scene_metadata(scene, "view", "curves");
    if (input->falling)
        oc_scene_metadata(scene, "curves", "falling");
    if (!isnan(input->p))
        oc_metadata_number(scene, "p", input->p);
    oc_metadata_count(scene, "slices", model->slice_count);
    oc_metadata_count(scene, "levels", input->info.count);
    oc_metadata_count(scene, "plateaus", input->info.plateaus);
    oc_scene_metadata(scene, "complete", input->info.complete ? "true" : "false");
    oc_metadata_number(scene, "whole_gain", input->whole_gain);
    oc_metadata_number(scene, "whole_loss", input->whole_loss);
    oc_metadata_text(scene, "state_type", model->state_type);
    if (model->has_time) {
        oc_metadata_number(scene, "window_begin_seconds", model->begin);
        oc_metadata_number(scene, "window_end_seconds", model->end);
    }
}

/* --- Layout */

/* Distances in pixels. */
enum {
    MARKS = 15, /* the names of what is marked, above the plot */
    ROW = 16,   /* of plateaus */
    ROW_BASELINE = 12,
    GAP = 6, /* between the plots and the row */
    TICK = 4,
    LABEL_GAP = 3,  /* from a label to its tick */
    LABEL_DROP = 4, /* from the middle of a label to its baseline */
    STEPS_MOST = 20,
    SHARES_APART = 26, /* ticks */
    P_APART = 44,
    PARTS_APART = 14
};

/* Chooses 1, 2 or 5 times a power of ten, so that at most this many steps lead from 0 to 1, and
 * each can be read. */
static double nice_step(double room)
{
    const double most = fmin(room, STEPS_MOST);
    static const double steps[] = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (1 / steps[i] <= most)
            return steps[i];
    return 1;
}

/* A tick at the left of a plot. */
static void draw_value_tick(oc_scene *scene, const oc_curves *curves, double y, const char *text)
{
    const oc_theme *theme = curves->picture->theme;
    const int left = curves->shares.left;
    const double at = floor(y) + 0.5;
    oc_plot_rule(scene, left - 1 - TICK, at, left - 1, at, theme->muted);
    const oc_label label =
        oc_label_at(left - 1 - TICK - LABEL_GAP, at + LABEL_DROP, OC_ANCHOR_END, theme->muted);
    oc_scene_label(scene, &label, text, NULL);
}

static void draw_share_ticks(oc_scene *scene, const oc_curves *curves)
{
    const oc_frame *frame = &curves->shares;
    const double step = nice_step((double)frame->height / SHARES_APART);
    const int count = (int)lround(1 / step);
    for (int i = 0; i <= count; i++) {
        char text[16];
        const double y = oc_curves_y(curves, (double)i / count);
        snprintf(text, sizeof text, "%d %%", (int)lround(100.0 * i / count));
        if (i > 0)
            oc_plot_rule(scene, frame->left, floor(y) + 0.5, frame->left + frame->width,
                         floor(y) + 0.5, curves->picture->theme->border);
        draw_value_tick(scene, curves, y, text);
    }
}

/* Draws ticks at 1, at powers of ten if they have room, and at the most. */
static void draw_part_ticks(oc_scene *scene, const oc_curves *curves)
{
    const double most = curves->most_parts;
    const double top = oc_curves_parts_y(curves, most);
    double last = oc_curves_parts_y(curves, 1);
    oc_text text = {0};
    draw_value_tick(scene, curves, last, "1");
    for (double parts = 10; parts <= most; parts *= 10) {
        const double y = oc_curves_parts_y(curves, parts);
        if (last - y < PARTS_APART || (y - top < PARTS_APART && parts < most))
            continue;
        oc_text_clear(&text);
        oc_count_add(&text, (uint64_t)parts);
        draw_value_tick(scene, curves, y, text.bytes);
        last = y;
    }
    if (last - top >= PARTS_APART) {
        oc_text_clear(&text);
        oc_count_add(&text, (uint64_t)most);
        draw_value_tick(scene, curves, top, text.bytes);
    }
    oc_scene_take(scene, &text);
}

/* Names the row between the plots. */
static const char row_name[] = "plateau";

/* Room at the left for the ticks of both plots, and the name of the row. */
static int width_of_ticks(const oc_curves *curves)
{
    oc_text most = {0};
    oc_count_add(&most, (uint64_t)curves->most_parts);
    const double width =
        fmax(oc_lettering_width(row_name, OC_SIZE_LABEL, false),
             most.failed ? 0 : oc_lettering_width(most.bytes, OC_SIZE_LABEL, false));
    oc_text_free(&most);
    return (int)ceil(width) + TICK + LABEL_GAP + 1;
}

static ocelotl_status measure_axis(int *size, void *subject)
{
    surroundings *around = subject;
    oc_axis *axis = around->axis;
    const int count = (int)lround(1 / nice_step((double)around->both.width / P_APART));
    axis->tick_count = 0;
    for (int i = 0; i <= count; i++) {
        oc_tick *tick = &axis->ticks[axis->tick_count++];
        oc_text text = {0};
        tick->position = (double)i / count;
        oc_number_add(&text, tick->position, 6);
        snprintf(tick->label, sizeof tick->label, "%s", text.failed ? "" : text.bytes);
        oc_text_free(&text);
    }
    snprintf(axis->title, sizeof axis->title, "p");
    *size = oc_plot_axis_height(axis);
    return OCELOTL_OK;
}

static ocelotl_status find_place(oc_curves *curves, surroundings *around)
{
    oc_layout layout = {0};
    oc_layout_reserve(&layout, OC_LEFT, width_of_ticks(curves));
    oc_layout_reserve(&layout, OC_ABOVE, MARKS);
    oc_layout_caption(&layout, &around->caption, write_caption);
    oc_layout_measure(&layout, OC_BELOW, measure_axis);
    OC_TRY(oc_layout_solve(&around->both, &layout, curves->picture, around));
    const oc_frame *both = &around->both;
    const int parts = (int)fmax(30, both->height * 0.22);
    const int bottom = both->top + both->height;
    curves->row = ROW;
    curves->parts = (oc_frame){both->left, bottom - parts, both->width, parts};
    curves->plateaus = curves->parts.top - GAP - ROW;
    curves->shares =
        (oc_frame){both->left, both->top, both->width, curves->plateaus - GAP - both->top};
    if (curves->input->frame != NULL)
        *curves->input->frame = *both;
    return OCELOTL_OK;
}

static ocelotl_status draw(oc_scene *scene, oc_curves *curves, surroundings *around)
{
    const oc_picture *picture = curves->picture;
    curves->most_parts = 1;
    for (size_t i = 0; i < curves->input->info.count; i++) {
        const ocelotl_level *level = &curves->input->levels[i];
        curves->most_parts = fmax(curves->most_parts, (double)level->parts);
        if (level->automatic)
            curves->automatic = level;
    }
    OC_TRY(find_place(curves, around));
    add_metadata(scene, picture, curves->input);
    oc_caption_draw(scene, picture, &around->caption);
    oc_plot_draw_frame(scene, picture, &curves->shares);
    oc_plot_draw_frame(scene, picture, &curves->parts);
    oc_curves_draw_plateaus(scene, curves);
    oc_scene_group(scene, "values", &(oc_group_style){.inert = true}, NULL);
    draw_share_ticks(scene, curves);
    draw_part_ticks(scene, curves);
    const oc_label label =
        oc_label_at(curves->shares.left - 1 - TICK - LABEL_GAP, curves->plateaus + ROW_BASELINE,
                    OC_ANCHOR_END, picture->theme->muted);
    oc_scene_label(scene, &label, row_name, NULL);
    oc_scene_group_end(scene);
    oc_plot_draw_axis(scene, picture, &curves->parts, around->axis);
    OC_TRY(oc_curves_draw_steps(scene, curves));
    oc_curves_draw_marks(scene, curves);
    oc_curves_draw_tooltips(scene, curves);
    return oc_scene_status(scene);
}

ocelotl_status oc_curves_lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    const oc_curves_input *input = subject;
    oc_curves curves = {.input = input, .picture = picture};
    surroundings around = {.curves = &curves};
    OC_TRY(oc_allocate(&around.axis, 1, sizeof *around.axis));
    oc_picture_begin(scene, picture, input->model.name);
    const ocelotl_status status = draw(scene, &curves, &around);
    oc_caption_free(&around.caption);
    free(around.axis);
    return status;
}

/* --- The picture */

static ocelotl_status draw_picture(const oc_target *target, const ocelotl_levels *levels,
                                   const ocelotl_aggregation *aggregation, double p,
                                   const ocelotl_picture_options *options)
{
    oc_curves_input input = {.model = ocelotl_model_info_of(ocelotl_aggregation_model(aggregation)),
                             .kind = ocelotl_aggregation_kind(aggregation),
                             .info = ocelotl_levels_info_of(levels),
                             .whole_gain = ocelotl_aggregation_whole_gain(aggregation),
                             .whole_loss = ocelotl_aggregation_whole_loss(aggregation),
                             .p = p};
    oc_picture picture = {0};
    ocelotl_level *all = NULL;
    if (!isnan(p) && !(p >= 0 && p <= 1))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "p is %.15g, expected a number in [0, 1], or none",
                       p);
    OC_TRY(oc_picture_read(&picture, target, options));
    ocelotl_status status = oc_allocate(&all, input.info.count, sizeof *all);
    for (size_t i = 0; i < input.info.count && status == OCELOTL_OK; i++)
        all[i] = ocelotl_levels_at(levels, i);
    input.levels = all;
    input.falling = picture.falling;
    if (status == OCELOTL_OK)
        status = oc_picture_draw(&picture, oc_curves_lay_out, &input);
    free(all);
    oc_picture_free(&picture);
    return status;
}

ocelotl_status ocelotl_curves_write(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const ocelotl_levels *levels,
                                    const ocelotl_aggregation *aggregation, double p,
                                    const ocelotl_picture_options *options)
{
    return draw_picture(&(oc_target){.sink = sink, .format = format}, levels, aggregation, p,
                        options);
}

ocelotl_status ocelotl_curves_render(const char *path, const ocelotl_levels *levels,
                                     const ocelotl_aggregation *aggregation, double p,
                                     const ocelotl_picture_options *options)
{
    return draw_picture(&(oc_target){.path = path}, levels, aggregation, p, options);
}

/* Histograms of durations: plots beside each other on scales that all share. */
#include "viz/frame/frame.h"

#include "base/memory.h"

#include <ocelotl/durations.h>
#include <ocelotl/picture.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances in pixels. */
enum {
    HEADING = 22,      /* what a plot is of */
    BASELINE = 15,     /* of that, in it */
    LEFT = 66,         /* of the scale beside a plot */
    BELOW = 40,        /* of the axis */
    APART = 18,        /* between plots beside each other */
    LEAST_HEIGHT = 96, /* of a plot */
    ACROSS_MOST = 4,
    LABEL_ROOM = 56, /* of a label on the axis of durations */
    LINE = 18
};

/* What is drawn. */
typedef struct input {
    const ocelotl_trace *trace;
    const ocelotl_durations *durations;
} input;

typedef struct drawing {
    oc_scene *scene;
    const oc_picture *picture;
    const input *input;
    ocelotl_durations_info info;
    oc_caption caption;
    oc_axis *axis;
    oc_frame frame; /* of all plots */
    uint32_t across, down, shown;
    double top;    /* of the scale, in percent */
    uint64_t most; /* events of a slice in a bin */
    uint32_t colour;
} drawing;

/* --- What all plots share */

static double share_of(const drawing *at, uint32_t column, uint32_t bin)
{
    const ocelotl_durations *of = at->input->durations;
    const uint64_t all = ocelotl_durations_column_at(of, column).count;
    const uint64_t count = ocelotl_durations_count_at(of, column, OCELOTL_NONE, bin);
    return all > 0 ? (double)count / (double)all : 0;
}

static void find_scales(drawing *at)
{
    double largest = 0;
    for (uint32_t column = 0; column < at->info.columns; column++)
        for (uint32_t bin = 0; bin < at->info.bins; bin++) {
            largest = fmax(largest, share_of(at, column, bin));
            for (uint32_t slice = 0; slice < at->info.slices; slice++) {
                const uint64_t count =
                    ocelotl_durations_count_at(at->input->durations, column, slice, bin);
                at->most = count > at->most ? count : at->most;
            }
        }
    at->top = oc_value_ceiling(100 * largest);
}

/* The colour of what is counted, if it is one thing. */
static ocelotl_status find_colour(drawing *at)
{
    enum { BLUE = 0x1B5FAA, CONTRAST = 6 };
    const ocelotl_trace *trace = at->input->trace;
    const oc_colouring by = oc_picture_colouring(at->picture);
    oc_type_colours colours = {0};
    at->colour = oc_colour_visible(BLUE, at->picture->theme->paper, CONTRAST);
    if (at->info.event_type == OCELOTL_NONE || at->info.value == OCELOTL_NONE)
        return OCELOTL_OK;
    const ocelotl_status status = oc_type_colours_of_trace(&colours, trace, &by);
    if (status == OCELOTL_OK)
        at->colour =
            oc_type_colours_find(&colours, ocelotl_trace_value_at(trace, at->info.value).name);
    oc_type_colours_free(&colours);
    return status;
}

/* --- The caption */

static void write_caption(oc_caption *caption, const drawing *at)
{
    const ocelotl_duration_column first = ocelotl_durations_column_at(at->input->durations, 0);
    oc_text piece = {0};
    oc_text_add(&piece, "durations of ");
    oc_clean_add(&piece, at->info.patterns[0] != '\0' ? at->info.patterns : "all", false);
    oc_caption_take(caption, &piece);
    if (at->info.windows == 1)
        oc_window_add(&piece, at->input->trace, first.from, first.to);
    oc_caption_take(caption, &piece);
    if (at->info.columns == 1)
        oc_counted_add(&piece, first.count, "event");
    oc_caption_take(caption, &piece);
    oc_caption_add_clean(caption, at->info.filters);
    if (at->info.slices > 0) {
        oc_text_add(&piece, "the fuller, the more events end then, by the logarithm; at most ");
        oc_count_add(&piece, at->most);
    }
    oc_caption_take(caption, &piece);
    if (at->shown < at->info.columns)
        oc_text_format(&piece, "%u plots have no room", at->info.columns - at->shown);
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
    oc_caption_add_shown(caption, at->picture);
}

static ocelotl_status measure_caption(int *size, void *subject)
{
    /* As few plots beside each other as have room below each other. */
    drawing *at = subject;
    const uint32_t columns = at->info.columns;
    const double row = LEAST_HEIGHT + BELOW + (columns > 1 ? HEADING : 0);
    const uint32_t most = at->frame.height > row ? (uint32_t)(at->frame.height / row) : 1;
    at->across = (columns + most - 1) / most;
    at->across = at->across < 1 ? 1 : at->across > ACROSS_MOST ? ACROSS_MOST : at->across;
    at->down = (columns + at->across - 1) / at->across;
    at->down = at->down < 1 ? 1 : at->down > most ? most : at->down;
    at->shown = at->across * at->down < columns ? at->across * at->down : columns;
    oc_caption_begin(&at->caption, at->picture);
    write_caption(&at->caption, at);
    *size = oc_caption_height(&at->caption, at->picture);
    return OCELOTL_OK;
}

/* --- Axes */

/* Where ticks of durations are: at powers of ten, or everywhere if there are few bins. The bin of
 * no time has its tick in its middle. Returns whether it is one. */
static bool find_tick(oc_tick *tick, const drawing *at, uint32_t border)
{
    enum { FEW = 6 };
    const ocelotl_durations *of = at->input->durations;
    const bool last = border == at->info.bins;
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of, last ? border - 1 : border);
    const bool none = !last && !(span.end > 0);
    const double seconds = last ? span.end : span.begin;
    const double power = log10(seconds);
    const bool decade = seconds > 0 && fabs(power - round(power)) < 0.01;
    oc_text label = {0};
    if (!none && !decade && (at->info.bins > FEW || !(seconds > 0)))
        return false;
    tick->position = (border + (none ? 0.5 : 0)) / at->info.bins;
    oc_time_add(&label, seconds, seconds / 100);
    snprintf(tick->label, sizeof tick->label, "%s", none || label.failed ? "0" : label.bytes);
    oc_text_free(&label);
    return true;
}

static void fill_axis(const drawing *at, double length)
{
    double last = -LABEL_ROOM;
    at->axis->tick_count = 0;
    at->axis->title[0] = '\0';
    for (uint32_t i = 0; i <= at->info.bins && at->info.bins > 0; i++) {
        oc_tick *tick = &at->axis->ticks[at->axis->tick_count];
        if (!find_tick(tick, at, i) || tick->position * length - last < LABEL_ROOM)
            continue;
        last = tick->position * length;
        at->axis->tick_count++;
    }
}

/* The axis of durations at the left of a plot over time. */
static void draw_upright(const drawing *at, const oc_frame *frame)
{
    double last = INFINITY;
    for (uint32_t i = 0; i <= at->info.bins && at->info.bins > 0; i++) {
        oc_tick tick;
        if (!find_tick(&tick, at, i))
            continue;
        const double y = frame->top + frame->height * (1 - tick.position);
        if (last - y < LINE)
            continue;
        last = y;
        const oc_label label =
            oc_label_at(frame->left - 8.0, y + 4, OC_ANCHOR_END, at->picture->theme->muted);
        oc_plot_rule(at->scene, frame->left - 5, round(y) + 0.5, frame->left, round(y) + 0.5,
                     at->picture->theme->rule);
        oc_scene_label(at->scene, &label, tick.label, NULL);
    }
}

/* --- Plots */

/* Draws a bin with what it holds as its tooltip. */
static void draw_box(drawing *at, const oc_rectangle *box, uint32_t column, uint32_t slice,
                     uint32_t bin)
{
    const ocelotl_durations *of = at->input->durations;
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of, bin);
    oc_text tooltip = {0};
    if (span.end > 0) {
        oc_time_add(&tooltip, span.begin, span.begin / 100);
        oc_text_add(&tooltip, " to ");
        oc_time_add(&tooltip, span.end, span.end / 100);
    } else {
        oc_text_add(&tooltip, "no time at all");
    }
    oc_text_add(&tooltip, "\n");
    oc_counted_add(&tooltip, ocelotl_durations_count_at(of, column, slice, bin), "event");
    if (slice == OCELOTL_NONE) {
        const double sum = ocelotl_durations_sum_at(of, column, bin);
        oc_text_add(&tooltip, ", ");
        oc_percent_add(&tooltip, share_of(at, column, bin));
        oc_text_add(&tooltip, "\n");
        oc_time_add(&tooltip, sum, sum / 1000);
        oc_text_add(&tooltip, " together");
    }
    oc_scene_explained(at->scene, box, &tooltip);
}

static void draw_bars(drawing *at, const oc_frame *frame, uint32_t column)
{
    const double bottom = frame->top + frame->height;
    for (uint32_t bin = 0; bin < at->info.bins; bin++) {
        const double share = share_of(at, column, bin);
        const double x = round(frame->left + (double)frame->width * bin / at->info.bins);
        const double right =
            round(frame->left + (double)frame->width * (bin + 1) / at->info.bins) - 1;
        const double height = fmax(1, round(frame->height * 100 * share / at->top));
        if (!(share > 0))
            continue;
        const oc_rectangle box =
            oc_rectangle_of(x, bottom - height, fmax(right - x, 1), height, at->colour);
        draw_box(at, &box, column, OCELOTL_NONE, bin);
    }
}

static void draw_fields(drawing *at, const oc_frame *frame, uint32_t column)
{
    static const double least = 0.15; /* a single event is seen, and the most are full */
    const uint32_t slices = at->info.slices, bins = at->info.bins;
    for (uint32_t slice = 0; slice < slices; slice++) {
        const double x = round(frame->left + (double)frame->width * slice / slices);
        const double right = round(frame->left + (double)frame->width * (slice + 1) / slices);
        for (uint32_t bin = 0; bin < bins; bin++) {
            const uint64_t count =
                ocelotl_durations_count_at(at->input->durations, column, slice, bin);
            const double y = round(frame->top + (double)frame->height * (bins - bin - 1) / bins);
            const double bottom = round(frame->top + (double)frame->height * (bins - bin) / bins);
            if (count == 0)
                continue;
            oc_rectangle box =
                oc_rectangle_of(x, y, fmax(right - x, 1), fmax(bottom - y, 1), at->colour);
            if (at->most > 1)
                box.opacity = least + (1 - least) * log((double)count) / log((double)at->most);
            draw_box(at, &box, column, slice, bin);
        }
    }
}

static void draw_heading(const drawing *at, const oc_frame *plot,
                         const ocelotl_duration_column *column)
{
    oc_label label = oc_label_at(plot->left, plot->top - HEADING + BASELINE, OC_ANCHOR_START,
                                 at->picture->theme->ink);
    oc_text text = {0};
    label.bold = true;
    if (column->group != NULL)
        oc_clean_add(&text, column->group[0] != '\0' ? column->group : "(whole)", false);
    if (at->info.windows > 1) {
        oc_text_add(&text, text.length > 0 ? ", " : "");
        oc_window_add(&text, at->input->trace, column->from, column->to);
    }
    oc_text_add(&text, ": ");
    oc_counted_add(&text, column->count, "event");
    if (!text.failed)
        oc_label_draw(at->scene, &label, text.bytes, plot->width, text.bytes);
    oc_scene_take(at->scene, &text);
}

static void draw_plot(drawing *at, uint32_t index)
{
    const ocelotl_duration_column column = ocelotl_durations_column_at(at->input->durations, index);
    const int heading = at->info.columns > 1 ? HEADING : 0;
    const int width = at->frame.width / (int)at->across;
    const int height = at->frame.height / (int)at->down;
    const int room = width - LEFT - (at->across > 1 ? APART : 0);
    const oc_frame plot = {at->frame.left + (int)(index % at->across) * width + LEFT,
                           at->frame.top + (int)(index / at->across) * height + heading,
                           room > 1 ? room : 1, height - heading - BELOW};
    const oc_value_scale scale = {.top = at->top, .unit = "%", .title = "of the events"};
    if (at->info.columns > 1)
        draw_heading(at, &plot, &column);
    oc_plot_draw_frame(at->scene, at->picture, &plot);
    if (at->info.slices > 0) {
        const oc_axis_room beside = {plot.width, LEFT, APART, OC_SIZE_LABEL};
        oc_axis_time(at->axis, ocelotl_trace_seconds(at->input->trace, column.from),
                     ocelotl_trace_seconds(at->input->trace, column.to), &beside);
        draw_upright(at, &plot);
    } else {
        fill_axis(at, plot.width);
        oc_value_scale_draw(at->scene, at->picture, &plot, &scale);
    }
    oc_plot_draw_axis(at->scene, at->picture, &plot, at->axis);
    oc_scene_group(at->scene, "durations", &(oc_group_style){.crisp = true, .tiles = true}, NULL);
    if (at->info.slices > 0)
        draw_fields(at, &plot, index);
    else
        draw_bars(at, &plot, index);
    oc_scene_group_end(at->scene);
}

static ocelotl_status draw_all(drawing *at)
{
    const ocelotl_duration_column first = ocelotl_durations_column_at(at->input->durations, 0);
    oc_layout layout = {0};
    OC_TRY(oc_allocate(&at->axis, 1, sizeof *at->axis));
    OC_TRY(find_colour(at));
    find_scales(at);
    oc_picture_add_window(at->scene, at->picture, at->input->trace, "durations", first.from,
                          first.to);
    oc_layout_measure(&layout, OC_ABOVE, measure_caption);
    OC_TRY(oc_layout_solve(&at->frame, &layout, at->picture, at));
    oc_caption_draw(at->scene, at->picture, &at->caption);
    for (uint32_t i = 0; i < at->shown; i++)
        draw_plot(at, i);
    return oc_scene_status(at->scene);
}

static ocelotl_status lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    drawing at = {.scene = scene, .picture = picture, .input = subject};
    at.info = ocelotl_durations_info_of(at.input->durations);
    oc_picture_begin(scene, picture, ocelotl_trace_info_of(at.input->trace).name);
    const ocelotl_status status = draw_all(&at);
    oc_caption_free(&at.caption);
    free(at.axis);
    return status;
}

ocelotl_status ocelotl_durations_write(const ocelotl_sink *sink, ocelotl_picture_format format,
                                       const ocelotl_trace *trace,
                                       const ocelotl_durations *durations,
                                       const ocelotl_picture_options *options)
{
    return oc_picture_make(&(oc_target){.sink = sink, .format = format}, options, lay_out,
                           &(input){trace, durations});
}

ocelotl_status ocelotl_durations_render(const char *path, const ocelotl_trace *trace,
                                        const ocelotl_durations *durations,
                                        const ocelotl_picture_options *options)
{
    return oc_picture_make(&(oc_target){.path = path}, options, lay_out,
                           &(input){trace, durations});
}

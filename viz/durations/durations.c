/* Histograms of durations: plots beside each other on scales that all share. */
#include "query/durations.h"
#include "viz/frame/chart.h"
#include "viz/pictures.h"

#include <ocelotl/picture.h>

#include <math.h>

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

typedef struct drawing {
    oc_chart chart; /* its frame is of all plots */
    const ocelotl_trace *trace;
    const ocelotl_durations *durations;
    ocelotl_durations_info info;
    uint32_t across, down, shown;
    double top;    /* of the scale, in percent */
    uint64_t most; /* events of a slice in a bin */
    uint32_t colour;
} drawing;

static double share_of(const drawing *at, uint32_t column, uint32_t bin)
{
    const uint64_t all = ocelotl_durations_column_at(at->durations, column).count;
    const uint64_t count = ocelotl_durations_count_at(at->durations, column, OCELOTL_NONE, bin);
    return all > 0 ? (double)count / (double)all : 0;
}

/* --- The caption, and what all plots share */

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    const ocelotl_duration_column first = ocelotl_durations_column_at(at->durations, 0);
    OC_CAPTION(caption, "durations of {}",
               oc_word_name(at->info.patterns[0] != '\0' ? at->info.patterns : "all"));
    if (at->info.windows == 1)
        oc_caption_add_window(caption, at->trace, first.from, first.to);
    if (at->info.columns == 1)
        OC_CAPTION(caption, "{}", oc_word_count(first.count, "event"));
    oc_caption_add_clean(caption, at->info.filters);
    if (at->info.slices > 0)
        OC_CAPTION(caption, "the fuller, the more events end then, by the logarithm; at most {}",
                   oc_word_count(at->most, NULL));
    if (at->shown < at->info.columns)
        OC_CAPTION(caption, "{} plots have no room", oc_word_whole(at->info.columns - at->shown));
    oc_caption_add_shown(caption, at->chart.picture);
}

/* As few plots beside each other as have room below each other. */
static ocelotl_status arrange_plots(int *size, void *subject)
{
    drawing *at = subject;
    const uint32_t columns = at->info.columns;
    const double row = LEAST_HEIGHT + BELOW + (columns > 1 ? HEADING : 0);
    const double height = at->chart.frame.height;
    const uint32_t most = height > row ? (uint32_t)(height / row) : 1;
    at->across = (columns + most - 1) / most;
    at->across = at->across < 1 ? 1 : at->across > ACROSS_MOST ? ACROSS_MOST : at->across;
    at->down = (columns + at->across - 1) / at->across;
    at->down = at->down < 1 ? 1 : at->down > most ? most : at->down;
    at->shown = at->across * at->down < columns ? at->across * at->down : columns;
    *size = 0;
    return OCELOTL_OK;
}

static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    const oc_picture *picture = at->chart.picture;
    const ocelotl_duration_column first = ocelotl_durations_column_at(at->durations, 0);
    const oc_colouring by = oc_picture_colouring(picture);
    oc_type_colours colours = {0};
    double largest = 0;
    at->shown = at->info.columns;
    for (uint32_t column = 0; column < at->info.columns; column++)
        for (uint32_t bin = 0; bin < at->info.bins; bin++) {
            largest = fmax(largest, share_of(at, column, bin));
            for (uint32_t slice = 0; slice < at->info.slices; slice++) {
                const uint64_t count =
                    ocelotl_durations_count_at(at->durations, column, slice, bin);
                at->most = count > at->most ? count : at->most;
            }
        }
    at->top = oc_value_ceiling(100 * largest);
    oc_picture_add_window(at->chart.scene, picture, at->trace, "durations", first.from, first.to);
    oc_layout_measure(&at->chart.layout, OC_ABOVE, arrange_plots);
    /* the colour of what is counted, if it is one thing */
    at->colour = at->chart.blue;
    if (at->info.event_type == OCELOTL_NONE || at->info.value == OCELOTL_NONE)
        return OCELOTL_OK;
    const ocelotl_status status = oc_type_colours_of_trace(&colours, at->trace, &by);
    if (status == OCELOTL_OK)
        at->colour =
            oc_type_colours_find(&colours, ocelotl_trace_value_at(at->trace, at->info.value).name);
    oc_type_colours_free(&colours);
    return status;
}

/* --- Plots */

/* Finds where ticks of durations are: at powers of ten, or everywhere if there are few bins, so far
 * apart on an axis of that length. The bin of no time has its tick in its middle. */
static void find_ticks(const drawing *at, double length, double apart)
{
    enum { FEW = 6 };
    double last = -apart;
    at->chart.axis->tick_count = 0;
    at->chart.axis->title[0] = '\0';
    for (uint32_t i = 0; i <= at->info.bins && at->info.bins > 0; i++) {
        const bool end = i == at->info.bins;
        const ocelotl_duration_bin span = ocelotl_durations_bin_at(at->durations, end ? i - 1 : i);
        const bool none = !end && !(span.end > 0);
        const double seconds = end ? span.end : span.begin;
        const double power = log10(seconds);
        const bool decade = seconds > 0 && fabs(power - round(power)) < 0.01;
        const double position = (i + (none ? 0.5 : 0)) / at->info.bins;
        oc_text label = {0};
        if ((!none && !decade && (at->info.bins > FEW || !(seconds > 0))) ||
            position * length - last < apart)
            continue;
        oc_time_add(&label, seconds, seconds / 100);
        oc_axis_add(at->chart.axis, position, none || label.failed ? "0" : label.bytes);
        oc_text_free(&label);
        last = position * length;
    }
}

/* Says what a bin holds. */
static void describe(oc_text *tooltip, const drawing *at, uint32_t column, uint32_t slice,
                     uint32_t bin)
{
    const ocelotl_durations *of = at->durations;
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of, bin);
    if (span.end > 0)
        OC_PHRASE(tooltip, "{} to {}", oc_word_time(span.begin, 0.01),
                  oc_word_time(span.end, 0.01));
    else
        oc_text_add(tooltip, "no time at all");
    OC_PHRASE(tooltip, "\n{}",
              oc_word_count(ocelotl_durations_count_at(of, column, slice, bin), "event"));
    if (slice == OCELOTL_NONE)
        OC_PHRASE(tooltip, ", {}\n{} together", oc_word_percent(share_of(at, column, bin)),
                  oc_word_time(ocelotl_durations_sum_at(of, column, bin), 1e-3));
}

/* A bar for each bin, or with slices of time a cell for each of both. */
static void draw_marks(drawing *at, const oc_frame *frame, uint32_t column)
{
    static const double least = 0.15; /* a single event is seen, and the most are full */
    const uint32_t slices = at->info.slices, bins = at->info.bins;
    const uint32_t across = slices > 0 ? slices : bins;
    for (uint32_t i = 0; i < across; i++)
        for (uint32_t k = 0; k < (slices > 0 ? bins : 1); k++) {
            const uint32_t slice = slices > 0 ? i : OCELOTL_NONE, bin = slices > 0 ? k : i;
            const uint64_t count = ocelotl_durations_count_at(at->durations, column, slice, bin);
            const double x = round(frame->left + (double)frame->width * i / across);
            const double right = round(frame->left + (double)frame->width * (i + 1) / across);
            double y = round(frame->top + (double)frame->height * (bins - bin - 1) / bins);
            double bottom = round(frame->top + (double)frame->height * (bins - bin) / bins);
            oc_text tooltip = {0};
            if (count == 0)
                continue;
            if (slices == 0) {
                bottom = frame->top + frame->height;
                y = bottom -
                    fmax(1, round(frame->height * 100 * share_of(at, column, bin) / at->top));
            }
            oc_rectangle box = oc_rectangle_of(x, y, fmax(right - x - (slices > 0 ? 0 : 1), 1),
                                               fmax(bottom - y, 1), at->colour);
            if (slices > 0 && at->most > 1)
                box.opacity = least + (1 - least) * log((double)count) / log((double)at->most);
            describe(&tooltip, at, column, slice, bin);
            oc_scene_explained(at->chart.scene, &box, &tooltip);
        }
}

static ocelotl_status draw_plots(void *subject)
{
    drawing *at = subject;
    oc_scene *scene = at->chart.scene;
    const oc_picture *picture = at->chart.picture;
    const oc_frame *all = &at->chart.frame;
    const int heading = at->info.columns > 1 ? HEADING : 0;
    const int width = all->width / (int)at->across, height = all->height / (int)at->down;
    const int room = width - LEFT - (at->across > 1 ? APART : 0);
    const oc_value_scale scale = {.top = at->top, .unit = "%", .title = "of the events"};
    for (uint32_t i = 0; i < at->shown; i++) {
        const ocelotl_duration_column column = ocelotl_durations_column_at(at->durations, i);
        const oc_frame plot = {all->left + (int)(i % at->across) * width + LEFT,
                               all->top + (int)(i / at->across) * height + heading,
                               room > 1 ? room : 1, height - heading - BELOW};
        oc_label label = oc_label_at(plot.left, plot.top - HEADING + BASELINE, OC_ANCHOR_START,
                                     picture->theme->ink);
        oc_text name = {0};
        label.bold = true;
        if (column.group != NULL)
            oc_clean_add(&name, column.group[0] != '\0' ? column.group : "(whole)", false);
        if (at->info.windows > 1) {
            oc_text_add(&name, name.length > 0 ? ", " : "");
            oc_window_add(&name, at->trace, column.from, column.to);
        }
        OC_PHRASE(&name, ": {}", oc_word_count(column.count, "event"));
        if (at->info.columns > 1 && !name.failed)
            oc_label_draw(scene, &label, name.bytes, plot.width, name.bytes);
        oc_scene_take(scene, &name);
        oc_plot_draw_frame(scene, picture, &plot);
        if (at->info.slices > 0) {
            const oc_axis_room beside = {plot.width, LEFT, APART, OC_SIZE_LABEL};
            find_ticks(at, plot.height, LINE);
            for (uint32_t k = 0; k < at->chart.axis->tick_count; k++) {
                const oc_tick *tick = &at->chart.axis->ticks[k];
                oc_chart_tick(&at->chart, &plot, plot.top + plot.height * (1 - tick->position),
                              tick->label);
            }
            oc_axis_time(at->chart.axis, ocelotl_trace_seconds(at->trace, column.from),
                         ocelotl_trace_seconds(at->trace, column.to), &beside);
        } else {
            find_ticks(at, plot.width, LABEL_ROOM);
            oc_value_scale_draw(scene, picture, &plot, &scale);
        }
        oc_plot_draw_axis(scene, picture, &plot, at->chart.axis);
        oc_scene_group(scene, "durations", &(oc_group_style){.crisp = true, .tiles = true}, NULL);
        draw_marks(at, &plot, i);
        oc_scene_group_end(scene);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_durations_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      const ocelotl_trace *trace,
                                      const ocelotl_durations *durations,
                                      const ocelotl_picture_options *options)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw_plots};
    drawing at = {.chart = {.kind = &kind, .title = ocelotl_trace_info_of(trace).name},
                  .trace = trace,
                  .durations = durations,
                  .info = ocelotl_durations_info_of(durations)};
    return oc_chart_draw(&at.chart, sink, format, options);
}

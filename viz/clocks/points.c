/* Time goes to the right, as the first clock reads; up goes how far the second one is ahead, less
 * the line in the middle of the widest band, which is thus flat: clocks differ by far more than
 * messages tell of them. */
#include "viz/clocks/clocks.h"

#include "base/memory.h"
#include "base/options.h"

#include <ocelotl/picture.h>

#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    LEFT = 84,  /* of the scale */
    MARK = 3,   /* of a point */
    CORNER = 7, /* of one that bounds the line */
    SCALE = 30  /* between ticks of the scale at least */
};

typedef struct drawing {
    oc_scene *scene;
    const oc_picture *picture;
    const oc_clock_points_input *input;
    ocelotl_clock_points_info info;
    oc_caption caption;
    oc_legend legend;
    int legend_rows;
    oc_axis *time, *scale;
    oc_frame frame;
    double tick;      /* seconds */
    double low, high; /* of the scale, in ticks off the line */
    uint64_t beyond;  /* points that are not in it */
    uint32_t above, below, line;
    bool *taken; /* by pixel: a point is there */
} drawing;

/* --- Scales */

static double line_at(const drawing *at, double time)
{
    const ocelotl_clock_points_info *info = &at->info;
    const double length = (double)info->to - (double)info->from;
    const double share = length > 0 ? (time - (double)info->from) / length : 0;
    return info->ahead[0] + share * (info->ahead[1] - info->ahead[0]);
}

static double off_line(const drawing *at, const ocelotl_clock_point *point)
{
    return point->ahead - line_at(at, (double)point->at);
}

static void widen(drawing *at, double value)
{
    if (isfinite(value)) {
        at->low = fmin(at->low, value);
        at->high = fmax(at->high, value);
    }
}

/* Messages that waited are as far away as they waited: corners and bounds are to be seen, and twice
 * the band. */
static void find_scale(drawing *at)
{
    static const double room = 1.15;
    const ocelotl_clock_points_info *info = &at->info;
    for (int end = 0; end < 2; end++) {
        widen(at, info->least[end] - info->ahead[end]);
        widen(at, info->most[end] - info->ahead[end]);
        widen(at, info->together[end] - info->ahead[end]);
    }
    for (uint64_t i = 0; i < info->points; i++) {
        const ocelotl_clock_point point = ocelotl_clock_points_at(at->input->points, i);
        const bool near =
            !isfinite(info->width) || fabs(off_line(at, &point)) <= 2 * fabs(info->width);
        if (near || at->low >= at->high)
            widen(at, off_line(at, &point));
    }
    at->low = at->low * room - 1;
    at->high = at->high * room + 1;
    for (uint64_t i = 0; i < info->points; i++) {
        const ocelotl_clock_point point = ocelotl_clock_points_at(at->input->points, i);
        const double off = off_line(at, &point);
        at->beyond += !point.corner && (off < at->low || off > at->high);
    }
}

/* --- Around the plot */

static void add_seconds(oc_text *text, const drawing *at, double ticks, double share)
{
    oc_time_add(text, ticks * at->tick, fabs(ticks * at->tick) * share);
}

static void add_bounds(oc_text *text, const drawing *at)
{
    const ocelotl_clock_points_info *info = &at->info;
    const double off =
        fmax(fmax(info->most[0] - info->least[0], info->most[1] - info->least[1]), 0);
    if (info->width < 0) {
        oc_text_add(text, "no two even clocks explain all messages");
    } else if (!isfinite(off)) {
        oc_text_add(text, "messages go one way only: nothing bounds it from the other side");
    } else {
        oc_text_add(text, "known to ");
        add_seconds(text, at, off / 2, 0.01);
    }
}

static void add_evidence(oc_text *text, const drawing *at)
{
    const ocelotl_clock_points_info *info = &at->info;
    oc_count_add(text, info->there);
    oc_text_add(text, info->there == 1 ? " message to it, " : " messages to it, ");
    oc_count_add(text, info->back);
    oc_text_add(text, " from it");
    if (info->waits > 0) {
        oc_text_add(text, ", ");
        oc_count_add(text, info->waits);
        oc_text_add(text, " waits in collective operations");
    }
    if (info->samples > 0) {
        oc_text_add(text, ", ");
        oc_count_add(text, info->samples);
        oc_text_add(text, " samples");
    }
}

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    const ocelotl_clock_points_info *info = &at->info;
    const double middle = info->ahead[0] + (info->ahead[1] - info->ahead[0]) / 2;
    oc_text piece = {0};
    oc_clean_add(&piece, info->second, false);
    oc_text_add(&piece, middle < 0 ? " is behind " : " is ahead of ");
    oc_clean_add(&piece, info->first, false);
    oc_text_add(&piece, " by ");
    add_seconds(&piece, at, fabs(middle), 1e-4);
    oc_caption_take(caption, &piece);
    oc_text_format(&piece, "runs %.3g ppm %s", fabs(info->drift) * 1e6,
                   info->drift < 0 ? "slower" : "faster");
    oc_caption_take(caption, &piece);
    add_bounds(&piece, at);
    oc_caption_take(caption, &piece);
    add_evidence(&piece, at);
    oc_caption_take(caption, &piece);
    oc_text_add(&piece, "up: how far it is ahead, less that line");
    oc_caption_take(caption, &piece);
    if (at->beyond > 0) {
        oc_count_add(&piece, at->beyond);
        oc_text_add(&piece, at->beyond == 1 ? " point is" : " points are");
        oc_text_add(&piece, " too far from it to be shown");
    }
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
}

static void add_entry(drawing *at, uint32_t colour, const char *name)
{
    const oc_rectangle look = oc_legend_swatch(colour);
    oc_legend_add(&at->legend, OC_LEGEND_MARK, &look, name, NULL, false);
}

static void fill_legend(drawing *at)
{
    add_entry(at, at->above, "messages to it: the line is below them");
    add_entry(at, at->below, "messages from it: the line is above");
    add_entry(at, at->line, "the line, and how far off it can be");
    if (isfinite(at->info.together[0]))
        add_entry(at, at->picture->theme->accent, "as all clocks say together");
}

static ocelotl_status measure_axis(int *size, void *subject)
{
    drawing *at = subject;
    const oc_axis_room room = {at->frame.width, LEFT, LEFT / 2.0, OC_SIZE_LABEL};
    oc_axis_time(at->time, (double)at->info.from * at->tick, (double)at->info.to * at->tick, &room);
    *size = oc_plot_axis_height(at->time);
    return OCELOTL_OK;
}

static ocelotl_status find_place(drawing *at)
{
    oc_layout layout = {0};
    at->legend_rows = oc_legend_rows(&at->legend, at->picture);
    oc_layout_caption(&layout, &at->caption, write_caption);
    oc_layout_reserve(&layout, OC_LEFT, LEFT);
    oc_layout_reserve(&layout, OC_BELOW, oc_legend_height(at->legend_rows));
    oc_layout_measure(&layout, OC_BELOW, measure_axis);
    return oc_layout_solve(&at->frame, &layout, at->picture, at);
}

/* --- The plot */

static double x_of(const drawing *at, double time)
{
    const double length = (double)at->info.to - (double)at->info.from;
    return at->frame.left +
           (length > 0 ? (time - (double)at->info.from) / length : 0.5) * at->frame.width;
}

static double y_of(const drawing *at, double off)
{
    return at->frame.top + (at->high - off) / (at->high - at->low) * at->frame.height;
}

/* The unit in which the scale has numbers above 1. */
static double unit_of(const char **name, double seconds)
{
    static const char *const names[] = {"s", "ms", "µs", "ns"};
    double factor = 1;
    size_t unit = 0;
    for (; unit + 1 < sizeof names / sizeof names[0] && seconds * factor < 2; unit++)
        factor *= 1000;
    *name = names[unit];
    return factor;
}

static void draw_scale(const drawing *at)
{
    const oc_frame *frame = &at->frame;
    const oc_axis_room room = {frame->height, SCALE, SCALE, OC_SIZE_LABEL};
    const char *unit;
    const double factor = unit_of(&unit, fmax(-at->low, at->high) * at->tick);
    oc_axis_values(at->scale, at->low * at->tick * factor, at->high * at->tick * factor, "", &room);
    for (uint32_t i = 0; i < at->scale->tick_count; i++) {
        const oc_tick *tick = &at->scale->ticks[i];
        const double y = round(frame->top + frame->height * (1 - tick->position)) + 0.5;
        const oc_label label = {
            frame->left - 8.0,         y + 4, OC_ANCHOR_END, OC_SIZE_LABEL, false,
            at->picture->theme->muted, 0};
        char text[sizeof tick->label + 4];
        if (y < frame->top || y > frame->top + frame->height || tick->label[0] == '\0')
            continue;
        snprintf(text, sizeof text, "%s %s", tick->label, unit);
        oc_plot_rule(at->scene, frame->left - 5, y, frame->left, y, at->picture->theme->rule);
        oc_scene_label(at->scene, &label, text, NULL);
    }
}

/* A line between two times, as far as it lies in the plot; it is that far ahead at both. */
static void draw_line(const drawing *at, const double times[2], const double ahead[2],
                      uint32_t colour, double width)
{
    double share[2] = {0, 1};
    const double off[2] = {ahead[0] - line_at(at, times[0]), ahead[1] - line_at(at, times[1])};
    const double rise = off[1] - off[0];
    const double x = x_of(at, times[0]);
    if (!isfinite(off[0]) || !isfinite(off[1]))
        return;
    for (int side = 0; side < 2; side++) {
        const double edge = side == 0 ? at->low : at->high;
        const bool first = side == 0 ? off[0] < edge : off[0] > edge;
        const bool last = side == 0 ? off[1] < edge : off[1] > edge;
        if (first && last)
            return;
        if (first)
            share[0] = fmax(share[0], (edge - off[0]) / rise);
        if (last)
            share[1] = fmin(share[1], (edge - off[0]) / rise);
    }
    const double length = x_of(at, times[1]) - x;
    const oc_segment segment = {x + share[0] * length,
                                y_of(at, off[0] + share[0] * rise),
                                x + share[1] * length,
                                y_of(at, off[0] + share[1] * rise),
                                colour,
                                width};
    oc_scene_line(at->scene, &segment);
}

/* What nothing contradicts is narrower between the points that bound it. */
static void draw_bounds(const drawing *at)
{
    enum { STEPS = 64 };
    const double length = (double)at->info.to - (double)at->info.from;
    double times[2], least[2], most[2];
    for (int i = 0; i <= STEPS; i++) {
        const int64_t time = at->info.from + (int64_t)(length * i / STEPS);
        times[1] = (double)time;
        ocelotl_clock_points_bounds(&least[1], &most[1], at->input->points, time);
        if (i > 0) {
            draw_line(at, times, least, at->line, 1);
            draw_line(at, times, most, at->line, 1);
        }
        times[0] = times[1];
        least[0] = least[1];
        most[0] = most[1];
    }
}

static void draw_mark(const drawing *at, double x, double y, double size, uint32_t fill,
                      uint32_t stroke)
{
    const oc_rectangle mark = {.x = x - size / 2,
                               .y = y - size / 2,
                               .width = size,
                               .height = size,
                               .fill = fill,
                               .opacity = 1,
                               .stroke = stroke,
                               .hatch = OC_COLOUR_NONE};
    oc_scene_rectangle(at->scene, &mark, NULL);
}

/* Of messages at one pixel one is drawn. */
static void draw_point(drawing *at, const ocelotl_clock_point *point)
{
    const double off = off_line(at, point);
    const uint32_t colour = point->above ? at->above : at->below;
    if (off < at->low || off > at->high)
        return;
    const double x = x_of(at, (double)point->at);
    const double y = y_of(at, off);
    if (point->corner) {
        draw_mark(at, x, y, CORNER, OC_COLOUR_NONE, colour);
        return;
    }
    const size_t column = (size_t)fmax(0, x - at->frame.left);
    const size_t row = (size_t)fmax(0, y - at->frame.top);
    bool *taken = &at->taken[((row * ((size_t)at->frame.width + 1)) + column) * 2 + point->above];
    if (!*taken)
        draw_mark(at, x, y, MARK, colour, OC_COLOUR_NONE);
    *taken = true;
}

static void draw_plot(drawing *at)
{
    const ocelotl_clock_points_info *info = &at->info;
    const double ends[2] = {(double)info->from, (double)info->to};
    oc_plot_draw_frame(at->scene, at->picture, &at->frame);
    draw_scale(at);
    oc_plot_draw_axis(at->scene, at->picture, &at->frame, at->time);
    oc_scene_group(at->scene, "points", &(oc_group_style){.inert = true}, NULL);
    for (uint64_t i = 0; i < info->points; i++) {
        const ocelotl_clock_point point = ocelotl_clock_points_at(at->input->points, i);
        draw_point(at, &point);
    }
    oc_scene_group_end(at->scene);
    oc_scene_group(at->scene, "lines", &(oc_group_style){.inert = true}, NULL);
    draw_bounds(at);
    draw_line(at, ends, info->together, at->picture->theme->accent, 1);
    draw_line(at, ends, info->ahead, at->line, 2);
    oc_scene_group_end(at->scene);
}

static ocelotl_status draw_all(drawing *at)
{
    OC_TRY(oc_allocate(&at->time, 1, sizeof *at->time));
    OC_TRY(oc_allocate(&at->scale, 1, sizeof *at->scale));
    find_scale(at);
    fill_legend(at);
    OC_TRY(find_place(at));
    OC_TRY(oc_allocate(&at->taken,
                       2 * ((size_t)at->frame.width + 1) * ((size_t)at->frame.height + 1),
                       sizeof *at->taken));
    oc_picture_add_window(at->scene, at->picture, at->input->trace, "clocks", at->info.from,
                          at->info.to);
    oc_metadata_text(at->scene, "first", at->info.first);
    oc_metadata_text(at->scene, "second", at->info.second);
    oc_caption_draw(at->scene, at->picture, &at->caption);
    draw_plot(at);
    oc_legend_draw(at->scene, at->picture, &at->legend, at->legend_rows);
    return oc_scene_status(at->scene);
}

ocelotl_status oc_clock_points_lay_out(oc_scene *scene, const oc_picture *picture,
                                       const void *subject)
{
    enum { BLUE = 0x1B5FAA, ORANGE = 0xC05A00, CONTRAST = 6 };
    drawing at = {.scene = scene, .picture = picture, .input = subject};
    const ocelotl_trace_info trace = ocelotl_trace_info_of(at.input->trace);
    at.info = ocelotl_clock_points_info_of(at.input->points);
    at.tick = (double)trace.tick_numerator / (double)trace.tick_denominator;
    at.above = oc_colour_visible(BLUE, picture->theme->paper, CONTRAST);
    at.below = oc_colour_visible(ORANGE, picture->theme->paper, CONTRAST);
    at.line = picture->theme->ink;
    oc_picture_begin(scene, picture, trace.name);
    const ocelotl_status status = draw_all(&at);
    oc_caption_free(&at.caption);
    oc_legend_free(&at.legend);
    free(at.time);
    free(at.scale);
    free(at.taken);
    return status;
}

static ocelotl_status draw(const oc_target *target, const oc_clock_points_input *input,
                           const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    oc_picture picture = {0};
    OC_TRY(oc_read_options(&options, sizeof options, given));
    OC_TRY(oc_picture_read(&picture, target, &options));
    const ocelotl_status status = oc_picture_draw(&picture, oc_clock_points_lay_out, input);
    oc_picture_free(&picture);
    return status;
}

ocelotl_status ocelotl_clock_points_write(const ocelotl_sink *sink, ocelotl_picture_format format,
                                          const ocelotl_trace *trace,
                                          const ocelotl_clock_points *points,
                                          const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.sink = sink, .format = format},
                &(oc_clock_points_input){trace, points}, options);
}

ocelotl_status ocelotl_clock_points_render(const char *path, const ocelotl_trace *trace,
                                           const ocelotl_clock_points *points,
                                           const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.path = path}, &(oc_clock_points_input){trace, points}, options);
}

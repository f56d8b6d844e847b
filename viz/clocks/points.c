/* Time goes to the right, as the first clock reads; up goes how far the second one is ahead, less
 * the line in the middle of the widest band, which is thus flat: clocks differ by far more than
 * messages tell of them. */
#include "viz/clocks/plot.h"
#include "viz/pictures.h"

#include "base/memory.h"

#include <ocelotl/picture.h>

#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    LEFT = 84, /* of the scale */
    MARK = 3,  /* of a point */
    CORNER = 7 /* of one that bounds the line */
};

typedef struct drawing {
    oc_clock_plot plot;
    const ocelotl_clock_points *points;
    uint64_t beyond; /* points that are not in the plot */
    bool *taken;     /* by pixel: a point is there */
} drawing;

/* --- Scales */

static double line_at(const drawing *at, double time)
{
    const ocelotl_clock_points *of = at->points;
    const double length = (double)of->to - (double)of->from;
    const double share = length > 0 ? (time - (double)of->from) / length : 0;
    return of->ahead[0] + share * (of->ahead[1] - of->ahead[0]);
}

static double off_line(const drawing *at, const ocelotl_clock_point *point)
{
    return point->ahead - line_at(at, (double)point->at);
}

/* Messages that waited are as far away as they waited: corners and bounds are to be seen, and twice
 * the band. */
static ocelotl_status prepare(void *subject)
{
    static const double room = 1.15;
    drawing *at = subject;
    oc_chart *chart = &at->plot.chart;
    const ocelotl_clock_points *of = at->points;
    for (int end = 0; end < 2; end++) {
        oc_clock_plot_widen(&at->plot, of->least[end] - of->ahead[end]);
        oc_clock_plot_widen(&at->plot, of->most[end] - of->ahead[end]);
        oc_clock_plot_widen(&at->plot, of->together[end] - of->ahead[end]);
    }
    for (size_t i = 0; i < of->count; i++) {
        const ocelotl_clock_point point = of->list[i];
        const bool near = !isfinite(of->width) || fabs(off_line(at, &point)) <= 2 * fabs(of->width);
        if (near || at->plot.low >= at->plot.high)
            oc_clock_plot_widen(&at->plot, off_line(at, &point));
    }
    at->plot.low = at->plot.low * room - 1;
    at->plot.high = at->plot.high * room + 1;
    for (size_t i = 0; i < of->count; i++) {
        const ocelotl_clock_point point = of->list[i];
        const double off = off_line(at, &point);
        at->beyond += !point.corner && (off < at->plot.low || off > at->plot.high);
    }
    oc_chart_explain(chart, chart->blue, 1, "messages to it: the line is below them");
    oc_chart_explain(chart, chart->orange, 1, "messages from it: the line is above");
    oc_chart_explain(chart, chart->picture->theme->ink, 1, "the line, and how far off it can be");
    if (isfinite(of->together[0]))
        oc_chart_explain(chart, chart->picture->theme->accent, 1, "as all clocks say together");
    oc_clock_plot_prepare(&at->plot, 0, LEFT);
    oc_metadata_text(chart->scene, "first", of->first);
    oc_metadata_text(chart->scene, "second", of->second);
    return OCELOTL_OK;
}

/* --- Around the plot */

static void write_caption(oc_caption *caption, const void *subject)
{
    const drawing *at = subject;
    const ocelotl_clock_points *of = at->points;
    const double middle = of->ahead[0] + (of->ahead[1] - of->ahead[0]) / 2;
    oc_text piece = {0};
    OC_CAPTION(caption, middle < 0 ? "{} is behind {} by {}" : "{} is ahead of {} by {}",
               oc_word_name(of->second), oc_word_name(of->first),
               oc_word_time(fabs(middle) * at->plot.tick, 1e-4));
    oc_text_format(&piece, "runs %.3g ppm %s", fabs(of->drift) * 1e6,
                   of->drift < 0 ? "slower" : "faster");
    oc_caption_take(caption, &piece);
    const double off = fmax(fmax(of->most[0] - of->least[0], of->most[1] - of->least[1]), 0);
    OC_CAPTION(caption,
               of->width < 0    ? "no two even clocks explain all messages"
               : !isfinite(off) ? "messages go one way only: nothing bounds it from the other side"
                                : "known to {}",
               oc_word_time(off / 2 * at->plot.tick, 0.01));
    OC_PHRASE(&piece, "{} to it, {} from it", oc_word_count(of->there, "message"),
              oc_word_count(of->back, NULL));
    if (of->waits > 0)
        OC_PHRASE(&piece, ", {} waits in collective operations", oc_word_count(of->waits, NULL));
    if (of->samples > 0)
        OC_PHRASE(&piece, ", {} samples", oc_word_count(of->samples, NULL));
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
    oc_caption_add(caption, "up: how far it is ahead, less that line");
    if (at->beyond > 0)
        OC_CAPTION(caption,
                   at->beyond == 1 ? "{} point is too far from it to be shown"
                                   : "{} points are too far from it to be shown",
                   oc_word_count(at->beyond, NULL));
}

/* --- The plot */

/* A line between two times, as far as it lies in the plot; it is that far ahead at both. */
static void draw_line(const drawing *at, const double times[2], const double ahead[2],
                      uint32_t colour, double width)
{
    double share[2] = {0, 1};
    const double off[2] = {ahead[0] - line_at(at, times[0]), ahead[1] - line_at(at, times[1])};
    const double rise = off[1] - off[0];
    const double x = oc_clock_plot_x(&at->plot, times[0]);
    if (!isfinite(off[0]) || !isfinite(off[1]))
        return;
    for (int side = 0; side < 2; side++) {
        const double edge = side == 0 ? at->plot.low : at->plot.high;
        const bool first = side == 0 ? off[0] < edge : off[0] > edge;
        const bool last = side == 0 ? off[1] < edge : off[1] > edge;
        if (first && last)
            return;
        if (first)
            share[0] = fmax(share[0], (edge - off[0]) / rise);
        if (last)
            share[1] = fmin(share[1], (edge - off[0]) / rise);
    }
    const double length = oc_clock_plot_x(&at->plot, times[1]) - x;
    const oc_segment segment = {x + share[0] * length,
                                oc_clock_plot_y(&at->plot, off[0] + share[0] * rise),
                                x + share[1] * length,
                                oc_clock_plot_y(&at->plot, off[0] + share[1] * rise),
                                colour,
                                width};
    oc_scene_line(at->plot.chart.scene, &segment);
}

/* What nothing contradicts is narrower between the points that bound it. */
static ocelotl_status draw(void *subject)
{
    enum { STEPS = 64 };
    drawing *at = subject;
    const ocelotl_clock_points *of = at->points;
    const oc_chart *chart = &at->plot.chart;
    oc_scene *scene = chart->scene;
    const oc_theme *theme = chart->picture->theme;
    const oc_frame *frame = &chart->frame;
    const double length = (double)of->to - (double)of->from;
    const double ends[2] = {(double)of->from, (double)of->to};
    double times[2], least[2], most[2];
    OC_TRY(oc_allocate(&at->taken, 2 * ((size_t)frame->width + 1) * ((size_t)frame->height + 1),
                       sizeof *at->taken));
    oc_plot_draw_frame(scene, chart->picture, frame);
    oc_clock_plot_draw_scale(&at->plot);
    oc_clock_plot_draw_axis(&at->plot);
    oc_scene_group(scene, "points", &(oc_group_style){.inert = true}, NULL);
    for (size_t i = 0; i < of->count; i++) {
        const ocelotl_clock_point point = of->list[i];
        const double off = off_line(at, &point);
        const uint32_t colour = point.above ? chart->blue : chart->orange;
        const oc_point place = {oc_clock_plot_x(&at->plot, (double)point.at),
                                oc_clock_plot_y(&at->plot, off)};
        if (off < at->plot.low || off > at->plot.high)
            continue;
        if (point.corner) {
            oc_chart_point(chart, place, CORNER, OC_COLOUR_NONE, colour, NULL);
            continue;
        }
        /* of messages at one pixel one is drawn */
        const size_t column = (size_t)fmax(0, place.x - frame->left);
        const size_t row = (size_t)fmax(0, place.y - frame->top);
        bool *taken = &at->taken[(row * ((size_t)frame->width + 1) + column) * 2 + point.above];
        if (!*taken)
            oc_chart_point(chart, place, MARK, colour, OC_COLOUR_NONE, NULL);
        *taken = true;
    }
    oc_scene_group_end(scene);
    oc_scene_group(scene, "lines", &(oc_group_style){.inert = true}, NULL);
    for (int i = 0; i <= STEPS; i++) {
        const int64_t time = of->from + (int64_t)(length * i / STEPS);
        times[1] = (double)time;
        ocelotl_clock_points_bounds(&least[1], &most[1], at->points, time);
        if (i > 0) {
            draw_line(at, times, least, theme->ink, 1);
            draw_line(at, times, most, theme->ink, 1);
        }
        times[0] = times[1];
        least[0] = least[1];
        most[0] = most[1];
    }
    draw_line(at, ends, of->together, theme->accent, 1);
    draw_line(at, ends, of->ahead, theme->ink, 2);
    oc_scene_group_end(scene);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_clock_points_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                         const ocelotl_trace *trace,
                                         const ocelotl_clock_points *points,
                                         const ocelotl_picture_options *options)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw};
    drawing at = {.plot = oc_clock_plot_of(trace, &kind, points->from, points->to),
                  .points = points};
    const ocelotl_status status = oc_chart_draw(&at.plot.chart, sink, format, options);
    free(at.taken);
    return status;
}

/* Offsets go up in a unit that suits them, times to the right. */
#include "viz/clocks/plot.h"

#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    SCALE = 30,   /* between ticks of the scale at least */
    LOW = 120,    /* a plot that has few of them */
    LETTERS = 11, /* between two lines of lettering */
};

oc_clock_plot oc_clock_plot_of(const ocelotl_trace *trace, const oc_chart_kind *kind, int64_t from,
                               int64_t to)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    return (oc_clock_plot){.chart = {.kind = kind, .title = info.name},
                           .trace = trace,
                           .tick = (double)info.tick_numerator / (double)info.tick_denominator,
                           .from = from,
                           .to = to};
}

void oc_clock_plot_widen(oc_clock_plot *plot, double value)
{
    if (isfinite(value)) {
        plot->low = fmin(plot->low, value);
        plot->high = fmax(plot->high, value);
    }
}

double oc_clock_plot_x(const oc_clock_plot *plot, double time)
{
    const double length = (double)plot->to - (double)plot->from;
    const double share = length > 0 ? (time - (double)plot->from) / length : 0.5;
    return plot->chart.frame.left + share * plot->chart.frame.width;
}

double oc_clock_plot_y(const oc_clock_plot *plot, double off)
{
    const oc_frame *frame = &plot->chart.frame;
    return frame->top + (plot->high - off) / (plot->high - plot->low) * frame->height;
}

static ocelotl_status measure_axis(int *size, void *subject)
{
    const oc_clock_plot *plot = subject;
    const oc_axis_room room = {plot->chart.frame.width, plot->scale, 42, OC_SIZE_LABEL};
    oc_axis_time(plot->chart.axis, (double)plot->from * plot->tick, (double)plot->to * plot->tick,
                 &room);
    *size = oc_plot_axis_height(plot->chart.axis);
    return OCELOTL_OK;
}

void oc_clock_plot_prepare(oc_clock_plot *plot, int names, int scale)
{
    plot->scale = scale;
    oc_picture_add_window(plot->chart.scene, plot->chart.picture, plot->trace, "clocks", plot->from,
                          plot->to);
    oc_layout_reserve(&plot->chart.layout, OC_LEFT, names + scale);
    oc_layout_measure(&plot->chart.layout, OC_BELOW, measure_axis);
}

/* Scales were made in the axis since it was measured. */
void oc_clock_plot_draw_axis(oc_clock_plot *plot)
{
    int height;
    measure_axis(&height, plot);
    oc_plot_draw_axis(plot->chart.scene, plot->chart.picture, &plot->chart.frame, plot->chart.axis);
}

static void draw_tick(const oc_clock_plot *plot, double position, const char *number,
                      const char *unit)
{
    const oc_frame *frame = &plot->chart.frame;
    const double y = frame->top + frame->height * (1 - position);
    oc_text text = {0};
    oc_text_format(&text, "%s %s", number, unit);
    if (y >= frame->top && y <= frame->top + frame->height && !text.failed)
        oc_chart_tick(&plot->chart, frame, y, text.bytes);
    oc_scene_take(plot->chart.scene, &text);
}

/* A low plot has zero, and on both sides the largest of 1, 2 and 5 times a power of ten that has
 * room, as far as they do not touch. */
void oc_clock_plot_draw_scale(const oc_clock_plot *plot)
{
    static const char *const units[] = {"s", "ms", "µs", "ns"};
    const double length = plot->high - plot->low;
    const int height = plot->chart.frame.height;
    double farthest = fmax(-plot->low, plot->high) * plot->tick;
    double factor = plot->tick;
    size_t unit = 0; /* in which the scale has numbers above 1 */
    for (; unit + 1 < sizeof units / sizeof units[0] && farthest < 2; unit++) {
        factor *= 1000;
        farthest *= 1000;
    }
    if (height < LOW) {
        const double power = pow(10, floor(log10(0.8 * farthest)));
        const double times = 0.8 * farthest / power;
        const double most = power * (times >= 5 ? 5 : times >= 2 ? 2 : 1);
        const double apart = most / factor / length * height;
        for (int side = -1; side <= 1; side++) {
            oc_text number = {0};
            oc_number_add(&number, side * most, 3);
            if (side == 0 ? apart >= LETTERS || 2 * apart < LETTERS : 2 * apart >= LETTERS)
                draw_tick(plot, (side * most / factor - plot->low) / length,
                          number.failed ? "" : number.bytes, units[unit]);
            oc_scene_take(plot->chart.scene, &number);
        }
        return;
    }
    const oc_axis *scale = plot->chart.axis;
    oc_axis_values(plot->chart.axis, plot->low * factor, plot->high * factor, "",
                   &(oc_axis_room){height, SCALE, SCALE, OC_SIZE_LABEL});
    for (uint32_t i = 0; i < scale->tick_count; i++)
        if (scale->ticks[i].label[0] != '\0')
            draw_tick(plot, scale->ticks[i].position, scale->ticks[i].label, units[unit]);
}

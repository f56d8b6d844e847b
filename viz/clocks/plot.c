/* Offsets go up in a unit that suits them, times to the right. */
#include "viz/clocks/plot.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Distances in pixels. */
enum {
    SCALE = 30,   /* between ticks of the scale at least */
    LOW = 120,    /* a plot that has few of them */
    LETTERS = 11, /* between two lines of lettering */
};

ocelotl_status oc_clock_plot_make(oc_clock_plot *plot, oc_scene *scene, const oc_picture *picture,
                                  const ocelotl_trace *trace, int64_t from, int64_t to)
{
    enum { BLUE = 0x1B5FAA, ORANGE = 0xC05A00, CONTRAST = 6 };
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    *plot = (oc_clock_plot){.scene = scene,
                            .picture = picture,
                            .blue = oc_colour_visible(BLUE, picture->theme->paper, CONTRAST),
                            .orange = oc_colour_visible(ORANGE, picture->theme->paper, CONTRAST),
                            .tick = (double)info.tick_numerator / (double)info.tick_denominator,
                            .from = from,
                            .to = to};
    oc_picture_begin(scene, picture, info.name);
    OC_TRY(oc_allocate(&plot->time, 1, sizeof *plot->time));
    return oc_allocate(&plot->scale, 1, sizeof *plot->scale);
}

void oc_clock_plot_free(oc_clock_plot *plot)
{
    oc_caption_free(&plot->caption);
    oc_legend_free(&plot->legend);
    free(plot->time);
    free(plot->scale);
}

void oc_clock_plot_widen(oc_clock_plot *plot, double value)
{
    if (isfinite(value)) {
        plot->low = fmin(plot->low, value);
        plot->high = fmax(plot->high, value);
    }
}

void oc_clock_plot_end_scale(oc_clock_plot *plot, double room)
{
    plot->low = plot->low * room - 1;
    plot->high = plot->high * room + 1;
}

void oc_clock_plot_explain(oc_clock_plot *plot, uint32_t colour, double opacity, const char *name)
{
    oc_rectangle look = oc_legend_swatch(colour);
    look.opacity = opacity;
    oc_legend_add(&plot->legend, OC_LEGEND_MARK, &look, name, NULL, false);
}

double oc_clock_plot_x(const oc_clock_plot *plot, double time)
{
    const double length = (double)plot->to - (double)plot->from;
    const double share = length > 0 ? (time - (double)plot->from) / length : 0.5;
    return plot->frame.left + share * plot->frame.width;
}

double oc_clock_plot_y(const oc_clock_plot *plot, double off)
{
    return plot->frame.top + (plot->high - off) / (plot->high - plot->low) * plot->frame.height;
}

static ocelotl_status measure_axis(int *size, void *subject)
{
    oc_clock_plot *plot = subject;
    const oc_axis_room room = {plot->frame.width, plot->margin, 42, OC_SIZE_LABEL};
    oc_axis_time(plot->time, (double)plot->from * plot->tick, (double)plot->to * plot->tick, &room);
    *size = oc_plot_axis_height(plot->time);
    return OCELOTL_OK;
}

ocelotl_status oc_clock_plot_place(oc_clock_plot *plot, int names, int scale,
                                   oc_write_caption write_caption)
{
    oc_layout layout = {0};
    plot->margin = scale;
    plot->legend_rows = oc_legend_rows(&plot->legend, plot->picture);
    oc_layout_caption(&layout, &plot->caption, write_caption);
    oc_layout_reserve(&layout, OC_LEFT, names + scale);
    oc_layout_reserve(&layout, OC_BELOW, oc_legend_height(plot->legend_rows));
    oc_layout_measure(&layout, OC_BELOW, measure_axis);
    return oc_layout_solve(&plot->frame, &layout, plot->picture, plot);
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

static void draw_tick(const oc_clock_plot *plot, double position, const char *text)
{
    const oc_frame *frame = &plot->frame;
    const double y = round(frame->top + frame->height * (1 - position)) + 0.5;
    const oc_label label =
        oc_label_at(frame->left - 8.0, y + 4, OC_ANCHOR_END, plot->picture->theme->muted);
    if (y < frame->top || y > frame->top + frame->height)
        return;
    oc_plot_rule(plot->scene, frame->left - 5, y, frame->left, y, plot->picture->theme->rule);
    oc_scene_label(plot->scene, &label, text, NULL);
}

static void draw_value(const oc_clock_plot *plot, double value, double factor, const char *unit)
{
    const double position = (value / factor - plot->low) / (plot->high - plot->low);
    char text[48];
    oc_text number = {0};
    oc_number_add(&number, value, 3);
    snprintf(text, sizeof text, "%s %s", number.failed ? "" : number.bytes, unit);
    oc_text_free(&number);
    draw_tick(plot, position, text);
}

/* Zero, and on both sides the largest of 1, 2 and 5 times a power of ten that has room, as far as
 * they do not touch. */
static void draw_few_ticks(const oc_clock_plot *plot, double factor, const char *unit)
{
    const double room = 0.8 * fmax(-plot->low, plot->high) * factor;
    const double power = pow(10, floor(log10(room)));
    const double most = power * (room / power >= 5 ? 5 : room / power >= 2 ? 2 : 1);
    const double apart = most / factor / (plot->high - plot->low) * plot->frame.height;
    if (apart >= LETTERS || 2 * apart < LETTERS)
        draw_value(plot, 0, factor, unit);
    for (int side = -1; side <= 1 && 2 * apart >= LETTERS; side += 2)
        draw_value(plot, side * most, factor, unit);
}

void oc_clock_plot_draw_scale(const oc_clock_plot *plot)
{
    const oc_axis_room room = {plot->frame.height, SCALE, SCALE, OC_SIZE_LABEL};
    const char *unit;
    const double factor = plot->tick * unit_of(&unit, fmax(-plot->low, plot->high) * plot->tick);
    if (plot->frame.height < LOW) {
        draw_few_ticks(plot, factor, unit);
        return;
    }
    oc_axis_values(plot->scale, plot->low * factor, plot->high * factor, "", &room);
    for (uint32_t i = 0; i < plot->scale->tick_count; i++) {
        const oc_tick *tick = &plot->scale->ticks[i];
        char text[sizeof tick->label + 4];
        snprintf(text, sizeof text, "%s %s", tick->label, unit);
        if (tick->label[0] != '\0')
            draw_tick(plot, tick->position, text);
    }
}

void oc_clock_plot_add(oc_text *text, const oc_clock_plot *plot, double ticks, double share)
{
    oc_time_add(text, ticks * plot->tick, fabs(ticks * plot->tick) * share);
}

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

ocelotl_status oc_clock_plot_make(oc_clock_plot *plot)
{
    OC_TRY(oc_allocate(&plot->time, 1, sizeof *plot->time));
    return oc_allocate(&plot->scale, 1, sizeof *plot->scale);
}

void oc_clock_plot_free(oc_clock_plot *plot)
{
    free(plot->time);
    free(plot->scale);
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

int oc_clock_plot_measure(oc_clock_plot *plot, double margin)
{
    const oc_axis_room room = {plot->frame.width, margin, 42, OC_SIZE_LABEL};
    oc_axis_time(plot->time, (double)plot->from * plot->tick, (double)plot->to * plot->tick, &room);
    return oc_plot_axis_height(plot->time);
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
    const oc_label label = {frame->left - 8.0,           y + 4, OC_ANCHOR_END, OC_SIZE_LABEL, false,
                            plot->picture->theme->muted, 0};
    if (y < frame->top || y > frame->top + frame->height)
        return;
    oc_plot_rule(plot->scene, frame->left - 5, y, frame->left, y, plot->picture->theme->rule);
    oc_scene_label(plot->scene, &label, text, NULL);
}

/* The largest of 1, 2 and 5 times a power of ten that is not above a value. */
static double whole_below(double value)
{
    const double power = pow(10, floor(log10(value)));
    const double first = value / power;
    return power * (first >= 5 ? 5 : first >= 2 ? 2 : 1);
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

/* Zero, and a whole number on both sides, as far as they do not touch. */
static void draw_few_ticks(const oc_clock_plot *plot, double factor, const char *unit)
{
    const double most = whole_below(0.8 * fmax(-plot->low, plot->high) * factor);
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

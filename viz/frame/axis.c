#include "viz/frame/axis.h"

#include "viz/words/lettering.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pixels between labels, and at least between ticks. */
enum { LABEL_GAP = 18, TICK_GAP = 60 };

/* Beyond these there is no power of ten to divide by. */
static const double least = 1e-280;
static const double most = 1e280;

/* Digits of an instant beside the step that are still read easily. */
static const double readable_ratio = 1e5;

/* A step of mantissa x 10^exponent units, or of a whole number of minutes. */
typedef struct step {
    int64_t mantissa; /* 1, 2 or 5; the minutes */
    int exponent;
    double size; /* in units; in minutes */
    bool clock;
} step;

static double power_of_ten(int exponent)
{
    return exponent >= 0 ? pow(10, exponent) : 1 / pow(10, -exponent);
}

/* Minutes go on as on the face of a clock, hours as all else. */
static step next_minutes(step now)
{
    static const int minutes[] = {1, 2, 5, 10, 15, 30, 60};
    int64_t next = 60;
    if (now.mantissa < 60) {
        for (const int *at = minutes; *at <= now.mantissa; at++)
            next = at[1];
    } else {
        int64_t ten = 60;
        while (now.mantissa >= 10 * ten)
            ten *= 10;
        next = now.mantissa < 2 * ten ? 2 * ten : now.mantissa < 5 * ten ? 5 * ten : 10 * ten;
    }
    return (step){next, 0, (double)next, true};
}

static step next_step(step now)
{
    if (now.clock)
        return next_minutes(now);
    const int64_t mantissa = now.mantissa == 1 ? 2 : now.mantissa == 2 ? 5 : 1;
    const int exponent = now.mantissa == 5 ? now.exponent + 1 : now.exponent;
    return (step){mantissa, exponent, (double)mantissa * power_of_ten(exponent), false};
}

static double finest_step(double span, double length)
{
    return span / fmax(1, fmin(length / TICK_GAP, OC_AXIS_TICKS_MOST - 2));
}

/* The finest step that gives no more ticks than their gap allows. */
static step first_step(double span, double length, bool clock)
{
    const double finest = finest_step(span, length);
    const int exponent = (int)floor(log10(finest)) - 1;
    step now = clock ? (step){1, 0, 1, true} : (step){1, exponent, power_of_ten(exponent), false};
    while (now.size < finest * (1 - 1e-9))
        now = next_step(now);
    return now;
}

/* Writes count x step without rounding: it is a whole number and a power of ten. */
static void write_value(char *label, size_t size, const step *by, int64_t count, const char *suffix)
{
    const double value = (double)(count * by->mantissa) * power_of_ten(by->exponent);
    oc_text text = {0};
    if (by->clock)
        oc_clock_add(&text, 60.0 * (double)(count * by->mantissa), 0,
                     suffix[0] == 'h' ? OC_CLOCK_HOURS : OC_CLOCK_MINUTES);
    else if (by->exponent < -9)
        oc_number_add(&text, value, 12);
    else
        oc_decimal_add(&text, value, by->exponent < 0 ? -by->exponent : 0);
    if (!by->clock && suffix[0] != '\0')
        oc_text_format(&text, " %s", suffix);
    snprintf(label, size, "%s", text.bytes != NULL ? text.bytes : "");
    oc_text_free(&text);
}

static void add_tick(oc_axis *axis, double position, const char *label, const oc_axis_room *room)
{
    if (axis->tick_count == OC_AXIS_TICKS_MOST)
        return;
    oc_tick *tick = &axis->ticks[axis->tick_count++];
    const double half = oc_lettering_width(label, room->size, false) / 2;
    const double x = position * room->length;
    tick->position = position;
    tick->label[0] = '\0';
    if (x - half >= -room->before && x + half <= room->length + room->after)
        snprintf(tick->label, sizeof tick->label, "%s", label);
}

static bool labels_fit(const oc_axis *axis, const oc_axis_room *room)
{
    double reached = -INFINITY;
    for (uint32_t i = 0; i < axis->tick_count; i++) {
        if (axis->ticks[i].label[0] == '\0')
            continue;
        const double half = oc_lettering_width(axis->ticks[i].label, room->size, false) / 2;
        const double x = axis->ticks[i].position * room->length;
        if (x - half < reached)
            return false;
        reached = x + half + LABEL_GAP;
    }
    return true;
}

/* A range to label, in units: values are low .. high, drawn from 0 to 1. */
typedef struct range {
    double low, high;
    double offset; /* of the middle of a thing counted, 0 for instants */
    const char *suffix;
    bool plain_zero; /* 0 has no suffix */
} range;

static void fill(oc_axis *axis, const range *over, const step *by, const oc_axis_room *room)
{
    const double span = over->high - over->low;
    const double slack = 1e-9 * span / by->size;
    axis->tick_count = 0;
    const int64_t last = (int64_t)floor(over->high / by->size + slack);
    for (int64_t count = (int64_t)ceil(over->low / by->size - slack); count <= last; count++) {
        char label[sizeof axis->ticks[0].label];
        const double position = ((double)count * by->size + over->offset - over->low) / span;
        write_value(label, sizeof label, by, count,
                    count == 0 && over->plain_zero ? "" : over->suffix);
        if (position <= 1 + 1e-9)
            add_tick(axis, fmin(1, fmax(0, position)), label, room);
    }
}

static void choose(oc_axis *axis, const range *over, step by, const oc_axis_room *room)
{
    const double span = over->high - over->low;
    fill(axis, over, &by, room);
    while (!labels_fit(axis, room) && by.size <= 10 * span) {
        by = next_step(by);
        fill(axis, over, &by, room);
    }
}

void oc_axis_time(oc_axis *axis, double begin, double end, const oc_axis_room *room)
{
    axis->tick_count = 0;
    axis->title[0] = '\0';
    const double span = end - begin;
    const double farthest = fmax(fabs(begin), fabs(end));
    if (!(span > least) || !(farthest < most) || !(room->length > 0))
        return;
    const bool from_beginning = farthest / span > readable_ratio;
    const oc_time_unit in =
        oc_time_unit_of(from_beginning ? (oc_time_range){0, span} : (oc_time_range){begin, end});
    range over = {begin / in.seconds, end / in.seconds, 0, in.name, false};
    if (from_beginning) {
        oc_text from = {0};
        over.high -= over.low;
        over.low = 0;
        over.high = span / in.seconds;
        oc_time_instant_add(&from, begin, span, (oc_time_range){begin, end});
        snprintf(axis->title, sizeof axis->title, "after %s", from.bytes != NULL ? from.bytes : "");
        oc_text_free(&from);
    }
    choose(axis, &over, first_step(over.high - over.low, room->length, in.clock != OC_NO_CLOCK),
           room);
}

void oc_axis_slices(oc_axis *axis, uint32_t slice_count, const oc_axis_room *room)
{
    axis->tick_count = 0;
    snprintf(axis->title, sizeof axis->title, "slices");
    if (slice_count == 0 || !(room->length > 0))
        return;
    const range over = {0, slice_count, 0.5, "", false};
    step by = first_step(slice_count, room->length * 1.5, false);
    if (by.exponent < 0)
        by = (step){1, 0, 1, false};
    choose(axis, &over, by, room);
}

void oc_axis_values(oc_axis *axis, double low, double high, const char *unit_name,
                    const oc_axis_room *room)
{
    static const double digits_most = 1e12;
    axis->tick_count = 0;
    axis->title[0] = '\0';
    const double span = high - low;
    const double farthest = fmax(fabs(low), fabs(high));
    if (!(span > least) || !(farthest < most) || farthest / span > digits_most ||
        !(room->length > 0))
        return;
    /* all digits are shown, so a prefix spares none */
    const bool fine = farthest / span > readable_ratio;
    const oc_prefix prefix = fine ? (oc_prefix){1, ""} : oc_prefix_for(farthest);
    char suffix[24];
    snprintf(suffix, sizeof suffix, "%s%s", prefix.symbol, unit_name);
    const range over = {low / prefix.factor, high / prefix.factor, 0, suffix, true};
    choose(axis, &over, first_step(over.high - over.low, room->length, false), room);
}

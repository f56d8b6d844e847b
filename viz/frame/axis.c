#include "viz/frame/frame.h"

#include "viz/words/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- Ticks */

/* Pixels between labels, and at least between ticks. */
enum { LABEL_GAP = 18, TICK_GAP = 60, BESIDE_BREAK = -LABEL_GAP / 2 };

/* Beyond these no power of ten is left to divide by. */
static const double smallest = 1e-280;
static const double largest = 1e280;

/* An instant with more digits than this, next to its step, is hard to read. */
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

/* Minutes step as on the face of a clock, hours in decimal steps. */
static step next_step(step now)
{
    static const int minutes[] = {1, 2, 5, 10, 15, 30, 60};
    int64_t next = 60;
    if (!now.clock) {
        const int64_t mantissa = now.mantissa == 1 ? 2 : now.mantissa == 2 ? 5 : 1;
        const int exponent = now.mantissa == 5 ? now.exponent + 1 : now.exponent;
        return (step){mantissa, exponent, (double)mantissa * power_of_ten(exponent), false};
    }
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

/* Finds the finest step whose ticks keep their gap. */
static step first_step(double span, double length, bool clock)
{
    const double finest = span / fmax(1, fmin(length / TICK_GAP, OC_AXIS_TICKS_MOST - 2));
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

void oc_axis_add(oc_axis *axis, double position, const char *label)
{
    if (axis->tick_count == OC_AXIS_TICKS_MOST)
        return;
    oc_tick *tick = &axis->ticks[axis->tick_count++];
    tick->position = position;
    tick->shift = 0;
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

/* A range to label, in units: values low .. high are drawn from 0 to 1. */
typedef struct range {
    double low, high;
    double offset; /* from a tick to the middle of what it counts, 0 for instants */
    const char *suffix;
    bool plain_zero; /* 0 has no suffix */
} range;

/* Takes the first step, from one on, whose labels fit. */
static void choose(oc_axis *axis, const range *over, step by, const oc_axis_room *room)
{
    const double span = over->high - over->low;
    for (;; by = next_step(by)) {
        const double slack = 1e-9 * span / by.size;
        const int64_t last = (int64_t)floor(over->high / by.size + slack);
        axis->tick_count = 0;
        for (int64_t count = (int64_t)ceil(over->low / by.size - slack); count <= last; count++) {
            char label[sizeof axis->ticks[0].label];
            const double position = ((double)count * by.size + over->offset - over->low) / span;
            const double place = fmin(1, fmax(0, position));
            write_value(label, sizeof label, &by, count,
                        count == 0 && over->plain_zero ? "" : over->suffix);
            const double half = oc_lettering_width(label, room->size, false) / 2;
            const double x = place * room->length;
            const bool fits = x - half >= -room->before && x + half <= room->length + room->after;
            if (position <= 1 + 1e-9)
                oc_axis_add(axis, place, fits ? label : "");
        }
        if (labels_fit(axis, room) || !(by.size <= 10 * span))
            return;
    }
}

/* Says from when on time is counted. */
static void count_after(oc_axis *axis, double begin, double end, double span)
{
    oc_text from = {0};
    oc_time_instant_add(&from, begin, span, (oc_time_range){begin, end});
    snprintf(axis->title, sizeof axis->title, "0 is at %s", from.bytes != NULL ? from.bytes : "");
    oc_text_free(&from);
}

void oc_axis_time(oc_axis *axis, double begin, double end, const oc_axis_room *room)
{
    axis->tick_count = 0;
    axis->title[0] = '\0';
    const double span = end - begin;
    const double farthest = fmax(fabs(begin), fabs(end));
    if (!(span > smallest) || !(farthest < largest) || !(room->length > 0))
        return;
    const bool from_beginning = farthest / span > readable_ratio;
    const oc_time_unit in =
        oc_time_unit_of(from_beginning ? (oc_time_range){0, span} : (oc_time_range){begin, end});
    range over = {begin / in.seconds, end / in.seconds, 0, in.name, false};
    if (from_beginning) {
        over.low = 0;
        over.high = span / in.seconds;
        count_after(axis, begin, end, span);
    }
    choose(axis, &over, first_step(over.high - over.low, room->length, in.clock != OC_NO_CLOCK),
           room);
}

/* Adds the ticks and the title of a piece. */
static void append(oc_axis *axis, const oc_axis *piece, double from, double share)
{
    const size_t length = strlen(axis->title);
    for (uint32_t i = 0; i < piece->tick_count; i++)
        oc_axis_add(axis, from + piece->ticks[i].position * share, piece->ticks[i].label);
    if (piece->title[0] != '\0')
        snprintf(axis->title + length, sizeof axis->title - length, "%s%s",
                 length > 0 ? ", then " : "", piece->title);
}

/* Names an instant about in the middle of a piece that is too narrow for other labels, where that
 * leaves those of its neighbours alone. Ticks stay in their order. */
static void name_piece(oc_axis *axis, const oc_axis_span *piece, double from, double share,
                       const oc_axis_room *room)
{
    const double span = piece->end - piece->begin;
    const double by = oc_nice_step(span / 4);
    const double instant = round((piece->begin + span / 2) / by) * by;
    const double place = from + share * (instant - piece->begin) / span;
    uint32_t at = 0;
    oc_text text = {0};
    oc_time_instant_add(&text, instant, by, (oc_time_range){piece->begin, piece->end});
    const double half = text.failed ? 0 : oc_lettering_width(text.bytes, room->size, false) / 2;
    double reached = -room->before;
    double until = room->length + room->after;
    bool named = text.failed || axis->tick_count == OC_AXIS_TICKS_MOST;
    for (uint32_t i = 0; i < axis->tick_count; i++) {
        const oc_tick *tick = &axis->ticks[i];
        const double width = oc_lettering_width(tick->label, room->size, false) / 2 + LABEL_GAP;
        const double x = tick->position * room->length + tick->shift;
        at = tick->position < place ? i + 1 : at;
        if (tick->label[0] == '\0')
            continue;
        named = named || (tick->position >= from && tick->position <= from + share);
        if (tick->position < place)
            reached = x + width;
        else
            until = fmin(until, x - width);
    }
    const double x = place * room->length;
    const double shift = fmin(fmax(0, reached - x + half), until - x - half);
    if (!named && x + shift - half >= reached && fabs(shift) <= half) {
        memmove(&axis->ticks[at + 1], &axis->ticks[at],
                (axis->tick_count - at) * sizeof axis->ticks[0]);
        axis->tick_count++;
        axis->ticks[at] = (oc_tick){.position = place, .shift = shift};
        snprintf(axis->ticks[at].label, sizeof axis->ticks[at].label, "%s", text.bytes);
    }
    oc_text_free(&text);
}

void oc_axis_pieces(oc_axis *axis, oc_axis *piece, const oc_axis_span *spans, size_t count,
                    const oc_axis_room *room)
{
    double all = 0;
    double place = 0;
    axis->tick_count = 0;
    axis->title[0] = '\0';
    for (size_t i = 0; i < count; i++)
        all += spans[i].end - spans[i].begin;
    const bool far = count > 0 && all > smallest && fabs(spans[0].begin) / all > readable_ratio;
    const double origin = far ? spans[0].begin : 0;
    if (far)
        count_after(axis, origin, spans[count - 1].end, all);
    for (size_t i = 0; i < count; i++) {
        const double share = (spans[i].end - spans[i].begin) / all;
        const oc_axis_room part = {share * room->length, i > 0 ? BESIDE_BREAK : room->before,
                                   i + 1 < count ? BESIDE_BREAK : room->after, room->size};
        oc_axis_time(piece, spans[i].begin - origin, spans[i].end - origin, &part);
        append(axis, piece, place, share);
        place += share;
    }
    place = 0;
    for (size_t i = 0; i < count; i++) {
        const oc_axis_span span = {spans[i].begin - origin, spans[i].end - origin};
        name_piece(axis, &span, place, (span.end - span.begin) / all, room);
        place += (span.end - span.begin) / all;
    }
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
    if (!(span > smallest) || !(farthest < largest) || farthest / span > digits_most ||
        !(room->length > 0))
        return;
    /* all digits are shown, so a prefix would save none */
    const bool fine = farthest / span > readable_ratio;
    const oc_prefix prefix = fine ? (oc_prefix){1, ""} : oc_prefix_for(farthest);
    char suffix[24];
    snprintf(suffix, sizeof suffix, "%s%s", prefix.symbol, unit_name);
    const range over = {low / prefix.factor, high / prefix.factor, 0, suffix, true};
    choose(axis, &over, first_step(over.high - over.low, room->length, false), room);
}

/* --- The axis below a plot, distances in pixels */

enum {
    TICK = 5,
    TICK_LABEL = 13, /* from a tick's end to the baseline of its label */
    HEIGHT = 22,     /* ticks and their labels */
    TITLE = 15,
    TITLE_BASELINE = 11
};

int oc_plot_axis_height(const oc_axis *axis)
{
    return axis->title[0] != '\0' ? HEIGHT + TITLE : HEIGHT;
}

void oc_plot_rule(oc_scene *scene, double x1, double y1, double x2, double y2, uint32_t colour)
{
    oc_scene_line(scene, &(oc_segment){x1, y1, x2, y2, colour, 1});
}

void oc_plot_draw_axis(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                       const oc_axis *axis)
{
    const uint32_t muted = picture->theme->muted;
    const int bottom = frame->top + frame->height;
    oc_label label = oc_label_at(0, bottom + TICK + TICK_LABEL, OC_ANCHOR_MIDDLE, muted);
    oc_scene_group(scene, "axis", &(oc_group_style){.inert = true}, NULL);
    oc_plot_rule(scene, frame->left, bottom + 0.5, frame->left + frame->width, bottom + 0.5,
                 picture->theme->rule);
    for (uint32_t i = 0; i < axis->tick_count; i++) {
        const oc_tick *tick = &axis->ticks[i];
        const double x = fmin(floor(frame->left + tick->position * frame->width),
                              frame->left + frame->width - 1);
        oc_plot_rule(scene, x + 0.5, bottom + 1, x + 0.5, bottom + 1 + TICK, muted);
        label.x = x + 0.5 + tick->shift;
        oc_scene_label(scene, &label, tick->label, NULL);
    }
    label.x = frame->left + floor(frame->width / 2.0);
    label.y = bottom + HEIGHT + TITLE_BASELINE;
    oc_scene_label(scene, &label, axis->title, NULL);
    oc_scene_group_end(scene);
}

void oc_plot_draw_break(oc_scene *scene, const oc_picture *picture, const oc_frame *frame, double x)
{
    const double bottom = frame->top + frame->height;
    const oc_theme *theme = picture->theme;
    oc_scene_line(scene, &(oc_segment){x, frame->top - 1, x, bottom + 1, theme->paper, 3});
    for (int side = -1; side <= 1; side += 2)
        oc_scene_line(scene, &(oc_segment){x + 2 * side - 2, bottom + TICK, x + 2 * side + 2,
                                           bottom - TICK, theme->ink, 1.5});
}

void oc_plot_draw_frame(oc_scene *scene, const oc_picture *picture, const oc_frame *frame)
{
    oc_rectangle edge = oc_rectangle_of(frame->left - 0.5, frame->top - 0.5, frame->width + 1,
                                        frame->height + 1, picture->theme->paper);
    edge.stroke = picture->theme->rule;
    oc_scene_rectangle(scene, &edge, NULL);
}

void oc_plot_hatch(oc_scene *scene, const oc_theme *theme, double x, double y, double width,
                   double height)
{
    oc_rectangle outside = oc_rectangle_of(x, y, width, height, theme->paper);
    outside.opacity = 0.75;
    outside.hatch = theme->hatch;
    if (width >= 1 && height >= 1)
        oc_scene_rectangle(scene, &outside, NULL);
}

/* --- A scale of values beside a plot, distances in pixels */

enum {
    SCALE_TICK = 4,
    SCALE_GAP = 3, /* between a tick and its label */
    SCALE_TITLE = 16,
    TICKS_APART = 40, /* at least */
    TICKS_MOST = 8,
    BASELINE = 4 /* below a tick */
};

double oc_nice_step(double number)
{
    const double power = pow(10, floor(log10(number)));
    const double slack = 1 - 1e-9;
    const double mantissa = number / power * slack;
    return power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
}

double oc_value_ceiling(double value)
{
    const double steps = 5;
    if (!(value > smallest) || !(value < largest))
        return 1;
    const double apart = oc_nice_step(value / steps);
    return apart * ceil(value / apart * (1 - 1e-9));
}

/* The value between two ticks. */
static double step_of(const oc_value_scale *scale, int height)
{
    const double ticks = fmax(1, fmin(TICKS_MOST, floor((double)height / TICKS_APART)));
    const double apart = oc_nice_step(scale->top / ticks);
    return scale->counts && apart < 1 ? 1 : apart;
}

/* Counts the ticks above 0. */
static int count_ticks(const oc_value_scale *scale, double apart)
{
    return (int)floor(scale->top / apart * (1 + 1e-9));
}

static void write_label(oc_text *label, const oc_value_scale *scale, double value)
{
    oc_text_clear(label);
    oc_quantity_add(label, value, 6, scale->unit);
}

int oc_value_scale_width(const oc_value_scale *scale, int height)
{
    const double apart = step_of(scale, height);
    double widest = 0;
    oc_text label = {0};
    for (int i = 0; i <= count_ticks(scale, apart); i++) {
        write_label(&label, scale, i * apart);
        if (!label.failed)
            widest = fmax(widest, oc_lettering_width(label.bytes, OC_SIZE_LABEL, false));
    }
    oc_text_free(&label);
    return SCALE_TICK + SCALE_GAP + (int)ceil(widest) + (scale->title[0] != '\0' ? SCALE_TITLE : 0);
}

void oc_value_scale_draw(oc_scene *scene, const oc_picture *picture, const oc_frame *frame,
                         const oc_value_scale *scale)
{
    const double apart = step_of(scale, frame->height);
    const double edge = scale->right ? frame->left + frame->width : frame->left;
    const double outwards = scale->right ? 1 : -1;
    const double letters = 9;
    const int width = oc_value_scale_width(scale, frame->height);
    oc_text text = {0};
    oc_label label =
        oc_label_at(edge + outwards * (SCALE_TICK + SCALE_GAP), 0,
                    scale->right ? OC_ANCHOR_START : OC_ANCHOR_END, picture->theme->muted);
    oc_scene_group(scene, "scale", &(oc_group_style){.inert = true}, NULL);
    for (int i = 0; i <= count_ticks(scale, apart); i++) {
        const double y = floor(frame->top + frame->height * (1 - i * apart / scale->top)) -
                         (i == 0 ? 1 : 0) + 0.5;
        oc_plot_rule(scene, edge, y, edge + outwards * SCALE_TICK, y, picture->theme->muted);
        write_label(&text, scale, i * apart);
        label.y = floor(y) + BASELINE;
        if (!text.failed)
            oc_scene_label(scene, &label, text.bytes, NULL);
    }
    /* the title is left out where the labels leave no room */
    label = oc_label_at(scale->right ? edge + width : edge - width + letters,
                        frame->top + floor(frame->height / 2.0), OC_ANCHOR_MIDDLE,
                        picture->theme->muted);
    label.rotation = -90;
    if (oc_lettering_width(scale->title, OC_SIZE_LABEL, false) <= frame->height)
        oc_scene_label(scene, &label, scale->title, NULL);
    oc_scene_group_end(scene);
    oc_scene_take(scene, &text);
}

/* Axes of time and of values: steps, units and labels over many spans. */
#include "check.h"

#include "viz/frame/frame.h"
#include "viz/words/words.h"

static const oc_axis_room wide = {1000, 20, 20, 11};

static const char *const no_label = "";

/* The first and the last label that the axis shows. */
static const char *first_label(const oc_axis *axis)
{
    for (uint32_t i = 0; i < axis->tick_count; i++)
        if (axis->ticks[i].label[0] != '\0')
            return axis->ticks[i].label;
    return no_label;
}

static const char *last_label(const oc_axis *axis)
{
    for (uint32_t i = axis->tick_count; i > 0; i--)
        if (axis->ticks[i - 1].label[0] != '\0')
            return axis->ticks[i - 1].label;
    return no_label;
}

/* Checks that ticks rise, lie inside and are evenly spaced, and that labels neither touch nor leave
 * their room. */
static void check_sound(const oc_axis *axis, const oc_axis_room *room)
{
    double reached = -room->before;
    for (uint32_t i = 0; i < axis->tick_count; i++) {
        const oc_tick *tick = &axis->ticks[i];
        CHECK(tick->position >= 0 && tick->position <= 1);
        if (i >= 2)
            CHECK_NEAR(tick->position - axis->ticks[i - 1].position,
                       axis->ticks[1].position - axis->ticks[0].position, 1e-6);
        if (tick->label[0] == '\0')
            continue;
        const double half = oc_lettering_width(tick->label, room->size, false) / 2;
        CHECK(tick->position * room->length - half >= reached - 1e-6);
        reached = tick->position * room->length + half + 4;
        CHECK(reached - 4 <= room->length + room->after + 1e-6);
    }
}

/* The distance of ticks is 1, 2 or 5 times a power of ten, in the unit of the labels. */
static void check_step(const oc_axis *axis, double span, double unit)
{
    CHECK(axis->tick_count >= 2);
    const double step = (axis->ticks[1].position - axis->ticks[0].position) * span / unit;
    const double mantissa = step / pow(10, floor(log10(step) + 1e-6));
    CHECK(fabs(mantissa - 1) < 1e-5 || fabs(mantissa - 2) < 1e-5 || fabs(mantissa - 5) < 1e-5);
}

typedef struct axis_case {
    double begin, end, unit;
    const char *first, *last, *title;
} axis_case;

static void test_table(oc_axis *axis)
{
    static const axis_case cases[] = {
        {0, 1e-9, 1e-9, "0 ns", "1 ns", ""},
        {0, 7e-9, 1e-9, "0 ns", "7 ns", ""},
        {0, 999e-9, 1e-9, "0 ns", "900 ns", ""},
        {0, 1e-6, 1e-6, "0 \xC2\xB5s", "1 \xC2\xB5s", ""},
        {0, 350e-6, 1e-6, "0 \xC2\xB5s", "350 \xC2\xB5s", ""},
        {0, 1e-3, 1e-3, "0 ms", "1 ms", ""},
        {0, 0.0423, 1e-3, "0 ms", "40 ms", ""},
        {0, 1, 1, "0 s", "1 s", ""},
        {0, 9.98, 1, "0 s", "9 s", ""},
        {0, 48.3, 1, "0 s", "45 s", ""},
        {0, 599, 1, "0 s", "550 s", ""},
        {0, 1800, 60, "0 min", "30 min", ""},
        {0, 7200, 60, "0 min", "110 min", ""},
        {0, 36000, 3600, "0 h", "10 h", ""},
        {0, 3.6e6, 3600, "0 h", "1000 h", ""},
        {12.34, 13.57, 1, "12.4 s", "13.5 s", ""},
        {-1.5, 1.5, 1, "-1.4 s", "1.4 s", ""},
        {1000, 1000.001, 1e-3, "0 ms", "1 ms", "0 is at 1000 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const axis_case *the = &cases[i];
        oc_axis_time(axis, the->begin, the->end, &wide);
        check_sound(axis, &wide);
        check_step(axis, the->end - the->begin, the->unit);
        CHECK_TEXT(first_label(axis), the->first);
        CHECK_TEXT(last_label(axis), the->last);
        CHECK_TEXT(axis->title, the->title);
    }
}

/* Checks every label of an axis, in order. */
static void check_labels(const oc_axis *axis, const char *wanted)
{
    oc_text labels = {0};
    for (uint32_t i = 0; i < axis->tick_count; i++)
        oc_text_format(&labels, "%s%s", i > 0 ? ", " : "", axis->ticks[i].label);
    CHECK_TEXT(labels.bytes != NULL ? labels.bytes : "", wanted);
    oc_text_free(&labels);
}

/* Minutes step as on a clock; finer steps are in seconds. */
static void test_clock(oc_axis *axis)
{
    const oc_axis_room narrow = {400, 40, 40, 11};
    oc_axis_time(axis, 0, 3600, &narrow);
    check_labels(axis, "0 min, 10 min, 20 min, 30 min, 40 min, 50 min, 60 min");
    oc_axis_time(axis, 0, 5400, &narrow);
    check_labels(axis, "0 min, 15 min, 30 min, 45 min, 60 min, 75 min, 90 min");
    oc_axis_time(axis, 0, 10000, &narrow);
    check_labels(axis, "0 min, 30 min, 60 min, 90 min, 120 min, 150 min");
    oc_axis_time(axis, 1800, 1820, &narrow);
    check_labels(axis, "1800 s, 1805 s, 1810 s, 1815 s, 1820 s");
    oc_axis_time(axis, 0, 4 * 3600, &(oc_axis_room){700, 40, 40, 11});
    check_labels(axis, "0 h, 30 min, 1 h, 1 h 30 min, 2 h, 2 h 30 min, 3 h, 3 h 30 min, 4 h");
    oc_axis_time(axis, 5 * 3600, 6 * 3600, &narrow);
    check_labels(axis, "5 h, 5 h 15 min, 5 h 30 min, 5 h 45 min, 6 h");
    oc_axis_time(axis, -7200, 4 * 3600, &narrow);
    check_labels(axis, "-2 h, -1 h, 0 h, 1 h, 2 h, 3 h, 4 h");
    oc_axis_time(axis, 0, 100 * 3600.0, &narrow);
    check_labels(axis, "0 h, 20 h, 40 h, 60 h, 80 h, 100 h");
}

static void test_values(oc_axis *axis)
{
    const oc_axis_room narrow = {400, 40, 40, 11};
    oc_axis_values(axis, 0, 1, "", &narrow);
    check_labels(axis, "0, 0.2, 0.4, 0.6, 0.8, 1");
    oc_axis_values(axis, 0, 2.5e6, "", &narrow);
    check_labels(axis, "0, 0.5 M, 1 M, 1.5 M, 2 M, 2.5 M");
    oc_axis_values(axis, 0, 900000, "B", &narrow);
    check_labels(axis, "0, 200 kB, 400 kB, 600 kB, 800 kB");
    oc_axis_values(axis, -30, 30, "bits", &narrow);
    check_labels(axis, "-30 bits, -20 bits, -10 bits, 0, 10 bits, 20 bits, 30 bits");
    oc_axis_values(axis, 1e9, 1e9 + 2, "", &narrow);
    check_labels(axis, "1000000000, 1000000000.5, 1000000001, 1000000001.5, 1000000002");
    oc_axis_values(axis, 0, 3e-15, "", &narrow);
    check_labels(axis, "0, 5e-16, 1e-15, 1.5e-15, 2e-15, 2.5e-15, 3e-15");
    uint64_t state = 9;
    for (int i = 0; i < 5000; i++) {
        const oc_axis_room room = {50 + check_below(&state, 2500), 20, 20, 11};
        const double span = pow(10, (double)check_below(&state, 560) - 279);
        const double low = ((double)check_below(&state, 2001) - 1000) * span;
        oc_axis_values(axis, low, low + span, "", &room);
        check_sound(axis, &room);
        if (axis->tick_count >= 2)
            check_step(axis, span, oc_prefix_for(fmax(fabs(low), fabs(low + span))).factor);
    }
    const double hostile[][2] = {{0, 0},          {1, 0},        {0, NAN},
                                 {NAN, 1},        {0, INFINITY}, {-INFINITY, 0},
                                 {-1e308, 1e308}, {0, 5e-324},   {1e15, 1e15 + 0.25}};
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        oc_axis_values(axis, hostile[i][0], hostile[i][1], "", &narrow);
        CHECK(axis->tick_count == 0);
    }
}

/* From a nanosecond to ten hours, at any width, the axis stays sound, and has labels if it has
 * room. */
static void test_many(oc_axis *axis)
{
    uint64_t state = 1;
    for (double span = 1e-9; span < 4e4; span *= 1.37) {
        const oc_axis_room room = {50 + check_below(&state, 2500), 20, 20, 11};
        const double begin =
            check_below(&state, 3) * span * check_below(&state, 100) * check_below(&state, 100);
        oc_axis_time(axis, begin, begin + span, &room);
        check_sound(axis, &room);
        CHECK(room.length < 300 || axis->tick_count >= 2);
    }
    oc_axis_time(axis, 1, 1, &wide);
    CHECK(axis->tick_count == 0);
    oc_axis_time(axis, 0, 1, &(oc_axis_room){0, 0, 0, 11});
    CHECK(axis->tick_count == 0);
    const oc_axis_room huge = {20000, 20, 20, 11};
    oc_axis_time(axis, 0, 12.3, &huge);
    check_sound(axis, &huge);
    CHECK(axis->tick_count > 100);
}

/* Any span that a trace can have, with ticks of any length, beginning anywhere. */
static void test_any_span(oc_axis *axis)
{
    uint64_t state = 5;
    for (int round = 0; round < 20000; round++) {
        const oc_axis_room room = {50 + check_below(&state, 2500), 20, 20, 11};
        const double span = pow(10, (double)check_below(&state, 600000) / 1000 - 320);
        const double far = check_below(&state, 2) * pow(10, (double)check_below(&state, 24));
        const double begin = ((double)check_below(&state, 3) - 1) * span * far;
        oc_axis_time(axis, begin, begin + span, &room);
        check_sound(axis, &room);
        oc_text text = {0};
        oc_time_span_add(&text, begin, begin + span, span / room.length,
                         (oc_time_range){begin, begin + span});
        oc_time_add(&text, span, span / room.length);
        CHECK(!text.failed && text.length < 200);
        oc_text_free(&text);
    }
    for (double span = 1e9; span < 1e25; span *= 1.01) {
        oc_axis_time(axis, 0, span, &wide);
        check_sound(axis, &wide);
        CHECK(axis->tick_count >= 2);
        CHECK(strcmp(first_label(axis), last_label(axis)) != 0);
    }
}

static void test_slices(oc_axis *axis)
{
    oc_axis_slices(axis, 4, &wide);
    CHECK(axis->tick_count == 4);
    CHECK_TEXT(first_label(axis), "0");
    CHECK_TEXT(last_label(axis), "3");
    CHECK_TEXT(axis->title, "slices");
    CHECK_NEAR(axis->ticks[0].position, 0.125, 1e-12);
    oc_axis_slices(axis, 1, &wide);
    CHECK(axis->tick_count == 1);
    for (uint32_t count = 1; count < 100000; count = count * 3 + 1) {
        oc_axis_slices(axis, count, &wide);
        check_sound(axis, &wide);
        CHECK(axis->tick_count >= 1 && axis->tick_count <= count);
    }
}

static void check_time(double seconds, double resolution, const char *wanted)
{
    oc_text text = {0};
    oc_time_add(&text, seconds, resolution);
    CHECK_TEXT(text.bytes, wanted);
    oc_text_free(&text);
}

static void check_span(double begin, double end, double resolution, oc_time_range within,
                       const char *wanted)
{
    oc_text text = {0};
    oc_time_span_add(&text, begin, end, resolution, within);
    CHECK_TEXT(text.bytes, wanted);
    oc_text_free(&text);
}

static void test_times(void)
{
    check_time(0, 0.05, "0 ms");
    check_time(1.25, 0.05, "1.25 s");
    check_time(1.0 / 3, 0.01, "333 ms");
    check_time(2e-9, 1e-9, "2 ns");
    check_time(5400, 60, "90 min");
    check_time(5430, 1, "90 min 30 s");
    check_time(5430.25, 0.05, "90 min 30.25 s");
    check_time(-5430, 1, "-90 min 30 s");
    check_time(599.9, 0.1, "599.9 s");
    check_time(36000, 360, "10 h");
    check_time(38000, 38, "10 h 33 min");
    check_time(38000, 1, "10 h 33 min 20 s");
    check_time(3599.9999, 0.1, "60 min");
    check_span(0, 0.4, 0.05, (oc_time_range){0, 1}, "0 s \xE2\x80\x93 0.4 s");
    check_span(0, 36123, 36, (oc_time_range){0, 36123}, "0 h \xE2\x80\x93 10 h 2 min");
    check_span(5400, 7200, 7, (oc_time_range){0, 7200}, "90 min \xE2\x80\x93 120 min");
    check_span(5400, 7200, 7, (oc_time_range){0, 36000}, "1 h 30 min \xE2\x80\x93 2 h");
    check_span(1800, 1820, 0.02, (oc_time_range){1800, 1820}, "1800 s \xE2\x80\x93 1820 s");
    check_span(1801.5, 1820, 0.02, (oc_time_range){0, 3600},
               "30 min 1.5 s \xE2\x80\x93 30 min 20 s");
}

/* Whether a text has a time in a unit: "30 min" is in "min". */
static bool is_in(const char *text, const char *unit)
{
    for (const char *at = strchr(text, ' '); at != NULL; at = strchr(at + 1, ' '))
        if (strncmp(at + 1, unit, strlen(unit)) == 0 &&
            (at[1 + strlen(unit)] == ' ' || at[1 + strlen(unit)] == '\0'))
            return true;
    return false;
}

/* The words around a picture use the units of its axis, for any range. */
static void test_same_units(oc_axis *axis)
{
    static const char *const plain[] = {"ns", "\xC2\xB5s", "ms"};
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) {
        const double end = pow(10, -8 + (double)check_below(&random, 15000) / 1000);
        const double begin =
            check_below(&random, 2) == 0 ? 0 : end * (double)check_below(&random, 1000) / 1000;
        const oc_time_range range = {begin, end};
        oc_text span = {0};
        oc_axis_time(axis, begin, end, &wide);
        oc_time_span_add(&span, begin, end, (end - begin) / 1000, range);
        bool hours = false, minutes = false;
        for (uint32_t i = 0; i < axis->tick_count; i++) {
            hours = hours || is_in(axis->ticks[i].label, "h");
            minutes = minutes || is_in(axis->ticks[i].label, "min");
        }
        CHECK(axis->title[0] == '\0');
        CHECK(is_in(span.bytes, "h") ==
              (hours || (minutes && oc_time_unit_of(range).clock == OC_CLOCK_HOURS)));
        CHECK(!minutes || hours || is_in(span.bytes, "min") || is_in(span.bytes, "h"));
        CHECK(minutes || hours || !is_in(span.bytes, "min"));
        for (int u = 0; u < 3; u++)
            CHECK(is_in(span.bytes, plain[u]) == is_in(last_label(axis), plain[u]));
        oc_text_free(&span);
    }
}

/* Each piece of an axis that leaves time out has a label, though it is narrow, unless it would
 * touch another one. */
static void test_pieces(oc_axis *axis)
{
    static const struct {
        oc_axis_span spans[3];
        size_t count;
        bool named[3];
    } cases[] = {{{{0, 600}, {2395, 2400}}, 2, {true, true}},
                 {{{0.2, 0.4}, {100.3, 105.7}, {500.1, 500.9}}, 3, {true, true, true}},
                 {{{3, 8}, {1000, 2000}}, 2, {true, true}},
                 {{{0, 600}, {1001, 1002}, {2001, 2002}}, 3, {true, true, false}}};
    oc_axis *piece = calloc(1, sizeof *piece);
    CHECK(piece != NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double all = 0;
        double before = 0;
        double reached = -wide.before;
        for (size_t k = 0; k < cases[i].count; k++)
            all += cases[i].spans[k].end - cases[i].spans[k].begin;
        oc_axis_pieces(axis, piece, cases[i].spans, cases[i].count, &wide);
        for (size_t k = 0; k < cases[i].count; k++) {
            const double after = before + (cases[i].spans[k].end - cases[i].spans[k].begin) / all;
            bool named = false;
            for (uint32_t t = 0; t < axis->tick_count; t++)
                named = named || (axis->ticks[t].label[0] != '\0' &&
                                  axis->ticks[t].position >= before - 1e-9 &&
                                  axis->ticks[t].position <= after + 1e-9);
            CHECK(named == cases[i].named[k]);
            before = after;
        }
        for (uint32_t t = 0; t < axis->tick_count; t++) {
            const oc_tick *tick = &axis->ticks[t];
            const double half = oc_lettering_width(tick->label, wide.size, false) / 2;
            if (tick->label[0] == '\0')
                continue;
            CHECK(tick->position * wide.length + tick->shift - half >= reached - 1e-6);
            reached = tick->position * wide.length + tick->shift + half;
        }
        CHECK(reached <= wide.length + wide.after + 1e-6);
    }
    free(piece);
}

int main(void)
{
    oc_axis *axis = calloc(1, sizeof *axis);
    CHECK(axis != NULL);
    test_table(axis);
    test_many(axis);
    test_any_span(axis);
    test_slices(axis);
    test_pieces(axis);
    test_times();
    test_same_units(axis);
    test_clock(axis);
    test_values(axis);
    free(axis);
    return 0;
}

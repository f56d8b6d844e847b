/* The axis of time: steps, units and labels over many spans. */
#include "check.h"

#include "viz/axis.h"
#include "viz/lettering.h"

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

/* Ticks rise, lie inside, are evenly spaced; labels do not touch nor leave their room. */
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
        {1000, 1000.001, 1e-3, "0 ms", "1 ms", "after 1000 s"},
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

/* From a nanosecond to ten hours, at any width, the axis stays sound and says something where there is room. */
static void test_many(oc_axis *axis)
{
    uint64_t state = 1;
    for (double span = 1e-9; span < 4e4; span *= 1.37) {
        const oc_axis_room room = {50 + check_below(&state, 2500), 20, 20, 11};
        const double begin = check_below(&state, 3) * span * check_below(&state, 100) * check_below(&state, 100);
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

static void test_times(void)
{
    check_time(0, 0.05, "0 ms");
    check_time(1.25, 0.05, "1.25 s");
    check_time(1.0 / 3, 0.01, "333 ms");
    check_time(2e-9, 1e-9, "2 ns");
    check_time(5400, 60, "90 min");
    check_time(5430, 1, "5430 s");
    check_time(36000, 360, "10 h");
    oc_text text = {0};
    oc_time_span_add(&text, 0, 0.4, 0.05, 1);
    CHECK_TEXT(text.bytes, "0 s \xE2\x80\x93 0.4 s");
    oc_text_free(&text);
}

int main(void)
{
    oc_axis *axis = calloc(1, sizeof *axis);
    CHECK(axis != NULL);
    test_table(axis);
    test_many(axis);
    test_slices(axis);
    test_times();
    free(axis);
    return 0;
}

/* Texts come back in order of time, rank and place, in memory and by way of a file; times are
 * exact. */
#include "check.h"

#include "base/file/ordering.h"
#include "base/format/exact.h"

#include <inttypes.h>

typedef struct added {
    oc_order order;
    unsigned number;
} added;

static int compare(const void *a, const void *b)
{
    const added *one = a, *other = b;
    if (one->order.time != other->order.time)
        return one->order.time < other->order.time ? -1 : 1;
    if (one->order.rank != other->order.rank)
        return one->order.rank < other->order.rank ? -1 : 1;
    if (one->order.place != other->order.place)
        return one->order.place < other->order.place ? -1 : 1;
    return one->number < other->number ? -1 : 1;
}

enum { COUNT = 5000 };

static unsigned state = 1;

static unsigned draw(unsigned below)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % below;
}

/* A text says its number, and is as long as that says; some are empty. */
static size_t make_text(char text[64], unsigned number)
{
    memset(text, 'x', 64);
    snprintf(text, 12, "%08u", number);
    return number % 7 == 0 ? 8 : 8 + number % 50;
}

static void check_order(oc_ordering *ordering, bool in_order, bool on_disk)
{
    static added all[COUNT];
    char text[64];
    oc_order order;
    const char *bytes;
    size_t length;
    for (unsigned i = 0; i < COUNT; i++) {
        all[i] =
            (added){{in_order ? (int64_t)i - 100 : (int64_t)draw(40) - 20, draw(5), draw(3)}, i};
        length = make_text(text, i);
        CHECK_OK(oc_ordering_add(ordering, &all[i].order, text, length));
    }
    CHECK_OK(oc_ordering_finish(ordering));
    CHECK(on_disk == (oc_ordering_runs(ordering) > 1));
    qsort(all, COUNT, sizeof all[0], compare);
    for (unsigned i = 0; i < COUNT; i++) {
        const size_t expected = make_text(text, all[i].number);
        CHECK_OK(oc_ordering_next(&order, &bytes, &length, ordering));
        CHECK(bytes != NULL && length == expected && memcmp(bytes, text, 8) == 0);
        CHECK(order.time == all[i].order.time && order.place == all[i].order.place);
    }
    CHECK_OK(oc_ordering_next(&order, &bytes, &length, ordering));
    CHECK(bytes == NULL);
    oc_ordering_clear(ordering);
    CHECK_OK(oc_ordering_finish(ordering));
    CHECK_OK(oc_ordering_next(&order, &bytes, &length, ordering));
    CHECK(bytes == NULL);
    oc_ordering_clear(ordering);
}

static void check_memory(size_t memory, bool on_disk)
{
    oc_ordering *ordering = NULL;
    CHECK_OK(oc_ordering_open(&ordering, memory));
    check_order(ordering, false, on_disk);
    check_order(ordering, true, on_disk);
    check_order(ordering, false, on_disk);
    oc_ordering_free(ordering);
}

/* --- Times */

static void check_time(uint64_t numerator, uint64_t denominator, uint32_t unit, int64_t ticks,
                       const char *expected)
{
    const oc_exact exact = oc_exact_of(numerator, denominator, unit);
    oc_text text = {0};
    oc_exact_add(&text, &exact, ticks);
    if (strcmp(text.bytes, expected) != 0)
        fprintf(stderr, "%" PRId64 ": %s instead of %s\n", ticks, text.bytes, expected);
    CHECK(strcmp(text.bytes, expected) == 0);
    oc_text_free(&text);
}

/* Picoseconds of a decimal of microseconds. */
static int64_t picoseconds(const char *text)
{
    int64_t number = 0;
    int digits = -1;
    for (const char *next = text; *next != '\0'; next++) {
        if (*next >= '0' && *next <= '9')
            number = 10 * number + (*next - '0');
        digits = *next == '.' ? 0 : digits < 0 ? digits : digits + 1;
    }
    for (digits = digits < 0 ? 0 : digits; digits < 6; digits++)
        number *= 10;
    return text[0] == '-' ? -number : number;
}

/* What is rounded adds up all the same. */
static void check_spans(void)
{
    const oc_exact exact = oc_exact_of(1, 3700000000u, 6);
    CHECK(exact.rounds);
    for (int64_t begin = -5000; begin < 5000; begin += 7) {
        const int64_t end = begin + draw(1000);
        oc_text from = {0}, until = {0}, span = {0};
        oc_exact_add(&from, &exact, begin);
        oc_exact_add(&until, &exact, end);
        oc_exact_add_span(&span, &exact, begin, end);
        CHECK(picoseconds(until.bytes) == picoseconds(from.bytes) + picoseconds(span.bytes));
        oc_text_free(&from);
        oc_text_free(&until);
        oc_text_free(&span);
    }
}

int main(void)
{
    check_memory(1, true);
    check_memory(3000, true);
    check_memory(100000, true);
    check_memory((size_t)1 << 24, false);
    check_time(1, 1000000000, 6, 1234567, "1234.567");
    check_time(1, 1000000000, 0, 1234567, "0.001234567");
    check_time(1, 1000000000, 0, 1000000000, "1");
    check_time(1, 1000000, 6, -7, "-7");
    check_time(1, 1000000000000, 6, -1, "-0.000001");
    check_time(1, 3, 0, 1, "0.333333333333");
    check_time(1, 3, 0, 2, "0.666666666667");
    check_time(1, 3, 0, 9, "3");
    check_time(1, 1024, 0, 1, "0.0009765625");
    check_time(1, 1024, 6, 1, "976.5625");
    check_time(60, 1, 0, 2, "120");
    check_time(1, 1000000000, 0, INT64_MAX, "9223372036.854775807");
    check_time(1, 1000000000, 6, INT64_MIN, "-9223372036854775.808");
    check_time(1, 1, 6, 0, "0");
    check_spans();
    return EXIT_SUCCESS;
}

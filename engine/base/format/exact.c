#include "base/format/exact.h"

#include <string.h>

__extension__ typedef __int128 wide;

enum { OC_MOST_DIGITS = 18, OC_PICOSECONDS = 12 };

static uint64_t divisor(uint64_t one, uint64_t other)
{
    while (other != 0) {
        const uint64_t rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

/* Takes a factor out of a denominator for each digit that it stands for; the digits that are needed
 * are those of the factor taken most often. */
static uint32_t count_factors(uint64_t *number, uint64_t factor)
{
    uint32_t count = 0;
    while (*number % factor == 0) {
        *number /= factor;
        count++;
    }
    return count;
}

oc_exact oc_exact_of(uint64_t numerator, uint64_t denominator, uint32_t unit)
{
    /* A tick of more than 10^12 seconds is no clock's. */
    for (uint32_t i = 0; i < unit; i++) {
        if (denominator % 10 == 0)
            denominator /= 10;
        else if (numerator <= UINT64_MAX / 10)
            numerator *= 10;
    }
    const uint64_t common = divisor(numerator, denominator);
    oc_exact exact = {numerator / common, denominator / common, 0, false};
    uint64_t rest = exact.denominator;
    const uint32_t twos = count_factors(&rest, 2);
    const uint32_t fives = count_factors(&rest, 5);
    exact.digits = twos > fives ? twos : fives;
    exact.rounds = rest != 1 || exact.digits > OC_MOST_DIGITS;
    if (exact.rounds)
        exact.digits = OC_PICOSECONDS - unit;
    return exact;
}

/* ticks x numerator x 10^digits / denominator to the nearest, of ticks >= 0; false where that is
 * too large. Whole units are apart, so that products fit. */
static bool scale(wide *scaled, const oc_exact *exact, wide ticks)
{
    wide product;
    if (__builtin_mul_overflow(ticks, (wide)exact->numerator, &product))
        return false;
    wide rest = product % (wide)exact->denominator;
    *scaled = product / (wide)exact->denominator;
    for (uint32_t i = 0; i < exact->digits; i++) {
        rest *= 10;
        if (__builtin_mul_overflow(*scaled, (wide)10, scaled))
            return false;
        *scaled += rest / (wide)exact->denominator;
        rest %= (wide)exact->denominator;
    }
    *scaled += 2 * rest >= (wide)exact->denominator;
    return true;
}

/* Adds a number >= 0 with `digits` digits after the point. */
static void add_decimal(oc_text *text, wide number, uint32_t digits)
{
    char letters[48];
    size_t first = sizeof letters;
    bool shown = false;
    for (uint32_t i = 0; i < digits; i++) {
        const char letter = (char)('0' + (int)(number % 10));
        number /= 10;
        shown = shown || letter != '0';
        if (shown)
            letters[--first] = letter;
    }
    if (shown)
        letters[--first] = '.';
    do {
        letters[--first] = (char)('0' + (int)(number % 10));
        number /= 10;
    } while (number > 0);
    oc_text_append(text, letters + first, sizeof letters - first);
}

static wide magnitude(int64_t ticks)
{
    return ticks < 0 ? -(wide)ticks : (wide)ticks;
}

void oc_exact_add(oc_text *text, const oc_exact *exact, int64_t ticks)
{
    wide scaled = 0;
    if (!scale(&scaled, exact, magnitude(ticks))) {
        oc_text_format(text, "%.17g",
                       (double)ticks * (double)exact->numerator / (double)exact->denominator);
        return;
    }
    if (ticks < 0 && scaled > 0)
        oc_text_add(text, "-");
    add_decimal(text, scaled, exact->digits);
}

void oc_exact_add_span(oc_text *text, const oc_exact *exact, int64_t begin, int64_t end)
{
    wide first = 0;
    wide last = 0;
    const wide ticks = (wide)end - (wide)begin;
    if (!exact->rounds && scale(&last, exact, ticks))
        add_decimal(text, last, exact->digits);
    else if (scale(&first, exact, magnitude(begin)) && scale(&last, exact, magnitude(end)))
        add_decimal(text, (end < 0 ? -last : last) - (begin < 0 ? -first : first), exact->digits);
    else
        oc_text_format(text, "%.17g",
                       (double)ticks * (double)exact->numerator / (double)exact->denominator);
}

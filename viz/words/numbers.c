#include "viz/words/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Numbers */

/* A picture has very many numbers: printf would take most of its time. */
static void add_digits(oc_text *text, long long digits, int decimals, bool negative)
{
    char number[32];
    size_t begin = sizeof number;
    for (int i = 0; i <= decimals || digits > 0; i++) {
        if (i == decimals && i > 0)
            number[--begin] = '.';
        number[--begin] = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (negative)
        number[--begin] = '-';
    oc_text_append(text, number + begin, sizeof number - begin);
}

/* The product is rounded: what it is off by decides between two that are nearly as near. */
unsigned oc_share_hundredths(double share)
{
    const double percent = 100 * share;
    const double below = floor(percent * 100);
    const double over = fma(percent, 100, -(below + 0.5));
    return (unsigned)below + (over > 0 || (over == 0 && fmod(below, 2) != 0));
}

void oc_decimal_add(oc_text *text, double value, int decimals)
{
    static const double scales[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const double scaled = value * scales[decimals];
    if (!(fabs(scaled) < 9e15)) {
        oc_number_add(text, value, 15);
        return;
    }
    long long rest = llround(fabs(scaled));
    const bool negative = value < 0 && rest != 0;
    while (decimals > 0 && rest % 10 == 0) {
        rest /= 10;
        decimals--;
    }
    add_digits(text, rest, decimals, negative);
}

void oc_number_add(oc_text *text, double value, int digits)
{
    char number[40];
    oc_plain_print(number, sizeof number, "%.*g", digits < 17 ? digits : 15, value);
    for (int more = 16; digits >= 17 && more <= 17 && oc_plain_number(number, NULL) != value;
         more++)
        oc_plain_print(number, sizeof number, "%.*g", more, value);
    oc_text_add(text, number);
}

void oc_count_add(oc_text *text, uint64_t count)
{
    if (count >= 1000) {
        oc_count_add(text, count / 1000);
        oc_text_format(text, ",%03u", (unsigned)(count % 1000));
    } else {
        oc_text_format(text, "%u", (unsigned)count);
    }
}

void oc_counted_add(oc_text *text, uint64_t count, const char *thing)
{
    oc_count_add(text, count);
    oc_text_format(text, count == 1 ? " %s" : " %ss", thing);
}

oc_prefix oc_prefix_for(double value)
{
    static const oc_prefix prefixes[] = {{1, ""},     {1e3, "k"},  {1e6, "M"}, {1e9, "G"},
                                         {1e12, "T"}, {1e15, "P"}, {1e18, "E"}};
    size_t found = 0;
    while (found + 1 < sizeof prefixes / sizeof prefixes[0] &&
           fabs(value) >= prefixes[found + 1].factor)
        found++;
    return prefixes[found];
}

void oc_quantity_add(oc_text *text, double value, int digits, const char *unit)
{
    const oc_digits_text number = oc_short_amount(value, digits, unit);
    const size_t length = strlen(unit);
    oc_text_add(text, number.text);
    if (length == 0 || oc_unit_symbol(unit)[0] != '\0')
        return;
    oc_text_add(text, " ");
    oc_clean_add(text, unit, false);
    if (strcmp(number.text, "1") == 0 && length > 1 && unit[length - 1] == 's' && !text->failed)
        text->bytes[--text->length] = '\0';
}

void oc_percent_add(oc_text *text, double share)
{
    oc_text_add(text, oc_short_percent(share).text);
}

/* --- Times */

typedef struct unit {
    const char *name;
    double seconds;
    double until; /* the largest magnitude, in seconds, that this unit is used for */
} unit;

static const unit units[] = {
    {"ns", 1e-9, 1e-6},
    {"\xC2\xB5s", 1e-6, 1e-3},
    {"ms", 1e-3, 1},
    {"s", 1, INFINITY},
};

/* In seconds: from when on times are written as on a clock, and with hours; the shortest range that
 * is; the finest resolution that needs no seconds; and the last time that a clock shows. */
static const double clock_from = 600;
static const double hours_from = 3 * 3600.0;
static const double clock_range = 540;
static const double clock_minutes = 30;
static const double clock_until = 1e15;

static oc_clock clock_for(double farthest)
{
    if (farthest < clock_from * (1 - 1e-9) || farthest > clock_until)
        return OC_NO_CLOCK;
    return farthest < hours_from * (1 - 1e-9) ? OC_CLOCK_MINUTES : OC_CLOCK_HOURS;
}

static oc_time_unit unit_for(double farthest, oc_clock clock)
{
    const unit *found = units;
    if (clock != OC_NO_CLOCK)
        return (oc_time_unit){clock == OC_CLOCK_HOURS ? "h" : "min", 60, clock};
    while (isfinite(found->until) && farthest >= found->until * (1 - 1e-9))
        found++;
    return (oc_time_unit){found->name, found->seconds, clock};
}

oc_time_unit oc_time_unit_of(oc_time_range range)
{
    const double farthest = fmax(fabs(range.begin), fabs(range.end));
    const bool short_range = range.end - range.begin < clock_range * (1 - 1e-9);
    return unit_for(farthest, short_range ? OC_NO_CLOCK : clock_for(farthest));
}

void oc_clock_add(oc_text *text, double seconds, int decimals, oc_clock clock)
{
    const double scale = pow(10, decimals);
    const double all = round(fabs(seconds) * scale) / scale;
    double minutes = floor(all / 60);
    double rest = round((all - 60 * minutes) * scale) / scale;
    if (rest >= 60) {
        minutes++;
        rest = 0;
    }
    const double hours = clock == OC_CLOCK_HOURS ? floor(minutes / 60) : 0;
    minutes -= 60 * hours;
    const bool zero = minutes <= 0 && rest <= 0;
    oc_text_add(text, seconds < 0 && (hours > 0 || !zero) ? "-" : "");
    if (hours > 0 || (clock == OC_CLOCK_HOURS && zero))
        oc_text_format(text, "%.0f h%s", hours, zero ? "" : " ");
    if (minutes > 0 || (clock == OC_CLOCK_MINUTES && rest <= 0))
        oc_text_format(text, "%.0f min%s", minutes, rest > 0 ? " " : "");
    if (rest > 0) {
        oc_decimal_add(text, rest, decimals);
        oc_text_add(text, " s");
    }
}

/* Counts the digits after the point at which a number differs from one larger by the resolution. */
static int decimals_for(double resolution)
{
    const double finest = resolution > 0 ? 1 - floor(log10(resolution)) : 0;
    return (int)fmin(9, fmax(0, finest));
}

static void add_in(oc_text *text, const oc_time_unit *in, double seconds, double resolution)
{
    if (in->clock != OC_NO_CLOCK) {
        const double whole = resolution < clock_minutes ? seconds : 60 * round(seconds / 60);
        oc_clock_add(text, whole, decimals_for(resolution), in->clock);
        return;
    }
    oc_decimal_add(text, seconds / in->seconds, decimals_for(resolution / in->seconds));
    oc_text_add(text, " ");
    oc_text_add(text, in->name);
}

void oc_time_add(oc_text *text, double seconds, double resolution)
{
    const double farthest = fmax(fabs(seconds), resolution);
    const oc_time_unit in = unit_for(farthest, clock_for(farthest));
    add_in(text, &in, seconds, resolution);
}

void oc_time_instant_add(oc_text *text, double seconds, double resolution, oc_time_range within)
{
    const oc_time_unit in = oc_time_unit_of(within);
    add_in(text, &in, seconds, resolution);
}

void oc_time_span_add(oc_text *text, double begin, double end, double resolution,
                      oc_time_range within)
{
    oc_time_instant_add(text, begin, resolution, within);
    oc_text_add(text, " \xE2\x80\x93 ");
    oc_time_instant_add(text, end, resolution, within);
}

void oc_time_span_add_briefly(oc_text *text, double begin, double end, double resolution,
                              oc_time_range within)
{
    const oc_time_unit in = oc_time_unit_of(within);
    if (in.clock != OC_NO_CLOCK)
        oc_time_instant_add(text, begin, resolution, within);
    else
        oc_decimal_add(text, begin / in.seconds, decimals_for(resolution / in.seconds));
    oc_text_add(text, "\xE2\x80\x93");
    oc_time_instant_add(text, end, resolution, within);
}

/* --- Phrases */

void oc_phrase_add(oc_text *text, const char *phrase, const oc_word *words)
{
    for (const char *place; (place = strstr(phrase, "{}")) != NULL; phrase = place + 2, words++) {
        oc_text_append(text, phrase, (size_t)(place - phrase));
        switch (words->kind) {
        case OC_WORD_TEXT:
            oc_text_add(text, words->text);
            break;
        case OC_WORD_NAME:
            oc_clean_add(text, words->text, false);
            break;
        case OC_WORD_COUNT:
            if (words->text != NULL)
                oc_counted_add(text, words->count, words->text);
            else
                oc_count_add(text, words->count);
            break;
        case OC_WORD_WHOLE:
            oc_text_format(text, "%llu", (unsigned long long)words->count);
            break;
        case OC_WORD_NUMBER:
            oc_number_add(text, words->value, (int)words->detail);
            break;
        case OC_WORD_PERCENT:
            oc_percent_add(text, words->value);
            break;
        case OC_WORD_AMOUNT:
            oc_quantity_add(text, words->value, 3, words->text);
            break;
        case OC_WORD_TIME:
            oc_time_add(text, words->value, fabs(words->value) * words->detail);
            break;
        }
    }
    oc_text_add(text, phrase);
}

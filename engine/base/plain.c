/* Formats and reads numbers in the C locale, which the thread has for the time of a call only. In
 * glibc making it takes no memory. If another library has no memory for it, the thread keeps its
 * own locale. */
#define _GNU_SOURCE
#include "base/plain.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a number as text: fewer than six digits make no difference to %g. */
enum { SHORT_DIGITS = 3, LEAST_DIGITS = 6, MOST_DIGITS = 17 };

typedef struct scope {
    locale_t plain, before;
} scope;

static scope begin(void)
{
    scope in = {newlocale(LC_ALL_MASK, "C", (locale_t)0), (locale_t)0};
    if (in.plain != (locale_t)0)
        in.before = uselocale(in.plain);
    return in;
}

static void end(scope in)
{
    if (in.plain == (locale_t)0)
        return;
    uselocale(in.before);
    freelocale(in.plain);
}

int oc_plain_vprint(char *text, size_t size, const char *format, va_list arguments)
{
    const scope in = begin();
    const int length = vsnprintf(text, size, format, arguments);
    end(in);
    return length;
}

int oc_plain_print(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = oc_plain_vprint(text, size, format, arguments);
    va_end(arguments);
    return length;
}

double oc_plain_number(const char *text, char **rest)
{
    const scope in = begin();
    const double number = strtod(text, rest);
    end(in);
    return number;
}

static bool gives_back(const char *text, double number)
{
    return strtod(text, NULL) == number;
}

/* How many digits count in a text of %g, without the zeros before and behind them. */
static int count_digits(const char *text)
{
    int count = 0;
    int zeros = 0;
    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (*text == '0' && count == 0))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        count++;
    }
    return count - zeros;
}

/* Tries one number of digits after the other. */
static void search(char *text, size_t size, double number)
{
    for (int precision = LEAST_DIGITS; precision <= MOST_DIGITS; precision++) {
        snprintf(text, size, "%.*g", precision, number);
        if (gives_back(text, number))
            return;
    }
}

/* A decimal of at most 15 digits is the one of 15 digits that is nearest to what it is read as
 * (DBL_DIG): of these the digits only have to be counted. */
static void print(char *text, size_t size, double number)
{
    snprintf(text, size, "%.*g", DBL_DIG, number);
    if (gives_back(text, number)) {
        const int count = count_digits(text);
        snprintf(text, size, "%.*g", count > LEAST_DIGITS ? count : LEAST_DIGITS, number);
        return;
    }
    snprintf(text, size, "%.*g", DBL_DIG + 1, number);
    if (!gives_back(text, number))
        snprintf(text, size, "%.*g", MOST_DIGITS, number);
}

/* Writes a number in one locale scope, as tables have millions of them. */
oc_digits_text oc_digits(double number)
{
    oc_digits_text digits;
    const scope in = begin();
    if (isnormal(number))
        print(digits.text, sizeof digits.text, number);
    else
        search(digits.text, sizeof digits.text, number);
    end(in);
    return digits;
}

/* Whether a number is halfway between two of `digits` digits: these are followed by 5 and zeros. */
static bool is_halfway(double number, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", digits + 20, fabs(number));
    const char *behind = text + digits + 1;
    return *behind == '5' && behind[1 + strspn(behind + 1, "0")] == 'e';
}

oc_digits_text oc_short_digits(double number, int digits)
{
    oc_digits_text text;
    const scope in = begin();
    const double size = fabs(number);
    const bool is_whole = !(number < floor(number)) && !(number > floor(number));
    double rounded = round(number) + 0.0; /* 0 has no sign */
    if (!(size < 1e15 && (size >= pow(10, digits) || is_whole))) {
        const double beyond = nextafter(number, number > 0 ? INFINITY : -INFINITY);
        snprintf(text.text, sizeof text.text, "%.*e", digits - 1,
                 is_halfway(number, digits) ? beyond : number);
        rounded = strtod(text.text, NULL);
    }
    const bool plain = fabs(rounded) >= 1e-4 && fabs(rounded) < 1e15;
    snprintf(text.text, sizeof text.text, "%.*g", plain ? DBL_DIG : digits, rounded);
    end(in);
    return text;
}

/* A time in so many digits of a unit. */
static oc_digits_text print_time(double seconds, int digits)
{
    static const struct {
        const char *name;
        double parts;
    } units[] = {{"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}};
    const double size = fabs(seconds);
    const size_t i = !(size < 1) || size <= 0 ? 0 : size >= 1e-3 ? 1 : size >= 1e-6 ? 2 : 3;
    oc_digits_text text = oc_short_digits(seconds * units[i].parts, digits);
    const size_t length = strlen(text.text);
    snprintf(text.text + length, sizeof text.text - length, " %s", units[i].name);
    return text;
}

oc_digits_text oc_short_time(double seconds)
{
    return print_time(seconds, SHORT_DIGITS);
}

oc_digits_text oc_short_end(double seconds, double length)
{
    const double more = floor(log10(fabs(seconds))) - floor(log10(length));
    return print_time(seconds, SHORT_DIGITS + (more > 0 ? (int)fmin(more, DBL_DIG) : 0));
}

const char *oc_unit_symbol(const char *unit)
{
    static const char *const symbols[][2] = {
        {"bytes", "B"}, {"B", "B"},   {"bytes/s", "B/s"}, {"B/s", "B/s"},   {"s", "s"},
        {"W", "W"},     {"J", "J"},   {"Hz", "Hz"},       {"V", "V"},       {"A", "A"},
        {"%", "%"},     {"bit", "b"}, {"bit/s", "b/s"},   {"flop", "flop"}, {"flop/s", "flop/s"},
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++)
        if (strcmp(unit, symbols[i][0]) == 0)
            return symbols[i][1];
    return "";
}

oc_digits_text oc_short_amount(double number, int digits, const char *unit)
{
    static const char prefixes[] = " kMGTPE";
    const char *symbol = oc_unit_symbol(unit);
    const double next = 1000 * (1 - 0.5 * pow(10, -digits)); /* 999.5 is 1 k in three digits */
    double factor = 1;
    size_t i = 0;
    if (strcmp(symbol, "s") == 0)
        return print_time(number, digits);
    for (; prefixes[i + 1] != '\0' && symbol[0] != '%' && fabs(number / factor) >= next; i++)
        factor *= 1000;
    oc_digits_text text = oc_short_digits(number / factor, digits);
    const size_t length = strlen(text.text);
    if (i > 0 || symbol[0] != '\0')
        snprintf(text.text + length, sizeof text.text - length, " %.*s%s", i > 0, &prefixes[i],
                 symbol);
    return text;
}

oc_digits_text oc_short_percent(double share)
{
    oc_digits_text text;
    const double percent = 100 * share;
    const scope in = begin();
    snprintf(text.text, sizeof text.text - 4, "%.2f", percent);
    const double shown = strtod(text.text, NULL);
    const bool none = percent > 0 && !(shown > 0), all = percent < 100 && !(shown < 100);
    snprintf(text.text, sizeof text.text, "%.*g %%", DBL_DIG, shown + 0.0);
    end(in);
    return none ? (oc_digits_text){"< 0.01 %"} : all ? (oc_digits_text){"> 99.99 %"} : text;
}

static char small(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return (char)(letter - 'A' + 'a');
    return letter;
}

bool oc_same_first_letters(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (small(a[i]) != small(b[i]))
            return false;
        if (a[i] == '\0')
            return true;
    }
    return true;
}

bool oc_same_letters(const char *a, const char *b)
{
    return oc_same_first_letters(a, b, SIZE_MAX);
}

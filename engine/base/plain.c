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

/* Of a number as text: fewer than six digits make no difference to %g. */
enum { LEAST_DIGITS = 6, MOST_DIGITS = 17 };

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

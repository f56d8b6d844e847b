/* Formats and reads numbers in the C locale, which the thread has for the time of a call only. In
 * glibc making it takes no memory. If another library has no memory for it, the thread keeps its
 * own locale. */
#define _GNU_SOURCE
#include "base/plain.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

/* Writes a number in one locale scope, as tables have millions of them. */
oc_digits_text oc_digits(double number)
{
    oc_digits_text digits;
    const scope in = begin();
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits.text, sizeof digits.text, "%.*g", precision, number);
        if (strtod(digits.text, NULL) == number)
            break;
    }
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

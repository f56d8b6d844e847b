#include "viz/lettering.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Hundredths of the size, of the characters from space to tilde: those of DejaVu Sans, which is wider than
 * Helvetica, Arial and their metric copies. */
static const uint8_t regular_widths[95] = {
    32, 41, 46, 84, 64, 96, 78, 28, 40,  40, 50, 84, 32, 37, 32, 34, 64, 64, 64, 64, 64, 64, 64, 64,
    64, 64, 34, 34, 84, 84, 84, 54, 100, 69, 69, 70, 78, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69,  62, 69, 40, 34, 40, 84, 50, 50, 62, 64, 55, 64, 62, 36, 64,
    64, 28, 28, 58, 28, 98, 64, 62, 64,  64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
};

static const uint8_t bold_widths[95] = {
    35, 46, 53, 84, 70, 101, 88, 31,  46,  46, 53, 84, 38, 42, 38, 37, 70, 70, 70, 70, 70, 70,  70, 70,
    70, 70, 40, 40, 84, 84,  84, 59,  100, 78, 77, 74, 84, 69, 69, 83, 84, 38, 38, 78, 64, 100, 84, 86,
    74, 86, 78, 73, 69, 82,  78, 111, 78,  73, 73, 46, 37, 46, 84, 50, 50, 68, 72, 60, 72, 68,  44, 72,
    72, 35, 35, 67, 35, 105, 72, 69,  72,  72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72,  84,
};

static const char ellipsis[] = "\xE2\x80\xA6";
static const char replacement[] = "\xEF\xBF\xBD";

static uint32_t code_point(const char *bytes, size_t length)
{
    const unsigned char first = (unsigned char)bytes[0];
    uint32_t code = length == 1 ? first : first & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        code = code << 6 | ((unsigned char)bytes[i] & 0x3Fu);
    return code;
}

static bool is_unwanted(uint32_t code)
{
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool direction = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                           (code >= 0x2066 && code <= 0x2069);
    const bool separator = code == 0x2028 || code == 0x2029;
    const bool none = (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF);
    return control || direction || separator || none;
}

void oc_clean_add(oc_text *text, const char *string, bool lines)
{
    const size_t length = strlen(string);
    for (size_t i = 0; i < length;) {
        const size_t step = oc_utf8_length(string + i, length - i);
        const uint32_t code = step > 0 ? code_point(string + i, step) : 0;
        if (code == '\n' && lines)
            oc_text_add(text, "\n");
        else if (code == '\t' || code == '\n' || code == '\r')
            oc_text_add(text, " ");
        else if (is_unwanted(code))
            oc_text_add(text, replacement);
        else
            oc_text_append(text, string + i, step);
        i += step > 0 ? step : 1;
    }
    oc_text_append(text, "", 0);
}

static double character_width(uint32_t code, bool bold)
{
    if (code >= ' ' && code <= '~')
        return (bold ? bold_widths : regular_widths)[code - ' '] / 100.0;
    const bool latin =
        code >= 0xA0 && code < 0x180 && code != 0xA9 && code != 0xAE && code != 0xC6 && code != 0x152;
    double width = code == 0xB7 ? 0.32 : code == 0x2013 ? 0.5 : code == 0x2026 ? 1.0 : latin ? 0.84 : 1.1;
    if (code >= 0x1F000)
        width = 1.4;
    return bold ? width * 1.22 : width;
}

/* The string must be clean. */
static double clean_width(const char *string, size_t length, bool bold)
{
    double width = 0;
    for (size_t i = 0; i < length;) {
        const size_t step = oc_utf8_length(string + i, length - i);
        width += step > 0 ? character_width(code_point(string + i, step), bold) : 1.1;
        i += step > 0 ? step : 1;
    }
    return width;
}

double oc_lettering_width(const char *string, double size, bool bold)
{
    return clean_width(string, strlen(string), bold) * size;
}

bool oc_lettering_fit(oc_text *text, const char *string, double size, bool bold, double room)
{
    oc_text clean = {0};
    oc_clean_add(&clean, string, false);
    if (clean.failed)
        text->failed = true;
    if (clean.length == 0 || clean_width(clean.bytes, clean.length, bold) * size <= room) {
        const bool whole = clean.length > 0;
        if (whole)
            oc_text_append(text, clean.bytes, clean.length);
        oc_text_free(&clean);
        return whole;
    }
    double left = room / size - character_width(0x2026, bold);
    size_t kept = 0;
    for (;;) {
        const size_t step = oc_utf8_length(clean.bytes + kept, clean.length - kept);
        left -= step > 0 ? character_width(code_point(clean.bytes + kept, step), bold) : INFINITY;
        if (!(left >= 0))
            break;
        kept += step;
    }
    const bool some = kept > 0;
    while (kept > 1 && clean.bytes[kept - 1] == ' ')
        kept--;
    if (some) {
        oc_text_append(text, clean.bytes, kept);
        oc_text_add(text, ellipsis);
    }
    oc_text_free(&clean);
    return some;
}

void oc_decimal_add(oc_text *text, double value, int decimals)
{
    static const double scales[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const double scaled = value * scales[decimals];
    if (!(fabs(scaled) < 9e15)) {
        oc_number_add(text, value, 15);
        return;
    }
    const long long whole = llround(fabs(scaled));
    const long long scale = (long long)scales[decimals];
    oc_text_format(text, "%s%lld", value < 0 && whole != 0 ? "-" : "", whole / scale);
    long long rest = whole % scale;
    if (rest == 0)
        return;
    while (rest % 10 == 0) {
        rest /= 10;
        decimals--;
    }
    oc_text_format(text, ".%0*lld", decimals, rest);
}

void oc_number_add(oc_text *text, double value, int digits)
{
    char number[40];
    snprintf(number, sizeof number, "%.*g", digits < 17 ? digits : 15, value);
    for (int more = 16; digits >= 17 && more <= 17 && strtod(number, NULL) != value; more++)
        snprintf(number, sizeof number, "%.*g", more, value);
    const char *point = localeconv()->decimal_point;
    const char *found = strcmp(point, ".") == 0 ? NULL : strstr(number, point);
    if (found == NULL) {
        oc_text_add(text, number);
        return;
    }
    oc_text_append(text, number, (size_t)(found - number));
    oc_text_add(text, ".");
    oc_text_add(text, found + strlen(point));
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

void oc_percent_add(oc_text *text, double share)
{
    const double percent = share * 100;
    if (percent > 0 && percent < 0.1)
        oc_text_add(text, "< 0.1");
    else if (percent < 100 && percent > 99.9)
        oc_text_add(text, "> 99.9");
    else
        oc_decimal_add(text, percent, 1);
    oc_text_add(text, " %");
}

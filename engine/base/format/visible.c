#include "base/format/visible.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct code_range {
    uint32_t first, last;
} code_range;

/* The ranges ascend. */
static bool is_among(uint32_t code, const code_range *ranges, size_t count)
{
    for (size_t i = 0; i < count && ranges[i].first <= code; i++)
        if (code <= ranges[i].last)
            return true;
    return false;
}

/* Joiners (U+200C, U+200D) stay: scripts and emoji are written with them. */
bool oc_is_unprintable(uint32_t code)
{
    static const code_range unprintable[] = {
        {0x0000, 0x001F}, {0x007F, 0x009F}, {0x00AD, 0x00AD},   {0x034F, 0x034F}, {0x061C, 0x061C},
        {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F}, {0x2028, 0x202E},
        {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
        {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF},
    };
    return is_among(code, unprintable, sizeof unprintable / sizeof unprintable[0]);
}

/* The columns of a character on a terminal: 0 if it is drawn over the one before, 2 if it is
 * wide. */
static size_t columns_of(uint32_t code)
{
    static const code_range combining[] = {
        {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},   {0x0610, 0x061A}, {0x064B, 0x065F},
        {0x0670, 0x0670}, {0x0900, 0x0902}, {0x093A, 0x093A},   {0x093C, 0x093C}, {0x0941, 0x0948},
        {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E}, {0x1160, 0x11FF},
        {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200C, 0x200D},   {0x20D0, 0x20FF}, {0x3099, 0x309A},
        {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF},
    };
    static const code_range wide[] = {
        {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97C},
        {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},
        {0xFFE0, 0xFFE6},   {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
        {0x20000, 0x3FFFD},
    };
    if (is_among(code, combining, sizeof combining / sizeof combining[0]))
        return 0;
    return is_among(code, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

/* A character as it is shown. */
typedef struct shown {
    char name[12]; /* "": as it is */
    size_t length; /* bytes of the text, at least 1 */
    size_t columns;
} shown;

static shown show(const char *text, size_t available)
{
    const size_t length = oc_utf8_length(text, available);
    const uint32_t code = length > 0 ? oc_code_point(text, length) : (unsigned char)text[0];
    if (length > 0 && !oc_is_unprintable(code))
        return (shown){"", length, columns_of(code)};
    shown is = {.length = length > 0 ? length : 1};
    const char *letter = code == '\t' ? "t" : code == '\n' ? "n" : code == '\r' ? "r" : NULL;
    if (letter != NULL)
        snprintf(is.name, sizeof is.name, "\\%s", letter);
    else if (length <= 1)
        snprintf(is.name, sizeof is.name, "\\x%02x", (unsigned)code);
    else
        snprintf(is.name, sizeof is.name, "\\u%04x", (unsigned)code);
    is.columns = strlen(is.name);
    return is;
}

/* Writes a text; runs of visible characters go out in one piece. */
ocelotl_status ocelotl_text_write_visible(const ocelotl_sink *sink, const char *text, size_t length)
{
    size_t written = 0;
    for (size_t i = 0; i < length;) {
        const shown is = show(text + i, length - i);
        if (is.name[0] != '\0') {
            if (i > written)
                OC_TRY(oc_sink_write(sink, text + written, i - written));
            OC_TRY(oc_sink_write(sink, is.name, strlen(is.name)));
            written = i + is.length;
        }
        i += is.length;
    }
    return length > written ? oc_sink_write(sink, text + written, length - written) : OCELOTL_OK;
}

/* An output keeps its failure itself. */
static ocelotl_status append(void *output, const void *bytes, size_t size)
{
    oc_output_append(output, bytes, size);
    return OCELOTL_OK;
}

void oc_output_append_visible(oc_output *output, const char *text, size_t length)
{
    (void)ocelotl_text_write_visible(&(ocelotl_sink){append, output}, text, length);
}

void oc_output_add_visible(oc_output *output, const char *text)
{
    oc_output_append_visible(output, text, strlen(text));
}

void oc_output_print(oc_output *output, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    while (*format != '\0') {
        char one[16]; /* a conversion up to its letter */
        const size_t plain = strcspn(format, "%");
        oc_output_append(output, format, plain);
        format += plain;
        if (*format == '\0')
            break;
        const char *letter = format + 1 + strspn(format + 1, "-0123456789.lz");
        snprintf(one, sizeof one, "%.*s", (int)(letter + 1 - format), format);
        if (*letter == '%') {
            oc_output_add(output, "%");
        } else if (*letter == 's' && letter == format + 1) {
            oc_output_add_visible(output, va_arg(values, const char *));
        } else if (*letter == 's') {
            oc_output_format(output, one, va_arg(values, const char *));
        } else if (*letter == 'u') {
            const uint64_t number = strstr(one, "ll") != NULL  ? va_arg(values, unsigned long long)
                                    : strchr(one, 'l') != NULL ? va_arg(values, unsigned long)
                                    : strchr(one, 'z') != NULL ? va_arg(values, size_t)
                                                               : va_arg(values, unsigned);
            snprintf(one, sizeof one, "%.*s%s", (int)strcspn(format, "lzu"), format, PRIu64);
            oc_output_format(output, one, number);
        } else {
            const double number = va_arg(values, double);
            oc_output_format(output, one, number);
        }
        format = letter + 1;
    }
    va_end(values);
}

size_t oc_visible_width(const char *text)
{
    const size_t length = strlen(text);
    size_t width = 0;
    for (size_t i = 0; i < length;) {
        const shown is = show(text + i, length - i);
        width += is.columns;
        i += is.length;
    }
    return width;
}

void oc_output_add_column(oc_output *output, const char *text, size_t width)
{
    oc_output_add_visible(output, text);
    for (size_t used = oc_visible_width(text); used < width; used++)
        oc_output_append(output, " ", 1);
}

size_t ocelotl_character_length(bool *visible, const char *text, size_t available)
{
    const shown is = show(text, available);
    *visible = is.name[0] == '\0';
    return is.length;
}

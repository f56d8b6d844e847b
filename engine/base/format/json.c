#include "base/format/json.h"

#include "base/format/visible.h"
#include "base/plain.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- Strings */

static void add_code(oc_text *json, uint32_t code)
{
    if (code > 0xFFFF)
        oc_text_format(json, "\\u%04x\\u%04x", 0xD7C0u + (code >> 10), 0xDC00u + (code & 0x3FF));
    else
        oc_text_format(json, "\\u%04x", (unsigned)code);
}

/* Returns whether a character could end a script or begin a comment in it. */
static bool is_of_page(uint32_t code)
{
    return code < 0x80 && code != 0 && strchr("\"\\<>&'", (int)code) != NULL;
}

static void add_string(oc_text *json, const char *text, size_t length, bool for_page)
{
    size_t plain = 0; /* from where on nothing has been added */
    oc_text_append(json, "\"", 1);
    for (size_t i = 0; i < length;) {
        const size_t step = oc_utf8_length(text + i, length - i);
        const uint32_t code = step > 0 ? oc_code_point(text + i, step) : 0;
        const bool quoted = code == '"' || code == '\\';
        const bool coded = step > 0 && (oc_is_unprintable(code) || (for_page && is_of_page(code)));
        if (step == 0 || quoted || coded) {
            oc_text_append(json, text + plain, i - plain);
            if (step == 0)
                oc_text_add(json, "\xEF\xBF\xBD");
            else if (coded)
                add_code(json, code);
            else
                oc_text_format(json, "\\%c", text[i]);
            plain = i + (step > 0 ? step : 1);
        }
        i += step > 0 ? step : 1;
    }
    oc_text_append(json, text + plain, length - plain);
    oc_text_append(json, "\"", 1);
}

void oc_json_append_string(oc_text *json, const char *text, size_t length)
{
    add_string(json, text, length, false);
}

/* --- Numbers */

static size_t skip_digits(const char *text, size_t length, size_t from)
{
    while (from < length && text[from] >= '0' && text[from] <= '9')
        from++;
    return from;
}

/* Whether a text is a number as JSON writes them. */
static bool json_is_number(const char *text, size_t length)
{
    size_t at = length > 0 && text[0] == '-' ? 1 : 0;
    const size_t whole = at;
    at = skip_digits(text, length, at);
    if (at == whole || (text[whole] == '0' && at > whole + 1))
        return false;
    if (at < length && text[at] == '.') {
        const size_t point = at + 1;
        at = skip_digits(text, length, point);
        if (at == point)
            return false;
    }
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        at += at < length && (text[at] == '+' || text[at] == '-');
        const size_t exponent = at;
        at = skip_digits(text, length, exponent);
        if (at == exponent)
            return false;
    }
    return at == length;
}

void oc_json_append_member(oc_text *object, const char *name, const char *value, size_t length)
{
    oc_text_add(object, object->length == 0 ? "{" : ",");
    oc_json_append_string(object, name, strlen(name));
    oc_text_add(object, ":");
    if (json_is_number(value, length))
        oc_text_append(object, value, length);
    else
        oc_json_append_string(object, value, length);
}

/* --- Writing */

/* Begins a value and returns the text for it; a large text is sent between values. */
oc_text *oc_json_value(oc_json *json, const char *key)
{
    static const char blanks[] = "\n                ";
    oc_text *text = &json->out.text;
    oc_output_flow(&json->out);
    if (json->follows)
        oc_text_append(text, ",", 1);
    oc_text_append(text, blanks, json->indent < sizeof blanks ? json->indent : sizeof blanks - 1);
    json->indent = 0;
    if (key != NULL) {
        add_string(text, key, strlen(key), json->for_page);
        oc_text_append(text, ":", 1);
    }
    json->follows = true;
    return text;
}

static void end(oc_json *json, const char *bracket)
{
    oc_output_add(&json->out, bracket);
    json->follows = true;
    json->indent = 0;
}

void oc_json_object(oc_json *json, const char *key)
{
    oc_text_append(oc_json_value(json, key), "{", 1);
    json->follows = false;
}

void oc_json_list(oc_json *json, const char *key)
{
    oc_text_append(oc_json_value(json, key), "[", 1);
    json->follows = false;
}

void oc_json_text(oc_json *json, const char *key, const char *text)
{
    add_string(oc_json_value(json, key), text, strlen(text), json->for_page);
}

void oc_json_number(oc_json *json, const char *key, double number)
{
    oc_text *text = oc_json_value(json, key);
    if (isfinite(number))
        oc_text_add(text, oc_digits(number).text);
    else
        oc_text_add(text, "null");
}

void oc_json_count(oc_json *json, const char *key, uint64_t count)
{
    oc_text_format(oc_json_value(json, key), "%" PRIu64, count);
}

void oc_json_ticks(oc_json *json, const char *key, int64_t ticks)
{
    oc_text_format(oc_json_value(json, key), "%" PRId64, ticks);
}

void oc_json_flag(oc_json *json, const char *key, bool flag)
{
    oc_text_add(oc_json_value(json, key), flag ? "true" : "false");
}

void oc_json_null(oc_json *json, const char *key)
{
    oc_text_add(oc_json_value(json, key), "null");
}

void oc_json_end_object(oc_json *json)
{
    end(json, "}");
}

void oc_json_end_list(oc_json *json)
{
    end(json, "]");
}

void oc_json_line(oc_json *json, unsigned blanks)
{
    json->indent = blanks + 1;
}

void oc_json_end_line(oc_json *json)
{
    oc_output_add(&json->out, "\n");
    json->follows = false;
}

ocelotl_status oc_json_finish(oc_json *json, ocelotl_status status)
{
    oc_output_add(&json->out, "\n");
    return oc_output_end(&json->out, status);
}

/* --- Strings as the text that they stand for */

static bool read_four(uint32_t *code, const char *bytes, const char *end)
{
    *code = 0;
    if (end - bytes < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        const char letter = bytes[i];
        const char low = (char)(letter | 32);
        if (letter >= '0' && letter <= '9')
            *code = *code << 4 | (uint32_t)(letter - '0');
        else if (low >= 'a' && low <= 'f')
            *code = *code << 4 | (uint32_t)(low - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* Half a pair of surrogates is no character, and a name with a zero would end there. */
static void decode_code(oc_text *text, uint32_t code)
{
    const bool is_character = code != 0 && (code < 0xD800 || code >= 0xE000);
    oc_text_add_code_point(text, is_character ? code : 0xFFFD);
}

/* The number behind "\u", with the second half of a pair of surrogates. */
static const char *decode_number(oc_text *text, const char *next, const char *end)
{
    uint32_t code;
    uint32_t low;
    if (!read_four(&code, next, end)) {
        decode_code(text, 0);
        return next;
    }
    next += 4;
    if (code >= 0xD800 && code < 0xDC00 && end - next >= 6 && next[0] == '\\' && next[1] == 'u' &&
        read_four(&low, next + 2, end) && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        next += 6;
    }
    decode_code(text, code);
    return next;
}

static const char *decode_escape(oc_text *text, const char *next, const char *end)
{
    static const char letters[] = "bfnrt";
    static const char meanings[] = "\b\f\n\r\t";
    const char *letter = next < end && *next != '\0' ? strchr(letters, *next) : NULL;
    if (next < end && *next == 'u')
        return decode_number(text, next + 1, end);
    if (letter != NULL)
        oc_text_append(text, &meanings[letter - letters], 1);
    else if (next < end)
        oc_text_append(text, next, 1);
    return next + (next < end);
}

void oc_json_decode(oc_text *text, const char *bytes, size_t length, bool escaped)
{
    const char *next = bytes;
    const char *end = next + length;
    if (!escaped && memchr(next, '\0', length) == NULL) {
        oc_text_append(text, next, length);
        return;
    }
    while (next < end) {
        const char *run = next;
        while (next < end && *next != '\0' && (*next != '\\' || !escaped))
            next++;
        oc_text_append(text, run, (size_t)(next - run));
        if (next == end)
            break;
        if (*next++ == '\\')
            next = decode_escape(text, next, end);
        else
            decode_code(text, 0);
    }
}

/* Strings of JSON as the text that they stand for. */
#include "base/json.h"

#include <string.h>

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
static void add_code(oc_text *text, uint32_t code)
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
        add_code(text, 0);
        return next;
    }
    next += 4;
    if (code >= 0xD800 && code < 0xDC00 && end - next >= 6 && next[0] == '\\' && next[1] == 'u' &&
        read_four(&low, next + 2, end) && low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        next += 6;
    }
    add_code(text, code);
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
            add_code(text, 0);
    }
}

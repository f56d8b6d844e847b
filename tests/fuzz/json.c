#include "json.h"

#include <string.h>

typedef struct reader {
    const unsigned char *at, *end;
    int depth;
} reader;

static void skip_blanks(reader *from)
{
    while (from->at < from->end && memchr(" \t\r\n", *from->at, 4) != NULL)
        from->at++;
}

static bool take(reader *from, unsigned char byte)
{
    const bool is = from->at < from->end && *from->at == byte;
    from->at += is;
    return is;
}

static bool take_digits(reader *from)
{
    const unsigned char *first = from->at;
    while (from->at < from->end && *from->at >= '0' && *from->at <= '9')
        from->at++;
    return from->at > first;
}

static bool is_number(reader *from)
{
    take(from, '-');
    if (!take(from, '0') && !take_digits(from))
        return false;
    if (take(from, '.') && !take_digits(from))
        return false;
    if (!take(from, 'e') && !take(from, 'E'))
        return true;
    if (!take(from, '+'))
        take(from, '-');
    return take_digits(from);
}

/* A character beyond ASCII: its first byte says how long it is, and none is longer than needed. */
static bool is_character(reader *from)
{
    const unsigned char first = *from->at++;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
    unsigned code = first & (0x3FU >> more);
    if (first < 0xC2 || first > 0xF4 || from->end - from->at < more)
        return false;
    for (int i = 0; i < more; i++, from->at++) {
        if ((*from->at & 0xC0) != 0x80)
            return false;
        code = code << 6 | (*from->at & 0x3FU);
    }
    return code >= least[more] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

static bool is_escape(reader *from)
{
    if (from->at == from->end)
        return false;
    const unsigned char kind = *from->at++;
    if (kind != 'u')
        return memchr("\"\\/bfnrt", kind, 8) != NULL;
    for (int i = 0; i < 4; i++, from->at++)
        if (from->at == from->end || memchr("0123456789abcdefABCDEF", *from->at, 22) == NULL)
            return false;
    return true;
}

static bool is_string(reader *from)
{
    if (!take(from, '"'))
        return false;
    while (from->at < from->end && *from->at != '"') {
        if (*from->at < ' ')
            return false;
        if (*from->at >= 0x80) {
            if (!is_character(from))
                return false;
        } else if (!take(from, '\\')) {
            from->at++;
        } else if (!is_escape(from)) {
            return false;
        }
    }
    return take(from, '"');
}

static bool is_value(reader *from);

static bool is_list(reader *from, unsigned char last)
{
    skip_blanks(from);
    if (take(from, last))
        return true;
    do {
        skip_blanks(from);
        if (last == '}' && !is_string(from))
            return false;
        skip_blanks(from);
        if ((last == '}' && !take(from, ':')) || !is_value(from))
            return false;
        skip_blanks(from);
    } while (take(from, ','));
    return take(from, last);
}

static bool is_word(reader *from, const char *word)
{
    const size_t length = strlen(word);
    const bool is = (size_t)(from->end - from->at) >= length && memcmp(from->at, word, length) == 0;
    from->at += is ? length : 0;
    return is;
}

static bool is_value(reader *from)
{
    bool is = false;
    skip_blanks(from);
    if (from->at == from->end || from->depth++ > 100)
        return false;
    if (*from->at == '"')
        is = is_string(from);
    else if (take(from, '{'))
        is = is_list(from, '}');
    else if (take(from, '['))
        is = is_list(from, ']');
    else
        is = is_word(from, "true") || is_word(from, "false") || is_word(from, "null") ||
             is_number(from);
    from->depth--;
    return is;
}

bool json_is_valid(const char *bytes, size_t length)
{
    reader from = {.at = (const unsigned char *)bytes,
                   .end = (const unsigned char *)bytes + length};
    if (!is_value(&from))
        return false;
    skip_blanks(&from);
    return from.at == from.end;
}

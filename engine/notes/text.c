/* Reads notes as JSON: a list of notes, each a few texts by name, and texts by key. */
#include "notes/text.h"

#include "base/format/json.h"

#include <string.h>

/* What is left to be read. */
typedef struct reader {
    const char *at, *end;
} reader;

static void skip_blanks(reader *from)
{
    while (from->at < from->end && strchr(" \t\r\n", *from->at) != NULL && *from->at != '\0')
        from->at++;
}

/* Reads one character, with the blanks before it. */
static bool take(reader *from, char wanted)
{
    skip_blanks(from);
    if (from->at == from->end || *from->at != wanted)
        return false;
    from->at++;
    return true;
}

static bool take_escape(reader *from)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    if (from->at == from->end || *from->at == '\0')
        return false;
    const char kind = *from->at++;
    if (kind != 'u')
        return strchr("\"\\/bfnrt", kind) != NULL;
    for (int i = 0; i < 4; i++, from->at++)
        if (from->at == from->end || *from->at == '\0' || strchr(digits, *from->at) == NULL)
            return false;
    return true;
}

/* A letter of a text that is more than a byte has to be UTF-8. */
static bool take_letter(reader *from)
{
    const size_t length = oc_utf8_length(from->at, (size_t)(from->end - from->at));
    if ((unsigned char)*from->at < 0x20 || length == 0)
        return false;
    from->at += length;
    return true;
}

/* Reads a string; *begin is behind its first quote. */
static bool take_text(reader *from, const char **begin)
{
    if (!take(from, '"'))
        return false;
    *begin = from->at;
    while (from->at < from->end && *from->at != '"') {
        const bool escaped = *from->at == '\\';
        from->at += escaped;
        if (escaped ? !take_escape(from) : !take_letter(from))
            return false;
    }
    return take(from, '"');
}

/* Reads an object of texts: at least `least` of them. */
static bool take_texts(reader *from, size_t least)
{
    const char *text;
    if (!take(from, '{'))
        return false;
    if (least == 0 && take(from, '}'))
        return true;
    do {
        if (!take_text(from, &text) || !take(from, ':') || !take_text(from, &text))
            return false;
    } while (take(from, ','));
    return take(from, '}');
}

static bool take_notes(oc_noted *noted, reader *from)
{
    skip_blanks(from);
    noted->list = from->at;
    if (!take(from, '['))
        return false;
    if (!take(from, ']')) {
        do {
            noted->count++;
            if (!take_texts(from, 1))
                return false;
        } while (take(from, ','));
        if (!take(from, ']'))
            return false;
    }
    noted->length = (size_t)(from->at - noted->list);
    return true;
}

static bool is_named(const char *name, const char *begin, const char *end)
{
    return (size_t)(end - begin) == strlen(name) && memcmp(begin, name, strlen(name)) == 0;
}

/* Each member comes once. */
static bool take_member(oc_noted *noted, reader *from)
{
    const char *name;
    if (!take_text(from, &name))
        return false;
    const char *end = from->at - 1;
    if (!take(from, ':'))
        return false;
    if (is_named("notes", name, end))
        return noted->list == NULL && take_notes(noted, from);
    if (!is_named("metadata", name, end) || noted->metadata != NULL)
        return false;
    skip_blanks(from);
    noted->metadata = from->at;
    return take_texts(from, 0);
}

bool oc_noted_read(oc_noted *noted, const char *bytes, size_t size)
{
    *noted = (oc_noted){.list = NULL};
    if (bytes == NULL)
        return false;
    reader from = {bytes, bytes + size};
    noted->end = from.end;
    if (!take(&from, '{'))
        return false;
    do {
        if (!take_member(noted, &from))
            return false;
    } while (take(&from, ','));
    if (!take(&from, '}') || noted->list == NULL)
        return false;
    skip_blanks(&from);
    return from.at == from.end;
}

static void decode(oc_text *text, reader *from)
{
    const char *begin = from->at;
    if (take_text(from, &begin))
        oc_json_decode(text, begin, (size_t)(from->at - 1 - begin), true);
}

bool oc_noted_next(oc_text *key, oc_text *value, const oc_noted *noted, const char **at)
{
    reader from = {*at != NULL ? *at : noted->metadata, noted->end};
    oc_text_clear(key);
    oc_text_clear(value);
    if (from.at == NULL || !(take(&from, '{') || take(&from, ',')) || take(&from, '}'))
        return false;
    decode(key, &from);
    take(&from, ':');
    decode(value, &from);
    *at = from.at;
    return true;
}

bool oc_noted_next_of_notes(oc_text *key, oc_text *value, bool *begins, const oc_noted *noted,
                            const char **at)
{
    reader from = {*at != NULL ? *at : noted->list, noted->end};
    *begins = false;
    oc_text_clear(key);
    oc_text_clear(value);
    while (take(&from, '[') || take(&from, ',') || take(&from, '}') || take(&from, '{'))
        *begins = from.at[-1] == '{';
    if (take(&from, ']'))
        return false;
    decode(key, &from);
    take(&from, ':');
    decode(value, &from);
    *at = from.at;
    return true;
}

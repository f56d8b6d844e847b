/* Reads notes as JSON: a list of notes, each a few texts by name. */
#include "notes.h"

#include <ocelotl/answer.h>

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
    bool visible = false;
    const size_t length =
        ocelotl_character_length(&visible, from->at, (size_t)(from->end - from->at));
    if ((unsigned char)*from->at < 0x20 || (length == 1 && (*from->at & '\x80') != 0))
        return false;
    from->at += length;
    return true;
}

static bool take_text(reader *from)
{
    if (!take(from, '"'))
        return false;
    while (from->at < from->end && *from->at != '"') {
        const bool escaped = *from->at == '\\';
        from->at += escaped;
        if (escaped ? !take_escape(from) : !take_letter(from))
            return false;
    }
    return take(from, '"');
}

static bool take_note(reader *from)
{
    if (!take(from, '{'))
        return false;
    do {
        if (!take_text(from) || !take(from, ':') || !take_text(from))
            return false;
    } while (take(from, ','));
    return take(from, '}');
}

bool server_notes_are_sound(const char *bytes, size_t size)
{
    static const char name[] = "\"notes\"";
    reader from = {bytes, bytes + size};
    if (bytes == NULL || !take(&from, '{'))
        return false;
    skip_blanks(&from);
    if ((size_t)(from.end - from.at) < strlen(name) || strncmp(from.at, name, strlen(name)) != 0)
        return false;
    from.at += strlen(name);
    if (!take(&from, ':') || !take(&from, '['))
        return false;
    if (!take(&from, ']')) {
        do {
            if (!take_note(&from))
                return false;
        } while (take(&from, ','));
        if (!take(&from, ']'))
            return false;
    }
    if (!take(&from, '}'))
        return false;
    skip_blanks(&from);
    return from.at == from.end;
}

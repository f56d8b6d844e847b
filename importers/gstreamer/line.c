#define _GNU_SOURCE
#include "base/text.h"
#include "importers/gstreamer/reader.h"

#include <string.h>

const char *const gstreamer_level_names[GSTREAMER_LEVELS] = {
    "ERROR", "WARN", "FIXME", "INFO", "DEBUG", "LOG", "TRACE", "MEMDUMP",
};

static const int64_t nanoseconds = 1000000000;

static bool is_hexadecimal(char byte)
{
    return oc_is_digit(byte) || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F');
}

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && *text == ' ')
        text++;
    return text;
}

/* --- Colours: ESC [ numbers m */

char *gstreamer_line_plain(char *line, char *end)
{
    char *to = memchr(line, '\033', (size_t)(end - line));
    if (to == NULL)
        return end;
    for (const char *from = to; from < end;) {
        if (*from != '\033' || from + 1 == end || from[1] != '[') {
            *to++ = *from++;
            continue;
        }
        from += 2;
        while (from < end && (oc_is_digit(*from) || *from == ';'))
            from++;
        from += from < end;
    }
    return to;
}

/* --- What is before a message */

/* Digits as a number, at least one and at most `most`. */
static const char *read_digits(int64_t *number, const char *text, const char *end, int most)
{
    const char *at = text;
    *number = 0;
    while (at < end && at - text < most && oc_is_digit(*at))
        *number = *number * 10 + (*at++ - '0');
    return at > text ? at : NULL;
}

/* H:MM:SS.nnnnnnnnn; NULL: the text does not begin so. */
static const char *read_time(int64_t *time, const char *text, const char *end)
{
    static const struct {
        int least, most;
        char behind;
    } parts[4] = {{1, 6, ':'}, {2, 2, ':'}, {2, 2, '.'}, {9, 9, ' '}};
    int64_t numbers[4];
    for (size_t i = 0; i < 4; i++) {
        const char *next = read_digits(&numbers[i], text, end, parts[i].most);
        if (next == NULL || next - text < parts[i].least || next == end || *next != parts[i].behind)
            return NULL;
        text = next + 1;
    }
    if (numbers[1] > 59 || numbers[2] > 59)
        return NULL;
    *time = ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * nanoseconds + numbers[3];
    return text;
}

/* The next word, behind blanks. */
static gstreamer_text read_word(const char *text, const char *end)
{
    const char *begin = skip_blanks(text, end);
    const char *behind = memchr(begin, ' ', (size_t)(end - begin));
    return (gstreamer_text){begin, (size_t)((behind != NULL ? behind : end) - begin)};
}

static const char *behind(gstreamer_text text)
{
    return text.bytes + text.length;
}

/* A pointer, with or without 0x. */
static bool is_thread(gstreamer_text word)
{
    const size_t prefix =
        word.length > 2 && word.bytes[0] == '0' && (word.bytes[1] | 32) == 'x' ? 2 : 0;
    for (size_t i = prefix; i < word.length; i++)
        if (!is_hexadecimal(word.bytes[i]))
            return false;
    return word.length > prefix && word.length <= 18;
}

static uint32_t find_level(gstreamer_text word)
{
    uint32_t level = 0;
    while (level < GSTREAMER_LEVELS && !gstreamer_text_is(word, gstreamer_level_names[level],
                                                          strlen(gstreamer_level_names[level])))
        level++;
    return level;
}

static gstreamer_form fail_broken(const char *what, gstreamer_text found)
{
    oc_fail(OCELOTL_ERROR_INPUT,
            "the %s is \"%.*s\", expected time, process, thread, level, category and "
            "file:line:function: message",
            what, found.length < 40 ? (int)found.length : 40, found.bytes);
    return GSTREAMER_BROKEN;
}

/* Finds the end of "file:line:", behind the first number between colons. */
static const char *find_function(const char *text, const char *end)
{
    for (const char *at = text; at < end && *at != ' '; at++) {
        const char *next = at + 1;
        if (*at != ':')
            continue;
        while (next < end && oc_is_digit(*next))
            next++;
        if (next > at + 1 && next < end && *next == ':')
            return next + 1;
    }
    return NULL;
}

/* The colon that ends a function; those in pairs are part of its name ("a::<b as c>::d"). It may
 * hold blanks ("void a::b(int)"). */
static const char *end_function(const char *text, const char *end)
{
    for (const char *at = text; (at = memchr(at, ':', (size_t)(end - at))) != NULL; at++) {
        const bool ends = at + 1 == end || at[1] == ' ' || at[1] == '<';
        if (ends && (at == text || at[-1] != ':'))
            return at;
    }
    return NULL;
}

/* file:line:function:<object> message */
static gstreamer_form read_place(gstreamer_line *line, const char *text, const char *end)
{
    const char *place = skip_blanks(text, end);
    const char *function = find_function(place, end);
    if (function == NULL)
        return fail_broken("place", read_word(place, end));
    const char *colon = end_function(function, end);
    if (colon == NULL)
        return fail_broken("function", read_word(function, end));
    line->source = (gstreamer_text){place, (size_t)(function - 1 - place)};
    line->function = (gstreamer_text){function, (size_t)(colon - function)};
    line->object = (gstreamer_text){colon + 1, 0};
    const char *message = colon + 1;
    const char *object =
        message < end && *message == '<' ? memmem(message, (size_t)(end - message), "> ", 2) : NULL;
    if (object == NULL && message < end && *message == '<' && end[-1] == '>')
        object = end - 1;
    if (object != NULL) {
        line->object = (gstreamer_text){message + 1, (size_t)(object - message - 1)};
        message = object + 1;
    }
    message += message < end && *message == ' ';
    line->message = (gstreamer_text){message, (size_t)(end - message)};
    return GSTREAMER_MESSAGE;
}

/* Whether a text begins with a time as GStreamer writes them, with nine digits behind the point: no
 * other program does. The time may be none, as 0:00:99.000000000. */
static bool begins_as_message(const char *text, const char *end)
{
    static const char shape[] = ":00:00.000000000";
    const char *at = text;
    while (at < end && at - text < 6 && oc_is_digit(*at))
        at++;
    if (at == text || end - at < (ptrdiff_t)sizeof shape - 1)
        return false;
    for (const char *one = shape; *one != '\0'; at++, one++)
        if (*one == '0' ? !oc_is_digit(*at) : *at != *one)
            return false;
    return at == end || *at == ' ';
}

gstreamer_form gstreamer_line_read(gstreamer_line *line, const char *text, const char *end)
{
    if (!begins_as_message(text, end))
        return GSTREAMER_OTHER;
    const char *at = read_time(&line->time, text, end);
    const gstreamer_text time = read_word(text, end);
    if (at == NULL && behind(time) < end)
        return fail_broken("time", time);
    line->hours = (size_t)((const char *)memchr(text, ':', (size_t)(end - text)) - text);
    line->process = (gstreamer_text){skip_blanks(behind(time), end), 0};
    while (behind(line->process) < end && oc_is_digit(*behind(line->process)))
        line->process.length++;
    if (line->process.length == 0)
        return fail_broken("process", read_word(behind(time), end));
    line->thread = read_word(behind(line->process), end);
    if (!is_thread(line->thread))
        return fail_broken("thread", line->thread);
    const gstreamer_text level = read_word(behind(line->thread), end);
    line->level = find_level(level);
    if (line->level == GSTREAMER_LEVELS)
        return fail_broken("level", level);
    line->category = read_word(behind(level), end);
    if (line->category.length == 0)
        return fail_broken("category", line->category);
    return read_place(line, behind(line->category), end);
}

/* --- Lines in lines */

/* Finds the begin of the time and process before a blank; NULL: none. Digits before the time may
 * belong to the broken line, so the number of digits of hours must be known. */
static const char *find_time(const char *text, const char *blank, ptrdiff_t hours)
{
    const char *at = blank;
    int64_t time;
    while (at > text && at[-1] == ' ')
        at--;
    while (at > text && oc_is_digit(at[-1]))
        at--;
    while (at > text && at[-1] == ' ')
        at--;
    const ptrdiff_t length = hours + 16; /* with :MM:SS.nnnnnnnnn */
    if (at - text < length || read_time(&time, at - length, blank) == NULL)
        return NULL;
    return at - length;
}

const char *gstreamer_line_within(const char *text, const char *end, size_t hours)
{
    for (const char *at = text + 1; at < end; at++) {
        at = memmem(at, (size_t)(end - at), " 0x", 3);
        if (at == NULL)
            return NULL;
        const gstreamer_text thread = read_word(at, end);
        const bool has_level =
            is_thread(thread) && find_level(read_word(behind(thread), end)) < GSTREAMER_LEVELS;
        const char *begin = has_level ? find_time(text + 1, at, (ptrdiff_t)hours) : NULL;
        if (begin != NULL)
            return begin;
    }
    return NULL;
}

#include "base/format/json_scan.h"

#include "base/format/json.h"

#include <string.h>

oc_json_scan oc_json_fail(oc_json_cursor *cursor, const char *expected)
{
    if (cursor->next >= cursor->end)
        return OC_JSON_CUT;
    cursor->expected = expected;
    return OC_JSON_BROKEN;
}

/* Which of eight bytes are a certain one: the highest bit of each. Those above the first may be
 * wrong. */
static uint64_t find_byte(uint64_t eight, uint64_t wanted)
{
    const uint64_t ones = 0x0101010101010101u;
    const uint64_t different = eight ^ wanted * ones;
    return (different - ones) & ~different & ones << 7;
}

/* The next quote or backslash, or a place at the end of the text or behind it. */
static const char *find_special(const char *next, const char *end)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    for (; next < end; next += 8) {
        uint64_t eight;
        memcpy(&eight, next, sizeof eight);
        const uint64_t found = find_byte(eight, '"') | find_byte(eight, '\\');
        if (found != 0)
            return next + (__builtin_ctzll(found) >> 3);
    }
    return next;
#else
    while (next < end && *next != '"' && *next != '\\')
        next++;
    return next;
#endif
}

/* Scans the string that begins here, with its quotes. */
static oc_json_scan json_scan_string(oc_json_item *value, oc_json_cursor *cursor)
{
    const char *begin = cursor->next + 1;
    const char *next = begin;
    value->kind = '"';
    value->escaped = false;
    for (;;) {
        next = find_special(next, cursor->end);
        if (next >= cursor->end)
            return OC_JSON_CUT;
        if (*next == '"')
            break;
        value->escaped = true;
        next += 2;
    }
    value->bytes = begin;
    value->length = (size_t)(next - begin);
    cursor->next = next + 1;
    return OC_JSON_FOUND;
}

static bool is_part_of_number(char letter)
{
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == '-' || letter == '+' ||
           letter == 'e' || letter == 'E';
}

static oc_json_scan scan_number(oc_json_item *value, oc_json_cursor *cursor)
{
    const char *next = cursor->next;
    value->kind = '0';
    value->bytes = next;
    while (is_part_of_number(*next))
        next++;
    value->length = (size_t)(next - value->bytes);
    /* More of it may follow. */
    if (next >= cursor->end)
        return OC_JSON_CUT;
    cursor->next = next;
    return OC_JSON_FOUND;
}

/* JavaScript's other numbers are no JSON, but are written. */
static oc_json_scan scan_word(oc_json_item *value, oc_json_cursor *cursor)
{
    static const char *const words[] = {"true", "false", "null", "NaN", "Infinity", "-Infinity"};
    const size_t left = (size_t)(cursor->end - cursor->next);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t length = strlen(words[i]);
        if (strncmp(cursor->next, words[i], length < left ? length : left) != 0)
            continue;
        if (left <= length)
            return OC_JSON_CUT;
        *value = (oc_json_item){cursor->next, length, 'a', false};
        cursor->next += length;
        return OC_JSON_FOUND;
    }
    return oc_json_fail(cursor, "a value");
}

static oc_json_scan scan_plain(oc_json_item *value, oc_json_cursor *cursor)
{
    const char first = *cursor->next;
    value->escaped = false;
    if (first == '"')
        return json_scan_string(value, cursor);
    if ((first >= '0' && first <= '9') || (first == '-' && cursor->next[1] != 'I'))
        return scan_number(value, cursor);
    return scan_word(value, cursor);
}

/* What is open around a place: for each list or object whether it is an object. */
typedef struct nesting {
    unsigned char objects[OC_JSON_DEEPEST / 8];
    size_t depth;
} nesting;

static bool is_object(const nesting *open)
{
    const size_t last = open->depth - 1;
    return (open->objects[last / 8] >> last % 8 & 1) != 0;
}

static void enter(nesting *open, bool object)
{
    unsigned char *byte = &open->objects[open->depth / 8];
    const unsigned place = open->depth % 8;
    const unsigned before = place == 0 ? 0 : *byte & ((1u << place) - 1);
    *byte = (unsigned char)(before | (object ? 1u << place : 0));
    open->depth++;
}

oc_json_scan oc_json_scan_name(oc_json_item *name, oc_json_cursor *cursor)
{
    oc_json_skip_blanks(cursor);
    if (*cursor->next != '"')
        return oc_json_fail(cursor, "a name in quotes");
    const oc_json_scan found = json_scan_string(name, cursor);
    return found == OC_JSON_FOUND ? oc_json_pass(cursor, ':', "a colon") : found;
}

/* Closes what ends behind a value, and skips the comma before the next one. */
static oc_json_scan pass_ends(nesting *open, oc_json_cursor *cursor)
{
    oc_json_item name;
    while (open->depth > 0) {
        const bool object = is_object(open);
        oc_json_skip_blanks(cursor);
        if (*cursor->next == ',') {
            cursor->next++;
            return object ? oc_json_scan_name(&name, cursor) : OC_JSON_FOUND;
        }
        const oc_json_scan found =
            oc_json_pass(cursor, object ? '}' : ']', object ? "a comma or }" : "a comma or ]");
        if (found != OC_JSON_FOUND)
            return found;
        open->depth--;
    }
    return OC_JSON_FOUND;
}

/* Enters a list or an object as far as its first value, or passes an empty one. */
static oc_json_scan pass_begin(nesting *open, oc_json_cursor *cursor)
{
    oc_json_item name;
    const bool object = *cursor->next == '{';
    if (open->depth == OC_JSON_DEEPEST)
        return oc_json_fail(cursor, "at most 65536 lists and objects inside each other");
    cursor->next++;
    oc_json_skip_blanks(cursor);
    if (*cursor->next == (object ? '}' : ']')) {
        cursor->next++;
        return pass_ends(open, cursor);
    }
    enter(open, object);
    return object ? oc_json_scan_name(&name, cursor) : OC_JSON_FOUND;
}

static oc_json_scan scan_nested(oc_json_item *value, oc_json_cursor *cursor)
{
    nesting open;
    open.depth = 0;
    *value = (oc_json_item){cursor->next, 0, *cursor->next, false};
    do {
        oc_json_item plain;
        oc_json_skip_blanks(cursor);
        const bool nested = *cursor->next == '{' || *cursor->next == '[';
        oc_json_scan found = nested ? pass_begin(&open, cursor) : scan_plain(&plain, cursor);
        if (found == OC_JSON_FOUND && !nested)
            found = pass_ends(&open, cursor);
        if (found != OC_JSON_FOUND)
            return found;
    } while (open.depth > 0);
    value->length = (size_t)(cursor->next - value->bytes);
    return OC_JSON_FOUND;
}

oc_json_scan oc_json_scan_value(oc_json_item *value, oc_json_cursor *cursor)
{
    oc_json_skip_blanks(cursor);
    return *cursor->next == '{' || *cursor->next == '[' ? scan_nested(value, cursor)
                                                        : scan_plain(value, cursor);
}

bool oc_json_next(oc_json_item *key, oc_json_item *value, oc_json_cursor *cursor)
{
    *key = (oc_json_item){0};
    oc_json_skip_blanks(cursor);
    if (*cursor->next == ',') {
        cursor->next++;
        oc_json_skip_blanks(cursor);
    }
    if (cursor->next >= cursor->end || *cursor->next == '}' || *cursor->next == ']' ||
        oc_json_scan_value(value, cursor) != OC_JSON_FOUND)
        return false;
    oc_json_skip_blanks(cursor);
    if (*cursor->next != ':')
        return true;
    *key = *value;
    cursor->next++;
    return oc_json_scan_value(value, cursor) == OC_JSON_FOUND;
}

void oc_json_members(oc_json_item *found, const char *const *names, size_t count,
                     const oc_json_item *object)
{
    oc_json_item key, value;
    memset(found, 0, count * sizeof *found);
    if (object->kind != '{')
        return;
    oc_json_cursor cursor = oc_json_inside(object);
    while (oc_json_next(&key, &value, &cursor))
        for (size_t i = 0; i < count; i++)
            if (oc_json_is(&key, names[i]))
                found[i] = value;
}

/* --- Strings */

void oc_json_decode_item(oc_text *text, const oc_json_item *value)
{
    oc_json_decode(text, value->bytes, value->length, value->escaped);
}

bool oc_json_is(const oc_json_item *value, const char *text)
{
    const size_t length = strlen(text);
    return value->bytes != NULL && value->length == length &&
           memcmp(value->bytes, text, length) == 0;
}

const char *oc_json_find(const char *object, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = object; at != NULL && (at = strstr(at, key)) != NULL; at += length)
        if (at - object >= 2 && at[-1] == '"' && strncmp(at + length, "\":", 2) == 0 &&
            (at[-2] == '{' || at[-2] == ','))
            return at + length + 2;
    return NULL;
}

oc_json_item oc_json_member_of(const oc_json_item *object, const char *name)
{
    oc_json_item found;
    oc_json_members(&found, &name, 1, object);
    return found;
}

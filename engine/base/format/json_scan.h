/* JSON in memory: values found by their place in the text, which is neither copied nor changed. */
#ifndef OC_BASE_FORMAT_JSON_SCAN_H
#define OC_BASE_FORMAT_JSON_SCAN_H

#include "base/text.h"

typedef enum oc_json_scan {
    OC_JSON_FOUND,
    OC_JSON_CUT,   /* the text ends before the value does */
    OC_JSON_BROKEN /* it is no JSON; the cursor says why and where */
} oc_json_scan;

/* A value. Of a string the bytes are those between the quotes; of all else all of it. */
typedef struct oc_json_item {
    const char *bytes; /* NULL: absent */
    size_t length;
    char kind;    /* '"', '{', '[', '0' for a number, 'a' for true, false, null, NaN, Infinity */
    bool escaped; /* the string holds a backslash */
} oc_json_item;

enum {
    /* Bytes behind the end of a text that may be read, and are 0. */
    OC_JSON_MARGIN = 16,
    /* Lists and objects inside each other. */
    OC_JSON_DEEPEST = 1 << 16
};

/* Where a scan is. */
typedef struct oc_json_cursor {
    const char *next, *end;
    const char *expected; /* of what is broken at `next` */
} oc_json_cursor;

/* Passes blanks and line ends. */
static inline void oc_json_skip_blanks(oc_json_cursor *cursor)
{
    const char *next = cursor->next;
    while (*next == ' ' || *next == '\n' || *next == '\r' || *next == '\t')
        next++;
    cursor->next = next;
}

/* Gives CUT at the end of the text, else BROKEN. */
oc_json_scan oc_json_fail(oc_json_cursor *cursor, const char *expected);

/* Passes one character, behind blanks. */
static inline oc_json_scan oc_json_pass(oc_json_cursor *cursor, char wanted, const char *expected)
{
    oc_json_skip_blanks(cursor);
    if (*cursor->next != wanted)
        return oc_json_fail(cursor, expected);
    cursor->next++;
    return OC_JSON_FOUND;
}

/* Scans the name of a member, behind blanks, and passes its colon. */
oc_json_scan oc_json_scan_name(oc_json_item *name, oc_json_cursor *cursor);

/* Scans any value, behind blanks. Lists and objects are checked and passed as they are. */
oc_json_scan oc_json_scan_value(oc_json_item *value, oc_json_cursor *cursor);

/* Takes the next of a list, or the next member of an object, that was scanned: `cursor` is at first
 * behind its bracket. False at its end. */
bool oc_json_next(oc_json_item *key, oc_json_item *value, oc_json_cursor *cursor);

/* Finds one member, as oc_json_members. */
oc_json_item oc_json_member_of(const oc_json_item *object, const char *name);

/* Finds the members of an object by their names, the last of each; those that are absent have no
 * bytes, and what is no object has none. */
void oc_json_members(oc_json_item *found, const char *const *names, size_t count,
                     const oc_json_item *object);

/* What a message shows of a value: arguments of "%.*s". */
#define OC_JSON_SHOWN(item) \
    (item).length < 40 ? (int)(item).length : 40, (item).bytes != NULL ? (item).bytes : ""

/* A cursor behind the bracket of a list or an object. */
static inline oc_json_cursor oc_json_inside(const oc_json_item *nested)
{
    return (oc_json_cursor){nested->bytes + 1, nested->bytes + nested->length, NULL};
}

/* Appends what a value says: a string with its escapes resolved, all else as it stands. What is no
 * character becomes U+FFFD, and so does a NUL. */
void oc_json_decode_item(oc_text *text, const oc_json_item *value);

/* The value behind a key of a flat object without blanks, which may be NULL; NULL: it has none. */
const char *oc_json_find(const char *object, const char *key);

/* Whether a value is a string or a bare value of these bytes. */
bool oc_json_is(const oc_json_item *value, const char *text);

#endif

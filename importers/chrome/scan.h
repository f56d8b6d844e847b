/* JSON in memory: values found by their place in the text, which is neither copied nor changed. */
#ifndef OC_IMPORTERS_CHROME_SCAN_H
#define OC_IMPORTERS_CHROME_SCAN_H

#include "base/text.h"

typedef enum chrome_scan {
    CHROME_FOUND,
    CHROME_CUT,   /* the text ends before the value does */
    CHROME_BROKEN /* it is no JSON; the cursor says why and where */
} chrome_scan;

/* A value. Of a string the bytes are those between the quotes; of all else all of it. */
typedef struct chrome_value {
    const char *bytes; /* NULL: absent */
    size_t length;
    char kind;    /* '"', '{', '[', '0' for a number, 'a' for true, false, null, NaN, Infinity */
    bool escaped; /* the string holds a backslash */
} chrome_value;

enum {
    /* Bytes behind the end of a text that may be read, and are 0. */
    CHROME_MARGIN = 16,
    /* Lists and objects inside each other. */
    CHROME_DEEPEST = 1 << 16
};

/* Where a scan is. */
typedef struct chrome_cursor {
    const char *next, *end;
    const char *expected; /* of what is broken at `next` */
} chrome_cursor;

/* Passes blanks and line ends. */
static inline void chrome_skip_blanks(chrome_cursor *cursor)
{
    const char *next = cursor->next;
    while (*next == ' ' || *next == '\n' || *next == '\r' || *next == '\t')
        next++;
    cursor->next = next;
}

/* Gives CUT at the end of the text, else BROKEN. */
chrome_scan chrome_fail(chrome_cursor *cursor, const char *expected);

/* Passes one character, behind blanks. */
static inline chrome_scan chrome_pass(chrome_cursor *cursor, char wanted, const char *expected)
{
    chrome_skip_blanks(cursor);
    if (*cursor->next != wanted)
        return chrome_fail(cursor, expected);
    cursor->next++;
    return CHROME_FOUND;
}

/* Scans the string that begins here, with its quotes. */
chrome_scan chrome_scan_string(chrome_value *value, chrome_cursor *cursor);

/* Scans any value, behind blanks. Lists and objects are checked and passed as they are. */
chrome_scan chrome_scan_value(chrome_value *value, chrome_cursor *cursor);

/* Appends what a value says: a string with its escapes resolved, all else as it stands. What is no
 * character becomes U+FFFD, and so does a NUL. */
void chrome_decode(oc_text *text, const chrome_value *value);

/* Whether a value is a string or a bare value of these bytes. */
bool chrome_is(const chrome_value *value, const char *text);

#endif

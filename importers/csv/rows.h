/* The rows of a table of text: lines that a separator cuts into fields. */
#ifndef OC_IMPORTERS_CSV_ROWS_H
#define OC_IMPORTERS_CSV_ROWS_H

#include "base/file/input.h"

#include <stdint.h>
#include <string.h>

enum { CSV_LONGEST_ROW = 1 << 24 };

/* A part of a row; it lives until the next row. */
typedef struct csv_field {
    const char *text;
    size_t length;
} csv_field;

static inline bool csv_is(csv_field field, const char *text)
{
    return field.length == strlen(text) && memcmp(field.text, text, field.length) == 0;
}

/* A message's part: what a field says, as far as a message holds it. */
static inline int csv_shown(csv_field field)
{
    return field.length < 64 ? (int)field.length : 64;
}

/* Reads how many states are around one; OCELOTL_NONE: the field is empty. Errors: INPUT. */
ocelotl_status csv_read_depth(uint32_t *depth, csv_field field);

/* Zero-initialised but for `input` and `path` it is at the beginning. */
typedef struct csv_rows {
    oc_input *input;
    const char *path; /* for messages */
    char separator;   /* 0: a row is one field */
    bool has_quotes;  /* a field in quotes may hold separators, line ends and quotes twice */
    bool may_quote;   /* one in quotes may hold separators; all other quotes are text */
    bool is_trimmed;  /* blanks before a field are no part of it */
    uint64_t line;    /* where the row begins, from 1 */
    csv_field *fields;
    size_t field_count, field_capacity;
    uint64_t lines; /* that have been read */
    char *buffer;
    size_t first, filled, capacity;
    size_t row, row_length; /* where the row is in it; quotes are taken off there */
    bool has_begun, has_ended;
    bool is_open;    /* the last row has no line end in the file */
    bool has_nul;    /* the row that is looked for: quotes then mean nothing */
    bool has_header; /* it was given, or there is none: lines before it may be a preamble */
} csv_rows;

/* Reads the next row that is not empty; *found is false at the end. A byte order mark is passed
 * over. Errors: IO; INPUT, without the place, for a row of more than CSV_LONGEST_ROW bytes, which
 * is passed over, for one with a NUL, and for a quote that is not closed. O(length). */
ocelotl_status csv_rows_next(bool *found, csv_rows *rows);

/* Whether a line before the first row is none: a comment (#), or the separator as Excel says it
 * ("sep=;"). */
bool csv_is_preamble(const char *text, size_t length);

/* Cuts a text of its own into fields, as a row. */
ocelotl_status csv_rows_cut(csv_rows *rows, char *text, size_t length);

void csv_rows_free(csv_rows *rows);

#endif

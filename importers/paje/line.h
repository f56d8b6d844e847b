/* Lines of a Paje trace, and the fields in them. */
#ifndef OC_IMPORTERS_PAJE_LINE_H
#define OC_IMPORTERS_PAJE_LINE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The lines of a text, one by one: whole lines, each with its end, and PAJE_BLOCK_MARGIN bytes
 * behind them. Empty if zero-initialised. */
typedef struct paje_lines {
    char *bytes;
    size_t next, end;
    size_t begun; /* where the line begins that was read quickly */
    size_t base;  /* of the 64 bytes whose special ones are in the mask */
    uint64_t mask;
    uint64_t number; /* of the line last given, from 1 */
} paje_lines;

/* A field of a line; a string, since the blank or quote behind it is overwritten. */
typedef struct paje_field {
    const char *text;
    size_t length;
} paje_field;

/* Whether another line follows. */
static inline bool paje_lines_are_there(const paje_lines *lines)
{
    return lines->next < lines->end;
}

/* Begins with a text from `next` on; the line before it was number `number`. */
void paje_lines_begin(paje_lines *lines, char *bytes, size_t next, size_t end, uint64_t number);

/* Whether the next line is empty. */
static inline bool paje_lines_is_empty(const paje_lines *lines)
{
    return lines->bytes[lines->next] == '\n';
}

/* Passes over lines that are empty, which may be all. */
void paje_lines_pass_empty(paje_lines *lines);

enum { PAJE_QUICK_NUMBERS = 100, PAJE_QUICK_FIELDS = 15 };

/* Reads the fields of the next line, if it is plain: its first field is a number below
 * PAJE_QUICK_NUMBERS, it has as many fields as `counts` says for that, at most PAJE_QUICK_FIELDS +
 * 1, and one blank between two. Returns the number; the fields are no strings. For any other line
 * it returns -1 and reads nothing. */
int paje_lines_next_quickly(paje_lines *lines, paje_field *fields,
                            const uint8_t counts[PAJE_QUICK_NUMBERS]);

/* Goes back before the line that was read quickly. */
void paje_lines_back(paje_lines *lines);

/* The next line, which is there, as a string; *has_nul: it is not whole. */
char *paje_lines_next(bool *has_nul, paje_lines *lines);

/* Splits a line at its blanks into at most `most` fields; double quotes hold a field together, and
 * a "#" that begins a field begins a comment. *count is most + 1 if it has more. False: a quote is
 * not closed. */
bool paje_split(paje_field *fields, size_t most, size_t *count, char *line);

#endif

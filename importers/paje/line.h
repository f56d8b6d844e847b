/* Lines of a Paje trace, and the fields in them. */
#ifndef OC_IMPORTERS_PAJE_LINE_H
#define OC_IMPORTERS_PAJE_LINE_H

#include "base/input.h"

/* Reads an input line by line. Zero-initialised but for `input`. */
typedef struct paje_lines {
    oc_input *input;
    char *buffer;
    size_t capacity, first, length; /* what has been read and not yet given */
    bool at_end;
    uint64_t number; /* of the line last given, from 1 */
} paje_lines;

/* The next line without its end, as a string that lives until the next call; *line is NULL at the end. NUL bytes
 * become spaces. Errors: INPUT for a line of more than 16 MiB. */
ocelotl_status paje_lines_next(paje_lines *lines, char **line);
void paje_lines_free(paje_lines *lines);

/* A field of a line; a string, since the blank or quote behind it is overwritten. */
typedef struct paje_field {
    const char *text;
    size_t length;
} paje_field;

/* Splits a line at its blanks into at most `most` fields; double quotes hold a field together, and a "#" that begins
 * a field begins a comment. *count is most + 1 where there are more. False: a quote is not closed. */
bool paje_split(paje_field *fields, size_t most, size_t *count, char *line);

#endif

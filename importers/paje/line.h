/* Lines of a Paje trace, and the fields in them. */
#ifndef OC_IMPORTERS_PAJE_LINE_H
#define OC_IMPORTERS_PAJE_LINE_H

#include "base/input.h"

/* A part of the input in memory. Events refer to texts in it, until all of them have happened. */
typedef struct paje_block {
    char *bytes;
    size_t capacity;
    uint64_t first_event; /* events before this number do not refer to it, */
    uint64_t last_event;  /* nor does this one, or a later one */
} paje_block;

/* Reads an input line by line. Zero-initialised but for `input`. */
typedef struct paje_lines {
    oc_input *input;
    paje_block *blocks; /* a ring, the oldest first; the youngest is the one that is read */
    size_t block_capacity, first_block, block_count;
    char *bytes;      /* of the youngest block */
    size_t begun;     /* where the line begins that was read quickly */
    size_t allocated; /* bytes of memory, in all blocks */
    /* in the youngest block: the line that is next, the end of the last complete line, the end of
     * what has been read */
    size_t next, complete, read;
    size_t base; /* of the 64 bytes whose special ones are in the mask */
    uint64_t mask;
    bool is_small; /* one of many: reads in smaller blocks */
    bool at_end;
    bool skips;      /* what is left of a line that is too long */
    uint64_t number; /* of the line last given, from 1 */
} paje_lines;

/* A field of a line; a string, since the blank or quote behind it is overwritten. */
typedef struct paje_field {
    const char *text;
    size_t length;
} paje_field;

/* The next line as a string, or its fields. */
typedef struct paje_line {
    char *text; /* NULL at the end of the input */
    /* where the line is of plain fields, one blank between two, they are found on the way */
    bool is_split;
    /* of its fields, where it is; at most `most` of paje_lines_next, + 1 where there are more */
    size_t count;
} paje_line;

/* Whether the next line needs a call of paje_lines_read first. */
static inline bool paje_lines_are_read(const paje_lines *lines)
{
    return lines->next < lines->complete;
}

/* Reads on: there are lines then, or the input is at its end. `made` events have been made of the
 * lines so far. Blocks that no event refers to, or whose events have all happened (those before
 * number `happened`), are used again. NUL bytes become spaces. A line that is cut where compressed
 * data ends too early is left out. Errors: those of oc_input_read; INPUT without the place, and
 * *too_long, for a line of more than 16 MiB, after which the rest can be read. */
ocelotl_status paje_lines_read(paje_lines *lines, uint64_t made, uint64_t happened, bool *too_long);

/* Frees what is older than the lines that are next: no event refers to it any more. */
void paje_lines_release(paje_lines *lines, uint64_t made);

/* Whether the next line, which has been read, is empty. */
static inline bool paje_lines_is_empty(const paje_lines *lines)
{
    return lines->bytes[lines->next] == '\n';
}

/* Passes over lines that are empty, which may be all that have been read. */
void paje_lines_pass_empty(paje_lines *lines);

enum { PAJE_QUICK_NUMBERS = 100, PAJE_QUICK_FIELDS = 15 };

/* Reads the fields of the next line where the first is a number below PAJE_QUICK_NUMBERS, they are
 * as many as `counts` says for that, PAJE_QUICK_FIELDS and one at most, and there is one blank
 * between two. Returns the number; the fields are no strings. For any other line it returns -1 and
 * reads nothing. */
int paje_lines_next_quickly(paje_lines *lines, paje_field *fields,
                            const uint8_t counts[PAJE_QUICK_NUMBERS]);

/* Goes back before the line that was read quickly. */
void paje_lines_back(paje_lines *lines);

/* The next of the lines that have been read; text is NULL where there is none. */
void paje_lines_next(paje_line *line, paje_lines *lines, paje_field *fields, size_t most);
void paje_lines_free(paje_lines *lines);

/* Splits a line at its blanks into at most `most` fields; double quotes hold a field together, and
 * a "#" that begins a field begins a comment. *count is most + 1 where there are more. False: a
 * quote is not closed. */
bool paje_split(paje_field *fields, size_t most, size_t *count, char *line);

#endif

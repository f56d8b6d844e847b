/* Rows of a table that somebody may have edited: every cell is of its type and in its range, or the
 * row is refused. */
#ifndef OC_STORE_FILE_ROW_H
#define OC_STORE_FILE_ROW_H

#include "store/file/database.h"

/* What a statement is at; messages name the file and the row. */
typedef struct oc_row {
    sqlite3_stmt *statement;
    const char *path;
    const char *what; /* "resource", .. */
    int64_t number;   /* and which */
    /* bytes that texts may still have: all of them lie in the file, each once */
    uint64_t *text_left;
} oc_row;

/* An integer from `least` to `most`. Errors: INPUT, here and below. */
ocelotl_status oc_row_integer(int64_t *integer, const oc_row *row, int column, int64_t least,
                              int64_t most);

/* The same, 0 or more. */
ocelotl_status oc_row_count(uint64_t *count, const oc_row *row, int column);

/* An index below `count`; where `optional`, NULL is OCELOTL_NONE. */
ocelotl_status oc_row_index(uint32_t *index, const oc_row *row, int column, uint32_t count,
                            bool optional);

/* 0xRRGGBB, -1 for NULL. */
ocelotl_status oc_row_colour(int32_t *colour, const oc_row *row, int column);

/* A text, as valid UTF-8, freed by free. */
ocelotl_status oc_row_text(char **text, const oc_row *row, int column);

/* Fails: "PATH: is damaged: COLUMN of WHAT NUMBER is ..". */
ocelotl_status oc_row_fail(const oc_row *row, int column, const char *what);

#endif

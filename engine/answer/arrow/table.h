/* A table that is read as a stream of batches. */
#ifndef OC_ANSWER_ARROW_TABLE_H
#define OC_ANSWER_ARROW_TABLE_H

#include "answer/arrow/columns.h"

/* Names by index. */
typedef struct oc_names {
    size_t count;
    const char *(*at)(const void *source, uint32_t index);
    const void *source;
} oc_names;

/* A column of a table. Columns with the same names share a dictionary. */
typedef struct oc_heading {
    const char *name; /* copied */
    oc_arrow_kind kind;
    bool only_csv;    /* the column is in CSV alone */
    oc_names names;   /* of cells that are names */
    const char *unit; /* of numbers, for people: "s", "share" in percent; NULL: none */
} oc_heading;

/* Where the rows come from. */
typedef struct oc_row_source {
    void *state;  /* what the functions work on; copied */
    size_t size;  /* of it */
    size_t count; /* of rows; SIZE_MAX: unknown */
    /* Adds the cells of a row by its index, if the number of rows is known, */
    void (*add)(oc_batch *batch, void *state, size_t row);
    /* or adds rows until the batch is full or none is left. */
    ocelotl_status (*fill)(oc_batch *batch, void *state);
    void (*free)(void *state); /* frees what the state owns; NULL: nothing */
} oc_row_source;

/* Makes a stream, which takes what the state of the rows has in any case. */
ocelotl_status oc_table_make(struct ArrowArrayStream *stream, const oc_heading *headings,
                             uint32_t count, const oc_row_source *rows,
                             const ocelotl_arrow_options *options);

/* Ends what a stream that could not be made would have taken, and gives `status`. */
ocelotl_status oc_table_fail(ocelotl_status status, const oc_row_source *rows,
                             const ocelotl_arrow_options *options);

#endif

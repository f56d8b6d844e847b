/* A table that is read as a stream of batches. */
#ifndef OC_ANSWER_ARROW_TABLE_H
#define OC_ANSWER_ARROW_TABLE_H

#include "answer/arrow/columns.h"

/* A column of a table. */
typedef struct oc_heading {
    const char *name; /* copied */
    oc_arrow_kind kind;
    oc_name_list *dictionary; /* of names; the stream takes it */
} oc_heading;

/* Where the rows come from. */
typedef struct oc_row_source {
    /* Adds rows until the batch is full or none is left. */
    ocelotl_status (*fill)(oc_batch *batch, void *source);
    void (*free)(void *source); /* NULL: nothing is to be freed */
    void *source;
    size_t count; /* how many there are, SIZE_MAX: nobody knows */
} oc_row_source;

/* Makes a stream, which takes dictionaries and rows in any case. */
ocelotl_status oc_table_make(struct ArrowArrayStream *stream, const oc_heading *headings,
                             uint32_t count, const oc_row_source *rows,
                             const ocelotl_arrow_options *options);

/* Ends what a stream that could not be made would have taken, and gives `status`. */
ocelotl_status oc_table_fail(ocelotl_status status, const oc_heading *headings, uint32_t count,
                             const oc_row_source *rows, const ocelotl_arrow_options *options);

#endif

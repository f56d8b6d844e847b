/* Rows as columns, each in the memory that the Arrow C data interface wants. */
#ifndef OC_ANSWER_ARROW_COLUMNS_H
#define OC_ANSWER_ARROW_COLUMNS_H

#include "base/text.h"

#include <ocelotl/arrow.h>

#include <string.h>

/* What the cells of a column are. */
typedef enum oc_arrow_kind {
    OC_CELL_INDEX,   /* uint32_t */
    OC_CELL_COUNT,   /* uint64_t */
    OC_CELL_INTEGER, /* int64_t */
    OC_CELL_NUMBER,  /* double */
    OC_CELL_FLAG,    /* a bit */
    OC_CELL_TEXT,    /* int32_t offsets into valid UTF-8 */
    OC_CELL_BYTES,   /* the same of any bytes */
    OC_CELL_NAME     /* int32_t into a dictionary */
} oc_arrow_kind;

/* --- Dictionaries: names that all batches of a stream share. They are counted. */

typedef struct oc_name_list oc_name_list;

/* Makes one of `count` names; equal ones are the same. */
ocelotl_status oc_name_list_make(oc_name_list **dictionary, size_t count,
                                 const char *(*name_at)(const void *source, uint32_t index),
                                 const void *source);
void oc_name_list_free(oc_name_list *dictionary);

/* Shares a list with one more owner, which frees it. */
oc_name_list *oc_name_list_share(oc_name_list *dictionary);

/* Where in the dictionary the name of each index stands. */
const int32_t *oc_name_list_places(const oc_name_list *dictionary);

/* --- Columns */

typedef struct oc_arrow_column {
    const char *name; /* lasts as long as the table */
    oc_arrow_kind kind;
    oc_name_list *dictionary; /* of names; the table's */
    void *cells;              /* by kind; of texts the offsets, one more than rows */
    unsigned char *valid;     /* a bit for each row; NULL: none is null */
    oc_text text;             /* of texts */
    size_t nulls;
} oc_arrow_column;

/* Rows that are on their way out. */
typedef struct oc_batch {
    oc_arrow_column *columns;
    uint32_t column_count;
    size_t rows, most;
    bool failed;   /* for want of memory, */
    bool too_long; /* or as the text of a column does not fit its offsets */
    uint32_t at;   /* the column that the next cell goes to */
    size_t text;   /* bytes, in all columns */
} oc_batch;

/* Makes room for `most` rows. */
ocelotl_status oc_batch_begin(oc_batch *batch, size_t most);

/* Moves the rows into an array, or gives what is there back. */
ocelotl_status oc_batch_end(struct ArrowArray *array, oc_batch *batch);
void oc_batch_drop(oc_batch *batch);

/* Whether the rows are as many as a batch takes. */
static inline bool oc_batch_is_full(const oc_batch *batch)
{
    enum { MOST_TEXT = 1 << 30 };
    return batch->rows == batch->most || batch->text >= MOST_TEXT || batch->failed ||
           batch->too_long;
}

/* Adds cells, column after column, then ends the row. */
static inline oc_arrow_column *oc_batch_next(oc_batch *batch)
{
    return &batch->columns[batch->at++];
}

static inline void oc_add_index(oc_batch *batch, uint32_t number)
{
    ((uint32_t *)oc_batch_next(batch)->cells)[batch->rows] = number;
}

static inline void oc_add_count(oc_batch *batch, uint64_t number)
{
    ((uint64_t *)oc_batch_next(batch)->cells)[batch->rows] = number;
}

static inline void oc_add_integer(oc_batch *batch, int64_t number)
{
    ((int64_t *)oc_batch_next(batch)->cells)[batch->rows] = number;
}

static inline void oc_add_number(oc_batch *batch, double number)
{
    ((double *)oc_batch_next(batch)->cells)[batch->rows] = number;
}

static inline void oc_add_name(oc_batch *batch, uint32_t index)
{
    oc_arrow_column *column = oc_batch_next(batch);
    ((int32_t *)column->cells)[batch->rows] = oc_name_list_places(column->dictionary)[index];
}

/* The cells of the next column from the present row on, for the caller to write. */
static inline void *oc_next_cells(oc_batch *batch, size_t size)
{
    return (char *)oc_batch_next(batch)->cells + batch->rows * size;
}

/* Adds nulls to the next column, one for each of the rows that oc_end_rows ends. */
void oc_add_nulls(oc_batch *batch, size_t count);

void oc_add_flag(oc_batch *batch, bool flag);
void oc_add_text(oc_batch *batch, const char *bytes, size_t length);
void oc_add_null(oc_batch *batch);

/* The same where the cell may be missing. */
static inline void oc_add_optional_name(oc_batch *batch, uint32_t index)
{
    if (index == OCELOTL_NONE)
        oc_add_null(batch);
    else
        oc_add_name(batch, index);
}

static inline void oc_add_optional_text(oc_batch *batch, const char *text)
{
    if (text == NULL)
        oc_add_null(batch);
    else
        oc_add_text(batch, text, strlen(text));
}

static inline void oc_add_optional_number(oc_batch *batch, bool is_there, double number)
{
    if (is_there)
        oc_add_number(batch, number);
    else
        oc_add_null(batch);
}

static inline void oc_add_optional_index(oc_batch *batch, bool is_there, uint32_t number)
{
    if (is_there)
        oc_add_index(batch, number);
    else
        oc_add_null(batch);
}

/* Ends rows that have been written column by column; the batch has room for them. */
static inline void oc_end_rows(oc_batch *batch, size_t count)
{
    batch->rows += count;
    batch->at = 0;
}

static inline void oc_end_row(oc_batch *batch)
{
    oc_end_rows(batch, 1);
}

#endif

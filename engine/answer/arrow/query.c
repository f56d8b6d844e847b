/* The rows of a query. SQL gives each cell a type of its own, a column has one: that which all of
 * its cells can be. So all rows are read before the first is given. */
#include "answer/arrow/table.h"
#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stdlib.h>

/* A cell as it came. */
typedef struct kept_cell {
    ocelotl_sql_kind kind;
    union {
        int64_t integer;
        double number;
        size_t length; /* of the text */
    } is;
} kept_cell;

typedef struct kept_column {
    kept_cell *cells;
    size_t capacity;
    oc_text text;     /* of all cells, one behind the other */
    size_t text_next; /* the first byte that was not given */
    bool has[OCELOTL_SQL_BLOB + 1];
} kept_column;

typedef struct kept_rows {
    kept_column *columns;
    uint32_t column_count;
    size_t rows;
} kept_rows;

enum { MOST_TEXT = 1 << 30 };

static void free_rows(void *state)
{
    kept_rows *of = state;
    for (uint32_t c = 0; of->columns != NULL && c < of->column_count; c++) {
        free(of->columns[c].cells);
        oc_text_free(&of->columns[c].text);
    }
    free(of->columns);
}

/* --- Reading */

static ocelotl_status keep_text(kept_column *column, const ocelotl_sql_cell *cell, const char *name)
{
    oc_text_append(&column->text, cell->text, cell->length);
    if (column->text.length > MOST_TEXT)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "column \"%s\" has more than 1 GiB of text, expected a narrower query",
                       name);
    return column->text.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status keep_cell(kept_column *column, size_t row, const ocelotl_sql_cell *cell,
                                const char *name)
{
    OC_TRY(oc_grow(&column->cells, &column->capacity, row + 1, sizeof *column->cells));
    kept_cell *kept = &column->cells[row];
    *kept = (kept_cell){.kind = cell->kind};
    column->has[cell->kind] = true;
    if (cell->kind == OCELOTL_SQL_INTEGER)
        kept->is.integer = cell->integer;
    else if (cell->kind == OCELOTL_SQL_NUMBER)
        kept->is.number = cell->number;
    else if (cell->kind != OCELOTL_SQL_NULL) {
        kept->is.length = cell->length;
        OC_TRY(keep_text(column, cell, name));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_rows(kept_rows *of, ocelotl_query *query)
{
    bool found = false;
    of->column_count = ocelotl_query_column_count(query);
    OC_TRY(oc_allocate(&of->columns, of->column_count, sizeof *of->columns));
    OC_TRY(ocelotl_query_next(&found, query));
    for (; found; of->rows++) {
        for (uint32_t c = 0; c < of->column_count; c++) {
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
            OC_TRY(keep_cell(&of->columns[c], of->rows, &cell, ocelotl_query_column_at(query, c)));
        }
        OC_TRY(ocelotl_query_next(&found, query));
    }
    return OCELOTL_OK;
}

/* --- Giving */

static oc_arrow_kind kind_of(const kept_column *column)
{
    if (column->has[OCELOTL_SQL_BLOB])
        return OC_CELL_BYTES;
    if (column->has[OCELOTL_SQL_TEXT])
        return OC_CELL_TEXT;
    if (column->has[OCELOTL_SQL_NUMBER])
        return OC_CELL_NUMBER;
    return column->has[OCELOTL_SQL_INTEGER] ? OC_CELL_INTEGER : OC_CELL_TEXT;
}

/* A number in a column of texts is written as in CSV. */
static void add_number_as_text(oc_batch *batch, const kept_cell *cell)
{
    char text[32];
    if (cell->kind == OCELOTL_SQL_INTEGER) {
        oc_plain_print(text, sizeof text, "%" PRId64, cell->is.integer);
        oc_add_optional_text(batch, text);
    } else {
        oc_add_optional_text(batch, oc_digits(cell->is.number).text);
    }
}

static void add_cell(oc_batch *batch, kept_column *column, size_t row)
{
    const kept_cell *cell = &column->cells[row];
    const oc_arrow_kind kind = batch->columns[batch->at].kind;
    if (cell->kind == OCELOTL_SQL_NULL) {
        oc_add_null(batch);
    } else if (cell->kind == OCELOTL_SQL_TEXT || cell->kind == OCELOTL_SQL_BLOB) {
        const char *bytes = column->text.bytes != NULL ? column->text.bytes : "";
        oc_add_text(batch, bytes + column->text_next, cell->is.length);
        column->text_next += cell->is.length;
    } else if (kind == OC_CELL_TEXT || kind == OC_CELL_BYTES) {
        add_number_as_text(batch, cell);
    } else if (kind == OC_CELL_NUMBER) {
        oc_add_number(batch, cell->kind == OCELOTL_SQL_INTEGER ? (double)cell->is.integer
                                                               : cell->is.number);
    } else {
        oc_add_integer(batch, cell->is.integer);
    }
}

static void add_row(oc_batch *batch, void *state, size_t row)
{
    const kept_rows *of = state;
    for (uint32_t c = 0; c < of->column_count; c++)
        add_cell(batch, &of->columns[c], row);
}

static ocelotl_status make_table(struct ArrowArrayStream *stream, const ocelotl_query *query,
                                 const kept_rows *of, const oc_row_source *rows,
                                 const ocelotl_arrow_options *options)
{
    oc_heading *headings = NULL;
    ocelotl_status status = oc_allocate(&headings, of->column_count, sizeof *headings);
    if (status != OCELOTL_OK)
        return oc_table_fail(status, rows, options);
    for (uint32_t c = 0; c < of->column_count; c++)
        headings[c] = (oc_heading){.name = ocelotl_query_column_at(query, c),
                                   .kind = kind_of(&of->columns[c])};
    status = oc_table_make(stream, headings, of->column_count, rows, options);
    free(headings);
    return status;
}

ocelotl_status ocelotl_query_to_arrow(struct ArrowArrayStream *stream, ocelotl_query *query,
                                      const ocelotl_arrow_options *options)
{
    kept_rows of = {0};
    const ocelotl_status status = read_rows(&of, query);
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = of.rows, .add = add_row, .free = free_rows};
    return status != OCELOTL_OK ? oc_table_fail(status, &rows, options)
                                : make_table(stream, query, &of, &rows, options);
}

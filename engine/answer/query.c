/* The answer to a query in SQL, which goes out as its rows are found; but as Arrow. */
#include "answer/table.h"
#include "base/memory.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const ocelotl_sql_cell *cell)
{
    return cell->kind == OCELOTL_SQL_INTEGER || cell->kind == OCELOTL_SQL_NUMBER;
}

static void add_number(oc_text *text, const ocelotl_sql_cell *cell)
{
    if (cell->kind == OCELOTL_SQL_INTEGER)
        oc_text_format(text, "%" PRId64, cell->integer);
    else
        oc_text_add(text, oc_digits(cell->number).text);
}

/* --- CSV and JSON: the first row is asked for before anything is written, so that what cannot be
 * read leaves no part */

static ocelotl_status add_rows(oc_csv_table *table, ocelotl_query *query)
{
    const uint32_t columns = ocelotl_query_column_count(query);
    bool found = true;
    OC_TRY(ocelotl_query_next(&found, query));
    for (uint32_t c = 0; c < columns; c++)
        oc_csv_text(table, ocelotl_query_column_at(query, c));
    oc_csv_end_row(table);
    while (found && table->out.status == OCELOTL_OK) {
        for (uint32_t c = 0; c < columns; c++) {
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
            if (is_number(&cell))
                add_number(oc_csv_cell(table), &cell);
            else
                oc_csv_bytes(table, cell.text, cell.length);
        }
        oc_csv_end_row(table);
        OC_TRY(ocelotl_query_next(&found, query));
    }
    return OCELOTL_OK;
}

static ocelotl_status add_objects(oc_json *json, ocelotl_query *query)
{
    bool found = true;
    OC_TRY(ocelotl_query_next(&found, query));
    oc_json_list(json, NULL);
    for (uint64_t rows = 0; found && json->out.status == OCELOTL_OK; rows++) {
        if (rows > 0)
            oc_json_line(json, 1);
        oc_json_object(json, NULL);
        for (uint32_t c = 0; c < ocelotl_query_column_count(query); c++) {
            const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
            const char *name = ocelotl_query_column_at(query, c);
            if (cell.kind == OCELOTL_SQL_NULL)
                oc_json_null(json, name);
            else if (cell.kind == OCELOTL_SQL_INTEGER)
                oc_json_ticks(json, name, cell.integer);
            else if (cell.kind == OCELOTL_SQL_NUMBER)
                oc_json_number(json, name, cell.number);
            else
                oc_json_text(json, name, cell.text);
        }
        oc_json_end_object(json);
        OC_TRY(ocelotl_query_next(&found, query));
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

/* --- Text, for people */

/* The columns of a table are as wide as the first rows need; more are not kept. */
enum { ROWS_KEPT = 1000, WIDEST_COLUMN = 100 };

typedef struct shown_cell {
    char *text;
    bool right; /* numbers are aligned on the right */
} shown_cell;

typedef struct text_table {
    shown_cell *cells; /* row by row */
    size_t *widths;
    size_t rows;
    uint32_t columns;
    bool begun; /* the widths are fixed and the first rows printed */
} text_table;

static ocelotl_status show_row(text_table *table, const ocelotl_query *query)
{
    shown_cell *row = &table->cells[table->rows++ * table->columns];
    for (uint32_t c = 0; c < table->columns; c++) {
        const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
        oc_output out = {.sink = NULL};
        row[c].right = is_number(&cell);
        oc_output_append(&out, "", 0);
        if (cell.kind == OCELOTL_SQL_NUMBER)
            oc_text_add(&out.text, oc_short_digits(cell.number, DBL_DIG).text);
        else if (row[c].right)
            add_number(&out.text, &cell);
        else
            oc_output_append_visible(&out, cell.text, cell.length);
        row[c].text = out.text.bytes;
        if (out.text.failed || out.status != OCELOTL_OK)
            return oc_fail_memory();
        const size_t width = oc_visible_width(row[c].text);
        if (!table->begun && width > table->widths[c])
            table->widths[c] = width;
    }
    return OCELOTL_OK;
}

static void print_padded(oc_output *out, const text_table *table, uint32_t column, const char *text,
                         bool right)
{
    const size_t width = oc_visible_width(text);
    const int padding = width < table->widths[column] ? (int)(table->widths[column] - width) : 0;
    const bool last = column + 1 == table->columns;
    oc_output_format(out, "%*s", right ? padding : 0, "");
    oc_output_add_visible(out, text);
    oc_output_format(out, "%*s%s", right || last ? 0 : padding, "", last ? "\n" : "  ");
}

/* Prints the rows that are kept, the first ones below their heads. */
static void print_rows(oc_output *out, text_table *table, const ocelotl_query *query)
{
    char rule[WIDEST_COLUMN + 1];
    for (uint32_t c = 0; c < table->columns && !table->begun; c++) {
        if (table->widths[c] > WIDEST_COLUMN)
            table->widths[c] = WIDEST_COLUMN;
        print_padded(out, table, c, ocelotl_query_column_at(query, c), false);
    }
    for (uint32_t c = 0; c < table->columns && !table->begun; c++) {
        memset(rule, '-', table->widths[c]);
        rule[table->widths[c]] = '\0';
        print_padded(out, table, c, rule, false);
    }
    for (size_t i = 0; i < table->rows * table->columns; i++) {
        shown_cell *cell = &table->cells[i];
        print_padded(out, table, (uint32_t)(i % table->columns), cell->text, cell->right);
        free(cell->text);
        cell->text = NULL;
    }
    table->begun = true;
    table->rows = 0;
}

static ocelotl_status print_all(oc_output *out, text_table *table, ocelotl_query *query)
{
    bool found = true;
    OC_TRY(oc_allocate(&table->widths, table->columns, sizeof *table->widths));
    OC_TRY(oc_allocate(&table->cells, (size_t)table->columns * ROWS_KEPT, sizeof *table->cells));
    for (uint32_t c = 0; c < table->columns; c++)
        table->widths[c] = oc_visible_width(ocelotl_query_column_at(query, c));
    while (found && out->status == OCELOTL_OK) {
        OC_TRY(ocelotl_query_next(&found, query));
        if (found)
            OC_TRY(show_row(table, query));
        if (!found || table->rows == ROWS_KEPT)
            print_rows(out, table, query);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_query_write(const ocelotl_sink *sink, ocelotl_form form,
                                   ocelotl_query *query)
{
    oc_json json = {.out = {.sink = sink}};
    oc_csv_table csv = {.out = {.sink = sink}};
    oc_output out = {.sink = sink};
    text_table table = {.columns = ocelotl_query_column_count(query)};
    if (form == OCELOTL_FORM_JSON)
        return oc_json_finish(&json, oc_output_send(&json.out, add_objects(&json, query)));
    if (form == OCELOTL_FORM_CSV)
        return oc_csv_finish(&csv, oc_output_send(&csv.out, add_rows(&csv, query)));
    const ocelotl_status status =
        oc_output_end(&out, oc_output_send(&out, print_all(&out, &table, query)));
    for (size_t i = 0; table.cells != NULL && i < (size_t)table.columns * ROWS_KEPT; i++)
        free(table.cells[i].text);
    free(table.cells);
    free(table.widths);
    return status;
}

/* --- Arrow. SQL gives each cell a type of its own, a column has one: that which all of its cells
 * can be. So all rows are read before the first is given. */

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
    if (is_number(cell) || cell->kind == OCELOTL_SQL_NULL)
        return OCELOTL_OK;
    kept->is.length = cell->length;
    oc_text_append(&column->text, cell->text, cell->length);
    if (column->text.length > MOST_TEXT)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "column \"%s\" has more than 1 GiB of text, expected a narrower query",
                       name);
    return column->text.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status keep_rows(kept_rows *of, ocelotl_query *query)
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

/* A number in a column of texts is written as in CSV. */
static void give_cell(oc_batch *batch, kept_column *column, size_t row)
{
    const kept_cell *cell = &column->cells[row];
    const oc_arrow_kind kind = batch->columns[batch->at].kind;
    const bool is_integer = cell->kind == OCELOTL_SQL_INTEGER;
    if (cell->kind == OCELOTL_SQL_NULL) {
        oc_add_null(batch);
    } else if (cell->kind == OCELOTL_SQL_TEXT || cell->kind == OCELOTL_SQL_BLOB) {
        const char *bytes = column->text.bytes != NULL ? column->text.bytes : "";
        oc_add_text(batch, bytes + column->text_next, cell->is.length);
        column->text_next += cell->is.length;
    } else if (kind == OC_CELL_TEXT || kind == OC_CELL_BYTES) {
        char text[32];
        oc_plain_print(text, sizeof text, "%" PRId64, is_integer ? cell->is.integer : 0);
        oc_add_optional_text(batch, is_integer ? text : oc_digits(cell->is.number).text);
    } else if (kind == OC_CELL_NUMBER) {
        oc_add_number(batch, is_integer ? (double)cell->is.integer : cell->is.number);
    } else {
        oc_add_integer(batch, cell->is.integer);
    }
}

static void give_row(oc_batch *batch, void *state, size_t row)
{
    const kept_rows *of = state;
    for (uint32_t c = 0; c < of->column_count; c++)
        give_cell(batch, &of->columns[c], row);
}

ocelotl_status ocelotl_query_to_arrow(struct ArrowArrayStream *stream, ocelotl_query *query,
                                      const ocelotl_arrow_options *options)
{
    kept_rows of = {0};
    oc_heading *headings = NULL;
    ocelotl_status status = keep_rows(&of, query);
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = of.rows, .add = give_row, .free = free_rows};
    if (status == OCELOTL_OK)
        status = oc_allocate(&headings, of.column_count, sizeof *headings);
    if (status != OCELOTL_OK)
        return oc_table_fail(status, &rows, options);
    for (uint32_t c = 0; c < of.column_count; c++) {
        const bool *has = of.columns[c].has;
        headings[c] = (oc_heading){.name = ocelotl_query_column_at(query, c),
                                   .kind = has[OCELOTL_SQL_BLOB]      ? OC_CELL_BYTES
                                           : has[OCELOTL_SQL_TEXT]    ? OC_CELL_TEXT
                                           : has[OCELOTL_SQL_NUMBER]  ? OC_CELL_NUMBER
                                           : has[OCELOTL_SQL_INTEGER] ? OC_CELL_INTEGER
                                                                      : OC_CELL_TEXT};
    }
    status = oc_table_make(stream, headings, of.column_count, &rows, options);
    free(headings);
    return status;
}

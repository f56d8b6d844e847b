/* The answer to a query in SQL, which goes out as its rows are found. */
#include "answer/answer.h"

#include "base/memory.h"
#include "base/plain.h"
#include "base/visible.h"

#include <ocelotl/query.h>

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

/* --- CSV */

static void add_head(oc_csv_table *table, const ocelotl_query *query)
{
    for (uint32_t c = 0; c < ocelotl_query_column_count(query); c++)
        oc_csv_text(table, ocelotl_query_column_at(query, c));
    oc_csv_end_row(table);
}

static void add_row(oc_csv_table *table, const ocelotl_query *query)
{
    for (uint32_t c = 0; c < ocelotl_query_column_count(query); c++) {
        const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
        if (is_number(&cell))
            add_number(oc_csv_cell(table), &cell);
        else
            oc_csv_bytes(table, cell.text, cell.length);
    }
    oc_csv_end_row(table);
}

/* The first row is asked for before anything is written: what cannot be read leaves no part. */
static ocelotl_status add_rows(oc_csv_table *table, ocelotl_query *query)
{
    bool found = true;
    OC_TRY(ocelotl_query_next(&found, query));
    add_head(table, query);
    while (found && table->out.status == OCELOTL_OK) {
        add_row(table, query);
        OC_TRY(ocelotl_query_next(&found, query));
    }
    return OCELOTL_OK;
}

static ocelotl_status write_as_csv(const ocelotl_sink *sink, ocelotl_query *query)
{
    oc_csv_table table = {.out = {.sink = sink}};
    return oc_csv_finish(&table, oc_output_send(&table.out, add_rows(&table, query)));
}

/* --- JSON */

static void add_object(oc_json *json, const ocelotl_query *query)
{
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
}

static ocelotl_status add_objects(oc_json *json, ocelotl_query *query)
{
    bool found = true;
    OC_TRY(ocelotl_query_next(&found, query));
    oc_json_list(json, NULL);
    for (uint64_t rows = 0; found && json->out.status == OCELOTL_OK; rows++) {
        if (rows > 0)
            oc_json_line(json, 1);
        add_object(json, query);
        OC_TRY(ocelotl_query_next(&found, query));
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status write_as_json(const ocelotl_sink *sink, ocelotl_query *query)
{
    oc_json json = {.out = {.sink = sink}};
    return oc_json_finish(&json, oc_output_send(&json.out, add_objects(&json, query)));
}

/* --- Text, for people */

/* The columns of a table are as wide as the first rows need; more are not kept. */
enum { ROWS_KEPT = 1000, WIDEST_COLUMN = 100 };

typedef struct kept_cell {
    char *text;
    bool right; /* numbers are aligned on the right */
} kept_cell;

typedef struct text_table {
    kept_cell *cells; /* row by row */
    size_t *widths;
    size_t rows;
    uint32_t columns;
    bool begun; /* the widths are fixed and the first rows printed */
} text_table;

static ocelotl_status begin_table(text_table *table, const ocelotl_query *query)
{
    table->columns = ocelotl_query_column_count(query);
    OC_TRY(oc_allocate(&table->widths, table->columns, sizeof *table->widths));
    OC_TRY(oc_allocate(&table->cells, (size_t)table->columns * ROWS_KEPT, sizeof *table->cells));
    for (uint32_t c = 0; c < table->columns; c++)
        table->widths[c] = oc_visible_width(ocelotl_query_column_at(query, c));
    return OCELOTL_OK;
}

static void free_table(text_table *table)
{
    for (size_t i = 0; table->cells != NULL && i < (size_t)table->columns * ROWS_KEPT; i++)
        free(table->cells[i].text);
    free(table->cells);
    free(table->widths);
}

static ocelotl_status keep_cell(kept_cell *kept, const ocelotl_sql_cell *cell)
{
    oc_output out = {.sink = NULL};
    kept->right = is_number(cell);
    oc_output_append(&out, "", 0);
    if (cell->kind == OCELOTL_SQL_NUMBER)
        oc_text_add(&out.text, oc_short_digits(cell->number, DBL_DIG).text);
    else if (kept->right)
        add_number(&out.text, cell);
    else
        oc_output_append_visible(&out, cell->text, cell->length);
    kept->text = out.text.bytes;
    if (out.text.failed || out.status != OCELOTL_OK)
        return oc_fail_memory();
    return OCELOTL_OK;
}

static ocelotl_status keep_row(text_table *table, const ocelotl_query *query)
{
    kept_cell *row = &table->cells[table->rows * table->columns];
    for (uint32_t c = 0; c < table->columns; c++) {
        const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
        OC_TRY(keep_cell(&row[c], &cell));
        const size_t width = oc_visible_width(row[c].text);
        if (!table->begun && width > table->widths[c])
            table->widths[c] = width;
    }
    table->rows++;
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

static void print_head(oc_output *out, text_table *table, const ocelotl_query *query)
{
    char rule[WIDEST_COLUMN + 1];
    for (uint32_t c = 0; c < table->columns; c++) {
        if (table->widths[c] > WIDEST_COLUMN)
            table->widths[c] = WIDEST_COLUMN;
        print_padded(out, table, c, ocelotl_query_column_at(query, c), false);
    }
    for (uint32_t c = 0; c < table->columns; c++) {
        memset(rule, '-', table->widths[c]);
        rule[table->widths[c]] = '\0';
        print_padded(out, table, c, rule, false);
    }
    table->begun = true;
}

static void print_rows(oc_output *out, text_table *table)
{
    for (size_t i = 0; i < table->rows * table->columns; i++) {
        kept_cell *cell = &table->cells[i];
        print_padded(out, table, (uint32_t)(i % table->columns), cell->text, cell->right);
        free(cell->text);
        cell->text = NULL;
    }
    table->rows = 0;
}

static ocelotl_status print_all(oc_output *out, text_table *table, ocelotl_query *query)
{
    bool found = true;
    OC_TRY(begin_table(table, query));
    while (found && out->status == OCELOTL_OK) {
        OC_TRY(ocelotl_query_next(&found, query));
        if (found)
            OC_TRY(keep_row(table, query));
        if (found && table->rows < ROWS_KEPT)
            continue;
        if (!table->begun)
            print_head(out, table, query);
        print_rows(out, table);
    }
    return OCELOTL_OK;
}

static ocelotl_status write_as_text(const ocelotl_sink *sink, ocelotl_query *query)
{
    text_table table = {0};
    oc_output out = {.sink = sink};
    const ocelotl_status status =
        oc_output_end(&out, oc_output_send(&out, print_all(&out, &table, query)));
    free_table(&table);
    return status;
}

ocelotl_status ocelotl_query_write(const ocelotl_sink *sink, ocelotl_form form,
                                   ocelotl_query *query)
{
    return form == OCELOTL_FORM_JSON  ? write_as_json(sink, query)
           : form == OCELOTL_FORM_CSV ? write_as_csv(sink, query)
                                      : write_as_text(sink, query);
}

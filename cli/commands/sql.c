/* ocelotl-cli sql: a question in SQL, its answer as a table, CSV or JSON. */
#define _GNU_SOURCE
#include "json.h"
#include "output.h"
#include "shell.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a table are as wide as the first rows need; more are not kept. */
enum { ROWS_KEPT = 1000, WIDEST_COLUMN = 100 };

typedef struct sql_cell {
    char *text;
    bool right; /* numbers are aligned on the right */
} sql_cell;

typedef struct sql_table {
    sql_cell *cells; /* row by row */
    size_t *widths;
    size_t rows;
    uint32_t columns;
    bool started; /* whether the widths are fixed and the first rows printed */
} sql_table;

/* --- Cells as text */

static void write_number(FILE *file, const ocelotl_sql_cell *cell)
{
    if (cell->kind == OCELOTL_SQL_INTEGER)
        fprintf(file, "%" PRId64, cell->integer);
    else
        fputs(cli_digits(cell->number).text, file);
}

/* NULL where there is no memory. */
static char *cell_text(const ocelotl_sql_cell *cell)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    if (cell->kind == OCELOTL_SQL_INTEGER || cell->kind == OCELOTL_SQL_NUMBER)
        write_number(stream, cell);
    else
        cli_write_visible_bytes(stream, cell->text, cell->length);
    const bool good = ferror(stream) == 0;
    if (fclose(stream) == 0 && good)
        return text;
    free(text);
    return NULL;
}

/* --- As a table */

static bool begin_table(sql_table *table, const ocelotl_query *query)
{
    table->columns = ocelotl_query_column_count(query);
    table->widths = calloc(table->columns, sizeof *table->widths);
    table->cells = calloc((size_t)table->columns * ROWS_KEPT, sizeof *table->cells);
    if (table->widths == NULL || table->cells == NULL)
        return false;
    for (uint32_t c = 0; c < table->columns; c++)
        table->widths[c] = cli_visible_width(ocelotl_query_column_at(query, c));
    return true;
}

static void end_table(sql_table *table)
{
    for (size_t i = 0; i < table->rows * table->columns; i++)
        free(table->cells[i].text);
    free(table->cells);
    free(table->widths);
}

static void print_padded(FILE *file, const sql_table *table, uint32_t column, const char *text,
                         bool right)
{
    const size_t width = cli_visible_width(text);
    const int padding = width < table->widths[column] ? (int)(table->widths[column] - width) : 0;
    const bool last = column + 1 == table->columns;
    fprintf(file, "%*s", right ? padding : 0, "");
    cli_write_visible(file, text);
    fprintf(file, "%*s%s", right || last ? 0 : padding, "", last ? "\n" : "  ");
}

static void print_rows(FILE *file, sql_table *table)
{
    for (size_t i = 0; i < table->rows * table->columns; i++) {
        sql_cell *cell = &table->cells[i];
        print_padded(file, table, (uint32_t)(i % table->columns), cell->text, cell->right);
        free(cell->text);
        cell->text = NULL;
    }
    table->rows = 0;
}

static void print_head(FILE *file, sql_table *table, const ocelotl_query *query)
{
    char rule[WIDEST_COLUMN + 1];
    for (uint32_t c = 0; c < table->columns; c++) {
        if (table->widths[c] > WIDEST_COLUMN)
            table->widths[c] = WIDEST_COLUMN;
        print_padded(file, table, c, ocelotl_query_column_at(query, c), false);
    }
    for (uint32_t c = 0; c < table->columns; c++) {
        memset(rule, '-', table->widths[c]);
        rule[table->widths[c]] = '\0';
        print_padded(file, table, c, rule, false);
    }
    table->started = true;
}

static bool add_row(sql_table *table, const ocelotl_query *query)
{
    sql_cell *row = &table->cells[table->rows * table->columns];
    for (uint32_t c = 0; c < table->columns; c++) {
        const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
        row[c].text = cell_text(&cell);
        row[c].right = cell.kind == OCELOTL_SQL_INTEGER || cell.kind == OCELOTL_SQL_NUMBER;
        if (row[c].text == NULL) {
            while (c > 0)
                free(row[--c].text);
            return false;
        }
        const size_t width = cli_visible_width(row[c].text);
        if (!table->started && width > table->widths[c])
            table->widths[c] = width;
    }
    table->rows++;
    return true;
}

static int fill_table(cli_stream *stream, sql_table *table, ocelotl_query *query)
{
    bool found = true;
    while (cli_stream_is_good(stream)) {
        const ocelotl_status status = ocelotl_query_next(&found, query);
        if (status != OCELOTL_OK)
            return cli_fail(status);
        if (found && !add_row(table, query))
            return cli_memory();
        if (found && table->rows < ROWS_KEPT)
            continue;
        if (!table->started)
            print_head(stream->file, table, query);
        print_rows(stream->file, table);
        if (!found)
            return CLI_DONE;
    }
    return CLI_DONE;
}

static int write_table(cli_stream *stream, ocelotl_query *query)
{
    sql_table table = {0};
    const int code = begin_table(&table, query) ? fill_table(stream, &table, query) : cli_memory();
    end_table(&table);
    return code;
}

/* --- As CSV */

static void write_csv_head(FILE *file, const ocelotl_query *query)
{
    const uint32_t columns = ocelotl_query_column_count(query);
    for (uint32_t c = 0; c < columns; c++) {
        const char *name = ocelotl_query_column_at(query, c);
        cli_csv_cell(file, name, strlen(name));
        fputc(c + 1 < columns ? ',' : '\n', file);
    }
}

static void write_csv_row(FILE *file, const ocelotl_query *query)
{
    const uint32_t columns = ocelotl_query_column_count(query);
    for (uint32_t c = 0; c < columns; c++) {
        const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
        if (cell.kind == OCELOTL_SQL_INTEGER || cell.kind == OCELOTL_SQL_NUMBER)
            write_number(file, &cell);
        else
            cli_csv_cell(file, cell.text, cell.length);
        fputc(c + 1 < columns ? ',' : '\n', file);
    }
}

static int write_csv(cli_stream *stream, ocelotl_query *query)
{
    bool found = true;
    for (uint64_t rows = 0; found && cli_stream_is_good(stream); rows++) {
        const ocelotl_status status = ocelotl_query_next(&found, query);
        if (status != OCELOTL_OK)
            return cli_fail(status);
        if (rows == 0)
            write_csv_head(stream->file, query);
        if (found)
            write_csv_row(stream->file, query);
    }
    return CLI_DONE;
}

/* --- As JSON */

static void write_json_row(FILE *file, const ocelotl_query *query)
{
    for (uint32_t c = 0; c < ocelotl_query_column_count(query); c++) {
        const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, c);
        fputs(c == 0 ? "{" : ",", file);
        cli_json_string(file, ocelotl_query_column_at(query, c));
        fputc(':', file);
        if (cell.kind == OCELOTL_SQL_NULL)
            fputs("null", file);
        else if (cell.kind == OCELOTL_SQL_INTEGER)
            write_number(file, &cell);
        else if (cell.kind == OCELOTL_SQL_NUMBER)
            cli_json_number(file, cell.number);
        else
            cli_json_string(file, cell.text);
    }
    fputc('}', file);
}

static int write_json(cli_stream *stream, ocelotl_query *query)
{
    bool found = true;
    uint64_t rows = 0;
    while (found && cli_stream_is_good(stream)) {
        const ocelotl_status status = ocelotl_query_next(&found, query);
        if (status != OCELOTL_OK)
            return cli_fail(status);
        if (!found)
            break;
        fputs(rows++ == 0 ? "[" : ",\n ", stream->file);
        write_json_row(stream->file, query);
    }
    fputs(rows == 0 ? "[]\n" : "]\n", stream->file);
    return CLI_DONE;
}

/* --- The command */

static int answer(ocelotl_query *query, const cli_job *job)
{
    cli_stream stream = {0};
    int code = cli_stream_open(&stream, job->request->output);
    if (code == CLI_DONE)
        code = job->content == CLI_CSV_TEXT    ? write_csv(&stream, query)
               : job->content == CLI_JSON_TEXT ? write_json(&stream, query)
                                               : write_table(&stream, query);
    return cli_stream_close(&stream, code);
}

int cli_sql(cli_job *job)
{
    ocelotl_trace *trace = NULL;
    ocelotl_query *query = NULL;
    int code = cli_begin_trace(&trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_query_open(&query, trace, job->request->operands[1]));
    if (code == CLI_DONE)
        code = answer(query, job);
    ocelotl_query_free(query);
    return code;
}

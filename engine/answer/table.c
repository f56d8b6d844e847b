#include "answer/table.h"

#include "base/format/visible.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Begins the row of an index; frees what the one before made where it fails. */
static ocelotl_status fill_row(oc_row *row, const oc_table *table, size_t index)
{
    row->count = 0;
    oc_text_clear(&row->made);
    const ocelotl_status status = table->fill(row, table->of, index);
    return status == OCELOTL_OK && row->made.failed ? oc_fail_memory() : status;
}

static const char *text_of(const oc_heading *heading, const oc_cell *cell)
{
    return heading->kind == OC_CELL_NAME
               ? heading->names.at(heading->names.source, (uint32_t)cell->is.count)
               : cell->is.text;
}

/* --- CSV */

static void add_csv_cell(oc_csv_table *csv, const oc_heading *heading, const oc_cell *cell)
{
    if (!cell->is_there)
        oc_csv_empty(csv);
    else if (heading->kind == OC_CELL_NUMBER)
        oc_csv_number(csv, cell->is.number);
    else if (heading->kind == OC_CELL_TEXT || heading->kind == OC_CELL_NAME)
        oc_csv_text(csv, text_of(heading, cell));
    else
        oc_csv_count(csv, cell->is.count);
}

ocelotl_status oc_table_write_csv(const ocelotl_sink *sink, const oc_table *table)
{
    oc_csv_table csv = {.out = {.sink = sink}};
    oc_row row = {.count = 0};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t c = 0; c < table->columns; c++)
        oc_csv_text(&csv, table->headings[c].name);
    oc_csv_end_row(&csv);
    for (size_t i = 0; i < table->count && status == OCELOTL_OK && csv.out.status == OCELOTL_OK;
         i++) {
        status = fill_row(&row, table, i);
        for (uint32_t c = 0; c < row.count && status == OCELOTL_OK; c++)
            add_csv_cell(&csv, &table->headings[c], &row.cells[c]);
        if (row.count > 0)
            oc_csv_end_row(&csv);
    }
    oc_text_free(&row.made);
    return oc_csv_finish(&csv, status);
}

/* --- JSON */

void oc_json_cells(oc_json *json, const oc_heading *headings, const oc_row *row, uint32_t first,
                   uint32_t end)
{
    for (uint32_t c = first; c < end; c++) {
        const oc_cell *cell = &row->cells[c];
        const char *name = headings[c].name;
        if (!cell->is_there)
            oc_json_null(json, name);
        else if (headings[c].kind == OC_CELL_NUMBER)
            oc_json_number(json, name, cell->is.number);
        else if (headings[c].kind == OC_CELL_FLAG)
            oc_json_flag(json, name, cell->is.count != 0);
        else if (headings[c].kind == OC_CELL_TEXT || headings[c].kind == OC_CELL_NAME)
            oc_json_text(json, name, text_of(&headings[c], cell));
        else
            oc_json_count(json, name, cell->is.count);
    }
}

ocelotl_status oc_json_rows(oc_json *json, const char *key, const oc_table *table, unsigned blanks)
{
    oc_row row = {.count = 0};
    ocelotl_status status = OCELOTL_OK;
    oc_json_list(json, key);
    for (size_t i = 0; i < table->count && status == OCELOTL_OK && json->out.status == OCELOTL_OK;
         i++) {
        status = fill_row(&row, table, i);
        if (status != OCELOTL_OK || row.count == 0)
            continue;
        oc_json_line(json, blanks);
        oc_json_object(json, NULL);
        oc_json_cells(json, table->headings, &row, 0, table->columns);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_text_free(&row.made);
    return status;
}

/* --- Text */

const char *oc_cell_shown(const oc_heading *heading, const oc_cell *cell, oc_digits_text *text)
{
    const char *unit = heading->unit != NULL ? heading->unit : "";
    if (!cell->is_there)
        return "";
    if (heading->kind == OC_CELL_TEXT || heading->kind == OC_CELL_NAME)
        return text_of(heading, cell);
    if (heading->kind != OC_CELL_NUMBER) { /* in full: 2344910 is not 2.34491e+06 */
        snprintf(text->text, sizeof text->text, "%" PRIu64, cell->is.count);
        return text->text;
    }
    *text = strcmp(unit, "s") == 0       ? oc_short_time(cell->is.number)
            : strcmp(unit, "share") == 0 ? oc_short_percent(cell->is.number)
            : strcmp(unit, "bytes") == 0 ? oc_short_amount(cell->is.number, 3, unit)
                                         : oc_short_digits(cell->is.number, 3);
    return text->text;
}

ocelotl_status oc_table_each(const oc_table *table, void *context,
                             ocelotl_status (*use)(void *context, const oc_row *row))
{
    oc_row row = {.count = 0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < table->count && status == OCELOTL_OK; i++) {
        status = fill_row(&row, table, i);
        if (status == OCELOTL_OK && row.count > 0)
            status = use(context, &row);
    }
    oc_text_free(&row.made);
    return status;
}

/* Columns beside each other, for people. */
typedef struct text_table {
    const oc_table *table;
    size_t widths[OC_COLUMNS_MOST];
    oc_output *out;
} text_table;

static bool is_of_words(const oc_heading *heading)
{
    return heading->kind == OC_CELL_TEXT || heading->kind == OC_CELL_NAME;
}

static ocelotl_status measure_row(void *context, const oc_row *row)
{
    text_table *text = context;
    for (uint32_t c = 0; c < row->count; c++) {
        oc_digits_text digits;
        const size_t width =
            oc_visible_width(oc_cell_shown(&text->table->headings[c], &row->cells[c], &digits));
        text->widths[c] = width > text->widths[c] ? width : text->widths[c];
    }
    return OCELOTL_OK;
}

/* Words begin at the left of their column, numbers end at the right. */
static void add_text_cell(text_table *text, uint32_t column, const char *cell)
{
    const bool words = is_of_words(&text->table->headings[column]);
    const bool last = column + 1 == text->table->columns;
    const size_t width = text->widths[column];
    if (column > 0)
        oc_output_add(text->out, "  ");
    for (size_t i = oc_visible_width(cell); !words && i < width; i++)
        oc_output_add(text->out, " ");
    oc_output_add_column(text->out, cell, words && !last ? width : 0);
    if (last)
        oc_output_add(text->out, "\n");
}

static ocelotl_status print_row(void *context, const oc_row *row)
{
    text_table *text = context;
    for (uint32_t c = 0; c < row->count; c++) {
        oc_digits_text digits;
        add_text_cell(text, c, oc_cell_shown(&text->table->headings[c], &row->cells[c], &digits));
    }
    return text->out->status;
}

ocelotl_status oc_table_print(oc_output *out, const oc_table *table)
{
    text_table text = {.table = table, .out = out};
    for (uint32_t c = 0; c < table->columns; c++)
        text.widths[c] = oc_visible_width(table->headings[c].name);
    ocelotl_status status = oc_table_each(table, &text, measure_row);
    for (uint32_t c = 0; c < table->columns && status == OCELOTL_OK; c++)
        add_text_cell(&text, c, table->headings[c].name);
    if (status == OCELOTL_OK)
        status = oc_table_each(table, &text, print_row);
    return status;
}

static ocelotl_status write_text(const ocelotl_sink *sink, const oc_table *table)
{
    oc_output out = {.sink = sink};
    return oc_output_end(&out, oc_table_print(&out, table));
}

ocelotl_status oc_table_write(const ocelotl_sink *sink, ocelotl_form form, const oc_table *table)
{
    oc_json json = {.out = {.sink = sink}};
    if (form != OCELOTL_FORM_JSON)
        return form == OCELOTL_FORM_CSV ? oc_table_write_csv(sink, table) : write_text(sink, table);
    oc_json_object(&json, NULL);
    const ocelotl_status status = oc_json_rows(&json, "rows", table, 2);
    oc_json_end_object(&json);
    return oc_json_finish(&json, status);
}

ocelotl_status oc_forms_write(const ocelotl_sink *sink, ocelotl_form form, const oc_forms *forms)
{
    oc_output out = {.sink = sink};
    oc_json json = {.out = out};
    oc_csv_table csv = {.out = out};
    const bool has_csv = forms->rows != NULL || forms->table.columns > 0;
    if (form == OCELOTL_FORM_JSON) {
        oc_json_object(&json, NULL);
        const ocelotl_status status = forms->add(&json, forms->of);
        oc_json_end_object(&json);
        return oc_json_finish(&json, status);
    }
    if (forms->print != NULL && (form != OCELOTL_FORM_CSV || !has_csv))
        return oc_output_end(&out, forms->print(&out, forms->of));
    if (forms->rows != NULL)
        return oc_csv_finish(&csv, forms->rows(&csv, forms->of));
    return oc_table_write_csv(sink, &forms->table);
}

/* --- Arrow */

/* A table, with what its rows are of behind it. */
typedef struct kept_table {
    oc_table table;
    oc_heading headings[OC_COLUMNS_MOST];
    oc_row row;
    size_t next;
    max_align_t of[];
} kept_table;

static void add_arrow_cell(oc_batch *batch, oc_arrow_kind kind, const oc_cell *cell)
{
    if (!cell->is_there)
        oc_add_null(batch);
    else if (kind == OC_CELL_NUMBER)
        oc_add_number(batch, cell->is.number);
    else if (kind == OC_CELL_FLAG)
        oc_add_flag(batch, cell->is.count != 0);
    else if (kind == OC_CELL_TEXT)
        oc_add_text(batch, cell->is.text, strlen(cell->is.text));
    else if (kind == OC_CELL_NAME)
        oc_add_name(batch, (uint32_t)cell->is.count);
    else if (kind == OC_CELL_INDEX)
        oc_add_index(batch, (uint32_t)cell->is.count);
    else
        oc_add_count(batch, cell->is.count);
}

static ocelotl_status fill_batch(oc_batch *batch, void *state)
{
    kept_table *kept = state;
    kept->table.of = kept->of;
    for (; kept->next < kept->table.count && !oc_batch_is_full(batch); kept->next++) {
        OC_TRY(fill_row(&kept->row, &kept->table, kept->next));
        for (uint32_t c = 0; c < kept->row.count; c++)
            if (!kept->headings[c].only_csv)
                add_arrow_cell(batch, kept->headings[c].kind, &kept->row.cells[c]);
        if (kept->row.count > 0)
            oc_end_row(batch);
    }
    return OCELOTL_OK;
}

static void free_kept(void *state)
{
    kept_table *kept = state;
    oc_text_free(&kept->row.made);
}

ocelotl_status oc_table_to_arrow(struct ArrowArrayStream *stream, const oc_table *table,
                                 const ocelotl_arrow_options *options)
{
    oc_row_source rows = {
        .size = sizeof(kept_table) + table->size, .count = table->count, .fill = fill_batch};
    kept_table *kept = NULL;
    const ocelotl_status status = oc_allocate(&kept, rows.size, 1);
    if (status != OCELOTL_OK)
        return oc_table_fail(status, &rows, options);
    kept->table = *table;
    memcpy(kept->headings, table->headings, table->columns * sizeof *table->headings);
    memcpy(kept->of, table->of, table->size);
    rows.state = kept;
    rows.free = free_kept;
    oc_heading headings[OC_COLUMNS_MOST];
    uint32_t columns = 0;
    for (uint32_t c = 0; c < table->columns; c++)
        if (!table->headings[c].only_csv)
            headings[columns++] = table->headings[c];
    const ocelotl_status made = oc_table_make(stream, headings, columns, &rows, options);
    free(kept);
    return made;
}

/* The rows of an answer, which every form of it writes: what a row is stands in one place.
 *
 *     static ocelotl_status fill_level(oc_row *row, void *of, size_t index);
 *     const oc_table table = {headings, OC_COUNT_OF(headings), &of, sizeof of, count, fill_level};
 *     return oc_table_write_csv(sink, &table);
 */
#ifndef OC_ANSWER_TABLE_H
#define OC_ANSWER_TABLE_H

#include "answer/answer.h"
#include "answer/arrow/table.h"
#include "base/plain.h"

#include <math.h>

#define OC_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

enum { OC_COLUMNS_MOST = 24 };

typedef struct oc_cell {
    bool is_there; /* null in JSON and Arrow, empty in CSV, where it is not */
    union {
        uint64_t count; /* of flags, counts and indices, and the index of a name */
        double number;
        const char *text; /* lasts until the next row */
    } is;
} oc_cell;

/* A row, cell by cell. Zero-initialised it is empty. */
typedef struct oc_row {
    oc_cell cells[OC_COLUMNS_MOST];
    uint32_t count; /* of the cells that have been added */
    oc_text made;   /* for one text that is made for this row */
} oc_row;

typedef struct oc_table {
    const oc_heading *headings;
    uint32_t columns;
    void *of;    /* what the rows are of, given to `fill` */
    size_t size; /* of it: Arrow keeps a copy */
    size_t count;
    /* Adds the cells of a row, one for each heading; none: there is no such row. */
    ocelotl_status (*fill)(oc_row *row, void *of, size_t index);
} oc_table;

/* --- Cells */

static inline void oc_cell_add(oc_row *row, bool is_there, uint64_t count)
{
    row->cells[row->count++] = (oc_cell){is_there, {.count = count}};
}

/* A flag, a count or an index. */
static inline void oc_cell_count(oc_row *row, uint64_t count)
{
    oc_cell_add(row, true, count);
}

/* Not a number is none. */
static inline void oc_cell_number(oc_row *row, double number)
{
    row->cells[row->count++] = (oc_cell){!isnan(number), {.number = number}};
}

/* NULL is none. */
static inline void oc_cell_text(oc_row *row, const char *text)
{
    row->cells[row->count++] = (oc_cell){text != NULL, {.text = text}};
}

/* The name of an index; OCELOTL_NONE is none. */
static inline void oc_cell_name(oc_row *row, uint32_t index)
{
    oc_cell_add(row, index != OCELOTL_NONE, index);
}

/* --- Writing: O(rows). Errors: those of `fill`, MEMORY, those of the sink */

ocelotl_status oc_table_write_csv(const ocelotl_sink *sink, const oc_table *table);

/* Writes a table that is all of an answer: as text with columns beside each other, a line for each
 * row, numbers in three digits with their unit; as a JSON object with a list, `rows`; as CSV. */
ocelotl_status oc_table_write(const ocelotl_sink *sink, ocelotl_form form, const oc_table *table);

/* Prints the rows as text, behind what else an answer says. */
ocelotl_status oc_table_print(oc_output *out, const oc_table *table);

/* The forms of an answer, whose functions add what is of it. Without text it is CSV. */
typedef struct oc_forms {
    void *of;
    ocelotl_status (*add)(oc_json *json, void *of);    /* the members of an object */
    ocelotl_status (*print)(oc_output *out, void *of); /* lines for people */
    /* The rows of CSV: a table, or what is added, its head too; neither: there is no such form. */
    oc_table table;
    ocelotl_status (*rows)(oc_csv_table *csv, void *of);
} oc_forms;

/* Writes a form. Errors: those of the functions, too, after which nothing more is written. */
ocelotl_status oc_forms_write(const ocelotl_sink *sink, ocelotl_form form, const oc_forms *forms);

/* Calls back for each row in order, which is `of` `row`'s. Errors: those of `use`, too. */
ocelotl_status oc_table_each(const oc_table *table, void *context,
                             ocelotl_status (*use)(void *context, const oc_row *row));

/* The text of a cell that is a text or a name; a number for people, which `text` takes. "" where
 * there is none. */
const char *oc_cell_shown(const oc_heading *heading, const oc_cell *cell, oc_digits_text *text);

/* Adds a list of objects, a line each behind `blanks` blanks. */
ocelotl_status oc_json_rows(oc_json *json, const char *key, const oc_table *table, unsigned blanks);

/* Adds cells of a row, from one column up to another, as members of an object. */
void oc_json_cells(oc_json *json, const oc_heading *headings, const oc_row *row, uint32_t first,
                   uint32_t end);

/* Makes a stream of the rows. */
ocelotl_status oc_table_to_arrow(struct ArrowArrayStream *stream, const oc_table *table,
                                 const ocelotl_arrow_options *options);

#endif

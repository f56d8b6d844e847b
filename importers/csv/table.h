/* A table whose header says what its columns are: what `ocelotl-cli export` writes, or others. */
#ifndef OC_IMPORTERS_CSV_TABLE_H
#define OC_IMPORTERS_CSV_TABLE_H

#include "importers/csv/columns.h"
#include "importers/csv/object.h"
#include "importers/csv/sheet.h"

/* Zero-initialised but for `sheet` and `wanted` it is at the beginning of a file. */
typedef struct csv_table {
    csv_sheet *sheet;
    csv_wanted *wanted;
    csv_columns columns;
    csv_object object; /* of attributes */
    csv_object line;   /* of a line of JSON */
    csv_rows cut;      /* the fields of one */
    oc_text path;      /* scratch */
    char separator;
} csv_table;

/* Takes the first row of a file: its header, unless --columns says all and it is a row of data,
 * which is to be taken then: *is_data. Errors: INPUT, without the place, for columns that do not
 * make a trace. */
ocelotl_status csv_table_begin(bool *is_data, csv_table *table, const csv_rows *rows);

/* Takes one row. Errors: INPUT, without the place. */
ocelotl_status csv_table_take(csv_table *table, const csv_rows *rows);

/* Whether a first line is one of `ocelotl-cli export --json`. */
bool csv_table_is_json(const char *line, size_t length);

/* The same of a line of JSON, for a file of such lines. */
ocelotl_status csv_table_begin_json(csv_table *table);
ocelotl_status csv_table_take_json(csv_table *table, csv_field line);

/* What the column of a role says in a row; an empty text without such a column. */
static inline csv_field csv_table_field(const csv_table *table, const csv_rows *rows, csv_role role)
{
    const size_t column = table->columns.of[role];
    return column < table->columns.count ? rows->fields[column] : (csv_field){"", 0};
}

void csv_table_free(csv_table *table);

#endif

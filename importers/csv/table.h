/* A table whose header says what its columns are: what `ocelotl-cli export` writes, and any other.
 */
#ifndef OC_IMPORTERS_CSV_TABLE_H
#define OC_IMPORTERS_CSV_TABLE_H

#include "importers/csv/columns.h"
#include "importers/csv/object.h"
#include "importers/csv/sheet.h"

/* Zero-initialised but for `sheet` it is at the beginning of a file. */
typedef struct csv_table {
    csv_sheet *sheet;
    csv_columns columns;
    csv_object object;
    oc_text path; /* scratch */
    char separator;
    ocelotl_attribute_value *attributes;
    size_t attribute_count, attribute_capacity;
} csv_table;

/* Takes the first row of a file. Errors: INPUT, without the place, for columns that do not make a
 * trace. */
ocelotl_status csv_table_begin(csv_table *table, const csv_rows *rows);

/* Takes one row. Errors: INPUT, without the place. */
ocelotl_status csv_table_take(csv_table *table, const csv_rows *rows);

void csv_table_free(csv_table *table);

#endif

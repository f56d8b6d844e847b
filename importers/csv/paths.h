/* The resources that rows of a table name, by a path or by several columns. */
#ifndef OC_IMPORTERS_CSV_PATHS_H
#define OC_IMPORTERS_CSV_PATHS_H

#include "importers/csv/table.h"

/* Finds the resource of a path, made with all around it where it is new. */
ocelotl_status csv_path_find(uint32_t *resource, csv_table *table, csv_field path);

/* Finds the resource of a row, and its type where the row says it. Errors: INPUT for a row without
 * one. */
ocelotl_status csv_path_of_row(uint32_t *resource, csv_table *table, const csv_rows *rows);

#endif

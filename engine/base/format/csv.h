/* Comma-separated values (RFC 4180): reads records from a file, plain or compressed, and writes
 * tables. */
#ifndef OC_BASE_FORMAT_CSV_H
#define OC_BASE_FORMAT_CSV_H

#include "base/file/sink.h"

typedef struct oc_csv oc_csv;

/* Opens a file, or standard input for "-", see oc_input_open. A byte order mark is passed over. */
ocelotl_status oc_csv_open(oc_csv **csv, const char *path);

/* Reads the next record; *found is false at the end. Lines end in LF or CRLF; empty ones are passed
 * over. A field in quotes may hold commas, line ends, and quotes written twice. Errors: IO; INPUT
 * "file:line: ...". */
ocelotl_status oc_csv_next(oc_csv *csv, bool *found);

/* NULL is allowed. */
void oc_csv_free(oc_csv *csv);

/* Of the record read last: its fields, which live until the next one, the line it begins in, and
 * whether the file ended before it did. */
size_t oc_csv_field_count(const oc_csv *csv);
const char *oc_csv_field(const oc_csv *csv, size_t field);
uint64_t oc_csv_line(const oc_csv *csv);
bool oc_csv_is_open(const oc_csv *csv);

/* What to call the file in messages. */
const char *oc_csv_name(const oc_csv *csv);

/* A table that is written, cell by cell: {.out = {.sink = sink}}. */
typedef struct oc_csv_table {
    oc_output out;
    bool follows; /* something in the row: a comma goes before the next cell */
} oc_csv_table;

/* A whole row that needs no quotes, such as the header. */
void oc_csv_row(oc_csv_table *table, const char *row);

/* Cells. A text is quoted where it has to be; a number has the fewest digits that give it back, and
 * is empty for what is none. */
void oc_csv_text(oc_csv_table *table, const char *text);
void oc_csv_bytes(oc_csv_table *table, const char *text, size_t length);
void oc_csv_number(oc_csv_table *table, double number);
void oc_csv_count(oc_csv_table *table, uint64_t count);
void oc_csv_empty(oc_csv_table *table);
/* What needs no quotes: the caller appends it to the text that this gives. */
oc_text *oc_csv_cell(oc_csv_table *table);
void oc_csv_end_row(oc_csv_table *table);

/* Sends all of it. Gives `status`, or the first failure to write. */
ocelotl_status oc_csv_finish(oc_csv_table *table, ocelotl_status status);

#endif

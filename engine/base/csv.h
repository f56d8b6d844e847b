/* Reads records of comma-separated values (RFC 4180) from a file, plain or compressed. */
#ifndef OC_BASE_CSV_H
#define OC_BASE_CSV_H

#include "base/status.h"

typedef struct oc_csv oc_csv;

/* Opens a file, or standard input for "-", see oc_input_open. A byte order mark is passed over. */
ocelotl_status oc_csv_open(oc_csv **csv, const char *path);

/* Reads the next record; *found is false at the end. Lines end in LF or CRLF; empty ones are passed
 * over. A field in quotes may hold commas, line ends, and quotes written twice. Errors: IO; INPUT
 * "file:line: ...". */
ocelotl_status oc_csv_next(oc_csv *csv, bool *found);

/* NULL is allowed. */
void oc_csv_free(oc_csv *csv);

/* Of the record read last: its fields, which live until the next one, and the line it begins in. */
size_t oc_csv_field_count(const oc_csv *csv);
const char *oc_csv_field(const oc_csv *csv, size_t field);
uint64_t oc_csv_line(const oc_csv *csv);

/* What to call the file in messages. */
const char *oc_csv_name(const oc_csv *csv);

#endif

/* Databases of profilers of GPUs: tables whose rows are states of threads or of streams. What is in
 * which table is data, and SQL with holes for what not every version has. */
#ifndef OC_IMPORTERS_NSYS_READER_H
#define OC_IMPORTERS_NSYS_READER_H

#include "importers/ingest/ingest.h"

/* What the rows of a table are. */
typedef enum nsys_role {
    NSYS_ON_THREAD, /* states, which NSYS_COLUMNS are of, */
    NSYS_ON_STREAM, /* on a stream of a device, or where they name none on the device, */
    NSYS_MARKS,     /* or events of threads */
    NSYS_PROCESSES, /* number and name, */
    NSYS_THREADS,   /* of process and thread, and name, */
    NSYS_DEVICES,   /* number and name */
    NSYS_CLOCK      /* nanoseconds since 1970 of time 0 */
} nsys_role;

/* Columns of states and events, in their order. What has a name of its own behind them is an
 * attribute. */
enum {
    NSYS_ROW,
    NSYS_BEGIN,
    NSYS_END,
    NSYS_NAME,
    NSYS_PROCESS,
    NSYS_THREAD,
    NSYS_DEVICE, /* NULL: a thread is meant */
    NSYS_CONTEXT,
    NSYS_STREAM,
    NSYS_CALL, /* when the call began that asked for it, and where */
    NSYS_CALL_PROCESS,
    NSYS_CALL_THREAD,
    NSYS_ATTRIBUTES
};

/* A table, or some of its rows. In its SQL the table is t, {a|b} the first of its columns a and b
 * that it has, else NULL, {=a} the same with that name, and [x] the table x, or one without rows.
 */
typedef struct nsys_table {
    const char *name;
    nsys_role role;
    const char *type;    /* of its events */
    const char *columns; /* NULL: the table is what all like it are */
    const char *rest;    /* joins and conditions; NULL: none */
} nsys_table;

typedef struct nsys_schema {
    const char *format;
    const char *strings;      /* the table of names; a suffix of it is one of all tables */
    const char *recognises;   /* SQL that gives a row of what its databases alone have */
    const nsys_table *tables; /* up to one without a name, which is for any */
} nsys_schema;

/* How sure it is that a file is a database of a schema, by the names of its tables. */
int nsys_recognise(const nsys_schema *schema, const oc_source *source);

ocelotl_status nsys_import_all(const nsys_schema *schema, const oc_import *import);

#endif

/* What reads a Paje trace: its lines, what has been declared, and the events that wait to happen.
 */
#ifndef OC_IMPORTERS_PAJE_READER_H
#define OC_IMPORTERS_PAJE_READER_H

#include "importers/importer.h"
#include "importers/paje/decimal.h"
#include "importers/paje/pipeline.h"
#include "importers/paje/simulation.h"

typedef struct paje_reader {
    const oc_import *import;
    ocelotl_writer *writer;
    paje_lines lines;
    paje_definitions definitions;
    paje_simulation simulation;
    paje_pipeline pipeline;
    uint32_t unit_digits; /* of the unit of the trace's times: 3 for ms */
    uint32_t digits;      /* behind the point that a tick has now, */
    int64_t power;        /* and ten to that power */
    uint64_t kept_lines;  /* that said something */
    uint64_t next_report; /* of progress, at this line */
    /* fields of the lines that may be read quickly, by event number */
    uint8_t quick_counts[PAJE_QUICK_NUMBERS];
    /* The line at hand: */
    paje_definition *definition;
    paje_field words[PAJE_MOST_FIELDS + 2]; /* the first is the definition's number, */
    const paje_field *fields;               /* the others its fields */
} paje_reader;

/* The lines that can be read quickly: to be called when definitions have changed. */
void paje_quick_prepare(paje_reader *reader);

/* Reads the next line where it is a plain one of what has been seen before, as nearly all are.
 * False for any other line, of which nothing has been read then. */
bool paje_quick_read(paje_reader *reader);

/* Reads what else an event carries; a link's first attribute is its key. */
ocelotl_status paje_read_attributes(paje_event *event, paje_reader *reader);

#endif

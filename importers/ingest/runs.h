/* Sorted runs of records in a file that has no name, and their merge. */
#ifndef OC_IMPORTERS_COMMON_RUNS_H
#define OC_IMPORTERS_COMMON_RUNS_H

#include "importers/ingest/packed.h"

/* A run on its way back: a part of it is in memory. */
typedef struct oc_run {
    uint64_t next, end; /* of the file: what has not been read */
    uint64_t factor;    /* of its times, since it was written */
    uint64_t left;      /* bytes of the stream that have not been given */
    char *buffer;
    size_t used, filled, size; /* of the buffer */
    uint32_t stream;
    oc_packed *head; /* in the buffer, NULL: it is at its end */
} oc_run;

/* Zero-initialised but for `target` and `file` (-1) it is empty. */
typedef struct oc_runs {
    const char *target; /* the file is in its folder */
    int file;           /* -1: none has been written */
    uint64_t length;    /* of the file */
    oc_run *all;
    size_t count, capacity;
    char *buffer; /* of the run that is being written */
    size_t buffered;
    uint32_t *heap; /* of those that are not at their end: the first comes next */
    size_t heap_count;
    bool by_group;
} oc_runs;

/* Writes a run: begin, each stream in rising order with all its records, end. `bytes` are those of
 * all records of the stream. Errors: IO, MEMORY. */
ocelotl_status oc_runs_begin(oc_runs *runs);
ocelotl_status oc_runs_stream(oc_runs *runs, uint32_t stream, uint64_t bytes);
ocelotl_status oc_runs_add(oc_runs *runs, const void *records, size_t bytes);
ocelotl_status oc_runs_end(oc_runs *runs);

/* Multiplies the times of all runs that were written. Errors: LIMIT. */
ocelotl_status oc_runs_refine(oc_runs *runs, uint64_t factor);

/* Begins the merge, with `memory` bytes for all runs together. Errors: IO, MEMORY, LIMIT. */
ocelotl_status oc_runs_merge(oc_runs *runs, size_t memory);

/* The next record of all runs, NULL behind the last. It lives until oc_runs_pass. */
const oc_packed *oc_runs_next(uint32_t *stream, const oc_runs *runs);

/* Goes on behind it. Errors: IO, MEMORY, LIMIT. */
ocelotl_status oc_runs_pass(oc_runs *runs);

void oc_runs_free(oc_runs *runs);

#endif

/* The rows of bench_trace. */
#ifndef BENCH_TRACE_ROWS_H
#define BENCH_TRACE_ROWS_H

#include "bench.h"

enum { TRACE_MOST_SUBJECTS = 16, TRACE_PATH = 4096 };

typedef struct trace_wishes {
    const char *trace; /* a Pajé trace of SimGrid, compressed by zstd */
    uint32_t times;    /* how often it is repeated */
    uint32_t runs;
    /* resources of the trace whose import's memory is measured */
    uint32_t wide;
    /* states of the synthetic trace that is imported as text */
    uint64_t text;
    uint64_t rival;                            /* states that the rival stores and reads */
    const char *subjects[TRACE_MOST_SUBJECTS]; /* numbers of states, or paths of trace.db files */
    int subject_count;
    const char *folder;             /* for files, which are removed */
    char programs[TRACE_PATH - 64]; /* the folder of this program */
} trace_wishes;

/* What 2 billion states are computed from; 0: not measured. */
typedef struct trace_findings {
    double import_rate;  /* states of text a second, */
    double import_bytes; /* and bytes of trace.db for each */
    double write_rate;   /* states a second through the writer */
    double model;        /* seconds, warm, of the largest trace; */
    double cold;         /* seconds, cold */
    double model_states; /* how many it has */
    double window;       /* seconds, of 0.1 %, warm */
} trace_findings;

/* Ends the process where something that is measured does not work. */
void trace_check(ocelotl_status status);
void trace_check_done(bool done, const char *what);

double trace_file_size(const char *path);

/* rows_import.c */
void trace_import(const trace_wishes *wishes);
void trace_wide(const trace_wishes *wishes);
void trace_text(trace_findings *findings, const trace_wishes *wishes);

/* rows_columns.c: what a trace.db consists of, in bytes for each event. */
void trace_columns(const char *path);

/* rows_operations.c: what is asked of the synthetic trace after its overview. */
void trace_operations(ocelotl_trace *trace);

/* rows_models.c */
void trace_models(trace_findings *findings, const trace_wishes *wishes);

#endif

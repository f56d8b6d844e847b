/* What the measuring programs share. Failures end the process with a message: each row runs in a
 * process of its own. */
#ifndef BENCH_H
#define BENCH_H

#include <ocelotl/ocelotl.h>

/* files.c: making the files that are measured. */

/* Ends the process where something was not done. */
void bench_demand(bool done, const char *what);

/* A random number below 2^31. */
uint64_t bench_draw(uint64_t *state);

/* The folder of this program; that of ocelotl-cli is the one above it. */
void bench_find_folder(char *path, size_t size);

/* clock.c: time and memory of this process. */

double bench_now(void);

typedef struct bench_time {
    double seconds; /* the median */
    int runs;
} bench_time;

typedef void (*bench_work)(void *context);

/* Times `work` five times, or fewer: after `patience` seconds no further run is begun. `prepare`
 * runs before each, untimed. */
bench_time bench_repeat(bench_work prepare, bench_work work, void *context, double patience);

/* Times two kinds of work in turn, so that other load on the machine affects both alike. */
void bench_compare(bench_time times[2], bench_work prepare, bench_work work,
                   void *const contexts[2], double patience);

uint64_t bench_heap(void);     /* bytes that this thread holds from malloc */
uint64_t bench_resident(void); /* bytes in memory; gives back first what is freed */
uint64_t bench_peak(void);     /* the most bytes in memory since bench_forget_peak */
void bench_forget_peak(void);

/* models.c: random models over a complete 10-ary tree. */

enum { BENCH_ARITY = 10, BENCH_TYPES = 10 };

typedef struct bench_cells {
    uint32_t nodes; /* node k is below node (k - 1) / BENCH_ARITY */
    uint32_t inner; /* the nodes before the leaves */
    uint32_t types, slices;
    uint32_t *parents;
    size_t count;
    ocelotl_cell *cells; /* by leaf, type, slice */
} bench_cells;

/* `leaves` is a power of ten; each cell is non-zero with probability `density`, then uniform in (0,
 * 1). */
bench_cells bench_random_cells(uint32_t leaves, uint32_t slices, double density);
void bench_cells_free(bench_cells *cells);
ocelotl_model *bench_model(const bench_cells *cells);
ocelotl_model *bench_random_model(uint32_t leaves, uint32_t slices, double density);
ocelotl_model *bench_trace_model(const char *path);

/* subject.c: the engine, measured. Zeros but for the model and the options are a new subject. */

typedef struct bench_subject {
    const ocelotl_model *model;
    ocelotl_aggregation_options options;
    ocelotl_aggregation *aggregation;
    double p; /* normalised */
    ocelotl_partition *partition;
} bench_subject;

/* What a process ends with that failed, larger than any number of missed targets. */
enum { BENCH_FAILED = 200 };

/* Ends the process with the library's message where a call failed. */
void bench_check(ocelotl_status status);
bench_subject bench_subject_of(const ocelotl_model *model);
bench_time bench_create(bench_subject *subject);
bench_time bench_solve(bench_subject *subject, double p);
void bench_compare_creates(bench_time times[2], bench_subject *const subjects[2]);
void bench_compare_solves(bench_time times[2], bench_subject *const subjects[2], double p);
void bench_subject_end(bench_subject *subject); /* frees what was made, the model not */

/* textbook.c: the spatiotemporal algorithm as the thesis has it. */

typedef struct textbook textbook;

typedef struct textbook_optimum {
    double pic, gain, loss;
    size_t parts;
} textbook_optimum;

textbook *textbook_new(const bench_cells *cells);
void textbook_free(textbook *book);
void textbook_measure(textbook *book);
textbook_optimum textbook_solve(textbook *book, double p_raw);
uint64_t textbook_memory(const bench_cells *cells);
bench_time textbook_time_measures(textbook *book);
bench_time textbook_time_solve(textbook *book, double p_raw, textbook_optimum *optimum);

/* ceilings.c: how many additions with a maximum one core can do with each kind of vectors. */

typedef struct bench_ceiling {
    const char *instructions; /* as ocelotl_aggregation_options takes them */
    double rate;              /* additions with a maximum in a second */
} bench_ceiling;

/* The kinds this machine has, widest first; returns how many, at most 3. Takes a third of a second
 * for each. */
enum { BENCH_CEILINGS = 3 };
int bench_ceilings(bench_ceiling ceilings[BENCH_CEILINGS]);

/* table.c: what is printed. */

typedef enum bench_unit {
    BENCH_SECONDS,
    BENCH_BYTES,
    BENCH_RATE,   /* a second */
    BENCH_SHARE,  /* of 1 */
    BENCH_FACTOR, /* times as much */
    BENCH_NUMBER,
    BENCH_DIFFERENCE
} bench_unit;

/* Members that are 0 are not asked for or not measured. */
typedef struct bench_line {
    bench_unit unit;
    double figure; /* negative: not known */
    double textbook;
    /* at least this for rates, shares and factors, at most this for the others */
    double target;
    int runs, textbook_runs;
} bench_line;

void bench_print_head(void);
void bench_print_title(const char *row, const char *title);
__attribute__((format(printf, 2, 3))) void bench_print(bench_line line, const char *what, ...);
int bench_missed(void); /* lines printed so far that miss their target */

/* rows_*.c: the rows of the table. */

typedef struct bench_traces {
    char *const *paths;
    int count;
} bench_traces;

typedef struct bench_row {
    const char *name; /* a number, and a letter where one number has several */
    const char *title;
    bool quick;
    void (*run)(const bench_traces *traces);
} bench_row;

void bench_small(const bench_traces *traces);
void bench_medium(const bench_traces *traces);
void bench_long(const bench_traces *traces);
void bench_longest(const bench_traces *traces);
void bench_kernel_medium(const bench_traces *traces);
void bench_kernel_longest(const bench_traces *traces);
void bench_wide(const bench_traces *traces);
void bench_widest(const bench_traces *traces);
void bench_sparse(const bench_traces *traces);
void bench_threads(const bench_traces *traces);
void bench_threads_long(const bench_traces *traces);
void bench_pruning(const bench_traces *traces);
void bench_ties(const bench_traces *traces);

#endif

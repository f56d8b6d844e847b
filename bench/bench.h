/* What the rows of ocelotl-bench share. Failures end the process with a message: each row runs in a
 * process of its own. */
#ifndef BENCH_H
#define BENCH_H

#include <ocelotl/ocelotl.h>

#include <sqlite3.h>

/* What is asked of the rows. */
typedef struct bench_wishes {
    bool quick;
    uint64_t states; /* of synthetic traces; 0: as many as the row takes by itself */
    uint32_t runs;   /* with a fault; half as many without */
    char *const *traces;
    int trace_count;
    const char *folder; /* for files, which are removed */
    int which;          /* of several rows of one function */
} bench_wishes;

typedef struct bench_row {
    const char *name; /* a number with a letter, or a word */
    const char *title;
    bool quick;
    void (*run)(const bench_wishes *wishes);
    int which;
} bench_row;

/* What a process ends with that failed, larger than any number of missed targets. */
enum { BENCH_FAILED = 200 };

/* End the process where a call failed, or something else was not done. */
_Noreturn void bench_fail(const char *what);
void bench_check(ocelotl_status status);

static inline void bench_demand(bool done, const char *what)
{
    if (!done)
        bench_fail(what);
}

/* A path in the folder for files; it lives until the next call. */
const char *bench_path(const bench_wishes *wishes, const char *name);

/* --- measure.c: time and memory of this process, and what is printed of them */

double bench_now(void);
double bench_processors(void); /* seconds of all threads */

typedef struct bench_time {
    double seconds; /* the median */
    int runs;
} bench_time;

typedef void (*bench_work)(void *context);

/* Times `work` five times, or fewer: after `patience` seconds no further run is begun. `prepare`,
 * if any, runs before each, untimed. */
bench_time bench_repeat(bench_work prepare, bench_work work, void *context, double patience);

/* Times two kinds of work in turn, so that other load on the machine affects both alike. */
void bench_compare(bench_time times[2], bench_work prepare, bench_work work,
                   void *const contexts[2], double (*now)(void), double patience);

uint64_t bench_heap(void);     /* bytes that this thread holds from malloc */
uint64_t bench_resident(void); /* bytes in memory; gives back first what is freed */
uint64_t bench_peak(void);     /* the most bytes in memory since bench_forget_peak */
void bench_forget_peak(void);
double bench_file_size(const char *path);

/* Memory of zeros; and what was prepared of SQL. */
void *bench_allocate(size_t count, size_t size);
sqlite3_stmt *bench_prepare(sqlite3 *database, const char *sql);

/* For qsort: the least first. */
int bench_compare_numbers(const void *left, const void *right);

/* Numbers of 64 bits, and uniform in 0 to 1, xorshift64*: the same on every machine. */
uint64_t bench_draw_bits(uint64_t *state);
double bench_draw(uint64_t *state);

typedef enum bench_unit {
    BENCH_SECONDS,
    BENCH_BYTES,
    BENCH_RATE,   /* a second */
    BENCH_SHARE,  /* of 1 */
    BENCH_FACTOR, /* times as much */
    BENCH_NUMBER,
    BENCH_DIFFERENCE
} bench_unit;

/* Prints a line: a figure (negative: not known), that of the rival, and what is wanted: at least
 * this for rates, shares and factors, at most this for the others. 0 is not measured, not asked. */
__attribute__((format(printf, 5, 6))) void bench_figure(bench_unit unit, double figure,
                                                        double rivals, double target,
                                                        const char *what, ...);
__attribute__((format(printf, 4, 5))) void bench_seconds(bench_time ours, bench_time rivals,
                                                         double target, const char *what, ...);
void bench_print_head(void);
int bench_missed(void); /* lines printed so far that miss their target */

/* --- synthetic.c: the synthetic trace of the thesis (Figure 7.8), of any length. It has 1111
 * resources in a 10-ary tree of four levels; the 1000 leaves are in contiguous states of 1 to 100
 * ticks, drawn uniformly from 10. */

enum {
    /* resource r > 0 is below resource (r - 1) / 10; resource 0 is the root */
    SYNTHETIC_RESOURCES = 1111,
    SYNTHETIC_INNER = 111,
    SYNTHETIC_LEAVES = 1000,
    SYNTHETIC_VALUES = 10,
    SYNTHETIC_LONGEST = 100,
    SYNTHETIC_INSTANTS = 128 /* a power of two, larger than the longest state */
};

/* Leaves wait in lists, one for each instant within reach, until their next state begins. */
typedef struct synthetic {
    uint64_t random;
    uint64_t left; /* states still to come */
    int64_t time;
    uint32_t due[SYNTHETIC_INSTANTS]; /* the first leaf of each list, SYNTHETIC_LEAVES: none */
    uint32_t next[SYNTHETIC_LEAVES];
} synthetic;

/* A state begins, which ends the one before in the same leaf. */
typedef struct synthetic_state {
    int64_t time;
    uint32_t leaf; /* resource SYNTHETIC_INNER + leaf */
    uint32_t value;
} synthetic_state;

void synthetic_begin(synthetic *trace, uint64_t states);

/* The next state in order of time; false at the end. What is open then ends with the last of them.
 */
bool synthetic_next(synthetic_state *state, synthetic *trace);

/* The whole trace, as a trace.db or as Pajé text; a tick is a microsecond. */
void synthetic_write(const char *path, uint64_t states);
void synthetic_print(uint64_t states);

/* A hundred ranks work for random times, send to the next one in a ring, and receive from the one
 * before: whole rounds of so many messages at least. */
void synthetic_write_ring(const char *path, uint64_t messages);

/* Begins a trace.db with resources, in a 10-ary tree or side by side, and values of a type of
 * states; both are numbered from 0. */
ocelotl_writer *bench_begin_trace(uint32_t *states, const char *path, uint32_t resources,
                                  uint32_t values, bool tree);
void bench_end_trace(ocelotl_writer *writer);

/* --- rival.c: a plain SQLite table with a row for each state and an index of their times */

void rival_write(const char *path, uint64_t states);

/* Sums the time of each (leaf, value) in each slice of a window; `end` 0 means the whole trace. */
void rival_model(const char *path, int64_t begin, int64_t end, uint32_t slices);

/* --- models.c: random models over a complete 10-ary tree */

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
ocelotl_model *bench_trace_model(const char *path, const char *metric);

/* --- textbook.c: the spatiotemporal algorithm as the thesis has it */

typedef struct textbook textbook;

typedef struct textbook_optimum {
    double pic, gain, loss;
    size_t parts;
} textbook_optimum;

textbook *textbook_new(const bench_cells *cells);
void textbook_free(textbook *book);
uint64_t textbook_memory(const bench_cells *cells);
bench_time textbook_time_measures(textbook *book);
bench_time textbook_time_solve(textbook *book, double p_raw, textbook_optimum *optimum);

/* --- The rows of the table, by file */

void bench_size(const bench_wishes *wishes); /* engine.c */
void bench_shares(const bench_wishes *wishes);
void bench_widest(const bench_wishes *wishes);
void bench_sparse(const bench_wishes *wishes);
void bench_threads(const bench_wishes *wishes);
void bench_pruning(const bench_wishes *wishes);
void bench_ties(const bench_wishes *wishes);
void bench_models(const bench_wishes *wishes); /* traces.c */
void bench_many(const bench_wishes *wishes);
void bench_operations(const bench_wishes *wishes);
void bench_reads(const bench_wishes *wishes);
void bench_columns(const bench_wishes *wishes); /* columns.c */
void bench_writer(const bench_wishes *wishes);  /* writer.c */
void bench_memory(const bench_wishes *wishes);
void bench_groups(const bench_wishes *wishes); /* groups.c */
void bench_faults(const bench_wishes *wishes); /* faults.c */

#endif

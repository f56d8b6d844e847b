/* Rows 1, 2 and 4: how long models of different sizes take, and how much memory. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PS = 3 };

static const double ps[PS] = {0.1, 0.5, 0.9};

/* A model, and what is wanted of it: 0 is nothing. */
typedef struct wanted_size {
    uint32_t leaves, slices;
    bool textbook;        /* it takes at most some seconds */
    uint64_t limit;       /* of memory, in bytes, the model included; 0: the default */
    double measures, one; /* seconds */
    double memory;        /* bytes */
} wanted_size;

typedef struct size_figures {
    bench_time measures;
    bench_time solves[PS];
    size_t parts[PS];
    double memory;
} size_figures;

/* How far from the engine's is the optimum that the textbook finds, relative to the terms of its
 * sum. */
static double difference(const bench_subject *subject, textbook_optimum found)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(subject->partition);
    const double magnitude = info.p_raw * info.gain + (1 - info.p_raw) * info.loss;
    return fabs(info.pic - found.pic) / magnitude;
}

/* Returns the largest difference of an optimum. The cells are made again: while the engine's memory
 * is measured they must not be there. */
static double measure_textbook(size_figures *figures, bench_subject *subject,
                               const wanted_size *size)
{
    bench_cells cells = bench_random_cells(size->leaves, size->slices, 1);
    textbook *book = textbook_new(&cells);
    double largest = 0;
    figures->memory = (double)textbook_memory(&cells);
    figures->measures = textbook_time_measures(book);
    for (int i = 0; i < PS; i++) {
        textbook_optimum optimum;
        figures->solves[i] =
            textbook_time_solve(book, ocelotl_p_to_raw(subject->aggregation, ps[i]), &optimum);
        bench_solve(subject, ps[i]);
        largest = fmax(largest, difference(subject, optimum));
    }
    textbook_free(book);
    bench_cells_free(&cells);
    return largest;
}

static void print_time(const char *what, bench_time engine, bench_time book, double target)
{
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = engine.seconds,
                             .textbook = book.seconds,
                             .target = target,
                             .runs = engine.runs,
                             .textbook_runs = book.runs},
                "%s", what);
}

static void print(const size_figures *engine, const size_figures *book, const wanted_size *size,
                  double model_memory)
{
    char name[64];
    print_time("measures", engine->measures, book->measures, size->measures);
    for (int i = 0; i < PS; i++) {
        snprintf(name, sizeof name, "one p, p = %.1f (%zu parts)", ps[i], engine->parts[i]);
        print_time(name, engine->solves[i], book->solves[i], size->one);
    }
    bench_print((bench_line){.unit = BENCH_BYTES,
                             .figure = engine->memory,
                             .textbook = book->memory,
                             .target = size->memory},
                "peak memory of all, the model included");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = model_memory},
                "memory of the model alone");
}

static void run(bench_subject *subject, const wanted_size *size)
{
    size_figures engine = {0};
    size_figures book = {0};
    double apart = -1;
    const uint64_t heap = bench_heap();
    const uint64_t resident = bench_resident();
    ocelotl_model *model = bench_random_model(size->leaves, size->slices, 1);
    const uint64_t model_memory = bench_heap() - heap;
    *subject = bench_subject_of(model);
    if (size->limit > 0)
        subject->options.work.memory_limit = size->limit - model_memory;
    bench_forget_peak();
    engine.measures = bench_create(subject);
    for (int i = 0; i < PS; i++) {
        engine.solves[i] = bench_solve(subject, ps[i]);
        engine.parts[i] = ocelotl_partition_info_of(subject->partition).part_count;
    }
    engine.memory = (double)(bench_peak() - resident);
    if (size->textbook)
        apart = measure_textbook(&book, subject, size);
    print(&engine, &book, size, (double)model_memory);
    if (size->textbook)
        bench_print((bench_line){.unit = BENCH_DIFFERENCE, .figure = apart, .target = 1e-9},
                    "relative difference of the optima");
}

static void find_levels(const bench_subject *subject)
{
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    ocelotl_levels *levels = NULL;
    options.max_levels = SIZE_MAX;
    const double begin = bench_now();
    bench_check(ocelotl_levels_find(&levels, subject->aggregation, &options));
    const double seconds = bench_now() - begin;
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    bench_print((bench_line){.unit = BENCH_NUMBER, .figure = (double)info.count, .runs = 1},
                "levels, all of them");
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = seconds, .runs = 1},
                "the time for them");
    bench_print(
        (bench_line){.unit = BENCH_SECONDS, .figure = seconds / (double)info.solves, .runs = 1},
        "the same for each of %llu solves", (unsigned long long)info.solves);
    ocelotl_levels_free(levels);
}

void bench_small(const bench_traces *traces)
{
    (void)traces;
    bench_subject subject;
    run(&subject, &(wanted_size){1000, 30, .textbook = true, .measures = 10e-3, .one = 1.5e-3});
    find_levels(&subject);
}

void bench_medium(const bench_traces *traces)
{
    (void)traces;
    bench_subject subject;
    run(&subject, &(wanted_size){1000, 100, .textbook = true, .one = 15e-3, .memory = 150e6});
}

void bench_long(const bench_traces *traces)
{
    (void)traces;
    bench_subject subject;
    run(&subject, &(wanted_size){1000, 300, .one = 0.25});
}

void bench_longest(const bench_traces *traces)
{
    (void)traces;
    bench_subject subject;
    run(&subject, &(wanted_size){1000, 1000, .limit = 2000000000, .one = 10, .memory = 2e9});
}

void bench_wide(const bench_traces *traces)
{
    (void)traces;
    bench_subject subject;
    run(&subject, &(wanted_size){10000, 30, .textbook = true, .one = 50e-3});
}

/* The model of a hundred million cells is made once; the machine's widest vectors come first. */
void bench_widest(const bench_traces *traces)
{
    (void)traces;
    bench_ceiling ceilings[BENCH_CEILINGS];
    const int count = bench_ceilings(ceilings);
    ocelotl_model *model = bench_random_model(100000, 100, 1);
    bench_subject subject = bench_subject_of(model);
    subject.options.kind = OCELOTL_TEMPORAL;
    for (int i = 0; i < count; i++) {
        const char *name = ceilings[i].instructions;
        subject.options.instructions = name;
        const bench_time time = bench_create(&subject);
        const double target = strcmp(name, "avx512") == 0 ? 1 : strcmp(name, "avx2") == 0 ? 3 : 0;
        bench_print(
            (bench_line){
                .unit = BENCH_SECONDS, .figure = time.seconds, .target = target, .runs = time.runs},
            "measures, %s", name);
    }
    const bench_time time = bench_solve(&subject, 0.5);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = time.seconds, .runs = time.runs},
                "one p, p = 0.5");
    bench_subject_end(&subject);
    ocelotl_model_free(model);
}

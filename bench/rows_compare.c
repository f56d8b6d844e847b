/* Rows 5 to 7: sparse and dense models, two threads and one, skipped cuts and all cuts. */
#include "bench.h"

#include <string.h>

typedef struct density_figures {
    bench_time measures, textbook;
    double memory; /* of the model, in bytes */
} density_figures;

static density_figures measure_density(double density)
{
    density_figures figures;
    bench_cells cells = bench_random_cells(1000, 100, density);
    textbook *book = textbook_new(&cells);
    figures.textbook = textbook_time_measures(book);
    textbook_free(book);
    const uint64_t heap = bench_heap();
    ocelotl_model *model = bench_model(&cells);
    figures.memory = (double)(bench_heap() - heap);
    bench_cells_free(&cells);
    bench_subject subject = bench_subject_of(model);
    figures.measures = bench_create(&subject);
    bench_subject_end(&subject);
    ocelotl_model_free(model);
    return figures;
}

static void print_density(const density_figures *figures, const char *name)
{
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = figures->measures.seconds,
                             .textbook = figures->textbook.seconds,
                             .runs = figures->measures.runs,
                             .textbook_runs = figures->textbook.runs},
                "%s: measures", name);
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = figures->memory},
                "%s: memory of the model", name);
}

void bench_sparse(const bench_traces *traces)
{
    (void)traces;
    const density_figures dense = measure_density(1);
    const density_figures sparse = measure_density(0.01);
    print_density(&dense, "all cells");
    print_density(&sparse, "1 % of them");
    bench_print((bench_line){.unit = BENCH_FACTOR,
                             .figure = dense.measures.seconds / sparse.measures.seconds,
                             .target = 10},
                "measures, times faster");
    bench_print(
        (bench_line){.unit = BENCH_FACTOR, .figure = dense.memory / sparse.memory, .target = 10},
        "model, times smaller");
}

static void print_threads(const bench_time times[2], uint32_t slices, const char *what,
                          double target)
{
    for (int i = 0; i < 2; i++)
        bench_print(
            (bench_line){.unit = BENCH_SECONDS, .figure = times[i].seconds, .runs = times[i].runs},
            "T = %u: %s, %d thread%s", slices, what, i + 1, i == 0 ? "" : "s");
    bench_print((bench_line){.unit = BENCH_FACTOR,
                             .figure = times[0].seconds / times[1].seconds,
                             .target = target},
                "T = %u: %s, times faster", slices, what);
}

static void compare_threads(uint32_t slices, double target)
{
    ocelotl_model *model = bench_random_model(1000, slices, 1);
    bench_subject one = bench_subject_of(model);
    bench_subject two = bench_subject_of(model);
    bench_subject *const subjects[2] = {&one, &two};
    bench_time times[2];
    one.options.work.threads = 1;
    two.options.work.threads = 2;
    bench_compare_creates(times, subjects);
    print_threads(times, slices, "measures", target);
    bench_compare_solves(times, subjects, 0.5);
    print_threads(times, slices, "one p", target);
    bench_subject_end(&one);
    bench_subject_end(&two);
    ocelotl_model_free(model);
}

void bench_threads(const bench_traces *traces)
{
    (void)traces;
    compare_threads(30, 1);
    compare_threads(100, 1.8);
}

void bench_threads_long(const bench_traces *traces)
{
    (void)traces;
    compare_threads(300, 1.8);
}

/* Ends the model, too. */
static void print_pruning(ocelotl_model *model, const char *name)
{
    static const double ps[] = {0.2, 0.5, 0.8};
    bench_subject subject = bench_subject_of(model);
    bench_time time = bench_create(&subject);
    const uint32_t slices = ocelotl_model_info_of(model).slice_count;
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = time.seconds, .runs = time.runs},
                "%.22s, T = %u: measures", name, slices);
    for (size_t i = 0; i < sizeof ps / sizeof ps[0]; i++) {
        time = bench_solve(&subject, ps[i]);
        const ocelotl_partition_info info = ocelotl_partition_info_of(subject.partition);
        bench_print((bench_line){.unit = BENCH_SECONDS, .figure = time.seconds, .runs = time.runs},
                    "%.22s, p = %.1f: one p", name, ps[i]);
        bench_print((bench_line){.unit = BENCH_SHARE,
                                 .figure = info.cut_count > 0 ? 1 - (double)info.cuts_tried /
                                                                        (double)info.cut_count
                                                              : -1},
                    "%.22s, p = %.1f: cuts spared", name, ps[i]);
    }
    bench_subject_end(&subject);
    ocelotl_model_free(model);
}

void bench_pruning(const bench_traces *traces)
{
    print_pruning(bench_random_model(1000, 100, 1), "random");
    for (int i = 0; i < traces->count; i++) {
        const char *slash = strrchr(traces->paths[i], '/');
        print_pruning(bench_trace_model(traces->paths[i]),
                      slash != NULL ? slash + 1 : traces->paths[i]);
    }
}

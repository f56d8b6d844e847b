/* Measures what reads much of a long trace, beside the same with the pages of the file mapped into
 * memory (SQLite's mmap_size), which the library does not do:
 *
 *   bench_reads [STATES | trace.db]
 *
 * STATES   of the synthetic trace (synthetic.h), which is written for it (default: 5 million)
 *
 * Times are those of the processors, in all threads and the system, medians of five runs in turn.
 */
#define _GNU_SOURCE
#include "bench.h"
#include "synthetic.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { SLICES = 100, SEED = 1, RUNS = 5 };

typedef struct request {
    const char *what, *metric;
    int64_t min_duration;
} request;

static const request requests[] = {
    {"model of the whole", NULL, 0},
    {"state-max-duration", "state-max-duration", 0},
    {"states of 10 ticks and more", NULL, 10},
};

typedef struct reading {
    const char *path;
    const request *request;
    bool mapped;
    ocelotl_trace *trace;
} reading;

/* SQLite calls it for each connection that is opened. */
static int map_pages(sqlite3 *database, char **message, const struct sqlite3_api_routines *routines)
{
    (void)message;
    (void)routines;
    return sqlite3_exec(database, "PRAGMA mmap_size = 1000000000000", NULL, NULL, NULL);
}

static void map_connections(bool mapped)
{
    sqlite3_reset_auto_extension();
    if (mapped && sqlite3_auto_extension((void (*)(void))map_pages) != SQLITE_OK)
        exit(BENCH_FAILED);
}

static void open_trace(reading *it)
{
    ocelotl_trace_free(it->trace);
    it->trace = NULL;
    map_connections(it->mapped);
    bench_check(ocelotl_trace_open(&it->trace, it->path));
}

static void build_model(const reading *it)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model = NULL;
    options.slices = SLICES;
    options.cells.metric = it->request->metric;
    options.selection.min_duration = it->request->min_duration;
    bench_check(ocelotl_model_from_trace(&model, it->trace, &options));
    ocelotl_model_free(model);
}

static double time_model(reading *it)
{
    open_trace(it);
    const clock_t begin = clock();
    build_model(it);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static void measure(const char *path, const request *asked)
{
    double times[2][RUNS];
    reading readings[2] = {{.path = path, .request = asked},
                           {.path = path, .request = asked, .mapped = true}};
    for (int run = 0; run < RUNS; run++)
        for (int i = 0; i < 2; i++)
            times[i][run] = time_model(&readings[i]);
    for (int i = 0; i < 2; i++) {
        qsort(times[i], RUNS, sizeof times[i][0], compare);
        ocelotl_trace_free(readings[i].trace);
    }
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = times[0][RUNS / 2],
                             .textbook = times[1][RUNS / 2],
                             .runs = RUNS,
                             .textbook_runs = RUNS},
                "%s", asked->what);
}

static void measure_all(const char *path)
{
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        measure(path, &requests[i]);
}

int main(int argc, char **argv)
{
    char path[4096];
    char *end = NULL;
    const char *subject = argc > 1 ? argv[1] : "5000000";
    const unsigned long long states = strtoull(subject, &end, 10);
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    printf("%-46s %12s %12s %8s %13s %4s %6s\n", "", "read", "mapped", "ratio", "target", "met",
           "runs");
    if (*end != '\0') {
        measure_all(subject);
        return 0;
    }
    snprintf(path, sizeof path, "%s/bench_reads.db", folder);
    bench_check(synthetic_write(path, states, SEED));
    measure_all(path);
    unlink(path);
    return 0;
}

/* Times storing traces and building models of them, through the public interface, beside a plain SQLite table:
 *
 *   bench_store [--folder FOLDER] [STATES | trace.db ...]
 *
 * STATES: the synthetic trace of the thesis (synthetic.h) of so many states is written to FOLDER, measured and removed;
 * a trace.db is measured as it is. Without any: 100 million. Models have 100 slices, wall clock, medians of so many
 * runs as are printed. The first trace sets the time that the model of a longer one is held against. */
#define _GNU_SOURCE
#include "bench.h"
#include "rival.h"
#include "synthetic.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICES = 100, SEED = 1, RIVAL_STATES = 5000000 };

static const double patience = 4;
static const double most_seconds = 0.5; /* for the first trace, */
static const double most_growth = 1.5;  /* for any longer one, times that */
static const double computed_for = 2e9; /* states, from what was measured of the last trace */

static void check(ocelotl_status status)
{
    if (status == OCELOTL_OK)
        return;
    fflush(stdout);
    fprintf(stderr, "bench_store: %s\n", ocelotl_error_message());
    exit(BENCH_FAILED);
}

static void check_rival(bool good)
{
    if (!good)
        exit(BENCH_FAILED);
}

typedef struct subject {
    ocelotl_trace *trace;
    ocelotl_model *model;
    const char *path;
} subject;

static void forget_model(void *context)
{
    subject *measured = context;
    ocelotl_model_free(measured->model);
    measured->model = NULL;
}

static void build_model(void *context)
{
    subject *measured = context;
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = SLICES;
    check(ocelotl_model_from_trace(&measured->model, measured->trace, &options));
}

static void close_trace(void *context)
{
    subject *measured = context;
    forget_model(measured);
    ocelotl_trace_free(measured->trace);
    measured->trace = NULL;
}

static void open_trace(void *context)
{
    subject *measured = context;
    check(ocelotl_trace_open(&measured->trace, measured->path));
}

/* Asks the system to forget what it holds of a file. */
static void forget_file(const char *path)
{
    const int file = open(path, O_RDONLY);
    if (file < 0)
        return;
    fsync(file);
    (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    close(file);
}

static double file_size(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (double)found.st_size : -1;
}

static double count_states(const ocelotl_trace *trace)
{
    double count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        count += (double)ocelotl_trace_event_type(trace, i).count;
    return count;
}

/* What the rival takes for one state. */
typedef struct rival_cost {
    double write, bytes, model;
} rival_cost;

static double timed_rival_model(const char *path, int64_t begin, int64_t end)
{
    double sum;
    const double from = bench_now();
    check_rival(rival_model(&sum, path, begin, end, SLICES));
    return bench_now() - from;
}

static rival_cost measure_rival(const char *folder)
{
    char path[4096];
    rival_cost cost;
    snprintf(path, sizeof path, "%s/bench_store_rival.db", folder);
    printf("\nThe rival: a SQLite table, a row for each state, an index of their times; %d states\n", RIVAL_STATES);
    const double begin = bench_now();
    check_rival(rival_write(path, RIVAL_STATES, SEED));
    cost.write = (bench_now() - begin) / RIVAL_STATES;
    cost.bytes = file_size(path) / RIVAL_STATES;
    timed_rival_model(path, 0, 0);
    cost.model = timed_rival_model(path, 0, 0) / RIVAL_STATES;
    unlink(path);
    bench_print((bench_line){.unit = BENCH_RATE, .figure = 1 / cost.write}, "states written");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = RIVAL_STATES * cost.bytes}, "size (%.2f bytes a state)",
                cost.bytes);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = RIVAL_STATES * cost.model}, "model, warm");
    return cost;
}

static double write_trace(const char *path, uint64_t states, const rival_cost *rival)
{
    bench_forget_peak();
    const double begin = bench_now();
    check(synthetic_write(path, states, SEED));
    const double seconds = bench_now() - begin;
    bench_print((bench_line){.unit = BENCH_RATE, .figure = (double)states / seconds},
                "states written (rival: %.2g M/s)", 1e-6 / rival->write);
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = (double)bench_peak()}, "memory while writing");
    return (double)states / seconds;
}

/* Returns the time of the warm model. */
static double measure_models(const char *path, const rival_cost *rival, double target)
{
    subject measured = {.path = path};
    forget_file(path);
    const double begin = bench_now();
    open_trace(&measured);
    const double opened = bench_now();
    build_model(&measured);
    const double built = bench_now();
    forget_model(&measured);
    const bench_time warm = bench_repeat(forget_model, build_model, &measured, patience);
    const bench_time reopened = bench_repeat(close_trace, open_trace, &measured, patience);
    const double states = count_states(measured.trace);
    const double bytes = file_size(path);
    close_trace(&measured);
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = bytes, .textbook = states * rival->bytes},
                "size (%.2f bytes a state)", bytes / states);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = reopened.seconds, .runs = reopened.runs},
                "open, warm");
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = opened - begin}, "open, cold");
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = warm.seconds,
                             .textbook = states * rival->model,
                             .target = target,
                             .runs = warm.runs},
                "model, warm");
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = built - opened}, "model, cold");
    return warm.seconds;
}

/* Names and lifetimes are read when a trace is opened: so many resources, with a state each. */
static void write_wide(const char *path, uint32_t resources)
{
    ocelotl_writer *writer = NULL;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint32_t type, states, value, resource;
    char name[16];
    options.overwrite = true;
    check(ocelotl_writer_open(&writer, path, &options));
    check(ocelotl_writer_resource_type(&type, writer, OCELOTL_ROOT, "resource"));
    check(ocelotl_writer_event_type(&states, writer, OCELOTL_STATE, type, "state", -1));
    check(ocelotl_writer_value(&value, writer, states, "busy", -1));
    for (uint32_t r = 0; r < resources; r++) {
        snprintf(name, sizeof name, "r%" PRIu32, r);
        check(ocelotl_writer_resource(&resource, writer, type, r == 0 ? OCELOTL_ROOT : (r - 1) / 10, name, 0));
        check(ocelotl_writer_push(writer, resource, states, value, r, NULL, 0));
        check(ocelotl_writer_pop(writer, resource, states, 0, (int64_t)r + 1000));
    }
    check(ocelotl_writer_finish(writer));
    ocelotl_writer_free(writer);
}

static void measure_wide(const char *folder)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/bench_store_wide.db", folder);
    printf("\nMany resources, a state each\n");
    for (uint32_t resources = 1000; resources <= 100000; resources *= 10) {
        subject measured = {.path = path};
        write_wide(path, resources);
        const bench_time opened = bench_repeat(close_trace, open_trace, &measured, patience / 4);
        const bench_time built = bench_repeat(forget_model, build_model, &measured, patience / 4);
        close_trace(&measured);
        bench_print((bench_line){.unit = BENCH_SECONDS, .figure = opened.seconds, .runs = opened.runs},
                    "open, %" PRIu32 " resources", resources);
        bench_print((bench_line){.unit = BENCH_SECONDS, .figure = built.seconds, .runs = built.runs},
                    "model, %" PRIu32 " resources", resources);
    }
    unlink(path);
}

static void usage(void)
{
    fprintf(stderr, "usage: bench_store [--folder FOLDER] [STATES | trace.db ...]\n");
    exit(2);
}

/* What `computed_for` states would take, from the last trace: writing is linear, the model is not. */
static void compute(double rate, double bytes, double model)
{
    printf("\nComputed for %.0f million states\n", computed_for / 1e6);
    if (rate > 0)
        bench_print((bench_line){.unit = BENCH_SECONDS, .figure = computed_for / rate}, "writing");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = computed_for * bytes}, "size");
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = model}, "model, warm: that of the last trace");
}

int main(int argc, char **argv)
{
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    char preset[] = "100000000";
    char *presets[] = {preset};
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--folder") == 0) {
        if (argc < 3)
            usage();
        folder = argv[2];
        first = 3;
    }
    const int count = first < argc ? argc - first : 1;
    char **traces = first < argc ? argv + first : presets;
    printf("Ocelotl %s, %ld processors\n", ocelotl_version(), sysconf(_SC_NPROCESSORS_ONLN));
    printf("%-46s %12s %12s %8s %13s %4s %6s\n", "", "figure", "rival's", "ratio", "target", "met", "runs");
    const rival_cost rival = measure_rival(folder);
    double target = most_seconds;
    double rate = 0;
    double model = 0;
    double bytes = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        char *end;
        const uint64_t states = strtoull(traces[i], &end, 10);
        const bool written = *end == '\0' && states > 0;
        snprintf(path, sizeof path, "%s%s", written ? folder : traces[i], written ? "/bench_store.db" : "");
        printf("\n%s%s\n", traces[i], written ? " states (the rival's figures are scaled from its own)" : "");
        if (written)
            rate = write_trace(path, states, &rival);
        model = measure_models(path, &rival, target);
        if (i == 0)
            target = most_growth * model;
        subject measured = {.path = path};
        open_trace(&measured);
        bytes = file_size(path) / count_states(measured.trace);
        close_trace(&measured);
        if (written)
            unlink(path);
    }
    compute(rate, bytes, model);
    measure_wide(folder);
    return bench_missed();
}

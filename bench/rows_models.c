/* Storing the synthetic trace and building models of it, beside a plain SQLite table. */
#define _GNU_SOURCE
#include "rival.h"
#include "synthetic.h"
#include "trace_rows.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SLICES = 100, SEED = 1, WINDOWS = 4 };

/* The whole, and windows in its middle. */
static const double shares[WINDOWS] = {1, 0.1, 0.01, 0.001};

static const double patience = 4;       /* seconds */
static const double most_seconds = 0.5; /* for the first trace, */
static const double most_growth = 1.5;  /* for any longer one, times that */

typedef struct subject {
    ocelotl_trace *trace;
    ocelotl_model *model;
    const char *path;
    double share; /* of the trace */
} subject;

static void forget_model(void *context)
{
    subject *measured = context;
    ocelotl_model_free(measured->model);
    measured->model = NULL;
}

static ocelotl_selection find_window(int64_t begin, int64_t end, double share)
{
    const double length = (double)(end - begin);
    const int64_t from = begin + (int64_t)(length * (1 - share) / 2);
    return share < 1 ? (ocelotl_selection){.from = from, .to = from + (int64_t)(length * share)}
                     : (ocelotl_selection){.from = begin, .to = end};
}

static void build_model(void *context)
{
    subject *measured = context;
    const ocelotl_trace_info info = ocelotl_trace_info_of(measured->trace);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.selection = find_window(info.begin, info.end, measured->share);
    options.slices = SLICES;
    trace_check(ocelotl_model_from_trace(&measured->model, measured->trace, &options));
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
    trace_check(ocelotl_trace_open(&measured->trace, measured->path));
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

static double count_states(const ocelotl_trace *trace)
{
    double count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        count += (double)ocelotl_trace_event_type_at(trace, i).count;
    return count;
}

/* What the rival takes: for each window warm and cold. Zeros are not measured. */
typedef struct rival_cost {
    double write, bytes;
    bench_time warm[WINDOWS];
    double cold[WINDOWS];
} rival_cost;

typedef struct rival_work {
    const char *path;
    int64_t begin, end;
} rival_work;

static void nothing(void *context)
{
    (void)context;
}

static void build_rival_model(void *context)
{
    const rival_work *work = context;
    double sum;
    trace_check_done(rival_model(&sum, work->path, work->begin, work->end, SLICES),
                     "the rival's model");
}

static double time_once(bench_work work, void *context)
{
    const double begin = bench_now();
    work(context);
    return bench_now() - begin;
}

/* `end` is the end of the synthetic trace, which begins at 0. */
static void measure_rival_models(rival_cost *cost, const char *path, int64_t end)
{
    for (int i = 0; i < WINDOWS; i++) {
        const ocelotl_selection window = find_window(0, end, shares[i]);
        rival_work work = {path, window.from, shares[i] < 1 ? window.to : 0};
        forget_file(path);
        cost->cold[i] = time_once(build_rival_model, &work);
        cost->warm[i] = bench_repeat(nothing, build_rival_model, &work, patience);
    }
}

static int64_t find_end(uint64_t states)
{
    synthetic trace;
    synthetic_state state;
    synthetic_begin(&trace, states, SEED);
    while (synthetic_next(&state, &trace))
        ;
    return trace.time;
}

static rival_cost measure_rival(const trace_wishes *wishes)
{
    char path[TRACE_PATH];
    rival_cost cost = {0};
    snprintf(path, sizeof path, "%s/bench_trace_rival.db", wishes->folder);
    const double begin = bench_now();
    trace_check_done(rival_write(path, wishes->rival, SEED), "the rival's table");
    cost.write = bench_now() - begin;
    cost.bytes = trace_file_size(path);
    measure_rival_models(&cost, path, find_end(wishes->rival));
    unlink(path);
    return cost;
}

static double write_trace(const char *path, uint64_t states, const rival_cost *rival)
{
    bench_forget_peak();
    const double begin = bench_now();
    trace_check(synthetic_write(path, states, SEED));
    const double seconds = bench_now() - begin;
    bench_print(
        (bench_line){.unit = BENCH_SECONDS, .figure = seconds, .textbook = rival->write, .runs = 1},
        "stored, without text");
    bench_print((bench_line){.unit = BENCH_RATE, .figure = (double)states / seconds}, "  states");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = (double)bench_peak()},
                "memory while storing");
    return (double)states / seconds;
}

static void print_model(int window, bool cold, bench_time ours, bench_time rivals, double target)
{
    char what[64] = "model of the whole";
    if (shares[window] < 1)
        snprintf(what, sizeof what, "model of %g %%", shares[window] * 100);
    bench_print((bench_line){.unit = BENCH_SECONDS,
                             .figure = ours.seconds,
                             .textbook = rivals.seconds,
                             .target = target,
                             .runs = ours.runs,
                             .textbook_runs = rivals.runs},
                "%s, %s", what, cold ? "cold, opening included" : "warm");
}

/* Cold: the file is not in memory, and not opened. */
static void measure_window(trace_findings *found, subject *measured, int window,
                           const rival_cost *rival, double target)
{
    measured->share = shares[window];
    forget_file(measured->path);
    const double begin = bench_now();
    open_trace(measured);
    build_model(measured);
    const double cold = bench_now() - begin;
    const bench_time warm = bench_repeat(forget_model, build_model, measured, patience);
    close_trace(measured);
    print_model(window, false, warm, rival->warm[window], target);
    print_model(window, true, (bench_time){cold, 1},
                (bench_time){rival->cold[window], rival->cold[window] > 0 ? 1 : 0}, 0);
    if (window == 0) {
        found->model = warm.seconds;
        found->cold = cold;
    }
    found->window = warm.seconds;
}

/* Whether a window is long enough for the slices. */
static bool has_slices(subject *measured, double share)
{
    open_trace(measured);
    const ocelotl_trace_info info = ocelotl_trace_info_of(measured->trace);
    const ocelotl_selection window = find_window(info.begin, info.end, share);
    close_trace(measured);
    return window.to - window.from >= SLICES;
}

static void measure_models(trace_findings *found, const char *path, const rival_cost *rival,
                           double target)
{
    subject measured = {.path = path};
    open_trace(&measured);
    const bench_time opened = bench_repeat(close_trace, open_trace, &measured, patience / 4);
    found->model_states = count_states(measured.trace);
    close_trace(&measured);
    const double bytes = trace_file_size(path);
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = bytes, .textbook = rival->bytes},
                "size (%.2f bytes a state)", bytes / found->model_states);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = opened.seconds, .runs = opened.runs},
                "open, warm");
    for (int window = 0; window < WINDOWS && has_slices(&measured, shares[window]); window++)
        measure_window(found, &measured, window, rival, window == 0 ? target : 0);
}

static void measure_operations(const char *path)
{
    subject measured = {.path = path};
    open_trace(&measured);
    trace_operations(measured.trace);
    close_trace(&measured);
}

/* Writes a trace with `states` states and measures it. */
static void measure_written(trace_findings *found, const trace_wishes *wishes, uint64_t states,
                            const rival_cost *rival, double target)
{
    char path[TRACE_PATH];
    snprintf(path, sizeof path, "%s/bench_trace.db", wishes->folder);
    found->write_rate = write_trace(path, states, rival);
    measure_models(found, path, rival, target);
    if (target > 0)
        measure_operations(path);
    unlink(path);
}

/* Writes a trace of many resources with one state each: opening it reads all names and
 * lifetimes. */
static void write_wide(const char *path, uint32_t resources)
{
    ocelotl_writer *writer = NULL;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint32_t type, states, value, resource;
    char name[16];
    options.overwrite = true;
    trace_check(ocelotl_writer_open(&writer, path, &options));
    trace_check(ocelotl_writer_resource_type(&type, writer, OCELOTL_ROOT, "resource"));
    trace_check(ocelotl_writer_event_type(&states, writer, OCELOTL_STATE, type, "state", -1));
    trace_check(ocelotl_writer_value(&value, writer, states, "busy", -1));
    for (uint32_t r = 0; r < resources; r++) {
        snprintf(name, sizeof name, "r%" PRIu32, r);
        trace_check(ocelotl_writer_resource(&resource, writer, type,
                                            r == 0 ? OCELOTL_ROOT : (r - 1) / 10, name, 0));
        trace_check(ocelotl_writer_push(writer, resource, states, value, r, NULL, 0));
        trace_check(ocelotl_writer_pop(writer, resource, states, 0, (int64_t)r + 1000, NULL, 0));
    }
    trace_check(ocelotl_writer_finish(writer));
    ocelotl_writer_free(writer);
}

static void measure_wide(const char *folder)
{
    char path[TRACE_PATH];
    snprintf(path, sizeof path, "%s/bench_trace_wide.db", folder);
    printf("\nd  Models of many resources, a state each\n");
    for (uint32_t resources = 1000; resources <= 100000; resources *= 10) {
        subject measured = {.path = path, .share = 1};
        write_wide(path, resources);
        const bench_time opened = bench_repeat(close_trace, open_trace, &measured, patience / 4);
        const bench_time built = bench_repeat(forget_model, build_model, &measured, patience / 4);
        close_trace(&measured);
        bench_print(
            (bench_line){.unit = BENCH_SECONDS, .figure = opened.seconds, .runs = opened.runs},
            "open, %" PRIu32 " resources", resources);
        bench_print(
            (bench_line){.unit = BENCH_SECONDS, .figure = built.seconds, .runs = built.runs},
            "model, %" PRIu32 " resources", resources);
    }
    unlink(path);
}

void trace_models(trace_findings *findings, const trace_wishes *wishes)
{
    const rival_cost none = {0};
    const rival_cost rival = measure_rival(wishes);
    double target = most_seconds;
    printf("\nd  Models of %d slices, 1000 leaves, 10 values: %.1f million states beside as many "
           "rows of a SQLite "
           "table\n",
           SLICES, (double)wishes->rival / 1e6);
    measure_written(findings, wishes, wishes->rival, &rival, 0);
    for (int i = 0; i < wishes->subject_count; i++) {
        char *end;
        const uint64_t states = strtoull(wishes->subjects[i], &end, 10);
        if (*end == '\0' && states > 0) {
            printf("\nd  The same of %.0f million states, without the rival\n",
                   (double)states / 1e6);
            measure_written(findings, wishes, states, &none, target);
        } else {
            printf("\nd  The same of %s\n", wishes->subjects[i]);
            measure_models(findings, wishes->subjects[i], &none, target);
        }
        if (i == 0)
            target = most_growth * findings->model;
    }
    measure_wide(wishes->folder);
}

/* Storing the synthetic trace, models of it, and what is asked after the first overview. */
#define _GNU_SOURCE
#include "bench.h"
#include "query/drawables.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { SLICES = 100, WINDOWS = 4, MOST_RIVAL = 10000000 };

/* The whole, and windows in its middle. */
static const double shares[WINDOWS] = {1, 0.1, 0.01, 0.001};

static const double patience = 4;      /* seconds */
static const double most_model = 0.5;  /* seconds for a model */
static const double most_answer = 2.0; /* that anybody should wait */
static const bench_time none;

/* What is asked of a trace. */
typedef struct question {
    const char *what;
    double share; /* of the trace, in its middle */
    const char *metric, *except;
    uint32_t most_leaves;
    int64_t min_duration;
} question;

typedef struct reading {
    const char *path;
    bool mapped; /* into memory, instead of read */
    question asked;
    ocelotl_trace *trace;
    ocelotl_model *model;
} reading;

static uint64_t states_of(const bench_wishes *wishes)
{
    return wishes->states > 0 ? wishes->states : wishes->quick ? 5000000 : 100000000;
}

static const char *make_trace(const bench_wishes *wishes)
{
    const char *path = bench_path(wishes, "trace.db");
    synthetic_write(path, states_of(wishes));
    return path;
}

static void forget_model(void *context)
{
    reading *it = context;
    ocelotl_model_free(it->model);
    it->model = NULL;
}

static void close_trace(void *context)
{
    reading *it = context;
    forget_model(it);
    ocelotl_trace_free(it->trace);
    it->trace = NULL;
}

static void open_trace(void *context)
{
    reading *it = context;
    bench_check(ocelotl_trace_open(&it->trace, it->path));
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
    reading *it = context;
    const ocelotl_trace_info info = ocelotl_trace_info_of(it->trace);
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    options.slices = SLICES;
    options.selection = find_window(info.begin, info.end, it->asked.share);
    options.selection.except = (ocelotl_names){&it->asked.except, it->asked.except != NULL};
    options.selection.min_duration = it->asked.min_duration;
    options.cells.metric = it->asked.metric;
    options.hierarchy.max_leaves = it->asked.most_leaves;
    bench_check(ocelotl_model_from_trace(&it->model, it->trace, &options));
}

/* --- models */

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

typedef struct rival_work {
    const char *path;
    int64_t begin, end;
} rival_work;

static void build_rival_model(void *context)
{
    const rival_work *work = context;
    rival_model(work->path, work->begin, work->end, SLICES);
}

static void forget_rival(void *context)
{
    forget_file(((const rival_work *)context)->path);
}

/* Cold: the file is not in memory, and not opened. */
static void measure_window(reading *it, double share, const char *rival, int64_t end)
{
    char what[64] = "model of the whole";
    const ocelotl_selection window = find_window(0, end, share);
    rival_work work = {rival, window.from, share < 1 ? window.to : 0};
    bench_time cold = none;
    bench_time warm = none;
    if (share < 1)
        snprintf(what, sizeof what, "model of %g %%", share * 100);
    if (rival != NULL) {
        cold = bench_repeat(forget_rival, build_rival_model, &work, 0.001);
        warm = bench_repeat(NULL, build_rival_model, &work, patience);
    }
    it->asked.share = share;
    forget_file(it->path);
    const double begin = bench_now();
    open_trace(it);
    build_model(it);
    const double seconds = bench_now() - begin;
    bench_seconds(bench_repeat(forget_model, build_model, it, patience), warm,
                  share < 1 ? 0 : most_model, "%s, warm", what);
    bench_seconds((bench_time){seconds, 1}, cold, 0, "%s, cold, opening included", what);
    close_trace(it);
}

/* Stores a trace of so many states and measures it. */
static void measure_models(const bench_wishes *wishes, uint64_t states, const char *rival,
                           double rival_seconds)
{
    reading it = {.path = bench_path(wishes, "trace.db")};
    bench_forget_peak();
    const double begin = bench_now();
    synthetic_write(it.path, states);
    const double seconds = bench_now() - begin;
    bench_seconds((bench_time){seconds, 1}, (bench_time){rival_seconds, rival != NULL}, 0,
                  "%.1f million states stored, without text", (double)states / 1e6);
    bench_figure(BENCH_RATE, (double)states / seconds, 0, 0, "  states");
    bench_figure(BENCH_BYTES, (double)bench_peak(), 0, 0, "memory while storing");
    const double bytes = bench_file_size(it.path);
    bench_figure(BENCH_BYTES, bytes, rival != NULL ? bench_file_size(rival) : 0, 0,
                 "size (%.2f bytes a state)", bytes / (double)states);
    open_trace(&it);
    const int64_t end = ocelotl_trace_info_of(it.trace).end;
    bench_seconds(bench_repeat(close_trace, open_trace, &it, 1), none, 0, "open, warm");
    close_trace(&it);
    for (int i = 0; i < WINDOWS && (double)end * shares[i] >= SLICES; i++)
        measure_window(&it, shares[i], rival, end);
    unlink(it.path);
}

/* The rival stores half of the states, and 10 million at most. */
void bench_models(const bench_wishes *wishes)
{
    static char rival[4096];
    const uint64_t states = states_of(wishes);
    const uint64_t fewer = states / 2 < MOST_RIVAL ? states / 2 : MOST_RIVAL;
    snprintf(rival, sizeof rival, "%s", bench_path(wishes, "rival.db"));
    const double begin = bench_now();
    rival_write(rival, fewer);
    measure_models(wishes, fewer, rival, bench_now() - begin);
    unlink(rival);
    measure_models(wishes, states, NULL, 0);
}

/* --- many: opening a trace of many resources reads all names and lifetimes */

static void write_many(const char *path, uint32_t resources)
{
    uint32_t states;
    ocelotl_writer *writer = bench_begin_trace(&states, path, resources, 1, true);
    for (uint32_t r = 0; r < resources; r++) {
        bench_check(ocelotl_writer_push(writer, r, states, 0, r, NULL, 0));
        bench_check(ocelotl_writer_pop(writer, r, states, 0, (int64_t)r + 1000, NULL, 0));
    }
    bench_end_trace(writer);
}

void bench_many(const bench_wishes *wishes)
{
    for (uint32_t resources = 1000; resources <= 100000; resources *= 10) {
        reading it = {.path = bench_path(wishes, "many.db"), .asked = {.share = 1}};
        write_many(it.path, resources);
        bench_seconds(bench_repeat(close_trace, open_trace, &it, 1), none, 0, "open, %u resources",
                      resources);
        bench_seconds(bench_repeat(forget_model, build_model, &it, 1), none, 0,
                      "model, %u resources", resources);
        close_trace(&it);
        unlink(it.path);
    }
}

/* --- operations: a model, its measures and the partition that is shown first */

static void answer(void *context)
{
    reading *it = context;
    ocelotl_aggregation *aggregation;
    ocelotl_partition *partition;
    build_model(it);
    bench_check(ocelotl_aggregation_create(&aggregation, it->model, NULL));
    bench_check(ocelotl_solve_auto(&partition, aggregation));
    ocelotl_partition_free(partition);
    ocelotl_aggregation_free(aggregation);
}

static void add_up(void *context)
{
    ocelotl_statistics *statistics;
    bench_check(ocelotl_statistics_compute(&statistics, ((const reading *)context)->trace, NULL));
    ocelotl_statistics_free(statistics);
}

static void draw(void *context)
{
    ocelotl_drawables *drawables;
    const ocelotl_drawables_options all = {0};
    bench_check(ocelotl_drawables_compute(&drawables, ((const reading *)context)->trace, &all));
    ocelotl_drawables_free(drawables);
}

void bench_operations(const bench_wishes *wishes)
{
    static const question questions[] = {
        {.what = "overview", .share = 1},
        {.what = "the middle tenth", .share = 0.1},
        {.what = "without a value", .share = 1, .except = "state 3"},
        {.what = "100 leaves", .share = 1, .most_leaves = 100},
        {.what = "event-count", .share = 1, .metric = "event-count"},
        {.what = "state-mean-duration", .share = 1, .metric = "state-mean-duration"},
        {.what = "state-max-duration", .share = 1, .metric = "state-max-duration"},
        {.what = "states of 10 ticks and more", .share = 1, .min_duration = 10},
    };
    reading it = {.path = make_trace(wishes)};
    open_trace(&it);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        it.asked = questions[i];
        bench_seconds(bench_repeat(forget_model, answer, &it, 2), none, most_answer, "%s",
                      it.asked.what);
    }
    bench_seconds(bench_repeat(NULL, add_up, &it, 2), none, most_answer, "statistics");
    bench_seconds(bench_repeat(NULL, draw, &it, 2), none, most_answer,
                  "all of it for a Gantt chart");
    close_trace(&it);
    unlink(it.path);
}

/* --- reads: beside the same with the pages of the file mapped, which the library does not do */

/* SQLite calls it for each connection that is opened. */
static int map_pages(sqlite3 *database, char **message, const struct sqlite3_api_routines *routines)
{
    (void)message;
    (void)routines;
    return sqlite3_exec(database, "PRAGMA mmap_size = 1000000000000", NULL, NULL, NULL);
}

static void open_anew(void *context)
{
    reading *it = context;
    close_trace(it);
    sqlite3_reset_auto_extension();
    bench_demand(!it->mapped || sqlite3_auto_extension((void (*)(void))map_pages) == SQLITE_OK,
                 "mapping pages");
    open_trace(it);
}

void bench_reads(const bench_wishes *wishes)
{
    static const question questions[] = {
        {.what = "model of the whole", .share = 1},
        {.what = "state-max-duration", .share = 1, .metric = "state-max-duration"},
        {.what = "states of 10 ticks and more", .share = 1, .min_duration = 10},
    };
    const char *path = make_trace(wishes);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        reading both[2] = {{.path = path, .asked = questions[i]},
                           {.path = path, .asked = questions[i], .mapped = true}};
        void *const contexts[2] = {&both[0], &both[1]};
        bench_time times[2];
        bench_compare(times, open_anew, build_model, contexts, bench_processors, 1000);
        bench_seconds(times[0], times[1], 0, "%s", questions[i].what);
        close_trace(&both[0]);
        close_trace(&both[1]);
    }
    sqlite3_reset_auto_extension();
    unlink(path);
}

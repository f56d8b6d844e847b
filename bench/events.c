/* Measures the import of texts: trace events in JSON, Paraver traces, tables.
 *
 *   bench_events [MEGABYTES [FOLDER]]
 *
 * The files (default: 200 MB each in TMPDIR) are made here. JSON: calls of four threads, which
 * cross, and kernels of a stream, with the arguments that PyTorch writes; neither is in order of
 * time. Paraver: states, events with two counters and communications of 64 threads, in order, with
 * a .pcf. Tables: states of 64 ranks with a header. Larger files show that memory does not grow
 * with them. */
#define _GNU_SOURCE
#include "bench.h"
#include "child.h"

#include <ocelotl/ocelotl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 3, PATH = 4096 };

/* Each of these returns how many events the file has. */
static uint64_t make_json(const char *path, uint64_t bytes)
{
    static const char *const names[] = {"add", "mm", "conv2d", "relu", "copy_", "sum", "step"};
    uint64_t state = 1;
    uint64_t number = 0;
    double time = 1000;
    FILE *file = fopen(path, "w");
    bench_demand(file != NULL, path);
    fputs("{\"schemaVersion\": 1, \"traceEvents\": [\n{}", file);
    while ((uint64_t)ftell(file) < bytes)
        for (int i = 0; i < 1000; i++, number++) {
            const char *name = names[bench_draw(&state) % 7];
            time += (double)(bench_draw(&state) % 9) + 1.125;
            fprintf(file,
                    ",\n{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::%s\", \"pid\": 7, "
                    "\"tid\": %d, \"ts\": %.3f, \"dur\": %d.5, \"args\": {\"External id\": %llu, "
                    "\"Record function id\": 0, \"Sequence number\": %llu, \"Fwd thread id\": 0, "
                    "\"Ev Idx\": %llu}}",
                    name, i % 4, time + 60 * (i % 4), 20 + (int)(bench_draw(&state) % 20),
                    (unsigned long long)number, (unsigned long long)number / 3,
                    (unsigned long long)number);
            fprintf(file,
                    ",\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s_kernel\", \"pid\": 0, "
                    "\"tid\": \"stream 7\", \"ts\": %.3f, \"dur\": 0.750, \"args\": {\"device\": "
                    "0, \"stream\": 7, \"correlation\": %llu}}",
                    name, time, (unsigned long long)number);
        }
    fputs("\n]}\n", file);
    bench_demand(fclose(file) == 0, path);
    return 2 * number;
}

static const char paraver_names[] =
    "STATES\n1    Running\n9    Group Communication\n\nEVENT_TYPE\n9   50000003    MPI Collective\n"
    "VALUES\n8   MPI_Barrier\n0   Outside MPI\n\nEVENT_TYPE\n7  42000050 Instructions\n"
    "7  42000059 Cycles\n";

enum { THREADS = 64 };

static void begin_paraver(FILE *file, const char *path)
{
    char names[PATH];
    snprintf(names, PATH, "%.*s.pcf", (int)(strlen(path) - 4), path);
    FILE *beside = fopen(names, "w");
    bench_demand(beside != NULL && fputs(paraver_names, beside) >= 0 && fclose(beside) == 0, names);
    fprintf(file, "#Paraver (22/11/2026 at 10:00):9000000000_ns:1(%d):1:%d(", THREADS, THREADS);
    for (int i = 0; i < THREADS; i++)
        fputs(i > 0 ? ",1:1" : "1:1", file);
    fputs(")\n", file);
}

/* A thread computes and waits; counters are of both. A state, a call, counters, a message. */
static uint64_t make_paraver(const char *path, uint64_t bytes)
{
    uint64_t state = 1;
    uint64_t count = 0;
    unsigned long long time = 0;
    FILE *file = fopen(path, "w");
    bench_demand(file != NULL, path);
    begin_paraver(file, path);
    while ((uint64_t)ftell(file) < bytes) {
        const unsigned long long middle = time + 500 + bench_draw(&state) % 100000;
        const unsigned long long end = middle + 500 + bench_draw(&state) % 20000;
        for (int i = 1; i <= THREADS; i++)
            fprintf(file, "1:%d:1:%d:1:%llu:%llu:1\n", i, i, time, middle);
        for (int i = 1; i <= THREADS; i++)
            fprintf(file, "2:%d:1:%d:1:%llu:50000003:8:42000050:%llu:42000059:%llu\n", i, i, middle,
                    (unsigned long long)bench_draw(&state) % 1000000,
                    (unsigned long long)bench_draw(&state) % 1000000);
        for (int i = 1; i <= THREADS; i++)
            fprintf(file, "1:%d:1:%d:1:%llu:%llu:9\n2:%d:1:%d:1:%llu:50000003:0\n", i, i, middle,
                    end, i, i, end);
        for (int i = 1; i < THREADS; i += 3)
            fprintf(file, "3:%d:1:%d:1:%llu:%llu:%d:1:%d:1:%llu:%llu:%llu:7\n", i, i, middle,
                    middle + 10, i + 1, i + 1, end, end,
                    (unsigned long long)bench_draw(&state) % 100000);
        count += 5 * THREADS + (THREADS + 1) / 3;
        time = end;
    }
    bench_demand(fclose(file) == 0, path);
    return count;
}

static uint64_t make_table(const char *path, uint64_t bytes)
{
    static const char *const names[] = {"compute", "MPI_Send", "MPI_Recv", "MPI_Wait", "write"};
    uint64_t state = 1;
    uint64_t count = 0;
    unsigned long long time = 0;
    FILE *file = fopen(path, "w");
    bench_demand(file != NULL, path);
    fputs("rank,state,begin,end\n", file);
    for (; (uint64_t)ftell(file) < bytes; time += 1000000)
        for (int i = 0; i < THREADS; i++, count++)
            fprintf(file, "%d,%s,%llu.%06llu,%llu.%06llu\n", i, names[bench_draw(&state) % 5],
                    time / 1000000, (unsigned long long)bench_draw(&state) % 500000, time / 1000000,
                    500000 + (unsigned long long)bench_draw(&state) % 500000);
    bench_demand(fclose(file) == 0, path);
    return count;
}

static const struct {
    const char *what, *suffix;
    uint64_t (*make)(const char *path, uint64_t bytes);
    double wanted; /* bytes a second, 0: nobody asked for a number */
} texts[] = {
    {"Trace events in JSON", "json", make_json, 200e6},
    {"A Paraver trace", "prv", make_paraver, 250e6},
    {"A table of states", "csv", make_table, 0},
};

enum { TEXTS = sizeof texts / sizeof texts[0] };

static uint64_t count_events(const char *path)
{
    ocelotl_trace *trace;
    uint64_t count = 0;
    bench_demand(ocelotl_trace_open(&trace, path) == OCELOTL_OK, path);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        count += ocelotl_trace_event_type_at(trace, i).count;
    ocelotl_trace_free(trace);
    return count;
}

static void print(size_t which, double bytes, double events, const child_command *command)
{
    printf("%s to a finished trace.db: %.0f MB, %.2f million events\n", texts[which].what,
           bytes / 1e6, events / 1e6);
    bench_print((bench_line){.unit = BENCH_RATE,
                             .figure = bytes / command->median.seconds,
                             .target = texts[which].wanted,
                             .runs = RUNS},
                "  bytes");
    bench_print(
        (bench_line){.unit = BENCH_RATE, .figure = events / command->median.seconds, .runs = RUNS},
        "  events");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = command->median.memory, .runs = RUNS},
                "  memory");
    bench_print(
        (bench_line){.unit = BENCH_SECONDS, .figure = command->median.processors, .runs = RUNS},
        "  time of all processors");
}

static void measure(size_t which, const char *importer, const char *folder, uint64_t bytes)
{
    char text[PATH];
    char names[PATH];
    char database[PATH];
    struct stat found;
    snprintf(text, PATH, "%s/bench_events.%s", folder, texts[which].suffix);
    snprintf(names, PATH, "%s/bench_events.pcf", folder);
    snprintf(database, PATH, "%s/bench_events.db", folder);
    const uint64_t events = texts[which].make(text, bytes);
    bench_demand(stat(text, &found) == 0, text);
    const char *import[] = {importer, "import", "--force", text, "-o", database, NULL};
    child_command command = {.arguments = import};
    child_compare(&command, 1, RUNS);
    const uint64_t stored = command.median.seconds > 0 ? count_events(database) : 0;
    /* the first rate of a counter begins where its thread does: one step more */
    const bool done = stored >= events && stored <= events + (uint64_t)2 * THREADS;
    unlink(text);
    unlink(names);
    unlink(database);
    bench_demand(done, "ocelotl-cli import");
    print(which, (double)found.st_size, (double)events, &command);
}

int main(int argc, char **argv)
{
    static char importer[PATH];
    static char program[PATH / 2];
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    const uint64_t megabytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 200;
    folder = argc > 2 ? argv[2] : folder;
    bench_demand(megabytes > 0, "usage: bench_events [MEGABYTES [FOLDER]]");
    bench_find_folder(program, sizeof program);
    snprintf(importer, PATH, "%s/../ocelotl-cli", program);
    for (size_t i = 0; i < TEXTS; i++)
        measure(i, importer, folder, megabytes * 1000000);
    return 0;
}

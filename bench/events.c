/* Measures the import of trace events in JSON:
 *
 *   bench_events [MEGABYTES [FOLDER]]
 *
 * The file (default: 200 MB in TMPDIR) is made here: calls of four threads, which cross, and
 * kernels of a stream, with the arguments that PyTorch writes; neither is in order of time. A
 * larger file shows that memory does not grow with it. */
#define _GNU_SOURCE
#include "bench.h"
#include "child.h"

#include <ocelotl/ocelotl.h>

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 3, PATH = 4096 };

static const double wanted = 200e6; /* bytes a second */

static void check(bool done, const char *what)
{
    if (done)
        return;
    fflush(stdout);
    fprintf(stderr, "bench_events: failed: %s\n", what);
    exit(BENCH_FAILED);
}

static uint64_t next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (*state * 0x2545F4914F6CDD1Du) >> 33;
}

/* Returns how many events the file has. */
static uint64_t make(const char *path, uint64_t bytes)
{
    static const char *const names[] = {"add", "mm", "conv2d", "relu", "copy_", "sum", "step"};
    uint64_t state = 1;
    uint64_t number = 0;
    double time = 1000;
    FILE *file = fopen(path, "w");
    check(file != NULL, path);
    fputs("{\"schemaVersion\": 1, \"traceEvents\": [\n{}", file);
    while ((uint64_t)ftell(file) < bytes)
        for (int i = 0; i < 1000; i++, number++) {
            const char *name = names[next(&state) % 7];
            time += (double)(next(&state) % 9) + 1.125;
            fprintf(file,
                    ",\n{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::%s\", \"pid\": 7, "
                    "\"tid\": %d, \"ts\": %.3f, \"dur\": %d.5, \"args\": {\"External id\": %llu, "
                    "\"Record function id\": 0, \"Sequence number\": %llu, \"Fwd thread id\": 0, "
                    "\"Ev Idx\": %llu}}",
                    name, i % 4, time + 60 * (i % 4), 20 + (int)(next(&state) % 20),
                    (unsigned long long)number, (unsigned long long)number / 3,
                    (unsigned long long)number);
            fprintf(file,
                    ",\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s_kernel\", \"pid\": 0, "
                    "\"tid\": \"stream 7\", \"ts\": %.3f, \"dur\": 0.750, \"args\": {\"device\": "
                    "0, \"stream\": 7, \"correlation\": %llu}}",
                    name, time, (unsigned long long)number);
        }
    fputs("\n]}\n", file);
    check(fclose(file) == 0, path);
    return 2 * number;
}

static uint64_t count_events(const char *path)
{
    ocelotl_trace *trace;
    check(ocelotl_trace_open(&trace, path) == OCELOTL_OK, path);
    const uint64_t count = ocelotl_trace_event_type_at(trace, 0).count;
    ocelotl_trace_free(trace);
    return count;
}

int main(int argc, char **argv)
{
    static char text[PATH], database[PATH], importer[PATH], program[PATH / 2];
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    const uint64_t megabytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 200;
    folder = argc > 2 ? argv[2] : folder;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    check(length > 0 && megabytes > 0, "usage: bench_events [MEGABYTES [FOLDER]]");
    snprintf(importer, PATH, "%s/../ocelotl-cli", dirname(program));
    snprintf(text, PATH, "%s/bench_events.json", folder);
    snprintf(database, PATH, "%s/bench_events.db", folder);
    const uint64_t events = make(text, megabytes * 1000000);
    struct stat found;
    check(stat(text, &found) == 0, text);
    const char *import[] = {importer, "import", "--force", text, "-o", database, NULL};
    static child_command command;
    command.arguments = import;
    child_compare(&command, 1, RUNS);
    const bool done = command.median.seconds > 0 && count_events(database) == events;
    unlink(text);
    unlink(database);
    check(done, "ocelotl-cli import");
    const double bytes = (double)found.st_size;
    printf("Trace events in JSON to a finished trace.db: %.0f MB, %.2f million events\n",
           bytes / 1e6, (double)events / 1e6);
    bench_print((bench_line){.unit = BENCH_RATE,
                             .figure = bytes / command.median.seconds,
                             .target = wanted,
                             .runs = RUNS},
                "  bytes");
    bench_print((bench_line){.unit = BENCH_RATE,
                             .figure = (double)events / command.median.seconds,
                             .runs = RUNS},
                "  events");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = command.median.memory, .runs = RUNS},
                "memory");
    return 0;
}

/* Measures the import of texts of lines, logs of GStreamer, what perf script prints and PICL
 * traces:
 *
 *   bench_logs [MEGABYTES [FOLDER]]
 *
 * The files (default: 200 MB each in TMPDIR) are made here. Larger ones show that memory does not
 * grow with them. */
#define _GNU_SOURCE
#include "bench.h"
#include "child.h"

#include <ocelotl/ocelotl.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNS = 3, PATH = 4096 };

/* Messages of four threads. */
static void write_message(FILE *file, uint64_t *state, uint64_t *time)
{
    static const char *const levels[] = {"DEBUG", "LOG", "LOG", "TRACE", "INFO"};
    static const char *const functions[] = {"gst_pad_push_event", "gst_pad_chain_data_unchecked",
                                            "gst_base_sink_do_sync", "gst_video_encoder_chain"};
    *time += 500 + bench_draw(state) % 20000;
    const uint64_t function = bench_draw(state) % 4;
    fprintf(file,
            "%" PRIu64 ":%02d:%02d.%09d 20374 0x5620772f2c%02d %-7s         GST_SCHEDULING "
            "gstpad.c:%d:%s:<sink%d:src> calling chainfunction with buffer: 0x7f%08" PRIx64
            ", pts 0:00:01.%09d, size %d\n",
            *time / UINT64_C(3600000000000), (int)(*time / UINT64_C(60000000000) % 60),
            (int)(*time / 1000000000 % 60), (int)(*time % 1000000000), (int)(bench_draw(state) % 4),
            levels[bench_draw(state) % 5], 4000 + (int)function, functions[function],
            (int)(bench_draw(state) % 5), bench_draw(state), (int)(bench_draw(state) % 1000000000),
            (int)(bench_draw(state) % 100000));
}

/* Switches on two CPUs between threads and nothing, each woken before. */
static void write_switch(FILE *file, uint64_t *state, uint64_t *time)
{
    const int cpu = (int)(bench_draw(state) % 2);
    const int thread = 1000 + cpu + 2 * (int)(bench_draw(state) % 20);
    *time += 500 + bench_draw(state) % 20000;
    const double seconds = (double)*time / 1e9;
    fprintf(file,
            "         swapper     0 [%03d] %12.6f: sched:sched_wakeup: comm=worker/%d pid=%d "
            "prio=120 target_cpu=%03d\n"
            "         swapper     0 [%03d] %12.6f: sched:sched_switch: prev_comm=swapper/%d "
            "prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=worker/%d next_pid=%d "
            "next_prio=120\n"
            "   %13s %5d [%03d] %12.6f: sched:sched_switch: prev_comm=worker/%d prev_pid=%d "
            "prev_prio=120 prev_state=S ==> next_comm=swapper/%d next_pid=0 next_prio=120\n",
            cpu, seconds, thread % 40, thread, cpu, cpu, seconds + 2e-6, cpu, thread % 40, thread,
            "worker", thread, cpu, seconds + 9e-6, thread % 40, thread, cpu);
}

/* A message from one of 64 processors to the next, which computes then. */
static void write_records(FILE *file, uint64_t *state, uint64_t *time)
{
    const int from = (int)(bench_draw(state) % 64);
    const int to = (from + 1) % 64;
    const int bytes = (int)(bench_draw(state) % 100000);
    *time += 500 + bench_draw(state) % 20000;
    const double seconds = (double)*time / 1e9;
    fprintf(file,
            "-3 -21 %.9f %d 0 4 2 %d 7 %d 0\n-4 -21 %.9f %d 0 0\n"
            "-3 -52 %.9f %d 0 3 2 7 %d 0\n-4 -52 %.9f %d 0 4 2 %d 7 %d 0\n"
            "-3 3 %.9f %d 0 0\n-4 3 %.9f %d 0 0\n",
            seconds, from, bytes, to, seconds + 1e-8, from, seconds + 2e-8, to, from,
            seconds + 9e-8, to, bytes, from, seconds + 1e-7, to, seconds + 2e-7, to);
}

typedef struct log_format {
    const char *name, *title;
    void (*write)(FILE *file, uint64_t *state, uint64_t *time);
    int lines; /* of one write */
} log_format;

/* Returns how many lines the file has. */
static uint64_t make(const char *path, const log_format *format, uint64_t bytes)
{
    uint64_t state = 1;
    uint64_t time = 1000000000;
    uint64_t lines = 0;
    FILE *file = fopen(path, "w");
    bench_demand(file != NULL, path);
    while ((uint64_t)ftell(file) < bytes)
        for (int i = 0; i < 1000; i++, lines += (uint64_t)format->lines)
            format->write(file, &state, &time);
    bench_demand(fclose(file) == 0, path);
    return lines;
}

static void print(const log_format *format, const child_cost *cost, double bytes, double lines)
{
    printf("%s to a finished trace.db: %.0f MB, %.2f million lines\n", format->title, bytes / 1e6,
           lines / 1e6);
    bench_print((bench_line){.unit = BENCH_RATE, .figure = bytes / cost->seconds, .runs = RUNS},
                "  bytes");
    bench_print((bench_line){.unit = BENCH_RATE, .figure = lines / cost->seconds, .runs = RUNS},
                "  lines");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = cost->memory, .runs = RUNS},
                "  memory");
}

static void measure(const log_format *format, const char *importer, const char *folder,
                    uint64_t bytes)
{
    static char text[PATH], database[PATH];
    static child_command command;
    struct stat found;
    snprintf(text, PATH, "%s/bench_logs.txt", folder);
    snprintf(database, PATH, "%s/bench_logs.db", folder);
    const uint64_t lines = make(text, format, bytes);
    bench_demand(stat(text, &found) == 0, text);
    const char *import[] = {importer, "import", "--force", "--format", format->name,
                            text,     "-o",     database,  NULL};
    command = (child_command){.arguments = import};
    child_compare(&command, 1, RUNS);
    unlink(text);
    unlink(database);
    bench_demand(command.median.seconds > 0, "ocelotl-cli import");
    print(format, &command.median, (double)found.st_size, (double)lines);
}

int main(int argc, char **argv)
{
    static const log_format formats[] = {
        {"gstreamer", "A log of GStreamer", write_message, 1},
        {"perf", "What perf script prints", write_switch, 3},
        {"picl", "A PICL trace", write_records, 6},
    };
    static char importer[PATH], program[PATH / 2];
    const char *folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    const uint64_t megabytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 200;
    folder = argc > 2 ? argv[2] : folder;
    bench_demand(megabytes > 0, "usage: bench_logs [MEGABYTES [FOLDER]]");
    bench_find_folder(program, sizeof program);
    snprintf(importer, PATH, "%s/../ocelotl-cli", program);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        measure(&formats[i], importer, folder, megabytes * 1000000);
    return 0;
}

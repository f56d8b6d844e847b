/* The public writer: how many states it takes in a second, and a push beside a pop; and the memory
 * that an import holds for a million resources, names, open states and open links. Other threads
 * write the chunks. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESOURCES = 64, VALUES = 8, MILLION = 1000000, DEPTH = 100 };

static const double wanted = 10e6; /* contiguous states a second, on two cores */

typedef struct traced {
    const char *path;
    ocelotl_writer *writer;
    uint32_t streams[RESOURCES];
    uint32_t type;
} traced;

/* Seconds of the calling thread. */
static double own_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static traced begin(const bench_wishes *wishes)
{
    traced trace = {.path = bench_path(wishes, "writer.db")};
    trace.writer = bench_begin_trace(&trace.type, trace.path, RESOURCES, VALUES, false);
    for (uint32_t i = 0; i < RESOURCES; i++)
        bench_check(ocelotl_writer_stream(&trace.streams[i], trace.writer, i, trace.type,
                                          OCELOTL_ROLE_STATES));
    return trace;
}

static void end(const traced *trace)
{
    bench_end_trace(trace->writer);
    unlink(trace->path);
}

static void push(const traced *trace, uint32_t r, uint32_t value, int64_t time, bool by_stream)
{
    bench_check(
        by_stream
            ? ocelotl_writer_stream_push(trace->writer, trace->streams[r], value, time, NULL, 0)
            : ocelotl_writer_push(trace->writer, r, trace->type, value, time, NULL, 0));
}

static void pop(const traced *trace, uint32_t r, int64_t time, bool by_stream)
{
    bench_check(by_stream
                    ? ocelotl_writer_stream_pop(trace->writer, trace->streams[r], time, NULL, 0)
                    : ocelotl_writer_pop(trace->writer, r, trace->type, 0, time, NULL, 0));
}

/* A state ends, and the next one begins at once. */
static void write_contiguous(const bench_wishes *wishes, uint64_t states, bool by_stream)
{
    const char *how = by_stream ? "by stream" : "by resource and type";
    traced trace = begin(wishes);
    const double wall = bench_now();
    const double own = own_seconds();
    const double all = bench_processors();
    for (uint64_t i = 0; i < states; i++) {
        const uint32_t r = (uint32_t)(i * 7 % RESOURCES);
        const int64_t time = (int64_t)(i * 13);
        if (i >= RESOURCES)
            pop(&trace, r, time, by_stream);
        push(&trace, r, i / 3 % VALUES, time, by_stream);
    }
    const double calling = own_seconds() - own;
    end(&trace);
    bench_figure(BENCH_RATE, (double)states / (bench_now() - wall), 0, wanted,
                 "contiguous states %s", how);
    bench_figure(BENCH_RATE, (double)states / (bench_processors() - all), 0, 0,
                 "  of one processor");
    bench_figure(BENCH_RATE, (double)states / calling, 0, 0, "  of the calling thread");
}

/* As deep as it goes, and back: nothing but pushes, then nothing but pops. */
static void compare_push_and_pop(const bench_wishes *wishes, uint64_t states)
{
    traced trace = begin(wishes);
    double seconds[2] = {0, 0};
    int64_t time = 0;
    for (uint64_t done = 0; done < states; done += (uint64_t)RESOURCES * DEPTH)
        for (int back = 0; back < 2; back++) {
            const double before = own_seconds();
            for (uint32_t i = 0; i < RESOURCES * DEPTH; i++)
                if (back == 0)
                    push(&trace, i % RESOURCES, i % VALUES, time++, false);
                else
                    pop(&trace, i % RESOURCES, time++, false);
            seconds[back] += own_seconds() - before;
        }
    end(&trace);
    bench_figure(BENCH_RATE, (double)states / seconds[0], 0, 0, "pushes of the calling thread");
    bench_figure(BENCH_RATE, (double)states / seconds[1], 0, 0, "pops of the calling thread");
}

void bench_writer(const bench_wishes *wishes)
{
    const uint64_t states = wishes->states > 0 ? wishes->states : 20000000;
    compare_push_and_pop(wishes, states / 2);
    write_contiguous(wishes, states, false);
    write_contiguous(wishes, states, true);
}

/* --- memory: a Paje trace of many of one thing, imported in a process of its own */

static void write_head(FILE *file)
{
    static const char *const kinds[] = {"DefineContainerType Alias Type Name",
                                        "DefineStateType Alias Type Name",
                                        ("DefineLinkType Alias Type StartContainerType "
                                         "EndContainerType Name"),
                                        "CreateContainer Time Alias Type Container Name",
                                        "PushState Time Type Container Value",
                                        "StartLink Time Type Container StartContainer Value Key"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        char words[256];
        snprintf(words, sizeof words, "%s", kinds[i]);
        char *next = NULL;
        fprintf(file, "%%EventDef Paje%s %zu\n", strtok_r(words, " ", &next), i);
        for (char *field; (field = strtok_r(NULL, " ", &next)) != NULL;)
            fprintf(file, "%% %s string\n", field);
        fputs("%EndEventDef\n", file);
    }
    fputs("0 T 0 thread\n1 S T state\n2 L 0 T T link\n3 0 c T 0 c\n", file);
}

static double import_peak(const char *text, const char *target, const char *line, uint64_t count)
{
    struct rusage usage;
    int status = 0;
    FILE *file = fopen(text, "w");
    bench_demand(file != NULL, text);
    write_head(file);
    for (uint64_t i = 0; i < count; i++) {
        fprintf(file, line, (unsigned long long)i, (unsigned long long)i);
        fputc('\n', file);
    }
    fputs("4 9999999 S c x\n", file);
    fclose(file);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
        options.overwrite = true;
        options.work.threads = 2;
        bench_check(ocelotl_import(target, text, &options));
        _exit(0);
    }
    bench_demand(child > 0 && wait4(child, &status, 0, &usage) == child && status == 0, "import");
    unlink(text);
    unlink(target);
    return (double)usage.ru_maxrss * 1024;
}

void bench_memory(const bench_wishes *wishes)
{
    static const struct {
        const char *what, *line;
    } things[] = {
        {"a resource without events", "3 %llu r%llu T 0 r"},
        {"a resource with a state", "3 %1$llu r%2$llu T 0 r\n4 %1$llu S r%2$llu x"},
        {"a value", "4 0 S c \"value %llu\""},
        {"an open state of one resource", "4 %llu S c x"},
        {"an open link", "5 %llu L 0 c m key%llu"},
        {"a line of comments", "# %llu %llu"},
    };
    char text[4096];
    snprintf(text, sizeof text, "%s", bench_path(wishes, "memory.trace"));
    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        const char *target = bench_path(wishes, "memory.db");
        const double least = import_peak(text, target, things[i].line, 1000);
        const double most = import_peak(text, target, things[i].line, MILLION);
        bench_figure(BENCH_NUMBER, (most - least) / (MILLION - 1000), 0, 0,
                     "%s (%.0f MB for a million)", things[i].what, most * 1e-6);
    }
}

/* The public writer: how many states it takes in a second, and a push beside a pop; and the memory
 * that an import holds for a million resources, names, open states and open links.
 *
 *   bench_writer [STATES]      (default: 20,000,000)
 *
 * Beside the wall clock is the time of all processors, and that of the calling thread: others write
 * the chunks. On two cores at least 10 million contiguous states a second are asked for. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RESOURCES = 64, VALUES = 8, MILLION = 1000000 };

static const char *const path = "bench_writer.db";
static const char *const text_path = "bench_writer.trace";

typedef struct traced {
    ocelotl_writer *writer;
    uint32_t resources[RESOURCES], streams[RESOURCES], values[VALUES];
    uint32_t type;
} traced;

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double cpu_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

static void begin(traced *trace)
{
    uint32_t kind;
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    options.overwrite = true;
    bench_check(ocelotl_writer_open(&trace->writer, path, &options));
    bench_check(ocelotl_writer_resource_type(&kind, trace->writer, OCELOTL_ROOT, "rank"));
    bench_check(
        ocelotl_writer_event_type(&trace->type, trace->writer, OCELOTL_STATE, kind, "state", -1));
    for (uint32_t i = 0; i < VALUES; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        bench_check(ocelotl_writer_value(&trace->values[i], trace->writer, trace->type, name, -1));
    }
    for (uint32_t i = 0; i < RESOURCES; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", i);
        bench_check(ocelotl_writer_resource(&trace->resources[i], trace->writer, kind, OCELOTL_ROOT,
                                            name, 0));
        bench_check(ocelotl_writer_stream(&trace->streams[i], trace->writer, trace->resources[i],
                                          trace->type, OCELOTL_ROLE_STATES));
    }
}

static void end(traced *trace)
{
    bench_check(ocelotl_writer_finish(trace->writer));
    ocelotl_writer_free(trace->writer);
    unlink(path);
}

/* A state ends, and the next one begins at once. */
static void write_contiguous(uint64_t states, bool by_stream)
{
    traced trace;
    begin(&trace);
    const double wall = bench_now();
    const double cpu = cpu_seconds();
    const double all = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    for (uint64_t i = 0; i < states; i++) {
        const uint32_t r = (uint32_t)(i * 7 % RESOURCES);
        const uint32_t value = trace.values[i / 3 % VALUES];
        const int64_t time = (int64_t)(i * 13);
        const bool first = i < RESOURCES;
        if (by_stream) {
            if (!first)
                bench_check(
                    ocelotl_writer_stream_pop(trace.writer, trace.streams[r], time, NULL, 0));
            bench_check(
                ocelotl_writer_stream_push(trace.writer, trace.streams[r], value, time, NULL, 0));
        } else {
            if (!first)
                bench_check(ocelotl_writer_pop(trace.writer, trace.resources[r], trace.type, 0,
                                               time, NULL, 0));
            bench_check(ocelotl_writer_push(trace.writer, trace.resources[r], trace.type, value,
                                            time, NULL, 0));
        }
    }
    const double own = cpu_seconds() - cpu;
    end(&trace);
    const double seconds = bench_now() - wall;
    const double processors = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - all;
    printf("contiguous states %-20s %6.1f M/s wall, %6.1f of one processor, %6.1f of the calling "
           "thread\n",
           by_stream ? "by stream" : "by resource and type", (double)states / seconds * 1e-6,
           (double)states / processors * 1e-6, (double)states / own * 1e-6);
}

/* As deep as it goes, and back: nothing but pushes, then nothing but pops. */
static void compare_push_and_pop(uint64_t states)
{
    enum { DEPTH = 100 };
    traced trace;
    double push = 0;
    double pop = 0;
    int64_t time = 0;
    begin(&trace);
    for (uint64_t done = 0; done < states; done += (uint64_t)RESOURCES * DEPTH) {
        double before = cpu_seconds();
        for (uint32_t i = 0; i < RESOURCES * DEPTH; i++)
            bench_check(ocelotl_writer_push(trace.writer, trace.resources[i % RESOURCES],
                                            trace.type, trace.values[i % VALUES], time++, NULL, 0));
        push += cpu_seconds() - before;
        before = cpu_seconds();
        for (uint32_t i = 0; i < RESOURCES * DEPTH; i++)
            bench_check(ocelotl_writer_pop(trace.writer, trace.resources[i % RESOURCES], trace.type,
                                           0, time++, NULL, 0));
        pop += cpu_seconds() - before;
    }
    end(&trace);
    printf("a push %.1f ns, a pop %.1f ns of the calling thread\n", push / (double)states * 1e9,
           pop / (double)states * 1e9);
}

/* --- Memory: a Paje trace of many of one thing, imported in a process of its own. */

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

static uint64_t import_peak(const char *line, uint64_t count)
{
    FILE *file = fopen(text_path, "w");
    if (file == NULL)
        exit(BENCH_FAILED);
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
        bench_check(ocelotl_import(path, text_path, &options));
        _exit(0);
    }
    struct rusage usage;
    int status = 0;
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0)
        exit(BENCH_FAILED);
    unlink(text_path);
    unlink(path);
    return (uint64_t)usage.ru_maxrss * 1024;
}

static void print_memory(const char *what, const char *line)
{
    const uint64_t least = import_peak(line, 1000);
    const uint64_t most = import_peak(line, MILLION);
    printf("a million %-28s %6.1f MB in all, %5.0f bytes each\n", what, (double)most * 1e-6,
           (double)(most - least) / (MILLION - 1000));
}

int main(int count, char **arguments)
{
    const uint64_t states = count > 1 ? strtoull(arguments[1], NULL, 10) : 20000000;
    print_memory("resources without events", "3 %llu r%llu T 0 r");
    print_memory("resources with a state each", "3 %1$llu r%2$llu T 0 r\n4 %1$llu S r%2$llu x");
    print_memory("values", "4 0 S c \"value %llu\"");
    print_memory("open states of one resource", "4 %llu S c x");
    print_memory("open links", "5 %llu L 0 c m key%llu");
    print_memory("lines of comments", "# %llu %llu");
    compare_push_and_pop(states / 2);
    write_contiguous(states, false);
    write_contiguous(states, true);
    return 0;
}

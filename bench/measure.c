/* Time and memory of this process, and the table: what, figure, rival's, ratio, target, met or not,
 * runs. */
#define _GNU_SOURCE
#include "bench.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { RUNS = 5, CELL = 24 };

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double bench_now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

double bench_processors(void)
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

int bench_compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Several kinds of work in turn. */
static void time_all(bench_time *times, int kinds, bench_work prepare, bench_work work,
                     void *const *contexts, double (*now)(void), double patience)
{
    double seconds[2][RUNS];
    double total = 0;
    int runs = 0;
    for (; runs < RUNS && total < patience; runs++)
        for (int i = 0; i < kinds; i++) {
            if (prepare != NULL)
                prepare(contexts[i]);
            const double begin = now();
            work(contexts[i]);
            seconds[i][runs] = now() - begin;
            total += seconds[i][runs];
        }
    for (int i = 0; i < kinds; i++) {
        qsort(seconds[i], (size_t)runs, sizeof seconds[i][0], bench_compare_numbers);
        times[i] = (bench_time){seconds[i][runs / 2], runs};
    }
}

bench_time bench_repeat(bench_work prepare, bench_work work, void *context, double patience)
{
    bench_time time;
    time_all(&time, 1, prepare, work, &context, bench_now, patience);
    return time;
}

void bench_compare(bench_time times[2], bench_work prepare, bench_work work,
                   void *const contexts[2], double (*now)(void), double patience)
{
    time_all(times, 2, prepare, work, contexts, now, patience);
}

uint64_t bench_heap(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* A line of /proc/self/status, given there in units of 1024 bytes. */
static uint64_t read_status(const char *name)
{
    char line[256];
    uint64_t value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL)
        return 0;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtoull(line + strlen(name), NULL, 10) * 1024;
    fclose(file);
    return value;
}

uint64_t bench_resident(void)
{
    malloc_trim(0);
    return read_status("VmRSS:");
}

uint64_t bench_peak(void)
{
    return read_status("VmHWM:");
}

/* Where the kernel does not allow it, the peak is that of the whole process: too large, never too
 * small. */
void bench_forget_peak(void)
{
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file == NULL)
        return;
    fputs("5", file);
    fclose(file);
}

double bench_file_size(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (double)found.st_size : -1;
}

void *bench_allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    bench_demand(memory != NULL, "memory");
    return memory;
}

sqlite3_stmt *bench_prepare(sqlite3 *database, const char *sql)
{
    sqlite3_stmt *row;
    bench_demand(sqlite3_prepare_v2(database, sql, -1, &row, NULL) == SQLITE_OK, sql);
    return row;
}

uint64_t bench_draw_bits(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

double bench_draw(uint64_t *state)
{
    return (double)(bench_draw_bits(state) >> 11) * 0x1p-53;
}

static int missed;

typedef struct scale {
    double factor;
    const char *name;
} scale;

/* Writes a value in the largest unit that does not exceed it, else in the smallest. */
static void write_value(char text[CELL], bench_unit unit, double value)
{
    static const scale seconds[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {0, NULL}};
    static const scale bytes[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {0, NULL}};
    static const scale rates[] = {{1e9, "G/s"}, {1e6, "M/s"}, {0, NULL}};
    const scale *in = unit == BENCH_SECONDS ? seconds
                      : unit == BENCH_BYTES ? bytes
                      : unit == BENCH_RATE  ? rates
                                            : NULL;
    if (in != NULL) {
        while (value < in->factor && in[1].name != NULL)
            in++;
        const double shown = value / in->factor;
        snprintf(text, CELL, "%.*f %s", shown < 9.995 ? 2 : shown < 99.95 ? 1 : 0, shown, in->name);
    } else if (unit == BENCH_SHARE) {
        snprintf(text, CELL, "%.1f %%", value * 100);
    } else if (unit == BENCH_FACTOR) {
        snprintf(text, CELL, "%.2f x", value);
    } else {
        snprintf(text, CELL, unit == BENCH_NUMBER ? "%.0f" : "%.1e", value);
    }
}

static void print_line(bench_unit unit, bench_time ours, bench_time rivals, double target,
                       const char *what, va_list arguments)
{
    const bool more = unit == BENCH_RATE || unit == BENCH_SHARE || unit == BENCH_FACTOR;
    char name[80], figure[CELL] = "-", rival[CELL] = "-", ratio[CELL] = "", value[CELL];
    char wanted[CELL] = "", runs[CELL] = "";
    const char *verdict = "";
    vsnprintf(name, sizeof name, what, arguments);
    if (ours.seconds >= 0)
        write_value(figure, unit, ours.seconds);
    if (rivals.seconds > 0)
        write_value(rival, unit, rivals.seconds);
    if (rivals.seconds > 0 && ours.seconds > 0)
        snprintf(ratio, CELL, "%.*f x", rivals.seconds / ours.seconds < 10 ? 2 : 0,
                 rivals.seconds / ours.seconds);
    if (target > 0) {
        write_value(value, unit, target);
        snprintf(wanted, CELL, "%s %.20s", more ? ">=" : "<=", value);
    }
    if (target > 0 && ours.seconds >= 0) {
        const bool met = more ? ours.seconds >= target : ours.seconds <= target;
        missed += !met;
        verdict = met ? "yes" : "NO";
    }
    if (rivals.runs > 0)
        snprintf(runs, CELL, "%d, %d", ours.runs, rivals.runs);
    else if (ours.runs > 0)
        snprintf(runs, CELL, "%d", ours.runs);
    printf("    %-46s %12s %12s %8s %13s %4s %6s\n", name, figure, rival, ratio, wanted, verdict,
           runs);
    fflush(stdout);
}

void bench_figure(bench_unit unit, double figure, double rivals, double target, const char *what,
                  ...)
{
    va_list arguments;
    va_start(arguments, what);
    print_line(unit, (bench_time){figure, 0}, (bench_time){rivals, 0}, target, what, arguments);
    va_end(arguments);
}

void bench_seconds(bench_time ours, bench_time rivals, double target, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    print_line(BENCH_SECONDS, ours, rivals, target, what, arguments);
    va_end(arguments);
}

void bench_print_head(void)
{
    printf("%-50s %12s %12s %8s %13s %4s %6s\n", "", "figure", "rival's", "ratio", "target", "met",
           "runs");
}

int bench_missed(void)
{
    return missed;
}

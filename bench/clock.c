/* Time and memory of this process. */
#define _GNU_SOURCE
#include "bench.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 5 };

double bench_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static bench_time median(double *seconds, int runs)
{
    qsort(seconds, (size_t)runs, sizeof *seconds, compare);
    return (bench_time){seconds[runs / 2], runs};
}

static double time_once(bench_work prepare, bench_work work, void *context)
{
    prepare(context);
    const double begin = bench_now();
    work(context);
    return bench_now() - begin;
}

bench_time bench_repeat(bench_work prepare, bench_work work, void *context, double patience)
{
    double seconds[RUNS];
    double total = 0;
    int runs = 0;
    while (runs < RUNS && total < patience) {
        seconds[runs] = time_once(prepare, work, context);
        total += seconds[runs++];
    }
    return median(seconds, runs);
}

void bench_compare(bench_time times[2], bench_work prepare, bench_work work,
                   void *const contexts[2], double patience)
{
    double seconds[2][RUNS];
    double total = 0;
    int runs = 0;
    while (runs < RUNS && total < patience) {
        for (int i = 0; i < 2; i++) {
            seconds[i][runs] = time_once(prepare, work, contexts[i]);
            total += seconds[i][runs];
        }
        runs++;
    }
    for (int i = 0; i < 2; i++)
        times[i] = median(seconds[i], runs);
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

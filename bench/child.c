#define _GNU_SOURCE
#include "child.h"

#include "bench.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void become(const char *const *arguments, const char *output)
{
    const int file =
        open(output != NULL ? output : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, STDOUT_FILENO) < 0)
        _exit(BENCH_FAILED);
    execvp(arguments[0], (char *const *)arguments);
    _exit(BENCH_FAILED);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

bool child_run(child_cost *cost, const char *const *arguments, const char *output)
{
    struct rusage usage;
    int status = 0;
    *cost = (child_cost){-1, -1, -1};
    const double begin = bench_now();
    const pid_t child = fork();
    if (child == 0)
        become(arguments, output);
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
        return false;
    cost->seconds = bench_now() - begin;
    cost->processors = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    cost->memory = (double)usage.ru_maxrss * 1024;
    return true;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(const child_cost *costs, int runs, size_t offset)
{
    double figures[CHILD_MOST_RUNS];
    for (int i = 0; i < runs; i++)
        figures[i] = *(const double *)((const char *)&costs[i] + offset);
    qsort(figures, (size_t)runs, sizeof *figures, compare);
    return figures[runs / 2];
}

void child_compare(child_command *commands, int count, int runs)
{
    for (int run = 0; run < runs; run++)
        for (int i = 0; i < count; i++)
            child_run(&commands[i].costs[run], commands[i].arguments, commands[i].output);
    for (int i = 0; i < count; i++)
        commands[i].median =
            (child_cost){median(commands[i].costs, runs, offsetof(child_cost, seconds)),
                         median(commands[i].costs, runs, offsetof(child_cost, processors)),
                         median(commands[i].costs, runs, offsetof(child_cost, memory))};
}

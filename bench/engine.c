/* Times the engine on random models, through the public interface, beside the algorithm as the
 * textbook has it and beside what one core can do at best.
 *
 *   bench_engine [--quick] [ROW ...] [--traces FILE ...]
 *
 * ROW is a number or a number with a letter; without any: all, with --quick those that take some
 * seconds. --traces: the trace.db files to show pruning and ties on. The models: leaves in a
 * complete 10-ary tree, 10 types, every cell random unless said otherwise: nothing is homogeneous.
 * Medians of so many runs as are printed (the engine's, the textbook's), wall clock. Each row runs
 * in a process of its own, so that memory is its own. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const bench_row rows[] = {
    {"1", "T = 30, 1000 leaves (1111 nodes)", true, bench_small},
    {"2a", "T = 100, 1000 leaves", true, bench_medium},
    {"2b", "T = 300, 1000 leaves", false, bench_long},
    {"2c", "T = 1000, 1000 leaves, within 2 GB", false, bench_longest},
    {"3a", "The ceiling and a solve's share of it: T = 300, 1000 leaves", false,
     bench_kernel_medium},
    {"3b", "The same: T = 1000, the widest vectors", false, bench_kernel_longest},
    {"4a", "T = 30, 10,000 leaves (11,111 nodes)", true, bench_wide},
    {"4b", "T = 100, 100,000 leaves, temporal", false, bench_widest},
    {"5", "Sparse and dense: T = 100, 1000 leaves", true, bench_sparse},
    {"6a", "Two threads and one: 1000 leaves, p = 0.5", true, bench_threads},
    {"6b", "The same: T = 300", false, bench_threads_long},
    {"7", "Cuts that pruning spares", true, bench_pruning},
    {"8", "Ties of cuts in sparse models: T = 200, 16 leaves", true, bench_ties},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

typedef struct wishes {
    bool quick;
    bool any; /* row is named */
    bool named[ROWS];
    bench_traces traces;
} wishes;

static void usage(void)
{
    fprintf(stderr, "usage: bench_engine [--quick] [ROW ...] [--traces FILE ...]\n");
    for (int i = 0; i < ROWS; i++)
        fprintf(stderr, "  %-3s %s%s\n", rows[i].name, rows[i].title,
                rows[i].quick ? " (quick)" : "");
    exit(2);
}

/* "2" names 2a, 2b and 2c. */
static void name_rows(wishes *given, const char *name)
{
    bool known = false;
    for (int i = 0; i < ROWS; i++)
        if (name[0] != '\0' && strncmp(rows[i].name, name, strlen(name)) == 0)
            given->named[i] = known = true;
    if (!known)
        usage();
    given->any = true;
}

static wishes read_arguments(int argc, char **argv)
{
    wishes read = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--traces") == 0) {
            read.traces = (bench_traces){argv + i + 1, argc - i - 1};
            break;
        }
        if (strcmp(argv[i], "--quick") == 0)
            read.quick = true;
        else
            name_rows(&read, argv[i]);
    }
    return read;
}

static bool wanted(const wishes *given, int i)
{
    return given->any ? given->named[i] : rows[i].quick || !given->quick;
}

/* Returns how many targets the row misses, or BENCH_FAILED. This process itself never solves
 * anything: OpenMP's threads would not live on in the next child. */
static int run(const bench_row *row, const bench_traces *traces)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        bench_print_title(row->name, row->title);
        row->run(traces);
        exit(bench_missed());
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return BENCH_FAILED;
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    const wishes given = read_arguments(argc, argv);
    int missed = 0;
    int failed = 0;
    printf("Ocelotl %s, %ld processors\n", ocelotl_version(), sysconf(_SC_NPROCESSORS_ONLN));
    bench_print_head();
    for (int i = 0; i < ROWS; i++) {
        if (!wanted(&given, i))
            continue;
        const int result = run(&rows[i], &given.traces);
        if (result >= BENCH_FAILED)
            failed++;
        else
            missed += result;
    }
    printf("\n%d targets missed, %d rows failed\n", missed, failed);
    return failed > 0 ? 1 : 0;
}

/* Times the engine, the store and what reads it, as one table:
 *
 *   ocelotl-bench [--quick] [--states N] [--runs N] [ROW ...] [--traces FILE ...]
 *   ocelotl-bench --make STATES [trace.db]
 *   ocelotl-bench --make-ring MESSAGES trace.db
 *
 * ROW is a number with or without a letter, or a word; without any: all, with --quick those that
 * take some seconds. --traces: the trace.db files for pruning, ties and columns. --states: of the
 * synthetic traces. --runs: simulated ones with a fault (default: 80, 16 with --quick).
 * Rows 1 to 8 are of random models: leaves in a complete 10-ary tree, 10 types, every cell random
 * unless said otherwise, so that nothing is homogeneous. Medians of so many runs as are printed
 * (the figure's, the rival's), wall clock unless a line says otherwise. Each row runs in a process
 * of its own, so that memory is its own. The second form writes the synthetic trace: as a trace.db,
 * or as Pajé text to standard output; the third one messages in a ring. */
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const bench_row rows[] = {
    {"1", "T = 30, 1000 leaves (1111 nodes); rival: the textbook", true, bench_size, 0},
    {"2a", "T = 100, 1000 leaves", true, bench_size, 1},
    {"2b", "T = 300, 1000 leaves", false, bench_size, 2},
    {"2c", "T = 1000, 1000 leaves, within 2 GB", false, bench_size, 3},
    {"3a", "The ceiling and a solve's share of it: T = 300, 1000 leaves", false, bench_shares, 0},
    {"3b", "The same: T = 1000, the widest vectors", false, bench_shares, 1},
    {"4a", "T = 30, 10,000 leaves (11,111 nodes)", true, bench_size, 4},
    {"4b", "T = 100, 100,000 leaves, temporal", false, bench_widest},
    {"5", "Sparse and dense: T = 100, 1000 leaves", true, bench_sparse},
    {"6a", "Two threads and one: 1000 leaves, p = 0.5", true, bench_threads, 0},
    {"6b", "The same: T = 300", false, bench_threads, 1},
    {"7", "Cuts that pruning spares", true, bench_pruning},
    {"8", "Ties of cuts in sparse models: T = 200, 16 leaves", true, bench_ties},
    {"models", "Models of 100 slices, 1000 leaves, 10 values; rival: a table of SQLite", true,
     bench_models},
    {"many", "Models of many resources, a state each", true, bench_many},
    {"operations", "What is asked after the overview, p chosen anew, without the picture", true,
     bench_operations},
    {"reads", "What reads much, time of all processors; rival: pages mapped (mmap_size)", true,
     bench_reads},
    {"columns", "Bytes for each event, packed together and alone", true, bench_columns},
    {"writer", "The public writer", true, bench_writer},
    {"memory", "Bytes that an import holds for each of a million", true, bench_memory},
    {"groups", "Groups of like siblings, 200 slices, 10 types; rival: all pairs joined", true,
     bench_groups},
    {"faults", "Runs with one fault that the picture sets apart", true, bench_faults},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static void usage(void)
{
    fprintf(stderr, "usage: ocelotl-bench [--quick] [--states N] [--runs N] [ROW ...] [--traces "
                    "FILE ...]\n       ocelotl-bench --make STATES [trace.db]\n"
                    "       ocelotl-bench --make-ring MESSAGES trace.db\n");
    for (int i = 0; i < ROWS; i++)
        fprintf(stderr, "  %-10s %s%s\n", rows[i].name, rows[i].title,
                rows[i].quick ? " (quick)" : "");
    exit(2);
}

void bench_fail(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "ocelotl-bench: failed: %s\n", what);
    exit(BENCH_FAILED);
}

void bench_check(ocelotl_status status)
{
    bench_demand(status == OCELOTL_OK, ocelotl_error_message());
}

const char *bench_path(const bench_wishes *wishes, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/ocelotl-bench-%s", wishes->folder, name);
    return path;
}

static uint64_t read_count(const char *text)
{
    char *end = NULL;
    const uint64_t count = text != NULL ? strtoull(text, &end, 10) : 0;
    if (count == 0 || *end != '\0')
        usage();
    return count;
}

/* "2" names 2a, 2b and 2c. */
static void name_rows(bool named[ROWS], const char *name)
{
    bool known = false;
    for (int i = 0; i < ROWS; i++)
        if (name[0] != '\0' && strncmp(rows[i].name, name, strlen(name)) == 0)
            named[i] = known = true;
    if (!known)
        usage();
}

/* Returns how many targets the row misses, or BENCH_FAILED. This process itself never solves
 * anything: OpenMP's threads would not live on in the next child. */
static int run(const bench_row *row, bench_wishes wishes)
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        printf("\n%-10s %s\n", row->name, row->title);
        wishes.which = row->which;
        row->run(&wishes);
        exit(bench_missed());
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return BENCH_FAILED;
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    bench_wishes wishes = {.folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp"};
    bool named[ROWS] = {false};
    bool any = false;
    int missed = 0;
    int failed = 0;
    if (argc > 2 && strcmp(argv[1], "--make") == 0) {
        if (argc > 3)
            synthetic_write(argv[3], read_count(argv[2]));
        else
            synthetic_print(read_count(argv[2]));
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--make-ring") == 0) {
        synthetic_write_ring(argv[3], read_count(argv[2]));
        return 0;
    }
    for (int i = 1; i < argc && wishes.traces == NULL; i++) {
        if (strcmp(argv[i], "--traces") == 0) {
            wishes.traces = argv + i + 1;
            wishes.trace_count = argc - i - 1;
        } else if (strcmp(argv[i], "--quick") == 0) {
            wishes.quick = true;
        } else if (strcmp(argv[i], "--states") == 0) {
            wishes.states = read_count(argv[++i]);
        } else if (strcmp(argv[i], "--runs") == 0) {
            wishes.runs = (uint32_t)read_count(argv[++i]);
        } else {
            name_rows(named, argv[i]);
            any = true;
        }
    }
    printf("Ocelotl %s, %ld processors\n", ocelotl_version(), sysconf(_SC_NPROCESSORS_ONLN));
    bench_print_head();
    for (int i = 0; i < ROWS; i++) {
        if (any ? !named[i] : wishes.quick && !rows[i].quick)
            continue;
        const int result = run(&rows[i], wishes);
        failed += result >= BENCH_FAILED;
        missed += result >= BENCH_FAILED ? 0 : result;
    }
    printf("\n%d targets missed, %d rows failed\n", missed, failed);
    return failed > 0 ? 1 : 0;
}

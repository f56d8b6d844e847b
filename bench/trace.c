/* Measures the way of a trace from its text to a model, beside rivals in the same run, as one
 * table:
 *
 *   bench_trace [--full] [--times N] [--text STATES] [--rival STATES] [--folder FOLDER] --trace
 * FILE.zst [STATES | trace.db ...]
 *
 * --trace    a Pajé trace of SimGrid; it is repeated N times (18 times smi-lu-700 is more than 1
 * GB) and imported
 * --text     the synthetic trace of the thesis (synthetic.h) of so many states is imported from
 * text, through a pipe
 * --rival    so many states are stored as rows of a SQLite table, too, with an index of their times
 * --full     N = 18, 20 million states as text, 10 million for the rival, and models of 100
 * million; otherwise N = 2, 2 million, 2.5 million and 5 million STATES     models are built of a
 * synthetic trace of so many states, or of a trace.db
 *
 * RUNS in the environment: how often an import is run, its rivals in turn with it (default 3).
 * Times are wall clock, medians of so many runs as are printed (first those of the figure, then
 * those of the rival's). Rivals: pj_dump (Debian package pajeng), which only simulates and prints;
 * a plain SQLite table, a row for each state. */
#define _GNU_SOURCE
#include "child.h"
#include "trace_rows.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const double computed_for = 2e9; /* states */

void trace_check(ocelotl_status status)
{
    if (status == OCELOTL_OK)
        return;
    fflush(stdout);
    fprintf(stderr, "bench_trace: %s\n", ocelotl_error_message());
    exit(BENCH_FAILED);
}

void trace_check_done(bool done, const char *what)
{
    if (done)
        return;
    fflush(stdout);
    fprintf(stderr, "bench_trace: failed: %s\n", what);
    exit(BENCH_FAILED);
}

double trace_file_size(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (double)found.st_size : -1;
}

static void usage(void)
{
    fprintf(
        stderr,
        "usage: bench_trace [--full] [--times N] [--text STATES] [--rival STATES] [--folder FOLDER]"
        " --trace FILE.zst [STATES | trace.db ...]\n");
    exit(2);
}

static uint64_t read_count(const char *text)
{
    char *end;
    const uint64_t count = strtoull(text, &end, 10);
    if (count == 0 || *end != '\0')
        usage();
    return count;
}

static void read_option(trace_wishes *wishes, const char *option, const char *value)
{
    if (strcmp(option, "--times") == 0)
        wishes->times = (uint32_t)read_count(value);
    else if (strcmp(option, "--text") == 0)
        wishes->text = read_count(value);
    else if (strcmp(option, "--rival") == 0)
        wishes->rival = read_count(value);
    else if (strcmp(option, "--folder") == 0)
        wishes->folder = value;
    else if (strcmp(option, "--trace") == 0)
        wishes->trace = value;
    else
        usage();
}

static trace_wishes read_arguments(int argc, char **argv)
{
    trace_wishes wishes = {
        .runs = 3, .wide = 100000, .times = 2, .text = 2000000, .rival = 2500000};
    const char *preset = "5000000";
    wishes.folder = getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp";
    const char *runs = getenv("RUNS");
    if (runs != NULL)
        wishes.runs = (uint32_t)read_count(runs);
    if (argc > 1 && strcmp(argv[1], "--full") == 0) { /* what follows it may change these */
        wishes.times = 18;
        wishes.text = 20000000;
        wishes.rival = 10000000;
        preset = "100000000";
    }
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--full") == 0)
            continue;
        else if (strncmp(argv[i], "--", 2) == 0) {
            if (i + 1 == argc)
                usage();
            read_option(&wishes, argv[i], argv[i + 1]);
            i++;
        } else if (wishes.subject_count < TRACE_MOST_SUBJECTS)
            wishes.subjects[wishes.subject_count++] = argv[i];
    if (wishes.subject_count == 0)
        wishes.subjects[wishes.subject_count++] = preset;
    if (wishes.trace == NULL || wishes.runs > CHILD_MOST_RUNS)
        usage();
    return wishes;
}

static void find_programs(trace_wishes *wishes)
{
    bench_find_folder(wishes->programs, sizeof wishes->programs);
}

/* Imports are linear in the number of events; a model is not: it costs at most `slices` chunks for
 * each leaf. */
static void compute(const trace_findings *found)
{
    printf("\ne  %.0f million states: computed from the figures above, not measured\n",
           computed_for / 1e6);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = computed_for / found->import_rate},
                "import of text, at the rate of e's text");
    if (found->write_rate > 0)
        bench_print((bench_line){.unit = BENCH_SECONDS, .figure = computed_for / found->write_rate},
                    "storing without text, at the writer's rate");
    bench_print((bench_line){.unit = BENCH_BYTES, .figure = computed_for * found->import_bytes},
                "size");
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = found->model},
                "model, warm: as of %.0f million", found->model_states / 1e6);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = found->cold},
                "model, cold: as of %.0f million", found->model_states / 1e6);
    bench_print((bench_line){.unit = BENCH_SECONDS, .figure = found->window},
                "0.1 %% of it, warm: as of %.0f million", found->model_states / 1e6);
}

int main(int argc, char **argv)
{
    trace_wishes wishes = read_arguments(argc, argv);
    trace_findings found = {0};
    find_programs(&wishes);
    printf("Ocelotl %s, %ld processors\n", ocelotl_version(), sysconf(_SC_NPROCESSORS_ONLN));
    printf("%-46s %12s %12s %8s %13s %4s %6s\n", "", "figure", "rival's", "ratio", "target", "met",
           "runs");
    trace_import(&wishes);
    trace_wide(&wishes);
    trace_models(&found, &wishes);
    trace_text(&found, &wishes);
    compute(&found);
    printf("\n%d targets missed\n", bench_missed());
    return 0;
}

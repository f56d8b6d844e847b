/* In how many runs with one fault the first picture sets it apart, by arrangement of the hierarchy.
 *
 *   bench_faults [--runs N] [--clean N] [--parts N] [--seed N] [--list]
 *
 * Plays N runs with one fault each (default: 80) and clean ones (default: 40), see faults.h. Solves
 * each spatiotemporal with the default number of slices: at the level to show first, and at the
 * most detailed one of at most --parts parts (default: 40). Prints in how many runs the fault is
 * set apart, which faults.h defines, in how many clean ones something is where a fault would have
 * been, and medians of the numbers of parts. --list: a line for each run as well. */
#define _GNU_SOURCE
#include "faults.h"
#include "bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RUNS = 10000, QUESTIONS = 2 };

typedef struct arrangement {
    const char *name;
    uint32_t split_children;
    uint32_t most_groups;
} arrangement;

static const arrangement arrangements[] = {
    {"without groups", 0, 0},
    {"like siblings grouped", 0, OCELOTL_DEFAULT_MAX_GROUPS},
    {"like siblings grouped, all joins kept", 2, 0},
};

enum { ARRANGEMENTS = sizeof arrangements / sizeof arrangements[0] };

static const double wanted_factor = 1.6; /* set apart with groups and without */

typedef struct wishes {
    uint32_t runs, clean, parts;
    uint64_t seed;
    bool list;
} wishes;

/* What an arrangement does, the faulty runs first and then the clean ones. */
typedef struct tally {
    uint32_t apart[2];             /* faulty, clean */
    uint32_t by_kind[FAULT_KINDS]; /* faulty */
    double *parts[2];
    uint32_t count[2];
} tally;

typedef struct findings {
    wishes given;
    tally tallies[ARRANGEMENTS][QUESTIONS];
    double seconds[ARRANGEMENTS];
} findings;

/* Ends the process where something that is measured does not work. */
static void check(bool done, const char *what)
{
    if (done)
        return;
    fprintf(stderr, "bench_faults: %s\n", what);
    exit(1);
}

static void check_status(ocelotl_status status)
{
    check(status == OCELOTL_OK, ocelotl_error_message());
}

static void usage(void)
{
    fprintf(stderr, "usage: bench_faults [--runs N] [--clean N] [--parts N] [--seed N] [--list]\n");
    exit(2);
}

static uint32_t read_number(const char *text)
{
    char *end = NULL;
    const unsigned long number = text != NULL ? strtoul(text, &end, 10) : 0;
    if (text == NULL || end == text || *end != '\0' || number < 1 || number > MOST_RUNS)
        usage();
    return (uint32_t)number;
}

static wishes read_arguments(char **argv)
{
    wishes given = {.runs = 80, .clean = 40, .parts = 40, .seed = 1};
    for (char **at = argv + 1; *at != NULL; at++) {
        if (strcmp(*at, "--list") == 0)
            given.list = true;
        else if (strcmp(*at, "--runs") == 0)
            given.runs = read_number(*++at);
        else if (strcmp(*at, "--clean") == 0)
            given.clean = read_number(*++at);
        else if (strcmp(*at, "--parts") == 0)
            given.parts = read_number(*++at);
        else if (strcmp(*at, "--seed") == 0)
            given.seed = read_number(*++at);
        else
            usage();
    }
    return given;
}

static void count_run(tally *into, const fault_plan *plan, const fault_run *run,
                      const ocelotl_partition *partition, bool list)
{
    fault_verdict verdict;
    const size_t parts = ocelotl_partition_info_of(partition).part_count;
    check(fault_judge(&verdict, plan, run, partition), "out of memory");
    into->apart[plan->clean] += verdict.apart;
    into->by_kind[plan->kind] += verdict.apart && !plan->clean;
    into->parts[plan->clean][into->count[plan->clean]++] = (double)parts;
    if (list)
        printf("    %-18s %s%s %3" PRIu32 " ranks %2" PRIu32 " switches  %5zu parts, %3" PRIu32
               " of %3" PRIu32 " slices, difference %.2f%s\n",
               fault_name(plan->kind), plan->clean ? "clean " : "", plan->flat ? "flat" : "tree",
               plan->ranks, plan->switches, parts, verdict.slices_apart, verdict.slices,
               verdict.difference, verdict.apart ? ", set apart" : "");
}

static void solve(findings *found, int which, const fault_plan *plan, const fault_run *run,
                  ocelotl_trace *trace)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    const double begin = bench_now();
    options.hierarchy.split_children = arrangements[which].split_children;
    options.hierarchy.max_groups = arrangements[which].most_groups;
    options.hierarchy.bare = arrangements[which].most_groups == 0;
    check_status(ocelotl_model_from_trace(&model, trace, &options));
    check_status(ocelotl_aggregation_create(&aggregation, model, NULL));
    for (int question = 0; question < QUESTIONS; question++) {
        ocelotl_partition *partition;
        check_status(question == 0
                         ? ocelotl_solve_auto(&partition, aggregation)
                         : ocelotl_solve_parts(&partition, aggregation, found->given.parts));
        count_run(&found->tallies[which][question], plan, run, partition, found->given.list);
        ocelotl_partition_free(partition);
    }
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
    found->seconds[which] += bench_now() - begin;
}

static void play(findings *found, const char *path, uint32_t number, bool clean)
{
    const fault_plan plan = fault_plan_of(found->given.seed, number, clean);
    fault_run run;
    ocelotl_trace *trace;
    check_status(fault_play(&run, &plan, path));
    check_status(ocelotl_trace_open(&trace, path));
    for (int i = 0; i < ARRANGEMENTS; i++)
        solve(found, i, &plan, &run, trace);
    ocelotl_trace_free(trace);
    unlink(path);
}

static void play_all(findings *found, const char *path)
{
    for (uint32_t i = 0; i < found->given.runs; i++)
        play(found, path, i, false);
    for (uint32_t i = 0; i < found->given.clean; i++)
        play(found, path, i, true);
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(tally *of, bool clean)
{
    qsort(of->parts[clean], of->count[clean], sizeof(double), compare);
    return of->parts[clean][of->count[clean] / 2];
}

/* The first row is what the others are compared with. */
static void print_tally(findings *found, int which, int question)
{
    tally *counted = &found->tallies[which][question];
    tally *plain = &found->tallies[0][question];
    const bench_unit unit = BENCH_NUMBER;
    const bool aimed = which > 0 && question == 0;
    bench_print((bench_line){.unit = unit, .figure = counted->apart[0]}, "set apart of %" PRIu32,
                found->given.runs);
    if (which > 0 && plain->apart[0] > 0)
        bench_print((bench_line){.unit = BENCH_FACTOR,
                                 .figure = (double)counted->apart[0] / plain->apart[0],
                                 .target = aimed ? wanted_factor : 0},
                    "  as many as without groups");
    for (int kind = 0; kind < FAULT_KINDS; kind++)
        bench_print((bench_line){.unit = unit, .figure = counted->by_kind[kind]}, "  %s",
                    fault_name((fault_kind)kind));
    bench_print((bench_line){.unit = unit, .figure = median(counted, false)},
                "parts, median of runs with a fault");
    bench_print((bench_line){.unit = unit,
                             .figure = median(counted, true),
                             .target = aimed ? median(plain, true) : 0},
                "parts, median of clean runs");
    bench_print((bench_line){.unit = unit, .figure = counted->apart[1]},
                "set apart in %" PRIu32 " clean runs", found->given.clean);
}

static void print(findings *found)
{
    bench_print_head();
    for (int question = 0; question < QUESTIONS; question++)
        for (int i = 0; i < ARRANGEMENTS; i++) {
            char title[128];
            snprintf(title, sizeof title, "%s, %s", arrangements[i].name,
                     question == 0 ? "the level to show first" : "of few parts");
            bench_print_title("", title);
            print_tally(found, i, question);
            if (question == 0)
                bench_print((bench_line){.unit = BENCH_SECONDS,
                                         .figure = found->seconds[i] /
                                                   (found->given.runs + found->given.clean)},
                            "model and both solves, mean");
        }
}

static void begin_tallies(findings *found)
{
    for (int i = 0; i < ARRANGEMENTS * QUESTIONS; i++) {
        tally *each = &found->tallies[i / QUESTIONS][i % QUESTIONS];
        each->parts[0] = calloc(found->given.runs, sizeof(double));
        each->parts[1] = calloc(found->given.clean, sizeof(double));
        check(each->parts[0] != NULL && each->parts[1] != NULL, "out of memory");
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    findings found = {.given = read_arguments(argv)};
    const char *where = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/bench_faults-%ld.db",
             where != NULL && where[0] != '\0' ? where : "/tmp", (long)getpid());
    begin_tallies(&found);
    play_all(&found, path);
    print(&found);
    for (int i = 0; i < ARRANGEMENTS * QUESTIONS; i++)
        for (int clean = 0; clean < 2; clean++)
            free(found.tallies[i / QUESTIONS][i % QUESTIONS].parts[clean]);
    printf("\n%d targets missed\n", bench_missed());
    return 0;
}

/* In how many runs with one fault the first picture sets it apart, by arrangement of the hierarchy.
 * Runs are played as tests/faults/faults.h says, faulty ones first and then half as many clean
 * ones. Each is solved spatiotemporally with the default number of slices: at the level to show
 * first, and at the most detailed one of at most 40 parts. Printed is in how many runs the fault is
 * set apart, in how many clean ones something is where a fault would have been, and medians of the
 * numbers of parts. */
#include "tests/faults/faults.h"
#include "bench.h"

#include <stdlib.h>
#include <unistd.h>

enum { MOST_RUNS = 10000, QUESTIONS = 2, PARTS = 40, SEED = 1, ARRANGEMENTS = 2 };

static const struct {
    const char *name;
    uint32_t most_groups;
} arrangements[ARRANGEMENTS] = {
    {"without groups", 0},
    {"like siblings grouped", OCELOTL_DEFAULT_MAX_GROUPS},
};

static const double wanted_factor = 1.6; /* set apart with groups and without */

/* What an arrangement does; of faulty runs and of clean ones. */
typedef struct tally {
    uint32_t apart[2], count[2];
    uint32_t by_kind[FAULT_KINDS]; /* faulty */
    double parts[2][MOST_RUNS];
} tally;

static tally tallies[ARRANGEMENTS][QUESTIONS];
static double seconds[ARRANGEMENTS];

static void count_run(tally *into, const fault_plan *plan, const fault_run *run,
                      const ocelotl_partition *partition)
{
    fault_verdict verdict;
    bench_demand(fault_judge(&verdict, plan, run, partition), "memory for a verdict");
    into->apart[plan->clean] += verdict.apart;
    into->by_kind[plan->kind] += verdict.apart && !plan->clean;
    into->parts[plan->clean][into->count[plan->clean]++] =
        (double)ocelotl_partition_info_of(partition).part_count;
}

static void solve(int which, const fault_plan *plan, const fault_run *run, ocelotl_trace *trace)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    const double begin = bench_now();
    options.hierarchy.max_groups = arrangements[which].most_groups;
    options.hierarchy.bare = arrangements[which].most_groups == 0;
    bench_check(ocelotl_model_from_trace(&model, trace, &options));
    bench_check(ocelotl_aggregation_create(&aggregation, model, NULL));
    for (int question = 0; question < QUESTIONS; question++) {
        ocelotl_partition *partition;
        bench_check(question == 0 ? ocelotl_solve_auto(&partition, aggregation)
                                  : ocelotl_solve_parts(&partition, aggregation, PARTS));
        count_run(&tallies[which][question], plan, run, partition);
        ocelotl_partition_free(partition);
    }
    ocelotl_aggregation_free(aggregation);
    ocelotl_model_free(model);
    seconds[which] += bench_now() - begin;
}

static void play(const char *path, uint32_t number, bool clean)
{
    const fault_plan plan = fault_plan_of(SEED, number, clean);
    fault_run run;
    ocelotl_trace *trace;
    fault_play(&run, &plan, path);
    bench_check(ocelotl_trace_open(&trace, path));
    for (int i = 0; i < ARRANGEMENTS; i++)
        solve(i, &plan, &run, trace);
    ocelotl_trace_free(trace);
    unlink(path);
}

static double median(tally *of, bool clean)
{
    qsort(of->parts[clean], of->count[clean], sizeof(double), bench_compare_numbers);
    return of->parts[clean][of->count[clean] / 2];
}

/* The first arrangement is what the others are compared with. */
static void print_tally(int which, int question)
{
    tally *counted = &tallies[which][question];
    tally *plain = &tallies[0][question];
    const bool aimed = which > 0 && question == 0;
    bench_figure(BENCH_NUMBER, counted->apart[0], 0, 0, "set apart of %u", counted->count[0]);
    if (which > 0 && plain->apart[0] > 0)
        bench_figure(BENCH_FACTOR, (double)counted->apart[0] / plain->apart[0], 0,
                     aimed ? wanted_factor : 0, "  as many as without groups");
    for (int kind = 0; kind < FAULT_KINDS; kind++)
        bench_figure(BENCH_NUMBER, counted->by_kind[kind], 0, 0, "  %s",
                     fault_name((fault_kind)kind));
    bench_figure(BENCH_NUMBER, median(counted, false), 0, 0, "parts, median of runs with a fault");
    bench_figure(BENCH_NUMBER, median(counted, true), 0, aimed ? median(plain, true) : 0,
                 "parts, median of clean runs");
    bench_figure(BENCH_NUMBER, counted->apart[1], 0, 0, "set apart in %u clean runs",
                 counted->count[1]);
    if (question == 0)
        bench_figure(BENCH_SECONDS, seconds[which] / (counted->count[0] + counted->count[1]), 0, 0,
                     "model and both solves, mean");
}

void bench_faults(const bench_wishes *wishes)
{
    const char *path = bench_path(wishes, "faults.db");
    const uint32_t runs = wishes->runs > 0 ? wishes->runs : wishes->quick ? 16 : 80;
    bench_demand(runs > 1 && runs <= MOST_RUNS, "expected 2 to 10000 runs");
    for (uint32_t i = 0; i < runs + runs / 2; i++)
        play(path, i < runs ? i : i - runs, i >= runs);
    for (int question = 0; question < QUESTIONS; question++)
        for (int i = 0; i < ARRANGEMENTS; i++) {
            bench_figure(BENCH_NUMBER, -1, 0, 0, "%s, %s", arrangements[i].name,
                         question == 0 ? "shown first" : "few parts");
            print_tally(i, question);
        }
}

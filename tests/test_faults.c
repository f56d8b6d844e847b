/* That groups of like siblings set a fault apart, and find nothing in a clean run: a handful of the
 * runs of `ocelotl-bench faults`. */
#include "temporary.h"

#include "faults/faults.h"

enum { SLICES = 60 };

typedef struct expectation {
    uint32_t number;
    bool clean;
    bool plain, grouped; /* set apart at the level to show first, without groups and with */
} expectation;

static bool is_apart(size_t *parts, const fault_plan *plan, const fault_run *run,
                     ocelotl_trace *trace, uint32_t groups)
{
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    fault_verdict verdict;
    options.slices = SLICES;
    options.hierarchy.max_groups = groups;
    options.hierarchy.bare = groups == 0;
    ocelotl_model *model = must_build(trace, &options);
    ocelotl_aggregation *aggregation = must_aggregate(model, NULL);
    ocelotl_partition *partition = must_solve_auto(aggregation);
    CHECK(fault_judge(&verdict, plan, run, partition));
    *parts = ocelotl_partition_info_of(partition).part_count;
    fprintf(stderr, "%s%s, groups %u: %zu parts, %u of %u slices, difference %.2f\n",
            plan->clean ? "clean " : "", fault_name(plan->kind), groups, *parts,
            verdict.slices_apart, verdict.slices, verdict.difference);
    must_free(partition, aggregation, model, NULL);
    return verdict.apart;
}

static void test_runs(void)
{
    static const expectation expected[] = {
        {0, false, false, true}, {3, false, true, true},   {5, false, false, true},
        {6, false, false, true}, {7, false, false, true},  {18, false, true, true},
        {24, false, true, true}, {28, false, false, true}, {29, false, false, true},
        {0, true, false, false}, {1, true, false, false},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const expectation *is = &expected[i];
        const fault_plan plan = fault_plan_of(1, is->number, is->clean);
        fault_run run;
        size_t parts[2];
        fault_play(&run, &plan, temporary_path("run.db"));
        OWN_TRACE *trace = must_open(temporary_path("run.db"));
        CHECK(is_apart(&parts[0], &plan, &run, trace, 0) == is->plain);
        CHECK(is_apart(&parts[1], &plan, &run, trace, OCELOTL_DEFAULT_MAX_GROUPS) == is->grouped);
        if (is->clean)
            CHECK(parts[1] <= parts[0]);
    }
}

int main(void)
{
    temporary_begin();
    test_runs();
    return 0;
}

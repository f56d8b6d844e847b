/* The engine, measured: creating an aggregation (the measures) and solving at one p. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

/* Seconds of repeating. */
static const double patience = 2;
static const double more_patience = 8; /* for two that are compared closely */

void bench_check(ocelotl_status status)
{
    if (status == OCELOTL_OK)
        return;
    fflush(stdout);
    fprintf(stderr, "bench_engine: %s\n", ocelotl_error_message());
    exit(BENCH_FAILED);
}

bench_subject bench_subject_of(const ocelotl_model *model)
{
    const ocelotl_aggregation_options usual = OCELOTL_AGGREGATION_OPTIONS_INIT;
    return (bench_subject){.model = model, .options = usual};
}

static void forget_aggregation(void *context)
{
    bench_subject *subject = context;
    ocelotl_aggregation_free(subject->aggregation);
    subject->aggregation = NULL;
}

static void create(void *context)
{
    bench_subject *subject = context;
    bench_check(
        ocelotl_aggregation_create(&subject->aggregation, subject->model, &subject->options));
}

static void forget_partition(void *context)
{
    bench_subject *subject = context;
    ocelotl_partition_free(subject->partition);
    subject->partition = NULL;
}

static void solve(void *context)
{
    bench_subject *subject = context;
    bench_check(ocelotl_solve(&subject->partition, subject->aggregation, subject->p));
}

bench_time bench_create(bench_subject *subject)
{
    return bench_repeat(forget_aggregation, create, subject, patience);
}

bench_time bench_solve(bench_subject *subject, double p)
{
    subject->p = p;
    return bench_repeat(forget_partition, solve, subject, patience);
}

void bench_compare_creates(bench_time times[2], bench_subject *const subjects[2])
{
    void *const contexts[2] = {subjects[0], subjects[1]};
    bench_compare(times, forget_aggregation, create, contexts, more_patience);
}

void bench_compare_solves(bench_time times[2], bench_subject *const subjects[2], double p)
{
    void *const contexts[2] = {subjects[0], subjects[1]};
    subjects[0]->p = subjects[1]->p = p;
    bench_compare(times, forget_partition, solve, contexts, more_patience);
}

void bench_subject_end(bench_subject *subject)
{
    forget_partition(subject);
    forget_aggregation(subject);
}

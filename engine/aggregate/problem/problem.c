/* What is known of a problem once it is measured: its kind, the whole's gain and loss, and p in
 * both scales. */
#include "aggregate/problem/problem.h"

#include "aggregate/vector/vector.h"

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

ocelotl_kind ocelotl_aggregation_kind(const ocelotl_aggregation *aggregation)
{
    return aggregation->kind;
}

const ocelotl_model *ocelotl_aggregation_model(const ocelotl_aggregation *aggregation)
{
    return aggregation->model;
}

double ocelotl_aggregation_whole_gain(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_gain, aggregation->unit);
}

double ocelotl_aggregation_whole_loss(const ocelotl_aggregation *aggregation)
{
    return ldexp(aggregation->whole_loss, aggregation->unit);
}

/* p weighed by a, against 1 - p weighed by b. Only an end gives an end: below 1 the whole is one
 * part among others. */
static double reweigh(double p, double a, double b)
{
    if (!(p > 0 && p < 1) || !(a > 0 && b > 0))
        return p;
    const double weighed = p * a / (p * a + (1 - p) * b);
    return weighed < 1 ? weighed : nextafter(1, 0);
}

double ocelotl_p_to_raw(const ocelotl_aggregation *aggregation, double p)
{
    return reweigh(p, aggregation->whole_loss, aggregation->whole_gain);
}

double ocelotl_p_from_raw(const ocelotl_aggregation *aggregation, double p_raw)
{
    return reweigh(p_raw, aggregation->whole_gain, aggregation->whole_loss);
}

void oc_work_done(oc_work *work, uint32_t nodes)
{
    const ocelotl_aggregation *aggregation = work->aggregation;
    uint64_t done;
#pragma omp atomic capture
    {
        work->done += nodes;
        done = work->done;
    }
    if (aggregation->progress == NULL || omp_get_thread_num() != 0)
        return;
    if (!aggregation->progress(aggregation->progress_context, done, aggregation->nodes.count)) {
#pragma omp atomic write
        work->cancelled = 1;
    }
}

void oc_work_fail(oc_work *work)
{
#pragma omp atomic write
    work->failed = 1;
}

bool oc_work_is_stopped(const oc_work *work)
{
    int failed, cancelled;
#pragma omp atomic read
    failed = work->failed;
#pragma omp atomic read
    cancelled = work->cancelled;
    return failed || cancelled;
}

ocelotl_status oc_work_status(const oc_work *work)
{
    if (work->cancelled)
        return oc_fail(OCELOTL_ERROR_CANCELLED, "cancelled after %llu nodes of %u",
                       (unsigned long long)work->done, work->aggregation->nodes.count);
    return work->failed ? oc_fail_memory() : OCELOTL_OK;
}

extern const oc_vector oc_vector_plain;
#ifdef OC_X86_64
extern const oc_vector oc_vector_avx2;
extern const oc_vector oc_vector_avx512;
#endif

/* The widest first. */
static const oc_vector *const tables[] = {
#ifdef OC_X86_64
    &oc_vector_avx512,
    &oc_vector_avx2,
#endif
    &oc_vector_plain,
};

enum { TABLES = sizeof tables / sizeof tables[0] };

static bool has(const oc_vector *table)
{
#ifdef OC_X86_64
    if (table == &oc_vector_avx512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (table == &oc_vector_avx2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
#endif
    return table == &oc_vector_plain;
}

const oc_vector *oc_vector_find(const char *name)
{
    for (int i = 0; i < TABLES; i++)
        if (has(tables[i]) && (name == NULL || strcmp(name, tables[i]->name) == 0))
            return tables[i];
    return NULL;
}

void oc_vector_list(char *text, size_t size)
{
    size_t length = 0;
    for (int i = 0; i < TABLES; i++)
        if (has(tables[i]) && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       tables[i]->name);
}

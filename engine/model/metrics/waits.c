/* Metrics of waiting: how long a resource waits, and how long it lets others wait. */
#include "model/metrics/filling.h"
#include "model/metrics/metrics.h"

#include "base/memory.h"
#include "quality/waiting.h"

#include <string.h>

/* Which waits a metric is of: a kind, or OC_WAIT_KINDS for all. */
static oc_wait_kind kind_of(const oc_metric *metric)
{
    static const struct {
        const char *name;
        oc_wait_kind kind;
    } kinds[] = {{"wait-late-sender", OC_WAIT_LATE_SENDER},
                 {"wait-late-receiver", OC_WAIT_LATE_RECEIVER},
                 {"wait-collective", OC_WAIT_COLLECTIVE}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, metric->listed.name) == 0)
            return kinds[i].kind;
    return OC_WAIT_KINDS;
}

/* A filter of durations or attributes would be one of states, and a wait is a part of one. */
static ocelotl_status check_filters(const oc_filling *filling)
{
    for (uint32_t e = 0; e < filling->trace->event_type_count; e++)
        if (filling->readable[e] && oc_filling_reads_states(filling, e))
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "the metric %s takes no filter of durations or attributes, expected "
                           "one of names, resources or time",
                           filling->metric->listed.name);
    return OCELOTL_OK;
}

static ocelotl_status add_waits(oc_filling *filling, const oc_waiting *waiting)
{
    oc_slice_finder finder = oc_slice_finder_of(filling->slicing, filling->boundaries);
    const oc_wait_kind kind = kind_of(filling->metric);
    const bool caused = strcmp(filling->metric->listed.name, "wait-caused") == 0;
    const double seconds = ocelotl_trace_seconds(filling->trace, 1) / filling->slicing->slices;
    for (size_t i = 0; i < (caused ? waiting->delay_count : waiting->count); i++) {
        const oc_wait wait = caused ? (oc_wait){.begin = waiting->delays[i].from,
                                                .end = waiting->delays[i].to,
                                                .resource = waiting->delays[i].resource,
                                                .value = waiting->delays[i].value,
                                                .delayed = waiting->delays[i].weight}
                                    : waiting->waits[i];
        const uint32_t type = filling->type_of_value[wait.value];
        if (type != OCELOTL_NONE && (kind == OC_WAIT_KINDS || kind == wait.kind))
            OC_TRY(oc_arrivals_add_time(&filling->arrivals, &finder, wait.resource, type,
                                        wait.begin, wait.end,
                                        seconds * (caused ? wait.delayed : 1)));
    }
    oc_arrivals_join(&filling->arrivals);
    return OCELOTL_OK;
}

static ocelotl_status prepare(oc_filling *filling)
{
    const oc_waiting *waiting;
    OC_TRY(check_filters(filling));
    OC_TRY(oc_waiting_of(&waiting, filling->trace, &filling->options->work));
    return add_waits(filling, waiting);
}

/* All has been found before. */
static ocelotl_status read(oc_measuring *m, uint32_t stream)
{
    (void)m;
    (void)stream;
    return OCELOTL_OK;
}

const oc_measure oc_measure_waits = {
    .prepare = prepare, .read = read, .give = oc_measuring_give_arrivals};

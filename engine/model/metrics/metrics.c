#include "model/metrics/metrics.h"

#include "base/options.h"
#include "base/text.h"
#include "model/metrics/formula.h"

#include <inttypes.h>
#include <string.h>

enum {
    EVENTS = 1 << OC_ROLE_EVENTS,
    STATES = 1 << OC_ROLE_STATES,
    VARIABLE = 1 << OC_ROLE_VARIABLE,
    LINKS_OUT = 1 << OC_ROLE_LINKS_OUT,
    LINKS_IN = 1 << OC_ROLE_LINKS_IN,
    COUNTERS = OC_COUNTERS | VARIABLE
};

static const oc_metric metrics[] = {
    {{"state-duration", "state", "share", "the share of the slice that is spent in the state",
      true},
     STATES,
     OC_TYPES_TIMED_VALUES,
     OC_DRAW_CELLS,
     "",
     &oc_measure_state_duration},
    {{"state-mean-duration", "state", "s", "the mean duration of the states that end in the slice",
      false},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_RATIO,
     "mean duration of the states that end there; the partition is best over their time and "
     "number",
     &oc_measure_state_ends},
    {{"state-min-duration", "state", "s", "the shortest duration of a state that ends in the slice",
      false},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_LEAST,
     "shortest duration of a state that ends there; the partition is best over their time and "
     "number",
     &oc_measure_state_ends},
    {{"state-max-duration", "state", "s", "the longest duration of a state that ends in the slice",
      false},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_LARGEST,
     "longest duration of a state that ends there; the partition is best over their time and "
     "number",
     &oc_measure_state_ends},
    {{"event-count", "any", "events",
      "how many states, links and instants begin in the slice, and how often a variable changes",
      true},
     EVENTS | STATES | VARIABLE | LINKS_OUT,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "number of events that begin in a slice",
     &oc_measure_counts},
    {{"variable-mean", "variable", "",
      "the mean of the variable over the time for which it has a value", false},
     VARIABLE,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_RATIO,
     "mean over time",
     &oc_measure_variable},
    {{"variable-min", "variable", "", "the least value that the variable has in the slice", false},
     VARIABLE,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_LEAST,
     "least value",
     &oc_measure_variable},
    {{"variable-max", "variable", "", "the largest value that the variable has in the slice",
      false},
     VARIABLE,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_LARGEST,
     "largest value",
     &oc_measure_variable},
    {{"counter", "variable", "",
      "how much was added to the counter in the slice, evenly between two readings", true},
     COUNTERS,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_CELLS,
     "growth in a slice",
     &oc_measure_counter},
    {{"link-count", "link", "links", "how many links begin in the slice, where they begin", true},
     LINKS_OUT,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "number of links that begin in a slice, by sender",
     &oc_measure_counts},
    {{"link-count-received", "link", "links", "how many links end in the slice, where they end",
      true},
     LINKS_IN,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "number of links that end in a slice, by receiver",
     &oc_measure_counts},
    {{"link-ends", "link", "ends", "how many ends of links are in the slice, where they are", true},
     LINKS_OUT | LINKS_IN,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "number of ends of links in a slice: begins at senders, ends at receivers",
     &oc_measure_counts},
    {{"link-count-in-flight", "link", "links",
      "how many links are under way, as the mean over the slice", true},
     LINKS_OUT,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "mean number of links under way, by sender",
     &oc_measure_flight},
    {{"link-count-in-flight-received", "link", "links",
      "how many links are under way to the resource, as the mean over the slice", true},
     LINKS_IN,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "mean number of links under way, by receiver",
     &oc_measure_flight},
    {{"link-bytes", "link", "bytes",
      "the bytes of the links that begin in the slice, where they begin", true},
     LINKS_OUT,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_CELLS,
     "bytes of the links that begin in a slice, by sender",
     &oc_measure_counts},
    {{"link-bytes-received", "link", "bytes",
      "the bytes of the links that end in the slice, where they end", true},
     LINKS_IN,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_CELLS,
     "bytes of the links that end in a slice, by receiver",
     &oc_measure_counts},
    {{"link-bytes-in-flight", "link", "bytes",
      "how many bytes are under way, as the mean over the slice", true},
     LINKS_OUT,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_CELLS,
     "mean bytes under way, by sender",
     &oc_measure_flight},
    {{"link-bytes-in-flight-received", "link", "bytes",
      "how many bytes are under way to the resource, as the mean over the slice", true},
     LINKS_IN,
     OC_TYPES_EVENT_TYPES,
     OC_DRAW_CELLS,
     "mean bytes under way, by receiver",
     &oc_measure_flight},
    {{"wait", "state", "s",
      "how long resources wait for others: for late messages, and in collective "
      "operations",
      true},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "seconds of waiting for others",
     &oc_measure_waits},
    {{"wait-late-sender", "state", "s",
      "how long resources wait for messages that have not been sent yet", true},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "seconds of waiting for messages that were sent late",
     &oc_measure_waits},
    {{"wait-late-receiver", "state", "s",
      "how long resources wait for the receivers of what they send", true},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "seconds of waiting for receivers that were late",
     &oc_measure_waits},
    {{"wait-collective", "state", "s",
      "how long resources wait in collective operations for the last of those that they"
      " need",
      true},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "seconds of waiting in collective operations for the last one",
     &oc_measure_waits},
    {{"wait-launch", "state", "s",
      "how long streams of GPUs are idle before the launch of their next kernel", true},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "seconds of streams that are idle before the next launch",
     &oc_measure_waits},
    {{"wait-caused", "state", "s",
      "how long others wait because the resource is late, where and when it was held up", true},
     STATES,
     OC_TYPES_VALUES,
     OC_DRAW_CELLS,
     "seconds of others' waiting, where and when they were delayed",
     &oc_measure_waits},
    {{"critical-path", "state", "s",
      "how long the resource is what the end of the run waits for, by what it does", true},
     STATES,
     OC_TYPES_TIMED_VALUES,
     OC_DRAW_CELLS,
     "seconds on the critical path",
     &oc_measure_waits},
    {{"work", "state", "share",
      "the share of the slice that is work: in no state of communication, or that is idle", true},
     STATES,
     OC_TYPES_TIMED_VALUES,
     OC_DRAW_CELLS,
     "work, without communication and what is idle",
     &oc_measure_work},
};

enum { METRICS = sizeof metrics / sizeof metrics[0] };

/* What is called by a formula; its sources are the two variables there. */
static const oc_metric ratio = {{"ratio", "variable", "", "one variable by another one", false},
                                VARIABLE,
                                OC_TYPES_EVENT_TYPES,
                                OC_DRAW_RATIO,
                                "of sums; the partition is best over both of them",
                                &oc_measure_ratio};

/* What is shown where no metric is asked for and no states are to be: what the trace has most of,
 * of equals the first. */
static const struct {
    const char *name;
    unsigned roles;
} by_default[] = {
    {"event-count", EVENTS | STATES},  {"link-count", LINKS_OUT},
    {"link-count-received", LINKS_IN}, {"counter", COUNTERS}, /* where all variables are */
    {"variable-mean", VARIABLE},
};

/* Where variables have more steps, states must cover this share of their resources' time. */
static const double least_coverage = 0.01;

uint32_t ocelotl_metric_count(void)
{
    return METRICS;
}

ocelotl_metric ocelotl_metric_at(uint32_t index)
{
    return index < METRICS ? metrics[index].listed : (ocelotl_metric){"", "", "", "", false};
}

bool oc_metric_is_mean_over_time(const char *name)
{
    return strstr(name, "-in-flight") != NULL;
}

bool oc_metric_reads(const oc_metric *metric, ocelotl_category category)
{
    static const unsigned roles[] = {EVENTS, STATES, VARIABLE, LINKS_OUT | LINKS_IN};
    return (metric->roles & roles[category]) != 0;
}

static uint64_t count_records(const ocelotl_trace *trace, unsigned roles)
{
    uint64_t count = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if ((roles >> trace->streams[s].role & 1) != 0 &&
            ((roles & OC_COUNTERS) == 0 ||
             trace->event_types[trace->streams[s].event_type].kind == OCELOTL_COUNTER))
            count += trace->streams[s].count;
    return count;
}

/* Whether one resource may wait for another. */
static bool has_partners(const ocelotl_trace *trace)
{
    bool found = count_records(trace, LINKS_IN) > 0;
    for (uint32_t v = 0; v < trace->value_count && !found; v++)
        found = trace->event_types[trace->values[v].event_type].category == OCELOTL_STATE &&
                oc_waiting_is_collective(trace->values[v].name, false);
    return found;
}

/* Nobody knows how long a link without a begin was under way. */
static bool serves(const oc_metric *metric, const ocelotl_trace *trace)
{
    return count_records(trace, metric->roles) > 0 &&
           (metric->measure != &oc_measure_waits || has_partners(trace)) &&
           (!oc_metric_is_mean_over_time(metric->listed.name) ||
            count_records(trace, LINKS_OUT) > 0);
}

/* States are what a picture is of, unless they last for no time, or hardly any, in a trace of
 * variables. */
static bool shows_states(const ocelotl_trace *trace)
{
    double covered = 0;
    double lived = 0;
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (trace->event_types[trace->values[v].event_type].category == OCELOTL_STATE)
            covered += (double)trace->values[v].innermost_ticks;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (trace->streams[s].role == OC_ROLE_STATES && trace->streams[s].count > 0) {
            const ocelotl_resource *resource = &trace->resources[trace->streams[s].resource];
            lived += (double)resource->end - (double)resource->begin;
        }
    return covered > 0 && (covered >= least_coverage * lived ||
                           count_records(trace, STATES) >= count_records(trace, VARIABLE));
}

bool oc_metric_serves(uint32_t index, const ocelotl_trace *trace)
{
    return index < METRICS && serves(&metrics[index], trace);
}

static const oc_metric *find(const char *name)
{
    for (size_t i = 0; i < METRICS; i++)
        if (strcmp(metrics[i].listed.name, name) == 0)
            return &metrics[i];
    return NULL;
}

/* Fails for a trace without a single event: any other one has a metric that serves it. */
static ocelotl_status fail_empty(const ocelotl_trace *trace)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s: holds no event that could be drawn; it holds %" PRIu32 " resource%s",
                   trace->label, trace->resource_count, trace->resource_count == 1 ? "" : "s");
}

/* A name of a state that would be an operation, if its root were known; NULL: none. */
static const char *find_rooted(const ocelotl_trace *trace)
{
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (oc_waiting_is_collective(trace->values[v].name, true))
            return trace->values[v].name;
    return NULL;
}

static ocelotl_status fail_unserved(const ocelotl_trace *trace, const oc_metric *metric)
{
    const bool waits = metric->measure == &oc_measure_waits;
    const char *rooted = waits ? find_rooted(trace) : NULL;
    oc_text served = {0};
    for (size_t i = 0; i < METRICS; i++)
        if (serves(&metrics[i], trace))
            oc_text_format(&served, "%s%s", served.length > 0 ? ", " : "", metrics[i].listed.name);
    if (served.length == 0)
        return fail_empty(trace);
    const ocelotl_status status = oc_fail(
        OCELOTL_ERROR_ARGUMENT, "%s: has no %s for the metric %s%s%s%s, expected one of %s",
        trace->label,
        waits                                    ? "message or collective operation"
        : metric->measure == &oc_measure_counter ? "counter"
                                                 : metric->listed.category,
        metric->listed.name, rooted != NULL ? " (the root of " : "", rooted != NULL ? rooted : "",
        rooted != NULL ? " is not known)" : "", served.failed ? "the others" : served.bytes);
    oc_text_free(&served);
    return status;
}

/* Whether a condition concerns events that a metric is made of. */
static bool is_concerned(const oc_metric *metric, const ocelotl_trace *trace,
                         const oc_conditions *conditions, size_t condition)
{
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if ((conditions->concern[e] >> condition & 1) != 0 && trace->event_types[e].count > 0 &&
            oc_metric_reads(metric, trace->event_types[e].category))
            return serves(metric, trace);
    return false;
}

ocelotl_status oc_fail_unconcerned(const oc_metric *metric, const ocelotl_trace *trace,
                                   const oc_conditions *conditions, size_t condition)
{
    oc_text concerned = {0};
    for (size_t i = 0; i < METRICS; i++)
        if (&metrics[i] != metric && is_concerned(&metrics[i], trace, conditions, condition))
            oc_text_format(&concerned, "%s%s", concerned.length > 0 ? ", " : "",
                           metrics[i].listed.name);
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT,
                "%s: nothing that the metric %s shows carries \"%s\", expected %s%s", trace->label,
                metric->listed.name, conditions->list[condition].name,
                concerned.length > 0 ? "one of " : "other filters",
                concerned.failed || concerned.length == 0 ? "" : concerned.bytes);
    oc_text_free(&concerned);
    return status;
}

static ocelotl_status fail_unknown(const char *name)
{
    const char *names[METRICS];
    oc_text all = {0};
    for (size_t i = 0; i < METRICS; i++) {
        names[i] = metrics[i].listed.name;
        oc_text_format(&all, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const ocelotl_status status = oc_fail(
        OCELOTL_ERROR_ARGUMENT, "unknown metric \"%s\"; the nearest is %s, and all are %s", name,
        names[oc_nearest(name, names, METRICS)], all.failed ? "in the documentation" : all.bytes);
    oc_text_free(&all);
    return status;
}

ocelotl_status oc_find_metric(const oc_metric **metric, const ocelotl_trace *trace,
                              const char *name)
{
    *metric = NULL;
    if (oc_is_formula(name)) {
        oc_formula formula;
        *metric = &ratio;
        return oc_formula_read(&formula, trace, name);
    }
    if (name != NULL) {
        *metric = find(name);
        if (*metric == NULL)
            return fail_unknown(name);
        return serves(*metric, trace) ? OCELOTL_OK : fail_unserved(trace, *metric);
    }
    uint64_t most = 0;
    for (size_t i = 0; i < sizeof by_default / sizeof by_default[0]; i++) {
        const uint64_t count = count_records(trace, by_default[i].roles);
        if (count > most)
            *metric = find(by_default[i].name);
        most = count > most ? count : most;
    }
    if (shows_states(trace))
        *metric = find("state-duration");
    return *metric != NULL ? OCELOTL_OK : fail_empty(trace);
}

ocelotl_status ocelotl_metric_find(ocelotl_metric *metric, const ocelotl_trace *trace,
                                   const char *name)
{
    const oc_metric *found = NULL;
    OC_TRY(oc_find_metric(&found, trace, name));
    *metric = found->listed;
    if (found == &ratio)
        metric->name = name;
    return OCELOTL_OK;
}

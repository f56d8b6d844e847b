/* Writes derived series as means over spans of time, no more numbers than a picture needs. */
#include "answer/answer.h"
#include "base/memory.h"

#include <stdlib.h>

/* Values of each series from one change to the next, added up by span. */
typedef struct means {
    const ocelotl_trace *trace;
    ocelotl_series *series;
    ocelotl_series_info info;
    uint32_t spans;
    double *sums;   /* series x spans: value x ticks */
    double *ticks;  /* series x spans: ticks with a value */
    int64_t *since; /* by series: since when it has its value */
    double *value;  /* of each series */
    bool *has_value;
} means;

static void free_means(means *of)
{
    free(of->sums);
    free(of->ticks);
    free(of->since);
    free(of->value);
    free(of->has_value);
}

static double span_begin(const means *of, uint32_t span)
{
    return (double)of->info.from + ((double)of->info.to - (double)of->info.from) * span / of->spans;
}

static uint32_t span_of(const means *of, int64_t time)
{
    const double share =
        ((double)time - (double)of->info.from) / ((double)of->info.to - (double)of->info.from);
    const double span = share * of->spans;
    return span <= 0 ? 0 : span >= of->spans ? of->spans - 1 : (uint32_t)span;
}

/* Ends the value that a series had until now. */
static void end_value(means *of, uint32_t series, int64_t until)
{
    if (!of->has_value[series] || until <= of->since[series])
        return;
    const uint32_t last = span_of(of, until);
    for (uint32_t span = span_of(of, of->since[series]); span <= last; span++) {
        const double begin = span_begin(of, span);
        const double end = span_begin(of, span + 1);
        const double from = begin > (double)of->since[series] ? begin : (double)of->since[series];
        const double to = end < (double)until ? end : (double)until;
        if (to <= from)
            continue;
        of->sums[(size_t)series * of->spans + span] += of->value[series] * (to - from);
        of->ticks[(size_t)series * of->spans + span] += to - from;
    }
}

static ocelotl_status read_changes(means *of)
{
    ocelotl_series_change change;
    bool found = false;
    OC_TRY(ocelotl_series_next(&found, &change, of->series));
    while (found) {
        end_value(of, change.series, change.time);
        of->since[change.series] = change.time;
        of->value[change.series] = change.value;
        of->has_value[change.series] = change.has_value;
        OC_TRY(ocelotl_series_next(&found, &change, of->series));
    }
    for (uint32_t i = 0; i < of->info.series; i++)
        end_value(of, i, ocelotl_series_at(of->series, i).end);
    return OCELOTL_OK;
}

static ocelotl_status make_means(means *of)
{
    const size_t cells = (size_t)of->info.series * of->spans;
    OC_TRY(oc_allocate(&of->sums, cells, sizeof *of->sums));
    OC_TRY(oc_allocate(&of->ticks, cells, sizeof *of->ticks));
    OC_TRY(oc_allocate(&of->since, of->info.series, sizeof *of->since));
    OC_TRY(oc_allocate(&of->value, of->info.series, sizeof *of->value));
    OC_TRY(oc_allocate(&of->has_value, of->info.series, sizeof *of->has_value));
    return read_changes(of);
}

static void add_series(oc_json *json, const means *of, uint32_t index)
{
    const ocelotl_derived_series is = ocelotl_series_at(of->series, index);
    oc_json_item(json, 0);
    oc_json_text(json, "resource", is.path);
    oc_json_text(json, "series", is.name);
    oc_json_text(json, "unit", is.unit);
    oc_json_count(json, "members", is.members);
    oc_json_list(json, "means");
    for (uint32_t span = 0; span < of->spans; span++) {
        const size_t place = (size_t)index * of->spans + span;
        if (of->ticks[place] > 0)
            oc_json_number(json, NULL, of->sums[place] / of->ticks[place]);
        else
            oc_json_null(json, NULL);
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
}

static void add_all(oc_json *json, const means *of)
{
    oc_json_object(json, NULL);
    oc_json_text(json, "meaning", of->info.meaning);
    oc_json_seconds(json, "begin", of->trace, of->info.from);
    oc_json_seconds(json, "end", of->trace, of->info.to);
    oc_json_list(json, "series");
    for (uint32_t i = 0; i < of->info.series; i++)
        add_series(json, of, i);
    oc_json_end_list(json);
    oc_json_end_object(json);
}

ocelotl_status ocelotl_series_write_means(const ocelotl_sink *sink, ocelotl_series *series,
                                          const ocelotl_trace *trace, uint32_t spans)
{
    oc_json json = {.out = {.sink = sink}};
    means of = {.trace = trace, .series = series, .spans = spans > 0 ? spans : 1};
    of.info = ocelotl_series_info_of(series);
    ocelotl_status status = make_means(&of);
    if (status == OCELOTL_OK) {
        add_all(&json, &of);
        status = oc_json_finish(&json, OCELOTL_OK);
    }
    free_means(&of);
    return status;
}

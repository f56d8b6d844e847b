/* How long events last: how many in each of some spans of time. */
#include "answer/answer.h"

#include <math.h>
#include <string.h>

enum { PER_DECADE = 4, LEAST_DECADE = -12, DECADES = 20, BINS = DECADES * PER_DECADE };

/* Events by duration: of no time, and by the logarithm of their seconds. */
typedef struct histogram {
    uint64_t count, instants;
    uint64_t counts[BINS];
    double sums[BINS];
    double sum, least, most;
} histogram;

/* A quarter of a decade: 1, 1.8, 3.2, 5.6 times a power of ten. */
static double bin_begin(int bin)
{
    return pow(10, LEAST_DECADE + (double)bin / PER_DECADE);
}

static void add_duration(histogram *of, double seconds)
{
    of->count++;
    if (!(seconds > 0)) {
        of->instants++;
        return;
    }
    int bin = (int)floor((log10(seconds) - LEAST_DECADE) * PER_DECADE);
    bin = bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
    of->counts[bin]++;
    of->sums[bin] += seconds;
    of->sum += seconds;
    of->least = of->least > 0 && of->least < seconds ? of->least : seconds;
    of->most = of->most > seconds ? of->most : seconds;
}

static ocelotl_status read_events(histogram *of, ocelotl_events *events, const ocelotl_trace *trace)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, events));
    while (found) {
        const bool lasts = event.category == OCELOTL_STATE || event.category == OCELOTL_LINK;
        if (lasts && event.end >= event.begin)
            add_duration(of, ocelotl_trace_seconds(trace, event.end - event.begin));
        OC_TRY(ocelotl_events_next(&found, &event, events));
    }
    return OCELOTL_OK;
}

static void add_bins(oc_json *json, const histogram *of)
{
    oc_json_list(json, "bins");
    for (int bin = 0; bin < BINS; bin++) {
        if (of->counts[bin] == 0)
            continue;
        oc_json_line(json, 0);
        oc_json_object(json, NULL);
        oc_json_number(json, "begin", bin_begin(bin));
        oc_json_number(json, "end", bin_begin(bin + 1));
        oc_json_count(json, "count", of->counts[bin]);
        oc_json_number(json, "sum", of->sums[bin]);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

ocelotl_status ocelotl_durations_write_json(const ocelotl_sink *sink, ocelotl_events *events,
                                            const ocelotl_trace *trace)
{
    oc_json json = {.out = {.sink = sink}};
    histogram all;
    memset(&all, 0, sizeof all);
    OC_TRY(read_events(&all, events, trace));
    oc_json_object(&json, NULL);
    oc_json_count(&json, "count", all.count);
    oc_json_count(&json, "instants", all.instants);
    oc_json_number(&json, "sum", all.sum);
    oc_json_number(&json, "least", all.least);
    oc_json_number(&json, "most", all.most);
    add_bins(&json, &all);
    oc_json_end_object(&json);
    return oc_json_finish(&json, OCELOTL_OK);
}

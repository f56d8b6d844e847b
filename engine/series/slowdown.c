/* How slow links are: what they take by what the quickest of their class and size need. */
#include "series/series.h"

#include "base/memory.h"
#include "quality/transit.h"
#include "store/select/resources.h"

#include <math.h>
#include <stdlib.h>

/* Links of one type make a class with those whose ends have the same in common. */
static size_t class_of(const ocelotl_series *series, const oc_stream *stream, uint32_t target)
{
    const ocelotl_trace *trace = series->trace;
    const uint32_t common = oc_resource_common(trace, stream->resource, target);
    const uint32_t type =
        common != OCELOTL_ROOT ? trace->resources[common].type : trace->resource_type_count;
    return (size_t)series->of_types[stream->event_type] * (trace->resource_type_count + 1) +
           (type < trace->resource_type_count ? type : trace->resource_type_count);
}

static ocelotl_status read_stream(oc_transit *transits, const ocelotl_series *series, oc_walk *walk,
                                  uint32_t stream)
{
    const oc_interval *link;
    walk->attribute = series->bytes[series->trace->streams[stream].event_type];
    walk->sums = walk->attribute != OCELOTL_NONE;
    OC_TRY(oc_walk_begin(walk, stream, INT64_MIN));
    OC_TRY(oc_walk_next_interval(&link, walk));
    while (link != NULL) {
        if (link->target < series->trace->resource_count && link->end > link->begin)
            OC_TRY(oc_transit_add(&transits[class_of(series, walk->stream, link->target)],
                                  link->begun + link->ended,
                                  (int64_t)((uint64_t)link->end - (uint64_t)link->begin)));
        OC_TRY(oc_walk_next_interval(&link, walk));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_all(oc_transit *transits, const ocelotl_series *series, oc_walk *walk)
{
    const ocelotl_trace *trace = series->trace;
    const ocelotl_work *work = &series->work;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (work->progress != NULL && !work->progress(work->context, s, trace->stream_count))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled", trace->label);
        if (stream->role == OC_ROLE_LINKS_OUT && stream->resource < trace->resource_count &&
            series->of_types[stream->event_type] != OCELOTL_NONE)
            OC_TRY(read_stream(transits, series, walk, s));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_series_find_classes(ocelotl_series *series)
{
    const size_t count = (size_t)series->type_count * (series->trace->resource_type_count + 1);
    oc_walk walk = {.reader = {.connection = oc_connection_of(series->trace)}, .to = INT64_MAX};
    oc_transit *transits = NULL;
    OC_TRY(oc_allocate(&series->classes, count, sizeof *series->classes));
    OC_TRY(oc_allocate(&transits, count, sizeof *transits));
    const ocelotl_status status = read_all(transits, series, &walk);
    for (size_t c = 0; c < count; c++) {
        const oc_transit_line line = oc_transit_find(&transits[c]);
        series->classes[c] =
            (oc_series_class){line.fixed, line.per_byte, oc_hull_least(&transits[c].hull, 0)};
        oc_transit_free(&transits[c]);
    }
    oc_walk_free(&walk);
    free(transits);
    return status;
}

double oc_series_slowdown(const ocelotl_series *series, const oc_stream *stream,
                          const oc_interval *link, double ticks)
{
    static const double unit = 1 << 20;
    const oc_series_class *class = &series->classes[class_of(series, stream, link->target)];
    const double carried = link->begun + link->ended;
    const double bytes = carried >= 0 && isfinite(carried) ? carried : 0;
    const double needed = fmax(class->least, class->fixed + class->per_byte * bytes);
    return floor(ticks / needed * unit + 0.5) / unit;
}

#include "viz/gantt/gantt.h"

#include "viz/words/lettering.h"

#include <math.h>

double oc_gantt_x(const oc_gantt *gantt, int64_t tick)
{
    const double begin = (double)gantt->info.from;
    const double length = fmax(1, (double)gantt->info.to - begin);
    return gantt->frame.left + ((double)tick - begin) / length * gantt->frame.width;
}

oc_gantt_band oc_gantt_band_of(const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    const int top = oc_row_y(&gantt->frame, &gantt->rows, drawn->first);
    return (oc_gantt_band){top, oc_row_y(&gantt->frame, &gantt->rows, drawn->first + drawn->count) -
                                    top};
}

static double seconds(const oc_gantt *gantt, int64_t ticks)
{
    return ocelotl_trace_seconds(gantt->input->trace, ticks);
}

/* What tells two instants of the picture apart. */
static double resolution(const oc_gantt *gantt)
{
    return seconds(gantt, gantt->info.to - gantt->info.from) / 5000;
}

void oc_gantt_add_value(oc_text *text, const oc_gantt *gantt, uint32_t value, uint32_t event_type)
{
    const char *name = value != OCELOTL_NONE
                           ? ocelotl_trace_value(gantt->input->trace, value).name
                           : ocelotl_trace_event_type(gantt->input->trace, event_type).name;
    oc_clean_add(text, name, false);
}

void oc_gantt_add_duration(oc_text *text, const oc_gantt *gantt, int64_t ticks)
{
    const double length = seconds(gantt, ticks);
    oc_time_add(text, length, fmax(fabs(length) / 1000, seconds(gantt, 1)));
}

void oc_gantt_add_span(oc_text *text, const oc_gantt *gantt, int64_t begin, int64_t end)
{
    const double length = seconds(gantt, end) - seconds(gantt, begin);
    const double step = fmin(resolution(gantt), fabs(length) > 0 ? fabs(length) / 100 : HUGE_VAL);
    const oc_time_range within = {seconds(gantt, gantt->info.from), seconds(gantt, gantt->info.to)};
    if (begin == end) {
        oc_time_instant_add(text, seconds(gantt, begin), fmax(resolution(gantt), seconds(gantt, 1)),
                            within);
        return;
    }
    oc_time_span_add(text, seconds(gantt, begin), seconds(gantt, end),
                     fmax(step, seconds(gantt, 1)), within);
    oc_text_add(text, " (");
    oc_gantt_add_duration(text, gantt, end - begin);
    oc_text_add(text, ")");
}

bool oc_gantt_contains(const oc_gantt *gantt, uint32_t above, uint32_t resource)
{
    const ocelotl_trace *trace = gantt->input->trace;
    while (resource != OCELOTL_ROOT && resource > above)
        resource = ocelotl_trace_resource(trace, resource).parent;
    return resource == above;
}

/* What a derived trace was made of: its source, what was done, and the clocks that were set. */
#include "answer/answer.h"

#include "base/visible.h"

#include <math.h>

static double in_seconds(const ocelotl_trace *trace, double ticks)
{
    return ticks * ocelotl_trace_seconds(trace, 1);
}

static void add_clock(oc_json *json, const ocelotl_trace *trace, uint32_t index)
{
    const ocelotl_set_clock clock = ocelotl_trace_clock_at(trace, index);
    oc_json_line(json, 1);
    oc_json_object(json, NULL);
    oc_json_text(json, "clock", clock.path);
    oc_json_count(json, "group", clock.group);
    oc_json_number(json, "offset", in_seconds(trace, clock.offset));
    oc_json_number(json, "drift", clock.drift);
    oc_json_number(json, "bound", in_seconds(trace, clock.bound));
    oc_json_count(json, "samples", clock.samples);
    oc_json_count(json, "messages", clock.messages);
    oc_json_end_object(json);
}

void oc_derived_add(oc_json *json, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    if (info.derived_from[0] == '\0')
        return;
    oc_json_line(json, 0);
    oc_json_object(json, "derived");
    oc_json_text(json, "from", info.derived_from);
    oc_json_text(json, "how", info.derivation);
    oc_json_list(json, "clocks");
    for (uint32_t i = 0; i < ocelotl_trace_clock_count(trace); i++)
        add_clock(json, trace, i);
    oc_json_end_list(json);
    oc_json_end_object(json);
}

static void print_clocks(oc_output *out, const ocelotl_trace *trace)
{
    double worst = 0;
    uint32_t groups = 0;
    const uint32_t count = ocelotl_trace_clock_count(trace);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_set_clock clock = ocelotl_trace_clock_at(trace, i);
        worst = fmax(worst, in_seconds(trace, clock.bound));
        groups = clock.group >= groups ? clock.group + 1 : groups;
    }
    oc_output_format(out, "clocks     %u set right", count);
    if (groups > 1)
        oc_output_format(out, ", in %u groups that do not compare", groups);
    if (groups == count)
        oc_output_add(out, ", so that nothing is known of them");
    else if (isfinite(worst))
        oc_output_format(out, ", each to within %.3g s", worst);
    else
        oc_output_add(out, "; what some of them are off by is not known");
    oc_output_add(out, "\n");
}

void oc_derived_print(oc_output *out, const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    if (info.derived_from[0] == '\0')
        return;
    oc_output_add(out, "made of    ");
    oc_output_add_visible(out, info.derived_from);
    if (info.derivation[0] != '\0') {
        oc_output_add(out, "\nby         ");
        oc_output_add_visible(out, info.derivation);
    }
    oc_output_add(out, "\n");
    if (ocelotl_trace_clock_count(trace) > 0)
        print_clocks(out, trace);
}

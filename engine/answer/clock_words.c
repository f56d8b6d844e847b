#include "answer/clock_words.h"

#include "base/visible.h"

#include <inttypes.h>
#include <math.h>

void oc_output_time(oc_output *out, double time)
{
    const double size = fabs(time);
    if (!(size <= 1e300))
        oc_output_add(out, "not known");
    else if (size >= 1 || size == 0)
        oc_output_format(out, "%.9g s", time);
    else if (size >= 1e-3)
        oc_output_format(out, "%.6g ms", time * 1e3);
    else
        oc_output_format(out, "%.6g us", time * 1e6);
}

void oc_output_clocks(oc_output *out, const ocelotl_trace *trace, uint32_t clocks, const char *type)
{
    oc_output_add(out, "name       ");
    oc_output_add_visible(out, ocelotl_trace_info_of(trace).name);
    oc_output_format(out, "\nclocks     %u", clocks);
    oc_output_add(out, type[0] != '\0' ? ", one for each " : "");
    oc_output_add_visible(out, type);
}

void oc_output_collectives(oc_output *out, uint64_t collectives, const char *left_out)
{
    if (collectives > 0)
        oc_output_format(out, "operations %" PRIu64 " collective ones\n", collectives);
    if (left_out[0] == '\0')
        return;
    oc_output_add(out, "left out   ");
    oc_output_add_visible(out, left_out);
    oc_output_add(out, "\n");
}

double oc_percent_of(double confidence, double value)
{
    return 100 * confidence / fabs(value);
}

double oc_tick_of(const ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    return (double)info.tick_numerator / (double)info.tick_denominator;
}

#include "answer/clock_fits.h"

#include "base/visible.h"

#include <inttypes.h>
#include <math.h>

double oc_percent_of(double confidence, double value)
{
    return 100 * confidence / fabs(value);
}

/* --- JSON */

static void add_known(oc_json *json, const char *key, double number, bool known)
{
    if (known)
        oc_json_number(json, key, number);
    else
        oc_json_null(json, key);
}

void oc_json_fit(oc_json *json, const ocelotl_trace *trace, const ocelotl_clocks *clocks,
                 uint32_t index)
{
    const ocelotl_clock_fitted is = ocelotl_clocks_fitted_at(clocks, index);
    const double tick = oc_tick_of(trace);
    if (is.points == 0)
        return;
    oc_json_object(json, "fitted");
    oc_json_count(json, "samples", is.samples);
    oc_json_count(json, "points", is.points);
    oc_json_number(json, "from", is.first * tick);
    oc_json_number(json, "to", is.last * tick);
    oc_json_number(json, "offset", is.offset * tick);
    oc_json_number(json, "offset_confidence", is.offset_confidence * tick);
    oc_json_number(json, "slope", 1 + is.drift);
    oc_json_number(json, "slope_confidence", is.drift_confidence);
    oc_json_number(json, "deviation", is.deviation * tick);
    oc_json_number(json, "durbin_watson", is.durbin_watson);
    add_known(json, "amplitude", is.amplitude * tick, is.amplitude > 0);
    add_known(json, "period", is.period * tick, is.amplitude > 0);
    add_known(json, "eps", is.eps * tick, is.amplitude > 0);
    oc_json_flag(json, "steps", is.steps);
    oc_json_end_object(json);
}

/* --- Text */

static void print_report(oc_output *out, const ocelotl_trace *trace, const ocelotl_clocks *clocks,
                         uint32_t index)
{
    const ocelotl_clock clock = ocelotl_clocks_at(clocks, index);
    const ocelotl_clock_fitted is = ocelotl_clocks_fitted_at(clocks, index);
    const double tick = oc_tick_of(trace);
    const bool one = clock.is_reference;
    oc_output_format(
        out, "%11.8f %11.8f %6.2f %16.6f %11.6f %6.2f  ", 1 + is.drift, is.drift_confidence,
        one ? 0 : oc_percent_of(is.drift_confidence, 1 + is.drift), is.offset * tick,
        is.offset_confidence * tick, one ? 0 : oc_percent_of(is.offset_confidence, is.offset));
    oc_output_add_visible(out, clock.path);
    oc_output_add(out, "\n");
}

static void print_residuals(oc_output *out, const ocelotl_trace *trace,
                            const ocelotl_clocks *clocks, uint32_t index)
{
    const ocelotl_clock_fitted is = ocelotl_clocks_fitted_at(clocks, index);
    const double tick = oc_tick_of(trace);
    if (is.points == 0)
        return;
    oc_output_format(out, "%8" PRIu64 " %8" PRIu64 " %12.4g %8.3f ", is.samples, is.points,
                     is.deviation * tick * 1e6, is.durbin_watson);
    if (is.amplitude > 0)
        oc_output_format(out, "%12.4g %10.4g %9.4g  ", is.amplitude * tick * 1e6, is.period * tick,
                         is.eps * tick * 1e6);
    else
        oc_output_format(out, "%12s %10s %9s  ", "-", "-", "-");
    oc_output_add_visible(out, ocelotl_clocks_at(clocks, index).path);
    oc_output_add(out, "\n");
}

/* Confidences in percent of an offset near 0 mean nothing; against what a message takes they do. */
static void print_doubts(oc_output *out, const ocelotl_trace *trace, const ocelotl_clocks *clocks,
                         uint32_t index)
{
    const ocelotl_clock_fitted is = ocelotl_clocks_fitted_at(clocks, index);
    const double transit = ocelotl_clocks_info_of(clocks).transit;
    if (is.steps) {
        oc_output_add_visible(out, ocelotl_clocks_at(clocks, index).path);
        oc_output_add(out, ": its residuals jump: a daemon may set this clock\n");
    }
    if (transit >= 0 && is.offset_confidence > transit / 2) {
        oc_output_add_visible(out, ocelotl_clocks_at(clocks, index).path);
        oc_output_add(out, ": the confidence of its offset is more than half of what the least "
                           "message takes, ");
        oc_output_time(out, transit * oc_tick_of(trace));
        oc_output_add(out, "\n");
    }
}

static void print_head(oc_output *out, const ocelotl_trace *trace, const ocelotl_clocks *clocks)
{
    uint64_t samples = 0;
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(clocks);
    oc_output_add(out, "\n");
    for (uint32_t i = 0; i < info.clocks; i++) {
        const ocelotl_clock clock = ocelotl_clocks_at(clocks, i);
        const uint64_t here = ocelotl_clocks_fitted_at(clocks, i).samples;
        samples = here > samples ? here : samples;
        if (!clock.is_reference)
            continue;
        oc_output_add(out, "Reference machine         : ");
        oc_output_add_visible(out, clock.path);
        oc_output_add(out, "\n");
    }
    oc_output_format(out, "Length of sample period   : %.9g secs\n",
                     info.sampled * oc_tick_of(trace));
    oc_output_format(out, "Size of sample            : %" PRIu64 "\n", samples);
    oc_output_format(out, "Window size for r. median : %u\n", info.median);
}

void oc_output_fits(oc_output *out, const ocelotl_trace *trace, const ocelotl_clocks *clocks)
{
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(clocks);
    if (info.fit != OCELOTL_FIT_LEAST_SQUARES)
        return;
    print_head(out, trace, clocks);
    oc_output_add(out, "\n      Slope    95% Conf   %Err           Offset    95% Conf   %Err  "
                       "Machine\n");
    for (uint32_t i = 0; i < info.clocks; i++)
        print_report(out, trace, clocks, i);
    oc_output_add(out, "\n samples   points deviation(us)  D-W wave (us)    period (s)  eps (us)  "
                       "clock\n");
    for (uint32_t i = 0; i < info.clocks; i++)
        print_residuals(out, trace, clocks, i);
    oc_output_add(out,
                  "Offsets are those at the first sample. Confidences are too small where "
                  "residuals depend on each other\n(D-W, of Durbin and Watson, far from 2).\n");
    for (uint32_t i = 0; i < info.clocks; i++)
        print_doubts(out, trace, clocks, i);
}

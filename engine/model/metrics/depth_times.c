#include "model/metrics/depth_times.h"

#include "model/metrics/state_scan.h"

static void add_state(double *ticks, const oc_scanned_state *state, bool inclusive)
{
    if (inclusive && state->within_depth < state->end)
        ticks[state->value] += (double)state->end - (double)state->within_depth;
    for (size_t i = 0; i < state->piece_count && !inclusive; i++)
        ticks[state->value] += (double)state->pieces[i].units;
}

static ocelotl_status add_stream(double *ticks, oc_state_scan *scan, uint32_t stream,
                                 bool inclusive)
{
    const oc_scanned_state *state;
    OC_TRY(oc_state_scan_begin(scan, stream));
    OC_TRY(oc_state_scan_next(&state, scan));
    while (state != NULL) {
        if (state->value < scan->walk.reader.connection.trace->value_count)
            add_state(ticks, state, inclusive);
        OC_TRY(oc_state_scan_next(&state, scan));
    }
    return OCELOTL_OK;
}

/* Of one slice, a unit of time is a tick. */
ocelotl_status oc_depth_times(double *ticks, ocelotl_trace *trace,
                              const oc_resource_streams *streams,
                              const ocelotl_model_options *options)
{
    const ocelotl_trace_info *info = &trace->info;
    const oc_slicing slicing = {info->begin, (uint64_t)info->end - (uint64_t)info->begin, 1};
    const oc_instant boundaries[] = {oc_slicing_boundary(&slicing, 0),
                                     oc_slicing_boundary(&slicing, 1)};
    oc_state_scan scan = {.walk = {.reader = {.connection = oc_connection_of(trace)}},
                          .slicing = &slicing,
                          .boundaries = boundaries,
                          .depth = options->cells.nesting_depth};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t s = 0; s < streams->first[trace->resource_count] && status == OCELOTL_OK; s++)
        status =
            add_stream(ticks, &scan, streams->list[s], options->cells.nesting == OCELOTL_INCLUSIVE);
    oc_state_scan_free(&scan);
    return status;
}

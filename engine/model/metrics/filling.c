#include "model/metrics/filling.h"

ocelotl_status oc_filling_add_time(double *row, const oc_filling *filling, int64_t from, int64_t to,
                                   double weight)
{
    const oc_slicing *slicing = filling->slicing;
    const oc_instant *boundaries = filling->boundaries;
    from = from > boundaries[0].ticks ? from : boundaries[0].ticks;
    to = to < oc_filling_end(filling) ? to : oc_filling_end(filling);
    if (from >= to)
        return OCELOTL_OK;
    for (uint32_t slice = oc_filling_slice_of_begin(filling, from); slice < slicing->slices;
         slice++) {
        const bool whole = boundaries[slice + 1].ticks < to;
        int64_t units = 0;
        if (!oc_slicing_between(&units, slicing,
                                boundaries[slice].ticks >= from ? boundaries[slice]
                                                                : (oc_instant){from, 0},
                                whole ? boundaries[slice + 1] : (oc_instant){to, 0}))
            return oc_fail(OCELOTL_ERROR_INPUT, "%s: damaged chunk of events: impossible times",
                           filling->trace->path);
        row[slice] += weight * (double)units / (double)slicing->length;
        if (!whole)
            break;
    }
    return OCELOTL_OK;
}

bool oc_filling_reads_states(const oc_filling *filling, uint32_t event_type)
{
    return filling->options->selection.min_duration > 0 ||
           filling->options->selection.max_duration < INT64_MAX ||
           oc_conditions_concern(filling->conditions, event_type);
}

bool oc_filling_passes(const oc_filling *filling, const oc_scanned_state *state)
{
    const int64_t duration = (int64_t)((uint64_t)state->end - (uint64_t)state->begin);
    return state->passes && duration >= filling->options->selection.min_duration &&
           duration <= filling->options->selection.max_duration;
}

uint32_t oc_filling_type(const oc_filling *filling, uint32_t event_type, uint32_t value)
{
    if (filling->metric->types == OC_TYPES_EVENT_TYPES || value >= filling->trace->value_count)
        return filling->type_of_event_type[event_type];
    return filling->type_of_value[value];
}

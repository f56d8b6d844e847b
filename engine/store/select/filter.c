#include "store/select/filter.h"

#include "base/memory.h"
#include "base/options.h"
#include "store/select/resource_choice.h"

#include <inttypes.h>
#include <stdlib.h>

void oc_filter_free(oc_filter *filter)
{
    oc_type_filter_free(&filter->types);
    oc_conditions_free(&filter->conditions);
    free(filter->divided);
    free(filter->words);
    *filter = (oc_filter){0};
}

/* Takes from a list (NULL: all) what is not in another one (NULL: nothing is taken). */
static ocelotl_status narrow(bool **list, const bool *kept, uint32_t count)
{
    if (kept == NULL)
        return OCELOTL_OK;
    const bool all = *list == NULL;
    if (all)
        OC_TRY(oc_allocate(list, count, sizeof **list));
    for (uint32_t i = 0; i < count; i++)
        (*list)[i] = kept[i] && (all || (*list)[i]);
    return OCELOTL_OK;
}

static ocelotl_status filter_resources(bool **resources, const oc_catalogue *catalogue,
                                       const ocelotl_selection *given)
{
    bool *chosen = NULL;
    OC_TRY(oc_choose_resources(&chosen, catalogue, given));
    const ocelotl_status status = narrow(resources, chosen, catalogue->trace->resource_count);
    free(chosen);
    return status;
}

static ocelotl_status find_divided(oc_filter *filter, const ocelotl_trace *trace)
{
    const oc_type_filter *types = &filter->types;
    OC_TRY(oc_allocate(&filter->divided, trace->event_type_count, sizeof *filter->divided));
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        filter->divided[t] = types->reached[t] && !types->event_types[t];
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (types->reached[trace->values[v].event_type] && !types->values[v])
            filter->divided[trace->values[v].event_type] = true;
    return OCELOTL_OK;
}

static ocelotl_status filter_types(oc_filter *filter, bool **event_types,
                                   const ocelotl_trace *trace, const ocelotl_selection *given)
{
    bool *readable = NULL;
    if (given->only.count + given->except.count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&readable, trace->event_type_count, sizeof *readable));
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        readable[t] =
            trace->event_types[t].count > 0 && (*event_types == NULL || (*event_types)[t]);
    const ocelotl_status status = oc_type_filter_make(&filter->types, trace, readable, given);
    free(readable);
    OC_TRY(status);
    OC_TRY(find_divided(filter, trace));
    return narrow(event_types, filter->types.reached, trace->event_type_count);
}

static ocelotl_status read_filter(ocelotl_selection *known, const ocelotl_filter *given)
{
    ocelotl_filter filter = OCELOTL_FILTER_INIT;
    OC_TRY(oc_read_options(&filter, sizeof filter, given));
    *known = (ocelotl_selection){.only = filter.only,
                                 .except = filter.except,
                                 .only_resources = filter.only_resources,
                                 .except_resources = filter.except_resources,
                                 .min_duration = filter.min_duration,
                                 .max_duration = filter.max_duration,
                                 .where = filter.where};
    return OCELOTL_OK;
}

ocelotl_status oc_filter_make(oc_filter *filter, bool **resources, bool **event_types,
                              const oc_catalogue *catalogue, const ocelotl_filter *given)
{
    ocelotl_selection known;
    if (given == NULL)
        return OCELOTL_OK;
    OC_TRY(read_filter(&known, given));
    if (known.min_duration < 0 || known.min_duration > known.max_duration)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "durations from %" PRId64 " to %" PRId64
                       " ticks, expected a range that begins at 0 or later",
                       known.min_duration, known.max_duration);
    filter->given = true;
    filter->value_count = catalogue->trace->value_count;
    filter->least = known.min_duration;
    filter->most = known.max_duration;
    OC_TRY(filter_resources(resources, catalogue, &known));
    OC_TRY(filter_types(filter, event_types, catalogue->trace, &known));
    OC_TRY(oc_conditions_make(&filter->conditions, catalogue, &known.where));
    return oc_describe_filters(&filter->words, catalogue->trace, &known);
}

bool oc_filter_shows(const oc_filter *filter, uint32_t event_type, uint32_t value)
{
    if (filter->types.values == NULL || (value != OCELOTL_NONE && value >= filter->value_count))
        return true;
    return value != OCELOTL_NONE ? filter->types.values[value]
                                 : filter->types.event_types[event_type];
}

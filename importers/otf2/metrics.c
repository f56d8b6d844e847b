/* Metrics, a variable for each member of their class, and parameters. */
#include "importers/otf2/location.h"

#include <math.h>

static const otf2_item *find_class(const otf2_definitions *definitions, OTF2_MetricRef metric)
{
    const otf2_item *instance = otf2_table_find(&definitions->instances, metric);
    return otf2_table_find(&definitions->classes, instance != NULL ? instance->parent : metric);
}

static double read_value(OTF2_Type type, OTF2_MetricValue value)
{
    if (type == OTF2_TYPE_UINT64)
        return (double)value.unsigned_int;
    if (type == OTF2_TYPE_INT64)
        return (double)value.signed_int;
    return type == OTF2_TYPE_DOUBLE ? value.floating_point : (double)NAN;
}

/* The metric of a class's member; NULL: it is undefined. */
static const otf2_metric *find_metric(const otf2_definitions *definitions, const otf2_item *class,
                                      uint32_t place)
{
    if (class == NULL || place >= class->more)
        return NULL;
    const uint64_t member = definitions->members.numbers[class->other + place];
    const uint64_t index = otf2_references_get(&definitions->members_of_classes.index_of, member);
    return index != OC_OTF2_NOTHING ? &definitions->metric_of[index] : NULL;
}

static OTF2_CallbackCode on_metric(OC_OTF2_HEAD, OTF2_MetricRef metric, uint8_t count,
                                   const OTF2_Type *types, const OTF2_MetricValue *values)
{
    int64_t time;
    bool is_whole = true;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD, (void)list;
    if (!otf2_location_begin(location, OC_OTF2_KIND_METRIC, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    const otf2_item *class = find_class(location->definitions, metric);
    for (uint32_t i = 0; i < count; i++) {
        const otf2_metric *member = find_metric(location->definitions, class, i);
        const double value = member != NULL ? read_value(types[i], values[i]) * member->scale : 0;
        if (member == NULL || !(fabs(value) <= OCELOTL_LARGEST_VALUE)) {
            is_whole = false;
            continue;
        }
        if (!otf2_location_add(location, OC_OTF2_VARIABLE, OC_OTF2_FIRST_METRIC + member->number,
                               OCELOTL_NONE, time))
            return OTF2_CALLBACK_INTERRUPT;
        otf2_location_detail(location, &value, sizeof value);
    }
    location->left_out[OC_OTF2_KIND_METRIC] += !is_whole;
    return location->batch->bytes.failed ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* The key of a parameter; false where it is undefined, or the location has failed. */
static bool begin_parameter(uint32_t *key, otf2_location *location, otf2_kind kind,
                            OTF2_TimeStamp stamp, OTF2_ParameterRef parameter)
{
    const otf2_item *item = otf2_table_find(&location->definitions->parameters, parameter);
    if (!otf2_location_instant(location, kind, OC_OTF2_PARAMETER, stamp))
        return false;
    *key = item != NULL ? item->kind : OC_OTF2_KEY_ID;
    return true;
}

static OTF2_CallbackCode on_string(OC_OTF2_HEAD, OTF2_ParameterRef parameter, OTF2_StringRef string)
{
    uint32_t key;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    if (!begin_parameter(&key, location, OC_OTF2_KIND_PARAMETER_STRING, stamp, parameter))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_text(location, key, otf2_definitions_string(location->definitions, string));
    return otf2_location_end(location, list);
}

static OTF2_CallbackCode on_number(OC_OTF2_HEAD, OTF2_ParameterRef parameter, int64_t number)
{
    uint32_t key;
    OC_OTF2_UNUSED_HEAD;
    if (!begin_parameter(&key, data, OC_OTF2_KIND_PARAMETER_INT, stamp, parameter))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_number(data, key, number);
    return otf2_location_end(data, list);
}

static OTF2_CallbackCode on_count(OC_OTF2_HEAD, OTF2_ParameterRef parameter, uint64_t number)
{
    uint32_t key;
    OC_OTF2_UNUSED_HEAD;
    if (!begin_parameter(&key, data, OC_OTF2_KIND_PARAMETER_UNSIGNED_INT, stamp, parameter))
        return OTF2_CALLBACK_INTERRUPT;
    otf2_put_count(data, key, number);
    return otf2_location_end(data, list);
}

void otf2_set_metrics(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
    OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, on_string);
    OTF2_EvtReaderCallbacks_SetParameterIntCallback(callbacks, on_number);
    OTF2_EvtReaderCallbacks_SetParameterUnsignedIntCallback(callbacks, on_count);
}

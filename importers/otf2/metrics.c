/* Metrics: a variable for each member of their class. */
#include "importers/otf2/location.h"

#include "base/memory.h"

#include <math.h>

/* The metric of a member of a class, or of an instance of one (NULL: of none); NULL: it is
 * undefined. */
static const otf2_metric *find_metric(const otf2_definitions *definitions,
                                      const otf2_item *instance, const otf2_item *class,
                                      uint32_t place)
{
    if (class == NULL || place >= class->more)
        return NULL;
    if (instance != NULL && instance->more != OC_OTF2_NOTHING) {
        const otf2_metric *scoped = &definitions->scoped[instance->more + place];
        return scoped->number != OCELOTL_NONE ? scoped : NULL;
    }
    const uint64_t member = definitions->members.numbers[class->other + place];
    const uint64_t index = otf2_index_get(&definitions->members_of_classes.index_of, member);
    return index != OC_OTF2_NOTHING ? &definitions->metric_of[index] : NULL;
}

/* --- Values */

static double read_value(OTF2_Type type, OTF2_MetricValue value)
{
    if (type == OTF2_TYPE_UINT64)
        return (double)value.unsigned_int;
    if (type == OTF2_TYPE_INT64)
        return (double)value.signed_int;
    return type == OTF2_TYPE_DOUBLE ? value.floating_point : (double)NAN;
}

/* Whether a number is another one as a double, which has 53 bits. */
static bool is_rounded(OTF2_Type type, OTF2_MetricValue value)
{
    uint64_t size = value.unsigned_int;
    if (type != OTF2_TYPE_UINT64 && type != OTF2_TYPE_INT64)
        return false;
    if (type == OTF2_TYPE_INT64 && value.signed_int < 0)
        size = 0 - size;
    return size >> 53 != 0 && (size << __builtin_clzll(size) & 0x7ff) != 0;
}

static bool put(otf2_location *location, uint32_t metric, int64_t time, double value)
{
    if (!(fabs(value) <= OCELOTL_LARGEST_VALUE) ||
        !otf2_location_add(location, OC_OTF2_VARIABLE, OC_OTF2_FIRST_METRIC + metric, OCELOTL_NONE,
                           time))
        return false;
    otf2_location_detail(location, &value, sizeof value);
    return true;
}

/* A value that says something of the time before it, or of that until the next one. */
static bool put_around(otf2_location *location, const otf2_metric *metric, int64_t time,
                       double value)
{
    if (location->measured == NULL &&
        !otf2_location_check(location,
                             oc_allocate(&location->measured, location->definitions->metrics.count,
                                         sizeof *location->measured)))
        return false;
    otf2_measured *measured = &location->measured[metric->number];
    const otf2_measured before = *measured;
    *measured = (otf2_measured){true, time, value};
    if (metric->meaning == OC_OTF2_ADDED_BEFORE)
        return put(location, metric->number, time, before.value);
    return put(location, metric->number, before.has_begun ? before.to : location->first, value);
}

static bool take_value(otf2_location *location, const otf2_metric *metric, int64_t time,
                       OTF2_Type type, OTF2_MetricValue value)
{
    const double number = read_value(type, value) * metric->scale;
    if (!(fabs(number) <= OCELOTL_LARGEST_VALUE))
        return false;
    if (is_rounded(type, value))
        otf2_location_note(location, OC_OTF2_METRIC_ROUNDED);
    return metric->meaning == OC_OTF2_SINCE_LAST || metric->meaning == OC_OTF2_ADDED_BEFORE
               ? put_around(location, metric, time, number)
               : put(location, metric->number, time, number);
}

/* What will be counted until the next record is counted when the location ends. */
static void finish_count(otf2_location *location, const otf2_metric *metric)
{
    otf2_measured *measured = &location->measured[metric->number];
    if (metric->meaning != OC_OTF2_ADDED_BEFORE || !measured->has_begun)
        return;
    measured->has_begun = false; /* where several members have one name */
    (void)put(location, metric->number, location->last, measured->value);
}

void otf2_metrics_finish(otf2_location *location)
{
    const otf2_definitions *definitions = location->definitions;
    for (size_t i = 0; location->measured != NULL && i < definitions->members_of_classes.count; i++)
        finish_count(location, &definitions->metric_of[i]);
    for (size_t i = 0; location->measured != NULL && i < definitions->scoped_count; i++)
        if (definitions->scoped[i].number != OCELOTL_NONE)
            finish_count(location, &definitions->scoped[i]);
}

static OTF2_CallbackCode on_metric(OC_OTF2_HEAD, OTF2_MetricRef metric, uint8_t count,
                                   const OTF2_Type *types, const OTF2_MetricValue *values)
{
    int64_t time;
    bool is_whole = true;
    otf2_location *location = data;
    OC_OTF2_UNUSED_HEAD;
    otf2_location_leave_out(location, list);
    if (!otf2_location_begin(location, OC_OTF2_KIND_METRIC, stamp, &time))
        return OTF2_CALLBACK_INTERRUPT;
    const otf2_definitions *definitions = location->definitions;
    const otf2_item *instance = otf2_table_find(&definitions->instances, metric);
    const otf2_item *class =
        otf2_table_find(&definitions->classes, instance != NULL ? instance->parent : metric);
    for (uint32_t i = 0; i < count; i++) {
        const otf2_metric *member = find_metric(definitions, instance, class, i);
        if (member == NULL || !take_value(location, member, time, types[i], values[i]))
            is_whole = false;
    }
    location->left_out[OC_OTF2_KIND_METRIC] += !is_whole;
    if (location->batch->bytes.failed)
        location->status = OCELOTL_ERROR_MEMORY;
    return otf2_location_go_on(location);
}

void otf2_set_metrics(OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
}

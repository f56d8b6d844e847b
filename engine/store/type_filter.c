#include "store/type_filter.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/pattern.h"

#include <stdlib.h>

void oc_type_filter_free(oc_type_filter *filter)
{
    free(filter->values);
    free(filter->event_types);
    free(filter->reached);
    *filter = (oc_type_filter){0};
}

/* Names that a pattern can match. */
typedef struct known_names {
    const char **names;
    size_t count;
} known_names;

static ocelotl_status list_names(known_names *known, const ocelotl_trace *trace, const bool *readable)
{
    OC_TRY(oc_allocate(&known->names, (size_t)trace->event_type_count + trace->value_count, sizeof *known->names));
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (readable[trace->values[v].event_type] && trace->values[v].count > 0)
            known->names[known->count++] = trace->values[v].name;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (readable[e])
            known->names[known->count++] = trace->event_types[e].name;
    return OCELOTL_OK;
}

static ocelotl_status check_pattern(const known_names *known, const ocelotl_trace *trace, const char *pattern)
{
    for (size_t i = 0; i < known->count; i++)
        if (oc_pattern_matches(pattern, known->names[i]))
            return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: nothing that can be shown is called \"%s\"; the nearest is \"%s\"",
                   trace->label, pattern, known->names[oc_nearest(pattern, known->names, known->count)]);
}

static ocelotl_status check_patterns(const ocelotl_trace *trace, const bool *readable,
                                     const ocelotl_names *patterns)
{
    known_names known = {0};
    if (patterns->count == 0)
        return OCELOTL_OK;
    ocelotl_status status = list_names(&known, trace, readable);
    for (size_t i = 0; i < patterns->count && status == OCELOTL_OK && known.count > 0; i++)
        status = check_pattern(&known, trace, patterns->names[i]);
    free(known.names);
    return status;
}

/* `value` may be NULL: what has none. */
static bool passes(const ocelotl_filter *given, const char *type, const char *value)
{
    const bool only = given->only.count == 0 || oc_patterns_match(&given->only, type) ||
                      (value != NULL && oc_patterns_match(&given->only, value));
    return only && !oc_patterns_match(&given->except, type) &&
           (value == NULL || !oc_patterns_match(&given->except, value));
}

static ocelotl_status filter_all(oc_type_filter *filter, const ocelotl_trace *trace, const bool *readable,
                                 const ocelotl_filter *given)
{
    bool any = false;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        filter->event_types[e] = readable[e] && passes(given, trace->event_types[e].name, NULL);
        filter->reached[e] = filter->event_types[e];
    }
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const uint32_t type = trace->values[v].event_type;
        filter->values[v] = readable[type] && passes(given, trace->event_types[type].name, trace->values[v].name);
        filter->reached[type] = filter->reached[type] || (filter->values[v] && trace->values[v].count > 0);
    }
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        any = any || filter->reached[e];
    return any ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: of what can be shown the filters leave nothing, expected them to let something pass",
                         trace->label);
}

ocelotl_status oc_type_filter_make(oc_type_filter *filter, const ocelotl_trace *trace, const bool *readable,
                                   const ocelotl_filter *given)
{
    OC_TRY(oc_check_names(&given->only, "pattern"));
    OC_TRY(oc_check_names(&given->except, "pattern"));
    OC_TRY(check_patterns(trace, readable, &given->only));
    OC_TRY(check_patterns(trace, readable, &given->except));
    OC_TRY(oc_allocate(&filter->values, trace->value_count, sizeof *filter->values));
    OC_TRY(oc_allocate(&filter->event_types, trace->event_type_count, sizeof *filter->event_types));
    OC_TRY(oc_allocate(&filter->reached, trace->event_type_count, sizeof *filter->reached));
    return filter_all(filter, trace, readable, given);
}

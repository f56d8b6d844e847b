#include "store/select/type_filter.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "store/trace/spelling.h"

#include <stdlib.h>
#include <string.h>

void oc_type_filter_free(oc_type_filter *filter)
{
    free(filter->values);
    free(filter->event_types);
    free(filter->reached);
    *filter = (oc_type_filter){0};
}

/* Names that a pattern could match: those that it is like, with a colon or without. */
typedef struct known_names {
    char **names;
    size_t count;
} known_names;

static void free_names(known_names *known)
{
    for (size_t i = 0; i < known->count; i++)
        free(known->names[i]);
    free(known->names);
}

static ocelotl_status list_name(known_names *known, const ocelotl_trace *trace, uint32_t event_type,
                                uint32_t value, bool with_type)
{
    oc_spelling spelling = {0};
    OC_TRY(oc_spelling_make(&spelling, trace, event_type, value));
    const size_t from = !with_type              ? spelling.name
                        : value != OCELOTL_NONE ? spelling.type
                                                : spelling.place;
    const ocelotl_status status = oc_copy_text(&known->names[known->count], spelling.full + from);
    known->count += status == OCELOTL_OK;
    oc_spelling_free(&spelling);
    return status;
}

static ocelotl_status list_names(known_names *known, const ocelotl_trace *trace,
                                 const bool *readable, bool with_type)
{
    OC_TRY(oc_allocate(&known->names, (size_t)trace->event_type_count + trace->value_count,
                       sizeof *known->names));
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (readable[trace->values[v].event_type] && trace->values[v].count > 0)
            OC_TRY(list_name(known, trace, trace->values[v].event_type, v, with_type));
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (readable[e])
            OC_TRY(list_name(known, trace, e, OCELOTL_NONE, with_type));
    return OCELOTL_OK;
}

static ocelotl_status fail_unknown(const ocelotl_trace *trace, const bool *readable,
                                   const char *pattern)
{
    known_names known = {0};
    ocelotl_status status = list_names(&known, trace, readable, strchr(pattern, ':') != NULL);
    if (status == OCELOTL_OK && known.count > 0)
        status = oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "%s: nothing that can be shown is called \"%s\"; the nearest is \"%s\"", trace->label,
            pattern,
            known.names[oc_nearest(pattern, (const char *const *)known.names, known.count)]);
    free_names(&known);
    return status;
}

/* Whether it matches anything that can be shown, or there is nothing. */
static ocelotl_status check_pattern(const ocelotl_trace *trace, const bool *readable,
                                    const char *pattern)
{
    bool matches = false;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (readable[e] && oc_type_matches(trace, e, pattern))
            return OCELOTL_OK;
    for (uint32_t v = 0; v < trace->value_count; v++) {
        if (!readable[trace->values[v].event_type] || trace->values[v].count == 0)
            continue;
        OC_TRY(oc_value_matches(&matches, trace, v, pattern));
        if (matches)
            return OCELOTL_OK;
    }
    return fail_unknown(trace, readable, pattern);
}

static ocelotl_status check_patterns(const ocelotl_trace *trace, const bool *readable,
                                     const ocelotl_names *patterns)
{
    for (size_t i = 0; i < patterns->count; i++)
        OC_TRY(check_pattern(trace, readable, patterns->names[i]));
    return OCELOTL_OK;
}

static bool type_matches(const ocelotl_names *patterns, const ocelotl_trace *trace,
                         uint32_t event_type)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (oc_type_matches(trace, event_type, patterns->names[i]))
            return true;
    return false;
}

static ocelotl_status value_matches(bool *matches, const ocelotl_names *patterns,
                                    const ocelotl_trace *trace, uint32_t value)
{
    *matches = false;
    for (size_t i = 0; i < patterns->count && !*matches; i++)
        OC_TRY(oc_value_matches(matches, trace, value, patterns->names[i]));
    return OCELOTL_OK;
}

/* What of an event type has no value. */
static bool type_passes(const ocelotl_selection *given, const ocelotl_trace *trace,
                        uint32_t event_type)
{
    return (given->only.count == 0 || type_matches(&given->only, trace, event_type)) &&
           !type_matches(&given->except, trace, event_type);
}

static ocelotl_status value_passes(bool *passes, const ocelotl_selection *given,
                                   const ocelotl_trace *trace, uint32_t value)
{
    const uint32_t event_type = trace->values[value].event_type;
    bool excepted = type_matches(&given->except, trace, event_type);
    *passes = given->only.count == 0 || type_matches(&given->only, trace, event_type);
    if (!*passes)
        OC_TRY(value_matches(passes, &given->only, trace, value));
    if (*passes && !excepted)
        OC_TRY(value_matches(&excepted, &given->except, trace, value));
    *passes = *passes && !excepted;
    return OCELOTL_OK;
}

static ocelotl_status filter_all(oc_type_filter *filter, const ocelotl_trace *trace,
                                 const bool *readable, const ocelotl_selection *given)
{
    bool any = false;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        filter->event_types[e] = readable[e] && type_passes(given, trace, e);
        filter->reached[e] = filter->event_types[e];
    }
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const uint32_t type = trace->values[v].event_type;
        if (readable[type])
            OC_TRY(value_passes(&filter->values[v], given, trace, v));
        filter->reached[type] =
            filter->reached[type] || (filter->values[v] && trace->values[v].count > 0);
    }
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        any = any || filter->reached[e];
    return any ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_EMPTY,
                         "%s: of what can be shown the filters leave nothing, expected them to let "
                         "something pass",
                         trace->label);
}

ocelotl_status oc_type_filter_make(oc_type_filter *filter, const ocelotl_trace *trace,
                                   const bool *readable, const ocelotl_selection *given)
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

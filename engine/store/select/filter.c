#include "store/select/filter.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "store/trace/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void oc_type_filter_free(oc_type_filter *filter)
{
    oc_arena_free(&filter->arena);
    *filter = (oc_type_filter){0};
}

/* A name that a pattern could match: with a colon where it has one. */
static ocelotl_status list_name(const char **name, oc_arena *names, const ocelotl_trace *trace,
                                uint32_t event_type, uint32_t value, bool with_type)
{
    oc_spelling spelling = {0};
    OC_TRY(oc_spelling_make(&spelling, trace, event_type, value));
    *name = oc_arena_copy(names, spelling.full + (!with_type              ? spelling.name
                                                  : value != OCELOTL_NONE ? spelling.type
                                                                          : spelling.place));
    oc_spelling_free(&spelling);
    return oc_arena_status(names);
}

static ocelotl_status suggest(const ocelotl_trace *trace, const bool *readable, const char *pattern,
                              oc_arena *scratch)
{
    const bool with_type = strchr(pattern, ':') != NULL;
    const char **names = NULL;
    size_t count = 0;
    OC_TRY(oc_arena_allocate(&names, scratch, (size_t)trace->event_type_count + trace->value_count,
                             sizeof *names));
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (readable[trace->values[v].event_type] && trace->values[v].count > 0)
            OC_TRY(list_name(&names[count++], scratch, trace, trace->values[v].event_type, v,
                             with_type));
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (readable[e])
            OC_TRY(list_name(&names[count++], scratch, trace, e, OCELOTL_NONE, with_type));
    if (count == 0)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: nothing that can be shown is called \"%s\"; the nearest is \"%s\"",
                   trace->label, pattern, names[oc_nearest(pattern, names, count)]);
}

/* Checks that a pattern matches anything that can be shown, unless the trace is empty. */
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
    oc_arena scratch = {0};
    const ocelotl_status status = suggest(trace, readable, pattern, &scratch);
    oc_arena_free(&scratch);
    return status;
}

static ocelotl_status check_patterns(const ocelotl_trace *trace, const bool *readable,
                                     const ocelotl_names *patterns)
{
    OC_TRY(oc_check_names(patterns, "pattern"));
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

/* Returns whether events of a type without a value pass. */
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
    OC_TRY(check_patterns(trace, readable, &given->only));
    OC_TRY(check_patterns(trace, readable, &given->except));
    OC_TRY(oc_arena_allocate(&filter->values, &filter->arena, trace->value_count, 1));
    OC_TRY(oc_arena_allocate(&filter->event_types, &filter->arena, trace->event_type_count, 1));
    OC_TRY(oc_arena_allocate(&filter->reached, &filter->arena, trace->event_type_count, 1));
    return filter_all(filter, trace, readable, given);
}

bool oc_type_filter_nests(const oc_type_filter *filter, const ocelotl_trace *trace,
                          uint32_t event_type)
{
    bool hides = false;
    bool nests = false;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(trace, event_type); i++) {
        const uint32_t v = ocelotl_trace_event_type_value_at(trace, event_type, i);
        const ocelotl_value *value = &trace->values[v];
        hides = hides || (!filter->values[v] && value->inclusive_ticks > 0);
        nests = nests || (filter->values[v] && value->inclusive_ticks > value->innermost_ticks);
    }
    return hides && nests && trace->event_types[event_type].category == OCELOTL_STATE;
}

/* --- In words */

static void add_names(oc_text *text, const char *word, const ocelotl_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        oc_text_add(text, i > 0 ? ", " : text->length > 0 ? "; " : "");
        if (i == 0)
            oc_text_add(text, word);
        oc_text_add(text, names->names[i]);
    }
}

static void add_duration(oc_text *text, const ocelotl_trace *trace, const char *word, int64_t ticks)
{
    oc_text_format(text, "%s%s %.9g s", text->length > 0 ? "; " : "", word,
                   ocelotl_trace_seconds(trace, ticks));
}

ocelotl_status oc_describe_filters(char **words, const ocelotl_trace *trace,
                                   const ocelotl_selection *given)
{
    oc_text text = {0};
    oc_text_append(&text, "", 0);
    add_names(&text, "only ", &given->only);
    add_names(&text, "except ", &given->except);
    add_names(&text, "only resources ", &given->only_resources);
    add_names(&text, "except resources ", &given->except_resources);
    if (given->min_duration > 0)
        add_duration(&text, trace, "states of at least", given->min_duration);
    if (given->max_duration < INT64_MAX)
        add_duration(&text, trace, "states of at most", given->max_duration);
    add_names(&text, "where ", &given->where);
    const ocelotl_status status = text.failed ? oc_fail_memory() : oc_copy_utf8(words, text.bytes);
    oc_text_free(&text);
    return status;
}

/* --- All of it */

void oc_filter_free(oc_filter *filter)
{
    oc_type_filter_free(&filter->types);
    oc_conditions_free(&filter->conditions);
    free(filter->words);
    *filter = (oc_filter){0};
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
    const oc_type_filter *types = &filter->types;
    OC_TRY(oc_arena_allocate(&filter->divided, &filter->types.arena, trace->event_type_count, 1));
    OC_TRY(oc_arena_allocate(&filter->nests, &filter->types.arena, trace->event_type_count, 1));
    for (uint32_t t = 0; t < trace->event_type_count; t++) {
        filter->divided[t] = types->reached[t] && !types->event_types[t];
        filter->nests[t] = oc_type_filter_nests(types, trace, t);
    }
    for (uint32_t v = 0; v < trace->value_count; v++)
        if (types->reached[trace->values[v].event_type] && !types->values[v])
            filter->divided[trace->values[v].event_type] = true;
    /* What is not reached is taken away, from all where nothing was chosen. */
    const bool all = *event_types == NULL;
    if (all)
        OC_TRY(oc_allocate(event_types, trace->event_type_count, sizeof **event_types));
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        (*event_types)[t] = types->reached[t] && (all || (*event_types)[t]);
    return OCELOTL_OK;
}

ocelotl_status oc_filter_make(oc_filter *filter, bool **event_types, const oc_catalogue *catalogue,
                              const ocelotl_selection *given)
{
    if (given->min_duration < 0 || given->min_duration > given->max_duration)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "durations from %" PRId64 " to %" PRId64
                       " ticks, expected a range that begins at 0 or later",
                       given->min_duration, given->max_duration);
    filter->given = true;
    filter->value_count = catalogue->trace->value_count;
    filter->least = given->min_duration;
    filter->most = given->max_duration;
    OC_TRY(filter_types(filter, event_types, catalogue->trace, given));
    OC_TRY(oc_conditions_make(&filter->conditions, catalogue, &given->where));
    return oc_describe_filters(&filter->words, catalogue->trace, given);
}

bool oc_filter_shows(const oc_filter *filter, uint32_t event_type, uint32_t value)
{
    if (filter->types.values == NULL || (value != OCELOTL_NONE && value >= filter->value_count))
        return true;
    return value != OCELOTL_NONE ? filter->types.values[value]
                                 : filter->types.event_types[event_type];
}

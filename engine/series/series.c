/* Series derived from a trace: from which events, and by which groups. */
#include "series/series.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "store/select/resources.h"
#include "store/trace/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* About four million records. */
static const size_t chunks_in_span = 4096;

/* --- What is reduced */

static bool has_events(const ocelotl_trace *trace, ocelotl_category category)
{
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (trace->event_types[e].category == category && trace->event_types[e].count > 0)
            return true;
    return false;
}

static ocelotl_status choose_reduction(ocelotl_series *series, ocelotl_reduction wanted)
{
    const ocelotl_trace *trace = series->trace;
    const bool states = has_events(trace, OCELOTL_STATE);
    const bool variables = has_events(trace, OCELOTL_VARIABLE);
    if ((int)wanted < OCELOTL_REDUCE_DEFAULT || (int)wanted > OCELOTL_REDUCE_MAX)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the reduction is %d, expected 0 to %d", (int)wanted,
                       (int)OCELOTL_REDUCE_MAX);
    if (!states && !variables)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "%s: has neither states nor variables, expected one of them to derive series from",
            trace->label);
    if (wanted == OCELOTL_REDUCE_COUNT && !states)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: has no states whose resources could be counted, but variables; "
                       "expected sum, mean, min or "
                       "max of these",
                       trace->label);
    if (wanted > OCELOTL_REDUCE_COUNT && !variables)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "%s: has no variables to take the sum, mean, min or max of, but states; expected count",
            trace->label);
    series->info.reduction = wanted != OCELOTL_REDUCE_DEFAULT ? wanted
                             : states                         ? OCELOTL_REDUCE_COUNT
                                                              : OCELOTL_REDUCE_SUM;
    return OCELOTL_OK;
}

/* The filters are those of a model. */
static ocelotl_status find_sources(ocelotl_series *series, const ocelotl_series_options *options)
{
    const oc_metric *metric = NULL;
    ocelotl_model_options model = OCELOTL_MODEL_OPTIONS_INIT;
    const bool links = oc_series_is_of_links(series);
    model.state_types =
        (ocelotl_names){&options->state_type, options->state_type != NULL && !links};
    model.cells.nesting = options->nesting;
    model.selection = options->selection;
    OC_TRY(oc_find_metric(&metric, series->trace,
                          links                      ? "link-count-in-flight"
                          : oc_series_counts(series) ? "state-duration"
                                                     : "variable-mean"));
    OC_TRY(oc_sources_find(&series->sources, series->trace, metric, &model));
    OC_TRY(oc_catalogue_read(&series->catalogue, series->trace));
    OC_TRY(oc_choose_resources(&series->chosen, &series->catalogue, &model.selection));
    return links ? oc_series_find_links(series, options) : OCELOTL_OK;
}

static ocelotl_status check_selection(const ocelotl_selection *asked)
{
    if (asked->min_duration <= 0 && asked->max_duration == INT64_MAX && asked->where.count == 0)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "series take no bounds of durations and no conditions, expected other filters");
}

static ocelotl_status choose_window(ocelotl_series *series, const ocelotl_selection *asked)
{
    const ocelotl_trace_info *info = &series->trace->info;
    const int64_t from = asked->from > info->begin ? asked->from : info->begin;
    const int64_t to = asked->to < info->end ? asked->to : info->end;
    if (info->begin == info->end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: begins and ends in the same instant, expected a trace that lasts",
                       series->trace->label);
    if (from >= to)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: a window from tick %" PRId64 " to %" PRId64
                       ", expected one that lasts, within %" PRId64 " to %" PRId64,
                       series->trace->label, from, to, info->begin, info->end);
    series->info.from = from;
    series->info.to = to;
    return OCELOTL_OK;
}

static void find_states(ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    const bool outer = series->nesting == OCELOTL_INCLUSIVE || series->sources.nests;
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const ocelotl_value *value = &trace->values[v];
        series->type_of_value[v] = OCELOTL_NONE;
        if (!series->sources.filter.values[v] || value->event_type != series->sources.state_type)
            continue;
        if ((outer ? value->inclusive_ticks : value->innermost_ticks) <= 0) {
            series->info.values_zero++;
            continue;
        }
        series->type_of_value[v] = series->type_count;
        series->types[series->type_count++] =
            (oc_series_type){value->name, value->colour, value->event_type, v};
    }
}

static void find_variables(ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        const ocelotl_event_type *type = &trace->event_types[e];
        if (series->sources.readable[e] && series->sources.filter.event_types[e])
            series->types[series->type_count++] =
                (oc_series_type){oc_type_spelling(trace, e), type->colour, e, OCELOTL_NONE};
    }
}

static ocelotl_status find_types(ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    const bool states = oc_series_counts(series);
    const uint32_t most =
        states && !oc_series_is_of_links(series) ? trace->value_count : trace->event_type_count;
    OC_TRY(oc_allocate(&series->types, most, sizeof *series->types));
    OC_TRY(oc_allocate(&series->type_of_value, trace->value_count, sizeof *series->type_of_value));
    if (oc_series_is_of_links(series))
        OC_TRY(oc_series_find_link_types(series));
    else if (states)
        find_states(series);
    else
        find_variables(series);
    if (series->type_count > 0)
        return OCELOTL_OK;
    return oc_fail(
        OCELOTL_ERROR_EMPTY,
        "%s: of what passes the filters no state lasts for any time, expected them to let one pass",
        trace->label);
}

/* --- Members and series */

static uint32_t type_of_stream(const ocelotl_series *series, const oc_stream *stream)
{
    uint32_t type = 0;
    while (type < series->type_count && series->types[type].event_type != stream->event_type)
        type++;
    return type;
}

static ocelotl_status add_members(ocelotl_series *series, uint32_t resource)
{
    const oc_resource_streams *streams = &series->sources.streams;
    for (uint32_t i = streams->first[resource]; i < streams->first[resource + 1]; i++) {
        oc_series_member *member = &series->members[series->member_count];
        const uint32_t type = type_of_stream(series, &series->trace->streams[streams->list[i]]);
        if (type == series->type_count)
            continue;
        *member = (oc_series_member){
            .stream = streams->list[i], .group = series->group_of[resource], .type = type};
        oc_series_curve *curve = &series->curves[(size_t)member->group * series->type_count + type];
        member->place = curve->member_count++;
        series->member_count++;
    }
    return OCELOTL_OK;
}

static ocelotl_status find_members(ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    OC_TRY(oc_allocate(&series->members, trace->stream_count, sizeof *series->members));
    if (oc_series_is_of_links(series))
        return oc_series_find_link_members(series);
    for (uint32_t r = 0; r < trace->resource_count; r++)
        if (series->sources.seen[r] && (series->chosen == NULL || series->chosen[r]) &&
            series->group_of[r] != OCELOTL_NONE)
            OC_TRY(add_members(series, r));
    if (oc_series_counts(series))
        return OCELOTL_OK;
    for (uint32_t c = 0; c < series->info.series; c++)
        OC_TRY(oc_series_sums_make(&series->curves[c].sums, series->curves[c].member_count));
    return OCELOTL_OK;
}

/* --- In words */

/* The type that all members are of, or "resources". */
static const char *name_members(const ocelotl_series *series)
{
    const ocelotl_trace *trace = series->trace;
    uint32_t type = OCELOTL_NONE;
    for (size_t m = 0; m < series->member_count; m++) {
        const uint32_t found =
            trace->resources[trace->streams[series->members[m].stream].resource].type;
        if (found == OCELOTL_NONE || (m > 0 && found != type))
            return "resources";
        type = found;
    }
    return type != OCELOTL_NONE ? trace->resource_types[type].name : "resources";
}

static ocelotl_status describe(ocelotl_series *series)
{
    static const char *const words[] = {"", "number", "sum", "mean", "least", "largest"};
    const bool whole = series->groups[0].resource == OCELOTL_NONE;
    oc_text text = {0};
    if (oc_series_is_of_links(series))
        oc_series_describe_links(&text, series);
    else if (oc_series_counts(series))
        oc_text_format(&text, "number of %s in %s%s%s", name_members(series),
                       series->type_count == 1 ? "" : "each ",
                       series->type_count == 1 ? series->types[0].name : series->info.type,
                       series->nesting == OCELOTL_INCLUSIVE ? ", nested ones too" : "");
    else
        oc_text_format(&text, "%s %s over %s", words[series->info.reduction],
                       series->type_count == 1 ? series->types[0].name : "of each variable",
                       name_members(series));
    if (whole)
        oc_text_add(&text, ", in all");
    else
        oc_text_format(&text, ", by %s", series->info.group_type);
    OC_TRY(oc_text_give(&series->meaning, &text));
    series->info.meaning = series->meaning;
    return OCELOTL_OK;
}

static void fill_info(ocelotl_series *series)
{
    ocelotl_series_info *info = &series->info;
    info->groups = series->group_count;
    info->types = series->type_count;
    for (uint32_t g = 0; g < series->group_count; g++)
        info->members += series->groups[g].members;
    info->type = oc_series_counts(series) && !oc_series_is_of_links(series)
                     ? oc_type_spelling(series->trace, series->sources.state_type)
                     : "";
}

/* --- Opening */

static ocelotl_status open_series(ocelotl_series *series, const ocelotl_series_options *options)
{
    series->nesting = options->nesting;
    series->work = options->work;
    OC_TRY(oc_series_check_flight(options));
    series->info.in_flight = options->in_flight;
    series->info.only_above = oc_series_is_of_links(series) ? options->only_above : 0;
    if (oc_series_is_of_links(series))
        series->info.reduction = OCELOTL_REDUCE_SUM;
    else
        OC_TRY(choose_reduction(series, options->reduction));
    OC_TRY(check_selection(&options->selection));
    OC_TRY(choose_window(series, &options->selection));
    OC_TRY(find_sources(series, options));
    OC_TRY(find_types(series));
    OC_TRY(oc_series_find_groups(series, options->at));
    for (uint32_t g = 0; g < series->group_count; g++)
        if (series->groups[g].resource != OCELOTL_NONE)
            OC_TRY(
                oc_path_keep(&series->paths, &series->catalogue.paths, series->groups[g].resource));
    OC_TRY(oc_series_pair_types(series));
    static const uint64_t most = (uint64_t)1 << 27;
    const uint64_t count = (uint64_t)series->group_count * series->type_count;
    if (count > most)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: %" PRIu32 " groups of %" PRIu32
                       " series each need %.1f GB, expected fewer groups or types",
                       series->trace->label, series->group_count, series->type_count,
                       (double)count * (double)sizeof(oc_series_curve) / 1e9);
    series->info.series = (uint32_t)count;
    OC_TRY(oc_allocate(&series->curves, count, sizeof *series->curves));
    OC_TRY(find_members(series));
    fill_info(series);
    OC_TRY(describe(series));
    /* Chunks that lie across the end of a span are read twice, one of each member: they are no more
     * than half of all. */
    return oc_series_cut(series, series->member_count > chunks_in_span ? series->member_count
                                                                       : chunks_in_span);
}

ocelotl_status ocelotl_series_open(ocelotl_series **series, ocelotl_trace *trace,
                                   const ocelotl_series_options *options)
{
    ocelotl_series_options known = *options;
    ocelotl_series *made = NULL;
    oc_complete_selection(&known.selection);
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    const ocelotl_status status = open_series(made, &known);
    if (status == OCELOTL_OK)
        *series = made;
    else
        ocelotl_series_free(made);
    return status;
}

void ocelotl_series_free(ocelotl_series *series)
{
    if (series == NULL)
        return;
    for (size_t m = 0; m < series->member_count; m++)
        free(series->members[m].states);
    for (uint32_t c = 0; series->curves != NULL && c < series->info.series; c++)
        free(series->curves[c].sums);
    oc_series_end_reading(series);
    oc_sources_free(&series->sources);
    oc_kept_paths_free(&series->paths);
    if (series->catalogue.trace != NULL)
        oc_catalogue_free(&series->catalogue);
    free(series->bytes);
    free(series->of_types);
    free(series->classes);
    free(series->chosen);
    free(series->meaning);
    free(series->groups);
    free(series->group_of);
    free(series->types);
    free(series->type_of_value);
    free(series->members);
    free(series->curves);
    free(series->steps.steps);
    free(series->other.steps);
    free(series->touched);
    free(series);
}

/* --- Answers */

ocelotl_series_info ocelotl_series_info_of(const ocelotl_series *series)
{
    return series->info;
}

ocelotl_derived_series ocelotl_series_at(const ocelotl_series *series, uint32_t index)
{
    if (index >= series->info.series)
        return (ocelotl_derived_series){.path = "",
                                        .name = "",
                                        .unit = "",
                                        .colour = -1,
                                        .resource = OCELOTL_NONE,
                                        .value = OCELOTL_NONE};
    const oc_series_group *group = &series->groups[index / series->type_count];
    const oc_series_type *type = &series->types[index % series->type_count];
    return (ocelotl_derived_series){
        .path = group->resource != OCELOTL_NONE ? series->paths.of[group->resource] : "all",
        .name = type->name,
        .unit = oc_series_is_of_links(series) ? oc_series_link_unit(series)
                : oc_series_counts(series)    ? "resources"
                                              : series->trace->event_types[type->event_type].unit,
        .colour = type->colour,
        .resource = group->resource,
        .event_type = type->event_type,
        .value = type->value,
        .members = oc_series_counts(series) ? group->members : series->curves[index].member_count,
        .begin = group->begin,
        .end = group->end,
    };
}

/* From the sums of all streams to lines in order. */
#include "query/statistics/statistics.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ocelotl_statistics {
    ocelotl_statistics_info info;
    oc_question question;
    ocelotl_statistic *rows;
    uint32_t count;
    ocelotl_attribute_total *attributes;
    size_t attribute_count;
    const char **selected; /* as they were given */
    ocelotl_statistic_column sort;
};

/* --- Lines */

/* Whether running totals count links without a duration among the others, or may do so. */
static bool is_mixed(const oc_statistics_sums *sums, uint32_t event_type)
{
    return sums->trace->event_types[event_type].category == OCELOTL_LINK &&
           !oc_statistics_reads(sums, event_type, OC_ROLE_LINKS_IN) &&
           (sums->mixed[event_type] || sums->extremes == OCELOTL_EXTREMES_NONE);
}

/* The mean duration of those that end in the window and have one. */
static double mean_of(const oc_statistics_sums *sums, const oc_statistic_sums *line,
                      uint32_t event_type)
{
    const bool links = sums->trace->event_types[event_type].category == OCELOTL_LINK;
    const int64_t count = links && oc_statistics_reads(sums, event_type, OC_ROLE_LINKS_IN)
                              ? line->lasted
                              : line->ended;
    return count > 0 ? (double)line->closed / (double)count : NAN;
}

static ocelotl_statistic make_row(const ocelotl_statistics *made, const oc_statistics_sums *sums,
                                  const oc_statistic_sums *line, uint32_t event_type)
{
    const ocelotl_trace *trace = sums->trace;
    const ocelotl_category category = trace->event_types[event_type].category;
    const bool variable = category == OCELOTL_VARIABLE;
    const double held = (double)line->inclusive;
    return (ocelotl_statistic){
        .category = category,
        .event_type = event_type,
        .value = OCELOTL_NONE,
        .count = (uint64_t)line->count,
        .ended = (uint64_t)line->ended,
        .innermost = line->innermost,
        .inclusive = line->inclusive,
        .ended_time = line->closed,
        .mean = !variable  ? mean_of(sums, line, event_type)
                : held > 0 ? line->integral / held
                           : NAN,
        .low = line->low,
        .high = line->high,
        .lived = line->lived,
        .resources = line->resources,
        .group = oc_question_group_name(&made->question, sums->group),
        .median = oc_statistics_quantile(line, 50),
        .p90 = oc_statistics_quantile(line, 90),
        .p99 = oc_statistics_quantile(line, 99),
    };
}

/* Negative sums are those of a damaged file. */
static bool is_sound(const oc_statistic_sums *line)
{
    return line->count >= 0 && line->ended >= 0 && line->innermost >= 0 && line->inclusive >= 0 &&
           line->closed >= 0;
}

static bool is_empty(const oc_statistic_sums *line)
{
    return line->count == 0 && line->ended == 0 && line->innermost == 0 && line->inclusive == 0;
}

static ocelotl_status add_to_whole(oc_statistic_sums *whole, const oc_statistic_sums *line,
                                   const char *path)
{
    if (!is_sound(line))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible running totals", path);
    if (!oc_add_times(&whole->count, whole->count, line->count) ||
        !oc_add_times(&whole->ended, whole->ended, line->ended) ||
        !oc_add_times(&whole->innermost, whole->innermost, line->innermost) ||
        !oc_add_times(&whole->inclusive, whole->inclusive, line->inclusive) ||
        !oc_add_times(&whole->closed, whole->closed, line->closed) ||
        !oc_add_times(&whole->lasted, whole->lasted, line->lasted))
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: durations in this window add up to more than 2^63 ticks", path);
    whole->integral += line->integral;
    return oc_statistics_gather(whole, line);
}

static int compare_rows(const void *left, const void *right)
{
    const ocelotl_statistic *a = left;
    const ocelotl_statistic *b = right;
    const uint64_t a_count = a->category == OCELOTL_LINK ? a->ended : a->count;
    const uint64_t b_count = b->category == OCELOTL_LINK ? b->ended : b->count;
    if (a->innermost != b->innermost)
        return a->innermost < b->innermost ? 1 : -1;
    if (a_count != b_count)
        return a_count < b_count ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* What the time of states is a share of. */
static double time_of_all(const ocelotl_statistic *whole, const ocelotl_statistics_info *info)
{
    return info->of == OCELOTL_SHARES_OF_LEAVES
               ? (double)whole->resources * ((double)info->to - (double)info->from)
           : info->of == OCELOTL_SHARES_OF_ACTIVE ? (double)whole->innermost
                                                  : (double)whole->lived;
}

static void give_shares(ocelotl_statistic *rows, uint32_t count,
                        const ocelotl_statistics_info *info)
{
    ocelotl_statistic *whole = &rows[0];
    if (whole->category == OCELOTL_STATE)
        whole->whole_time = time_of_all(whole, info);
    for (uint32_t i = 0; i < count; i++) {
        ocelotl_statistic *row = &rows[i];
        if (row->category == OCELOTL_STATE)
            row->share = share_of((double)row->innermost, whole->whole_time);
        else if (row->category == OCELOTL_LINK)
            row->share = share_of((double)row->ended, (double)whole->ended);
        else
            row->share = share_of((double)row->count, (double)whole->count);
    }
}

static oc_role role_of(ocelotl_category category)
{
    static const oc_role roles[] = {OC_ROLE_EVENTS, OC_ROLE_STATES, OC_ROLE_VARIABLE,
                                    OC_ROLE_LINKS_IN};
    return roles[category];
}

/* Links with one end, and those that end before they begin, have no duration; running totals and a
 * chunk's extremes hold them all the same, as extremes do what is hidden. */
static void forget(ocelotl_statistic *rows, uint32_t count, const oc_statistics_sums *sums)
{
    ocelotl_statistic *whole = &rows[0];
    const bool mixed = is_mixed(sums, whole->event_type);
    for (uint32_t i = 0; i < count && mixed; i++)
        rows[i].mean = NAN;
    if (mixed || (oc_filter_divides(&sums->question->filter, whole->event_type) &&
                  !oc_statistics_reads(sums, whole->event_type, role_of(whole->category)) &&
                  sums->extremes == OCELOTL_EXTREMES_TYPES))
        whole->low = whole->high = NAN;
}

static ocelotl_status add_value(ocelotl_statistics *made, oc_statistics_sums *sums, size_t line,
                                uint32_t event_type, uint32_t value)
{
    if (is_empty(&sums->lines[line]))
        return OCELOTL_OK;
    OC_TRY(oc_statistics_sort_durations(&sums->lines[line], &sums->reader.walk.reader));
    made->rows[made->count] = make_row(made, sums, &sums->lines[line], event_type);
    made->rows[made->count++].value = value;
    return OCELOTL_OK;
}

static ocelotl_status add_event_type(ocelotl_statistics *made, oc_statistics_sums *sums,
                                     uint32_t event_type)
{
    const ocelotl_trace *trace = sums->trace;
    const size_t none = oc_statistics_none(trace, event_type);
    oc_statistic_sums *whole = &sums->lines[oc_statistics_whole(trace, event_type)];
    const uint32_t first = made->count;
    if (!whole->met)
        return OCELOTL_OK;
    made->count++;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_value_count(trace, event_type); i++) {
        const uint32_t v = ocelotl_trace_event_type_value_at(trace, event_type, i);
        if (!oc_filter_shows(&sums->question->filter, event_type, v))
            continue;
        OC_TRY(add_to_whole(whole, &sums->lines[v], trace->path));
        OC_TRY(add_value(made, sums, v, event_type, v));
    }
    if (oc_filter_shows(&sums->question->filter, event_type, OCELOTL_NONE)) {
        OC_TRY(add_to_whole(whole, &sums->lines[none], trace->path));
        if (trace->event_types[event_type].category != OCELOTL_VARIABLE)
            OC_TRY(add_value(made, sums, none, event_type, OCELOTL_NONE));
    }
    if (made->count - first > 2)
        qsort(made->rows + first + 1, made->count - first - 1, sizeof *made->rows, compare_rows);
    OC_TRY(oc_statistics_sort_durations(whole, &sums->reader.walk.reader));
    made->rows[first] = make_row(made, sums, whole, event_type);
    made->rows[first].whole = true;
    forget(made->rows + first, made->count - first, sums);
    give_shares(made->rows + first, made->count - first, &made->info);
    return OCELOTL_OK;
}

static int compare_attributes(const void *left, const void *right)
{
    const oc_statistic_attribute *a = left;
    const oc_statistic_attribute *b = right;
    if (a->event_type != b->event_type)
        return a->event_type < b->event_type ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->attribute > b->attribute) - (a->attribute < b->attribute);
}

static ocelotl_status add_attributes(ocelotl_statistics *made, oc_statistics_sums *sums)
{
    if (sums->attribute_count > 1)
        qsort(sums->attributes, sums->attribute_count, sizeof *sums->attributes,
              compare_attributes);
    OC_TRY(oc_allocate(&made->attributes, sums->attribute_count, sizeof *made->attributes));
    for (size_t i = 0; i < sums->attribute_count; i++) {
        const oc_statistic_attribute *sum = &sums->attributes[i];
        const char *name =
            oc_catalogue_attribute(&made->question.catalogue, sum->event_type, sum->attribute);
        if (name != NULL)
            made->attributes[made->attribute_count++] =
                (ocelotl_attribute_total){sum->event_type, name, sum->sum,
                                          oc_question_group_name(&made->question, sum->group)};
    }
    return OCELOTL_OK;
}

/* What of all groups says something, at most. */
static size_t count_rows(const oc_statistics_sums *sums)
{
    size_t count = 0;
    for (size_t i = 0; i < sums->group_count * sums->line_count; i++)
        count += sums->all_lines[i].met || !is_empty(&sums->all_lines[i]);
    return count;
}

static ocelotl_status make_rows(ocelotl_statistics *made, oc_statistics_sums *sums)
{
    OC_TRY(oc_allocate(&made->rows, count_rows(sums), sizeof *made->rows));
    for (uint32_t t = 0; t < sums->trace->event_type_count; t++)
        for (uint32_t group = 0; group < sums->group_count; group++) {
            oc_statistics_choose_group(sums, group);
            OC_TRY(add_event_type(made, sums, t));
        }
    if (made->sort != OCELOTL_COLUMN_NONE)
        OC_TRY(oc_statistics_order(made->rows, made->count, made->sort, sums->trace));
    return add_attributes(made, sums);
}

/* --- Opening */

static ocelotl_status add_streams(ocelotl_statistics *made, oc_statistics_sums *sums)
{
    const ocelotl_trace *trace = sums->trace;
    size_t count;
    sums->line_count = (size_t)trace->value_count + 2 * (size_t)trace->event_type_count;
    sums->group_count = oc_question_group_count(&made->question);
    if (__builtin_mul_overflow((size_t)sums->group_count, sums->line_count, &count))
        return oc_fail_memory();
    OC_TRY(oc_allocate(&sums->all_lines, count, sizeof *sums->all_lines));
    OC_TRY(oc_allocate(&sums->mixed, trace->event_type_count, sizeof *sums->mixed));
    for (uint32_t t = 0; t < trace->event_type_count; t++)
        sums->mixed[t] = trace->event_types[t].unmatched > 0;
    for (size_t i = 0; i < count; i++)
        sums->all_lines[i].low = sums->all_lines[i].high = NAN;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        OC_TRY(oc_reader_ask(&sums->reader.walk.reader));
        if (oc_is_selected(made->question.event_types, trace->streams[s].event_type))
            OC_TRY(oc_statistics_add(sums, s));
        sums->watch.done += trace->streams[s].count;
    }
    return make_rows(made, sums);
}

static ocelotl_status open_statistics(ocelotl_statistics *made, oc_statistics_sums *sums,
                                      const ocelotl_statistics_options *options)
{
    ocelotl_trace *trace = sums->trace;
    oc_question *question = &made->question;
    const ocelotl_extremes extremes = options->extremes;
    if ((int)extremes < OCELOTL_EXTREMES_TYPES || (int)extremes > OCELOTL_EXTREMES_AFFORDABLE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "extremes is %d, expected 0 to 4", (int)extremes);
    if ((int)options->of < OCELOTL_SHARES_OF_LIVES || (int)options->of > OCELOTL_SHARES_OF_ACTIVE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "shares are of %d, expected 0, 1 or 2",
                       (int)options->of);
    if ((int)options->sort < OCELOTL_COLUMN_NONE || (int)options->sort >= OCELOTL_COLUMN_COUNT)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "the column to sort by is %d, expected 0 to %d",
                       (int)options->sort, OCELOTL_COLUMN_COUNT - 1);
    OC_TRY(oc_question_make(question, trace, &options->selection, options->type, &options->work));
    OC_TRY(oc_copy_names(&made->selected, &question->selection.resources));
    OC_TRY(oc_question_group(question, options->at));
    sums->question = question;
    sums->watch.work = options->work;
    sums->reader = (oc_counted_reader){
        .question = question, .carries = true, .innermost = true, .context = sums};
    sums->reader.take = oc_statistics_take;
    sums->reader.walk.reader.connection = oc_connection_of(trace);
    sums->reader.walk.reader.watch = &sums->watch;
    sums->reader.walk.reader.asks = true;
    /* Decides by the number of records, never by a clock, so that an answer is always the same. */
    for (uint32_t s = 0; s < sums->trace->stream_count; s++)
        sums->watch.total += sums->trace->streams[s].count;
    sums->collects = options->extremes == OCELOTL_EXTREMES_QUANTILES ||
                     (options->extremes == OCELOTL_EXTREMES_AFFORDABLE &&
                      sums->watch.total <= OCELOTL_QUANTILES_RECORDS);
    sums->extremes = sums->collects                                     ? OCELOTL_EXTREMES_VALUES
                     : options->extremes == OCELOTL_EXTREMES_AFFORDABLE ? OCELOTL_EXTREMES_TYPES
                                                                        : options->extremes;
    made->sort = options->sort;
    made->info =
        (ocelotl_statistics_info){.from = question->window.from,
                                  .to = question->window.to,
                                  .resources = question->resource_count,
                                  .selected = {made->selected, question->selection.resources.count},
                                  .of = options->of,
                                  .grouped = question->groups.group_of != NULL,
                                  .quantiles = sums->collects,
                                  .filters = question->filters};
    for (uint32_t t = 0; t < trace->event_type_count && question->filter.nests != NULL; t++)
        made->info.nests = made->info.nests || question->filter.nests[t];
    return add_streams(made, sums);
}

ocelotl_status ocelotl_statistics_compute(ocelotl_statistics **statistics, ocelotl_trace *trace,
                                          const ocelotl_statistics_options *options)
{
    ocelotl_statistics_options known = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *made = NULL;
    oc_statistics_sums sums = {.trace = trace};
    OC_TRY(oc_read_options(&known, sizeof known, options));
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = open_statistics(made, &sums, &known);
    oc_statistics_sums_free(&sums);
    if (status == OCELOTL_OK)
        *statistics = made;
    else
        ocelotl_statistics_free(made);
    return status;
}

void ocelotl_statistics_free(ocelotl_statistics *statistics)
{
    if (statistics == NULL)
        return;
    oc_question_free(&statistics->question);
    free(statistics->selected);
    free(statistics->rows);
    free(statistics->attributes);
    free(statistics);
}

void ocelotl_statistics_get_info(ocelotl_statistics_info *info,
                                 const ocelotl_statistics *statistics)
{
    oc_give_info(info, &statistics->info, sizeof statistics->info);
}

uint32_t ocelotl_statistics_count(const ocelotl_statistics *statistics)
{
    return statistics->count;
}

ocelotl_statistic ocelotl_statistics_row_at(const ocelotl_statistics *statistics, uint32_t index)
{
    return index < statistics->count ? statistics->rows[index]
                                     : (ocelotl_statistic){.value = OCELOTL_NONE};
}

uint32_t ocelotl_statistics_attribute_count(const ocelotl_statistics *statistics)
{
    return (uint32_t)statistics->attribute_count;
}

ocelotl_attribute_total ocelotl_statistics_attribute_at(const ocelotl_statistics *statistics,
                                                        uint32_t index)
{
    return index < statistics->attribute_count
               ? statistics->attributes[index]
               : (ocelotl_attribute_total){OCELOTL_NONE, "", 0, NULL};
}

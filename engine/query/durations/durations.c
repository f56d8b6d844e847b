/* Counts states and links by their durations. */
#include "query/durations.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "store/read/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <ocelotl/query.h>

enum {
    DECADE = 4,  /* bins of a power of ten */
    LEAST = -12, /* the least power; what is below is in its first bin */
    DECADES = 20,
    BINS = 1 + DECADES * DECADE /* the first: no time */
};

typedef struct column_sums {
    uint32_t group, window;
    uint64_t count;
    int64_t sum, least, most; /* ticks */
} column_sums;

struct ocelotl_durations {
    ocelotl_durations_info info;
    ocelotl_trace *trace;
    oc_question question;
    char *patterns; /* in words */
    bool plain;     /* SQL can say what is selected */
    char **chosen;  /* paths of resources that were asked for */
    size_t chosen_count;
    oc_window windows[2];
    uint32_t window;       /* that is read */
    oc_type_filter wanted; /* by the patterns */
    bool below;            /* a group has what is below its resource */
    uint32_t group_count;  /* with that of what is in none */
    column_sums *columns;
    bool has_none;      /* the first bin is that of no time */
    uint32_t first_bin; /* of some time */
    /* by window, group, slice (the last: all of them) and bin; and without slices */
    uint64_t *counts;
    int64_t *sums;   /* ticks */
    uint32_t *shown; /* by column of the answer: one of `columns` */
};

enum { SLICES_MOST = 10000 };

static const size_t memory_most = (size_t)256 << 20;

/* --- Bins */

/* A quarter of a decade: 1, 1.8, 3.2, 5.6 times a power of ten. */
static double begin_of(uint32_t bin)
{
    return bin == 0 ? 0 : pow(10, LEAST + ((double)bin - 1) / DECADE);
}

/* The logarithm may be a hair off, and what a bin says has to be true. */
static uint32_t bin_of(double seconds)
{
    if (!(seconds > 0))
        return 0;
    const double place = floor((log10(seconds) - LEAST) * DECADE);
    uint32_t bin = place < 0 ? 1 : place > BINS - 2.0 ? BINS - 1 : 1 + (uint32_t)place;
    while (bin > 1 && seconds < begin_of(bin))
        bin--;
    while (bin < BINS - 1 && seconds >= begin_of(bin + 1))
        bin++;
    return bin;
}

static size_t count_index(const ocelotl_durations *made, uint32_t column, uint32_t slice)
{
    const size_t slices = (size_t)made->info.slices + 1;
    return (column * slices + (slice == OCELOTL_NONE ? slices - 1 : slice)) * BINS;
}

/* --- Counting */

/* Whether events of a type with a value count, whatever else they are. */
static bool is_wanted(const ocelotl_durations *made, uint32_t event_type, uint32_t value)
{
    const bool named = value == OCELOTL_NONE || value >= made->trace->value_count
                           ? made->wanted.event_types[event_type]
                           : made->wanted.values[value];
    return named && oc_is_selected(made->question.event_types, event_type) &&
           oc_filter_shows(&made->question.filter, event_type, value);
}

static uint32_t slice_of(const ocelotl_durations *made, const oc_window *window, int64_t time)
{
    __extension__ typedef __int128 wide;
    const wide length = (wide)window->to - window->from;
    const wide slice = ((wide)time - window->from) * made->info.slices / length;
    return slice < made->info.slices ? (uint32_t)slice : made->info.slices - 1;
}

static ocelotl_status add(ocelotl_durations *made, const oc_counted_event *event)
{
    const int64_t lasts = event->end - event->begin;
    const uint32_t group = made->question.groups.group_of != NULL
                               ? oc_question_group_of(&made->question, event->target)
                               : made->group_count - 1;
    const uint32_t index = made->window * made->group_count + group;
    const uint32_t bin = bin_of(ocelotl_trace_seconds(made->trace, lasts));
    column_sums *column = &made->columns[index];
    ocelotl_durations_info *info = &made->info;
    const bool first = info->columns == 0;
    const uint32_t event_type = event->stream->event_type;
    info->event_type = first || info->event_type == event_type ? event_type : OCELOTL_NONE;
    info->value = first || info->value == event->value ? event->value : OCELOTL_NONE;
    info->columns = 1;
    column->least = column->count == 0 || lasts < column->least ? lasts : column->least;
    column->most = column->count == 0 || lasts > column->most ? lasts : column->most;
    column->count++;
    made->counts[count_index(made, index, OCELOTL_NONE) + bin]++;
    if (info->slices > 0)
        made->counts[count_index(made, index, slice_of(made, &made->question.window, event->end)) +
                     bin]++;
    int64_t *sum = &made->sums[(size_t)index * BINS + bin];
    return oc_add_times(sum, *sum, lasts) && oc_add_times(&column->sum, column->sum, lasts)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_LIMIT,
                         "%s: durations in this window add up to more than 2^63 ticks",
                         made->trace->label);
}

/* Counts a duration that is known, where it ends. */
static ocelotl_status take(void *context, const oc_counted_event *event)
{
    ocelotl_durations *made = context;
    const bool counts = event->ends && event->end >= event->begin &&
                        event->source != OCELOTL_NONE &&
                        oc_is_selected(made->question.resources, event->target) &&
                        is_wanted(made, event->stream->event_type, event->value);
    return counts ? add(made, event) : OCELOTL_OK;
}

/* Links are read where they end, but for those that conditions concern. */
static ocelotl_status read_stream(ocelotl_durations *made, oc_counted_reader *reader,
                                  uint32_t index)
{
    const oc_question *question = &made->question;
    const oc_stream *stream = &made->trace->streams[index];
    const bool filtered = oc_conditions_concern(&question->filter.conditions, stream->event_type);
    const oc_role links = filtered ? OC_ROLE_LINKS_OUT : OC_ROLE_LINKS_IN;
    reader->received = !filtered;
    return made->wanted.reached[stream->event_type] &&
                   oc_is_selected(question->event_types, stream->event_type) &&
                   (stream->role == links || stream->role == OC_ROLE_STATES) &&
                   (stream->role == OC_ROLE_LINKS_OUT ||
                    oc_is_selected(question->resources, stream->resource))
               ? oc_counted_read(reader, index)
               : OCELOTL_OK;
}

static ocelotl_status read_windows(ocelotl_durations *made, oc_counted_reader *reader,
                                   oc_watch *watch)
{
    const ocelotl_trace *trace = made->trace;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        watch->total += made->info.windows * trace->streams[s].count;
    for (made->window = 0; made->window < made->info.windows; made->window++) {
        made->question.window = made->windows[made->window];
        for (uint32_t s = 0; s < trace->stream_count; s++) {
            OC_TRY(oc_reader_ask(&reader->walk.reader));
            if (made->question.window.from < made->question.window.to)
                OC_TRY(read_stream(made, reader, s));
            watch->done += trace->streams[s].count;
        }
    }
    return OCELOTL_OK;
}

/* --- The answer */

/* Columns with something in them, a group in all windows; where nothing is, the first. */
static ocelotl_status choose_columns(ocelotl_durations *made)
{
    const uint32_t windows = made->info.windows;
    OC_TRY(oc_allocate(&made->shown, (size_t)windows * made->group_count, sizeof *made->shown));
    made->info.columns = 0;
    for (uint32_t group = 0; group < made->group_count; group++) {
        bool any = false;
        for (uint32_t window = 0; window < windows; window++)
            any = any || made->columns[window * made->group_count + group].count > 0;
        if (!any && !(group + 1 == made->group_count && made->info.columns == 0))
            continue;
        for (uint32_t window = 0; window < windows; window++)
            made->shown[made->info.columns++] = window * made->group_count + group;
    }
    return OCELOTL_OK;
}

static bool is_used(const ocelotl_durations *made, uint32_t bin)
{
    for (uint32_t i = 0; i < made->info.columns; i++)
        if (made->counts[count_index(made, made->shown[i], OCELOTL_NONE) + bin] > 0)
            return true;
    return false;
}

/* The number of a bin of the answer among all. */
static uint32_t bin_number(const ocelotl_durations *made, uint32_t bin)
{
    return made->has_none && bin == 0 ? 0 : made->first_bin + bin - made->has_none;
}

/* --- Beginning */

/* States and links alone have a duration that can be counted. */
static ocelotl_status find_wanted(ocelotl_durations *made, const ocelotl_names *patterns)
{
    const ocelotl_trace *trace = made->trace;
    const ocelotl_selection named = {.from = INT64_MIN, .to = INT64_MAX, .only = *patterns};
    bool *lasts = NULL;
    OC_TRY(oc_allocate(&lasts, trace->event_type_count, sizeof *lasts));
    for (uint32_t i = 0; i < trace->event_type_count; i++)
        lasts[i] = trace->event_types[i].category == OCELOTL_STATE ||
                   trace->event_types[i].category == OCELOTL_LINK;
    const ocelotl_status status = oc_type_filter_make(&made->wanted, trace, lasts, &named);
    free(lasts);
    return status;
}

static ocelotl_status make_room(ocelotl_durations *made)
{
    const size_t columns = (size_t)made->info.windows * made->group_count;
    const size_t cells = columns * ((size_t)made->info.slices + 1);
    const size_t most = memory_most / (BINS * sizeof *made->counts);
    if (cells > most)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%u groups and %u slices of %u windows need %zu MiB, expected at most %zu: "
                       "fewer groups, or fewer slices",
                       made->group_count, made->info.slices, made->info.windows,
                       cells * BINS * sizeof *made->counts >> 20, memory_most >> 20);
    OC_TRY(oc_allocate(&made->columns, columns, sizeof *made->columns));
    OC_TRY(oc_allocate(&made->counts, cells * BINS, sizeof *made->counts));
    OC_TRY(oc_allocate(&made->sums, columns * BINS, sizeof *made->sums));
    for (size_t i = 0; i < columns; i++)
        made->columns[i] = (column_sums){.group = (uint32_t)(i % made->group_count),
                                         .window = (uint32_t)(i / made->group_count)};
    return OCELOTL_OK;
}

/* What SQL is made of later. */
static ocelotl_status keep_selection(ocelotl_durations *made)
{
    const ocelotl_selection *given = &made->question.selection;
    made->plain = given->only_resources.count == 0 && given->except_resources.count == 0 &&
                  !oc_filter_times(&made->question.filter);
    OC_TRY(oc_allocate(&made->chosen, given->resources.count + 1, sizeof *made->chosen));
    for (size_t i = 0; i < given->resources.count; i++, made->chosen_count++)
        OC_TRY(oc_copy_text(&made->chosen[i], given->resources.names[i]));
    return OCELOTL_OK;
}

static ocelotl_status begin(ocelotl_durations *made, const ocelotl_durations_options *options)
{
    oc_question *question = &made->question;
    if (options->slices > SLICES_MOST)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "there are %u slices, expected at most %d",
                       options->slices, SLICES_MOST);
    if (options->compares) {
        ocelotl_selection given = {.from = options->second_from, .to = options->second_to};
        oc_complete_selection(&given);
        OC_TRY(oc_window_make(&made->windows[1], made->trace, given.from, given.to));
    }
    OC_TRY(oc_question_make(question, made->trace, &options->selection, options->type,
                            &options->work));
    made->windows[0] = question->window;
    OC_TRY(find_wanted(made, &options->patterns));
    OC_TRY(oc_question_group(question, options->at));
    made->below = options->at != NULL && strcmp(options->at, "resource") != 0;
    OC_TRY(keep_selection(made));
    oc_text text = {0};
    oc_text_append(&text, "", 0);
    for (size_t i = 0; i < options->patterns.count; i++) {
        oc_text_add(&text, i > 0 ? ", " : "");
        oc_text_add(&text, options->patterns.names[i]);
    }
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_copy_utf8(&made->patterns, text.bytes);
    oc_text_free(&text);
    OC_TRY(status);
    made->group_count = oc_question_group_count(question);
    made->info = (ocelotl_durations_info){
        .windows = options->compares ? 2 : 1,
        .slices = options->slices,
        .resources = question->resource_count,
        .event_type = OCELOTL_NONE,
        .value = OCELOTL_NONE,
        .grouped = question->groups.group_of != NULL,
        .filters = question->filters,
        .patterns = made->patterns,
    };
    return make_room(made);
}

static ocelotl_status compute(ocelotl_durations *made, const ocelotl_durations_options *options)
{
    oc_watch watch = {.work = options->work};
    oc_counted_reader reader = {.question = &made->question, .take = take, .context = made};
    OC_TRY(begin(made, options));
    reader.walk.reader.connection = oc_connection_of(made->trace);
    reader.walk.reader.watch = &watch;
    reader.walk.reader.asks = true;
    const ocelotl_status status = read_windows(made, &reader, &watch);
    oc_counted_free(&reader);
    OC_TRY(status);
    OC_TRY(choose_columns(made));
    uint32_t first = 1;
    uint32_t last = BINS - 1;
    while (first <= last && !is_used(made, first))
        first++;
    while (last > first && !is_used(made, last))
        last--;
    made->has_none = is_used(made, 0);
    made->first_bin = first;
    made->info.bins = made->has_none + (first <= last ? last - first + 1 : 0);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_durations_compute(ocelotl_durations **durations, ocelotl_trace *trace,
                                         const ocelotl_durations_options *options)
{
    ocelotl_durations *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    const ocelotl_status status = compute(made, options);
    if (status == OCELOTL_OK)
        *durations = made;
    else
        ocelotl_durations_free(made);
    return status;
}

void ocelotl_durations_free(ocelotl_durations *made)
{
    if (made == NULL)
        return;
    for (size_t i = 0; i < made->chosen_count; i++)
        free(made->chosen[i]);
    free(made->chosen);
    free(made->patterns);
    free(made->shown);
    free(made->sums);
    free(made->counts);
    free(made->columns);
    oc_type_filter_free(&made->wanted);
    oc_question_free(&made->question);
    free(made);
}

/* --- Getters */

ocelotl_durations_info ocelotl_durations_info_of(const ocelotl_durations *durations)
{
    return durations->info;
}

ocelotl_duration_bin ocelotl_durations_bin_at(const ocelotl_durations *durations, uint32_t bin)
{
    if (bin >= durations->info.bins)
        return (ocelotl_duration_bin){0, 0};
    const uint32_t index = bin_number(durations, bin);
    return (ocelotl_duration_bin){begin_of(index), index > 0 ? begin_of(index + 1) : 0};
}

ocelotl_duration_column ocelotl_durations_column_at(const ocelotl_durations *durations,
                                                    uint32_t column)
{
    if (column >= durations->info.columns)
        return (ocelotl_duration_column){.group = NULL};
    const column_sums *found = &durations->columns[durations->shown[column]];
    const oc_window *window = &durations->windows[found->window];
    ocelotl_trace *trace = durations->trace;
    const bool any = found->count > 0;
    return (ocelotl_duration_column){
        .group = oc_question_group_name(&durations->question, found->group),
        .window = found->window,
        .from = window->from,
        .to = window->to,
        .count = found->count,
        .sum = ocelotl_trace_seconds(trace, found->sum),
        .least = any ? ocelotl_trace_seconds(trace, found->least) : NAN,
        .most = any ? ocelotl_trace_seconds(trace, found->most) : NAN};
}

uint64_t ocelotl_durations_count_at(const ocelotl_durations *durations, uint32_t column,
                                    uint32_t slice, uint32_t bin)
{
    const ocelotl_durations_info *info = &durations->info;
    if (column >= info->columns || bin >= info->bins ||
        (slice != OCELOTL_NONE && slice >= info->slices))
        return 0;
    return durations->counts[count_index(durations, durations->shown[column], slice) +
                             bin_number(durations, bin)];
}

double ocelotl_durations_sum_at(const ocelotl_durations *durations, uint32_t column, uint32_t bin)
{
    if (column >= durations->info.columns || bin >= durations->info.bins)
        return 0;
    return ocelotl_trace_seconds(
        durations->trace,
        durations->sums[(size_t)durations->shown[column] * BINS + bin_number(durations, bin)]);
}

/* --- Questions in SQL */

/* A text of SQL, with its quotes. */
static void add_quoted(oc_text *text, const char *string)
{
    oc_text_add(text, "'");
    for (; *string != '\0'; string++) {
        oc_text_append(text, string, 1);
        if (*string == '\'')
            oc_text_append(text, string, 1);
    }
    oc_text_add(text, "'");
}

static void add_seconds(oc_text *text, const ocelotl_durations *of, int64_t tick)
{
    oc_text_format(text, "%.17g", ocelotl_trace_seconds(of->trace, tick));
}

/* What is below a resource, or only there. */
static void add_place(oc_text *text, const char *column, const char *path, bool below)
{
    oc_text_format(text, "%s = ", column);
    add_quoted(text, path);
    if (!below)
        return;
    oc_text_format(text, " OR substr(%s, 1, length(", column);
    add_quoted(text, path);
    oc_text_add(text, ") + 1) = ");
    add_quoted(text, path);
    oc_text_add(text, " || '/'");
}

/* Whether SQL can name a resource and all below it. */
static bool is_plain_path(const char *path)
{
    const size_t length = strlen(path);
    return length > 0 && !(length > 1 && strcmp(path + length - 2, "/.") == 0);
}

static void add_places(oc_text *text, const ocelotl_durations *of, const char *column,
                       const char *group)
{
    for (size_t i = 0; i < of->chosen_count; i++) {
        oc_text_add(text, i == 0 ? " AND (" : " OR ");
        add_place(text, column, of->chosen[i], true);
    }
    oc_text_add(text, of->chosen_count > 0 ? ")" : "");
    if (group == NULL || group[0] == '\0')
        return;
    oc_text_add(text, " AND (");
    add_place(text, column, group, of->below);
    oc_text_add(text, ")");
}

/* The values of a type that count; nothing where all do. */
static void add_values(oc_text *text, const ocelotl_durations *of, uint32_t event_type)
{
    const uint32_t count = ocelotl_trace_event_type_value_count(of->trace, event_type);
    const bool none = is_wanted(of, event_type, OCELOTL_NONE);
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < count; i++)
        wanted +=
            is_wanted(of, event_type, ocelotl_trace_event_type_value_at(of->trace, event_type, i));
    if (wanted == count && none)
        return;
    oc_text_add(text, none ? " AND (value IS NULL OR value IN (" : " AND (value IN (");
    for (uint32_t i = 0, given = 0; i < count; i++) {
        const uint32_t value = ocelotl_trace_event_type_value_at(of->trace, event_type, i);
        if (!is_wanted(of, event_type, value))
            continue;
        oc_text_add(text, given++ > 0 ? ", " : "");
        add_quoted(text, ocelotl_trace_value_at(of->trace, value).name);
    }
    oc_text_add(text, "))");
}

/* --- Conditions on attributes */

/* A text that is a number meets conditions as one: an affinity makes it so. Behind all numbers are
 * the texts. */
static void add_number_or_text(oc_text *text, const oc_condition *condition, const char *value,
                               const char *spelling)
{
    static const char *const signs[] = {
        [OC_EQUAL] = "=",    [OC_UNEQUAL] = "<>", [OC_LESS] = "<",
        [OC_AT_MOST] = "<=", [OC_MORE] = ">",     [OC_AT_LEAST] = ">="};
    const bool equates = condition->comparison == OC_EQUAL || condition->comparison == OC_UNEQUAL;
    if (condition->is_number)
        oc_text_format(text,
                       "CASE WHEN %s < CAST(9e999 AS REAL) THEN CAST(%s AS REAL) %s %.17g "
                       "ELSE ",
                       value, value, signs[condition->comparison], condition->number);
    if (equates) {
        oc_text_format(text, "%s(%s = ", condition->comparison == OC_UNEQUAL ? "NOT " : "",
                       spelling);
        add_quoted(text, condition->text);
        oc_text_format(text, " OR %s GLOB ", spelling);
        add_quoted(text, condition->text);
        oc_text_add(text, ")");
    } else {
        oc_text_add(text, "0");
    }
    oc_text_add(text, condition->is_number ? " END" : "");
}

/* All attributes of a name have to meet it, and there has to be one. */
static void add_condition(oc_text *text, const oc_condition *condition, bool link)
{
    static const char from[] = "(SELECT 1 FROM json_each(attributes) AS it WHERE it.key = ";
    if (link && strcmp(condition->name, "Key") == 0) {
        oc_text_add(text, " AND key IS NOT NULL AND (");
        add_number_or_text(text, condition, "key", "key");
        oc_text_add(text, ")");
        return;
    }
    oc_text_format(text, " AND EXISTS %s", from);
    add_quoted(text, condition->name);
    oc_text_format(text, ") AND NOT EXISTS %s", from);
    add_quoted(text, condition->name);
    oc_text_add(text, " AND NOT (");
    /* A number as the trace spells it is in the JSON alone. */
    add_number_or_text(text, condition, "it.value",
                       "iif(it.type = 'text', it.value, attributes -> it.fullkey)");
    oc_text_add(text, "))");
}

static void add_conditions(oc_text *text, const ocelotl_durations *of, uint32_t event_type)
{
    const oc_conditions *conditions = &of->question.filter.conditions;
    const bool link = of->trace->event_types[event_type].category == OCELOTL_LINK;
    for (size_t i = 0; i < conditions->count; i++)
        if ((conditions->concern[event_type] >> i & 1) != 0)
            add_condition(text, &conditions->list[i], link);
}

static void add_types(oc_text *text, const ocelotl_durations *of, const char *group)
{
    bool first = true;
    for (uint32_t i = 0; i < of->trace->event_type_count; i++) {
        const bool link = of->trace->event_types[i].category == OCELOTL_LINK;
        if (!of->wanted.reached[i] || !oc_is_selected(of->question.event_types, i))
            continue;
        oc_text_format(text, "%s(category = '%s' AND type = ", first ? "(" : " OR ",
                       link ? "link" : "state");
        add_quoted(text, ocelotl_trace_event_type_at(of->trace, i).name);
        add_values(text, of, i);
        add_places(text, of, link ? "target" : "resource", group);
        if (link)
            oc_text_add(text, " AND source IS NOT NULL AND target IS NOT NULL");
        add_conditions(text, of, i);
        oc_text_add(text, ")");
        first = false;
    }
    oc_text_add(text, first ? "0" : ")");
}

static void add_window(oc_text *text, const ocelotl_durations *of, uint32_t index)
{
    const oc_window *window = &of->windows[index];
    const ocelotl_trace_info *bounds = &of->trace->info;
    if (window->from > bounds->begin) {
        oc_text_add(text, " AND \"end\" >= ");
        add_seconds(text, of, window->from);
    }
    if (window->last < bounds->end) {
        oc_text_add(text, " AND \"end\" < ");
        add_seconds(text, of, window->to);
    }
}

/* The first bin of some time has all that is shorter, the last one all that is longer. */
static void add_durations(oc_text *text, const ocelotl_durations *of, uint32_t bin)
{
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of, bin);
    const uint32_t number = bin < of->info.bins ? bin_number(of, bin) : 0;
    if (bin == OCELOTL_NONE)
        oc_text_add(text, "duration >= 0");
    else if (number == 0)
        oc_text_add(text, "duration = 0");
    else if (number == 1)
        oc_text_add(text, "duration > 0");
    else
        oc_text_format(text, "duration >= %.17g", span.begin);
    if (number > 0 && number < BINS - 1)
        oc_text_format(text, " AND duration < %.17g", span.end);
}

static bool is_sayable(const ocelotl_durations *of, const char *group)
{
    for (size_t i = 0; i < of->chosen_count; i++)
        if (!is_plain_path(of->chosen[i]))
            return false;
    return of->plain && (group == NULL || strcmp(group, "(outside)") != 0);
}

ocelotl_status ocelotl_durations_write_sql(char **sql, const ocelotl_durations *durations,
                                           uint32_t column, uint32_t bin)
{
    const ocelotl_duration_column of = ocelotl_durations_column_at(durations, column);
    oc_text text = {0};
    oc_text_append(&text, "", 0);
    if (is_sayable(durations, of.group)) {
        oc_text_add(&text, "SELECT * FROM events WHERE ");
        add_types(&text, durations, of.group);
        add_window(&text, durations, of.window);
        oc_text_add(&text, " AND ");
        add_durations(&text, durations, bin);
    }
    return oc_text_give(sql, &text);
}

ocelotl_status ocelotl_durations_write_condition(char **sql, const ocelotl_durations *durations,
                                                 uint32_t bin)
{
    oc_text text = {0};
    add_durations(&text, durations, bin);
    return oc_text_give(sql, &text);
}

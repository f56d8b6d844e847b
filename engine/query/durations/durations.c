/* Counts states and links by their durations. */
#include "query/durations/durations.h"

#include "base/memory.h"
#include "base/options.h"

#include <ocelotl/query.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES_MOST = 10000 };

static const size_t memory_most = (size_t)256 << 20;

/* --- Bins */

/* A quarter of a decade: 1, 1.8, 3.2, 5.6 times a power of ten. */
static double begin_of(uint32_t bin)
{
    return bin == 0 ? 0 : pow(10, OC_DURATION_LEAST + ((double)bin - 1) / OC_DURATION_DECADE);
}

/* The logarithm may be a hair off, and what a bin says has to be true. */
static uint32_t bin_of(double seconds)
{
    if (!(seconds > 0))
        return 0;
    const double place = floor((log10(seconds) - OC_DURATION_LEAST) * OC_DURATION_DECADE);
    uint32_t bin = place < 0                        ? 1
                   : place > OC_DURATION_BINS - 2.0 ? OC_DURATION_BINS - 1
                                                    : 1 + (uint32_t)place;
    while (bin > 1 && seconds < begin_of(bin))
        bin--;
    while (bin < OC_DURATION_BINS - 1 && seconds >= begin_of(bin + 1))
        bin++;
    return bin;
}

static size_t count_index(const ocelotl_durations *made, uint32_t column, uint32_t slice)
{
    const size_t slices = (size_t)made->info.slices + 1;
    return (column * slices + (slice == OCELOTL_NONE ? slices - 1 : slice)) * OC_DURATION_BINS;
}

/* --- Counting */

bool oc_durations_want(const ocelotl_durations *made, uint32_t event_type, uint32_t value)
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
    oc_duration_column *column = &made->columns[index];
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
    int64_t *sum = &made->sums[(size_t)index * OC_DURATION_BINS + bin];
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
                        oc_durations_want(made, event->stream->event_type, event->value);
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

uint32_t oc_durations_bin_number(const ocelotl_durations *made, uint32_t bin)
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
    const size_t most = memory_most / (OC_DURATION_BINS * sizeof *made->counts);
    if (cells > most)
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%u groups and %u slices of %u windows need %zu MiB, expected at most %zu: "
                       "fewer groups, or fewer slices",
                       made->group_count, made->info.slices, made->info.windows,
                       cells * OC_DURATION_BINS * sizeof *made->counts >> 20, memory_most >> 20);
    OC_TRY(oc_allocate(&made->columns, columns, sizeof *made->columns));
    OC_TRY(oc_allocate(&made->counts, cells * OC_DURATION_BINS, sizeof *made->counts));
    OC_TRY(oc_allocate(&made->sums, columns * OC_DURATION_BINS, sizeof *made->sums));
    for (size_t i = 0; i < columns; i++)
        made->columns[i] = (oc_duration_column){.group = (uint32_t)(i % made->group_count),
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
    uint32_t last = OC_DURATION_BINS - 1;
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
    ocelotl_durations_options known = OCELOTL_DURATIONS_OPTIONS_INIT;
    ocelotl_durations *made = NULL;
    OC_TRY(oc_read_options(&known, sizeof known, options));
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    const ocelotl_status status = compute(made, &known);
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
    const uint32_t index = oc_durations_bin_number(durations, bin);
    return (ocelotl_duration_bin){begin_of(index), index > 0 ? begin_of(index + 1) : 0};
}

ocelotl_duration_column ocelotl_durations_column_at(const ocelotl_durations *durations,
                                                    uint32_t column)
{
    if (column >= durations->info.columns)
        return (ocelotl_duration_column){.group = NULL};
    const oc_duration_column *found = &durations->columns[durations->shown[column]];
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
                             oc_durations_bin_number(durations, bin)];
}

double ocelotl_durations_sum_at(const ocelotl_durations *durations, uint32_t column, uint32_t bin)
{
    if (column >= durations->info.columns || bin >= durations->info.bins)
        return 0;
    return ocelotl_trace_seconds(
        durations->trace, durations->sums[(size_t)durations->shown[column] * OC_DURATION_BINS +
                                          oc_durations_bin_number(durations, bin)]);
}

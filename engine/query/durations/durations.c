/* Counts states and links by their durations. */
#include "query/durations/durations.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/select/resources.h"

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
    return named && oc_is_selected(made->event_types, event_type) &&
           oc_filter_shows(&made->filter, event_type, value);
}

static uint32_t slice_of(const ocelotl_durations *made, const oc_window *window, int64_t time)
{
    __extension__ typedef __int128 wide;
    const wide length = (wide)window->to - window->from;
    const wide slice = ((wide)time - window->from) * made->info.slices / length;
    return slice < made->info.slices ? (uint32_t)slice : made->info.slices - 1;
}

static void note_kind(ocelotl_durations *made, const ocelotl_event *event, bool first)
{
    ocelotl_durations_info *info = &made->info;
    info->event_type =
        first || info->event_type == event->event_type ? event->event_type : OCELOTL_NONE;
    info->value = first || info->value == event->value ? event->value : OCELOTL_NONE;
}

static void add(ocelotl_durations *made, const ocelotl_event *event, uint32_t resource,
                uint32_t window)
{
    const int64_t duration = (int64_t)((uint64_t)event->end - (uint64_t)event->begin);
    const double seconds = ocelotl_trace_seconds(made->trace, duration);
    const uint32_t group =
        made->groups.group_of != NULL ? made->groups.group_of[resource] : made->group_count - 1;
    const uint32_t index = window * made->group_count + group;
    const uint32_t bin = bin_of(seconds);
    oc_duration_column *column = &made->columns[index];
    note_kind(made, event, made->columns[0].count == 0 && made->info.columns == 0);
    made->info.columns = 1;
    column->least = column->count == 0 || seconds < column->least ? seconds : column->least;
    column->most = column->count == 0 || seconds > column->most ? seconds : column->most;
    column->count++;
    column->sum += seconds;
    made->counts[count_index(made, index, OCELOTL_NONE) + bin]++;
    made->sums[(size_t)index * OC_DURATION_BINS + bin] += seconds;
    if (made->info.slices > 0)
        made->counts[count_index(made, index, slice_of(made, &made->windows[window], event->end)) +
                     bin]++;
}

/* The resource that an event is counted at; OCELOTL_NONE: it does not count. */
static uint32_t place_of(const ocelotl_durations *made, const ocelotl_event *event,
                         ocelotl_category category, const oc_window *window)
{
    const bool link = event->category == OCELOTL_LINK;
    if (event->category != category || event->end < event->begin ||
        !oc_window_has(window, event->end))
        return OCELOTL_NONE;
    if (link && (event->source == OCELOTL_NONE || event->target == OCELOTL_NONE))
        return OCELOTL_NONE;
    const uint32_t resource = link ? event->target : event->resource;
    const bool counts = oc_durations_want(made, event->event_type, event->value) &&
                        oc_is_selected(made->resources, resource);
    return counts ? resource : OCELOTL_NONE;
}

static ocelotl_status read(ocelotl_durations *made, ocelotl_events *events,
                           ocelotl_category category, uint32_t window)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, events));
    while (found) {
        const uint32_t resource = place_of(made, &event, category, &made->windows[window]);
        if (resource != OCELOTL_NONE)
            add(made, &event, resource, window);
        OC_TRY(ocelotl_events_next(&found, &event, events));
    }
    return OCELOTL_OK;
}

static bool wants_category(const ocelotl_durations *made, ocelotl_category category)
{
    for (uint32_t i = 0; i < made->trace->event_type_count; i++)
        if (made->trace->event_types[i].category == category && made->wanted.reached[i] &&
            oc_is_selected(made->event_types, i))
            return true;
    return false;
}

/* All links are read, for those that the selected resources receive. What no pattern names is not
 * read, unless names are chosen otherwise as well. */
static ocelotl_status read_window(ocelotl_durations *made, ocelotl_category category,
                                  uint32_t window, const ocelotl_durations_options *options)
{
    const oc_window *of = &made->windows[window];
    ocelotl_events_options asked = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = NULL;
    if (!wants_category(made, category) || of->from >= of->to)
        return OCELOTL_OK;
    asked.selection = made->selection;
    asked.selection.from = of->from;
    asked.selection.to = of->last == of->to ? INT64_MAX : of->to;
    if (asked.selection.only.count == 0)
        asked.selection.only = options->patterns;
    if (category == OCELOTL_LINK)
        asked.selection.resources = asked.selection.only_resources =
            asked.selection.except_resources = (ocelotl_names){NULL, 0};
    asked.type = options->type;
    asked.without_attributes = true;
    asked.work = options->work;
    OC_TRY(ocelotl_events_open(&events, made->trace, &asked));
    const ocelotl_status status = read(made, events, category, window);
    ocelotl_events_free(events);
    return status;
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

static void choose_bins(ocelotl_durations *made)
{
    uint32_t first = 1;
    uint32_t last = OC_DURATION_BINS - 1;
    while (first <= last && !is_used(made, first))
        first++;
    while (last > first && !is_used(made, last))
        last--;
    made->has_none = is_used(made, 0);
    made->first_bin = first;
    made->info.bins = made->has_none + (first <= last ? last - first + 1 : 0);
}

uint32_t oc_durations_bin_number(const ocelotl_durations *made, uint32_t bin)
{
    return made->has_none && bin == 0 ? 0 : made->first_bin + bin - made->has_none;
}

/* --- Beginning */

static ocelotl_status find_groups(ocelotl_durations *made, const char *at)
{
    const ocelotl_trace *trace = made->trace;
    bool *used = NULL;
    if (at == NULL)
        return OCELOTL_OK;
    made->below = strcmp(at, "resource") != 0;
    ocelotl_status status = oc_allocate(&used, trace->resource_count, sizeof *used);
    for (uint32_t s = 0; s < trace->stream_count && status == OCELOTL_OK; s++)
        if (oc_is_selected(made->event_types, trace->streams[s].event_type))
            used[trace->streams[s].resource] = true;
    const oc_group_request asked = {
        .trace = trace, .used = used, .chosen = made->resources, .at = made->below ? at : NULL};
    if (status == OCELOTL_OK)
        status = oc_groups_find(&made->groups, &asked);
    for (uint32_t g = 0; g < made->groups.count && status == OCELOTL_OK; g++)
        if (made->groups.resources[g] != OCELOTL_NONE)
            status = oc_path_keep(&made->paths, &made->catalogue.paths, made->groups.resources[g]);
    free(used);
    return status;
}

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

static ocelotl_status set_window(ocelotl_durations *made, uint32_t index, int64_t from, int64_t to)
{
    ocelotl_selection given = {.from = from, .to = to};
    oc_complete_selection(&given);
    return oc_window_make(&made->windows[index], made->trace, given.from, given.to);
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
                                                .window = (uint32_t)(i / made->group_count),
                                                .least = NAN,
                                                .most = NAN};
    return OCELOTL_OK;
}

static ocelotl_status keep_patterns(ocelotl_durations *made, const ocelotl_names *patterns)
{
    oc_text text = {0};
    oc_text_append(&text, "", 0);
    for (size_t i = 0; i < patterns->count; i++) {
        oc_text_add(&text, i > 0 ? ", " : "");
        oc_text_add(&text, patterns->names[i]);
    }
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_copy_utf8(&made->patterns, text.bytes);
    oc_text_free(&text);
    return status;
}

/* What SQL is made of later. */
static ocelotl_status keep_selection(ocelotl_durations *made)
{
    const ocelotl_selection *given = &made->selection;
    made->plain = given->only_resources.count == 0 && given->except_resources.count == 0 &&
                  !oc_filter_times(&made->filter);
    OC_TRY(oc_allocate(&made->chosen, given->resources.count + 1, sizeof *made->chosen));
    for (size_t i = 0; i < given->resources.count; i++, made->chosen_count++)
        OC_TRY(oc_copy_text(&made->chosen[i], given->resources.names[i]));
    return OCELOTL_OK;
}

static ocelotl_status begin(ocelotl_durations *made, const ocelotl_durations_options *options)
{
    const ocelotl_trace *trace = made->trace;
    made->selection = options->selection;
    oc_complete_selection(&made->selection);
    OC_TRY(oc_check_work(&options->work));
    if (options->slices > SLICES_MOST)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "there are %u slices, expected at most %d",
                       options->slices, SLICES_MOST);
    OC_TRY(set_window(made, 0, made->selection.from, made->selection.to));
    if (options->compares)
        OC_TRY(set_window(made, 1, options->second_from, options->second_to));
    OC_TRY(oc_catalogue_read(&made->catalogue, made->trace));
    OC_TRY(oc_choose_resources(&made->resources, &made->catalogue, &made->selection));
    OC_TRY(oc_select_event_types(&made->event_types, trace, options->type));
    OC_TRY(oc_filter_make(&made->filter, &made->event_types, &made->catalogue, &made->selection));
    OC_TRY(find_wanted(made, &options->patterns));
    OC_TRY(find_groups(made, options->at));
    OC_TRY(keep_selection(made));
    OC_TRY(keep_patterns(made, &options->patterns));
    made->group_count = made->groups.group_of != NULL ? made->groups.count + 1 : 1;
    made->info = (ocelotl_durations_info){
        .windows = options->compares ? 2 : 1,
        .slices = options->slices,
        .event_type = OCELOTL_NONE,
        .value = OCELOTL_NONE,
        .grouped = made->groups.group_of != NULL,
        .filters = made->filter.words != NULL ? made->filter.words : "",
        .patterns = made->patterns,
    };
    for (uint32_t r = 0; r < trace->resource_count; r++)
        made->info.resources += oc_is_selected(made->resources, r);
    return make_room(made);
}

static ocelotl_status compute(ocelotl_durations *made, const ocelotl_durations_options *options)
{
    OC_TRY(begin(made, options));
    for (uint32_t window = 0; window < made->info.windows; window++) {
        OC_TRY(read_window(made, OCELOTL_STATE, window, options));
        OC_TRY(read_window(made, OCELOTL_LINK, window, options));
    }
    OC_TRY(choose_columns(made));
    choose_bins(made);
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
    oc_kept_paths_free(&made->paths);
    oc_groups_free(&made->groups);
    oc_type_filter_free(&made->wanted);
    oc_filter_free(&made->filter);
    free(made->event_types);
    free(made->resources);
    oc_catalogue_free(&made->catalogue);
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

static const char *name_of_group(const ocelotl_durations *of, uint32_t group)
{
    if (!of->info.grouped)
        return NULL;
    if (group >= of->groups.count)
        return "(outside)";
    const uint32_t resource = of->groups.resources[group];
    return resource == OCELOTL_NONE ? "" : of->paths.of[resource];
}

ocelotl_duration_column ocelotl_durations_column_at(const ocelotl_durations *durations,
                                                    uint32_t column)
{
    if (column >= durations->info.columns)
        return (ocelotl_duration_column){.group = NULL};
    const oc_duration_column *found = &durations->columns[durations->shown[column]];
    const oc_window *window = &durations->windows[found->window];
    return (ocelotl_duration_column){.group = name_of_group(durations, found->group),
                                     .window = found->window,
                                     .from = window->from,
                                     .to = window->to,
                                     .count = found->count,
                                     .sum = found->sum,
                                     .least = found->least,
                                     .most = found->most};
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
    return durations->sums[(size_t)durations->shown[column] * OC_DURATION_BINS +
                           oc_durations_bin_number(durations, bin)];
}

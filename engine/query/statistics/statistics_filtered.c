/* What a stream adds to the statistics of events that pass a filter which its running totals do not
 * know: event by event. */
#include "query/statistics/statistics.h"

#include "base/memory.h"
#include "store/read/link_scan.h"
#include "store/trace/failure.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

static ocelotl_status add(const oc_statistics_sums *sums, int64_t *sum, int64_t term)
{
    return oc_add_times(sum, *sum, term)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_LIMIT,
                         "%s: durations in this window add up to more than 2^63 ticks",
                         sums->trace->path);
}

static bool is_in(const oc_statistics_sums *sums, int64_t time)
{
    return time >= sums->from && time <= sums->to;
}

/* How much of a span is in the window. */
static int64_t overlap(const oc_statistics_sums *sums, int64_t begin, int64_t end)
{
    begin = begin > sums->from ? begin : sums->from;
    end = end < sums->to ? end : sums->to;
    return end > begin ? end - begin : 0;
}

static ocelotl_status find_line(oc_statistic_sums **line, oc_statistics_sums *sums,
                                uint32_t event_type, uint32_t value)
{
    const ocelotl_trace *trace = sums->trace;
    *line = &sums->lines[oc_statistics_none(trace, event_type)];
    if (value == OCELOTL_NONE)
        return OCELOTL_OK;
    if (value >= trace->value_count || trace->values[value].event_type != event_type)
        return damaged("a value of another type");
    *line = &sums->lines[value];
    return OCELOTL_OK;
}

/* An extreme of the type, and of the line. */
static void note(oc_statistics_sums *sums, uint32_t event_type, oc_statistic_sums *line,
                 double number)
{
    oc_statistic_sums *widened[] = {&sums->lines[oc_statistics_whole(sums->trace, event_type)],
                                    sums->extremes == OCELOTL_EXTREMES_VALUES ? line : NULL};
    for (size_t i = 0; i < 2 && sums->extremes != OCELOTL_EXTREMES_NONE; i++) {
        if (widened[i] == NULL)
            continue;
        widened[i]->low =
            isnan(widened[i]->low) || number < widened[i]->low ? number : widened[i]->low;
        widened[i]->high =
            isnan(widened[i]->high) || number > widened[i]->high ? number : widened[i]->high;
    }
}

static ocelotl_status look(bool *passes, const oc_statistics_sums *sums, uint32_t event_type,
                           const oc_record *record)
{
    const oc_conditions *conditions = &sums->filter->conditions;
    oc_verdict verdict = {0};
    OC_TRY(oc_conditions_look(&verdict, conditions, event_type, &sums->reader.records, record));
    *passes = oc_verdict_passes(&verdict, conditions, event_type);
    return OCELOTL_OK;
}

/* --- Instants, and what comes from nowhere */

static ocelotl_status add_instant(oc_statistics_sums *sums, const oc_stream *stream,
                                  const oc_record *record)
{
    oc_statistic_sums *line;
    bool passes;
    OC_TRY(look(&passes, sums, stream->event_type, record));
    if (!passes || !is_in(sums, record->time) ||
        !oc_filter_shows(sums->filter, stream->event_type, record->value))
        return OCELOTL_OK;
    OC_TRY(find_line(&line, sums, stream->event_type, record->value));
    line->met = true;
    if (stream->role == OC_ROLE_EVENTS)
        return add(sums, &line->count, 1);
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *carried =
            &sums->reader.records.attributes[record->attribute_first + i];
        const ocelotl_attribute_value value = {
            carried->attribute,
            carried->length > 0 ? sums->reader.records.text.bytes + carried->text : "",
            carried->length};
        OC_TRY(oc_statistics_add_attribute(sums, stream->event_type, &value));
    }
    return add(sums, &line->ended, 1);
}

/* Of links without a beginning those that are noted in the window. */
static ocelotl_status add_instants(oc_statistics_sums *sums, const oc_stream *stream)
{
    const size_t before = oc_reader_chunks_before(&sums->reader, sums->from);
    for (size_t chunk = before > 0 ? before - 1 : 0;
         chunk < sums->reader.chunk_count && sums->reader.chunks[chunk].begin <= sums->to;
         chunk++) {
        OC_TRY(oc_reader_read(&sums->reader, chunk, true));
        for (size_t i = 0; i < sums->reader.records.count; i++) {
            const oc_record *record = &sums->reader.records.records[i];
            if (stream->role == OC_ROLE_EVENTS || record->partner == OCELOTL_NONE)
                OC_TRY(add_instant(sums, stream, record));
        }
    }
    return OCELOTL_OK;
}

/* --- Steps of a variable */

typedef struct held_step {
    bool known, passes;
    int64_t since;
    double number;
} held_step;

static ocelotl_status end_step(oc_statistics_sums *sums, const oc_stream *stream,
                               const held_step *held, int64_t end)
{
    oc_statistic_sums *line = &sums->lines[oc_statistics_none(sums->trace, stream->event_type)];
    oc_statistic_sums *whole = &sums->lines[oc_statistics_whole(sums->trace, stream->event_type)];
    if (!held->known || !held->passes || held->since > sums->to || end < sums->from)
        return OCELOTL_OK;
    const int64_t ticks = overlap(sums, held->since, end);
    note(sums, stream->event_type, line, held->number);
    line->integral += held->number * (double)ticks;
    return add(sums, &whole->inclusive, ticks);
}

static ocelotl_status add_changes(oc_statistics_sums *sums, const oc_stream *stream,
                                  held_step *held)
{
    oc_statistic_sums *line = &sums->lines[oc_statistics_none(sums->trace, stream->event_type)];
    for (size_t i = 0; i < sums->reader.records.count; i++) {
        const oc_record *record = &sums->reader.records.records[i];
        if (held->known && record->time < held->since)
            return damaged("time goes back");
        if (held->known && record->time > held->since)
            OC_TRY(end_step(sums, stream, held, record->time));
        *held = (held_step){.known = true, .since = record->time, .number = record->number};
        OC_TRY(look(&held->passes, sums, stream->event_type, record));
        if (held->passes && is_in(sums, record->time))
            OC_TRY(add(sums, &line->count, 1));
    }
    return OCELOTL_OK;
}

static ocelotl_status add_steps(oc_statistics_sums *sums, const oc_stream *stream)
{
    held_step held = {0};
    const int64_t end = sums->trace->resources[stream->resource].end;
    const size_t before = oc_reader_chunks_before(&sums->reader, sums->from);
    sums->lines[oc_statistics_none(sums->trace, stream->event_type)].met = true;
    for (size_t chunk = before > 0 ? before - 1 : 0;
         chunk < sums->reader.chunk_count && sums->reader.chunks[chunk].begin <= sums->to;
         chunk++) {
        OC_TRY(oc_reader_read(&sums->reader, chunk, true));
        OC_TRY(add_changes(sums, stream, &held));
    }
    return end_step(sums, stream, &held, end > held.since ? end : held.since);
}

/* --- States */

/* One that is open; those that are hidden hold their time, too. */
typedef struct open_state {
    int64_t begin, innermost;
    uint32_t value;
    bool passes;
} open_state;

typedef struct open_states {
    open_state *list;
    size_t count, capacity;
    int64_t time;
} open_states;

static ocelotl_status push(open_states *open, const open_state *state)
{
    OC_TRY(oc_grow(&open->list, &open->capacity, open->count + 1, sizeof *open->list));
    open->list[open->count++] = *state;
    return OCELOTL_OK;
}

/* Whether something is open that is in the window. They are in the order of their beginnings. */
static bool is_waiting(const oc_statistics_sums *sums, const open_states *open)
{
    return open->count > 0 && open->list[0].begin <= sums->to;
}

static ocelotl_status end_state(oc_statistics_sums *sums, const oc_stream *stream,
                                const open_state *state, int64_t end)
{
    oc_statistic_sums *line;
    const bool shown = state->passes &&
                       oc_filter_shows(sums->filter, stream->event_type, state->value) &&
                       oc_filter_lasts(sums->filter, state->begin, end);
    if (!shown || state->begin > sums->to || end < sums->from)
        return OCELOTL_OK;
    OC_TRY(find_line(&line, sums, stream->event_type, state->value));
    line->met = true;
    OC_TRY(add(sums, &line->count, is_in(sums, state->begin)));
    OC_TRY(add(sums, &line->innermost, state->innermost));
    OC_TRY(add(sums, &line->inclusive, overlap(sums, state->begin, end)));
    if (!is_in(sums, end))
        return OCELOTL_OK;
    note(sums, stream->event_type, line, (double)end - (double)state->begin);
    OC_TRY(add(sums, &line->ended, 1));
    return add(sums, &line->closed, (int64_t)((uint64_t)end - (uint64_t)state->begin));
}

static ocelotl_status add_change(oc_statistics_sums *sums, const oc_stream *stream,
                                 open_states *open, const oc_record *record)
{
    if (record->time < open->time)
        return damaged("time goes back");
    if (open->count > 0)
        OC_TRY(add(sums, &open->list[open->count - 1].innermost,
                   overlap(sums, open->time, record->time)));
    open->time = record->time;
    if (!record->ends) {
        open_state state = {.begin = record->time, .value = record->value};
        OC_TRY(look(&state.passes, sums, stream->event_type, record));
        return push(open, &state);
    }
    if (record->depth >= open->count)
        return damaged("something ends that has not begun");
    open_state *place = &open->list[open->count - 1 - record->depth];
    const open_state ended = *place;
    for (; place + 1 < open->list + open->count; place++)
        *place = place[1];
    open->count--;
    return end_state(sums, stream, &ended, record->time);
}

/* What is open where a chunk begins is known, but not what it carries. */
static ocelotl_status begin_states(size_t *chunk, oc_statistics_sums *sums, const oc_stream *stream,
                                   open_states *open)
{
    const oc_fold *fold = &sums->reader.fold;
    const size_t before = oc_reader_chunks_before(&sums->reader, sums->from);
    open->time = INT64_MIN;
    *chunk = 0;
    if (before <= 1 || oc_conditions_concern(&sums->filter->conditions, stream->event_type))
        return OCELOTL_OK;
    *chunk = before - 1;
    OC_TRY(oc_reader_read(&sums->reader, *chunk, false));
    for (size_t i = 0; i < fold->open_count; i++)
        OC_TRY(push(open, &(open_state){.begin = oc_fold_open(fold, i)->begin,
                                        .value = fold->totals[oc_fold_open(fold, i)->total].value,
                                        .passes = true}));
    open->time = fold->time;
    return OCELOTL_OK;
}

/* How long a state lasts is known where it ends, so what is open at the window's end is followed.
 */
static ocelotl_status add_states(oc_statistics_sums *sums, const oc_stream *stream,
                                 open_states *open)
{
    size_t chunk;
    OC_TRY(begin_states(&chunk, sums, stream, open));
    for (; chunk < sums->reader.chunk_count; chunk++) {
        if (sums->reader.chunks[chunk].begin > sums->to && !is_waiting(sums, open))
            return OCELOTL_OK;
        OC_TRY(oc_reader_read(&sums->reader, chunk, true));
        for (size_t i = 0; i < sums->reader.records.count; i++)
            OC_TRY(add_change(sums, stream, open, &sums->reader.records.records[i]));
    }
    return open->count > 0 ? damaged("something never ends") : OCELOTL_OK;
}

/* --- Links */

static ocelotl_status add_carried(oc_statistics_sums *sums, const oc_link_scan *scan)
{
    const oc_records *records = &scan->reader.records;
    const oc_record *end = scan->found.ends;
    for (size_t i = 0; scan->begins != NULL && i < scan->begins->count; i++)
        OC_TRY(oc_statistics_add_attribute(sums, scan->event_type, &scan->begins->values[i]));
    for (uint32_t i = 0; i < end->attribute_count; i++) {
        const oc_record_attribute *carried = &records->attributes[end->attribute_first + i];
        const ocelotl_attribute_value value = {
            carried->attribute, carried->length > 0 ? records->text.bytes + carried->text : "",
            carried->length};
        OC_TRY(oc_statistics_add_attribute(sums, scan->event_type, &value));
    }
    return OCELOTL_OK;
}

/* Links count where they begin, and have ended where they end. */
static ocelotl_status add_link(oc_statistics_sums *sums, const oc_stream *stream,
                               const oc_link_scan *scan)
{
    const oc_scanned_link *link = &scan->found;
    const int64_t time = link->end > link->begin ? link->end : link->begin;
    const int64_t duration = (int64_t)((uint64_t)link->end - (uint64_t)link->begin);
    oc_statistic_sums *line;
    if (!link->passes || !oc_filter_shows(sums->filter, stream->event_type, link->value))
        return OCELOTL_OK;
    OC_TRY(find_line(&line, sums, stream->event_type, link->value));
    line->met = true;
    if (oc_is_selected(sums->resources, stream->resource))
        OC_TRY(add(sums, &line->count, is_in(sums, link->begin)));
    if (link->target == OCELOTL_NONE || !oc_is_selected(sums->resources, link->target) ||
        !is_in(sums, time))
        return OCELOTL_OK;
    note(sums, stream->event_type, line, (double)duration);
    OC_TRY(add(sums, &line->ended, 1));
    OC_TRY(add(sums, &line->inclusive, duration > 0 ? duration : 0));
    OC_TRY(add(sums, &line->closed, duration > 0 ? duration : 0));
    return add_carried(sums, scan);
}

static ocelotl_status add_links(oc_statistics_sums *sums, const oc_stream *stream,
                                oc_link_scan *scan, uint32_t index)
{
    const oc_scanned_link *link;
    OC_TRY(oc_link_scan_begin(scan, index));
    OC_TRY(oc_link_scan_next(&link, scan));
    while (link != NULL) {
        OC_TRY(add_link(sums, stream, scan));
        OC_TRY(oc_link_scan_next(&link, scan));
    }
    return OCELOTL_OK;
}

static ocelotl_status scan_links(oc_statistics_sums *sums, const oc_stream *stream, uint32_t index)
{
    oc_link_scan scan = {
        .reader = {.trace = sums->trace}, .conditions = &sums->filter->conditions, .to = sums->to};
    const ocelotl_status status = add_links(sums, stream, &scan, index);
    oc_link_scan_free(&scan);
    return status;
}

/* --- All */

static ocelotl_status add_events(oc_statistics_sums *sums, uint32_t index)
{
    const oc_stream *stream = &sums->trace->streams[index];
    open_states open = {0};
    if (sums->from > sums->to || stream->count == 0 || stream->begin > sums->to)
        return OCELOTL_OK;
    if (stream->role == OC_ROLE_LINKS_OUT)
        return scan_links(sums, stream, index);
    OC_TRY(oc_reader_select(&sums->reader, index));
    if (stream->role == OC_ROLE_VARIABLE)
        return add_steps(sums, stream);
    if (stream->role != OC_ROLE_STATES)
        return add_instants(sums, stream);
    const ocelotl_status status = add_states(sums, stream, &open);
    free(open.list);
    return status;
}

ocelotl_status oc_statistics_add_events(oc_statistics_sums *sums, uint32_t stream)
{
    return oc_fail_in_trace(sums->trace, add_events(sums, stream));
}

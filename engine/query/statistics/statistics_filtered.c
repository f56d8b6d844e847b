/* What a stream adds to the statistics of events that pass a filter which its running totals do not
 * know: event by event. */
#include "query/statistics/statistics.h"

#include <math.h>

/* A state that is open. Those that are hidden by name are no part of the nesting; those that are
 * for how long they last, or what they carry, hold their time. */
typedef struct open_state {
    oc_open_event event;
    int64_t innermost;
    size_t hidden; /* by name, from this one outwards to the next that is not */
} open_state;

static ocelotl_status add(const oc_statistics_sums *sums, int64_t *sum, int64_t term)
{
    return oc_add_times(sum, *sum, term)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_LIMIT,
                         "%s: durations in this window add up to more than 2^63 ticks",
                         sums->trace->path);
}

static oc_statistic_sums *find_line(oc_statistics_sums *sums, uint32_t event_type, uint32_t value)
{
    return &sums->lines[value == OCELOTL_NONE ? oc_statistics_none(sums->trace, event_type)
                                              : value];
}

/* An extreme of the type, and of the line. */
static ocelotl_status note(oc_statistics_sums *sums, uint32_t event_type, oc_statistic_sums *line,
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
    return sums->trace->event_types[event_type].category == OCELOTL_VARIABLE
               ? OCELOTL_OK
               : oc_statistics_collect(sums, line, number);
}

/* Goes to a stream; what begins in the window is wanted. */
static ocelotl_status begin(oc_statistics_sums *sums, uint32_t index, bool carries, bool within)
{
    oc_walk *walk = &sums->walk;
    walk->conditions = &sums->filter->conditions;
    walk->to = sums->window.last;
    walk->within = within;
    walk->carries = carries;
    walk->item_size = sizeof(open_state);
    return oc_walk_begin(walk, index, sums->window.from);
}

static ocelotl_status add_carried(oc_statistics_sums *sums, const oc_record *record)
{
    const oc_records *records = &sums->walk.reader.records;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const ocelotl_attribute_value value = oc_record_attribute_at(records, record, i);
        OC_TRY(oc_statistics_add_attribute(sums, sums->walk.stream->event_type, &value));
    }
    return OCELOTL_OK;
}

/* --- Instants, and what comes from nowhere */

static ocelotl_status add_instant(oc_statistics_sums *sums, const oc_stream *stream,
                                  const oc_record *record)
{
    if (!oc_window_has(&sums->window, record->time) ||
        !oc_filter_shows(sums->filter, stream->event_type, record->value))
        return OCELOTL_OK;
    oc_statistic_sums *line = find_line(sums, stream->event_type, record->value);
    line->met = true;
    if (stream->role == OC_ROLE_EVENTS)
        return add(sums, &line->count, 1);
    OC_TRY(add_carried(sums, record));
    return add(sums, &line->ended, 1);
}

/* Adds instants; of links those without a begin that are noted in the window. */
static ocelotl_status add_instants(oc_statistics_sums *sums, const oc_stream *stream,
                                   uint32_t index)
{
    const oc_record *record;
    OC_TRY(begin(sums, index, false, true));
    OC_TRY(oc_walk_next_instant(&record, &sums->walk));
    while (record != NULL) {
        if (stream->role == OC_ROLE_EVENTS || record->partner == OCELOTL_NONE)
            OC_TRY(add_instant(sums, stream, record));
        OC_TRY(oc_walk_next_instant(&record, &sums->walk));
    }
    return OCELOTL_OK;
}

/* --- Steps of a variable */

static ocelotl_status add_step(oc_statistics_sums *sums, const oc_stream *stream,
                               const oc_step *step)
{
    oc_statistic_sums *line = find_line(sums, stream->event_type, OCELOTL_NONE);
    oc_statistic_sums *whole = &sums->lines[oc_statistics_whole(sums->trace, stream->event_type)];
    const int64_t ticks = oc_window_overlap(&sums->window, step->begin, step->end);
    if (!step->passes || ticks == 0)
        return OCELOTL_OK;
    OC_TRY(note(sums, stream->event_type, line, step->number));
    line->integral += step->number * (double)ticks;
    return add(sums, &whole->inclusive, ticks);
}

/* Changes count, those too that are replaced at once. */
static ocelotl_status add_change(oc_statistics_sums *sums, const oc_stream *stream)
{
    const oc_step *held = &sums->walk.held;
    oc_statistic_sums *line = find_line(sums, stream->event_type, OCELOTL_NONE);
    return held->passes && oc_window_has(&sums->window, held->begin) ? add(sums, &line->count, 1)
                                                                     : OCELOTL_OK;
}

static ocelotl_status add_steps(oc_statistics_sums *sums, const oc_stream *stream, uint32_t index)
{
    const int64_t last = sums->trace->resources[stream->resource].end;
    const oc_record *record;
    oc_walk *walk = &sums->walk;
    find_line(sums, stream->event_type, OCELOTL_NONE)->met = true;
    OC_TRY(begin(sums, index, false, true));
    do {
        OC_TRY(oc_walk_peek(&record, walk));
        const int64_t end = record != NULL            ? record->time
                            : last > walk->held.begin ? last
                                                      : walk->held.begin;
        if (walk->holds && (record == NULL || end > walk->held.begin)) {
            walk->held.end = end;
            OC_TRY(add_step(sums, stream, &walk->held));
        }
        if (record != NULL) {
            OC_TRY(oc_walk_take(walk, record));
            OC_TRY(add_change(sums, stream));
        }
    } while (record != NULL);
    return OCELOTL_OK;
}

/* --- States */

static ocelotl_status end_state(oc_statistics_sums *sums, const oc_stream *stream)
{
    const oc_interval *state = &sums->walk.interval;
    const open_state *ended = sums->walk.ended;
    const bool shown = state->passes &&
                       oc_filter_shows(sums->filter, stream->event_type, state->value) &&
                       oc_filter_lasts(sums->filter, state->begin, state->end);
    if (!shown || state->begin > sums->window.last || state->end < sums->window.from)
        return OCELOTL_OK;
    oc_statistic_sums *line = find_line(sums, stream->event_type, state->value);
    line->met = true;
    OC_TRY(add(sums, &line->count, oc_window_has(&sums->window, state->begin)));
    OC_TRY(add(sums, &line->innermost, ended->innermost));
    OC_TRY(add(sums, &line->inclusive, oc_window_overlap(&sums->window, state->begin, state->end)));
    if (!oc_window_has(&sums->window, state->end))
        return OCELOTL_OK;
    OC_TRY(note(sums, stream->event_type, line, (double)state->end - (double)state->begin));
    OC_TRY(add(sums, &line->ended, 1));
    return add(sums, &line->closed, (int64_t)((uint64_t)state->end - (uint64_t)state->begin));
}

/* Counts what is hidden from a state on, up to the next that is not. */
static void count_hidden(oc_statistics_sums *sums, uint32_t event_type, size_t index)
{
    for (; index < sums->walk.open.count; index++) {
        open_state *state = oc_walk_open(&sums->walk, index);
        const size_t before =
            index > 0 ? ((open_state *)oc_walk_open(&sums->walk, index - 1))->hidden : 0;
        state->hidden =
            oc_filter_shows(sums->filter, event_type, state->event.value) ? 0 : before + 1;
        if (state->hidden == 0)
            return;
    }
}

/* The innermost state that is not hidden, NULL: none. */
static open_state *innermost_of(const oc_walk *walk)
{
    const size_t open = walk->open.count;
    const size_t hidden = open > 0 ? ((open_state *)oc_walk_open(walk, open - 1))->hidden : 0;
    return open > hidden ? oc_walk_open(walk, open - 1 - hidden) : NULL;
}

/* How long a state lasts is known where it ends, so what is open at the window's end is followed.
 */
static ocelotl_status add_states(oc_statistics_sums *sums, const oc_stream *stream, uint32_t index)
{
    oc_walk *walk = &sums->walk;
    const oc_record *record;
    OC_TRY(begin(sums, index, false, false));
    for (size_t i = 0; i < walk->open.count; i++)
        count_hidden(sums, stream->event_type, i);
    int64_t time = sums->window.from;
    OC_TRY(oc_walk_peek(&record, walk));
    while (record != NULL) {
        open_state *innermost = innermost_of(walk);
        if (innermost != NULL)
            OC_TRY(add(sums, &innermost->innermost,
                       oc_window_overlap(&sums->window, time, record->time)));
        time = record->time;
        OC_TRY(oc_walk_take(walk, record));
        count_hidden(sums, stream->event_type,
                     record->ends ? walk->interval.around : walk->open.count - 1);
        if (record->ends)
            OC_TRY(end_state(sums, stream));
        OC_TRY(oc_walk_peek(&record, walk));
    }
    return OCELOTL_OK;
}

/* --- Links */

/* Links count where they begin, and have ended where they end. */
static ocelotl_status add_link(oc_statistics_sums *sums, const oc_stream *stream,
                               const oc_interval *link)
{
    const int64_t time = link->end > link->begin ? link->end : link->begin;
    const int64_t duration = (int64_t)((uint64_t)link->end - (uint64_t)link->begin);
    if (!link->passes || !oc_filter_shows(sums->filter, stream->event_type, link->value))
        return OCELOTL_OK;
    oc_statistics_choose(sums, stream->resource);
    oc_statistic_sums *line = find_line(sums, stream->event_type, link->value);
    line->met = true;
    if (oc_is_selected(sums->resources, stream->resource))
        OC_TRY(add(sums, &line->count, oc_window_has(&sums->window, link->begin)));
    if (link->target == OCELOTL_NONE || !oc_is_selected(sums->resources, link->target) ||
        !oc_window_has(&sums->window, time))
        return OCELOTL_OK;
    oc_statistics_choose(sums, link->target);
    line = find_line(sums, stream->event_type, link->value);
    line->met = true;
    OC_TRY(add(sums, &line->ended, 1));
    if (duration >= 0) {
        OC_TRY(note(sums, stream->event_type, line, (double)duration));
        OC_TRY(add(sums, &line->closed, duration));
        line->lasted++;
    }
    for (size_t i = 0; link->begins != NULL && i < link->begins->count; i++)
        OC_TRY(oc_statistics_add_attribute(sums, stream->event_type, &link->begins->values[i]));
    return add_carried(sums, link->ends);
}

static ocelotl_status add_links(oc_statistics_sums *sums, const oc_stream *stream, uint32_t index)
{
    const oc_interval *link;
    OC_TRY(begin(sums, index, true, false));
    OC_TRY(oc_walk_next_interval(&link, &sums->walk));
    while (link != NULL) {
        OC_TRY(add_link(sums, stream, link));
        OC_TRY(oc_walk_next_interval(&link, &sums->walk));
    }
    return OCELOTL_OK;
}

/* --- All */

static ocelotl_status add_events(oc_statistics_sums *sums, uint32_t index)
{
    const oc_stream *stream = &sums->trace->streams[index];
    if (sums->window.from > sums->window.last || stream->count == 0 ||
        stream->begin > sums->window.last)
        return OCELOTL_OK;
    if (stream->role == OC_ROLE_LINKS_OUT)
        return add_links(sums, stream, index);
    if (stream->role == OC_ROLE_VARIABLE)
        return add_steps(sums, stream, index);
    return stream->role == OC_ROLE_STATES ? add_states(sums, stream, index)
                                          : add_instants(sums, stream, index);
}

ocelotl_status oc_statistics_add_events(oc_statistics_sums *sums, uint32_t stream)
{
    return oc_fail_in_trace(sums->trace, add_events(sums, stream));
}

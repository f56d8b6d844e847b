/* From the records of a stream to its events. */
#include "query/events/events.h"

#include "base/text.h"
#include "query/events/attributes.h"
#include "store/trace/failure.h"

#include <stdlib.h>

static ocelotl_status damaged(const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: %s", what);
}

static bool is_interval(oc_role role)
{
    return role == OC_ROLE_STATES || role == OC_ROLE_LINKS_OUT;
}

/* --- Chunk by chunk */

/* Whether what events of the stream carry decides which are given. */
static bool concern(const ocelotl_events *events)
{
    return oc_conditions_concern(&events->selection.filter.conditions,
                                 events->trace->streams[events->stream].event_type);
}

static ocelotl_status begin_stream(ocelotl_events *events)
{
    const oc_stream *stream = &events->trace->streams[events->stream];
    events->role = stream->role;
    events->described =
        events->selection.attributes && events->catalogue->attributes[stream->event_type].count > 0;
    events->carried = events->described || concern(events);
    events->holding = false;
    OC_TRY(oc_reader_select(&events->reader, events->stream));
    const size_t before = oc_reader_chunks_before(&events->reader, events->from);
    events->chunk = before > 0 ? before - 1 : 0;
    events->next = 0;
    oc_records_clear(&events->reader.records);
    if (is_interval(events->role) && events->chunk < events->reader.chunk_count)
        OC_TRY(oc_reader_read(&events->reader, events->chunk, false));
    OC_TRY(oc_open_list_take(&events->open, 0, &events->reader.fold));
    if (events->carried)
        OC_TRY(oc_events_find_beginnings(events, events->chunk));
    oc_records_clear(&events->reader.records);
    return OCELOTL_OK;
}

ocelotl_status oc_events_begin_stream(ocelotl_events *events)
{
    return oc_fail_in_trace(events->trace, begin_stream(events));
}

/* Whether all that was open at the end of the window still is where a chunk begins: they are the
 * first in its list, and none that has ended comes back. */
static ocelotl_status is_open_at(bool *open, ocelotl_events *events, size_t chunk, size_t wanted)
{
    size_t count = 0;
    OC_TRY(oc_reader_read(&events->reader, chunk, false));
    while (count < events->reader.fold.open_count &&
           oc_fold_open(&events->reader.fold, count)->begin <= events->to)
        count++;
    *open = count == wanted;
    return OCELOTL_OK;
}

/* Beyond the window only ends matter, and they may be far: goes to the last chunk in front of the
 * first of them, in steps that double and then halve. */
static ocelotl_status skip_chunks(ocelotl_events *events, size_t wanted)
{
    size_t low = events->chunk;
    size_t step = 1;
    bool open = true;
    while (open && events->reader.chunk_count - low > step) {
        OC_TRY(is_open_at(&open, events, low + step, wanted));
        low = open ? low + step : low;
        step = open ? 2 * step : step;
    }
    for (size_t high = open ? events->reader.chunk_count : low + step; high - low > 1;) {
        const size_t middle = low + (high - low) / 2;
        OC_TRY(is_open_at(&open, events, middle, wanted));
        low = open ? middle : low;
        high = open ? high : middle;
    }
    if (low > events->chunk) {
        OC_TRY(oc_reader_read(&events->reader, low, false));
        OC_TRY(oc_open_list_take(&events->open, wanted, &events->reader.fold));
    }
    events->chunk = low;
    return OCELOTL_OK;
}

ocelotl_status oc_events_peek(const oc_record **record, ocelotl_events *events)
{
    *record = NULL;
    if (events->next >= events->reader.records.count) {
        if (events->chunk >= events->reader.chunk_count)
            return OCELOTL_OK;
        if (is_interval(events->role) && events->reader.chunks[events->chunk].begin > events->to) {
            const size_t wanted = oc_open_list_until(&events->open, events->to);
            if (wanted == 0)
                return OCELOTL_OK;
            OC_TRY(skip_chunks(events, wanted));
        }
        OC_TRY(oc_reader_read(&events->reader, events->chunk, true));
        events->chunk++;
        events->next = 0;
    }
    *record = &events->reader.records.records[events->next];
    return OCELOTL_OK;
}

/* --- Events of each role */

/* Goes on behind the record that was peeked at; gives its place in the file: the chunk, and which
 * it is in it. Only of damaged chunks can there be more than 2^24. */
static int64_t take_record(ocelotl_events *events)
{
    const uint64_t chunk = (uint64_t)events->reader.chunks[events->chunk - 1].row;
    return (int64_t)(chunk << 24 | (events->next++ & 0xFFFFFF));
}

/* What is said of every event of a stream. */
static ocelotl_status begin_event(ocelotl_event *event, ocelotl_events *events, uint32_t value,
                                  int64_t begin, int64_t end)
{
    const oc_stream *stream = &events->trace->streams[events->stream];
    if (value != OCELOTL_NONE && value >= events->trace->value_count)
        return damaged("a value that there is not");
    *event = (ocelotl_event){
        .category = events->trace->event_types[stream->event_type].category,
        .event_type = stream->event_type,
        .resource = stream->resource,
        .value = value,
        .begin = begin,
        .end = end,
        .source = OCELOTL_NONE,
        .target = OCELOTL_NONE,
    };
    return OCELOTL_OK;
}

static bool touches(const ocelotl_events *events, int64_t begin, int64_t end)
{
    return begin <= events->to && (end < begin ? begin : end) >= events->selection.from;
}

/* Whether an event passes that carries so much. Gives it then, with what it carries (either may be
 * NULL). */
static ocelotl_status finish_event(bool *found, ocelotl_event *event, ocelotl_events *events,
                                   const oc_carried *carried, const oc_record *record)
{
    const oc_filter *filter = &events->selection.filter;
    *found =
        oc_filter_shows(filter, event->event_type, event->value) &&
        (event->category != OCELOTL_STATE || oc_filter_lasts(filter, event->begin, event->end));
    if (*found && concern(events)) {
        oc_verdict verdict = {0};
        OC_TRY(
            oc_conditions_look_carried(&verdict, &filter->conditions, event->event_type, carried));
        if (record != NULL)
            OC_TRY(oc_conditions_look(&verdict, &filter->conditions, event->event_type,
                                      &events->reader.records, record));
        *found = oc_verdict_passes(&verdict, &filter->conditions, event->event_type);
    }
    return *found && events->described ? oc_events_describe(event, events, carried, record)
                                       : OCELOTL_OK;
}

static ocelotl_status check_partner(const ocelotl_events *events, uint32_t partner)
{
    return partner == OCELOTL_NONE || partner < events->trace->resource_count
               ? OCELOTL_OK
               : damaged("a link to a resource that there is not");
}

static ocelotl_status give_interval(bool *found, ocelotl_event *event, ocelotl_events *events,
                                    const oc_open_event *ended, size_t place,
                                    const oc_record *record)
{
    const bool link = events->role == OC_ROLE_LINKS_OUT;
    int64_t end = record->time;
    OC_TRY(check_partner(events, record->partner));
    if (link && !oc_add_times(&end, record->time, record->duration))
        return damaged("a time out of range");
    if (link && record->partner == OCELOTL_NONE)
        end = ended->begin;
    *found = touches(events, ended->begin, end);
    if (!*found)
        return OCELOTL_OK;
    OC_TRY(begin_event(event, events, ended->value, ended->begin, end));
    event->depth = link ? 0 : (uint32_t)place;
    if (link) {
        event->source = event->resource;
        event->target = record->partner;
    }
    return finish_event(found, event, events, ended->carried, record);
}

static ocelotl_status next_interval(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    const oc_record *record;
    OC_TRY(oc_events_peek(&record, events));
    for (; record != NULL && !*found;) {
        oc_open_event ended;
        size_t place;
        events->row = take_record(events);
        if (!record->ends) {
            OC_TRY(oc_events_pass(events, record, events->carried && record->time <= events->to));
        } else {
            OC_TRY(oc_open_list_end(&ended, &place, &events->open, record));
            free(events->ended);
            events->ended = ended.carried;
            OC_TRY(give_interval(found, event, events, &ended, place, record));
        }
        if (record->time > events->to && oc_open_list_until(&events->open, events->to) == 0 &&
            !*found)
            return OCELOTL_OK;
        if (!*found)
            OC_TRY(oc_events_peek(&record, events));
    }
    if (!*found && oc_open_list_until(&events->open, events->to) > 0)
        return damaged("something never ends");
    return OCELOTL_OK;
}

static ocelotl_status next_instant(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    const oc_record *record;
    for (;;) {
        OC_TRY(oc_events_peek(&record, events));
        if (record == NULL || record->time > events->to)
            return OCELOTL_OK;
        events->row = take_record(events);
        if (!touches(events, record->time, record->time))
            continue;
        OC_TRY(begin_event(event, events, record->value, record->time, record->time));
        OC_TRY(finish_event(found, event, events, NULL, record));
        if (*found)
            return OCELOTL_OK;
    }
}

/* Of the ends of links those whose beginning is not known: they may be noted late, so all that
 * follow are read. */
static ocelotl_status next_orphan(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    const oc_record *record;
    for (;;) {
        int64_t time;
        OC_TRY(oc_events_peek(&record, events));
        if (record == NULL)
            return OCELOTL_OK;
        events->row = take_record(events);
        if (record->partner != OCELOTL_NONE)
            continue;
        if (!oc_add_times(&time, record->time, record->duration))
            return damaged("a time out of range");
        if (!touches(events, time, time))
            continue;
        OC_TRY(begin_event(event, events, record->value, time, time));
        event->target = event->resource;
        OC_TRY(finish_event(found, event, events, NULL, record));
        if (*found)
            return OCELOTL_OK;
    }
}

static ocelotl_status hold(ocelotl_events *events, const oc_record *record)
{
    free(events->holds);
    events->holds = NULL;
    events->held = *record;
    events->holding = true;
    events->held_row = take_record(events);
    return events->carried ? oc_carried_copy(&events->holds, &events->reader.records, record)
                           : OCELOTL_OK;
}

static ocelotl_status give_step(bool *found, ocelotl_event *event, ocelotl_events *events,
                                int64_t end)
{
    *found = touches(events, events->held.time, end);
    if (!*found)
        return OCELOTL_OK;
    OC_TRY(begin_event(event, events, OCELOTL_NONE, events->held.time, end));
    event->number = events->held.number;
    events->row = events->held_row;
    return finish_event(found, event, events, events->holds, NULL);
}

static ocelotl_status next_step(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    const int64_t last =
        events->trace->resources[events->trace->streams[events->stream].resource].end;
    while (!*found) {
        const oc_record *record;
        if (events->holding && events->held.time > events->to)
            return OCELOTL_OK;
        OC_TRY(oc_events_peek(&record, events));
        if (record == NULL && !events->holding)
            return OCELOTL_OK;
        const bool changes =
            events->holding && (record == NULL || record->time > events->held.time);
        if (changes)
            OC_TRY(give_step(found, event, events,
                             record != NULL             ? record->time
                             : last > events->held.time ? last
                                                        : events->held.time));
        events->holding = false;
        if (record != NULL)
            OC_TRY(hold(events, record));
    }
    return OCELOTL_OK;
}

static ocelotl_status next_of_stream(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    switch (events->role) {
    case OC_ROLE_STATES:
    case OC_ROLE_LINKS_OUT:
        return next_interval(found, event, events);
    case OC_ROLE_EVENTS:
        return next_instant(found, event, events);
    case OC_ROLE_LINKS_IN:
        return next_orphan(found, event, events);
    case OC_ROLE_VARIABLE:
        return next_step(found, event, events);
    }
    return oc_fail(OCELOTL_ERROR_INTERNAL, "a stream without a role");
}

ocelotl_status oc_events_next_of_stream(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    ocelotl_event next = {0};
    *found = false;
    const ocelotl_status status =
        oc_fail_in_trace(events->trace, next_of_stream(found, &next, events));
    if (status == OCELOTL_OK && *found)
        *event = next;
    return status;
}

/* One stream of those that were asked for: from its records to its events. */
#include "query/events/events.h"

#include "base/json.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- What events carry, as JSON */

static ocelotl_status add(ocelotl_events *events, const ocelotl_event *event,
                          const ocelotl_attribute_value *value, bool *has_key)
{
    const char *name =
        oc_catalogue_attribute(events->catalogue, event->event_type, value->attribute);
    if (name == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "damaged chunk of events: an attribute that there is not");
    if (event->category == OCELOTL_LINK && !*has_key && strcmp(name, "Key") == 0) {
        *has_key = true;
        oc_text_add_utf8(&events->key, value->text, value->length);
        return OCELOTL_OK;
    }
    oc_text_add(&events->attributes, events->attributes.length == 0 ? "{" : ",");
    oc_json_append_string(&events->attributes, name, strlen(name));
    oc_text_add(&events->attributes, ":");
    if (oc_json_is_number(value->text, value->length))
        oc_text_append(&events->attributes, value->text, value->length);
    else
        oc_json_append_string(&events->attributes, value->text, value->length);
    return OCELOTL_OK;
}

static ocelotl_status add_record(ocelotl_events *events, const ocelotl_event *event,
                                 const oc_record *record, bool *has_key)
{
    const oc_records *records = &events->walk.reader.records;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *attribute = &records->attributes[record->attribute_first + i];
        const ocelotl_attribute_value value = {
            attribute->attribute,
            attribute->length > 0 ? records->text.bytes + attribute->text : "", attribute->length};
        OC_TRY(add(events, event, &value, has_key));
    }
    return OCELOTL_OK;
}

static ocelotl_status describe(ocelotl_event *event, ocelotl_events *events,
                               const oc_carried *carried, const oc_record *record)
{
    bool has_key = false;
    oc_text_clear(&events->key);
    oc_text_clear(&events->attributes);
    for (size_t i = 0; carried != NULL && i < carried->count; i++)
        OC_TRY(add(events, event, &carried->values[i], &has_key));
    if (record != NULL)
        OC_TRY(add_record(events, event, record, &has_key));
    if (events->attributes.length > 0)
        oc_text_add(&events->attributes, "}");
    if (events->key.failed || events->attributes.failed)
        return oc_fail_memory();
    event->key = has_key ? events->key.bytes : NULL;
    event->attributes = events->attributes.length > 0 ? events->attributes.bytes : NULL;
    return OCELOTL_OK;
}

/* --- Streams */

void oc_events_free_reading(ocelotl_events *one)
{
    if (one == NULL)
        return;
    oc_walk_free(&one->walk);
    oc_text_free(&one->key);
    oc_text_free(&one->attributes);
    free(one);
}

bool oc_events_selects(ocelotl_events *events, const oc_stream *stream)
{
    const oc_selection *selection = &events->selection;
    const int64_t lives_until = events->trace->resources[stream->resource].end;
    const bool link = stream->role == OC_ROLE_LINKS_OUT || stream->role == OC_ROLE_LINKS_IN;
    events->from = selection->from;
    events->walk.to = link ? selection->links_to : selection->to;
    if (stream->count == 0 ||
        (selection->resources != NULL && !selection->resources[stream->resource]) ||
        (selection->event_types != NULL && !selection->event_types[stream->event_type]))
        return false;
    /* A link that outlives its source is noted at the source's end. */
    if (stream->role == OC_ROLE_LINKS_OUT && lives_until < events->from)
        events->from = lives_until;
    if (stream->role == OC_ROLE_LINKS_IN)
        return events->trace->event_types[stream->event_type].unmatched > 0 &&
               stream->end >= events->from;
    const int64_t end =
        stream->role == OC_ROLE_VARIABLE && lives_until > stream->end ? lives_until : stream->end;
    return stream->begin <= events->walk.to && end >= events->from;
}

static bool is_of_intervals(const oc_walk *walk)
{
    return walk->stream->role == OC_ROLE_STATES || walk->stream->role == OC_ROLE_LINKS_OUT;
}

ocelotl_status oc_events_begin_stream(ocelotl_events *events)
{
    const uint32_t event_type = events->trace->streams[events->stream].event_type;
    events->described =
        events->selection.attributes && events->catalogue->attributes[event_type].count > 0;
    events->walk.carries = events->described;
    events->walk.conditions = &events->selection.filter.conditions;
    /* Ends of links without a beginning may be noted late, so all that follow are read. */
    if (events->trace->streams[events->stream].role == OC_ROLE_LINKS_IN)
        events->walk.to = INT64_MAX;
    return oc_walk_begin(&events->walk, events->stream, events->from);
}

ocelotl_status oc_events_begin_reading(ocelotl_events **one, const ocelotl_events *all,
                                       uint32_t stream)
{
    ocelotl_events *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = all->trace;
    made->walk.reader.connection = all->walk.reader.connection;
    made->catalogue = all->catalogue;
    made->selection = all->selection;
    made->stream = stream;
    oc_events_selects(made, &all->trace->streams[stream]);
    const ocelotl_status status = oc_events_begin_stream(made);
    if (status != OCELOTL_OK) {
        oc_events_free_reading(made);
        return status;
    }
    *one = made;
    return OCELOTL_OK;
}
/* --- Events of each role */

/* What is said of every event of a stream. */
static void begin_event(ocelotl_event *event, const ocelotl_events *events, uint32_t value,
                        int64_t begin, int64_t end)
{
    const oc_stream *stream = events->walk.stream;
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
}

static bool touches(const ocelotl_events *events, int64_t begin, int64_t end)
{
    const int64_t to = events->walk.stream->role == OC_ROLE_LINKS_IN ? events->selection.links_to
                                                                     : events->walk.to;
    return begin <= to && (end < begin ? begin : end) >= events->selection.from;
}

/* The record that was taken last. */
static int64_t row_of_last(const oc_walk *walk)
{
    return oc_walk_row(walk, walk->chunk - 1, walk->next - 1);
}

/* Gives an event that meets the conditions, if the filter shows it, with what it carries (either
 * may be NULL). */
static ocelotl_status finish_event(bool *found, ocelotl_event *event, ocelotl_events *events,
                                   const oc_carried *carried, const oc_record *record)
{
    const oc_filter *filter = &events->selection.filter;
    *found =
        oc_filter_shows(filter, event->event_type, event->value) &&
        (event->category != OCELOTL_STATE || oc_filter_lasts(filter, event->begin, event->end));
    return *found && events->described ? describe(event, events, carried, record) : OCELOTL_OK;
}

/* Of a link without a known end, its beginning is all that is known. */
static ocelotl_status give_interval(bool *found, ocelotl_event *event, ocelotl_events *events,
                                    const oc_interval *interval)
{
    const bool link = events->walk.stream->role == OC_ROLE_LINKS_OUT;
    const bool endless = link && interval->target == OCELOTL_NONE;
    const int64_t end = endless ? interval->begin : interval->end;
    *found = interval->passes && touches(events, interval->begin, end);
    if (!*found)
        return OCELOTL_OK;
    begin_event(event, events, interval->value, interval->begin, end);
    event->depth = link ? 0 : (uint32_t)interval->around;
    event->source = link ? event->resource : OCELOTL_NONE;
    event->target = interval->target;
    events->row = row_of_last(&events->walk);
    return finish_event(found, event, events, interval->begins, interval->ends);
}

static ocelotl_status next_interval(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    while (!*found) {
        const oc_interval *interval;
        OC_TRY(oc_walk_next_interval(&interval, &events->walk));
        if (interval == NULL)
            return OCELOTL_OK;
        OC_TRY(give_interval(found, event, events, interval));
    }
    return OCELOTL_OK;
}

/* Instants, and of the ends of links those whose beginning is not known. */
static ocelotl_status next_instant(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    const bool links = events->walk.stream->role == OC_ROLE_LINKS_IN;
    while (!*found) {
        const oc_record *record;
        OC_TRY(oc_walk_next_instant(&record, &events->walk));
        if (record == NULL)
            return OCELOTL_OK;
        const int64_t time = links ? record->time + record->duration : record->time;
        if ((links && record->partner != OCELOTL_NONE) || !touches(events, time, time))
            continue;
        begin_event(event, events, record->value, time, time);
        event->target = links ? event->resource : OCELOTL_NONE;
        events->row = row_of_last(&events->walk);
        OC_TRY(finish_event(found, event, events, NULL, record));
    }
    return OCELOTL_OK;
}

static ocelotl_status next_step(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    while (!*found) {
        const oc_step *step;
        OC_TRY(oc_walk_next_step(&step, &events->walk));
        if (step == NULL)
            return OCELOTL_OK;
        if (!step->passes || !touches(events, step->begin, step->end))
            continue;
        begin_event(event, events, OCELOTL_NONE, step->begin, step->end);
        event->number = step->number;
        events->row = oc_walk_row(&events->walk, step->chunk, step->record);
        OC_TRY(finish_event(found, event, events, step->carried, NULL));
    }
    return OCELOTL_OK;
}

static ocelotl_status next_of_stream(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    if (is_of_intervals(&events->walk))
        return next_interval(found, event, events);
    return events->walk.stream->role == OC_ROLE_VARIABLE ? next_step(found, event, events)
                                                         : next_instant(found, event, events);
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

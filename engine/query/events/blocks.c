/* Reads events in blocks, for callers that take many: the states of a plain stream in one loop, all
 * others one by one. */
#include "query/events/events.h"

/* Whether all that is to be known of the states being read stands in their records. */
static bool is_plain(const ocelotl_events *events)
{
    const oc_stream *stream = events->walk.stream;
    const oc_filter *filter = &events->selection.filter;
    return events->reading && !events->in_time && !events->described &&
           stream->role == OC_ROLE_STATES && !oc_filter_divides(filter, stream->event_type) &&
           !oc_filter_reads(filter, events->trace, stream->event_type);
}

static ocelotl_status begin_state(oc_walk *walk, const oc_record *record)
{
    oc_open_event *open;
    OC_TRY(oc_open_list_begin(&open, &walk->open, sizeof *open));
    *open = (oc_open_event){
        .begin = record->time, .place = walk->taken++, .value = record->value, .found = true};
    return OCELOTL_OK;
}

/* Writes the state that a record ends, and takes it from what is open. */
static ocelotl_status end_state(ocelotl_event *event, oc_walk *walk, const oc_record *record)
{
    const oc_stream *stream = walk->stream;
    size_t index = 0;
    OC_TRY(oc_open_list_find(&index, &walk->open, record->depth));
    const oc_open_event *open = oc_open_list_at(&walk->open, sizeof *open, index);
    *event = (ocelotl_event){
        .category = OCELOTL_STATE,
        .event_type = stream->event_type,
        .resource = stream->resource,
        .value = open->value,
        .begin = open->begin,
        .end = record->time,
        .depth = (uint32_t)index,
        .outlived = record->depth,
        .begin_place = open->place,
        .end_place = ++walk->taken,
        .source = OCELOTL_NONE,
        .target = OCELOTL_NONE,
    };
    return oc_open_list_remove(&walk->open, sizeof *open, index);
}

/* Takes records of the chunk that has been read, up to the end of the window. */
static ocelotl_status take_records(uint32_t *count, ocelotl_event *given, uint32_t most,
                                   ocelotl_events *events)
{
    oc_walk *walk = &events->walk;
    const oc_records *records = &walk->reader.records;
    for (; walk->next < records->count && *count < most; walk->next++) {
        const oc_record *record = &records->records[walk->next];
        if (record->time > walk->to)
            return OCELOTL_OK;
        if (!record->ends) {
            OC_TRY(begin_state(walk, record));
            continue;
        }
        OC_TRY(end_state(&given[*count], walk, record));
        *count += record->time >= events->selection.from;
    }
    return OCELOTL_OK;
}

/* Goes on to the end of the stream or of the window: what is open there needs more care. */
static ocelotl_status take_states(uint32_t *count, ocelotl_event *given, uint32_t most,
                                  ocelotl_events *events)
{
    while (*count < most) {
        const oc_record *record;
        OC_TRY(oc_walk_peek(&record, &events->walk));
        if (record == NULL || record->time > events->walk.to)
            return OCELOTL_OK;
        OC_TRY(take_records(count, given, most, events));
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_next_block(uint32_t *count, ocelotl_event *block, uint32_t most,
                                         ocelotl_events *events)
{
    uint32_t given = 0;
    bool goes_on = true;
    while (given < most && goes_on) {
        if (is_plain(events))
            OC_TRY(oc_fail_in_trace(events->trace, take_states(&given, block, most, events)));
        if (given == most)
            break;
        ocelotl_event *event = &block[given];
        OC_TRY(ocelotl_events_next(&goes_on, event, events));
        if (!goes_on)
            break;
        given++;
        goes_on = event->key == NULL && event->attributes == NULL;
    }
    *count = given;
    return OCELOTL_OK;
}

/* A way through the events of a trace: which streams are read, and from the records of each to
 * its events. */
#include "query/events/events.h"

#include "base/format/json.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/select/resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- What events carry, as JSON */

static ocelotl_status add(ocelotl_events *events, const ocelotl_event *event,
                          const ocelotl_attribute_value *value, bool *has_key)
{
    const char *name =
        oc_catalogue_attribute(events->catalogue, event->event_type, value->attribute);
    if (name == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: an unknown attribute");
    if (event->category == OCELOTL_LINK && !*has_key && strcmp(name, "Key") == 0) {
        *has_key = true;
        oc_text_add_utf8(&events->key, value->text, value->length);
        return OCELOTL_OK;
    }
    oc_json_append_member(&events->attributes, name, value->text, value->length);
    return OCELOTL_OK;
}

static ocelotl_status add_record(ocelotl_events *events, const ocelotl_event *event,
                                 const oc_record *record, bool *has_key)
{
    const oc_records *records = &events->walk.reader.records;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const ocelotl_attribute_value value = oc_record_attribute_at(records, record, i);
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
    event->begin_attributes = carried != NULL ? (uint32_t)carried->count - has_key : 0;
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

static void free_reading(ocelotl_events *one)
{
    if (one == NULL)
        return;
    oc_walk_free(&one->walk);
    oc_text_free(&one->key);
    oc_text_free(&one->attributes);
    free(one);
}

/* Whether a stream can hold events of the selection; sets the window for its records. */
static bool selects(ocelotl_events *events, const oc_stream *stream)
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
    if (selection->arrivals)
        return stream->role == OC_ROLE_LINKS_IN;
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

/* Goes to a stream, at the window's first chunk, with what is open there. */
static ocelotl_status begin_stream(ocelotl_events *events)
{
    const uint32_t event_type = events->trace->streams[events->stream].event_type;
    events->described =
        events->selection.attributes && events->catalogue->attributes[event_type].count > 0;
    events->walk.carries = events->described;
    events->walk.conditions = &events->selection.filter.conditions;
    events->walk.every_change = events->selection.every_change;
    /* Ends of links without a beginning may be noted late, so all that follow are read. */
    if (events->trace->streams[events->stream].role == OC_ROLE_LINKS_IN)
        events->walk.to = INT64_MAX;
    return oc_walk_begin(&events->walk, events->stream, events->from);
}

/* A way through one stream of the selection, which stays that of the others; NULL is freed, too. */
static ocelotl_status begin_reading(ocelotl_events **one, const ocelotl_events *all,
                                    uint32_t stream)
{
    ocelotl_events *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = all->trace;
    made->walk.reader.connection = all->walk.reader.connection;
    made->walk.reader.watch = all->walk.reader.watch;
    made->walk.reader.asks = all->walk.reader.asks;
    made->catalogue = all->catalogue;
    made->selection = all->selection;
    made->stream = stream;
    selects(made, &all->trace->streams[stream]);
    const ocelotl_status status = begin_stream(made);
    if (status != OCELOTL_OK) {
        free_reading(made);
        return status;
    }
    *one = made;
    return OCELOTL_OK;
}

/* --- Events of each role */

/* Fills the members that all events of a stream share. */
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
        .begin_place = events->walk.taken,
        .end_place = events->walk.taken,
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

/* Gives an event that meets the conditions, if the filter shows it, with its attributes (either
 * argument may be NULL). */
static ocelotl_status finish_event(bool *found, ocelotl_event *event, ocelotl_events *events,
                                   const oc_carried *carried, const oc_record *record)
{
    const oc_filter *filter = &events->selection.filter;
    *found =
        oc_filter_shows(filter, event->event_type, event->value) &&
        (event->category != OCELOTL_STATE || oc_filter_lasts(filter, event->begin, event->end));
    return *found && events->described ? describe(event, events, carried, record) : OCELOTL_OK;
}

/* Gives an interval. For a link without a known end only its begin is known. */
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
    event->outlived = link ? 0 : (uint32_t)interval->outlived;
    event->begin_place = interval->place;
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

/* A link that ends before it begins stands at its beginning. */
static void give_arrival(bool *found, ocelotl_event *event, const ocelotl_events *events,
                         const oc_record *record)
{
    const bool backwards = record->duration < 0;
    const int64_t begin = backwards ? record->time : record->time - record->duration;
    const int64_t end = backwards ? record->time + record->duration : record->time;
    *found =
        record->partner != OCELOTL_NONE && touches(events, begin, end) &&
        oc_filter_shows(&events->selection.filter, events->walk.stream->event_type, record->value);
    if (!*found)
        return;
    begin_event(event, events, record->value, begin, end);
    event->source = record->partner;
    event->target = event->resource;
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
        if (links && events->selection.arrivals) {
            give_arrival(found, event, events, record);
            continue;
        }
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

/* The next event of that stream; *found is false after the last. */
static ocelotl_status next_event_of_stream(bool *found, ocelotl_event *event,
                                           ocelotl_events *events)
{
    ocelotl_event next = {0};
    *found = false;
    const ocelotl_status status =
        oc_fail_in_trace(events->trace, next_of_stream(found, &next, events));
    if (status == OCELOTL_OK && *found)
        *event = next;
    return status;
}

/* --- Seconds and ticks */

static int64_t nearest_tick(const ocelotl_trace *trace, double seconds)
{
    const double ticks =
        seconds * (double)trace->info.tick_denominator / (double)trace->info.tick_numerator;
    if (ticks >= 9223372036854774784.0) /* the largest double below 2^63 */
        return ticks >= 9223372036854775808.0 ? INT64_MAX : 9223372036854774784;
    return ticks <= -9223372036854775808.0 ? INT64_MIN : (int64_t)rint(ticks);
}

/* Seconds never fall as ticks rise: bisection from a distance that surely encloses the answer. */
static int64_t first_tick(const ocelotl_trace *trace, double seconds, bool after)
{
    const int64_t near = nearest_tick(trace, seconds);
    const int64_t reach = 16384; /* more than 2^63 / 2^53, a few times over */
    int64_t low = near < INT64_MIN + reach ? INT64_MIN : near - reach;
    int64_t high = near > INT64_MAX - reach ? INT64_MAX : near + reach;
    while (low < high) {
        const int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        const double there = ocelotl_trace_seconds(trace, middle);
        if (after ? there > seconds : there >= seconds)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int64_t ocelotl_trace_first_tick(const ocelotl_trace *trace, double seconds)
{
    return isnan(seconds) ? INT64_MIN : first_tick(trace, seconds, false);
}

int64_t ocelotl_trace_last_tick(const ocelotl_trace *trace, double seconds)
{
    if (isnan(seconds))
        return INT64_MAX;
    const int64_t after = first_tick(trace, seconds, true);
    return after == INT64_MAX || after == INT64_MIN ? after : after - 1;
}

/* --- Selection */

void oc_selection_free(oc_selection *selection)
{
    free(selection->resources);
    free(selection->event_types);
    oc_filter_free(&selection->filter);
    selection->resources = NULL;
    selection->event_types = NULL;
}

static ocelotl_status select_events(ocelotl_events *events, const ocelotl_events_options *options)
{
    ocelotl_selection given = options->selection;
    oc_selection *selection = &events->selection;
    oc_complete_selection(&given);
    OC_TRY(oc_check_window(given.from, given.to));
    events->in_time = options->by_time;
    *selection = (oc_selection){.from = given.from,
                                .to = oc_last_tick(events->trace, given.to),
                                .attributes = !options->without_attributes,
                                .every_change = options->every_change,
                                .arrivals = options->arrivals};
    selection->links_to = selection->to;
    OC_TRY(oc_choose_resources(&selection->resources, events->catalogue, &given));
    OC_TRY(oc_select_event_types(&selection->event_types, events->trace, options->type));
    return oc_filter_make(&selection->filter, &selection->event_types, events->catalogue, &given);
}

/* --- By time: all streams in the order in which their events end, from a heap of streams, each at
 * its next event */

/* A stream that has not come to its end. */
typedef struct timed_stream {
    int64_t time; /* not after the end of its next event */
    uint32_t stream;
    ocelotl_events *events; /* NULL: its first event is not known yet */
    ocelotl_event event;
} timed_stream;

struct oc_events_by_time {
    timed_stream *heap; /* the earliest first */
    size_t count;
    bool given; /* the first one's event has been given */
};

static bool is_before(const timed_stream *a, const timed_stream *b)
{
    return a->time != b->time ? a->time < b->time : a->stream < b->stream;
}

/* Brings what may be too early to its place. */
static void sift(struct oc_events_by_time *by_time, size_t place)
{
    timed_stream *heap = by_time->heap;
    for (;;) {
        size_t least = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2 && child < by_time->count;
             child++)
            if (is_before(&heap[child], &heap[least]))
                least = child;
        if (least == place)
            return;
        const timed_stream moved = heap[place];
        heap[place] = heap[least];
        heap[least] = moved;
        place = least;
    }
}

static void free_by_time(struct oc_events_by_time *by_time)
{
    if (by_time == NULL)
        return;
    for (size_t i = 0; i < by_time->count; i++)
        free_reading(by_time->heap[i].events);
    free(by_time->heap);
    free(by_time);
}

/* The first time of a stream: later ones are opened later. What ends in it may have ended before
 * its first record. */
static int64_t first_time(const oc_stream *stream)
{
    return stream->role == OC_ROLE_LINKS_IN ? INT64_MIN : stream->begin;
}

/* How far events have come, in ticks of the trace. */
static void tell(ocelotl_events *events, int64_t time)
{
    const ocelotl_trace_info *info = &events->trace->info;
    time = time < info->begin ? info->begin : time > info->end ? info->end : time;
    events->watch.done = (uint64_t)time - (uint64_t)info->begin;
}

/* Goes to the next event of the first stream, or removes the stream at its end. */
static ocelotl_status advance(struct oc_events_by_time *by_time, ocelotl_events *events)
{
    timed_stream *first = &by_time->heap[0];
    bool found = false;
    tell(events, first->time);
    if (first->events == NULL)
        OC_TRY(begin_reading(&first->events, events, first->stream));
    OC_TRY(next_event_of_stream(&found, &first->event, first->events));
    if (found && first->event.end > first->time)
        first->time = first->event.end;
    if (!found) {
        free_reading(first->events);
        *first = by_time->heap[--by_time->count];
    }
    sift(by_time, 0);
    return OCELOTL_OK;
}

static ocelotl_status next_by_time(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    if (events->by_time == NULL) {
        OC_TRY(oc_allocate(&events->by_time, 1, sizeof *events->by_time));
        const ocelotl_trace *trace = events->trace;
        OC_TRY(oc_allocate(&events->by_time->heap, trace->stream_count,
                           sizeof *events->by_time->heap));
        for (uint32_t s = 0; s < trace->stream_count; s++)
            if (selects(events, &trace->streams[s]))
                events->by_time->heap[events->by_time->count++] =
                    (timed_stream){.time = first_time(&trace->streams[s]), .stream = s};
        for (size_t i = events->by_time->count / 2; i-- > 0;)
            sift(events->by_time, i);
    }
    struct oc_events_by_time *by_time = events->by_time;
    *found = false;
    if (by_time->given)
        OC_TRY(advance(by_time, events));
    by_time->given = false;
    while (by_time->count > 0 && by_time->heap[0].events == NULL)
        OC_TRY(advance(by_time, events));
    if (by_time->count == 0)
        return OCELOTL_OK;
    *found = by_time->given = true;
    *event = by_time->heap[0].event;
    return OCELOTL_OK;
}

int64_t oc_events_row(const ocelotl_events *events)
{
    return events->in_time ? events->by_time->heap[0].events->row : events->row;
}

/* --- Opening */

static ocelotl_status make(ocelotl_events **events, ocelotl_trace *trace,
                           const oc_catalogue *catalogue)
{
    ocelotl_events *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    made->walk.reader.connection = oc_connection_of(trace);
    made->catalogue = catalogue != NULL ? catalogue : &made->own;
    const ocelotl_status status =
        catalogue != NULL ? OCELOTL_OK : oc_catalogue_read(&made->own, trace);
    if (status == OCELOTL_OK)
        *events = made;
    else
        ocelotl_events_free(made);
    return status;
}

ocelotl_status oc_events_open(ocelotl_events **events, ocelotl_trace *trace,
                              const oc_catalogue *catalogue, oc_selection *selection)
{
    const ocelotl_status status = make(events, trace, catalogue);
    if (status != OCELOTL_OK) {
        oc_selection_free(selection);
        return status;
    }
    (*events)->selection = *selection;
    *selection = (oc_selection){0};
    return OCELOTL_OK;
}

static void watch(ocelotl_events *events, const ocelotl_work *work)
{
    events->watch.work = *work;
    events->walk.reader.watch = &events->watch;
    events->walk.reader.asks = true;
    if (events->in_time)
        events->watch.total =
            (uint64_t)events->trace->info.end - (uint64_t)events->trace->info.begin;
    for (uint32_t s = 0; !events->in_time && s < events->trace->stream_count; s++)
        events->watch.total += events->trace->streams[s].count;
}

ocelotl_status ocelotl_events_open(ocelotl_events **events, ocelotl_trace *trace,
                                   const ocelotl_events_options *options)
{
    ocelotl_events_options known = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *made = NULL;
    OC_TRY(oc_read_options(&known, sizeof known, options));
    OC_TRY(oc_check_work(&known.work));
    OC_TRY(make(&made, trace, NULL));
    const ocelotl_status status = select_events(made, &known);
    watch(made, &known.work);
    if (status == OCELOTL_OK)
        *events = made;
    else
        ocelotl_events_free(made);
    return status;
}

void ocelotl_events_free(ocelotl_events *events)
{
    if (events == NULL)
        return;
    free_by_time(events->by_time);
    oc_selection_free(&events->selection);
    if (events->catalogue == &events->own)
        oc_catalogue_free(&events->own);
    free_reading(events);
}

bool ocelotl_events_cover(const ocelotl_events *events, uint32_t resource)
{
    return resource < events->trace->resource_count &&
           oc_is_selected(events->selection.resources, resource);
}

const char *ocelotl_events_path(const ocelotl_events *events, uint32_t resource)
{
    return oc_path_of(&events->catalogue->paths, resource);
}

/* --- The streams, one after the other */

ocelotl_status ocelotl_events_next(bool *found, ocelotl_event *event, ocelotl_events *events)
{
    if (events->in_time)
        return next_by_time(found, event, events);
    while (events->reading || events->stream < events->trace->stream_count) {
        const oc_stream *stream = &events->trace->streams[events->stream];
        bool here = false;
        ocelotl_status status = OCELOTL_OK;
        if (!events->reading && selects(events, stream)) {
            events->reading = true;
            status = begin_stream(events);
        }
        if (events->reading && status == OCELOTL_OK)
            status = next_event_of_stream(&here, event, events);
        if (here && status == OCELOTL_OK) {
            *found = true;
            return OCELOTL_OK;
        }
        events->reading = false;
        events->watch.done += stream->count;
        events->stream = status == OCELOTL_OK ? events->stream + 1 : events->trace->stream_count;
        OC_TRY(status);
    }
    *found = false;
    return OCELOTL_OK;
}

/* What each stream of links adds to a matrix of messages. */
#include "query/messages/messages.h"

#include "base/machine.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Records that are worth a thread. */
enum { SHARE = 1 << 16 };

/* One thread at its streams. */
typedef struct reading {
    const ocelotl_messages *messages;
    oc_walk walk;
    oc_message_sums *sums; /* by column, of the stream that is read */
    uint32_t *touched;     /* columns that have some */
    uint32_t touched_count;
    uint32_t row;
    uint32_t bytes; /* the attribute */
} reading;

/* What all threads share. */
typedef struct shared {
    const ocelotl_messages *messages;
    oc_message_pile *piles;
    oc_watch watch;
    int threads;
} shared;

bool oc_messages_reads(const ocelotl_messages *messages, const oc_stream *stream)
{
    const ocelotl_event_type *type = &messages->trace->event_types[stream->event_type];
    return oc_is_of_links(stream) && oc_is_selected(messages->event_types, stream->event_type) &&
           type->category == OCELOTL_LINK;
}

static ocelotl_status fail_time(const ocelotl_trace *trace)
{
    return oc_fail(OCELOTL_ERROR_LIMIT,
                   "%s: durations in this window add up to more than 2^63 ticks", trace->path);
}

ocelotl_status oc_message_sums_add(oc_message_sums *sums, const oc_message_sums *more,
                                   const ocelotl_trace *trace)
{
    if (!oc_add_times(&sums->time, sums->time, more->time) ||
        !oc_add_times(&sums->inside, sums->inside, more->inside))
        return fail_time(trace);
    if (more->timed > 0 && (sums->timed == 0 || more->least < sums->least))
        sums->least = more->least;
    sums->count += more->count;
    sums->ended += more->ended;
    sums->violations += more->violations;
    sums->timed += more->timed;
    sums->bytes += more->bytes;
    sums->received += more->received;
    sums->moved += more->moved;
    return OCELOTL_OK;
}

static oc_message_sums *find_sums(reading *r, uint32_t column)
{
    oc_message_sums *sums = &r->sums[column];
    if (sums->row == OCELOTL_NONE) {
        *sums = (oc_message_sums){.row = r->row, .column = column};
        r->touched[r->touched_count++] = column;
    }
    return sums;
}

/* A link whose ends are both known, as far as its end is in the window. */
static void time_link(oc_message_sums *sums, const oc_interval *link, double bytes)
{
    const int64_t duration = (int64_t)((uint64_t)link->end - (uint64_t)link->begin);
    if (link->end < link->begin) {
        sums->violations++;
        return;
    }
    sums->timed = 1;
    sums->time = sums->least = duration;
    sums->moved = bytes;
}

/* Adds a link, unless no end of it is selected. */
static ocelotl_status add_link(reading *r, const oc_interval *link)
{
    const ocelotl_messages *m = r->messages;
    const oc_stream *stream = r->walk.stream;
    const bool known = link->target < m->trace->resource_count;
    const bool chosen = oc_is_selected(m->resources, stream->resource) ||
                        (known && oc_is_selected(m->resources, link->target));
    if (!chosen || !link->passes || !oc_filter_shows(&m->filter, stream->event_type, link->value))
        return OCELOTL_OK;
    const bool begins = oc_window_has(&m->window, link->begin);
    const bool ends =
        known && oc_window_has(&m->window, link->end > link->begin ? link->end : link->begin);
    const double bytes = link->begun + link->ended;
    oc_message_sums one = {.count = begins, .bytes = begins ? bytes : 0, .ended = ends};
    one.received = ends ? bytes : 0;
    if (ends)
        time_link(&one, link, bytes);
    if (known && link->end >= link->begin)
        one.inside = oc_window_overlap(&m->window, link->begin, link->end);
    if (!begins && !ends && one.inside == 0)
        return OCELOTL_OK;
    return oc_message_sums_add(
        find_sums(r, known ? m->columns.group_of[link->target] : oc_messages_unknown(&m->columns)),
        &one, m->trace);
}

static ocelotl_status read_links(reading *r, uint32_t stream)
{
    const oc_interval *link;
    r->row = r->messages->rows.group_of[r->messages->trace->streams[stream].resource];
    r->walk.within = false;
    r->walk.to = r->messages->window.last;
    r->walk.sums = r->bytes != OCELOTL_NONE;
    r->walk.attribute = r->bytes;
    OC_TRY(oc_walk_begin(&r->walk, stream, r->messages->window.from));
    OC_TRY(oc_walk_next_interval(&link, &r->walk));
    while (link != NULL) {
        OC_TRY(add_link(r, link));
        OC_TRY(oc_walk_next_interval(&link, &r->walk));
    }
    return OCELOTL_OK;
}

/* Ends of links whose beginning is not in the trace. They may be noted late: all are read. */
static ocelotl_status read_orphans(reading *r, uint32_t stream)
{
    const ocelotl_messages *m = r->messages;
    const oc_stream *at = &m->trace->streams[stream];
    const oc_record *record;
    if (m->trace->event_types[at->event_type].unmatched == 0 ||
        !oc_is_selected(m->resources, at->resource))
        return OCELOTL_OK;
    r->row = oc_messages_unknown(&m->rows);
    OC_TRY(oc_walk_begin_orphans(&r->walk, stream, m->window.from));
    OC_TRY(oc_walk_next_orphan(&record, false, &r->walk));
    while (record != NULL) {
        if (oc_window_has(&m->window, record->time + record->duration) &&
            oc_filter_shows(&m->filter, at->event_type, record->value)) {
            oc_message_sums *sums = find_sums(r, m->columns.group_of[at->resource]);
            sums->ended++;
            if (r->bytes != OCELOTL_NONE)
                sums->received += oc_record_number(&r->walk.reader.records, record, r->bytes);
        }
        OC_TRY(oc_walk_next_orphan(&record, false, &r->walk));
    }
    return OCELOTL_OK;
}

/* Keeps what a stream adds on its pile. */
static ocelotl_status keep(oc_message_pile *pile, reading *r)
{
    OC_TRY(oc_grow(&pile->sums, &pile->capacity, r->touched_count, sizeof *pile->sums));
    for (uint32_t i = 0; i < r->touched_count; i++) {
        pile->sums[pile->count++] = r->sums[r->touched[i]];
        r->sums[r->touched[i]].row = OCELOTL_NONE;
    }
    r->touched_count = 0;
    return OCELOTL_OK;
}

static ocelotl_status read_stream(oc_message_pile *pile, reading *r, uint32_t index)
{
    const ocelotl_messages *m = r->messages;
    const oc_stream *stream = &m->trace->streams[index];
    /* Ends without a beginning may be noted behind the window, and be in it. */
    const bool late = stream->role == OC_ROLE_LINKS_OUT && stream->begin > m->window.last;
    if (!oc_messages_reads(m, stream) || stream->count == 0 || late ||
        m->window.from > m->window.last || stream->resource >= m->trace->resource_count)
        return OCELOTL_OK;
    r->bytes = m->bytes[stream->event_type];
    OC_TRY(stream->role == OC_ROLE_LINKS_OUT ? read_links(r, index) : read_orphans(r, index));
    return keep(pile, r);
}

static ocelotl_status read_streams(reading *r, shared *all, const oc_team_member *member)
{
    const uint32_t columns = all->messages->columns.count + 2;
    size_t item;
    OC_TRY(oc_allocate(&r->sums, columns, sizeof *r->sums));
    OC_TRY(oc_allocate(&r->touched, columns, sizeof *r->touched));
    for (uint32_t c = 0; c < columns; c++)
        r->sums[c].row = OCELOTL_NONE;
    while (oc_team_next(&item, member)) {
        if (member->thread == 0)
            all->watch.done = item;
        OC_TRY(oc_reader_ask(&r->walk.reader));
        OC_TRY(oc_fail_in_trace(all->messages->trace,
                                read_stream(&all->piles[item], r, (uint32_t)item)));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_by_thread(void *context, const oc_team_member *member)
{
    shared *all = context;
    reading r = {.messages = all->messages};
    r.walk.reader.connection = member->connection;
    r.walk.reader.watch = &all->watch;
    r.walk.reader.asks = member->thread == 0;
    r.walk.conditions = &all->messages->filter.conditions;
    const ocelotl_status status = read_streams(&r, all, member);
    oc_walk_free(&r.walk);
    free(r.sums);
    free(r.touched);
    return status;
}

ocelotl_status oc_messages_read(oc_message_pile *piles, const ocelotl_messages *messages,
                                const ocelotl_work *work)
{
    const ocelotl_trace *trace = messages->trace;
    shared all = {.messages = messages, .piles = piles, .watch = {.work = *work}};
    uint64_t records = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_messages_reads(messages, &trace->streams[s]))
            records += trace->streams[s].count;
    const int threads = oc_team_threads(records, SHARE, work->threads);
    all.watch.total = trace->stream_count;
    return oc_team_do(messages->trace, threads, trace->stream_count, read_by_thread, &all);
}

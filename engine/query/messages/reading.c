/* What each stream of links adds to a matrix of messages. */
#include "query/messages/messages.h"

#include "base/machine.h"
#include "base/memory.h"

#include <stdlib.h>

/* Records that are worth a thread. */
enum { SHARE = 1 << 16 };

/* One thread at its streams. */
typedef struct reading {
    const ocelotl_messages *messages;
    oc_message_sums *sums; /* by column, of the stream that is read */
    uint32_t *touched;     /* columns that have some */
    uint32_t touched_count;
} reading;

/* What all threads share. */
typedef struct shared {
    const ocelotl_messages *messages;
    oc_message_pile *piles;
    oc_watch watch;
} shared;

ocelotl_status oc_message_sums_add(oc_message_sums *sums, const oc_message_sums *more,
                                   const ocelotl_trace *trace)
{
    if (!oc_add_times(&sums->time, sums->time, more->time) ||
        !oc_add_times(&sums->inside, sums->inside, more->inside))
        return oc_fail(OCELOTL_ERROR_LIMIT,
                       "%s: durations in this window add up to more than 2^63 ticks", trace->path);
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

/* Adds a link, unless no end of it is selected. All of a stream have one row: those without a
 * beginning are read where they end. */
static ocelotl_status take(void *context, const oc_counted_event *link)
{
    reading *r = context;
    const ocelotl_messages *m = r->messages;
    const bool *selected = m->question.resources;
    const bool begun = link->source != OCELOTL_NONE;
    const bool ended = link->target != OCELOTL_NONE;
    const bool lasts = begun && link->end >= link->begin;
    const uint32_t column =
        ended ? m->columns.group_of[link->target] : oc_messages_unknown(&m->columns);
    oc_message_sums one = {.count = link->begins,
                           .bytes = link->begins ? link->number : 0,
                           .ended = link->ends,
                           .received = link->ends ? link->number : 0,
                           .violations = link->ends && link->end < link->begin,
                           .inside = link->inside};
    if (!(begun && oc_is_selected(selected, link->source)) &&
        !(ended && oc_is_selected(selected, link->target)))
        return OCELOTL_OK;
    if (!link->begins && !link->ends && link->inside == 0)
        return OCELOTL_OK;
    if (link->ends && lasts) {
        one.timed = 1;
        one.time = one.least = link->end - link->begin;
        one.moved = link->number;
    }
    oc_message_sums *sums = &r->sums[column];
    if (sums->row == OCELOTL_NONE) {
        const uint32_t row = begun ? m->rows.group_of[link->source] : oc_messages_unknown(&m->rows);
        *sums = (oc_message_sums){.row = row, .column = column};
        r->touched[r->touched_count++] = column;
    }
    return oc_message_sums_add(sums, &one, m->trace);
}

static bool is_read(const ocelotl_messages *m, const oc_stream *stream)
{
    return oc_is_of_links(stream) && oc_is_selected(m->question.event_types, stream->event_type) &&
           (stream->role == OC_ROLE_LINKS_OUT ||
            oc_is_selected(m->question.resources, stream->resource));
}

/* Keeps what each stream adds on its pile. */
static ocelotl_status read_streams(reading *r, oc_counted_reader *reader, shared *all,
                                   const oc_team_member *member)
{
    const ocelotl_messages *m = all->messages;
    const uint32_t columns = m->columns.count + 2;
    size_t item;
    OC_TRY(oc_allocate(&r->sums, columns, sizeof *r->sums));
    OC_TRY(oc_allocate(&r->touched, columns, sizeof *r->touched));
    for (uint32_t c = 0; c < columns; c++)
        r->sums[c].row = OCELOTL_NONE;
    while (oc_team_next(&item, member)) {
        oc_message_pile *pile = &all->piles[item];
        if (member->thread == 0)
            all->watch.done = item;
        OC_TRY(oc_reader_ask(&reader->walk.reader));
        if (!is_read(m, &m->trace->streams[item]))
            continue;
        OC_TRY(oc_counted_read(reader, (uint32_t)item));
        OC_TRY(oc_grow(&pile->sums, &pile->capacity, r->touched_count, sizeof *pile->sums));
        for (uint32_t i = 0; i < r->touched_count; i++) {
            pile->sums[pile->count++] = r->sums[r->touched[i]];
            r->sums[r->touched[i]].row = OCELOTL_NONE;
        }
        r->touched_count = 0;
    }
    return OCELOTL_OK;
}

static ocelotl_status read_by_thread(void *context, const oc_team_member *member)
{
    shared *all = context;
    reading r = {.messages = all->messages};
    oc_counted_reader reader = {.question = &all->messages->question,
                                .bytes = all->messages->bytes,
                                .take = take,
                                .context = &r};
    reader.walk.reader.connection = member->connection;
    reader.walk.reader.watch = &all->watch;
    reader.walk.reader.asks = member->thread == 0;
    const ocelotl_status status = read_streams(&r, &reader, all, member);
    oc_counted_free(&reader);
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
        if (is_read(messages, &trace->streams[s]))
            records += trace->streams[s].count;
    const int threads = oc_team_threads(records, SHARE, work->threads);
    all.watch.total = trace->stream_count;
    return oc_team_do(messages->trace, threads, trace->stream_count, read_by_thread, &all);
}

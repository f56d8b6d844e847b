#include "quality/waiting/edges.h"

#include "base/memory.h"
#include "base/options.h"
#include "store/read/walk.h"

#include <stdlib.h>
#include <string.h>

/* What states are called in which messages are waited for, in small letters. */
static const char *const receiving[] = {"*recv*", "*wait*", "*probe*"};
static const char *const sending[] = {"*send*"};

enum {
    RECEIVING = sizeof receiving / sizeof receiving[0],
    SENDING = sizeof sending / sizeof sending[0]
};

typedef enum role { NO_WAIT, RECEIVES, SENDS } role;

static bool is_called(const char *name, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (oc_pattern_matches(patterns[i], name))
            return true;
    return false;
}

static role role_of(const char *name)
{
    char small[256];
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof small; length++)
        small[length] =
            (char)(name[length] >= 'A' && name[length] <= 'Z' ? name[length] + 32 : name[length]);
    small[length] = '\0';
    return is_called(small, receiving, RECEIVING) ? RECEIVES
           : is_called(small, sending, SENDING)   ? SENDS
                                                  : NO_WAIT;
}

typedef struct reading {
    oc_edges *edges;
    const ocelotl_trace *trace;
    role *roles;     /* by value */
    bool *has_roles; /* by event type */
    oc_walk walk;
} reading;

static ocelotl_status find_roles(reading *r)
{
    const ocelotl_trace *trace = r->trace;
    OC_TRY(oc_allocate(&r->roles, trace->value_count, sizeof *r->roles));
    OC_TRY(oc_allocate(&r->has_roles, trace->event_type_count, sizeof *r->has_roles));
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const uint32_t type = trace->values[v].event_type;
        if (type >= trace->event_type_count || trace->event_types[type].category != OCELOTL_STATE)
            continue;
        r->roles[v] = role_of(trace->values[v].name);
        r->has_roles[type] = r->has_roles[type] || r->roles[v] != NO_WAIT;
    }
    return OCELOTL_OK;
}

static ocelotl_status read_states(reading *r, uint32_t stream)
{
    oc_edges *edges = r->edges;
    const oc_interval *state;
    r->walk.to = INT64_MAX;
    OC_TRY(oc_walk_begin(&r->walk, stream, INT64_MIN));
    OC_TRY(oc_walk_next_interval(&state, &r->walk));
    while (state != NULL) {
        if (state->value < r->trace->value_count && r->roles[state->value] != NO_WAIT &&
            state->begin < state->end) {
            OC_TRY(oc_grow(&edges->states, &edges->state_capacity, edges->state_count + 1,
                           sizeof *edges->states));
            edges->states[edges->state_count++] =
                (oc_blocking){state->begin, state->end, r->walk.stream->resource, state->value,
                              r->roles[state->value] == SENDS};
        }
        OC_TRY(oc_walk_next_interval(&state, &r->walk));
    }
    return OCELOTL_OK;
}

/* Links are read where they end, since a record there has both times. */
static ocelotl_status read_messages(reading *r, uint32_t stream)
{
    oc_edges *edges = r->edges;
    oc_reader *reader = &r->walk.reader;
    const uint32_t target = r->trace->streams[stream].resource;
    OC_TRY(oc_reader_select(reader, stream));
    for (size_t c = 0; c < reader->chunk_count; c++) {
        OC_TRY(oc_reader_read(reader, c, true));
        OC_TRY(oc_grow(&edges->messages, &edges->message_capacity,
                       edges->message_count + reader->records.count, sizeof *edges->messages));
        for (size_t i = 0; i < reader->records.count; i++) {
            const oc_record *record = &reader->records.records[i];
            if (record->partner >= r->trace->resource_count || record->partner == target)
                continue;
            edges->wrong += record->duration < 0;
            if (record->duration >= 0)
                edges->messages[edges->message_count++] =
                    (oc_message){(int64_t)((uint64_t)record->time - (uint64_t)record->duration),
                                 record->time, record->partner, target};
        }
    }
    return OCELOTL_OK;
}

/* The last of all states is in the last chunk of its stream. */
static ocelotl_status find_last(reading *r, uint32_t stream)
{
    oc_edges *edges = r->edges;
    oc_reader *reader = &r->walk.reader;
    const uint32_t resource = r->trace->streams[stream].resource;
    OC_TRY(oc_reader_select(reader, stream));
    if (reader->chunk_count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_reader_read(reader, reader->chunk_count - 1, true));
    if (reader->records.count == 0)
        return OCELOTL_OK;
    const int64_t end = reader->records.records[reader->records.count - 1].time;
    if (edges->last == OCELOTL_NONE || end > edges->last_end ||
        (end == edges->last_end && resource < edges->last)) {
        edges->last = resource;
        edges->last_end = end;
    }
    return OCELOTL_OK;
}

static ocelotl_status read_streams(reading *r)
{
    const ocelotl_trace *trace = r->trace;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (stream->resource >= trace->resource_count)
            continue;
        OC_TRY(oc_reader_ask(&r->walk.reader));
        if (stream->role == OC_ROLE_STATES)
            OC_TRY(find_last(r, s));
        if (stream->role == OC_ROLE_STATES && r->has_roles[stream->event_type])
            OC_TRY(read_states(r, s));
        if (stream->role == OC_ROLE_LINKS_IN)
            OC_TRY(read_messages(r, s));
    }
    return OCELOTL_OK;
}

/* --- In order */

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_states(const void *left, const void *right)
{
    const oc_blocking *a = left;
    const oc_blocking *b = right;
    const int by_resource = compare(a->resource, b->resource);
    const int by_end = by_resource != 0 ? by_resource : compare(a->end, b->end);
    return by_end != 0 ? by_end : compare(b->begin, a->begin);
}

static int compare_received(const void *left, const void *right)
{
    const oc_message *a = left;
    const oc_message *b = right;
    const int by_target = compare(a->target, b->target);
    const int by_time = by_target != 0 ? by_target : compare(a->received, b->received);
    const int by_sent = by_time != 0 ? by_time : compare(a->sent, b->sent);
    return by_sent != 0 ? by_sent : compare(a->source, b->source);
}

static int compare_sent(const void *left, const void *right)
{
    const oc_message *a = left;
    const oc_message *b = right;
    const int by_source = compare(a->source, b->source);
    const int by_target = by_source != 0 ? by_source : compare(a->target, b->target);
    const int by_time = by_target != 0 ? by_target : compare(a->sent, b->sent);
    return by_time != 0 ? by_time : compare(a->received, b->received);
}

static void sort(void *items, size_t count, size_t size, int (*order)(const void *, const void *))
{
    if (count > 1)
        qsort(items, count, size, order);
}

/* Where the items of each resource begin, once they are counted. */
static void add_up(size_t *first, uint32_t resources)
{
    for (uint32_t r = 0; r < resources; r++)
        first[r + 1] += first[r];
}

static ocelotl_status put_in_order(oc_edges *edges, uint32_t resources)
{
    const size_t places = (size_t)resources + 1;
    OC_TRY(oc_allocate(&edges->sent, edges->message_count, sizeof *edges->sent));
    OC_TRY(oc_allocate(&edges->first_state, places, sizeof *edges->first_state));
    OC_TRY(oc_allocate(&edges->first_received, places, sizeof *edges->first_received));
    OC_TRY(oc_allocate(&edges->first_sent, places, sizeof *edges->first_sent));
    for (size_t i = 0; i < edges->state_count; i++)
        edges->first_state[edges->states[i].resource + 1]++;
    for (size_t i = 0; i < edges->message_count; i++) {
        edges->first_received[edges->messages[i].target + 1]++;
        edges->first_sent[edges->messages[i].source + 1]++;
        edges->sent[i] = edges->messages[i];
    }
    add_up(edges->first_state, resources);
    add_up(edges->first_received, resources);
    add_up(edges->first_sent, resources);
    sort(edges->states, edges->state_count, sizeof *edges->states, compare_states);
    sort(edges->messages, edges->message_count, sizeof *edges->messages, compare_received);
    sort(edges->sent, edges->message_count, sizeof *edges->sent, compare_sent);
    return OCELOTL_OK;
}

const oc_blocking *oc_edges_state_at(const oc_edges *edges, uint32_t resource, int64_t time,
                                     bool sends)
{
    const size_t end = edges->first_state[resource + 1];
    size_t low = edges->first_state[resource];
    for (size_t high = end; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (edges->states[middle].end < time)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < end && edges->states[low].sends != sends && edges->states[low].begin < time)
        low++;
    return low < end && edges->states[low].sends == sends && edges->states[low].begin < time
               ? &edges->states[low]
               : NULL;
}

/* --- The whole */

ocelotl_status oc_edges_read(oc_edges *edges, ocelotl_trace *trace, const ocelotl_names *patterns,
                             const ocelotl_work *work)
{
    oc_watch watch = {.work = *work};
    oc_catalogue catalogue = {0};
    reading r = {.edges = edges, .trace = trace};
    r.walk.reader.connection = oc_connection_of(trace);
    r.walk.reader.watch = &watch;
    r.walk.reader.asks = true;
    edges->last = OCELOTL_NONE;
    ocelotl_status status = find_roles(&r);
    if (status == OCELOTL_OK)
        status = oc_fail_in_trace(trace, read_streams(&r));
    if (status == OCELOTL_OK)
        status = put_in_order(edges, trace->resource_count);
    if (status == OCELOTL_OK)
        status = oc_catalogue_read(&catalogue, trace);
    if (status == OCELOTL_OK)
        status = oc_collectives_read(&edges->collectives,
                                     &(oc_collective_request){.trace = trace,
                                                              .catalogue = &catalogue,
                                                              .patterns = patterns,
                                                              .by_name = true,
                                                              .watch = &watch});
    oc_walk_free(&r.walk);
    oc_catalogue_free(&catalogue);
    free(r.roles);
    free(r.has_roles);
    return status;
}

void oc_edges_free(oc_edges *edges)
{
    free(edges->states);
    free(edges->first_state);
    free(edges->messages);
    free(edges->first_received);
    free(edges->sent);
    free(edges->first_sent);
    oc_collectives_free(&edges->collectives);
    *edges = (oc_edges){0};
}

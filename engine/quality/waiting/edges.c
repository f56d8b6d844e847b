#include "quality/waiting/edges.h"

#include "base/file/bulk.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/read/walk.h"
#include "store/select/resources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What states are called in which something is waited for, in small letters: the first counts.
 * Those with a blank are what Kineto writes of a stream that waits. */
static const struct {
    const char *pattern;
    oc_awaited awaited;
} waiting_names[] = {
    {"blocked*", OC_AWAITS_WAKING},         {"cu*synchronize", OC_AWAITS_KERNELS},
    {"hip*synchronize", OC_AWAITS_KERNELS}, {"cudamemcpy", OC_AWAITS_KERNELS},
    {"hipmemcpy", OC_AWAITS_KERNELS},       {"hipmemcpywithstream", OC_AWAITS_KERNELS},
    {"* sync", OC_AWAITS_KERNELS},          {"* wait event", OC_AWAITS_KERNELS},
    {"*recv*", OC_AWAITS_MESSAGE},          {"*wait*", OC_AWAITS_MESSAGE},
    {"*probe*", OC_AWAITS_MESSAGE},         {"*send*", OC_AWAITS_RECEIVER},
};

static oc_awaited awaited_in(const char *name)
{
    for (size_t i = 0; i < sizeof waiting_names / sizeof waiting_names[0]; i++)
        if (oc_pattern_matches_small(waiting_names[i].pattern, name))
            return waiting_names[i].awaited;
    return OC_AWAITS_NOTHING;
}

/* In none of communication, or in which it waits, for a processor, too. */
bool oc_waiting_is_work(const char *state)
{
    static const char *const others[] = {"mpi_*",     "pmpi_*", "nccl*", "rccl*",
                                         "*barrier*", "shmem*", "ready"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (oc_pattern_matches_small(others[i], state))
            return false;
    return awaited_in(state) == OC_AWAITS_NOTHING && !oc_is_idle_name(state);
}

/* The launch of a kernel, as Kineto calls the flow to it. */
static bool is_launch(const char *name)
{
    return strcmp(name, "ac2g") == 0 || oc_pattern_matches("async*gpu", name);
}

typedef struct kernel {
    int64_t begin, end;
    uint32_t stream, value;
} kernel;

typedef struct reading {
    oc_edges *edges;
    const ocelotl_trace *trace;
    oc_awaited *awaited; /* in a state, by value; or what a link is */
    bool *has_waits;     /* by event type */
    bool *takes_part;    /* by type of resources */
    oc_walk walk;
    oc_message *launches; /* of kernels, by stream, then as these begin */
    size_t launch_count;
    size_t *first_launch; /* by stream the first + 1; 0: it is none */
    uint32_t *seen;       /* by thread: the last stream looked at for it + 1 */
    kernel *kernels;
    size_t kernel_count, kernel_capacity;
    oc_message *last; /* by state: the kernel that it waits for; its source may be OCELOTL_NONE */
} reading;

static ocelotl_status find_names(reading *r)
{
    const ocelotl_trace *trace = r->trace;
    OC_TRY(oc_allocate(&r->awaited, trace->value_count, sizeof *r->awaited));
    OC_TRY(oc_allocate(&r->has_waits, trace->event_type_count, sizeof *r->has_waits));
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const uint32_t type = trace->values[v].event_type;
        if (type >= trace->event_type_count)
            continue;
        const bool is_state = trace->event_types[type].category == OCELOTL_STATE;
        r->awaited[v] = is_state                           ? awaited_in(trace->values[v].name)
                        : is_launch(trace->values[v].name) ? OC_AWAITS_NOTHING
                                                           : OC_AWAITS_MESSAGE;
        r->has_waits[type] = r->has_waits[type] || r->awaited[v] != OC_AWAITS_NOTHING;
    }
    return OCELOTL_OK;
}

static oc_awaited awaited_of(const reading *r, uint32_t value, oc_awaited without)
{
    return value < r->trace->value_count ? r->awaited[value] : without;
}

static ocelotl_status read_states(reading *r, uint32_t stream)
{
    oc_edges *edges = r->edges;
    const oc_interval *state;
    OC_TRY(oc_walk_begin(&r->walk, stream, INT64_MIN));
    OC_TRY(oc_walk_next_interval(&state, &r->walk));
    while (state != NULL) {
        const oc_awaited awaits = awaited_of(r, state->value, OC_AWAITS_NOTHING);
        if (awaits != OC_AWAITS_NOTHING && state->begin < state->end) {
            OC_TRY(oc_bulk_grow(&edges->states, &edges->state_capacity, edges->state_count + 1,
                                sizeof *edges->states));
            edges->states[edges->state_count++] = (oc_blocking){
                state->begin, state->end, r->walk.stream->resource, state->value, awaits};
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
    const uint32_t type = r->trace->streams[stream].event_type;
    const bool wakes = oc_is_of_wakings(r->trace, type);
    OC_TRY(oc_reader_select(reader, stream));
    for (size_t c = 0; c < reader->chunk_count; c++) {
        OC_TRY(oc_reader_read(reader, c, true));
        OC_TRY(oc_bulk_grow(&edges->messages, &edges->message_capacity,
                            edges->message_count + reader->records.count, sizeof *edges->messages));
        for (size_t i = 0; i < reader->records.count; i++) {
            const oc_record *record = &reader->records.records[i];
            if (record->partner >= r->trace->resource_count || record->partner == target)
                continue;
            const oc_awaited is =
                wakes ? OC_AWAITS_WAKING : awaited_of(r, record->value, OC_AWAITS_MESSAGE);
            edges->wrong += record->duration < 0 && is != OC_AWAITS_NOTHING;
            if (record->duration < 0 && is != OC_AWAITS_NOTHING)
                continue;
            const int64_t sent = (int64_t)((uint64_t)record->time - (uint64_t)record->duration);
            edges->messages[edges->message_count++] =
                (oc_message){sent, record->time, record->partner, target, is};
            r->launch_count += is == OC_AWAITS_NOTHING;
        }
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
        if (stream->role == OC_ROLE_STATES && r->has_waits[stream->event_type])
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
    const int by_awaited = by_resource != 0 ? by_resource : compare(a->awaits, b->awaits);
    const int by_end = by_awaited != 0 ? by_awaited : compare(a->end, b->end);
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

/* Where the items of each resource begin, once they are counted. */
static void add_up(size_t *first, uint32_t resources)
{
    for (uint32_t r = 0; r < resources; r++)
        first[r + 1] += first[r];
}

static ocelotl_status order_states(oc_edges *edges, uint32_t resources)
{
    OC_TRY(oc_allocate(&edges->first_state, (size_t)resources + 1, sizeof *edges->first_state));
    for (size_t i = 0; i < edges->state_count; i++)
        edges->first_state[edges->states[i].resource + 1]++;
    add_up(edges->first_state, resources);
    return oc_bulk_sort(edges->states, edges->state_count, sizeof *edges->states, compare_states);
}

static ocelotl_status order_messages(oc_edges *edges, uint32_t resources)
{
    const size_t places = (size_t)resources + 2;
    if (edges->message_count > UINT32_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%zu messages, expected at most %" PRIu32,
                       edges->message_count, UINT32_MAX);
    OC_TRY(oc_bulk_allocate(&edges->sent, edges->message_count, sizeof *edges->sent));
    OC_TRY(oc_allocate(&edges->first_received, places, sizeof *edges->first_received));
    OC_TRY(oc_allocate(&edges->first_sent, places, sizeof *edges->first_sent));
    OC_TRY(oc_bulk_sort(edges->messages, edges->message_count, sizeof *edges->messages,
                        compare_received));
    for (size_t i = 0; i < edges->message_count; i++) {
        edges->first_received[edges->messages[i].target + 1]++;
        edges->first_sent[edges->messages[i].source + 2]++;
    }
    add_up(edges->first_received, resources);
    add_up(edges->first_sent, resources + 1);
    for (size_t i = 0; i < edges->message_count; i++) {
        const oc_message *message = &edges->messages[i];
        edges->sent[edges->first_sent[message->source + 1]++] =
            (oc_sending){message->sent, message->target, (uint32_t)i};
    }
    return OCELOTL_OK;
}

const oc_blocking *oc_edges_state_at(const oc_edges *edges, uint32_t resource, int64_t time,
                                     oc_awaited awaits)
{
    const size_t end = edges->first_state[resource + 1];
    size_t low = edges->first_state[resource];
    for (size_t high = end; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const oc_blocking *state = &edges->states[middle];
        if (state->awaits < awaits || (state->awaits == awaits && state->end < time))
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && edges->states[low].awaits == awaits && edges->states[low].begin < time
               ? &edges->states[low]
               : NULL;
}

/* --- Kernels: who waits for its streams waits for the last that ends on them. A stream that is
 * idle waits for the next launch. */

/* A stream has to do with a kernel once that is launched: it may begin later because of others in
 * the stream. */
static ocelotl_status find_launches(reading *r)
{
    const oc_edges *edges = r->edges;
    size_t count = 0;
    OC_TRY(oc_bulk_allocate(&r->launches, r->launch_count, sizeof *r->launches));
    OC_TRY(oc_allocate(&r->first_launch, r->trace->resource_count, sizeof *r->first_launch));
    OC_TRY(oc_allocate(&r->seen, r->trace->resource_count, sizeof *r->seen));
    for (size_t i = 0; i < edges->message_count; i++) {
        oc_message *message = &edges->messages[i];
        if (message->is != OC_AWAITS_NOTHING)
            continue;
        r->launches[count++] = *message;
        message->received = message->sent;
    }
    OC_TRY(oc_bulk_sort(r->launches, count, sizeof *r->launches, compare_received));
    for (size_t i = count; i-- > 0;)
        r->first_launch[r->launches[i].target] = i + 1;
    return OCELOTL_OK;
}

static int compare_begins(const void *left, const void *right)
{
    const kernel *a = left;
    const kernel *b = right;
    const int by_stream = compare(a->stream, b->stream);
    return by_stream != 0 ? by_stream : compare(a->begin, b->begin);
}

static int compare_ends(const void *left, const void *right)
{
    return compare(((const kernel *)left)->end, ((const kernel *)right)->end);
}

/* Kernels that cross others are on lanes below their stream. */
static ocelotl_status read_kernels(reading *r, uint32_t stream)
{
    const oc_interval *state;
    uint32_t on = r->trace->streams[stream].resource;
    while (on < r->trace->resource_count && r->first_launch[on] == 0)
        on = r->trace->resources[on].parent;
    if (r->trace->streams[stream].role != OC_ROLE_STATES || on >= r->trace->resource_count)
        return OCELOTL_OK;
    OC_TRY(oc_walk_begin(&r->walk, stream, INT64_MIN));
    OC_TRY(oc_walk_next_interval(&state, &r->walk));
    while (state != NULL) {
        OC_TRY(oc_bulk_grow(&r->kernels, &r->kernel_capacity, r->kernel_count + 1,
                            sizeof *r->kernels));
        if (awaited_of(r, state->value, OC_AWAITS_NOTHING) != OC_AWAITS_KERNELS)
            r->kernels[r->kernel_count++] = (kernel){state->begin, state->end, on, state->value};
        OC_TRY(oc_walk_next_interval(&state, &r->walk));
    }
    return OCELOTL_OK;
}

/* A stream is idle once all kernels that began before have ended, if that is before the launch. */
static ocelotl_status see_idle(reading *r, const kernel *kernels, size_t count)
{
    oc_edges *edges = r->edges;
    const uint32_t stream = kernels->stream;
    int64_t since = r->trace->resources[stream].begin;
    size_t at = 0;
    for (size_t i = r->first_launch[stream] - 1;
         i < r->launch_count && r->launches[i].target == stream; i++) {
        const oc_message *launch = &r->launches[i];
        for (; at < count && kernels[at].begin < launch->received; at++)
            since = kernels[at].end > since ? kernels[at].end : since;
        if (at == count || kernels[at].begin != launch->received ||
            launch->sent > launch->received || since >= launch->sent ||
            kernels[at].value >= r->trace->value_count)
            continue;
        OC_TRY(oc_bulk_grow(&edges->idle, &edges->idle_capacity, edges->idle_count + 1,
                            sizeof *edges->idle));
        edges->idle[edges->idle_count++] = (oc_wait){.begin = since,
                                                     .end = launch->sent,
                                                     .resumed = launch->received,
                                                     .resource = stream,
                                                     .cause = launch->source,
                                                     .value = kernels[at].value,
                                                     .kind = OC_WAIT_LAUNCH};
    }
    return OCELOTL_OK;
}

/* Sees for each state in which a thread waits whether it waits for a stream, whose kernels are in
 * the order of their ends: of equals for the first. */
static void see_ends(reading *r, const kernel *kernels, size_t count, uint32_t thread)
{
    const oc_edges *edges = r->edges;
    const uint32_t stream = kernels->stream;
    size_t ended = 0;
    for (size_t i = edges->first_state[thread]; i < edges->first_state[thread + 1]; i++) {
        const oc_blocking *state = &edges->states[i];
        oc_message *last = &r->last[i];
        if (state->awaits != OC_AWAITS_KERNELS)
            continue;
        while (ended < count && kernels[ended].end <= state->end)
            ended++;
        const int64_t sent = ended > 0 ? kernels[ended - 1].end : 0;
        if (ended > 0 && (last->source == OCELOTL_NONE || sent > last->sent ||
                          (sent == last->sent && stream < last->source)))
            *last = (oc_message){sent, state->end, stream, thread, OC_AWAITS_KERNELS};
    }
}

static ocelotl_status see_stream(reading *r, kernel *kernels, size_t count)
{
    const uint32_t stream = kernels->stream;
    OC_TRY(see_idle(r, kernels, count));
    OC_TRY(oc_bulk_sort(kernels, count, sizeof *kernels, compare_ends));
    for (size_t i = r->first_launch[stream] - 1;
         i < r->launch_count && r->launches[i].target == stream; i++) {
        const uint32_t thread = r->launches[i].source;
        if (r->seen[thread] != stream + 1)
            see_ends(r, kernels, count, thread);
        r->seen[thread] = stream + 1;
    }
    return OCELOTL_OK;
}

static ocelotl_status see_kernels(reading *r)
{
    oc_edges *edges = r->edges;
    if (r->launch_count == 0)
        return OCELOTL_OK;
    OC_TRY(find_launches(r));
    for (uint32_t s = 0; s < r->trace->stream_count; s++)
        OC_TRY(read_kernels(r, s));
    OC_TRY(oc_bulk_sort(r->kernels, r->kernel_count, sizeof *r->kernels, compare_begins));
    OC_TRY(oc_bulk_allocate(&r->last, edges->state_count, sizeof *r->last));
    for (size_t i = 0; i < edges->state_count; i++)
        r->last[i].source = OCELOTL_NONE;
    for (size_t i = 0, end = 0; i < r->kernel_count; i = end) {
        while (end < r->kernel_count && r->kernels[end].stream == r->kernels[i].stream)
            end++;
        OC_TRY(see_stream(r, &r->kernels[i], end - i));
    }
    OC_TRY(oc_bulk_grow(&edges->messages, &edges->message_capacity,
                        edges->message_count + edges->state_count, sizeof *edges->messages));
    for (size_t i = 0; i < edges->state_count; i++)
        if (r->last[i].source != OCELOTL_NONE)
            edges->messages[edges->message_count++] = r->last[i];
    return OCELOTL_OK;
}

/* --- The end */

/* The last of all states is in the last chunk of its stream. Who sleeps then has ended before. */
static ocelotl_status see_end(reading *r, uint32_t stream)
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
    int64_t end = reader->records.records[reader->records.count - 1].time;
    const oc_blocking *sleeps = oc_edges_state_at(edges, resource, end, OC_AWAITS_WAKING);
    end = sleeps != NULL ? sleeps->begin : end;
    if (edges->last == OCELOTL_NONE || end > edges->last_end ||
        (end == edges->last_end && resource < edges->last)) {
        edges->last = resource;
        edges->last_end = end;
    }
    return OCELOTL_OK;
}

/* CPUs take no part: what runs on them does. So what has to do with others is told by its type; but
 * for what Kineto writes of itself. */
static ocelotl_status find_last(reading *r)
{
    const oc_edges *edges = r->edges;
    const ocelotl_trace *trace = r->trace;
    OC_TRY(oc_allocate(&r->takes_part, trace->resource_type_count, sizeof *r->takes_part));
    for (size_t i = 0; i < edges->message_count; i++) {
        r->takes_part[trace->resources[edges->messages[i].source].type] = true;
        r->takes_part[trace->resources[edges->messages[i].target].type] = true;
    }
    for (size_t i = 0; i < edges->collectives.participant_count; i++)
        r->takes_part[trace->resources[edges->collectives.participants[i].resource].type] = true;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (stream->role == OC_ROLE_STATES && stream->resource < trace->resource_count &&
            r->takes_part[trace->resources[stream->resource].type] &&
            !oc_pattern_matches("PyTorch Profiler*", trace->resources[stream->resource].name))
            OC_TRY(see_end(r, s));
    }
    return OCELOTL_OK;
}

/* --- The whole */

ocelotl_status oc_edges_read(oc_edges *edges, ocelotl_trace *trace, oc_watch *watch)
{
    const ocelotl_names none = {NULL, 0};
    oc_catalogue catalogue = {0};
    reading r = {.edges = edges, .trace = trace};
    r.walk.reader.connection = oc_connection_of(trace);
    r.walk.reader.watch = watch;
    r.walk.reader.asks = true;
    r.walk.to = INT64_MAX;
    edges->last = OCELOTL_NONE;
    ocelotl_status status = find_names(&r);
    if (status == OCELOTL_OK)
        status = oc_fail_in_trace(trace, read_streams(&r));
    if (status == OCELOTL_OK)
        status = order_states(edges, trace->resource_count);
    if (status == OCELOTL_OK)
        status = oc_fail_in_trace(trace, see_kernels(&r));
    if (status == OCELOTL_OK)
        status = order_messages(edges, trace->resource_count);
    if (status == OCELOTL_OK)
        status = oc_catalogue_read(&catalogue, trace);
    if (status == OCELOTL_OK)
        status = oc_collectives_read(&edges->collectives,
                                     &(oc_collective_request){.trace = trace,
                                                              .catalogue = &catalogue,
                                                              .patterns = &none,
                                                              .by_name = true,
                                                              .watch = watch});
    if (status == OCELOTL_OK)
        status = oc_fail_in_trace(trace, find_last(&r));
    oc_walk_free(&r.walk);
    oc_catalogue_free(&catalogue);
    free(r.awaited);
    free(r.has_waits);
    free(r.takes_part);
    oc_bulk_free(r.launches);
    free(r.first_launch);
    free(r.seen);
    oc_bulk_free(r.kernels);
    oc_bulk_free(r.last);
    return status;
}

void oc_edges_free(oc_edges *edges)
{
    oc_bulk_free(edges->states);
    free(edges->first_state);
    oc_bulk_free(edges->messages);
    free(edges->first_received);
    oc_bulk_free(edges->sent);
    oc_bulk_free(edges->idle);
    free(edges->first_sent);
    oc_collectives_free(&edges->collectives);
    *edges = (oc_edges){0};
}

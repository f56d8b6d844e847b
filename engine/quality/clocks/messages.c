/* The links of a trace as messages between clocks: they are read where they end, since a record
 * there has both times. */
#include "quality/clocks/clocks.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

const char *oc_clocks_path(const ocelotl_clocks *c, uint32_t clock)
{
    const uint32_t resource = c->groups.resources[clock];
    return resource != OCELOTL_NONE ? c->paths.of[resource] : oc_whole_group;
}

typedef struct reading {
    const ocelotl_clocks *clocks;
    oc_reader reader;
    oc_watch watch;
    oc_take_message take;
    void *context;
    bool within; /* links within a clock are read, too */
} reading;

static ocelotl_status read_record(reading *r, uint32_t target, const oc_record *record)
{
    const oc_groups *groups = &r->clocks->groups;
    if (record->partner == OCELOTL_NONE)
        return OCELOTL_OK;
    const uint32_t source = groups->group_of[record->partner];
    if (source >= groups->count || (source == target && !r->within))
        return OCELOTL_OK;
    const int64_t end = record->duration < 0 ? record->time + record->duration : record->time;
    const oc_message message = {source, target,
                                (int64_t)((uint64_t)end - (uint64_t)record->duration), end, false};
    return r->take(r->context, &message);
}

static ocelotl_status read_stream(reading *r, uint32_t stream)
{
    const uint32_t target = r->clocks->groups.group_of[r->clocks->trace->streams[stream].resource];
    if (target >= r->clocks->groups.count)
        return OCELOTL_OK;
    OC_TRY(oc_reader_select(&r->reader, stream));
    for (size_t c = 0; c < r->reader.chunk_count; c++) {
        OC_TRY(oc_reader_read(&r->reader, c, true));
        for (size_t i = 0; i < r->reader.records.count; i++)
            OC_TRY(read_record(r, target, &r->reader.records.records[i]));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_streams(reading *r)
{
    const ocelotl_trace *trace = r->clocks->trace;
    r->watch.total = trace->stream_count;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        r->watch.done = s;
        OC_TRY(oc_reader_ask(&r->reader));
        if (stream->role == OC_ROLE_LINKS_IN &&
            oc_is_selected(r->clocks->event_types, stream->event_type) &&
            stream->resource < trace->resource_count)
            OC_TRY(read_stream(r, s));
    }
    return OCELOTL_OK;
}

/* Who waits in an operation cannot leave it before the other one entered it, as if that one sent a
 * message. */
static ocelotl_status take_wait(void *context, const oc_participant *first,
                                const oc_participant *waits)
{
    const reading *r = context;
    const oc_groups *groups = &r->clocks->groups;
    const oc_message message = {groups->group_of[first->resource],
                                groups->group_of[waits->resource], first->enter, waits->leave,
                                true};
    if (message.source >= groups->count || message.target >= groups->count ||
        message.source == message.target)
        return OCELOTL_OK;
    return r->take(r->context, &message);
}

ocelotl_status oc_clocks_read(const ocelotl_clocks *clocks, uint32_t evidence, oc_take_message take,
                              void *context)
{
    reading r = {
        .clocks = clocks, .watch = {.work = clocks->work}, .take = take, .context = context};
    r.within = (evidence & OC_EVIDENCE_WITHIN) != 0;
    r.reader.connection = oc_connection_of(clocks->trace);
    r.reader.watch = &r.watch;
    r.reader.asks = true;
    ocelotl_status status = OCELOTL_OK;
    if ((evidence & OCELOTL_EVIDENCE_MESSAGES) != 0)
        status = oc_fail_in_trace(clocks->trace, read_streams(&r));
    const oc_collectives *collectives = &clocks->collectives;
    const bool waits = (evidence & OCELOTL_EVIDENCE_COLLECTIVES) != 0;
    for (size_t i = 0; waits && i < collectives->count && status == OCELOTL_OK; i++)
        status = oc_collective_pairs(collectives, &collectives->items[i], take_wait, &r);
    oc_reader_free(&r.reader);
    return status;
}

/* --- Into the network */

/* The pairings of the target whose messages come. */
typedef struct gathering {
    ocelotl_clocks *clocks;
    uint32_t target;   /* of the last message */
    uint32_t *known;   /* by source: its pairing with the target + 1 */
    uint32_t *touched; /* sources that have one */
    uint32_t touched_count;
} gathering;

static ocelotl_status find_pairing(uint32_t *pairing, gathering *g, const oc_message *message)
{
    if (g->target != message->target) {
        while (g->touched_count > 0)
            g->known[g->touched[--g->touched_count]] = 0;
        g->target = message->target;
    }
    if (g->known[message->source] == 0) {
        const bool forth = message->source < message->target;
        OC_TRY(oc_network_pair(pairing, &g->clocks->network,
                               forth ? message->source : message->target,
                               forth ? message->target : message->source));
        g->known[message->source] = *pairing + 1;
        g->touched[g->touched_count++] = message->source;
    }
    *pairing = g->known[message->source] - 1;
    return OCELOTL_OK;
}

static ocelotl_status gather(void *context, const oc_message *message)
{
    gathering *g = context;
    oc_network *network = &g->clocks->network;
    uint32_t pairing = 0;
    if (message->source == message->target) {
        g->clocks->info.within_wrong += message->received < message->sent;
        return OCELOTL_OK;
    }
    OC_TRY(find_pairing(&pairing, g, message));
    if (message->is_collective)
        network->pairings[pairing].waits++;
    else if (message->source < message->target)
        network->pairings[pairing].there++;
    else
        network->pairings[pairing].back++;
    g->clocks->info.messages += !message->is_collective;
    return oc_network_add(network, pairing, message->source, message->sent, message->target,
                          message->received);
}

ocelotl_status oc_clocks_gather(ocelotl_clocks *clocks)
{
    gathering g = {.clocks = clocks, .target = OCELOTL_NONE};
    ocelotl_status status = oc_allocate(&g.known, clocks->groups.count, sizeof *g.known);
    if (status == OCELOTL_OK)
        status = oc_allocate(&g.touched, clocks->groups.count, sizeof *g.touched);
    if (status == OCELOTL_OK)
        status = oc_clocks_read(clocks, clocks->info.evidence | OC_EVIDENCE_WITHIN, gather, &g);
    free(g.known);
    free(g.touched);
    return status;
}

/* --- What they say once clocks are set */

static void judge(double transit, uint64_t *wrong, double *worst)
{
    *wrong += transit < 0;
    *worst = fmin(*worst, transit);
}

static ocelotl_status check(void *context, const oc_message *message)
{
    ocelotl_clocks *clocks = context;
    ocelotl_clocks_info *info = &clocks->info;
    const int64_t sent = ocelotl_time_of(&clocks->functions[message->source], message->sent, NULL);
    const int64_t received =
        ocelotl_time_of(&clocks->functions[message->target], message->received, NULL);
    const double before = (double)message->received - (double)message->sent;
    const double after = (double)received - (double)sent;
    if (message->is_collective) {
        info->collective_wrong += before < 0;
        info->collective_still += after < 0;
        return OCELOTL_OK;
    }
    judge(before, &info->wrong, &info->worst);
    judge(after, &info->still, &info->still_worst);
    if (after >= 0 && (info->transit < 0 || after < info->transit))
        info->transit = after;
    return OCELOTL_OK;
}

ocelotl_status oc_clocks_check(ocelotl_clocks *clocks)
{
    clocks->info.transit = -1;
    clocks->info.wrong = clocks->info.still = 0;
    clocks->info.collective_wrong = clocks->info.collective_still = 0;
    clocks->info.worst = clocks->info.still_worst = INFINITY;
    return oc_clocks_read(clocks, OCELOTL_EVIDENCE_MESSAGES | OCELOTL_EVIDENCE_COLLECTIVES, check,
                          clocks);
}

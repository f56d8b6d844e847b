/* The order of siblings by what they send to each other. Pairs of siblings are joined, those with
 * most traffic first, as long as chains come of it; each chain is then drawn from end to end
 * (positions of what communicates: Stein 1999, 6.4.3). */
#include "model/hierarchy/arrange.h"

#include "base/memory.h"
#include "store/read/walk.h"

#include <math.h>
#include <stdlib.h>

/* What two siblings, with all below them, send to each other. */
typedef struct exchange {
    uint32_t first, second; /* nodes; the first is drawn before the second */
    double amount;
    size_t order; /* in which it was found */
} exchange;

typedef struct traffic {
    oc_arena arena;
    const oc_arrangement *arrangement;
    const oc_catalogue *catalogue;
    uint32_t *node_of;   /* by resource */
    uint32_t *depth;     /* by node */
    uint32_t *place;     /* by node: among its siblings */
    bool bytes;          /* amounts are those of bytes; else links are counted */
    oc_watch watch;      /* in streams */
    oc_walk walk;        /* through the streams, one after the other */
    double *sums;        /* by node: what the stream sends there */
    uint32_t *receivers; /* nodes that get some */
    uint32_t receiver_count;
    exchange *exchanges;
    size_t count, capacity;
} traffic;

/* --- Reading */

/* Events of what has no node of its own belong to the nearest one above. */
static ocelotl_status find_nodes(traffic *t)
{
    const oc_arrangement *arrangement = t->arrangement;
    const ocelotl_trace *trace = t->catalogue->trace;
    const uint32_t *leaf_first = arrangement->model->matrix.tree.leaf_first;
    oc_resource_nodes of_model = {0};
    OC_TRY(oc_arena_allocate(&t->node_of, &t->arena, trace->resource_count, sizeof *t->node_of));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        t->node_of[r] = OCELOTL_NONE;
    for (uint32_t k = arrangement->count; k-- > 0;)
        if (arrangement->nodes[k].given.source < trace->resource_count)
            t->node_of[arrangement->nodes[k].given.source] = k;
    const ocelotl_status status = oc_find_resource_nodes(&of_model, arrangement->model);
    for (uint32_t r = 0; status == OCELOTL_OK && r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        if (r < of_model.count && of_model.node[r] != OCELOTL_NONE)
            t->node_of[r] = arrangement->place[leaf_first[of_model.node[r]]];
        if (t->node_of[r] == OCELOTL_NONE)
            t->node_of[r] = parent < r ? t->node_of[parent] : 0;
    }
    free(of_model.node);
    return status;
}

static ocelotl_status measure_nodes(traffic *t)
{
    const oc_arrangement *arrangement = t->arrangement;
    uint32_t *children;
    OC_TRY(oc_arena_allocate(&t->depth, &t->arena, arrangement->count, sizeof *t->depth));
    OC_TRY(oc_arena_allocate(&t->place, &t->arena, arrangement->count, sizeof *t->place));
    OC_TRY(oc_arena_allocate(&children, &t->arena, arrangement->count, sizeof *children));
    for (uint32_t k = 1; k < arrangement->count; k++) {
        const uint32_t parent = arrangement->nodes[k].given.parent;
        t->depth[k] = t->depth[parent] + 1;
        t->place[k] = children[parent]++;
    }
    return OCELOTL_OK;
}

/* Adds what one node sends to another to the siblings that they are, or are below. */
static ocelotl_status add_exchange(traffic *t, uint32_t a, uint32_t b, double amount)
{
    const oc_arranged_node *nodes = t->arrangement->nodes;
    while (t->depth[a] > t->depth[b])
        a = nodes[a].given.parent;
    while (t->depth[b] > t->depth[a])
        b = nodes[b].given.parent;
    while (a != b && nodes[a].given.parent != nodes[b].given.parent) {
        a = nodes[a].given.parent;
        b = nodes[b].given.parent;
    }
    if (a == b)
        return OCELOTL_OK;
    OC_TRY(
        oc_arena_grow(&t->exchanges, &t->capacity, &t->arena, t->count + 1, sizeof *t->exchanges));
    t->exchanges[t->count] = (exchange){a < b ? a : b, a < b ? b : a, amount, t->count};
    t->count++;
    return OCELOTL_OK;
}

static void add_link(traffic *t, const oc_interval *link)
{
    const double amount = t->bytes ? link->begun + link->ended : 1;
    if (link->target >= t->catalogue->trace->resource_count || !(amount > 0 && isfinite(amount)))
        return;
    const uint32_t node = t->node_of[link->target];
    if (!(t->sums[node] > 0))
        t->receivers[t->receiver_count++] = node;
    t->sums[node] += amount;
}

static ocelotl_status read_stream(traffic *t, uint32_t index)
{
    const ocelotl_trace *trace = t->catalogue->trace;
    const oc_stream *stream = &trace->streams[index];
    const oc_interval *link;
    const uint32_t attribute = oc_catalogue_bytes(t->catalogue, stream->event_type, NULL);
    if (stream->role != OC_ROLE_LINKS_OUT || stream->resource >= trace->resource_count ||
        (t->bytes && attribute == OCELOTL_NONE))
        return OCELOTL_OK;
    t->walk.sums = t->bytes;
    t->walk.attribute = attribute;
    OC_TRY(oc_walk_begin(&t->walk, index, INT64_MIN));
    OC_TRY(oc_walk_next_interval(&link, &t->walk));
    while (link != NULL) {
        add_link(t, link);
        OC_TRY(oc_walk_next_interval(&link, &t->walk));
    }
    for (uint32_t i = 0; i < t->receiver_count; i++) {
        OC_TRY(add_exchange(t, t->node_of[stream->resource], t->receivers[i],
                            t->sums[t->receivers[i]]));
        t->sums[t->receivers[i]] = 0;
    }
    t->receiver_count = 0;
    return OCELOTL_OK;
}

static ocelotl_status check_links(traffic *t)
{
    const ocelotl_trace *trace = t->catalogue->trace;
    bool any = false;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const oc_stream *stream = &trace->streams[s];
        if (stream->role != OC_ROLE_LINKS_OUT)
            continue;
        any = true;
        t->bytes =
            t->bytes || oc_catalogue_bytes(t->catalogue, stream->event_type, NULL) != OCELOTL_NONE;
    }
    return any ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: has no links, expected some for an order by traffic", trace->label);
}

static ocelotl_status read_links(traffic *t, const ocelotl_work *work)
{
    const ocelotl_trace *trace = t->catalogue->trace;
    OC_TRY(check_links(t));
    OC_TRY(oc_arena_allocate(&t->sums, &t->arena, t->arrangement->count, sizeof *t->sums));
    OC_TRY(
        oc_arena_allocate(&t->receivers, &t->arena, t->arrangement->count, sizeof *t->receivers));
    t->walk.reader.connection = oc_connection_of(t->catalogue->trace);
    t->watch.work = *work;
    t->watch.total = trace->stream_count;
    t->walk.reader.watch = &t->watch;
    t->walk.reader.asks = true;
    t->walk.to = INT64_MAX;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        t->watch.done = s;
        OC_TRY(oc_reader_ask(&t->walk.reader));
        OC_TRY(oc_fail_in_trace(trace, read_stream(t, s)));
    }
    return OCELOTL_OK;
}

/* --- Chains */

static int compare_siblings(const void *left, const void *right)
{
    const exchange *a = left;
    const exchange *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    if (a->second != b->second)
        return a->second < b->second ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Joins what siblings send to each other, both ways. */
static void join_exchanges(traffic *t)
{
    size_t kept = 0;
    if (t->count > 1)
        qsort(t->exchanges, t->count, sizeof *t->exchanges, compare_siblings);
    for (size_t i = 0; i < t->count; i++) {
        const exchange *is = &t->exchanges[i];
        if (kept > 0 && t->exchanges[kept - 1].first == is->first &&
            t->exchanges[kept - 1].second == is->second)
            t->exchanges[kept - 1].amount += is->amount;
        else
            t->exchanges[kept++] = *is;
    }
    t->count = kept;
    /* From here the order is by how far apart they are: of equal pairs the nearest come first. */
    for (size_t i = 0; i < kept; i++)
        t->exchanges[i].order = t->place[t->exchanges[i].second] - t->place[t->exchanges[i].first];
}

static int compare_amounts(const void *left, const void *right)
{
    const exchange *a = left;
    const exchange *b = right;
    if (a->amount != b->amount)
        return a->amount > b->amount ? -1 : 1;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return a->first != b->first ? (a->first < b->first ? -1 : 1)
                                : (a->second > b->second) - (a->second < b->second);
}

/* A node in a chain of siblings. */
typedef struct chained {
    uint32_t next[2]; /* its neighbours, OCELOTL_NONE: none yet */
    uint32_t of;      /* towards the node that stands for the chain */
    bool ranked;
} chained;

static uint32_t chain_of(chained *nodes, uint32_t node)
{
    while (nodes[node].of != node) {
        nodes[node].of = nodes[nodes[node].of].of;
        node = nodes[node].of;
    }
    return node;
}

static bool is_end(const chained *node)
{
    return node->next[1] == OCELOTL_NONE;
}

static void add_neighbour(chained *node, uint32_t other)
{
    node->next[node->next[0] != OCELOTL_NONE] = other;
}

/* The node behind one that was reached from another; OCELOTL_NONE at the end. */
static uint32_t next_of(const chained *nodes, uint32_t node, uint32_t from)
{
    return nodes[node].next[nodes[node].next[0] == from];
}

static uint32_t last_of(const chained *nodes, uint32_t node, uint32_t from)
{
    uint32_t next = next_of(nodes, node, from);
    while (next != OCELOTL_NONE) {
        from = node;
        node = next;
        next = next_of(nodes, node, from);
    }
    return node;
}

/* Ranks a chain from that of its ends that comes first. */
static void rank_chain(oc_arrangement *arrangement, chained *nodes, uint32_t node, uint32_t *rank)
{
    const uint32_t neighbour = nodes[node].next[0];
    const uint32_t one = last_of(nodes, node, neighbour);
    const uint32_t other = neighbour != OCELOTL_NONE ? last_of(nodes, neighbour, node) : node;
    uint32_t from = OCELOTL_NONE;
    uint32_t at = one < other ? one : other;
    while (at != OCELOTL_NONE) {
        const uint32_t next = next_of(nodes, at, from);
        arrangement->nodes[at].rank = (*rank)++;
        nodes[at].ranked = true;
        from = at;
        at = next;
    }
}

/* Chains stand in the order of their first members. */
static ocelotl_status rank_nodes(oc_arrangement *arrangement, traffic *t)
{
    chained *nodes;
    uint32_t rank = 0;
    join_exchanges(t);
    if (t->count > 1)
        qsort(t->exchanges, t->count, sizeof *t->exchanges, compare_amounts);
    OC_TRY(oc_arena_allocate(&nodes, &t->arena, arrangement->count, sizeof *nodes));
    for (uint32_t k = 0; k < arrangement->count; k++)
        nodes[k] = (chained){{OCELOTL_NONE, OCELOTL_NONE}, k, false};
    for (size_t i = 0; i < t->count; i++) {
        const uint32_t a = t->exchanges[i].first;
        const uint32_t b = t->exchanges[i].second;
        if (!is_end(&nodes[a]) || !is_end(&nodes[b]) || chain_of(nodes, a) == chain_of(nodes, b))
            continue;
        add_neighbour(&nodes[a], b);
        add_neighbour(&nodes[b], a);
        nodes[chain_of(nodes, a)].of = chain_of(nodes, b);
    }
    for (uint32_t k = 0; k < arrangement->count; k++)
        if (!nodes[k].ranked)
            rank_chain(arrangement, nodes, k, &rank);
    return OCELOTL_OK;
}

ocelotl_status oc_order_by_traffic(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                                   const ocelotl_work *work)
{
    traffic t = {.arrangement = arrangement, .catalogue = catalogue};
    ocelotl_status status = find_nodes(&t);
    if (status == OCELOTL_OK)
        status = measure_nodes(&t);
    if (status == OCELOTL_OK)
        status = read_links(&t, work);
    if (status == OCELOTL_OK)
        status = rank_nodes(arrangement, &t);
    oc_walk_free(&t.walk);
    oc_arena_free(&t.arena);
    return status;
}

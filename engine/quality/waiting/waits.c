/* The waits of all resources, in order. */
#include "quality/waiting/waits.h"

#include "base/file/bulk.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

static ocelotl_status add(oc_waiting *waiting, const oc_wait *wait)
{
    if (wait->begin >= wait->end || wait->resource == wait->cause)
        return OCELOTL_OK;
    OC_TRY(oc_bulk_grow(&waiting->waits, &waiting->capacity, waiting->count + 1,
                        sizeof *waiting->waits));
    waiting->waits[waiting->count++] = *wait;
    return OCELOTL_OK;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* --- Messages. Of several that end a state, the one that is sent last is waited for. */

static ocelotl_status find_late_senders(oc_waiting *waiting, const oc_edges *edges,
                                        uint32_t resource)
{
    const oc_blocking *state = NULL;
    const oc_message *last = NULL;
    for (size_t i = edges->first_received[resource]; i <= edges->first_received[resource + 1];
         i++) {
        const oc_message *message =
            i < edges->first_received[resource + 1] ? &edges->messages[i] : NULL;
        const oc_blocking *next =
            message != NULL ? oc_edges_state_at(edges, resource, message->received, message->is)
                            : NULL;
        if (state != NULL && next != state)
            OC_TRY(add(waiting, &(oc_wait){.begin = state->begin,
                                           .end = last->sent,
                                           .resumed = last->received,
                                           .resource = resource,
                                           .cause = last->source,
                                           .value = state->value,
                                           .kind = OC_WAIT_LATE_SENDER}));
        if (next != NULL && (next != state || message->sent >= last->sent))
            last = message;
        state = next;
    }
    return OCELOTL_OK;
}

/* A sender waits if it is still sending when the receiver begins to receive. */
static ocelotl_status find_late_receivers(oc_waiting *waiting, const oc_edges *edges,
                                          uint32_t resource)
{
    for (size_t i = edges->first_sent[resource]; i < edges->first_sent[resource + 1]; i++) {
        const oc_message *message = &edges->sent[i];
        if (message->is != OC_AWAITS_MESSAGE)
            continue;
        const oc_blocking *sends =
            oc_edges_state_at(edges, resource, message->sent + 1, OC_AWAITS_RECEIVER);
        const oc_blocking *receives =
            sends != NULL
                ? oc_edges_state_at(edges, message->target, message->received, message->is)
                : NULL;
        if (receives != NULL && receives->begin <= sends->end)
            OC_TRY(add(waiting, &(oc_wait){.begin = sends->begin,
                                           .end = receives->begin,
                                           .resumed = receives->begin,
                                           .resource = resource,
                                           .cause = message->target,
                                           .value = sends->value,
                                           .kind = OC_WAIT_LATE_RECEIVER}));
    }
    return OCELOTL_OK;
}

/* --- Collective operations */

/* The last that the others wait for; NULL: nobody. */
static const oc_participant *find_last(const oc_collective *one, const oc_participant *members)
{
    const oc_participant *last = NULL;
    for (size_t i = 0; i < one->count; i++) {
        const bool counts = one->kind == OC_ONE_TO_ALL ? members[i].is_root : members[i].gives;
        if (counts && (last == NULL || members[i].enter > last->enter))
            last = &members[i];
    }
    return last;
}

static bool waits(const oc_collective *one, const oc_participant *member)
{
    return one->kind == OC_ALL_TO_ALL   ? true
           : one->kind == OC_ONE_TO_ALL ? member->takes
                                        : member->is_root;
}

/* Where somebody does not wait for the last, it is no operation that waits, or clocks differ. */
static ocelotl_status add_collective(oc_waiting *waiting, const oc_edges *edges, size_t index)
{
    const oc_collective *one = &edges->collectives.items[index];
    const oc_participant *members = &edges->collectives.participants[one->first];
    const oc_participant *last = find_last(one, members);
    for (size_t i = 0; last != NULL && i < one->count; i++)
        if (waits(one, &members[i]) && members[i].leave < last->enter)
            last = NULL;
    waiting->unawaited += last == NULL;
    for (size_t i = 0; last != NULL && i < one->count; i++)
        if (waits(one, &members[i]))
            OC_TRY(add(waiting, &(oc_wait){.begin = members[i].enter,
                                           .end = last->enter,
                                           .resumed = last->enter,
                                           .resource = members[i].resource,
                                           .cause = last->resource,
                                           .value = members[i].value,
                                           .kind = OC_WAIT_COLLECTIVE}));
    return OCELOTL_OK;
}

/* --- In order */

static int compare_waits(const void *left, const void *right)
{
    const oc_wait *a = left;
    const oc_wait *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return (a->cause > b->cause) - (a->cause < b->cause);
}

/* Of waits that overlap, as those of two messages may, the first takes what both have. */
static ocelotl_status put_apart(oc_waiting *waiting)
{
    size_t kept = 0;
    OC_TRY(oc_bulk_sort(waiting->waits, waiting->count, sizeof *waiting->waits, compare_waits));
    for (size_t i = 0; i < waiting->count; i++) {
        oc_wait wait = waiting->waits[i];
        const oc_wait *before = kept > 0 ? &waiting->waits[kept - 1] : NULL;
        if (before != NULL && before->resource == wait.resource && wait.begin < before->end)
            wait.begin = before->end;
        if (wait.begin < wait.end)
            waiting->waits[kept++] = wait;
    }
    waiting->count = kept;
    return OCELOTL_OK;
}

static ocelotl_status index_waits(oc_waiting *waiting, uint32_t resources)
{
    OC_TRY(oc_allocate(&waiting->first, (size_t)resources + 1, sizeof *waiting->first));
    for (size_t i = 0; i < waiting->count; i++)
        waiting->first[waiting->waits[i].resource + 1]++;
    for (uint32_t r = 0; r < resources; r++)
        waiting->first[r + 1] += waiting->first[r];
    return OCELOTL_OK;
}

/* --- When the two last met */

/* The last message from one resource to another that was sent and received by then; NULL: none.
 * Those that are still on their way are passed over. */
static const oc_message *find_message(const oc_edges *edges, uint32_t source, uint32_t target,
                                      int64_t sent, int64_t received)
{
    const size_t first = edges->first_sent[source];
    size_t low = first;
    for (size_t high = edges->first_sent[source + 1]; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const oc_message *message = &edges->sent[middle];
        if (message->target < target || (message->target == target && message->sent <= sent))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low > first && edges->sent[low - 1].target == target; low--)
        if (edges->sent[low - 1].received <= received)
            return &edges->sent[low - 1];
    return NULL;
}

/* A place in a collective operation in which all wait for all. */
typedef struct membership {
    int64_t leave;
    uint32_t resource;
    size_t operation;
} membership;

typedef struct memberships {
    membership *all; /* by resource, then as they are left */
    size_t count;
} memberships;

static int compare_memberships(const void *left, const void *right)
{
    const membership *a = left;
    const membership *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    return (a->leave > b->leave) - (a->leave < b->leave);
}

static ocelotl_status list_memberships(memberships *list, const oc_collectives *collectives)
{
    OC_TRY(oc_bulk_allocate(&list->all, collectives->participant_count, sizeof *list->all));
    for (size_t k = 0; k < collectives->count; k++) {
        const oc_collective *one = &collectives->items[k];
        for (size_t i = 0; one->kind == OC_ALL_TO_ALL && i < one->count; i++) {
            const oc_participant *member = &collectives->participants[one->first + i];
            list->all[list->count++] = (membership){member->leave, member->resource, k};
        }
    }
    return oc_bulk_sort(list->all, list->count, sizeof *list->all, compare_memberships);
}

/* The last operation that a resource left by then; NULL: none. */
static const membership *find_left(const memberships *list, uint32_t resource, int64_t time)
{
    const membership wanted = {.resource = resource, .leave = time};
    size_t low = 0;
    for (size_t high = list->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (compare_memberships(&list->all[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && list->all[low - 1].resource == resource ? &list->all[low - 1] : NULL;
}

static const oc_participant *find_member(const oc_collectives *collectives, size_t operation,
                                         uint32_t resource)
{
    const oc_collective *one = &collectives->items[operation];
    const oc_participant *members = &collectives->participants[one->first];
    size_t low = 0;
    for (size_t high = one->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (members[middle].resource < resource)
            low = middle + 1;
        else
            high = middle;
    }
    return low < one->count && members[low].resource == resource ? &members[low] : NULL;
}

static void meet(oc_wait *wait, int64_t here, int64_t there)
{
    if (here >= wait->met_here && there <= wait->end) {
        wait->met_here = here;
        wait->met_there = there;
    }
}

static void find_meeting(oc_wait *wait, const oc_edges *edges, const memberships *list,
                         const ocelotl_trace *trace)
{
    const oc_message *to = find_message(edges, wait->resource, wait->cause, wait->begin, wait->end);
    const oc_message *from =
        find_message(edges, wait->cause, wait->resource, wait->begin, wait->begin);
    const membership *left = find_left(list, wait->resource, wait->begin);
    const oc_participant *other =
        left != NULL ? find_member(&edges->collectives, left->operation, wait->cause) : NULL;
    wait->met_here = least(trace->resources[wait->resource].begin, wait->begin);
    wait->met_there = least(trace->resources[wait->cause].begin, wait->end);
    if (to != NULL)
        meet(wait, to->sent, to->received);
    if (from != NULL)
        meet(wait, from->received, from->sent);
    if (other != NULL)
        meet(wait, left->leave, other->leave);
}

static ocelotl_status find_waits(oc_waiting *waiting, memberships *list, const oc_edges *edges,
                                 const ocelotl_trace *trace)
{
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        OC_TRY(find_late_senders(waiting, edges, r));
        OC_TRY(find_late_receivers(waiting, edges, r));
    }
    for (size_t i = 0; i < edges->collectives.count; i++)
        OC_TRY(add_collective(waiting, edges, i));
    OC_TRY(put_apart(waiting));
    OC_TRY(index_waits(waiting, trace->resource_count));
    OC_TRY(list_memberships(list, &edges->collectives));
    for (size_t i = 0; i < waiting->count; i++)
        find_meeting(&waiting->waits[i], edges, list, trace);
    return OCELOTL_OK;
}

static ocelotl_status find(oc_waiting *waiting, ocelotl_trace *trace, const ocelotl_work *work)
{
    oc_edges edges = {0};
    memberships list = {0};
    ocelotl_status status = oc_edges_read(&edges, trace, work);
    if (status == OCELOTL_OK)
        status = find_waits(waiting, &list, &edges, trace);
    waiting->messages = edges.message_count;
    waiting->collectives = edges.collectives.count;
    waiting->wrong = edges.wrong;
    waiting->left_out = edges.collectives.left_out;
    edges.collectives.left_out = NULL;
    const uint32_t last = edges.last;
    oc_bulk_free(list.all);
    oc_edges_free(&edges);
    if (status == OCELOTL_OK)
        status = oc_delays_find(waiting, trace->resource_count);
    return status == OCELOTL_OK ? oc_waiting_find_path(waiting, trace, last) : status;
}

static void release(void *found)
{
    oc_waiting *waiting = found;
    oc_bulk_free(waiting->waits);
    free(waiting->first);
    oc_bulk_free(waiting->delays);
    oc_bulk_free(waiting->path);
    free(waiting->left_out);
    free(waiting);
}

ocelotl_status oc_waiting_of(const oc_waiting **waiting, ocelotl_trace *trace,
                             const ocelotl_work *work)
{
    oc_waiting *made = NULL;
    *waiting = trace->waiting.found;
    if (*waiting != NULL)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    const ocelotl_status status = find(made, trace, work);
    if (status != OCELOTL_OK) {
        release(made);
        return status;
    }
    trace->waiting = (oc_kept_find){made, release};
    *waiting = made;
    return OCELOTL_OK;
}

ocelotl_status oc_waiting_of_path(const oc_waiting **waiting, ocelotl_trace *trace,
                                  const ocelotl_work *work)
{
    OC_TRY(oc_waiting_of(waiting, trace, work));
    if ((*waiting)->wrong > 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: %" PRIu64 " messages end before they begin, expected none on the way "
                       "to a critical path; ocelotl-cli clocks sets clocks right",
                       trace->label, (*waiting)->wrong);
    if ((*waiting)->messages + (*waiting)->collectives == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s: has no message or collective operation for a critical path",
                       trace->label);
    return OCELOTL_OK;
}

bool oc_waiting_is_collective(const char *state)
{
    return oc_collective_has_usual_name(state);
}

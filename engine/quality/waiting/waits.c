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

static int64_t latest(int64_t a, int64_t b)
{
    return a > b ? a : b;
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

/* A sender waits if it is still sending when the receiver begins to receive: there they meet. */
static ocelotl_status find_late_receivers(oc_waiting *waiting, oc_edges *edges, uint32_t resource)
{
    for (size_t i = edges->first_sent[resource]; i < edges->first_sent[resource + 1]; i++) {
        oc_sending *sending = &edges->sent[i];
        const oc_message *message = &edges->messages[sending->message];
        if (message->is != OC_AWAITS_MESSAGE)
            continue;
        const oc_blocking *sends =
            oc_edges_state_at(edges, resource, message->sent + 1, OC_AWAITS_RECEIVER);
        const oc_blocking *receives =
            sends != NULL
                ? oc_edges_state_at(edges, message->target, message->received, message->is)
                : NULL;
        if (receives == NULL || receives->begin > sends->end)
            continue;
        sending->met = latest(sending->met, receives->begin);
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

/* A place in an operation in which all wait for all. */
typedef struct membership {
    int64_t left, met; /* when all had entered; also of those in the same row before */
    uint32_t resource, row;
    size_t operation;
} membership;

typedef struct memberships {
    membership *all; /* by resource, then row, then as they are left */
    size_t count;
    uint64_t unawaited; /* operations of the row */
} memberships;

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

static ocelotl_status add_collective(oc_waiting *waiting, memberships *list, const oc_edges *edges,
                                     size_t index)
{
    const oc_collective *one = &edges->collectives.items[index];
    const oc_participant *members = &edges->collectives.participants[one->first];
    const oc_participant *last = find_last(one, members);
    for (size_t i = 0; last != NULL && i < one->count; i++)
        if (waits(one, &members[i]) && members[i].leave < last->enter)
            last = NULL;
    list->unawaited += last == NULL;
    for (size_t i = 0; last != NULL && i < one->count; i++) {
        if (one->kind == OC_ALL_TO_ALL)
            list->all[list->count++] =
                (membership){members[i].leave, last->enter, members[i].resource, one->row, index};
        if (waits(one, &members[i]))
            OC_TRY(add(waiting, &(oc_wait){.begin = members[i].enter,
                                           .end = last->enter,
                                           .resumed = last->enter,
                                           .resource = members[i].resource,
                                           .cause = last->resource,
                                           .value = members[i].value,
                                           .kind = OC_WAIT_COLLECTIVE}));
    }
    return OCELOTL_OK;
}

/* Where somebody does not wait for the last, it is no operation that waits, or clocks differ. */
static ocelotl_status add_collectives(oc_waiting *waiting, memberships *list, oc_edges *edges,
                                      const ocelotl_trace *trace)
{
    oc_collectives *all = &edges->collectives;
    OC_TRY(oc_bulk_allocate(&list->all, all->participant_count, sizeof *list->all));
    for (size_t i = 0; i < all->count; i++) {
        const uint32_t value = all->participants[all->items[i].first].value;
        OC_TRY(add_collective(waiting, list, edges, i));
        if (i + 1 < all->count && all->items[i + 1].row == all->items[i].row)
            continue;
        if (list->unawaited > 0)
            OC_TRY(oc_collectives_leave_out(all, trace->values[value].name, list->unawaited,
                                            "somebody leaves before the last one enters"));
        waiting->collectives -= list->unawaited;
        list->unawaited = 0;
    }
    waiting->collectives += all->count;
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

/* --- When the two last met: at one instant, which is that at which the one that could go on first
 * did. What was sent long ago and is read late says nothing of the reader. */

static int compare_memberships(const void *left, const void *right)
{
    const membership *a = left;
    const membership *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return (a->left > b->left) - (a->left < b->left);
}

/* What met later counts, wherever it is in the order. */
static ocelotl_status order_meetings(oc_edges *edges, memberships *list)
{
    for (size_t i = 1; i < edges->message_count; i++) {
        const oc_sending *before = &edges->sent[i - 1];
        oc_sending *sending = &edges->sent[i];
        if (edges->messages[before->message].source == edges->messages[sending->message].source &&
            before->target == sending->target)
            sending->met = latest(before->met, sending->met);
    }
    OC_TRY(oc_bulk_sort(list->all, list->count, sizeof *list->all, compare_memberships));
    for (size_t i = 1; i < list->count; i++) {
        const membership *before = &list->all[i - 1];
        if (before->resource == list->all[i].resource && before->row == list->all[i].row)
            list->all[i].met = latest(before->met, list->all[i].met);
    }
    return OCELOTL_OK;
}

/* When a resource last sent another one what had been received by then; INT64_MIN: never. */
static int64_t find_sent(const oc_edges *edges, uint32_t source, uint32_t target, int64_t time)
{
    const size_t first = edges->first_sent[source];
    size_t low = first;
    for (size_t high = edges->first_sent[source + 1]; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const oc_sending *sending = &edges->sent[middle];
        if (sending->target < target ||
            (sending->target == target && edges->messages[sending->message].received <= time))
            low = middle + 1;
        else
            high = middle;
    }
    return low > first && edges->sent[low - 1].target == target ? edges->sent[low - 1].met
                                                                : INT64_MIN;
}

/* Where memberships begin that are behind one. */
static size_t find_behind(const memberships *list, uint32_t resource, uint32_t row, int64_t time)
{
    const membership wanted = {.resource = resource, .row = row, .left = time};
    size_t low = 0;
    for (size_t high = list->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (compare_memberships(&list->all[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_member(const oc_collectives *collectives, size_t operation, uint32_t resource)
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
    return low < one->count && members[low].resource == resource;
}

/* Looks at the last operation of each row that the one that waits had left. */
static int64_t find_all_met(const memberships *list, const oc_collectives *collectives,
                            const oc_wait *wait)
{
    int64_t met = INT64_MIN;
    const size_t end = find_behind(list, wait->resource, UINT32_MAX, INT64_MAX);
    size_t at = find_behind(list, wait->resource, 0, INT64_MIN);
    if (find_behind(list, wait->cause, 0, INT64_MIN) ==
        find_behind(list, wait->cause, UINT32_MAX, INT64_MAX))
        return met;
    while (at < end) {
        const uint32_t row = list->all[at].row;
        const size_t behind = find_behind(list, wait->resource, row, wait->begin);
        if (behind > at && is_member(collectives, list->all[behind - 1].operation, wait->cause))
            met = latest(met, list->all[behind - 1].met);
        at = find_behind(list, wait->resource, row, INT64_MAX);
    }
    return met;
}

static void find_meeting(oc_wait *wait, const oc_edges *edges, const memberships *list,
                         const ocelotl_trace *trace)
{
    const int64_t to = find_sent(edges, wait->resource, wait->cause, wait->begin);
    const int64_t from = find_sent(edges, wait->cause, wait->resource, wait->begin);
    const int64_t met = latest(latest(to, from), find_all_met(list, &edges->collectives, wait));
    const int64_t begin = trace->resources[wait->resource].begin;
    wait->met_here = met > begin ? met : least(begin, wait->begin);
    wait->met_there = met > begin ? met : least(trace->resources[wait->cause].begin, wait->end);
}

static ocelotl_status find_waits(oc_waiting *waiting, memberships *list, oc_edges *edges,
                                 const ocelotl_trace *trace, const oc_reader *asker)
{
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        OC_TRY(oc_reader_ask(asker));
        OC_TRY(find_late_senders(waiting, edges, r));
        OC_TRY(find_late_receivers(waiting, edges, r));
    }
    for (size_t i = 0; i < edges->idle_count; i++)
        OC_TRY(add(waiting, &edges->idle[i]));
    OC_TRY(add_collectives(waiting, list, edges, trace));
    OC_TRY(put_apart(waiting));
    OC_TRY(index_waits(waiting, trace->resource_count));
    OC_TRY(order_meetings(edges, list));
    for (size_t i = 0; i < waiting->count; i++) {
        OC_TRY(oc_ask_at(asker, i));
        find_meeting(&waiting->waits[i], edges, list, trace);
    }
    return OCELOTL_OK;
}

static ocelotl_status find(oc_waiting *waiting, ocelotl_trace *trace, const ocelotl_work *work)
{
    oc_watch watch = {.work = *work};
    const oc_reader asker = {.connection = oc_connection_of(trace), .watch = &watch, .asks = true};
    oc_edges edges = {0};
    memberships list = {0};
    ocelotl_status status = oc_edges_read(&edges, trace, &watch);
    if (status == OCELOTL_OK)
        status = find_waits(waiting, &list, &edges, trace, &asker);
    waiting->messages = edges.message_count;
    waiting->wrong = edges.wrong;
    waiting->left_out = edges.collectives.left_out;
    waiting->left_out_count = edges.collectives.left_out_count;
    edges.collectives.left_out = NULL;
    const uint32_t last = edges.last;
    oc_bulk_free(list.all);
    oc_edges_free(&edges);
    if (status == OCELOTL_OK)
        status = oc_delays_find(waiting, trace->resource_count, &asker);
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
    ocelotl_status status = find(made, trace, work);
    if (status == OCELOTL_OK && made->messages + made->collectives + made->wrong == 0)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: has no message or collective operation to wait for%s%s", trace->label,
                         made->left_out != NULL ? "; left out: " : "",
                         made->left_out != NULL ? made->left_out : "");
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
    return OCELOTL_OK;
}

bool oc_waiting_is_collective(const char *state, bool rooted)
{
    const oc_collective_kind usual = oc_collective_usual_kind(state);
    return rooted ? usual == OC_ONE_TO_ALL || usual == OC_ALL_TO_ONE
                  : usual == OC_ALL_TO_ALL || oc_collective_kind_of(state) != OC_COLLECTIVE_NONE;
}

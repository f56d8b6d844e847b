#include "quality/perturbation/acts.h"

#include "base/file/bulk.h"
#include "base/plain.h"
#include "store/read/walk.h"
#include "store/select/filter.h"
#include "store/select/resources.h"

#include <math.h>
#include <string.h>

static ocelotl_status add_act(ocelotl_perturbation *p, uint32_t thread, oc_act act)
{
    oc_thread *of = &p->threads[thread];
    if (of->end >= UINT32_MAX || p->transfer_count >= UINT32_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: more than 2^32 events of one thread, or messages",
                       p->trace->label);
    OC_TRY(oc_bulk_grow(&of->acts, &of->act_capacity, of->end + 1, sizeof *of->acts));
    of->acts[of->end++] = act;
    return OCELOTL_OK;
}

/* --- What records cost, and what is asked of states */

/* Whether an event type is of messages, or else of what has records. */
static bool concerns(const ocelotl_perturbation *p, uint32_t event_type, bool links)
{
    const ocelotl_category category = p->trace->event_types[event_type].category;
    return links ? category == OCELOTL_LINK && oc_is_selected(p->event_types, event_type)
                 : category == OCELOTL_STATE || category == OCELOTL_EVENT;
}

static ocelotl_status spread_one(double *numbers, const ocelotl_trace *trace, const bool *readable,
                                 const ocelotl_named_number *one)
{
    oc_type_filter filter = {0};
    const ocelotl_selection selection = {.only = {&one->pattern, one->pattern != NULL}};
    const ocelotl_status status = oc_type_filter_make(&filter, trace, readable, &selection);
    for (uint32_t v = 0; v < trace->value_count && status == OCELOTL_OK; v++)
        if (filter.values[v])
            numbers[v] = one->number;
    for (uint32_t e = 0; e < trace->event_type_count && status == OCELOTL_OK; e++)
        if (filter.event_types[e])
            numbers[trace->value_count + e] = one->number;
    oc_type_filter_free(&filter);
    return status;
}

/* Gives each value, and behind all each event type, the number of the last pattern for it. */
static ocelotl_status spread(double **numbers, ocelotl_perturbation *p, bool links,
                             const ocelotl_named_numbers *named, double unsaid)
{
    bool *readable = NULL;
    const ocelotl_trace *trace = p->trace;
    const size_t count = (size_t)trace->value_count + trace->event_type_count;
    OC_TRY(oc_arena_allocate(numbers, &p->arena, count, sizeof **numbers));
    OC_TRY(oc_arena_allocate(&readable, &p->arena, trace->event_type_count, sizeof *readable));
    for (size_t i = 0; i < count; i++)
        (*numbers)[i] = unsaid;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        readable[e] = concerns(p, e, links);
    for (size_t i = 0; i < named->count; i++)
        OC_TRY(spread_one(*numbers, trace, readable, &named->items[i]));
    return OCELOTL_OK;
}

/* Finds an attribute where it is known by event type. */
static ocelotl_status find_attribute(uint32_t *found, const ocelotl_perturbation *p, bool links,
                                     const char *name, bool needed)
{
    bool any = name == NULL || !needed;
    for (uint32_t e = 0; name != NULL && e < p->trace->event_type_count; e++)
        if (concerns(p, e, links)) {
            found[e] = oc_catalogue_bytes(&p->catalogue, e, name);
            any = any || found[e] != OCELOTL_NONE;
        }
    return any ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: no %s carries \"%s\"", p->trace->label,
                         links ? "link" : "state or event", name);
}

static ocelotl_status find_numbers(ocelotl_perturbation *p)
{
    bool found;
    const uint32_t types = p->trace->event_type_count;
    const ocelotl_perturbation_options *options = &p->options;
    char at_end[256] = ""; /* as importers call what the begin carries, too */
    if (options->cost_attribute != NULL)
        oc_plain_print(at_end, sizeof at_end, "end_%s", options->cost_attribute);
    OC_TRY(oc_arena_allocate(&p->talks, &p->arena, p->trace->value_count, sizeof *p->talks));
    OC_TRY(spread(&p->cost_of, p, false, &options->costs, 0));
    OC_TRY(spread(&p->time_of, p, false, &options->times, -1));
    OC_TRY(spread(&p->model_of, p, true, &options->models, -1));
    OC_TRY(oc_arena_allocate(&p->costs, &p->arena, types, sizeof *p->costs));
    OC_TRY(oc_arena_allocate(&p->carried, &p->arena, types, sizeof *p->carried));
    for (uint32_t e = 0; e < types; e++)
        p->costs[e] = p->carried[e] = OCELOTL_NONE;
    OC_TRY(find_attribute(p->costs, p, false, options->cost_attribute, true));
    OC_TRY(find_attribute(p->carried, p, false, at_end, false));
    OC_TRY(find_attribute(p->carried, p, true, options->arrived, true));
    return oc_catalogue_find_bytes(&p->bytes, &found, &p->catalogue, p->event_types,
                                   options->attribute, options->attribute != NULL);
}

/* --- Streams */

typedef struct reading {
    ocelotl_perturbation *p;
    oc_walk walk;
    double tick;
    uint32_t operation; /* the event type of those from one to all that are read */
} reading;

static uint32_t thread_of(const ocelotl_perturbation *p, uint32_t resource)
{
    return resource < p->trace->resource_count ? p->groups.group_of[resource] : p->groups.count;
}

static size_t number_of(const ocelotl_perturbation *p, uint32_t type, uint32_t value)
{
    return value < p->trace->value_count ? value : (size_t)p->trace->value_count + type;
}

/* What an event says of its cost is in seconds. */
static double cost_of(const reading *r, uint32_t value, double said)
{
    return said > 0 ? said / r->tick
                    : r->p->cost_of[number_of(r->p, r->walk.stream->event_type, value)];
}

/* What a state says of the cost of its end, or a link of whether it was there: importers may write
 * it at the begin. Not a number: nothing. */
static double find_carried(const reading *r, const oc_interval *interval)
{
    static const char *const truths[] = {"false", "true", "False", "True"};
    const uint32_t attribute = r->p->carried[r->walk.stream->event_type];
    const oc_records *records = &r->walk.reader.records;
    const size_t begins = interval->begins != NULL ? interval->begins->count : 0;
    for (uint32_t i = 0; r->walk.carries && i < begins + interval->ends->attribute_count; i++) {
        double number;
        const ocelotl_attribute_value is =
            i < begins ? interval->begins->values[i]
                       : oc_record_attribute_at(records, interval->ends, (uint32_t)(i - begins));
        if (is.attribute != attribute)
            continue;
        if (oc_bytes_are_number(&number, is.text, is.length))
            return number;
        for (size_t k = 0; k < sizeof truths / sizeof truths[0]; k++)
            if (strlen(truths[k]) == is.length && memcmp(truths[k], is.text, is.length) == 0)
                return (double)(k % 2);
    }
    return (double)NAN;
}

/* Adds up how long threads run, and how long they wait for a CPU, as kernel traces name it. */
static void count_turns(reading *r, const oc_interval *state)
{
    const ocelotl_trace *trace = r->p->trace;
    ocelotl_perturbation_info *info = &r->p->info;
    const char *type = trace->event_types[r->walk.stream->event_type].name;
    if (state->value >= trace->value_count || strcmp(type, "Thread state") != 0)
        return;
    const char *name = trace->values[state->value].name;
    const double length = oc_between(state->begin, state->end);
    info->running += strcmp(name, "running") == 0 ? length : 0;
    info->ready += strcmp(name, "ready") == 0 ? length : 0;
}

static ocelotl_status read_states(reading *r, uint32_t thread)
{
    const oc_interval *state;
    const bool both = !r->p->options.ends_alone;
    OC_TRY(oc_walk_next_interval(&state, &r->walk));
    while (state != NULL) {
        count_turns(r, state);
        const double ended = state->ended + fmax(0, find_carried(r, state)); /* not a number: 0 */
        oc_act act = {.time = state->begin,
                      .cost = both ? cost_of(r, state->value, state->begun) : 0,
                      .of = state->value,
                      .at_once = state->begin == state->end,
                      .kind = OC_ACT_BEGINS};
        OC_TRY(add_act(r->p, thread, act));
        act.time = state->end;
        act.cost = cost_of(r, state->value, ended + (both ? 0 : state->begun));
        act.kind = OC_ACT_ENDS;
        OC_TRY(add_act(r->p, thread, act));
        OC_TRY(oc_walk_next_interval(&state, &r->walk));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_instants(reading *r, uint32_t thread)
{
    const oc_record *record;
    OC_TRY(oc_walk_next_instant(&record, &r->walk));
    while (record != NULL) {
        const uint32_t attribute = r->walk.attribute;
        const double said = oc_record_number(&r->walk.reader.records, record, attribute);
        OC_TRY(add_act(r->p, thread,
                       (oc_act){.time = record->time,
                                .cost = cost_of(r, record->value, said),
                                .kind = OC_ACT_INSTANT}));
        OC_TRY(oc_walk_next_instant(&record, &r->walk));
    }
    return OCELOTL_OK;
}

static uint64_t class_of(const ocelotl_perturbation *p, uint32_t source, uint32_t target)
{
    const uint32_t *resources = p->groups.resources;
    if (p->options.transit == OCELOTL_TRANSIT_PAIRS)
        return OC_CLASS_OF_PAIRS + (uint64_t)source * p->groups.count + target;
    const uint32_t common = oc_resource_common(p->trace, resources[source], resources[target]);
    return common != OCELOTL_ROOT ? (uint64_t)p->trace->resources[common].type + 1 : 0;
}

static ocelotl_status add_transfer(ocelotl_perturbation *p, oc_transfer transfer, uint64_t class,
                                   double bytes)
{
    const uint32_t message = (uint32_t)p->transfer_count;
    transfer.parked = OCELOTL_NONE;
    OC_TRY(oc_route_find(&transfer.route, p, class, bytes));
    transfer.copying = transfer.route;
    p->routes[transfer.route].is.messages++;
    OC_TRY(oc_bulk_grow(&p->transfers, &p->transfer_capacity, p->transfer_count + 1,
                        sizeof *p->transfers));
    p->transfers[p->transfer_count++] = transfer;
    p->info.messages++;
    OC_TRY(add_act(p, transfer.source,
                   (oc_act){.time = transfer.sent, .of = message, .kind = OC_ACT_SENDS}));
    return add_act(p, transfer.target,
                   (oc_act){.time = transfer.received, .of = message, .kind = OC_ACT_ARRIVES});
}

static ocelotl_status read_links(reading *r, uint32_t thread)
{
    const oc_interval *link;
    ocelotl_perturbation *p = r->p;
    OC_TRY(oc_walk_next_interval(&link, &r->walk));
    while (link != NULL) {
        const uint32_t target = thread_of(p, link->target);
        const double bytes = link->begun + link->ended;
        const double model = p->model_of[number_of(p, r->walk.stream->event_type, link->value)];
        const bool waits =
            model < 0 ? p->options.rendezvous_above > 0 && bytes > p->options.rendezvous_above
                      : model > 0;
        const double there = find_carried(r, link);
        const bool wrong = link->target != OCELOTL_NONE && link->end < link->begin;
        p->info.wrong += wrong;
        if (target < p->groups.count && target != thread)
            OC_TRY(add_transfer(
                p,
                (oc_transfer){.sent = link->begin,
                              .received = link->end,
                              .returns = INT64_MIN,
                              .source = thread,
                              .target = target,
                              .flags = (waits ? OC_RENDEZVOUS : 0U) | (there == 0  ? OC_CAME_LATE
                                                                       : there > 0 ? OC_IS_THERE
                                                                                   : 0U)},
                class_of(p, thread, target), isfinite(bytes) && bytes > 0 ? bytes : 0));
        OC_TRY(oc_walk_next_interval(&link, &r->walk));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_stream(reading *r, uint32_t s)
{
    ocelotl_perturbation *p = r->p;
    const oc_stream *stream = &p->trace->streams[s];
    const uint32_t thread = thread_of(p, stream->resource);
    const bool links = stream->role == OC_ROLE_LINKS_OUT;
    if (thread >= p->groups.count ||
        (!links && stream->role != OC_ROLE_STATES && stream->role != OC_ROLE_EVENTS))
        return OCELOTL_OK;
    if (links && !oc_is_selected(p->event_types, stream->event_type))
        return OCELOTL_OK;
    r->walk.to = INT64_MAX;
    r->walk.attribute = links ? p->bytes[stream->event_type] : p->costs[stream->event_type];
    r->walk.sums = r->walk.attribute != OCELOTL_NONE;
    r->walk.carries = p->carried[stream->event_type] != OCELOTL_NONE;
    OC_TRY(oc_walk_begin(&r->walk, s, INT64_MIN));
    return links                            ? read_links(r, thread)
           : stream->role == OC_ROLE_STATES ? read_states(r, thread)
                                            : read_instants(r, thread);
}

static ocelotl_status read_streams(reading *r)
{
    const ocelotl_trace *trace = r->p->trace;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (oc_is_selected(r->p->event_types, e))
            r->p->info.unmatched += trace->event_types[e].unmatched;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        r->walk.reader.watch->done = s;
        OC_TRY(oc_reader_ask(&r->walk.reader));
        OC_TRY(read_stream(r, s));
    }
    return OCELOTL_OK;
}

/* --- Operations of several */

static ocelotl_status add_from_root(void *context, const oc_participant *first,
                                    const oc_participant *waits)
{
    const reading *r = context;
    ocelotl_perturbation *p = r->p;
    return add_transfer(p,
                        (oc_transfer){.sent = first->enter,
                                      .received = waits->leave,
                                      .returns = INT64_MIN,
                                      .source = thread_of(p, first->resource),
                                      .target = thread_of(p, waits->resource)},
                        OC_CLASS_OF_OPERATIONS + r->operation, 0);
}

/* Whether nobody leaves an operation before those came that it waits for; and each is a thread. */
static bool is_whole(const ocelotl_perturbation *p, const oc_collective *one)
{
    int64_t last = INT64_MIN;
    bool rooted = one->kind == OC_ALL_TO_ALL;
    const oc_participant *members = &p->collectives.participants[one->first];
    for (size_t i = 0; i < one->count; i++) {
        rooted = rooted || members[i].is_root;
        if (one->kind == OC_ONE_TO_ALL ? members[i].is_root : members[i].gives)
            last = members[i].enter > last ? members[i].enter : last;
    }
    for (size_t i = 0; i < one->count; i++) {
        const bool waits = one->kind == OC_ALL_TO_ALL ||
                           (one->kind == OC_ALL_TO_ONE ? members[i].is_root : members[i].takes);
        if ((waits && members[i].leave < last) ||
            thread_of(p, members[i].resource) >= p->groups.count)
            return false;
    }
    return rooted;
}

static ocelotl_status add_meeting(ocelotl_perturbation *p, const oc_collective *one)
{
    const uint32_t of = (uint32_t)p->meeting_count;
    oc_meeting *meeting = &p->meetings[p->meeting_count++];
    *meeting = (oc_meeting){.first = INT64_MIN, .last = -INFINITY, .parked = OCELOTL_NONE};
    for (size_t i = 0; i < one->count; i++) {
        const oc_participant *member = &p->collectives.participants[one->first + i];
        const uint32_t thread = thread_of(p, member->resource);
        const bool waits = one->kind == OC_ALL_TO_ALL || member->is_root;
        oc_act act = {.time = member->enter,
                      .of = of,
                      .at_once = member->enter == member->leave,
                      .kind = OC_ACT_ENTERS};
        meeting->members += member->gives || member->is_root;
        if (member->gives || member->is_root)
            OC_TRY(add_act(p, thread, act));
        act.time = member->leave;
        act.kind = OC_ACT_LEAVES;
        if (waits)
            OC_TRY(add_act(p, thread, act));
    }
    return OCELOTL_OK;
}

static ocelotl_status add_operations(reading *r)
{
    ocelotl_perturbation *p = r->p;
    OC_TRY(oc_arena_allocate(&p->meetings, &p->arena, p->collectives.count, sizeof *p->meetings));
    for (size_t i = 0; i < p->collectives.count; i++) {
        const oc_collective *one = &p->collectives.items[i];
        if (!is_whole(p, one)) {
            p->info.broken++;
            continue;
        }
        r->operation = one->event_type;
        if (one->kind == OC_ONE_TO_ALL)
            OC_TRY(oc_collective_pairs(&p->collectives, one, add_from_root, r));
        else if (one->kind != OC_COLLECTIVE_NONE)
            OC_TRY(add_meeting(p, one));
    }
    p->info.collectives = p->collectives.count - p->info.broken;
    return OCELOTL_OK;
}

/* --- In order */

static int compare_acts(const void *left, const void *right)
{
    const oc_act *a = left;
    const oc_act *b = right;
    return (a->time > b->time) - (a->time < b->time);
}

static ocelotl_status sort_acts(ocelotl_perturbation *p)
{
    for (uint32_t t = 0; t < p->groups.count; t++) {
        oc_thread *thread = &p->threads[t];
        const uint32_t resource = p->groups.resources[t];
        const int64_t begin =
            resource != OCELOTL_NONE ? p->trace->resources[resource].begin : p->trace->info.begin;
        thread->is.begin = thread->is.end = begin;
        if (thread->end == 0)
            continue;
        OC_TRY(oc_bulk_sort(thread->acts, thread->end, sizeof *thread->acts, compare_acts));
        if (thread->acts[0].time < begin)
            thread->is.begin = thread->acts[0].time;
        thread->is.end = thread->acts[thread->end - 1].time;
    }
    return OCELOTL_OK;
}

/* --- Which threads there are */

static ocelotl_status find_threads(ocelotl_perturbation *p)
{
    bool *used = NULL;
    const ocelotl_trace *trace = p->trace;
    OC_TRY(oc_arena_allocate(&used, &p->arena, trace->resource_count, sizeof *used));
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (trace->streams[s].role != OC_ROLE_VARIABLE &&
            trace->streams[s].resource < trace->resource_count)
            used[trace->streams[s].resource] = true;
    OC_TRY(oc_groups_find(&p->groups,
                          &(oc_group_request){.trace = trace, .used = used, .at = p->options.at}));
    OC_TRY(oc_arena_allocate(&p->threads, &p->arena, p->groups.count, sizeof *p->threads));
    for (uint32_t t = 0; t < p->groups.count; t++)
        if (p->groups.resources[t] != OCELOTL_NONE)
            OC_TRY(oc_path_keep(&p->paths, &p->catalogue.paths, p->groups.resources[t]));
    return OCELOTL_OK;
}

ocelotl_status oc_acts_read(ocelotl_perturbation *p)
{
    oc_watch watch = {.work = p->options.work, .total = p->trace->stream_count};
    reading r = {.p = p, .tick = ocelotl_trace_seconds(p->trace, 1)};
    r.walk.reader.connection = oc_connection_of(p->trace);
    r.walk.reader.watch = &watch;
    r.walk.reader.asks = true;
    OC_TRY(find_threads(p));
    OC_TRY(find_numbers(p));
    OC_TRY(oc_collectives_read(&p->collectives,
                               &(oc_collective_request){.trace = p->trace,
                                                        .catalogue = &p->catalogue,
                                                        .patterns = &p->options.collectives,
                                                        .by_name = true,
                                                        .watch = &watch}));
    p->info.left_out = p->collectives.left_out != NULL ? p->collectives.left_out : "";
    ocelotl_status status = oc_fail_in_trace(p->trace, read_streams(&r));
    oc_walk_free(&r.walk);
    if (status == OCELOTL_OK)
        status = add_operations(&r);
    if (status == OCELOTL_OK)
        status = sort_acts(p);
    return status == OCELOTL_OK ? oc_acts_settle(p) : status;
}

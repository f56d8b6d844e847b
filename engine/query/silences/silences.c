/* Finds time in which nothing happens. Events are merged into clusters, and the gaps between these
 * are silences. */
#include "query/silences.h"

#include "base/memory.h"
#include "query/events.h"
#include "store/trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* docs/first.md gives the reason of each. */
enum {
    EVENTS_LEAST = 20,        /* with fewer events all is shown */
    LONE_FROM = 100,          /* with so many, one event may lie outside, */
    OUTSIDE_MOST = 1000,      /* or one in so many */
    EDGE = 10,                /* what is around all, beside the whole */
    SILENCES_MOST = 4,        /* that are left out */
    WHOLE = 999,              /* thousandths of the trace: such a state is the recording */
    LONG = 850,               /* the same: such a state is what happens least in */
    EVENTS_READ = 2 * 1000000 /* of more, only streams are looked at */
};

/* Events without a gap; both ends are in it. */
typedef struct cluster {
    int64_t begin, end;
    uint64_t events;
} cluster;

typedef struct search {
    const ocelotl_trace *trace;
    bool *silent;  /* by value */
    cluster *list; /* of a stream in the order of their ends; at last in that of time, and apart */
    size_t count, capacity;
    uint32_t resources; /* that have states */
    uint32_t *longs;    /* by value: how many are in it for nearly all of the time */
    bool counted;       /* no state is one that all are in: long ones are activity */
} search;

/* --- Clusters */

static uint64_t between(int64_t from, int64_t to)
{
    return to > from ? (uint64_t)to - (uint64_t)from : 0;
}

/* Adds what ends after the last cluster, or in it. */
static ocelotl_status add(search *to, size_t first, cluster more)
{
    cluster *last = to->count > first ? &to->list[to->count - 1] : NULL;
    if (last != NULL && more.begin <= last->end && more.end >= last->begin) {
        last->begin = more.begin < last->begin ? more.begin : last->begin;
        last->end = more.end > last->end ? more.end : last->end;
        last->events += more.events;
        return OCELOTL_OK;
    }
    OC_TRY(oc_grow(&to->list, &to->capacity, to->count + 1, sizeof *to->list));
    to->list[to->count++] = more;
    return OCELOTL_OK;
}

/* The share of the trace that an event lasts for, in thousandths. */
static uint64_t thousandths(const search *of, const ocelotl_event *event)
{
    const ocelotl_trace_info *info = &of->trace->info;
    const uint64_t part = between(info->begin, info->end) / 1000;
    return part > 0 ? between(event->begin, event->end) / part : 0;
}

/* Of a state that covers nearly all only its ends are activity, if all resources are in it. */
static ocelotl_status take(search *to, size_t first, const ocelotl_event *event)
{
    const bool state = event->category == OCELOTL_STATE && event->value < to->trace->value_count;
    const bool lasts = (event->category == OCELOTL_STATE || event->category == OCELOTL_LINK) &&
                       event->end > event->begin;
    if (state && to->silent[event->value])
        return OCELOTL_OK;
    if (state && lasts && !to->counted && thousandths(to, event) >= LONG) {
        to->longs[event->value]++;
        OC_TRY(add(to, first, (cluster){event->begin, event->begin, 1}));
        return add(to, first, (cluster){event->end, event->end, 1});
    }
    return add(to, first, (cluster){event->begin, lasts ? event->end : event->begin, 1});
}

/* What one resource has. */
typedef struct of_resource {
    size_t first; /* cluster */
    uint64_t events;
    bool states;
    ocelotl_event last;
} of_resource;

/* Takes back what a resource has, if that is one state from begin to end: it is the recording. */
static void end_resource(search *of, const of_resource *is)
{
    if (is->events == 1 && is->states && thousandths(of, &is->last) >= WHOLE) {
        of->count = is->first;
        if (is->last.value < of->trace->value_count && !of->silent[is->last.value] && !of->counted)
            of->longs[is->last.value]--;
    } else {
        of->resources += is->states;
    }
}

static ocelotl_status read_all(search *to, ocelotl_events *events)
{
    enum { BLOCK = 256 };
    ocelotl_event block[BLOCK];
    uint32_t count;
    of_resource is = {.last = {.resource = OCELOTL_NONE}};
    do {
        OC_TRY(ocelotl_events_next_block(&count, block, BLOCK, events));
        for (uint32_t i = 0; i < count; i++) {
            if (block[i].resource != is.last.resource) {
                end_resource(to, &is);
                is = (of_resource){.first = to->count};
            }
            is.last = block[i];
            is.events++;
            is.states = is.states || block[i].category == OCELOTL_STATE;
            OC_TRY(take(to, is.first, &block[i]));
        }
    } while (count > 0);
    end_resource(to, &is);
    return OCELOTL_OK;
}

/* The name of a state that all resources with states are in, the shortest of several; NULL: there
 * is none. */
static const char *find_common(const search *of)
{
    const ocelotl_value *found = NULL;
    for (uint32_t v = 0; v < of->trace->value_count; v++) {
        const ocelotl_value *value = &of->trace->values[v];
        if (of->longs[v] > 0 && of->longs[v] >= of->resources &&
            (found == NULL || value->inclusive_ticks < found->inclusive_ticks))
            found = value;
    }
    return found != NULL ? found->name : NULL;
}

static bool has_long(const search *of)
{
    for (uint32_t v = 0; v < of->trace->value_count; v++)
        if (of->longs[v] > 0)
            return true;
    return false;
}

static ocelotl_status read_events(search *to, ocelotl_trace *trace, const ocelotl_work *work)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = NULL;
    options.without_attributes = true;
    options.work = *work;
    OC_TRY(ocelotl_events_open(&events, trace, &options));
    const ocelotl_status status = read_all(to, events);
    ocelotl_events_free(events);
    OC_TRY(status);
    if (to->counted || !has_long(to) || find_common(to) != NULL)
        return OCELOTL_OK;
    to->counted = true;
    to->count = 0;
    return read_events(to, trace, work);
}

/* Between the records of a stream a state may be open, so it counts from its first to its last. */
static ocelotl_status read_streams(search *to)
{
    for (uint32_t s = 0; s < to->trace->stream_count; s++) {
        const oc_stream *stream = &to->trace->streams[s];
        if (stream->count > 0)
            OC_TRY(add(to, to->count, (cluster){stream->begin, stream->end, stream->count}));
    }
    return OCELOTL_OK;
}

static int compare_clusters(const void *left, const void *right)
{
    const cluster *a = left;
    const cluster *b = right;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Brings clusters into the order of time, and apart. */
static void merge(search *of)
{
    size_t kept = 0;
    if (of->count == 0)
        return;
    qsort(of->list, of->count, sizeof *of->list, compare_clusters);
    for (size_t i = 1; i < of->count; i++) {
        cluster *last = &of->list[kept];
        const cluster *next = &of->list[i];
        if (next->begin > last->end) {
            of->list[++kept] = *next;
            continue;
        }
        last->end = next->end > last->end ? next->end : last->end;
        last->events += next->events;
    }
    of->count = kept + 1;
}

/* --- Silences */

typedef struct silence {
    uint64_t length;
    size_t after; /* so many clusters */
} silence;

/* The longest first. */
typedef struct silences {
    silence list[SILENCES_MOST];
    size_t count;
    bool around; /* also what is around all */
} silences;

static void note(silences *longest, silence one)
{
    size_t place = longest->count;
    if (one.length == 0)
        return;
    while (place > 0 && longest->list[place - 1].length < one.length)
        place--;
    if (place == SILENCES_MOST)
        return;
    longest->count += longest->count < SILENCES_MOST;
    for (size_t i = longest->count - 1; i > place; i--)
        longest->list[i] = longest->list[i - 1];
    longest->list[place] = one;
}

static int compare_places(const void *left, const void *right)
{
    const silence *a = left;
    const silence *b = right;
    return (a->after > b->after) - (a->after < b->after);
}

/* Finds those to leave out, in the order of time: as many as leave less than twice the shortest of
 * them; and what is before and behind all clusters, where that is seen. */
static silences find_silences(const search *of)
{
    const ocelotl_trace_info *info = &of->trace->info;
    silences found = {.count = 0};
    size_t most = 0;
    uint64_t left = between(info->begin, info->end);
    const uint64_t around =
        between(info->begin, of->list[0].begin) + between(of->list[of->count - 1].end, info->end);
    found.around = around > left / EDGE;
    left -= found.around ? around : 0;
    for (size_t i = 1; i < of->count; i++)
        note(&found, (silence){between(of->list[i - 1].end, of->list[i].begin), i});
    for (size_t i = 0; i < found.count; i++) {
        left -= found.list[i].length;
        if (found.list[i].length > left / 2)
            most = i + 1;
    }
    found.count = most;
    qsort(found.list, found.count, sizeof *found.list, compare_places);
    return found;
}

static uint64_t count_events(const search *of, size_t first, size_t end)
{
    uint64_t count = 0;
    for (size_t i = first; i < end; i++)
        count += of->list[i].events;
    return count;
}

/* --- Pieces */

/* Leaves out what few events are outside of the first and the last silence, and silence at the
 * ends. */
static void trim(oc_activity *found, silences *cut, const search *of)
{
    const uint64_t all = count_events(of, 0, of->count);
    const uint64_t most = all / OUTSIDE_MOST > 0 ? all / OUTSIDE_MOST : all >= LONE_FROM;
    const ocelotl_trace_info *info = &of->trace->info;
    size_t first = 0;
    size_t end = cut->count;
    while (first < end && count_events(of, 0, cut->list[first].after) <= most)
        first++;
    while (end > first && count_events(of, cut->list[end - 1].after, of->count) <= most)
        end--;
    const size_t from = first > 0 ? cut->list[first - 1].after : 0;
    const size_t to = end < cut->count ? cut->list[end].after : of->count;
    found->events_before = count_events(of, 0, from);
    found->events_after = count_events(of, to, of->count);
    if (first > 0 || cut->around)
        found->before = (int64_t)between(info->begin, of->list[from].begin);
    if (end < cut->count || cut->around)
        found->after = (int64_t)between(of->list[to - 1].end, info->end);
    cut->count = end - first;
    memmove(cut->list, cut->list + first, cut->count * sizeof *cut->list);
}

/* The last event happens in its piece. */
static int64_t behind(int64_t end, const search *of)
{
    return end < of->trace->info.end ? end + 1 : end;
}

static ocelotl_status make_pieces(oc_activity *found, const search *of, silences *cut)
{
    const ocelotl_trace_info *info = &of->trace->info;
    trim(found, cut, of);
    if (cut->count == 0 && found->before == 0 && found->after == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&found->pieces, cut->count + 1, sizeof *found->pieces));
    int64_t from = info->begin + found->before;
    for (size_t i = 0; i < cut->count; i++) {
        const size_t after = cut->list[i].after;
        const int64_t to = behind(of->list[after - 1].end, of);
        if (to >= of->list[after].begin)
            continue;
        found->pieces[found->count++] = (ocelotl_span){from, to};
        from = of->list[after].begin;
        found->silent += from - to;
    }
    found->pieces[found->count++] = (ocelotl_span){from, behind(info->end - found->after, of)};
    return OCELOTL_OK;
}

/* Whether states alone say that silence is short, within the trace and around it: all resources
 * together are in short ones for so much of the time that some one is. */
static bool is_busy(const search *of)
{
    const ocelotl_trace *trace = of->trace;
    const double length = (double)between(trace->info.begin, trace->info.end);
    double covered = 0;
    uint32_t streams = 0;
    for (uint32_t v = 0; v < trace->value_count; v++) {
        const ocelotl_value *value = &trace->values[v];
        const double mean = (double)value->inclusive_ticks / (double)(value->count + 1);
        if (!of->silent[v] && mean < length / EDGE)
            covered += (double)value->innermost_ticks;
    }
    for (uint32_t s = 0; s < trace->stream_count; s++)
        streams += trace->streams[s].role == OC_ROLE_STATES;
    return covered > length * streams * (1 - 1.0 / EDGE);
}

static ocelotl_status find(oc_activity *found, search *of, ocelotl_trace *trace,
                           bool (*is_idle)(const char *name), const ocelotl_work *work)
{
    uint64_t events = 0;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        events += trace->event_types[e].count;
    OC_TRY(oc_allocate(&of->silent, trace->value_count, sizeof *of->silent));
    OC_TRY(oc_allocate(&of->longs, trace->value_count, sizeof *of->longs));
    for (uint32_t v = 0; v < trace->value_count; v++)
        of->silent[v] = is_idle(trace->values[v].name);
    if (is_busy(of))
        return OCELOTL_OK;
    OC_TRY(events <= EVENTS_READ ? read_events(of, trace, work) : read_streams(of));
    merge(of);
    if (events < EVENTS_LEAST || of->count == 0)
        return OCELOTL_OK;
    found->state = of->counted ? NULL : find_common(of);
    silences cut = find_silences(of);
    return cut.around || cut.count > 0 ? make_pieces(found, of, &cut) : OCELOTL_OK;
}

ocelotl_status oc_activity_find(oc_activity *found, ocelotl_trace *trace,
                                bool (*is_idle)(const char *name), const ocelotl_work *work)
{
    search of = {.trace = trace};
    oc_activity made = {.count = 0};
    const ocelotl_status status = find(&made, &of, trace, is_idle, work);
    free(of.silent);
    free(of.longs);
    free(of.list);
    if (status == OCELOTL_OK)
        *found = made;
    else
        oc_activity_free(&made);
    return status;
}

void oc_activity_free(oc_activity *activity)
{
    free(activity->pieces);
    *activity = (oc_activity){0};
}

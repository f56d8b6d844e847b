/* PICL traces, new and old: what of a trace has a meaning there. Records stand in the order of
 * time; processors are the resources where links end, by number. */
#include "answer/answer.h"
#include "answer/export/export.h"
#include "query/messages.h"

#include "base/memory.h"
#include "base/plain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ranks of records at one instant: those of a processor stand between its begin and its end. */
enum { FIRST_RANK, EVENTS_RANK, LAST_RANK };

/* Records of the new format: entries and exits, of what. */
enum { ENTRY = -3, EXIT = -4, TRACING = -901, SEND = -21, RECEIVE = -52, BARRIER = -402 };

/* Keys of the old one. */
enum { OLD_START = 1, OLD_SEND = 4, OLD_RECEIVE = 6, OLD_EXIT = 19, OLD_BEGIN = 20, OLD_END = 21 };
enum { OLD_BARRIER = -1 };

/* A state that is a barrier, perhaps inside another one. */
typedef struct interval {
    uint32_t resource, event_type, value;
    int64_t begin, end;
    uint64_t begin_place, end_place;
} interval;

typedef struct writing {
    oc_export base;
    ocelotl_trace *trace;
    bool old;
    int64_t begin;        /* of the trace: times count from there */
    double micros;        /* in a tick */
    uint32_t *processors; /* by resource, that of what is above it if it has none; OCELOTL_NONE */
    uint32_t *resources;  /* by processor */
    uint32_t count;       /* processors */
    bool holds;           /* several values are barriers, so that one may be inside another: */
    interval *held;       /* these wait for all of them */
    size_t held_count, held_capacity;
    oc_export_lines *lines;
    oc_text line;
    oc_carried_texts carried;
} writing;

static void free_picl(writing *to)
{
    oc_carried_texts_free(&to->carried);
    free(to->held);
    oc_export_lines_free(to->lines);
    oc_text_free(&to->line);
    free(to->processors);
    free(to->resources);
}

/* --- Processors */

/* Marks where links begin or end; without any, what has nothing below it. */
static ocelotl_status mark_ends(bool *is_end, ocelotl_trace *trace)
{
    const uint32_t count = ocelotl_trace_resource_count(trace);
    ocelotl_messages *messages = NULL;
    const ocelotl_status status =
        ocelotl_messages_compute(&messages, trace, &(ocelotl_messages_options){0});
    if (status != OCELOTL_OK && status != OCELOTL_ERROR_EMPTY)
        return status;
    const uint32_t rows = messages != NULL ? ocelotl_messages_info_of(messages).rows : 0;
    for (uint32_t r = 0; r < count && rows == 0; r++) {
        const uint32_t parent = ocelotl_trace_resource_at(trace, r).parent;
        is_end[r] = true;
        if (parent != OCELOTL_ROOT)
            is_end[parent] = false;
    }
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t resource = ocelotl_messages_row_at(messages, i).resource;
        if (resource < count)
            is_end[resource] = true;
    }
    ocelotl_messages_free(messages);
    return OCELOTL_OK;
}

static ocelotl_status find_processors(writing *to)
{
    const uint32_t count = ocelotl_trace_resource_count(to->trace);
    bool *is_end = NULL;
    OC_TRY(oc_allocate(&to->processors, count, sizeof *to->processors));
    OC_TRY(oc_allocate(&to->resources, count, sizeof *to->resources));
    OC_TRY(oc_allocate(&is_end, count, sizeof *is_end));
    const ocelotl_status status = mark_ends(is_end, to->trace);
    for (uint32_t r = 0; r < count && status == OCELOTL_OK; r++) {
        const uint32_t parent = ocelotl_trace_resource_at(to->trace, r).parent;
        to->processors[r] = parent != OCELOTL_ROOT ? to->processors[parent] : OCELOTL_NONE;
        if (!is_end[r])
            continue;
        to->resources[to->count] = r;
        to->processors[r] = to->count++;
    }
    free(is_end);
    return status;
}

static uint32_t processor_of(const writing *to, uint32_t resource)
{
    return resource < ocelotl_trace_resource_count(to->trace) ? to->processors[resource]
                                                              : OCELOTL_NONE;
}

/* --- Records */

/* A record of either format. */
typedef struct record {
    int kind;        /* entry or exit; of the old format 0 */
    int64_t what;    /* the event, or the key of the old format */
    uint32_t number; /* of the processor */
    uint32_t count;
    int64_t data[4];
} record;

static ocelotl_status keep(writing *to, record is, int64_t time, uint32_t rank, uint64_t place)
{
    const int64_t since = (int64_t)((uint64_t)time - (uint64_t)to->begin);
    oc_text_clear(&to->line);
    if (to->old) {
        const int64_t micros = llrint((double)since * to->micros);
        oc_text_format(&to->line, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32, is.what,
                       micros / 1000000, micros % 1000000, is.number);
    } else {
        oc_text_format(&to->line, "%d %" PRId64 " ", is.kind, is.what);
        oc_exact_add(&to->line, &to->base.clock, since);
        oc_text_format(&to->line, " %" PRIu32 " 0 %" PRIu32 "%s", is.number, is.count,
                       is.count > 0 ? " 2" : "");
    }
    for (uint32_t i = 0; i < is.count; i++)
        oc_text_format(&to->line, " %" PRId64, is.data[i]);
    oc_text_add(&to->line, "\n");
    return oc_export_lines_add(to->lines, &(oc_order){time, place, rank}, &to->line, NULL);
}

static ocelotl_status open_picl(void *of)
{
    writing *to = of;
    OC_TRY(oc_export_lines_open(&to->lines, to->trace, NULL));
    OC_TRY(find_processors(to));
    for (uint32_t p = 0; p < to->count; p++) {
        const ocelotl_resource life = ocelotl_trace_resource_at(to->trace, to->resources[p]);
        const record begin =
            to->old ? (record){0, OLD_START, p, 3, {1, 1, 1}} : (record){ENTRY, TRACING, p, 0, {0}};
        const record end = {EXIT, to->old ? OLD_EXIT : TRACING, p, 0, {0}};
        OC_TRY(keep(to, begin, life.begin, FIRST_RANK, p));
        OC_TRY(keep(to, end, life.end, LAST_RANK, p));
    }
    return OCELOTL_OK;
}

/* --- Events */

/* The number of a user's event, which the list of names has. */
static int64_t number_of(const ocelotl_trace *trace, uint32_t event_type, uint32_t value)
{
    return value != OCELOTL_NONE ? value : (int64_t)ocelotl_trace_value_count(trace) + event_type;
}

static bool is_barrier(const ocelotl_trace *trace, uint32_t value)
{
    static const char end[] = "barrier";
    const char *name = oc_value_name(trace, value);
    const size_t length = strlen(name);
    return length >= sizeof end - 1 && oc_same_letters(name + length - (sizeof end - 1), end);
}

static ocelotl_status keep_interval(writing *to, const interval *is, bool barrier)
{
    const uint32_t processor = processor_of(to, is->resource);
    const int64_t number = number_of(to->trace, is->event_type, is->value);
    const int64_t what = !barrier ? number : to->old ? OLD_BARRIER : BARRIER;
    record begin = {ENTRY, what, processor, barrier, {-1}};
    record end = {EXIT, what, processor, 0, {0}};
    if (to->old) {
        begin = (record){0, OLD_BEGIN, processor, 3, {what, 0, 0}};
        end = (record){0, OLD_END, processor, 3, {what, 0, 0}};
    }
    OC_TRY(keep(to, begin, is->begin, EVENTS_RANK, is->begin_place));
    return keep(to, end, is->end, EVENTS_RANK, is->end_place);
}

static ocelotl_status keep_state(writing *to, const ocelotl_event *event)
{
    const bool barrier = is_barrier(to->trace, event->value);
    const interval is = {event->resource, event->event_type,  event->value,    event->begin,
                         event->end,      event->begin_place, event->end_place};
    if (processor_of(to, event->resource) == OCELOTL_NONE) {
        oc_lose(to->base.losses, "states of what is no processor", 1);
        return OCELOTL_OK;
    }
    oc_lose(to->base.losses, "attributes of states", to->carried.count);
    if (!barrier || !to->holds)
        return keep_interval(to, &is, barrier);
    OC_TRY(oc_grow(&to->held, &to->held_capacity, to->held_count + 1, sizeof *to->held));
    to->held[to->held_count++] = is;
    return OCELOTL_OK;
}

/* A whole number that a link carries by one of some names, else 0. */
static int64_t carried_number(const writing *to, const char *const *names)
{
    for (size_t n = 0; names[n] != NULL; n++)
        for (size_t i = 0; i < to->carried.count; i++) {
            const char *text = oc_carried_text(&to->carried, i);
            if (!oc_same_letters(oc_carried_name(&to->carried, i), names[n]) || strlen(text) > 31)
                continue;
            const double number = oc_plain_number(text, NULL);
            if (fabs(number) < 0x1p53)
                return (int64_t)number;
        }
    return 0;
}

/* A link is a send and a receive: each a record of the old format, an entry and an exit of the new
 * one. */
static ocelotl_status keep_link(writing *to, const ocelotl_event *event)
{
    static const char *const sizes[] = {"size", "bytes", "length", NULL};
    static const char *const tags[] = {"tag", NULL};
    const uint32_t source = processor_of(to, event->source);
    const uint32_t target = processor_of(to, event->target);
    const int64_t bytes = carried_number(to, sizes);
    const int64_t tag = carried_number(to, tags);
    const record old[] = {{0, OLD_SEND, source, 3, {target, tag, bytes}},
                          {0, OLD_RECEIVE, target, 3, {source, tag, bytes}}};
    const record new[] = {{ENTRY, SEND, source, 4, {bytes, tag, target, 0}},
                          {EXIT, SEND, source, 0, {0}},
                          {ENTRY, RECEIVE, target, 3, {tag, source, 0}},
                          {EXIT, RECEIVE, target, 4, {bytes, tag, source, 0}}};
    const int count = to->old ? 2 : 4;
    if (source == OCELOTL_NONE || target == OCELOTL_NONE) {
        oc_lose(to->base.losses, "links with one end alone", 1);
        return OCELOTL_OK;
    }
    for (int i = 0; i < count; i++) {
        const bool sends = i < count / 2;
        OC_TRY(keep(to, to->old ? old[i] : new[i], sends ? event->begin : event->end, EVENTS_RANK,
                    sends ? event->begin_place : event->end_place));
    }
    return OCELOTL_OK;
}

static ocelotl_status keep_event(void *of, const ocelotl_event *event)
{
    writing *to = of;
    OC_TRY(oc_carried_texts_read(&to->carried, event->attributes));
    if (event->category == OCELOTL_STATE)
        return keep_state(to, event);
    if (event->category == OCELOTL_LINK)
        return keep_link(to, event);
    oc_lose(to->base.losses,
            event->category == OCELOTL_VARIABLE ? "changes of variables" : "single events", 1);
    return OCELOTL_OK;
}

/* Of one resource the outer ones come first. */
static int compare_intervals(const void *left, const void *right)
{
    const interval *a = left;
    const interval *b = right;
    if (a->resource != b->resource)
        return a->resource < b->resource ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    if (a->event_type != b->event_type)
        return a->event_type < b->event_type ? -1 : 1;
    return (a->begin_place > b->begin_place) - (a->begin_place < b->begin_place);
}

/* A barrier inside another one is the same operation: an inner function, or what a tracer says of
 * all its members. It is a user's event, as other states are. Of one type, two that take no time
 * are side by side. */
static ocelotl_status close_picl(void *of)
{
    writing *to = of;
    const interval *outer = NULL;
    uint64_t unordered;
    if (to->held_count > 1)
        qsort(to->held, to->held_count, sizeof *to->held, compare_intervals);
    for (size_t i = 0; i < to->held_count; i++) {
        const interval *is = &to->held[i];
        const bool inner =
            outer != NULL && is->resource == outer->resource && is->end <= outer->end &&
            (is->event_type != outer->event_type || is->end_place < outer->end_place);
        outer = inner ? outer : is;
        OC_TRY(keep_interval(to, is, !inner));
    }
    oc_lose(to->base.losses, "clocks whose ticks are finer than microseconds, which are rounded",
            to->old && to->micros < 1);
    return oc_export_lines_write(&unordered, to->lines, &to->base.out);
}

ocelotl_status ocelotl_events_write_picl(const ocelotl_sink *sink, ocelotl_events *events,
                                         ocelotl_trace *trace, bool old, ocelotl_losses *losses)
{
    static const oc_export_steps steps = {open_picl, NULL, keep_event, close_picl};
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    writing to = {.base = {{.sink = sink},
                           events,
                           trace,
                           NULL,
                           losses,
                           oc_exact_of(info.tick_numerator, info.tick_denominator, 0),
                           OC_LACKS_CROSSING_STATES | (old ? 0 : OC_LACKS_FINE_CLOCKS)},
                  .trace = trace,
                  .old = old,
                  .begin = info.begin,
                  .micros = 1e6 * (double)info.tick_numerator / (double)info.tick_denominator};
    uint32_t barriers = 0;
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
        const uint32_t type = ocelotl_trace_value_at(trace, v).event_type;
        barriers += ocelotl_trace_event_type_at(trace, type).category == OCELOTL_STATE &&
                    is_barrier(trace, v);
    }
    to.holds = barriers > 1;
    const ocelotl_status status = oc_export_events(&to.base.out, &to.base, &steps, &to);
    free_picl(&to);
    return status;
}

/* --- Names */

static void add_name(oc_output *out, const char *what, int64_t number, const char *name)
{
    oc_output_format(out, "%s %" PRId64 " ", what, number);
    for (const char *at = name; *at != '\0'; at++)
        oc_output_append(out, *at == '\n' ? " " : at, 1);
    oc_output_add(out, "\n");
}

static ocelotl_status write_names(writing *to)
{
    const ocelotl_trace *trace = to->trace;
    oc_output *out = &to->base.out;
    ocelotl_events *paths = NULL;
    OC_TRY(find_processors(to));
    OC_TRY(ocelotl_events_open(&paths, to->trace, NULL));
    for (uint32_t p = 0; p < to->count; p++)
        add_name(out, "processor", p, ocelotl_events_path(paths, to->resources[p]));
    ocelotl_events_free(paths);
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, v);
        if (ocelotl_trace_event_type_at(trace, value.event_type).category == OCELOTL_STATE)
            add_name(out, "event", number_of(trace, value.event_type, v), value.name);
    }
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, t);
        if (type.category == OCELOTL_STATE)
            add_name(out, "event", number_of(trace, t, OCELOTL_NONE), type.name);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_picl_write_names(const ocelotl_sink *sink, ocelotl_trace *trace)
{
    writing to = {.base = {.out = {.sink = sink}}, .trace = trace};
    const ocelotl_status status = write_names(&to);
    free_picl(&to);
    return oc_output_end(&to.base.out, status);
}

/* Events and resources as Arrow. */
#include "answer/table.h"
#include "query/events.h"

#include <stddef.h>

/* --- Names of a trace */

static const char *resource_path_at(const void *events, uint32_t index)
{
    return ocelotl_events_path(events, index);
}

static const char *type_of_resource_at(const void *trace, uint32_t resource)
{
    const uint32_t type = ocelotl_trace_resource_at(trace, resource).type;
    return ocelotl_trace_resource_type_at(trace, type).name;
}

static const char *resource_type_at(const void *trace, uint32_t index)
{
    return ocelotl_trace_resource_type_at(trace, index).name;
}

static const char *event_type_at(const void *trace, uint32_t index)
{
    return ocelotl_trace_event_type_at(trace, index).name;
}

static const char *value_at(const void *trace, uint32_t index)
{
    return ocelotl_trace_value_at(trace, index).name;
}

static const char *category_at(const void *source, uint32_t index)
{
    (void)source;
    return oc_category_name((ocelotl_category)index);
}

/* --- Events */

/* A block stays in the processor's nearest cache. */
enum { BLOCK = 128 };

typedef struct event_list {
    ocelotl_events *events;
    double tick_numerator, tick_denominator;
    ocelotl_event block[BLOCK];
    uint32_t next, count; /* of the block */
} event_list;

/* The same as ocelotl_trace_seconds, bit by bit. */
static inline double seconds(const event_list *of, int64_t ticks)
{
    return (double)ticks * of->tick_numerator / of->tick_denominator;
}

static inline int64_t duration_of(const ocelotl_event *event)
{
    return (int64_t)((uint64_t)event->end - (uint64_t)event->begin);
}

static void add_event(oc_batch *batch, const event_list *of, const ocelotl_event *event)
{
    const bool variable = event->category == OCELOTL_VARIABLE;
    oc_add_name(batch, event->resource);
    oc_add_name(batch, event->resource);
    oc_add_name(batch, (uint32_t)event->category);
    oc_add_name(batch, event->event_type);
    oc_add_optional_name(batch, event->value);
    oc_add_optional_number(batch, variable, event->number);
    oc_add_number(batch, seconds(of, event->begin));
    oc_add_number(batch, seconds(of, event->end));
    oc_add_optional_number(batch, oc_is_whole(event), seconds(of, duration_of(event)));
    oc_add_optional_index(batch, event->category == OCELOTL_STATE, event->depth);
    oc_add_optional_name(batch, event->source);
    oc_add_optional_name(batch, event->target);
    oc_add_optional_text(batch, event->key);
    oc_add_optional_text(batch, event->attributes);
    oc_end_row(batch);
}

/* The names of a member of each state, which is an index. */
static void add_names(oc_batch *batch, const ocelotl_event *states, size_t count, size_t member)
{
    const int32_t *places = oc_name_list_places(batch->columns[batch->at].dictionary);
    int32_t *cells = oc_next_cells(batch, sizeof *cells);
    for (size_t i = 0; i < count; i++) {
        uint32_t index;
        memcpy(&index, (const char *)&states[i] + member, sizeof index);
        cells[i] = places[index];
    }
}

/* States that carry nothing, column by column: most traces have little else. */
static void add_states(oc_batch *batch, const event_list *of, const ocelotl_event *states,
                       size_t count)
{
    add_names(batch, states, count, offsetof(ocelotl_event, resource));
    add_names(batch, states, count, offsetof(ocelotl_event, resource));
    add_names(batch, states, count, offsetof(ocelotl_event, category));
    add_names(batch, states, count, offsetof(ocelotl_event, event_type));
    add_names(batch, states, count, offsetof(ocelotl_event, value));
    oc_add_nulls(batch, count); /* number */
    double *begins = oc_next_cells(batch, sizeof *begins);
    double *ends = oc_next_cells(batch, sizeof *ends);
    double *durations = oc_next_cells(batch, sizeof *durations);
    uint32_t *depths = oc_next_cells(batch, sizeof *depths);
    for (size_t i = 0; i < count; i++) {
        begins[i] = seconds(of, states[i].begin);
        ends[i] = seconds(of, states[i].end);
        durations[i] = seconds(of, duration_of(&states[i]));
        depths[i] = states[i].depth;
    }
    for (int i = 0; i < 4; i++) /* source, target, key, attributes */
        oc_add_nulls(batch, count);
    oc_end_rows(batch, count);
}

/* How many states that carry nothing come next. */
static size_t count_states(const event_list *of, size_t most)
{
    size_t count = 0;
    while (count < most) {
        const ocelotl_event *event = &of->block[of->next + count];
        if (event->category != OCELOTL_STATE || event->value == OCELOTL_NONE ||
            event->attributes != NULL)
            break;
        count++;
    }
    return count;
}

static ocelotl_status fill_events(oc_batch *batch, void *source)
{
    event_list *of = source;
    while (!oc_batch_is_full(batch)) {
        if (of->next == of->count) {
            of->next = 0;
            OC_TRY(ocelotl_events_next_block(&of->count, of->block, BLOCK, of->events));
        }
        if (of->count == 0)
            return OCELOTL_OK;
        const size_t left = of->count - of->next;
        const size_t room = batch->most - batch->rows;
        const size_t states = count_states(of, left < room ? left : room);
        if (states > 0)
            add_states(batch, of, &of->block[of->next], states);
        else
            add_event(batch, of, &of->block[of->next]);
        of->next += states > 0 ? (uint32_t)states : 1;
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_to_arrow(struct ArrowArrayStream *stream, ocelotl_events *events,
                                       const ocelotl_trace *trace,
                                       const ocelotl_arrow_options *options)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    const uint32_t resources = ocelotl_trace_resource_count(trace);
    const oc_names paths = {resources, resource_path_at, events};
    const oc_names types_of_resources = {resources, type_of_resource_at, trace};
    const oc_names categories = {OCELOTL_LINK + 1, category_at, NULL};
    const oc_names types = {ocelotl_trace_event_type_count(trace), event_type_at, trace};
    const oc_names values = {ocelotl_trace_value_count(trace), value_at, trace};
    const oc_heading headings[] = {{"resource", OC_CELL_NAME, .names = paths},
                                   {"resource_type", OC_CELL_NAME, .names = types_of_resources},
                                   {"category", OC_CELL_NAME, .names = categories},
                                   {"type", OC_CELL_NAME, .names = types},
                                   {"value", OC_CELL_NAME, .names = values},
                                   {"number", OC_CELL_NUMBER},
                                   {"begin", OC_CELL_NUMBER},
                                   {"end", OC_CELL_NUMBER},
                                   {"duration", OC_CELL_NUMBER},
                                   {"depth", OC_CELL_INDEX},
                                   {"source", OC_CELL_NAME, .names = paths},
                                   {"target", OC_CELL_NAME, .names = paths},
                                   {"key", OC_CELL_TEXT},
                                   {"attributes", OC_CELL_TEXT}};
    event_list of = {.events = events,
                     .tick_numerator = (double)info.tick_numerator,
                     .tick_denominator = (double)info.tick_denominator};
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = SIZE_MAX, .fill = fill_events};
    return oc_table_make(stream, headings, OC_COUNT_OF(headings), &rows, options);
}

/* --- Resources */

typedef struct resource_list {
    const ocelotl_trace *trace;
    ocelotl_events *events; /* know paths */
} resource_list;

static void free_resources(void *state)
{
    ocelotl_events_free(((resource_list *)state)->events);
}

static void add_resource(oc_batch *batch, void *state, size_t row)
{
    const resource_list *of = state;
    const uint32_t id = (uint32_t)row;
    const ocelotl_resource resource = ocelotl_trace_resource_at(of->trace, id);
    oc_add_index(batch, id);
    oc_add_optional_text(batch, ocelotl_events_path(of->events, id));
    oc_add_optional_text(batch, resource.name);
    oc_add_name(batch, resource.type);
    oc_add_optional_index(batch, resource.parent != OCELOTL_ROOT, resource.parent);
    oc_add_number(batch, ocelotl_trace_seconds(of->trace, resource.begin));
    oc_add_number(batch, ocelotl_trace_seconds(of->trace, resource.end));
}

ocelotl_status ocelotl_resources_to_arrow(struct ArrowArrayStream *stream, ocelotl_trace *trace,
                                          const ocelotl_arrow_options *options)
{
    const oc_names types = {ocelotl_trace_resource_type_count(trace), resource_type_at, trace};
    const oc_heading headings[] = {
        {"id", OC_CELL_INDEX},     {"path", OC_CELL_TEXT},
        {"name", OC_CELL_TEXT},    {"type", OC_CELL_NAME, .names = types},
        {"parent", OC_CELL_INDEX}, {"begin", OC_CELL_NUMBER},
        {"end", OC_CELL_NUMBER}};
    resource_list of = {.trace = trace};
    const oc_row_source rows = {.state = &of,
                                .size = sizeof of,
                                .count = ocelotl_trace_resource_count(trace),
                                .add = add_resource,
                                .free = free_resources};
    const ocelotl_status status = ocelotl_events_open(&of.events, trace, NULL);
    return status != OCELOTL_OK
               ? oc_table_fail(status, &rows, options)
               : oc_table_make(stream, headings, OC_COUNT_OF(headings), &rows, options);
}

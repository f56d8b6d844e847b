#include "importers/ctf/graph.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

enum {
    STEP = 4096, /* messages of a step */
    MESSAGE = 1024
};

struct ctf_graph {
    const bt_plugin *plugin;
    bt_graph *graph;
    bt_component_class_sink *sink_class;
    ctf_stream *streams;
    size_t count, capacity;
    ctf_stream **heap; /* of those that have a message: the earliest comes first */
    size_t heap_count;
    const bt_component_source **sources; /* by trace */
    size_t source_count, source_capacity;
    bool in_nanoseconds;
    int64_t base;
    ctf_taker taker;
    bool has_begun;
    ocelotl_status status; /* of the taker */
    char message[MESSAGE];
};

/* --- What the library says went wrong */

/* What the library says where it means: */
static const struct {
    const char *begin, *meaning;
} sayings[] = {
    {"Cannot create trace for", "its metadata cannot be understood"},
    {"User function returned EOF", "a packet is cut off"},
};

/* Takes off what only those who know the inside of the library understand: "state=1, .." */
static void cut_details(char *message)
{
    for (char *colon = message; (colon = strstr(colon, ": ")) != NULL; colon += 2) {
        const size_t name = strspn(colon + 2, "abcdefghijklmnopqrstuvwxyz-");
        if (name > 0 && colon[2 + name] == '=') {
            *colon = '\0';
            return;
        }
    }
}

static void explain(ctf_graph *graph, const char *message)
{
    for (size_t i = 0; i < sizeof sayings / sizeof sayings[0]; i++)
        if (strncmp(message, sayings[i].begin, strlen(sayings[i].begin)) == 0)
            message = sayings[i].meaning;
    snprintf(graph->message, sizeof graph->message, "%s", message);
    cut_details(graph->message);
}

/* The first cause is the nearest to what is wrong; in one line. */
static const char *take_message(ctf_graph *graph)
{
    const bt_error *error = bt_current_thread_take_error();
    graph->message[0] = '\0';
    if (error != NULL && bt_error_get_cause_count(error) > 0)
        explain(graph, bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0)));
    if (error != NULL)
        bt_error_release(error);
    for (char *byte = graph->message; *byte != '\0'; byte++)
        if ((unsigned char)*byte < ' ')
            *byte = ' ';
    if (graph->message[0] == '\0')
        snprintf(graph->message, sizeof graph->message, "cannot be read");
    return graph->message;
}

/* --- Pulling a stream */

/* Reads the clock of a stream that begins. */
static void take_stream(ctf_stream *stream, const bt_message *message)
{
    stream->stream = bt_message_stream_beginning_borrow_stream_const(message);
    const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(
        bt_stream_borrow_class_const(stream->stream));
    stream->has_no_clock = clock == NULL;
    if (clock == NULL)
        return;
    stream->clock.frequency = bt_clock_class_get_frequency(clock);
    bt_clock_class_get_offset(clock, &stream->clock.offset_seconds, &stream->clock.offset_cycles);
    /* Tracers say so seldom: a clock that counts from 1973 or later does. */
    stream->clock.is_absolute =
        bt_clock_class_origin_is_unix_epoch(clock) || stream->clock.offset_seconds >= 100000000;
}

static const bt_clock_snapshot *borrow_snapshot(const bt_message *message)
{
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT:
        return bt_message_event_borrow_default_clock_snapshot_const(message);
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
        return bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message);
    default:
        return NULL;
    }
}

/* Whether a message is of those that the taker is given. */
static bool is_wanted(const ctf_stream *stream, const bt_message *message)
{
    const bt_message_type type = bt_message_get_type(message);
    if (type == BT_MESSAGE_TYPE_EVENT)
        return !stream->has_no_clock;
    return type == BT_MESSAGE_TYPE_DISCARDED_EVENTS &&
           bt_stream_class_discarded_events_have_default_clock_snapshots(
               bt_stream_borrow_class_const(stream->stream));
}

ocelotl_status ctf_graph_time(int64_t *time, const ctf_graph *graph, const ctf_stream *stream,
                              const bt_clock_snapshot *snapshot)
{
    if (!graph->in_nanoseconds) {
        const wide ticks = (wide)bt_clock_snapshot_get_value(snapshot) + stream->offset;
        *time = (int64_t)ticks;
        if (ticks >= INT64_MIN && ticks <= INT64_MAX)
            return OCELOTL_OK;
    } else {
        if (bt_clock_snapshot_get_ns_from_origin(snapshot, time) ==
                BT_CLOCK_SNAPSHOT_GET_NS_FROM_ORIGIN_STATUS_OK &&
            oc_add_times(time, *time, -graph->base))
            return OCELOTL_OK;
        bt_current_thread_clear_error();
    }
    return oc_fail(OCELOTL_ERROR_LIMIT, "a time of a stream is too large");
}

/* Asks for the next messages; those that were given have been put back. */
static ocelotl_status refill(ctf_graph *graph, ctf_stream *stream)
{
    stream->count = stream->next = 0;
    switch (bt_message_iterator_next(stream->iterator, &stream->messages, &stream->count)) {
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_OK:
        return OCELOTL_OK;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN:
        stream->count = 0;
        return OCELOTL_OK;
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_MEMORY_ERROR:
        stream->ended = true;
        bt_current_thread_clear_error();
        return oc_fail_memory();
    case BT_MESSAGE_ITERATOR_NEXT_STATUS_END:
        stream->ended = true;
        return OCELOTL_OK;
    default:
        stream->ended = true;
        return graph->taker.lose(graph->taker.context, stream, take_message(graph));
    }
}

/* Goes to the next message that is wanted, or to the end of the stream. */
static ocelotl_status seek(ctf_graph *graph, ctf_stream *stream)
{
    while (!stream->ended) {
        if (stream->next == stream->count) {
            OC_TRY(refill(graph, stream));
            continue;
        }
        const bt_message *message = stream->messages[stream->next];
        if (bt_message_get_type(message) == BT_MESSAGE_TYPE_STREAM_BEGINNING)
            take_stream(stream, message);
        if (is_wanted(stream, message))
            return OCELOTL_OK;
        stream->ended = stream->has_no_clock;
        bt_message_put_ref(message);
        stream->next++;
    }
    return OCELOTL_OK;
}

/* Finds the time of the message that comes next. */
static ocelotl_status look_at(ctf_graph *graph, ctf_stream *stream)
{
    if (stream->ended)
        return OCELOTL_OK;
    return ctf_graph_time(&stream->time, graph, stream,
                          borrow_snapshot(stream->messages[stream->next]));
}

/* --- The merge */

static bool is_sooner(const ctf_stream *one, const ctf_stream *other)
{
    return one->time != other->time ? one->time < other->time : one->number < other->number;
}

/* Moves a stream down to its place in the heap. */
static void sink_down(ctf_graph *graph, size_t place)
{
    ctf_stream **heap = graph->heap;
    ctf_stream *sinking = heap[place];
    for (size_t child; (child = 2 * place + 1) < graph->heap_count; place = child) {
        child += child + 1 < graph->heap_count && is_sooner(heap[child + 1], heap[child]);
        if (!is_sooner(heap[child], sinking))
            break;
        heap[place] = heap[child];
    }
    heap[place] = sinking;
}

static ocelotl_status make_heap(ctf_graph *graph)
{
    OC_TRY(oc_allocate(&graph->heap, graph->count, sizeof(ctf_stream *)));
    for (size_t i = 0; i < graph->count; i++) {
        ctf_stream *stream = &graph->streams[i];
        OC_TRY(look_at(graph, stream));
        if (!stream->ended)
            graph->heap[graph->heap_count++] = stream;
    }
    for (size_t i = graph->heap_count / 2; i > 0; i--)
        sink_down(graph, i - 1);
    return OCELOTL_OK;
}

static ocelotl_status give_first(ctf_graph *graph)
{
    ctf_stream *stream = graph->heap[0];
    const bt_message *message = stream->messages[stream->next];
    const ocelotl_status status =
        graph->taker.take(graph->taker.context, stream, message, stream->time);
    bt_message_put_ref(message);
    stream->next++;
    OC_TRY(status);
    OC_TRY(seek(graph, stream));
    OC_TRY(look_at(graph, stream));
    if (stream->ended)
        graph->heap[0] = graph->heap[--graph->heap_count];
    if (graph->heap_count > 0)
        sink_down(graph, 0);
    return OCELOTL_OK;
}

/* --- The sink that the library runs */

static ctf_graph *graph_of(bt_self_component_sink *self)
{
    return bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
}

static bt_component_class_initialize_method_status sink_begins(
    bt_self_component_sink *self, bt_self_component_sink_configuration *configuration,
    const bt_value *parameters, void *data)
{
    (void)configuration, (void)parameters;
    const ctf_graph *graph = data;
    char name[32];
    bt_self_component_set_data(bt_self_component_sink_as_self_component(self), data);
    for (size_t i = 0; i < graph->count; i++) {
        snprintf(name, sizeof name, "in%zu", i);
        if (bt_self_component_sink_add_input_port(self, name, NULL, NULL) !=
            BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
            return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
    }
    return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

static bt_component_class_sink_graph_is_configured_method_status sink_is_configured(
    bt_self_component_sink *self)
{
    ctf_graph *graph = graph_of(self);
    for (size_t i = 0; i < graph->count; i++)
        if (bt_message_iterator_create_from_sink_component(
                self, bt_self_component_sink_borrow_input_port_by_index(self, i),
                &graph->streams[i].iterator) !=
            BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
            return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
    return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static ocelotl_status begin_streams(ctf_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        OC_TRY(seek(graph, &graph->streams[i]));
    return OCELOTL_OK;
}

static ocelotl_status step(ctf_graph *graph)
{
    if (graph->heap == NULL)
        OC_TRY(make_heap(graph));
    for (size_t i = 0; i < STEP && graph->heap_count > 0; i++)
        OC_TRY(give_first(graph));
    return OCELOTL_OK;
}

static bt_component_class_sink_consume_method_status sink_consumes(bt_self_component_sink *self)
{
    ctf_graph *graph = graph_of(self);
    graph->status = graph->has_begun ? step(graph) : begin_streams(graph);
    if (graph->status != OCELOTL_OK || (graph->has_begun && graph->heap_count == 0))
        return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
    graph->has_begun = true;
    return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
}

/* --- Opening */

ocelotl_status ctf_graph_open(ctf_graph **opened, const ctf_taker *taker)
{
    OC_TRY(oc_allocate(opened, 1, sizeof(**opened)));
    ctf_graph *graph = *opened;
    graph->taker = *taker;
    if (bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_FALSE, BT_FALSE, &graph->plugin) !=
        BT_PLUGIN_FIND_STATUS_OK)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "Babeltrace 2 has no plugin for CTF here, expected it (Debian: "
                       "libbabeltrace2-0): %s",
                       take_message(graph));
    graph->graph = bt_graph_create(0);
    graph->sink_class = bt_component_class_sink_create("ocelotl", sink_consumes);
    if (graph->graph == NULL || graph->sink_class == NULL)
        return oc_fail_memory();
    bt_component_class_sink_set_initialize_method(graph->sink_class, sink_begins);
    bt_component_class_sink_set_graph_is_configured_method(graph->sink_class, sink_is_configured);
    return OCELOTL_OK;
}

static const bt_component_class_source *source_class(const ctf_graph *graph)
{
    return bt_plugin_borrow_source_component_class_by_name_const(graph->plugin, "fs");
}

ocelotl_status ctf_graph_name(oc_text *name, const ctf_graph *graph, const char *folder)
{
    const bt_value *result = NULL;
    bt_value *parameters = bt_value_map_create();
    if (parameters == NULL ||
        bt_value_map_insert_string_entry(parameters, "type", "directory") != 0 ||
        bt_value_map_insert_string_entry(parameters, "input", folder) != 0)
        return oc_fail_memory();
    bt_query_executor *query = bt_query_executor_create(
        bt_component_class_source_as_component_class_const(source_class(graph)),
        "babeltrace.support-info", parameters);
    if (query != NULL &&
        bt_query_executor_query(query, &result) == BT_QUERY_EXECUTOR_QUERY_STATUS_OK &&
        bt_value_is_map(result)) {
        const bt_value *group = bt_value_map_borrow_entry_value_const(result, "group");
        if (group != NULL && bt_value_is_string(group))
            oc_text_add(name, bt_value_string_get(group));
    }
    bt_current_thread_clear_error();
    bt_value_put_ref(result);
    bt_query_executor_put_ref(query);
    bt_value_put_ref(parameters);
    return name->failed ? oc_fail_memory() : OCELOTL_OK;
}

static bt_value *make_parameters(char *const *folders, size_t count)
{
    bt_value *inputs = NULL;
    bt_value *parameters = bt_value_map_create();
    bool made = parameters != NULL &&
                bt_value_map_insert_empty_array_entry(parameters, "inputs", &inputs) == 0;
    for (size_t i = 0; i < count && made; i++)
        made = bt_value_array_append_string_element(inputs, folders[i]) == 0;
    if (made)
        return parameters;
    bt_value_put_ref(parameters);
    return NULL;
}

static ocelotl_status add_streams(ctf_graph *graph, const bt_component_source *source)
{
    const uint64_t ports = bt_component_source_get_output_port_count(source);
    const uint32_t trace = (uint32_t)graph->source_count;
    OC_TRY(oc_grow(&graph->sources, &graph->source_capacity, graph->source_count + 1,
                   sizeof(const bt_component_source *)));
    OC_TRY(
        oc_grow(&graph->streams, &graph->capacity, graph->count + ports, sizeof(*graph->streams)));
    graph->sources[graph->source_count++] = source;
    for (uint64_t i = 0; i < ports; i++) {
        graph->streams[graph->count] =
            (ctf_stream){.number = (uint32_t)graph->count, .trace = trace};
        graph->count++;
    }
    return OCELOTL_OK;
}

static bt_graph_add_component_status add_source(const bt_component_source **source,
                                                const ctf_graph *graph, bt_graph *to,
                                                const bt_value *parameters)
{
    char name[32];
    snprintf(name, sizeof name, "trace%zu", graph->source_count);
    return bt_graph_add_source_component(to, source_class(graph), name, parameters,
                                         BT_LOGGING_LEVEL_NONE, source);
}

/* A graph that fails once is of no more use: what may fail is tried in another. */
static bt_graph_add_component_status try_source(const ctf_graph *graph, const bt_value *parameters)
{
    bt_graph *other = bt_graph_create(0);
    const bt_graph_add_component_status status = other != NULL
                                                     ? add_source(NULL, graph, other, parameters)
                                                     : BT_GRAPH_ADD_COMPONENT_STATUS_MEMORY_ERROR;
    bt_graph_put_ref(other);
    return status;
}

ocelotl_status ctf_graph_add(const char **message, ctf_graph *graph, char *const *folders,
                             size_t count, bool lenient)
{
    const bt_component_source *source = NULL;
    bt_graph_add_component_status status = BT_GRAPH_ADD_COMPONENT_STATUS_OK;
    bt_value *parameters = make_parameters(folders, count);
    *message = "";
    if (parameters == NULL)
        return oc_fail_memory();
    if (lenient)
        status = try_source(graph, parameters);
    if (status == BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        status = add_source(&source, graph, graph->graph, parameters);
    bt_value_put_ref(parameters);
    if (status == BT_GRAPH_ADD_COMPONENT_STATUS_MEMORY_ERROR) {
        bt_current_thread_clear_error();
        return oc_fail_memory();
    }
    if (status == BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        return add_streams(graph, source);
    *message = take_message(graph);
    return OCELOTL_OK;
}

/* --- Running */

static ocelotl_status fail_library(ctf_graph *graph, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s", what, take_message(graph));
}

static ocelotl_status connect(ctf_graph *graph)
{
    const bt_component_sink *sink = NULL;
    size_t input = 0;
    if (bt_graph_add_sink_component_with_initialize_method_data(
            graph->graph, graph->sink_class, "ocelotl", NULL, graph, BT_LOGGING_LEVEL_NONE,
            &sink) != BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        return fail_library(graph, "Babeltrace 2");
    for (size_t i = 0; i < graph->source_count; i++) {
        const uint64_t ports = bt_component_source_get_output_port_count(graph->sources[i]);
        for (uint64_t port = 0; port < ports; port++)
            if (bt_graph_connect_ports(
                    graph->graph,
                    bt_component_source_borrow_output_port_by_index_const(graph->sources[i], port),
                    bt_component_sink_borrow_input_port_by_index_const(sink, input++),
                    NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
                return fail_library(graph, "Babeltrace 2");
    }
    return OCELOTL_OK;
}

/* Lets the library run the sink once. */
static ocelotl_status run(bool *ended, ctf_graph *graph)
{
    graph->status = OCELOTL_OK;
    const bt_graph_run_once_status status = bt_graph_run_once(graph->graph);
    *ended = status == BT_GRAPH_RUN_ONCE_STATUS_END;
    OC_TRY(graph->status);
    if (status == BT_GRAPH_RUN_ONCE_STATUS_MEMORY_ERROR) {
        bt_current_thread_clear_error();
        return oc_fail_memory();
    }
    return *ended || status == BT_GRAPH_RUN_ONCE_STATUS_OK ? OCELOTL_OK
                                                           : fail_library(graph, "Babeltrace 2");
}

ocelotl_status ctf_graph_begin(ctf_graph *graph)
{
    bool ended;
    if (graph->count == 0)
        return OCELOTL_OK;
    OC_TRY(connect(graph));
    return run(&ended, graph);
}

size_t ctf_graph_stream_count(const ctf_graph *graph)
{
    return graph->count;
}

ctf_stream *ctf_graph_stream(const ctf_graph *graph, size_t index)
{
    return &graph->streams[index];
}

ocelotl_status ctf_graph_step(bool *ended, ctf_graph *graph)
{
    *ended = graph->count == 0;
    return *ended ? OCELOTL_OK : run(ended, graph);
}

void ctf_graph_free(ctf_graph *graph)
{
    if (graph == NULL)
        return;
    for (size_t i = 0; i < graph->count; i++) {
        ctf_stream *stream = &graph->streams[i];
        while (stream->next < stream->count)
            bt_message_put_ref(stream->messages[stream->next++]);
        bt_message_iterator_put_ref(stream->iterator);
    }
    bt_graph_put_ref(graph->graph);
    bt_component_class_sink_put_ref(graph->sink_class);
    bt_plugin_put_ref(graph->plugin);
    bt_current_thread_clear_error();
    free(graph->streams);
    free(graph->sources);
    free(graph->heap);
    free(graph);
}

/* --- Time */

/* What the clocks of all streams with events have in common. */
static bool share_frequency(bool *is_absolute, uint64_t *frequency, const ctf_graph *graph)
{
    bool same = true;
    *frequency = 0;
    *is_absolute = true;
    for (size_t i = 0; i < graph->count; i++) {
        const ctf_clock *clock = &graph->streams[i].clock;
        if (graph->streams[i].ended)
            continue;
        same = same && (*frequency == 0 || *frequency == clock->frequency);
        *frequency = clock->frequency;
        *is_absolute = *is_absolute && clock->is_absolute;
    }
    return same;
}

static wide first_time(const ctf_graph *graph, const ctf_stream *stream)
{
    const bt_clock_snapshot *snapshot = borrow_snapshot(stream->messages[stream->next]);
    int64_t nanoseconds = 0;
    if (!graph->in_nanoseconds)
        return (wide)stream->clock.offset_seconds * stream->clock.frequency +
               stream->clock.offset_cycles + bt_clock_snapshot_get_value(snapshot);
    if (bt_clock_snapshot_get_ns_from_origin(snapshot, &nanoseconds) != 0)
        bt_current_thread_clear_error();
    return nanoseconds;
}

static ocelotl_status shift_streams(ctf_graph *graph, wide base)
{
    for (size_t i = 0; i < graph->count; i++) {
        ctf_stream *stream = &graph->streams[i];
        const wide offset = (wide)stream->clock.offset_seconds * stream->clock.frequency +
                            stream->clock.offset_cycles - base;
        if (!graph->in_nanoseconds && !stream->ended && (offset < INT64_MIN || offset > INT64_MAX))
            return oc_fail(OCELOTL_ERROR_LIMIT, "the offset of a clock is too large");
        stream->offset = (int64_t)offset;
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_graph_settle(ctf_time_base *base, ctf_graph *graph)
{
    enum { NANOSECONDS = 1000000000 };
    wide first = INT64_MAX;
    *base = (ctf_time_base){.frequency = NANOSECONDS};
    graph->in_nanoseconds = !share_frequency(&base->is_absolute, &base->frequency, graph);
    if (graph->in_nanoseconds || base->frequency == 0)
        base->frequency = NANOSECONDS;
    for (size_t i = 0; i < graph->count; i++) {
        const ctf_stream *stream = &graph->streams[i];
        const wide time = stream->ended ? INT64_MAX : first_time(graph, stream);
        first = time < first ? time : first;
    }
    if (first == INT64_MAX || !base->is_absolute)
        first = 0;
    base->is_absolute = base->is_absolute && first != 0;
    graph->base = (int64_t)first;
    base->origin = (int64_t)(first / base->frequency * NANOSECONDS +
                             first % base->frequency * NANOSECONDS / base->frequency);
    return shift_streams(graph, first);
}

/* The importer of CTF traces. What maps to what is described in
 * docs/formats/ctf.md. */
#define _GNU_SOURCE
#include "importers/ctf/reader.h"

#include "base/format/date.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const oddity_names[] = {
    [CTF_DISCARDED - OC_COMMON_ODDITIES] =
        "event that the tracer discarded (\"lost\" of its CPU says when)",
    [CTF_DISCARDED_UNKNOWN - OC_COMMON_ODDITIES] =
        "gap where the tracer discarded events, of unknown number (a state \"lost\" of its CPU)",
    [CTF_TIME_BACK - OC_COMMON_ODDITIES] =
        "event before others of its stream that precede it there (put in order)",
    [CTF_PACKET_LOST - OC_COMMON_ODDITIES] =
        "packet that cannot be read to its end (the rest of it is left out)",
    [CTF_FIELDS_LOST - OC_COMMON_ODDITIES] =
        "event of more fields than one may have (those that fit are kept)",
    [CTF_TRACE_LOST - OC_COMMON_ODDITIES] = "trace that cannot be read (left out)",
    [CTF_NO_CLOCK - OC_COMMON_ODDITIES] = "stream without a clock (left out)",
    [CTF_PACKET_EMPTY - OC_COMMON_ODDITIES] =
        "packet without events, in a trace that has none (it is empty)",
    [CTF_NO_STREAM - OC_COMMON_ODDITIES] = "trace without streams (it is empty)",
    [CTF_CLOCKS_APART - OC_COMMON_ODDITIES] =
        "trace whose clock does not count from 1970, beside others (times are taken as they stand)",
    [CTF_OTF2 - OC_COMMON_ODDITIES] =
        "kind of event of an OTF2 archive that was made CTF (kept as events)",
    [CTF_RETURN_ALONE - OC_COMMON_ODDITIES] =
        "end of a system call or an interrupt that began before the trace",
};

/* A file of metadata, in packets of either order of bytes or as text; of CTF 2 as JSON. */
static int recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const size_t length = source->path != NULL ? strlen(source->path) : 0;
    const bool named = length >= 8 && strcmp(source->path + length - 8, "metadata") == 0;
    const bool begins =
        head->length >= 6 &&
        (memcmp(head->bytes, "/* CTF", 6) == 0 || memcmp(head->bytes, "\x57\x1D\xD1\x75", 4) == 0 ||
         memcmp(head->bytes, "\x75\xD1\x1D\x57", 4) == 0 || head->bytes[0] == 0x1E);
    return named && begins ? OC_SURE : OC_NO;
}

/* --- Folders with metadata, in a folder and below it */

enum {
    DEEPEST = 16,
    MOST_ENTRIES = 100000 /* a folder with more is no trace: the others are not looked at */
};

typedef struct search {
    oc_arena arena;
    const char **folders; /* by their names */
    size_t count, capacity;
    size_t most; /* no more are looked for */
    size_t seen; /* entries that were looked at */
} search;

static const char *join(search *in, const char *folder, const char *name)
{
    oc_text path = {0};
    const size_t length = strlen(folder);
    oc_text_add(&path, folder);
    oc_text_add(&path, length > 0 && folder[length - 1] == '/' ? "" : "/");
    oc_text_add(&path, name);
    const char *joined = oc_arena_copy(&in->arena, path.failed ? "" : path.bytes);
    in->arena.failed |= path.failed;
    oc_text_free(&path);
    return joined;
}

/* Symbolic links to folders are not followed. */
static bool is_kind(const char *path, mode_t kind)
{
    struct stat found;
    return (kind == S_IFDIR ? lstat(path, &found) : stat(path, &found)) == 0 &&
           (found.st_mode & S_IFMT) == kind;
}

/* Folders that cannot be read are passed over. */
static ocelotl_status look_into(search *in, const char *folder, size_t depth)
{
    struct dirent **entries = NULL;
    if (is_kind(join(in, folder, "metadata"), S_IFREG)) {
        OC_TRY(oc_arena_grow(&in->folders, &in->capacity, &in->arena, in->count + 1,
                             sizeof(*in->folders)));
        in->folders[in->count++] = oc_arena_copy(&in->arena, folder);
    }
    OC_TRY(oc_arena_status(&in->arena));
    if (in->count >= in->most || depth >= DEEPEST || in->seen >= MOST_ENTRIES)
        return OCELOTL_OK;
    ocelotl_status status = OCELOTL_OK;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const struct dirent *entry = entries[i];
        const bool is_below = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                              (entry->d_type == DT_DIR || entry->d_type == DT_UNKNOWN);
        const bool goes_on = status == OCELOTL_OK && in->count < in->most;
        in->seen += goes_on;
        const char *path = goes_on && is_below ? join(in, folder, entry->d_name) : "";
        if (path[0] != '\0' && is_kind(path, S_IFDIR))
            status = look_into(in, path, depth + 1);
        free(entries[i]);
    }
    free(entries);
    return status == OCELOTL_OK ? oc_arena_status(&in->arena) : status;
}

/* --- Traces: folders, and what they say of themselves */

static ocelotl_status add_folder(ctf_reader *reader, ctf_trace *trace, const char *folder)
{
    OC_TRY(oc_arena_grow(&trace->folders, &trace->folder_capacity, &reader->arena,
                         trace->folder_count + 1, sizeof(*trace->folders)));
    trace->folders[trace->folder_count++] = oc_arena_copy(&reader->arena, folder);
    return oc_arena_status(&reader->arena);
}

/* The description becomes the trace's, which is called as the last step of its path. */
static ocelotl_status add_trace(ctf_reader *reader, const char *folder, uint32_t source,
                                ctf_description *description)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    const char *slash = memrchr(folder, '/', length);
    const char *last = slash != NULL ? slash + 1 : folder;
    OC_TRY(oc_arena_grow(&reader->traces, &reader->trace_capacity, &reader->arena,
                         reader->trace_count + 1, sizeof(*reader->traces)));
    ctf_trace *trace = &reader->traces[reader->trace_count++];
    *trace = (ctf_trace){
        .description = *description,
        .source = source,
        .path = oc_arena_copy(&reader->arena, folder),
        .name = oc_arena_copy_bytes(&reader->arena, last, length - (size_t)(last - folder))};
    *description = (ctf_description){0};
    return add_folder(reader, trace, folder);
}

/* Parts of one trace have one UUID; that with the most events describes those of all. */
static ocelotl_status keep_folder(ctf_reader *reader, oc_map *known, const char *folder,
                                  uint32_t source, ctf_description *description)
{
    const char *uuid = description->uuid;
    const uint32_t number = uuid != NULL ? oc_map_get(known, uuid, strlen(uuid)) : OC_MAP_NONE;
    if (number == OC_MAP_NONE) {
        if (uuid != NULL)
            OC_TRY(oc_map_set(known, uuid, strlen(uuid), (uint32_t)reader->trace_count));
        return add_trace(reader, folder, source, description);
    }
    ctf_trace *trace = &reader->traces[number];
    if (description->event_count > trace->description.event_count) {
        const ctf_description fewer = trace->description;
        trace->description = *description;
        *description = fewer;
    }
    return add_folder(reader, trace, folder);
}

/* What cannot be read is an error, which says what --lenient would do; or it is counted. */
static ocelotl_status lose(ctf_reader *reader, size_t oddity, const char *leniently)
{
    char message[1024];
    if (reader->oddities.lenient)
        return oc_oddities_keep(&reader->oddities, oddity, ocelotl_error_message());
    snprintf(message, sizeof message, "%s", ocelotl_error_message());
    return oc_fail(OCELOTL_ERROR_INPUT, "%s (--lenient %s)", message, leniently);
}

/* Takes the folders of a source as traces, or as parts of one that was taken: itself and those
 * below it, or that of the metadata. */
static ocelotl_status take_source(ctf_reader *reader, oc_map *known, uint32_t number)
{
    const oc_source *source = &reader->import->sources[number];
    search found = {.most = source->is_folder ? SIZE_MAX : 1};
    const char *folder = source->folder != NULL && source->folder[0] != '\0' ? source->folder : ".";
    ocelotl_status status = look_into(&found, folder, 0);
    if (status == OCELOTL_OK && found.count == 0)
        status = oc_fail(OCELOTL_ERROR_INPUT,
                         "%s: holds no file \"metadata\", expected the folder of a CTF trace",
                         source->path);
    for (size_t i = 0; i < found.count && status == OCELOTL_OK; i++) {
        ctf_description description = {0};
        status = ctf_description_read(&description, found.folders[i]);
        if (status == OCELOTL_OK)
            status = keep_folder(reader, known, found.folders[i], number, &description);
        else if (status == OCELOTL_ERROR_INPUT)
            status = lose(reader, CTF_TRACE_LOST, "leaves this trace out");
        ctf_description_free(&description);
    }
    oc_arena_free(&found.arena);
    return status;
}

static ocelotl_status find_traces(ctf_reader *reader)
{
    oc_map known = {0};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t i = 0; i < reader->import->source_count && status == OCELOTL_OK; i++) {
        status = take_source(reader, &known, i);
        if (reader->has_nodes) /* a node has its own part of a trace */
            oc_map_free(&known);
    }
    oc_map_free(&known);
    OC_TRY(status);
    const char *lost = reader->oddities.texts[CTF_TRACE_LOST];
    if (reader->trace_count == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: holds no trace that can be read%s%s",
                       reader->import->sources[0].path, lost != NULL ? ": " : "",
                       lost != NULL ? lost : "");
    OC_TRY(oc_arena_allocate(&reader->paths, &reader->arena, reader->trace_count,
                             sizeof(*reader->paths)));
    for (size_t i = 0; i < reader->trace_count; i++)
        reader->paths[i] = reader->traces[i].path;
    for (size_t i = 0; i < reader->trace_count; i++)
        OC_TRY(ctf_graph_add(&reader->graph, &reader->traces[i].description,
                             reader->traces[i].folders, reader->traces[i].folder_count));
    return OCELOTL_OK;
}

/* --- Sources on one clock */

/* Moves the streams of sources to the clock of the first, as --align says. */
static ocelotl_status align(ctf_reader *reader)
{
    ctf_graph *graph = &reader->graph;
    const oc_import *import = reader->import;
    const size_t count = import->source_count;
    OC_TRY(oc_arena_allocate(&reader->sources, &reader->arena, count, sizeof(*reader->sources)));
    for (size_t i = 0; i < count; i++)
        reader->sources[i] = (oc_aligned){.path = import->sources[i].path, .has_clock = true};
    for (size_t i = 0; i < graph->count; i++) {
        ctf_stream *stream = graph->streams[i];
        if (stream->ended)
            continue;
        OC_TRY(ctf_graph_time(&stream->time, graph, stream, stream->next.time));
        oc_aligned *source = &reader->sources[reader->traces[stream->trace].source];
        source->has_clock = source->has_clock && stream->clock->is_absolute;
        if (!source->has_bounds || stream->time < source->begin)
            source->begin = source->end = stream->time;
        source->has_bounds = true;
    }
    reader->align = import->options->align;
    if (count < 2)
        return OCELOTL_OK;
    OC_TRY(oc_align(&reader->align, reader->sources, count, (int64_t)reader->base.frequency, NULL));
    for (size_t i = 0; i < graph->count; i++)
        graph->streams[i]->shift =
            reader->sources[reader->traces[graph->streams[i]->trace].source].shift;
    return OCELOTL_OK;
}

/* --- What a trace says of itself */

static const char *get_text(const ctf_trace *trace, const char *name)
{
    const ctf_entry *entry = ctf_find_entry(&trace->description, name);
    return entry != NULL ? entry->text : NULL;
}

static bool get_number(int64_t *number, const ctf_trace *trace, const char *name)
{
    const ctf_entry *entry = ctf_find_entry(&trace->description, name);
    if (entry == NULL || entry->text != NULL)
        return false;
    *number = entry->number;
    return true;
}

static ocelotl_status note_producer(ctf_reader *reader, const ctf_trace *of)
{
    oc_text text = {0};
    int64_t major = 0;
    int64_t minor = 0;
    const char *name = get_text(of, "tracer_name");
    const char *version = get_text(of, "version");
    if (name == NULL)
        return OCELOTL_OK;
    oc_text_add(&text, name);
    if (get_number(&major, of, "tracer_major") && get_number(&minor, of, "tracer_minor"))
        oc_text_format(&text, " %" PRId64 ".%" PRId64, major, minor);
    else if (version != NULL)
        oc_text_format(&text, " %s", version);
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] < ' ')
            text.bytes[i] = ' ';
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : ocelotl_writer_producer(reader->writer, text.bytes);
    oc_text_free(&text);
    return status;
}

static bool has_name(const ctf_trace *trace, const char *name)
{
    return oc_map_get(&trace->names, name, strlen(name)) != OC_MAP_NONE;
}

static ocelotl_status know_traces(ctf_reader *reader)
{
    for (size_t t = 0; t < reader->trace_count; t++) {
        ctf_trace *trace = &reader->traces[t];
        const ctf_description *of = &trace->description;
        const char *host = get_text(trace, "hostname");
        const char *domain = get_text(trace, "domain");
        host = host != NULL ? host : get_text(trace, "host");
        OC_TRY(ctf_find_host(&trace->host, reader, trace->source, host != NULL ? host : ""));
        for (size_t i = 0; i < of->event_count; i++) { /* pairs are those that have both names */
            const char *name = of->events[i].name;
            if (name != NULL)
                OC_TRY(oc_map_set(&trace->names, name, strlen(name), 0));
        }
        trace->is_kernel = (domain != NULL && strcmp(domain, "kernel") == 0) ||
                           has_name(trace, "sched_switch") || has_name(trace, "sched:sched_switch");
        trace->has_process = get_number(&trace->process, trace, "vpid");
        trace->process_name = get_text(trace, "procname");
        OC_TRY(note_producer(reader, trace));
    }
    return ctf_check_names_of_pairs(reader);
}

/* --- Threads of events in user space */

/* Finds the thread of an event, which is mostly that of the one before. */
static ocelotl_status find_thread(uint32_t *thread, ctf_reader *reader, ctf_event *event)
{
    int64_t number = 0;
    int64_t process = 0;
    ctf_stream_data *data = event->data;
    const uint32_t trace = event->stream->trace;
    if (!ctf_get_number(&number, event, event->of->thread))
        return ctf_find_alone(thread, reader, event);
    const ctf_trace *of = &reader->traces[trace];
    const bool has_process = ctf_get_number(&process, event, event->of->process) || of->has_process;
    if (!event->of->process.is_there)
        process = of->process;
    if (data->thread != OCELOTL_NONE && data->number == number && data->process == process) {
        *thread = data->thread;
        return OCELOTL_OK;
    }
    OC_TRY(ctf_find_thread(thread, reader, trace, number, has_process, process));
    data->thread = *thread;
    data->number = number;
    data->process = process;
    return OCELOTL_OK;
}

/* --- Events in user space */

/* A function is called as the symbols have it, else by its address. */
static ocelotl_status name_function(uint32_t *value, ctf_reader *reader, ctf_event *event)
{
    int64_t address = 0;
    const bool ends = event->of->role == CTF_AS_FUNCTION_END;
    *value = OCELOTL_NONE;
    if (!ctf_get_number(&address, event, event->of->keys[0]) && ends)
        return OCELOTL_OK;
    const char *name = ctf_symbols_find(reader, event, (uint64_t)address);
    oc_text_clear(&reader->key);
    if (name != NULL)
        oc_text_add(&reader->key, name);
    else
        oc_text_format(&reader->key, "0x%llx", (unsigned long long)address);
    if (reader->key.failed)
        return oc_fail_memory();
    return ctf_find_value(value, reader, event->of->type, reader->key.bytes);
}

static ocelotl_status take_in_user_space(ctf_reader *reader, ctf_event *event)
{
    uint32_t thread;
    uint32_t value = event->of->value;
    OC_TRY(find_thread(&thread, reader, event));
    OC_TRY(ctf_name_thread(reader, thread, ctf_get_string(event, event->of->name_of_thread)));
    if (event->of->role == CTF_AS_FUNCTION_BEGIN || event->of->role == CTF_AS_FUNCTION_END)
        OC_TRY(name_function(&value, reader, event));
    if (event->of->role == CTF_AS_LOADED)
        OC_TRY(ctf_symbols_load(reader, event));
    OC_TRY(ctf_add_event(reader, event, reader->threads[thread].row, value));
    return ctf_add_pair(reader, event, reader->threads[thread].row);
}

/* --- All events */

/* Counts an oddity of the record at hand, and keeps the place of the first. */
static ocelotl_status note_record(ctf_reader *reader, size_t oddity, const ctf_stream *stream)
{
    oc_text_clear(&reader->key);
    if (reader->oddities.counts[oddity] == 0)
        oc_text_format(&reader->key, "%s:%" PRIu64, ctf_stream_path(stream), stream->next.offset);
    if (reader->key.failed)
        return oc_fail_memory();
    return oc_oddities_keep(&reader->oddities, oddity, reader->key.bytes);
}

static ocelotl_status take_event(ctf_reader *reader, ctf_event *event)
{
    ctf_class *of = NULL;
    OC_TRY(ctf_find_class(&of, reader, event->stream, event->record->of));
    event->of = of;
    reader->events++;
    reader->taken_trace = event->stream->trace;
    ctf_stream_data *data = event->data;
    const bool goes_back = data->has_events && event->time < data->latest;
    if (!data->has_events || event->time > data->latest)
        data->latest = event->time;
    data->has_events = true;
    if (!data->has_cpu)
        data->has_cpu = ctf_get_number(&data->cpu, event, of->cpu);
    if (goes_back) /* packets that overlap in time are put in order by the timelines */
        OC_TRY(note_record(reader, CTF_TIME_BACK, event->stream));
    OC_TRY(of->is_kernel ? ctf_take_in_kernel(reader, event) : take_in_user_space(reader, event));
    if (event->left_out != NULL)
        return oc_kinds_count(&reader->kinds, of->name, OCELOTL_FATE_LEFT_OUT, 1, event->left_out);
    oc_kinds_add(&reader->kinds, of->kind);
    return OCELOTL_OK;
}

/* --- Events that the tracer discarded */

static ocelotl_status take_discarded(ctf_reader *reader, ctf_stream *stream)
{
    uint32_t cpu;
    uint32_t attribute;
    const ctf_stream_data *data = stream->data;
    const ctf_record *record = &stream->next;
    reader->taken_trace = stream->trace;
    oc_sorted gap = {.kind = OC_SORTED_SPAN, .time = stream->time};
    OC_TRY(ctf_graph_time(&gap.end, &reader->graph, stream, record->until));
    if (gap.end < gap.time)
        gap.end = gap.time;
    OC_TRY(note_record(reader, record->is_counted ? CTF_DISCARDED : CTF_DISCARDED_UNKNOWN, stream));
    if (record->is_counted)
        reader->oddities.counts[CTF_DISCARDED] += record->count - 1;
    OC_TRY(ctf_find_cpu(&cpu, reader, stream->trace,
                        data->has_cpu ? data->cpu : -1 - (int64_t)stream->number));
    OC_TRY(ctf_lose_cpu(reader, cpu, gap.time));
    OC_TRY(ctf_find_value(&gap.value, reader, CTF_CPU_STATE, "lost"));
    ctf_gather_begin(reader);
    if (record->is_counted) {
        OC_TRY(ctf_find_attribute(&attribute, reader, CTF_CPU_STATE, "count"));
        OC_TRY(ctf_gather_number(reader, attribute, record->count));
        OC_TRY(ctf_gather_end(reader));
    }
    gap.stream = reader->cpus[cpu].row;
    gap.type = reader->types[CTF_CPU_STATE].id;
    gap.attributes = reader->attributes;
    gap.attribute_count = reader->attribute_count;
    return oc_timelines_add(&reader->timelines, &gap);
}

/* --- What the graph gives */

static ocelotl_status take(void *context, ctf_stream *stream)
{
    ctf_reader *reader = context;
    if (stream->next.of == NULL)
        return take_discarded(reader, stream);
    ctf_event event = {
        .record = &stream->next, .stream = stream, .data = stream->data, .time = stream->time};
    return take_event(reader, &event);
}

static ocelotl_status lose_packet(void *context)
{
    return lose(context, CTF_PACKET_LOST, "reads what is whole");
}

/* --- Streams that have begun */

static ocelotl_status begin_streams(ctf_reader *reader)
{
    const size_t count = reader->graph.count;
    bool some_absolute = false;
    bool some_not = false;
    OC_TRY(ctf_graph_begin(&reader->graph));
    OC_TRY(ctf_graph_settle(&reader->base, &reader->graph));
    OC_TRY(oc_arena_allocate(&reader->streams, &reader->arena, count, sizeof(*reader->streams)));
    for (size_t i = 0; i < count; i++) {
        ctf_stream *stream = reader->graph.streams[i];
        reader->streams[i].thread = OCELOTL_NONE;
        stream->data = &reader->streams[i];
        if (stream->clock == NULL && !reader->oddities.lenient)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: has a stream without a clock, expected one: its events have no "
                           "times (--lenient reads the others)",
                           reader->paths[stream->trace]);
        if (stream->clock == NULL)
            oc_oddities_note(&reader->oddities, CTF_NO_CLOCK, ctf_stream_path(stream), 0);
        else if (!stream->ended && stream->clock->is_absolute)
            some_absolute = true;
        else if (!stream->ended)
            some_not = true;
    }
    if (count == 0)
        oc_oddities_note(&reader->oddities, CTF_NO_STREAM, reader->paths[0], 0);
    else if (reader->oddities.counts[CTF_NO_CLOCK] == count)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "%s: has no stream with a clock, expected one: no event has a time",
                       reader->paths[0]);
    if (some_absolute && some_not)
        oc_oddities_note(&reader->oddities, CTF_CLOCKS_APART, reader->paths[0], 0);
    return OCELOTL_OK;
}

/* --- All of it */

static ocelotl_status declare_rows(ctf_reader *reader)
{
    ocelotl_writer *writer = reader->writer;
    reader->file_type = OCELOTL_ROOT;
    if (reader->has_nodes)
        OC_TRY(ocelotl_writer_resource_type(&reader->file_type, writer, OCELOTL_ROOT, "File"));
    OC_TRY(ocelotl_writer_resource_type(&reader->host_type, writer, reader->file_type, "Host"));
    OC_TRY(ocelotl_writer_resource_type(&reader->cpus_type, writer, reader->host_type, "CPUs"));
    OC_TRY(ocelotl_writer_resource_type(&reader->cpu_type, writer, reader->cpus_type, "CPU"));
    OC_TRY(
        ocelotl_writer_resource_type(&reader->process_type, writer, reader->host_type, "Process"));
    OC_TRY(
        ocelotl_writer_resource_type(&reader->thread_type, writer, reader->process_type, "Thread"));
    OC_TRY(ocelotl_writer_resource_type(&reader->lane_type, writer, reader->thread_type, "Lane"));
    OC_TRY(ctf_check_pairs(reader->import->options->pairs));
    return oc_folding_open(&reader->folding, reader->import->options->fold_names);
}

/* Reads the events, which are taken to be of a few bytes, and counts the packets of traces that
 * have none. */
static ocelotl_status read_streams(ctf_reader *reader)
{
    enum { BYTES_OF_AN_EVENT = 24 };
    const ocelotl_work *work = &reader->import->options->work;
    const ctf_graph *graph = &reader->graph;
    for (bool ended = false; !ended;) {
        OC_TRY(ctf_graph_step(&ended, &reader->graph));
        const uint64_t guess = reader->events * BYTES_OF_AN_EVENT;
        const uint64_t done = guess < reader->bytes ? guess : reader->bytes;
        if (work->progress != NULL && !work->progress(work->context, done, reader->bytes))
            return oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
    }
    for (uint32_t trace = 0; trace < reader->trace_count; trace++) {
        bool has_events = false;
        for (size_t i = 0; i < graph->count; i++)
            has_events |= graph->streams[i]->trace == trace && reader->streams[i].has_events;
        for (size_t i = 0; i < graph->count && !has_events; i++) {
            const ctf_stream *stream = graph->streams[i];
            for (uint64_t n = 0; stream->trace == trace && n < stream->packet_count; n++)
                oc_oddities_note(&reader->oddities, CTF_PACKET_EMPTY, stream->files[0].path, 0);
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status import_all(ctf_reader *reader)
{
    const oc_import *import = reader->import;
    const ctf_time_base *base = &reader->base;
    char date[OC_DATE_SIZE];
    reader->graph.taker = (ctf_taker){
        .take = take, .loss = {.lose = lose_packet, .context = reader}, .context = reader};
    OC_TRY(find_traces(reader));
    OC_TRY(begin_streams(reader));
    OC_TRY(align(reader));
    const char *origin =
        base->is_absolute && base->origin >= 0 ? oc_date_write_part(date, base->origin) : NULL;
    OC_TRY(oc_import_open(&reader->writer, import, oc_ctf_importer.format.name, base->frequency,
                          origin));
    reader->oddities.writer = reader->writer;
    OC_TRY(oc_timelines_open(&reader->timelines, reader->writer, &reader->oddities, import->target,
                             OC_SORTING_MEMORY));
    for (size_t i = 0; i < import->source_count && import->notes_files; i++)
        OC_TRY(oc_source_note(&import->sources[i], reader->writer));
    OC_TRY(ctf_symbols_read(reader));
    OC_TRY(declare_rows(reader));
    OC_TRY(know_traces(reader));
    OC_TRY(read_streams(reader));
    OC_TRY(ctf_end_kernel(reader));
    OC_TRY(ctf_finish(reader));
    OC_TRY(oc_kinds_finish(&reader->kinds, reader->writer));
    OC_TRY(oc_oddities_finish(&reader->oddities));
    return ocelotl_writer_finish(reader->writer);
}

static ocelotl_status import_ctf(const oc_import *import)
{
    ctf_reader *reader;
    OC_TRY(oc_arena_make(&reader, sizeof *reader));
    reader->import = import;
    reader->has_nodes = import->source_count > 1 && !import->options->same_root;
    reader->oddities = oc_import_oddities(import, NULL, oddity_names, CTF_ODDITY_END);
    reader->oddities.can_fold = true;
    const ocelotl_status status = import_all(reader);
    ctf_graph_free(&reader->graph);
    for (size_t i = 0; i < reader->trace_count; i++) {
        ctf_description_free(&reader->traces[i].description);
        oc_map_free(&reader->traces[i].names);
    }
    for (size_t i = 0; i < CTF_TYPES; i++) {
        oc_map_free(&reader->types[i].value_of);
        oc_map_free(&reader->types[i].attribute_of);
    }
    oc_map_free(&reader->symbols.name_of);
    oc_map_free(&reader->thread_of);
    oc_map_free(&reader->cpu_of);
    oc_map_free(&reader->name_of);
    oc_folding_free(&reader->folding);
    oc_timelines_free(&reader->timelines);
    oc_kinds_free(&reader->kinds);
    oc_oddities_free(&reader->oddities);
    ocelotl_writer_free(reader->writer);
    oc_text_free(&reader->texts);
    oc_text_free(&reader->key);
    oc_arena_free(&reader->arena);
    return status;
}

const oc_importer oc_ctf_importer = {
    .format = {.name = "ctf",
               .description =
                   "CTF traces (1.8 and 2), as LTTng and perf write them (the folder that "
                   "holds metadata, or one above)",
               .suffixes = (const char *const[]){NULL}},
    .unit = OC_UNIT_FOLDER,
    .takes_several = true,
    .has_clock = true,
    .takes = OC_TAKES_FOLD_NAMES | OC_TAKES_PAIRS,
    .recognises = recognises,
    .import = import_ctf,
};

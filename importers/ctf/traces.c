/* Traces: the folders that hold them, and what they say of themselves. */
#define _GNU_SOURCE
#include "importers/ctf/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Metadata */

static ocelotl_status fail_metadata(const char *folder, const char *what)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s/metadata: %s", folder, what);
}

/* The library's messages are not for those who know nothing of its inside: what is usual is said
 * here. */
static ocelotl_status check_metadata(const char *folder)
{
    oc_text path = {0};
    unsigned char head[4] = {0};
    oc_text_format(&path, "%s/metadata", folder);
    if (path.failed)
        return oc_fail_memory();
    FILE *file = fopen(path.bytes, "rb");
    oc_text_free(&path);
    if (file == NULL)
        return fail_metadata(folder, "cannot be opened");
    const size_t length = fread(head, 1, sizeof head, file);
    fclose(file);
    if (length == 0)
        return fail_metadata(folder, "is empty, expected the metadata of a CTF trace");
    if ((head[0] == 0x1E || head[0] == '{') && bt_version_get_minor() < 1)
        return fail_metadata(folder, "is of CTF 2, which this build's Babeltrace cannot read, "
                                     "expected CTF 1.8");
    return OCELOTL_OK;
}

/* --- Folders */

static ocelotl_status add_folder(ctf_trace *trace, const char *folder)
{
    OC_TRY(oc_grow(&trace->folders, &trace->folder_capacity, trace->folder_count + 1,
                   sizeof(*trace->folders)));
    trace->folders[trace->folder_count] = NULL;
    OC_TRY(oc_copy_text(&trace->folders[trace->folder_count], folder));
    trace->folder_count++;
    return OCELOTL_OK;
}

/* The last step of a path. */
static ocelotl_status copy_last(char **name, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    OC_TRY(oc_allocate(name, length - begin + 1, 1));
    memcpy(*name, path + begin, length - begin);
    return OCELOTL_OK;
}

static ocelotl_status add_trace(ctf_reader *reader, const char *folder)
{
    OC_TRY(oc_grow(&reader->traces, &reader->trace_capacity, reader->trace_count + 1,
                   sizeof(*reader->traces)));
    ctf_trace *trace = &reader->traces[reader->trace_count++];
    *trace = (ctf_trace){0};
    OC_TRY(oc_copy_text(&trace->path, folder));
    OC_TRY(copy_last(&trace->name, folder));
    return add_folder(trace, folder);
}

/* Takes a folder as a trace, or as a part of one that was taken. */
static ocelotl_status take_folder(ctf_reader *reader, oc_map *known, const char *folder)
{
    ocelotl_status status = check_metadata(folder);
    if (status == OCELOTL_ERROR_INPUT && reader->oddities.lenient) {
        oc_oddities_note(&reader->oddities, CTF_TRACE_LOST, reader->import->sources[0].path, 0);
        return OCELOTL_OK;
    }
    OC_TRY(status);
    oc_text_clear(&reader->key);
    OC_TRY(ctf_graph_name(&reader->key, reader->graph, folder));
    const oc_text *name = &reader->key;
    const uint32_t number =
        name->length > 0 ? oc_map_get(known, name->bytes, name->length) : OC_MAP_NONE;
    if (number != OC_MAP_NONE)
        return add_folder(&reader->traces[number], folder);
    if (name->length > 0)
        OC_TRY(oc_map_set(known, name->bytes, name->length, (uint32_t)reader->trace_count));
    return add_trace(reader, folder);
}

/* The folder of a source: itself, or that of the metadata. */
static ocelotl_status search_source(ctf_reader *reader, oc_map *known, const oc_source *source)
{
    oc_search search = {0};
    const char *folder = source->folder != NULL && source->folder[0] != '\0' ? source->folder : ".";
    ocelotl_status status =
        oc_search_folders(&search, folder, "metadata", source->is_folder ? SIZE_MAX : 1);
    if (status == OCELOTL_OK && search.count == 0)
        status = oc_fail(OCELOTL_ERROR_INPUT,
                         "%s: holds no file \"metadata\", expected the folder of a CTF trace",
                         source->path);
    for (size_t i = 0; i < search.count && status == OCELOTL_OK; i++)
        status = take_folder(reader, known, search.folders[i]);
    oc_search_free(&search);
    return status;
}

ocelotl_status ctf_lose_trace(ctf_reader *reader, const ctf_trace *trace, const char *message)
{
    if (!reader->oddities.lenient)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s, expected a trace of CTF 1.8", trace->path,
                       message);
    oc_oddities_note(&reader->oddities, CTF_TRACE_LOST, trace->path, 0);
    return OCELOTL_OK;
}

static ocelotl_status add_to_graph(ctf_reader *reader, uint32_t number)
{
    const char *message = "";
    const ctf_trace *trace = &reader->traces[number];
    OC_TRY(ctf_graph_add(&message, reader->graph, trace->folders, trace->folder_count,
                         reader->oddities.lenient));
    if (message[0] != '\0')
        return ctf_lose_trace(reader, trace, message);
    OC_TRY(oc_grow(&reader->trace_of, &reader->graph_capacity, reader->graph_count + 1,
                   sizeof(*reader->trace_of)));
    reader->trace_of[reader->graph_count++] = number;
    return OCELOTL_OK;
}

ocelotl_status ctf_find_traces(ctf_reader *reader)
{
    oc_map known = {0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < reader->import->source_count && status == OCELOTL_OK; i++)
        status = search_source(reader, &known, &reader->import->sources[i]);
    oc_map_free(&known);
    OC_TRY(status);
    OC_TRY(oc_allocate(&reader->paths, reader->trace_count, sizeof(*reader->paths)));
    for (uint32_t i = 0; i < reader->trace_count; i++) {
        reader->paths[i] = reader->traces[i].path;
        OC_TRY(add_to_graph(reader, i));
    }
    return reader->graph_count > 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "%s: holds no trace that can be read",
                         reader->import->sources[0].path);
}

/* --- What a trace says of itself */

static const char *get_text(const bt_trace *trace, const char *name)
{
    const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);
    return value != NULL && bt_value_is_string(value) ? bt_value_string_get(value) : NULL;
}

static bool get_number(int64_t *number, const bt_trace *trace, const char *name)
{
    const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);
    if (value == NULL || !bt_value_is_signed_integer(value))
        return false;
    *number = bt_value_integer_signed_get(value);
    return true;
}

static ocelotl_status note_producer(ctf_reader *reader, const bt_trace *of)
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

/* The names of all event classes of a trace: pairs are those that have both. */
static ocelotl_status note_names(ctf_trace *trace, const bt_trace *of)
{
    const bt_trace_class *trace_class = bt_trace_borrow_class_const(of);
    const uint64_t streams = bt_trace_class_get_stream_class_count(trace_class);
    for (uint64_t i = 0; i < streams; i++) {
        const bt_stream_class *stream_class =
            bt_trace_class_borrow_stream_class_by_index_const(trace_class, i);
        const uint64_t count = bt_stream_class_get_event_class_count(stream_class);
        for (uint64_t j = 0; j < count; j++) {
            const char *name = bt_event_class_get_name(
                bt_stream_class_borrow_event_class_by_index_const(stream_class, j));
            if (name != NULL)
                OC_TRY(oc_map_set(&trace->names, name, strlen(name), 0));
        }
    }
    return OCELOTL_OK;
}

static bool has_name(const ctf_trace *trace, const char *name)
{
    return oc_map_get(&trace->names, name, strlen(name)) != OC_MAP_NONE;
}

ocelotl_status ctf_know_trace(ctf_reader *reader, const ctf_stream *stream)
{
    ctf_trace *trace = &reader->traces[reader->trace_of[stream->trace]];
    if (trace->is_known || stream->stream == NULL)
        return OCELOTL_OK;
    const bt_trace *of = bt_stream_borrow_trace_const(stream->stream);
    const char *host = get_text(of, "hostname");
    const char *domain = get_text(of, "domain");
    trace->is_known = true;
    host = host != NULL ? host : get_text(of, "host");
    OC_TRY(ctf_find_host(&trace->host, reader, host != NULL ? host : ""));
    OC_TRY(note_names(trace, of));
    trace->is_kernel = (domain != NULL && strcmp(domain, "kernel") == 0) ||
                       has_name(trace, "sched_switch") || has_name(trace, "sched:sched_switch");
    trace->has_process = get_number(&trace->process, of, "vpid");
    OC_TRY(oc_copy_optional(&trace->process_name, get_text(of, "procname")));
    return note_producer(reader, of);
}

void ctf_traces_free(ctf_reader *reader)
{
    for (size_t i = 0; i < reader->trace_count; i++) {
        ctf_trace *trace = &reader->traces[i];
        for (size_t j = 0; j < trace->folder_count; j++)
            free(trace->folders[j]);
        free(trace->folders);
        free(trace->path);
        free(trace->name);
        free(trace->process_name);
        oc_map_free(&trace->names);
    }
    free(reader->traces);
    free(reader->paths);
    free(reader->trace_of);
}

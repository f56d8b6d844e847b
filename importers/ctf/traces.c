/* Traces: the folders that hold them, and what they say of themselves. */
#define _GNU_SOURCE
#include "importers/ctf/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The description becomes the trace's. */
static ocelotl_status add_trace(ctf_reader *reader, const char *folder, uint32_t source,
                                ctf_description *description)
{
    OC_TRY(oc_grow(&reader->traces, &reader->trace_capacity, reader->trace_count + 1,
                   sizeof(*reader->traces)));
    ctf_trace *trace = &reader->traces[reader->trace_count++];
    *trace = (ctf_trace){.description = *description, .source = source};
    *description = (ctf_description){0};
    OC_TRY(oc_copy_text(&trace->path, folder));
    OC_TRY(copy_last(&trace->name, folder));
    return add_folder(trace, folder);
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
    return add_folder(trace, folder);
}

/* Takes a folder as a trace, or as a part of one that was taken. */
static ocelotl_status take_folder(ctf_reader *reader, oc_map *known, const char *folder,
                                  uint32_t source)
{
    ctf_description description = {0};
    ocelotl_status status = ctf_description_read(&description, folder);
    if (status == OCELOTL_OK) {
        status = keep_folder(reader, known, folder, source, &description);
    } else if (status == OCELOTL_ERROR_INPUT && !reader->oddities.lenient) {
        char message[1024];
        snprintf(message, sizeof message, "%s", ocelotl_error_message());
        status = oc_fail(status, "%s (--lenient leaves this trace out)", message);
    } else if (status == OCELOTL_ERROR_INPUT) {
        status = oc_oddities_keep(&reader->oddities, CTF_TRACE_LOST, ocelotl_error_message());
    }
    ctf_description_free(&description);
    return status;
}

/* The folder of a source: itself, or that of the metadata. */
static ocelotl_status search_source(ctf_reader *reader, oc_map *known, uint32_t number)
{
    oc_search search = {0};
    const oc_source *source = &reader->import->sources[number];
    const char *folder = source->folder != NULL && source->folder[0] != '\0' ? source->folder : ".";
    ocelotl_status status =
        oc_search_folders(&search, folder, "metadata", source->is_folder ? SIZE_MAX : 1);
    if (status == OCELOTL_OK && search.count == 0)
        status = oc_fail(OCELOTL_ERROR_INPUT,
                         "%s: holds no file \"metadata\", expected the folder of a CTF trace",
                         source->path);
    for (size_t i = 0; i < search.count && status == OCELOTL_OK; i++)
        status = take_folder(reader, known, search.folders[i], number);
    oc_search_free(&search);
    return status;
}

ocelotl_status ctf_find_traces(ctf_reader *reader)
{
    oc_map known = {0};
    ocelotl_status status = OCELOTL_OK;
    for (uint32_t i = 0; i < reader->import->source_count && status == OCELOTL_OK; i++) {
        status = search_source(reader, &known, i);
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
    OC_TRY(oc_allocate(&reader->paths, reader->trace_count, sizeof(*reader->paths)));
    for (size_t i = 0; i < reader->trace_count; i++)
        reader->paths[i] = reader->traces[i].path;
    for (size_t i = 0; i < reader->trace_count; i++) {
        const ctf_trace *trace = &reader->traces[i];
        OC_TRY(ctf_graph_add(&reader->graph, &trace->description, trace->folders,
                             trace->folder_count));
    }
    return OCELOTL_OK;
}

/* --- Sources on one clock */

ocelotl_status ctf_align(ctf_reader *reader)
{
    ctf_graph *graph = &reader->graph;
    const oc_import *import = reader->import;
    const size_t count = import->source_count;
    OC_TRY(oc_allocate(&reader->sources, count, sizeof(*reader->sources)));
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

ocelotl_status ctf_know_traces(ctf_reader *reader)
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
        OC_TRY(oc_copy_optional(&trace->process_name, get_text(trace, "procname")));
        OC_TRY(note_producer(reader, trace));
    }
    return ctf_check_names_of_pairs(reader);
}

void ctf_traces_free(ctf_reader *reader)
{
    for (size_t i = 0; i < reader->trace_count; i++) {
        ctf_trace *trace = &reader->traces[i];
        for (size_t j = 0; j < trace->folder_count; j++)
            free(trace->folders[j]);
        free(trace->folders);
        ctf_description_free(&trace->description);
        free(trace->path);
        free(trace->name);
        free(trace->process_name);
        oc_map_free(&trace->names);
    }
    free(reader->traces);
    free(reader->paths);
    free(reader->sources);
    free(reader->nodes);
}

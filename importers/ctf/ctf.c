/* The importer of CTF traces. What maps to what is described in
 * docs/formats/ctf.md. */
#define _GNU_SOURCE
#include "importers/ctf/reader.h"

#include "base/format/date.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* --- What the graph gives */

static ocelotl_status take(void *context, ctf_stream *stream)
{
    ctf_reader *reader = context;
    if (stream->next.of == NULL)
        return ctf_take_discarded(reader, stream);
    ctf_event event = {
        .record = &stream->next, .stream = stream, .data = stream->data, .time = stream->time};
    return ctf_take_event(reader, &event);
}

static ocelotl_status lose(void *context)
{
    ctf_reader *reader = context;
    if (!reader->oddities.lenient) {
        char message[1024];
        snprintf(message, sizeof message, "%s", ocelotl_error_message());
        return oc_fail(OCELOTL_ERROR_INPUT, "%s (--lenient reads what is whole)", message);
    }
    return oc_oddities_keep(&reader->oddities, CTF_PACKET_LOST, ocelotl_error_message());
}

/* --- Streams that have begun */

static ocelotl_status begin_streams(ctf_reader *reader)
{
    const size_t count = reader->graph.count;
    bool some_absolute = false;
    bool some_not = false;
    OC_TRY(ctf_graph_begin(&reader->graph));
    OC_TRY(ctf_graph_settle(&reader->base, &reader->graph));
    OC_TRY(oc_allocate(&reader->streams, count, sizeof(*reader->streams)));
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
    reader->graph.taker =
        (ctf_taker){.take = take, .loss = {.lose = lose, .context = reader}, .context = reader};
    OC_TRY(ctf_find_traces(reader));
    OC_TRY(begin_streams(reader));
    OC_TRY(ctf_align(reader));
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
    OC_TRY(ctf_classes_begin(reader));
    OC_TRY(ctf_know_traces(reader));
    OC_TRY(read_streams(reader));
    OC_TRY(ctf_end_kernel(reader));
    OC_TRY(ctf_finish(reader));
    OC_TRY(oc_kinds_finish(&reader->kinds, reader->writer));
    OC_TRY(oc_oddities_finish(&reader->oddities));
    return ocelotl_writer_finish(reader->writer);
}

static ocelotl_status import_ctf(const oc_import *import)
{
    ctf_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof(*reader)));
    reader->import = import;
    reader->has_nodes = import->source_count > 1 && !import->options->same_root;
    reader->oddities = oc_import_oddities(import, NULL, oddity_names, CTF_ODDITY_END);
    reader->oddities.can_fold = true;
    const ocelotl_status status = import_all(reader);
    ctf_graph_free(&reader->graph);
    ctf_traces_free(reader);
    ctf_classes_free(reader);
    ctf_symbols_free(&reader->symbols);
    ctf_rows_free(reader);
    oc_timelines_free(&reader->timelines);
    oc_kinds_free(&reader->kinds);
    oc_oddities_free(&reader->oddities);
    ocelotl_writer_free(reader->writer);
    free(reader->streams);
    free(reader->attributes);
    oc_text_free(&reader->texts);
    oc_text_free(&reader->key);
    free(reader);
    return status;
}

static const char *const suffixes[] = {NULL};

const oc_importer oc_ctf_importer = {
    .format = {.name = "ctf",
               .description =
                   "CTF traces (1.8 and 2), as LTTng and perf write them (the folder that "
                   "holds metadata, or one above)",
               .suffixes = suffixes},
    .unit = OC_UNIT_FOLDER,
    .takes_several = true,
    .has_clock = true,
    .takes = OC_TAKES_FOLD_NAMES | OC_TAKES_PAIRS,
    .recognises = recognises,
    .import = import_ctf,
};

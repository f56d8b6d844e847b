#define _GNU_SOURCE
#include "importers/ctf/stream.h"

#include "base/memory.h"
#include "importers/common/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

__extension__ typedef __int128 wide;

enum {
    STEP = 4096, /* records of a step */
    NANOSECONDS = 1000000000,
    /* Bytes of files that are in memory: of all streams, and of one. */
    ALL_WINDOWS = 32 << 20,
    LARGE_WINDOW = 256 << 10,
    SMALL_WINDOW = 4 << 10
};

/* --- Files and their streams */

static bool is_stream_file(const char *name)
{
    const size_t length = strlen(name);
    const bool is_symbols = length > 3 && strcmp(name + length - 3, ".nm") == 0;
    return name[0] != '.' && !is_symbols && strcmp(name, "metadata") != 0;
}

/* Whether a file is what people put beside streams, which begin with numbers: text, a trace.db. */
static bool is_other(const char *path)
{
    static const char database[] = "SQLite format 3";
    char head[256];
    FILE *file = fopen(path, "rb");
    const size_t length = file != NULL ? fread(head, 1, sizeof head, file) : 0;
    bool is = length > 0;
    for (size_t i = 0; i < length; i++)
        is = is && ((unsigned char)head[i] >= ' ' || (head[i] >= '\t' && head[i] <= '\r'));
    if (file != NULL)
        fclose(file);
    return is || (length >= sizeof database && memcmp(head, database, sizeof database) == 0);
}

static void drop_stream(ctf_stream *stream)
{
    if (stream == NULL)
        return;
    ctf_stream_free(stream);
    free(stream);
}

/* Keeps a stream. One of the same number goes on in another file, as tracers rotate them; files
 * stand in the order of their first packets. */
static ocelotl_status keep_stream(ctf_graph *graph, ctf_stream **stream)
{
    ctf_stream *added = *stream;
    for (size_t i = graph->count; i > 0 && added->has_instance; i--) {
        ctf_stream *to = graph->streams[i - 1];
        if (to->trace != added->trace)
            break;
        if (to->of != added->of || !to->has_instance || to->instance != added->instance)
            continue;
        OC_TRY(oc_grow(&to->files, &to->file_capacity, to->file_count + 1, sizeof(*to->files)));
        size_t place = to->file_count++;
        for (; place > 0 && to->files[place - 1].begin > added->files[0].begin; place--)
            to->files[place] = to->files[place - 1];
        to->files[place] = added->files[0];
        added->file_count = 0;
        return OCELOTL_OK;
    }
    OC_TRY(oc_grow(&graph->streams, &graph->capacity, graph->count + 1, sizeof(ctf_stream *)));
    added->number = (uint32_t)graph->count;
    graph->streams[graph->count++] = added;
    *stream = NULL;
    return OCELOTL_OK;
}

static ocelotl_status add_file(ctf_graph *graph, const ctf_description *description,
                               const char *path)
{
    struct stat about;
    ctf_stream *stream = NULL;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size == 0 || is_other(path))
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&stream, 1, sizeof(*stream)));
    stream->trace = (uint32_t)graph->trace_count - 1;
    ocelotl_status status = ctf_stream_look(stream, description, graph->slots[stream->trace], path);
    if (status == OCELOTL_OK)
        status = keep_stream(graph, &stream);
    else if (status == OCELOTL_ERROR_INPUT)
        status = graph->taker.loss.lose(graph->taker.loss.context);
    drop_stream(stream);
    return status;
}

static ocelotl_status add_folder(ctf_graph *graph, const ctf_description *description,
                                 const char *folder)
{
    char **names = NULL;
    size_t count = 0;
    oc_text path = {0};
    ocelotl_status status = oc_source_list(&names, &count, folder, is_stream_file);
    for (size_t i = 0; i < count; i++) {
        oc_text_clear(&path);
        oc_text_format(&path, "%s/%s", folder, names[i]);
        if (status == OCELOTL_OK)
            status = path.failed ? oc_fail_memory() : add_file(graph, description, path.bytes);
        free(names[i]);
    }
    free(names);
    oc_text_free(&path);
    return status;
}

ocelotl_status ctf_graph_add(ctf_graph *graph, const ctf_description *description,
                             const char *const *folders, size_t count)
{
    OC_TRY(
        oc_grow(&graph->slots, &graph->trace_capacity, graph->trace_count + 1, sizeof(uint64_t *)));
    uint64_t **slots = &graph->slots[graph->trace_count];
    *slots = NULL;
    OC_TRY(oc_allocate(slots, description->slot_count, sizeof(**slots)));
    graph->trace_count++;
    for (size_t i = 0; i < count; i++)
        OC_TRY(add_folder(graph, description, folders[i]));
    return OCELOTL_OK;
}

/* --- Time */

ocelotl_status ctf_graph_time(int64_t *time, const ctf_graph *graph, const ctf_stream *stream,
                              uint64_t clock)
{
    wide ticks;
    if (!graph->in_nanoseconds) {
        ticks = (wide)clock + stream->offset;
    } else {
        const uint64_t frequency = stream->clock->frequency;
        ticks = ((wide)stream->clock->offset_cycles + clock) * NANOSECONDS / frequency +
                (wide)stream->clock->offset_seconds * NANOSECONDS - graph->base;
    }
    ticks += stream->shift;
    *time = (int64_t)ticks;
    return ticks >= INT64_MIN && ticks <= INT64_MAX
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_LIMIT, "a time of a stream is too large");
}

/* Finds what the clocks of all streams with events have in common. */
static bool share_frequency(bool *is_absolute, uint64_t *frequency, const ctf_graph *graph)
{
    bool same = true;
    *frequency = 0;
    *is_absolute = true;
    for (size_t i = 0; i < graph->count; i++) {
        const ctf_clock *clock = graph->streams[i]->clock;
        if (graph->streams[i]->ended)
            continue;
        same = same && (*frequency == 0 || *frequency == clock->frequency);
        *frequency = clock->frequency;
        *is_absolute = *is_absolute && clock->is_absolute;
    }
    return same;
}

static wide offset_of(const ctf_stream *stream)
{
    return (wide)stream->clock->offset_seconds * stream->clock->frequency +
           stream->clock->offset_cycles;
}

ocelotl_status ctf_graph_settle(ctf_time_base *base, ctf_graph *graph)
{
    bool has_first = false;
    wide first = 0;
    *base = (ctf_time_base){.frequency = NANOSECONDS};
    graph->in_nanoseconds = !share_frequency(&base->is_absolute, &base->frequency, graph);
    if (graph->in_nanoseconds || base->frequency == 0)
        base->frequency = NANOSECONDS;
    for (size_t i = 0; i < graph->count; i++) {
        const ctf_stream *stream = graph->streams[i];
        if (stream->ended)
            continue;
        const wide frequency = stream->clock->frequency;
        wide time = offset_of(stream) + stream->next.time;
        if (graph->in_nanoseconds)
            time = time / frequency * NANOSECONDS + time % frequency * NANOSECONDS / frequency;
        first = !has_first || time < first ? time : first;
        has_first = true;
    }
    base->is_absolute = base->is_absolute && has_first;
    if (!base->is_absolute)
        first = 0;
    if (first < INT64_MIN || first > INT64_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "the time of the first event is too large");
    graph->base = (int64_t)first;
    base->origin = (int64_t)(first / base->frequency * NANOSECONDS +
                             first % base->frequency * NANOSECONDS / base->frequency);
    for (size_t i = 0; i < graph->count; i++) {
        ctf_stream *stream = graph->streams[i];
        if (stream->ended)
            continue;
        const wide offset = offset_of(stream) - first;
        if (!graph->in_nanoseconds && (offset < INT64_MIN || offset > INT64_MAX))
            return oc_fail(OCELOTL_ERROR_LIMIT, "the offset of a clock is too large");
        stream->offset = (int64_t)offset;
    }
    return OCELOTL_OK;
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

/* Finds the time of the record that comes next. */
static ocelotl_status look_at(ctf_graph *graph, ctf_stream *stream)
{
    return stream->ended ? OCELOTL_OK
                         : ctf_graph_time(&stream->time, graph, stream, stream->next.time);
}

ocelotl_status ctf_graph_begin(ctf_graph *graph)
{
    const size_t share = ALL_WINDOWS / (graph->count > 0 ? graph->count : 1);
    const size_t room = share > LARGE_WINDOW   ? LARGE_WINDOW
                        : share < SMALL_WINDOW ? SMALL_WINDOW
                                               : share;
    for (size_t i = 0; i < graph->count; i++) {
        ctf_stream *stream = graph->streams[i];
        stream->ended = stream->clock == NULL;
        if (stream->ended)
            continue;
        OC_TRY(ctf_stream_begin(stream, room));
        OC_TRY(ctf_stream_next(stream, &graph->taker.loss));
    }
    return OCELOTL_OK;
}

ocelotl_status ctf_graph_step(bool *ended, ctf_graph *graph)
{
    if (graph->heap == NULL) {
        OC_TRY(oc_allocate(&graph->heap, graph->count, sizeof(ctf_stream *)));
        for (size_t i = 0; i < graph->count; i++) {
            OC_TRY(look_at(graph, graph->streams[i]));
            if (!graph->streams[i]->ended)
                graph->heap[graph->heap_count++] = graph->streams[i];
        }
        for (size_t i = graph->heap_count / 2; i > 0; i--)
            sink_down(graph, i - 1);
    }
    for (size_t i = 0; i < STEP && graph->heap_count > 0; i++) {
        ctf_stream *stream = graph->heap[0];
        OC_TRY(graph->taker.take(graph->taker.context, stream));
        OC_TRY(ctf_stream_next(stream, &graph->taker.loss));
        OC_TRY(look_at(graph, stream));
        if (stream->ended)
            graph->heap[0] = graph->heap[--graph->heap_count];
        if (graph->heap_count > 0)
            sink_down(graph, 0);
    }
    *ended = graph->heap_count == 0;
    return OCELOTL_OK;
}

void ctf_graph_free(ctf_graph *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        drop_stream(graph->streams[i]);
    for (size_t i = 0; i < graph->trace_count; i++)
        free(graph->slots[i]);
    free(graph->streams);
    free(graph->slots);
    free(graph->heap);
}

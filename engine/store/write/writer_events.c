/* The writer's streams: checking events, folding them, cutting them into chunks. */
#include "store/write/writer.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const size_t longest_text = (size_t)1 << 26;
static const size_t most_attributes = (size_t)1 << 20;

ocelotl_status oc_writer_check(const ocelotl_writer *writer)
{
    if (writer->finished)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: the trace is finished", writer->path);
    if (writer->broken)
        return oc_fail(OCELOTL_ERROR_IO,
                       "%s: writing has failed before, expected the writer to be freed",
                       writer->path);
    return oc_arena_status(&writer->arena);
}

ocelotl_status oc_writer_check_declared(uint32_t index, size_t count, const char *what)
{
    return index < count ? OCELOTL_OK
                         : oc_fail(OCELOTL_ERROR_ARGUMENT, "%s %" PRIu32 " has not been declared",
                                   what, index);
}

ocelotl_status oc_writer_check_bound(const ocelotl_writer *writer, int64_t time)
{
    const int64_t begin = writer->has_bounds && writer->begin < time ? writer->begin : time;
    const int64_t end = writer->has_bounds && writer->end > time ? writer->end : time;
    int64_t length;
    if (__builtin_sub_overflow(end, begin, &length))
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "tick %" PRId64
            " is too far from the rest of the trace, expected fewer than 2^63 ticks in all",
            time);
    return OCELOTL_OK;
}

void oc_writer_bound(ocelotl_writer *writer, int64_t time)
{
    if (!writer->has_bounds || time < writer->begin)
        writer->begin = time;
    if (!writer->has_bounds || time > writer->end)
        writer->end = time;
    writer->has_bounds = true;
}

static ocelotl_status give_chunk(ocelotl_writer *writer, uint32_t index)
{
    oc_writer_stream *stream = &writer->streams[index];
    oc_writer_chunk *chunk;
    if (stream->fold == NULL) {
        OC_TRY(oc_arena_allocate(&stream->content, &writer->arena, 1, sizeof *stream->content));
        oc_content_begin(stream->content);
        OC_TRY(oc_arena_allocate(&stream->fold, &writer->arena, 1, sizeof *stream->fold));
        stream->fold->role = stream->role;
    }
    OC_TRY(oc_writer_background_take(&chunk, &writer->background));
    chunk->stream = index;
    chunk->number = stream->chunk_count;
    chunk->count = stream->packing.count;
    chunk->begin = stream->packing.begin;
    chunk->end = stream->packing.end;
    chunk->fold = stream->fold;
    chunk->content = stream->content;
    chunk->attributes = writer->event_types[stream->event_type].attribute_identities;
    chunk->role = stream->role;
    oc_text_append(&chunk->records, (const char *)stream->packing.bytes, stream->packing.length);
    return oc_writer_background_give(&stream->handed, &writer->background);
}

ocelotl_status oc_writer_flush(ocelotl_writer *writer, uint32_t index)
{
    oc_writer_stream *stream = &writer->streams[index];
    if (stream->packing.count == 0)
        return OCELOTL_OK;
    const ocelotl_status status = give_chunk(writer, index);
    stream->chunk_count++;
    oc_packing_clear(&stream->packing);
    return status;
}

/* Writes the largest of the open chunks, and gives their memory back: those above the mean. */
static ocelotl_status make_room(ocelotl_writer *writer)
{
    size_t open = 0;
    for (size_t s = 0; s < writer->stream_count; s++)
        open += writer->streams[s].packing.capacity > 0;
    const size_t mean = writer->open_bytes / (open > 0 ? open : 1);
    for (uint32_t s = 0; s < writer->stream_count; s++) {
        oc_packing *packing = &writer->streams[s].packing;
        if (packing->capacity < mean || packing->capacity == 0)
            continue;
        OC_TRY(oc_writer_flush(writer, s));
        writer->open_bytes -= packing->capacity;
        oc_packing_free(packing);
    }
    return OCELOTL_OK;
}

static oc_writer_slot *find_slot(const ocelotl_writer *writer, uint32_t resource,
                                 uint32_t event_type, oc_role role)
{
    const uint64_t hash =
        oc_hash_numbers(&writer->hash_key, resource, (uint64_t)event_type << 3 | (uint64_t)role);
    for (size_t i = (size_t)hash;; i++) {
        oc_writer_slot *slot = &writer->stream_slots[i & (writer->stream_slot_count - 1)];
        if (slot->stream == 0 || (slot->resource == resource && slot->event_type == event_type &&
                                  slot->role == (uint32_t)role))
            return slot;
    }
}

static ocelotl_status enlarge_table(ocelotl_writer *writer)
{
    oc_writer_slot *slots = NULL;
    const size_t count = writer->stream_slot_count == 0 ? 16 : 2 * writer->stream_slot_count;
    OC_TRY(oc_allocate(&slots, count, sizeof *slots));
    free(writer->stream_slots);
    writer->stream_slots = slots;
    writer->stream_slot_count = count;
    for (size_t s = 0; s < writer->stream_count; s++) {
        const oc_writer_stream *stream = &writer->streams[s];
        *find_slot(writer, stream->resource, stream->event_type, stream->role) = (oc_writer_slot){
            stream->resource, stream->event_type, (uint32_t)stream->role, (uint32_t)s + 1};
    }
    return OCELOTL_OK;
}

static ocelotl_status make_stream(uint32_t *index, ocelotl_writer *writer, uint32_t resource,
                                  uint32_t event_type, oc_role role)
{
    OC_TRY(oc_arena_grow(&writer->streams, &writer->stream_capacity, &writer->arena,
                         writer->stream_count + 1, sizeof *writer->streams));
    if (writer->stream_count >= (uint64_t)1 << (64 - OC_LINK_BITS))
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: too many streams of events", writer->path);
    if (2 * writer->stream_count >= writer->stream_slot_count)
        OC_TRY(enlarge_table(writer));
    *index = (uint32_t)writer->stream_count;
    *find_slot(writer, resource, event_type, role) =
        (oc_writer_slot){resource, event_type, (uint32_t)role, *index + 1};
    writer->streams[writer->stream_count++] = (oc_writer_stream){
        .resource = resource,
        .event_type = event_type,
        .next_of_resource = writer->resources[resource].first_stream,
        .role = (uint8_t)role,
        .is_over = writer->resources[resource].ended,
    };
    writer->resources[resource].first_stream = *index;
    oc_writer_note_turn(writer, 'S', 0);
    return OCELOTL_OK;
}

uint32_t oc_writer_known_stream(const ocelotl_writer *writer, uint32_t resource,
                                uint32_t event_type, oc_role role)
{
    if (writer->stream_slot_count == 0)
        return OCELOTL_NONE;
    return find_slot(writer, resource, event_type, role)->stream - 1;
}

ocelotl_status oc_writer_find_stream(uint32_t *index, ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, oc_role role)
{
    *index = oc_writer_known_stream(writer, resource, event_type, role);
    return *index != OCELOTL_NONE ? OCELOTL_OK
                                  : make_stream(index, writer, resource, event_type, role);
}

static const char *category_name(ocelotl_category category)
{
    static const char *const names[] = {"events", "states", "variables", "links"};
    return names[category];
}

ocelotl_status oc_writer_check_attributes(const oc_writer_event_type *type,
                                          const oc_writer_attributes *attributes)
{
    size_t length = 0;
    if (attributes->count > most_attributes)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "an event of \"%s\" carries %zu attributes, expected %zu at the most",
                       type->name, attributes->count, most_attributes);
    for (size_t i = 0; i < attributes->count; i++) {
        const ocelotl_attribute_value *attribute = &attributes->first[i];
        if (attribute->attribute >= type->attribute_count)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "attribute %" PRIu32 " of \"%s\" has not been declared",
                           attribute->attribute, type->name);
        if (attribute->text == NULL)
            continue;
        if (attribute->length > longest_text - length)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "an event of \"%s\" carries more than %zu MiB of text", type->name,
                           longest_text >> 20);
        length += attribute->length;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_writer_check_event(const ocelotl_writer *writer, uint32_t resource,
                                     uint32_t event_type, ocelotl_category category, uint32_t value,
                                     const oc_writer_attributes *attributes)
{
    OC_TRY(oc_writer_check(writer));
    OC_TRY(oc_writer_check_declared(resource, writer->resource_count, "resource"));
    OC_TRY(oc_writer_check_declared(event_type, writer->event_type_count, "event type"));
    const oc_writer_event_type *type = &writer->event_types[event_type];
    if (type->category != category)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is a type of %s, expected one of %s",
                       type->name, category_name(type->category), category_name(category));
    if (value != OCELOTL_NONE &&
        (value >= writer->value_count || writer->values[value].event_type != event_type))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "value %" PRIu32 " is not one of \"%s\"", value,
                       type->name);
    return oc_writer_check_attributes(type, attributes);
}

void oc_writer_forget_exact(oc_writer_stream *stream)
{
    if (stream->exact != NULL)
        oc_fold_free(stream->exact);
    free(stream->exact);
    stream->exact = NULL;
}

/* The fold up to the last record: that of the chunks, and what is in the open one. */
static ocelotl_status make_exact(ocelotl_writer *writer, oc_writer_stream *stream)
{
    OC_TRY(oc_allocate(&stream->exact, 1, sizeof *stream->exact));
    stream->exact->role = stream->role;
    if (stream->fold != NULL) {
        OC_TRY(oc_writer_background_await(&writer->background, stream->handed));
        OC_TRY(oc_fold_copy(stream->exact, stream->fold));
    }
    oc_chunk_facts facts = {0};
    const ocelotl_status status =
        oc_fold_packing(stream->exact, &facts, stream->packing.bytes, stream->packing.count);
    oc_chunk_facts_free(&facts);
    return status;
}

ocelotl_status oc_writer_check_record(ocelotl_writer *writer, oc_writer_stream *stream,
                                      const oc_record *record)
{
    const oc_writer_resource *resource = &writer->resources[stream->resource];
    if (stream->is_over && record->time > resource->end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" has ended at tick %" PRId64 ", expected nothing later than that",
                       resource->name, resource->end);
    if (stream->count > 0 && record->time < stream->packing.end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "tick %" PRId64 " of \"%s\" comes after tick %" PRId64
                       ", expected events in order of time",
                       record->time, writer->event_types[stream->event_type].name,
                       stream->packing.end);
    OC_TRY(oc_writer_check_bound(writer, record->time));
    /* Checks sums of durations. None is longer than the trace for each record; only if that bound
     * exceeds 63 bits must they be added up. */
    int64_t last;
    int64_t length;
    int64_t sum;
    if (!record->ends && record->duration <= 0)
        return OCELOTL_OK;
    if (stream->exact == NULL) {
        const int64_t begin = record->time < writer->begin ? record->time : writer->begin;
        bool fits = oc_add_times(&last, record->time,
                                 record->ends && record->duration > 0 ? record->duration : 0);
        if (last < writer->end)
            last = writer->end;
        fits = fits && !__builtin_sub_overflow(last, begin, &length) &&
               oc_multiply_time(&sum, length, stream->count + 1);
        if (fits)
            return OCELOTL_OK;
        const ocelotl_status status = make_exact(writer, stream);
        if (status != OCELOTL_OK) {
            oc_writer_forget_exact(stream);
            return status;
        }
    }
    if (!oc_fold_accepts(stream->exact, record))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "durations of \"%s\" add up to more than 2^63 ticks",
                       writer->event_types[stream->event_type].name);
    return OCELOTL_OK;
}

/* Returns whether a chunk is full. Each chunk stores the totals at its begin: if it has at least as
 * many records, the file stays linear in the number of events, however many values or open links it
 * has. Only the background thread knows how many values a stream has had, so this waits for it only
 * where a type has very many. */
static ocelotl_status is_full(bool *full, ocelotl_writer *writer, const oc_writer_stream *stream)
{
    const size_t count = stream->packing.entries;
    *full = stream->packing.text >= OC_TEXT_PER_CHUNK ||
            stream->packing.length >= OC_BYTES_PER_CHUNK ||
            stream->packing.count >= OC_MOST_RECORDS;
    if (*full || count < stream->open_count)
        return OCELOTL_OK;
    size_t values =
        stream->fold == NULL ? 0 : writer->event_types[stream->event_type].value_count + 1;
    if (count < values + stream->open_count && count % OC_RECORDS_PER_CHUNK == 0) {
        OC_TRY(oc_writer_background_await(&writer->background, stream->handed));
        values = stream->fold == NULL ? 0 : stream->fold->total_count;
    }
    *full = count >= values + stream->open_count;
    return OCELOTL_OK;
}

/* Open links are in the order of their numbers. */
static ocelotl_status note_link(oc_writer_stream *stream, const oc_record *record)
{
    if (record->ends)
        return oc_holes_remove(&stream->open_holes, stream->open, sizeof *stream->open,
                               stream->open_count, stream->open_count - 1 - record->depth);
    const size_t end = oc_writer_open_end(stream);
    OC_TRY(oc_grow(&stream->open, &stream->open_capacity, end + 1, sizeof *stream->open));
    OC_TRY(oc_holes_add(stream->open_holes));
    stream->open[end] = (oc_writer_open_link){
        .begin = record->time, .number = stream->link_count++, .value = record->value};
    return OCELOTL_OK;
}

ocelotl_status oc_writer_bound_chunks(ocelotl_writer *writer, uint32_t index)
{
    bool full = false;
    const oc_writer_stream *stream = &writer->streams[index];
    if (oc_writer_may_be_full(stream))
        OC_TRY(is_full(&full, writer, stream));
    if (full)
        OC_TRY(oc_writer_flush(writer, index));
    return writer->open_bytes > OC_MOST_OPEN_BYTES ? make_room(writer) : OCELOTL_OK;
}

static ocelotl_status take(ocelotl_writer *writer, uint32_t index, const oc_record *record,
                           const oc_writer_attributes *attributes)
{
    oc_writer_stream *stream = &writer->streams[index];
    const size_t allocated = stream->packing.capacity;
    OC_TRY(oc_packing_add(&stream->packing, stream->role, record, attributes->first,
                          attributes->count));
    writer->open_bytes += stream->packing.capacity - allocated;
    if (stream->exact != NULL)
        OC_TRY(oc_fold_take(stream->exact, record, attributes->first, attributes->count));
    if (stream->role == OC_ROLE_LINKS_OUT)
        OC_TRY(note_link(stream, record));
    if (record->ends)
        stream->open_count--;
    else if (stream->role == OC_ROLE_STATES || stream->role == OC_ROLE_LINKS_OUT)
        stream->open_count++;
    if (stream->count++ == 0) {
        oc_writer_resource *resource = &writer->resources[stream->resource];
        stream->begin = record->time;
        if (record->time < resource->begin)
            resource->begin = record->time;
    }
    oc_writer_bound(writer, record->time);
    return oc_writer_after_record(writer, index);
}

/* Takes a record. Half a record cannot be taken back: after a failure the writer is of no use. */
ocelotl_status oc_writer_take(ocelotl_writer *writer, uint32_t index, const oc_record *record,
                              const oc_writer_attributes *attributes)
{
    const ocelotl_status status = take(writer, index, record, attributes);
    writer->broken = writer->broken || status != OCELOTL_OK;
    return status;
}

ocelotl_status oc_writer_append(ocelotl_writer *writer, uint32_t index, const oc_record *record,
                                const oc_writer_attributes *attributes)
{
    OC_TRY(oc_writer_check_record(writer, &writer->streams[index], record));
    return oc_writer_take(writer, index, record, attributes);
}

/* --- Ends of what is still open when its resource ends, or the trace */

ocelotl_status oc_writer_close_states(ocelotl_writer *writer, uint32_t index, int64_t time)
{
    while (writer->streams[index].role == OC_ROLE_STATES && writer->streams[index].open_count > 0)
        OC_TRY(oc_writer_append(writer, index, &(oc_record){.time = time, .ends = true},
                                &oc_no_attributes));
    return OCELOTL_OK;
}

ocelotl_status oc_writer_close_stream(ocelotl_writer *writer, uint32_t index)
{
    oc_writer_stream *stream = &writer->streams[index];
    const oc_writer_resource *resource = &writer->resources[stream->resource];
    const int64_t end = resource->ended ? resource->end : writer->end;
    /* One whose only event was refused. */
    if (stream->count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_writer_close_states(writer, index, end));
    /* A link that never ends has no known time in flight: its end is where it began, with nobody at
     * it. */
    while (stream->role == OC_ROLE_LINKS_OUT && stream->open_count > 0) {
        const int64_t begin = stream->open[oc_writer_open_end(stream) - 1].begin;
        OC_TRY(oc_writer_append(
            writer, index,
            &(oc_record){
                .time = end, .ends = true, .partner = OCELOTL_NONE, .duration = begin - end},
            &oc_no_attributes));
        writer->event_types[stream->event_type].unmatched++;
    }
    stream->end = end;
    return oc_writer_flush(writer, index);
}

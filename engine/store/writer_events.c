/* The writer's streams: checking events, folding them, cutting them into chunks. */
#include "store/writer.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Large enough that a chunk compresses well, small enough that reading one is nothing. */
static const size_t records_per_chunk = 1024;

static const uint64_t link_bits = 40;

void oc_writer_bound(ocelotl_writer *writer, int64_t time)
{
    if (!writer->has_bounds || time < writer->begin)
        writer->begin = time;
    if (!writer->has_bounds || time > writer->end)
        writer->end = time;
    writer->has_bounds = true;
}

static void identify(ocelotl_writer *writer, const oc_text *blob)
{
    writer->identity[0] = (writer->identity[0] ^ oc_hash(blob->bytes, blob->length)) * 0x9E3779B97F4A7C15u;
    writer->identity[1] = (writer->identity[1] + writer->identity[0]) * 0xD6E8FEB86659FD93u + blob->length;
}

static ocelotl_status insert_chunk(ocelotl_writer *writer, uint32_t index, const oc_text *blob)
{
    const oc_writer_stream *stream = &writer->streams[index];
    sqlite3_stmt *insert = writer->insert_chunk;
    const oc_record *records = stream->records.records;
    sqlite3_bind_int64(insert, 1, index);
    sqlite3_bind_int64(insert, 2, stream->chunk_count);
    sqlite3_bind_int64(insert, 3, records[0].time);
    sqlite3_bind_int64(insert, 4, records[stream->records.count - 1].time);
    sqlite3_bind_int64(insert, 5, (sqlite3_int64)stream->records.count);
    sqlite3_bind_int64(insert, 6, 1);
    if (stream->has_extremes) {
        sqlite3_bind_double(insert, 7, stream->low);
        sqlite3_bind_double(insert, 8, stream->high);
    } else {
        sqlite3_bind_null(insert, 7);
        sqlite3_bind_null(insert, 8);
    }
    sqlite3_bind_blob64(insert, 9, stream->totals.bytes, stream->totals.length, SQLITE_STATIC);
    sqlite3_bind_blob64(insert, 10, blob->bytes, blob->length, SQLITE_STATIC);
    return oc_database_run(insert, writer->path);
}

ocelotl_status oc_writer_flush(ocelotl_writer *writer, uint32_t index)
{
    oc_writer_stream *stream = &writer->streams[index];
    if (stream->records.count == 0)
        return OCELOTL_OK;
    oc_text blob = {0};
    ocelotl_status status = oc_records_pack(&blob, &stream->records, stream->fold.role);
    if (status == OCELOTL_OK) {
        identify(writer, &blob);
        status = insert_chunk(writer, index, &blob);
    }
    oc_text_free(&blob);
    stream->chunk_count++;
    stream->has_extremes = false;
    oc_records_clear(&stream->records);
    oc_text_clear(&stream->totals);
    return status;
}

static ocelotl_status make_stream(uint32_t *index, ocelotl_writer *writer, const uint32_t key[3])
{
    OC_TRY(oc_grow(&writer->streams, &writer->stream_capacity, writer->stream_count + 1, sizeof *writer->streams));
    if (writer->stream_count >= (uint64_t)1 << (64 - link_bits))
        return oc_fail(OCELOTL_ERROR_LIMIT, "%s: too many streams of events", writer->path);
    *index = (uint32_t)writer->stream_count;
    OC_TRY(oc_map_set(&writer->stream_of, key, 3 * sizeof *key, *index));
    oc_writer_resource *resource = &writer->resources[key[0]];
    writer->streams[writer->stream_count++] = (oc_writer_stream){
        .resource = key[0],
        .event_type = key[1],
        .next_of_resource = resource->first_stream,
        .fold = {.role = (oc_role)key[2]},
    };
    resource->first_stream = *index;
    return OCELOTL_OK;
}

static ocelotl_status find_stream(uint32_t *index, ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                  oc_role role)
{
    const uint32_t key[3] = {resource, event_type, (uint32_t)role};
    *index = oc_map_get(&writer->stream_of, key, sizeof key);
    return *index != OC_MAP_NONE ? OCELOTL_OK : make_stream(index, writer, key);
}

static const char *category_name(ocelotl_category category)
{
    static const char *const names[] = {"events", "states", "variables", "links"};
    return names[category];
}

static ocelotl_status check_event(const ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                  ocelotl_category category, uint32_t value)
{
    if (writer->finished)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: the trace is finished", writer->path);
    if (resource >= writer->resource_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "resource %" PRIu32 " has not been declared", resource);
    if (event_type >= writer->event_type_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "event type %" PRIu32 " has not been declared", event_type);
    const oc_writer_event_type *type = &writer->event_types[event_type];
    if (type->category != category)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is a type of %s, expected one of %s", type->name,
                       category_name(type->category), category_name(category));
    if (value != OCELOTL_NONE && (value >= writer->value_count || writer->values[value].event_type != event_type))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "value %" PRIu32 " is not one of \"%s\"", value, type->name);
    return OCELOTL_OK;
}

static ocelotl_status check_time(const ocelotl_writer *writer, const oc_writer_stream *stream, int64_t time)
{
    const oc_writer_resource *resource = &writer->resources[stream->resource];
    if (resource->ended && time > resource->end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" has ended at tick %" PRId64 ", expected nothing later than that", resource->name,
                       resource->end);
    if (stream->count > 0 && time < stream->fold.time)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "tick %" PRId64 " of \"%s\" comes after tick %" PRId64 ", expected events in order of time",
                       time, writer->event_types[stream->event_type].name, stream->fold.time);
    return OCELOTL_OK;
}

static void widen_extremes(oc_writer_stream *stream, double number)
{
    if (!stream->has_extremes || number < stream->low)
        stream->low = number;
    if (!stream->has_extremes || number > stream->high)
        stream->high = number;
    stream->has_extremes = true;
}

static void note_extremes(oc_writer_stream *stream, const oc_record *record)
{
    const oc_fold *fold = &stream->fold;
    if (fold->role == OC_ROLE_VARIABLE)
        widen_extremes(stream, record->number);
    else if (fold->role == OC_ROLE_LINKS_IN)
        widen_extremes(stream, (double)record->duration);
    else if (record->ends && record->depth < fold->open_count)
        widen_extremes(stream, (double)record->time + (double)record->duration -
                                   (double)fold->open[fold->open_count - 1 - record->depth].begin);
}

/* The one way into a stream. */
static ocelotl_status append(ocelotl_writer *writer, uint32_t index, const oc_record *record,
                             const ocelotl_attribute_value *attributes, size_t count)
{
    oc_writer_stream *stream = &writer->streams[index];
    OC_TRY(check_time(writer, stream, record->time));
    if (stream->records.count == 0) {
        oc_fold_pack(&stream->totals, &stream->fold);
        if (stream->totals.failed)
            return oc_fail_memory();
    }
    OC_TRY(oc_records_add(&stream->records, record, attributes, count));
    note_extremes(stream, record);
    OC_TRY(oc_fold_apply(&stream->fold, &stream->records, &stream->records.records[stream->records.count - 1]));
    if (stream->count++ == 0)
        stream->begin = record->time;
    oc_writer_resource *resource = &writer->resources[stream->resource];
    if (record->time < resource->begin)
        resource->begin = record->time;
    oc_writer_bound(writer, record->time);
    return stream->records.count >= records_per_chunk ? oc_writer_flush(writer, index) : OCELOTL_OK;
}

ocelotl_status ocelotl_writer_push(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, uint32_t value,
                                   int64_t time, const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t stream;
    OC_TRY(check_event(writer, resource, event_type, OCELOTL_STATE, value));
    if (value == OCELOTL_NONE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a state without a value");
    OC_TRY(find_stream(&stream, writer, resource, event_type, OC_ROLE_STATES));
    OC_TRY(append(writer, stream, &(oc_record){.time = time, .value = value}, attributes, count));
    writer->event_types[event_type].count++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_pop(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, uint32_t depth,
                                  int64_t time)
{
    uint32_t stream;
    OC_TRY(check_event(writer, resource, event_type, OCELOTL_STATE, OCELOTL_NONE));
    const uint32_t open = ocelotl_writer_open_states(writer, resource, event_type);
    if (depth >= open)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" has %" PRIu32 " open states, expected more than %" PRIu32,
                       writer->resources[resource].name, open, depth);
    OC_TRY(find_stream(&stream, writer, resource, event_type, OC_ROLE_STATES));
    return append(writer, stream, &(oc_record){.time = time, .ends = true, .depth = depth}, NULL, 0);
}

uint32_t ocelotl_writer_open_states(const ocelotl_writer *writer, uint32_t resource, uint32_t event_type)
{
    const uint32_t key[3] = {resource, event_type, OC_ROLE_STATES};
    const uint32_t stream = oc_map_get(&writer->stream_of, key, sizeof key);
    return stream == OC_MAP_NONE ? 0 : (uint32_t)writer->streams[stream].fold.open_count;
}

ocelotl_status ocelotl_writer_event(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, uint32_t value,
                                    int64_t time, const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t stream;
    OC_TRY(check_event(writer, resource, event_type, OCELOTL_EVENT, value));
    OC_TRY(find_stream(&stream, writer, resource, event_type, OC_ROLE_EVENTS));
    OC_TRY(append(writer, stream, &(oc_record){.time = time, .value = value}, attributes, count));
    writer->event_types[event_type].count++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_variable(ocelotl_writer *writer, uint32_t resource, uint32_t event_type, int64_t time,
                                       double value, const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t stream;
    OC_TRY(check_event(writer, resource, event_type, OCELOTL_VARIABLE, OCELOTL_NONE));
    if (!isfinite(value))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "value is %g, expected a finite number", value);
    OC_TRY(find_stream(&stream, writer, resource, event_type, OC_ROLE_VARIABLE));
    const oc_writer_stream *known = &writer->streams[stream];
    const bool is_step = known->count == 0 || known->fold.time != time;
    OC_TRY(append(writer, stream, &(oc_record){.time = time, .number = value}, attributes, count));
    writer->event_types[event_type].count += is_step;
    return OCELOTL_OK;
}

static ocelotl_status hold_numbers(oc_writer_stream *stream, uint64_t link,
                                   const ocelotl_attribute_value *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double number;
        if (attributes[i].text == NULL || !oc_text_is_number(&number, attributes[i].text, attributes[i].length))
            continue;
        OC_TRY(oc_grow(&stream->held, &stream->held_capacity, stream->held_count + 1, sizeof *stream->held));
        oc_writer_held *held = &stream->held[stream->held_count++];
        *held = (oc_writer_held){.link = link, .attribute = attributes[i].attribute};
        memcpy(held->text, attributes[i].text, attributes[i].length);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_link_begin(uint64_t *link, ocelotl_writer *writer, uint32_t resource,
                                         uint32_t event_type, uint32_t value, int64_t time,
                                         const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t index;
    OC_TRY(check_event(writer, resource, event_type, OCELOTL_LINK, value));
    OC_TRY(find_stream(&index, writer, resource, event_type, OC_ROLE_LINKS_OUT));
    OC_TRY(append(writer, index, &(oc_record){.time = time, .value = value}, attributes, count));
    oc_writer_stream *stream = &writer->streams[index];
    writer->event_types[event_type].count++;
    *link = (uint64_t)index << link_bits | stream->link_count;
    stream->fold.open[stream->fold.open_count - 1].link = stream->link_count;
    return hold_numbers(stream, stream->link_count++, attributes, count);
}

/* The oldest first: links mostly end in the order of their beginning. */
static ocelotl_status find_link(uint32_t *stream, uint32_t *place, const ocelotl_writer *writer, uint64_t link)
{
    const uint64_t number = link & (((uint64_t)1 << link_bits) - 1);
    *stream = (uint32_t)(link >> link_bits);
    if (*stream < writer->stream_count && writer->streams[*stream].fold.role == OC_ROLE_LINKS_OUT) {
        const oc_fold *fold = &writer->streams[*stream].fold;
        for (*place = 0; *place < fold->open_count; ++*place)
            if (fold->open[*place].link == number)
                return OCELOTL_OK;
    }
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "link %" PRIu64 " is not open", link);
}

static ocelotl_status append_arrival(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                     const oc_record *record, const ocelotl_attribute_value *attributes,
                                     size_t count)
{
    uint32_t index;
    OC_TRY(check_event(writer, resource, event_type, OCELOTL_LINK, OCELOTL_NONE));
    OC_TRY(find_stream(&index, writer, resource, event_type, OC_ROLE_LINKS_IN));
    return append(writer, index, record, attributes, count);
}

/* At a link's end only the numbers are kept, those of its beginning too, to be summed there; its texts are where
 * it begins. */
static size_t collect_numbers(ocelotl_attribute_value *collected, const oc_writer_stream *stream, uint64_t link,
                              const ocelotl_attribute_value *attributes, size_t count)
{
    size_t number_count = 0;
    double number;
    for (size_t i = 0; i < stream->held_count; i++) {
        const oc_writer_held *held = &stream->held[i];
        if (held->link == link)
            collected[number_count++] = (ocelotl_attribute_value){held->attribute, held->text, strlen(held->text)};
    }
    for (size_t i = 0; i < count; i++)
        if (attributes[i].text != NULL && oc_text_is_number(&number, attributes[i].text, attributes[i].length))
            collected[number_count++] = attributes[i];
    return number_count;
}

static void release_numbers(oc_writer_stream *stream, uint64_t link)
{
    size_t kept = 0;
    for (size_t i = 0; i < stream->held_count; i++)
        if (stream->held[i].link != link)
            stream->held[kept++] = stream->held[i];
    stream->held_count = kept;
}

static ocelotl_status arrive(ocelotl_writer *writer, uint32_t source, uint64_t link, uint32_t resource,
                             const oc_record *arrival, const ocelotl_attribute_value *attributes, size_t count)
{
    ocelotl_attribute_value *numbers = NULL;
    const uint32_t event_type = writer->streams[source].event_type;
    OC_TRY(oc_allocate(&numbers, writer->streams[source].held_count + count, sizeof *numbers));
    const size_t number_count = collect_numbers(numbers, &writer->streams[source], link, attributes, count);
    const ocelotl_status status = append_arrival(writer, resource, event_type, arrival, numbers, number_count);
    free(numbers);
    release_numbers(&writer->streams[source], link);
    return status;
}

ocelotl_status ocelotl_writer_link_end(ocelotl_writer *writer, uint64_t link, uint32_t resource, int64_t end,
                                       const ocelotl_attribute_value *attributes, size_t count)
{
    uint32_t index;
    uint32_t place = 0;
    OC_TRY(find_link(&index, &place, writer, link));
    const oc_writer_stream *stream = &writer->streams[index];
    const oc_open *open = &stream->fold.open[place];
    const int64_t begin = open->begin;
    int64_t duration;
    if (__builtin_sub_overflow(end, begin, &duration))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a link from tick %" PRId64 " to %" PRId64 " is too long", begin,
                       end);
    const int64_t time = duration < 0 ? begin : end;
    const oc_record arrival = {.time = time,
                               .value = stream->fold.totals[open->total].value,
                               .partner = stream->resource,
                               .duration = duration};
    const oc_record departure = {.time = time,
                                 .ends = true,
                                 .depth = (uint32_t)stream->fold.open_count - 1 - place,
                                 .partner = resource,
                                 .duration = duration < 0 ? duration : 0};
    OC_TRY(check_time(writer, stream, time));
    OC_TRY(arrive(writer, index, open->link, resource, &arrival, attributes, count));
    oc_writer_bound(writer, end);
    return append(writer, index, &departure, attributes, count);
}

/* That a beginning is missing is known late: the record stands where it is known, and says how long before it was. */
ocelotl_status ocelotl_writer_link_orphan(ocelotl_writer *writer, uint32_t resource, uint32_t event_type,
                                          uint32_t value, int64_t time, const ocelotl_attribute_value *attributes,
                                          size_t count)
{
    uint32_t index;
    OC_TRY(check_event(writer, resource, event_type, OCELOTL_LINK, value));
    OC_TRY(find_stream(&index, writer, resource, event_type, OC_ROLE_LINKS_IN));
    const oc_writer_stream *stream = &writer->streams[index];
    const int64_t known = stream->count > 0 && stream->fold.time > time ? stream->fold.time : time;
    const oc_record record = {.time = known, .value = value, .partner = OCELOTL_NONE, .duration = time - known};
    OC_TRY(append(writer, index, &record, attributes, count));
    oc_writer_bound(writer, time);
    writer->event_types[event_type].count++;
    writer->event_types[event_type].unmatched++;
    return OCELOTL_OK;
}

/* A link that never ends has no known time in flight: its end is where it began, with nobody at it. */
static ocelotl_status close_links(ocelotl_writer *writer, uint32_t index, int64_t time)
{
    const uint32_t event_type = writer->streams[index].event_type;
    while (writer->streams[index].fold.open_count > 0) {
        const oc_fold *fold = &writer->streams[index].fold;
        const int64_t begin = fold->open[0].begin;
        OC_TRY(append(writer, index,
                      &(oc_record){.time = time,
                                   .ends = true,
                                   .depth = (uint32_t)fold->open_count - 1,
                                   .partner = OCELOTL_NONE,
                                   .duration = begin - time},
                      NULL, 0));
        writer->event_types[event_type].unmatched++;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_writer_close_states(ocelotl_writer *writer, uint32_t index, int64_t time)
{
    while (writer->streams[index].fold.role == OC_ROLE_STATES && writer->streams[index].fold.open_count > 0)
        OC_TRY(append(writer, index, &(oc_record){.time = time, .ends = true}, NULL, 0));
    return OCELOTL_OK;
}

ocelotl_status oc_writer_close_stream(ocelotl_writer *writer, uint32_t index)
{
    oc_writer_stream *stream = &writer->streams[index];
    const oc_writer_resource *resource = &writer->resources[stream->resource];
    const int64_t end = resource->ended ? resource->end : writer->end;
    OC_TRY(oc_writer_close_states(writer, index, end));
    if (stream->fold.role == OC_ROLE_LINKS_OUT)
        OC_TRY(close_links(writer, index, end));
    OC_TRY(oc_writer_flush(writer, index));
    return oc_fold_advance(&stream->fold, end);
}

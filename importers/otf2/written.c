/* Batches of records as events of the writer. */
#include "importers/otf2/import.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Types, values, attributes */

static ocelotl_status declare_named(uint32_t *id, otf2_import *import, bool is_value, uint32_t type,
                                    const char *name)
{
    const otf2_declared declared = {
        .kind = is_value ? OC_OTF2_VALUE : OC_OTF2_ATTRIBUTE, .of = type, .name = name};
    return otf2_declare(id, import, &declared);
}

/* A metric's name, kind with unit, and scope are divided by tabs. */
static ocelotl_status find_metric_type(uint32_t *id, otf2_import *import, uint32_t metric,
                                       uint32_t resource_type)
{
    char *name = NULL;
    OC_TRY(oc_copy_text(&name, import->definitions.metrics.names[metric]));
    if (import->definitions.scopes[metric].is_set)
        *strrchr(name, '\t') = '\0';
    char *unit = strrchr(name, '\t');
    *unit++ = '\0';
    const ocelotl_variable_kind counting = (ocelotl_variable_kind)(*unit++ - '0');
    const bool has_unit = unit[0] != '\0' && strcmp(unit, "#") != 0;
    const ocelotl_status status = otf2_declare(id, import,
                                               &(otf2_declared){.kind = OC_OTF2_EVENT_TYPE,
                                                                .of = resource_type,
                                                                .category = OCELOTL_VARIABLE,
                                                                .name = name,
                                                                .counting = counting,
                                                                .unit = has_unit ? unit : NULL});
    free(name);
    return status;
}

/* Declares an event type where it is new. */
static ocelotl_status declare_type(otf2_import *import, uint32_t type)
{
    otf2_written_type *written = &import->types[type];
    if (written->id != OCELOTL_NONE)
        return OCELOTL_OK;
    const otf2_declared declared = {.kind = OC_OTF2_EVENT_TYPE,
                                    .of = import->places.thread_type,
                                    .category = otf2_types[type].category,
                                    .name = type == OC_OTF2_REGION
                                                ? otf2_region_type_name(import->definitions.by)
                                                : otf2_types[type].name};
    OC_TRY(otf2_declare(&written->id, import, &declared));
    return otf2_make_numbers(&written->values, &import->definitions.arena,
                             import->definitions.values.count);
}

static ocelotl_status find_value(uint32_t *value, otf2_import *import, uint32_t type,
                                 uint32_t number)
{
    *value = OCELOTL_NONE;
    if (number == OCELOTL_NONE)
        return OCELOTL_OK;
    OC_TRY(declare_type(import, type));
    uint32_t *known = &import->types[type].values[number];
    if (*known == OCELOTL_NONE)
        OC_TRY(declare_named(known, import, true, import->types[type].id,
                             import->definitions.values.names[number]));
    *value = *known;
    return OCELOTL_OK;
}

/* The stream of a type at a location. A metric is of its scope, if no other location was there
 * before. */
static ocelotl_status find_stream(uint32_t *stream, otf2_import *import, uint64_t location,
                                  uint32_t type, ocelotl_role role)
{
    uint32_t id;
    uint32_t resource = OCELOTL_NONE;
    if (type >= OC_OTF2_FIRST_METRIC) {
        uint32_t resource_type = import->places.thread_type;
        const uint32_t metric = type - OC_OTF2_FIRST_METRIC;
        otf2_scope *scope = &import->definitions.scopes[metric];
        if (scope->is_set && scope->owner == OC_OTF2_NOTHING)
            scope->owner = location;
        if (scope->is_set && scope->owner == location)
            OC_TRY(otf2_places_scope(&resource, &resource_type, import, scope));
        if (resource == OCELOTL_NONE)
            resource_type = import->places.thread_type;
        OC_TRY(find_metric_type(&id, import, metric, resource_type));
    } else {
        OC_TRY(declare_type(import, type));
        id = import->types[type].id;
    }
    if (resource == OCELOTL_NONE)
        resource = import->places.locations[location];
    return ocelotl_writer_stream(stream, import->writer, resource, id, role);
}

/* --- Records */

/* The details of a record beside its members; NULL if no record of the batch has any. */
static const char *detail_of(const otf2_batch *batch, const otf2_record *record)
{
    return batch->bytes.bytes != NULL ? batch->bytes.bytes + record->detail : NULL;
}

/* The attributes of a record, which lie at `place` of the batch's bytes. */
static ocelotl_status read_attributes(ocelotl_attribute_value *attributes, otf2_import *import,
                                      const otf2_record *record, const char *place)
{
    otf2_written_type *written = &import->types[record->type];
    if (record->attribute_count == 0)
        return OCELOTL_OK;
    OC_TRY(declare_type(import, record->type));
    if (written->attributes == NULL)
        OC_TRY(otf2_make_numbers(&written->attributes, &import->definitions.arena,
                                 import->definitions.keys.count));
    for (size_t i = 0; i < record->attribute_count; i++) {
        otf2_attribute one;
        memcpy(&one, place, sizeof one);
        place += sizeof one;
        if (written->attributes[one.key] == OCELOTL_NONE)
            OC_TRY(declare_named(&written->attributes[one.key], import, false, written->id,
                                 import->definitions.keys.names[one.key]));
        attributes[i].attribute = written->attributes[one.key];
        attributes[i].text = place;
        attributes[i].length = one.length;
        place += one.length + 1;
    }
    return OCELOTL_OK;
}

/* --- Call paths */

enum { MOST_LEVELS = 32 };

static const uint32_t beyond = UINT32_MAX - 1; /* a region that stands for all */

/* Finds the path of a region inside a path (OCELOTL_NONE: inside none), made where it is new. A
 * path has at most 32 regions: the 33rd is "..", as is all inside it. O(length) expected. */
static ocelotl_status find_path(uint32_t *path, otf2_import *import, uint32_t parent,
                                uint32_t region)
{
    otf2_call_paths *paths = &import->call_paths;
    oc_arena *arena = &import->definitions.arena;
    const char *name = import->definitions.values.names[region];
    const uint32_t level = parent != OCELOTL_NONE ? paths->paths[parent].level : 0;
    if (level > MOST_LEVELS) {
        *path = parent;
        return OCELOTL_OK;
    }
    const uint32_t key[2] = {parent, level == MOST_LEVELS ? beyond : region};
    *path = oc_map_get(&paths->index_of, (const char *)key, sizeof key);
    if (*path != OC_MAP_NONE)
        return OCELOTL_OK;
    oc_text text = {0};
    if (level > 0)
        oc_text_format(&text, "%s > ", paths->paths[parent].name);
    oc_text_add(&text, level == MOST_LEVELS ? ".." : name);
    arena->failed = arena->failed || text.failed;
    const otf2_call_path made = {.name = oc_arena_copy_bytes(arena, text.bytes, text.length),
                                 .level = level + 1,
                                 .value = OCELOTL_NONE};
    oc_text_free(&text);
    OC_TRY(oc_arena_status(arena));
    OC_TRY(oc_arena_grow(&paths->paths, &paths->capacity, arena, paths->count + 1,
                         sizeof *paths->paths));
    *path = (uint32_t)paths->count;
    paths->paths[paths->count++] = made;
    return oc_map_set(&paths->index_of, (const char *)key, sizeof key, *path);
}

/* Regions that are open have a place on the track, the outermost first. */
static bool is_on_track(const otf2_import *import, const otf2_record *record)
{
    return record->type == OC_OTF2_REGION && import->definitions.by == OCELOTL_VALUE_CALLPATH;
}

/* The value of a region by where it is entered. */
static ocelotl_status enter_path(uint32_t *value, otf2_import *import, otf2_track *track,
                                 const otf2_record *record)
{
    uint32_t path;
    const uint32_t parent =
        track->open_count > 0 ? track->open[track->open_count - 1].path : OCELOTL_NONE;
    OC_TRY(find_path(&path, import, parent, record->value));
    OC_TRY(
        oc_grow(&track->open, &track->open_capacity, track->open_count + 1, sizeof *track->open));
    track->open[track->open_count++] = (otf2_open_path){path, record->lane};
    otf2_call_path *found = &import->call_paths.paths[path];
    if (found->value == OCELOTL_NONE)
        OC_TRY(declare_named(&found->value, import, true, import->types[record->type].id,
                             found->name));
    *value = found->value;
    return OCELOTL_OK;
}

/* Finds where the states of a lane go, declared where that is new. */
static ocelotl_status find_laned(const otf2_laned **found, otf2_import *import, otf2_track *track,
                                 const otf2_record *record, uint64_t location)
{
    uint32_t resource = OCELOTL_NONE;
    for (size_t i = 0; i < track->lane_count; i++) {
        *found = &track->lanes[i];
        if ((*found)->lane == record->lane && (*found)->type == record->type)
            return OCELOTL_OK;
        if ((*found)->lane == record->lane)
            resource = (*found)->resource;
    }
    OC_TRY(
        oc_grow(&track->lanes, &track->lane_capacity, track->lane_count + 1, sizeof *track->lanes));
    otf2_laned *added = &track->lanes[track->lane_count];
    *added = (otf2_laned){.type = record->type, .resource = resource, .lane = record->lane};
    if (resource == OCELOTL_NONE)
        OC_TRY(otf2_places_lane(&added->resource, import, location, record->lane));
    OC_TRY(declare_type(import, record->type));
    OC_TRY(ocelotl_writer_stream(&added->stream, import->writer, added->resource,
                                 import->types[record->type].id, OCELOTL_ROLE_STATES));
    track->lane_count++;
    *found = added;
    return OCELOTL_OK;
}

static ocelotl_status write_push(otf2_import *import, uint32_t stream, otf2_track *track,
                                 const otf2_record *record,
                                 const ocelotl_attribute_value *attributes)
{
    uint32_t value = import->types[record->type].values[record->value];
    if (is_on_track(import, record))
        OC_TRY(enter_path(&value, import, track, record));
    else if (value == OCELOTL_NONE)
        OC_TRY(find_value(&value, import, record->type, record->value));
    return ocelotl_writer_stream_push(import->writer, stream, value, record->time, attributes,
                                      record->attribute_count);
}

static ocelotl_status write_pop(otf2_import *import, uint32_t stream, otf2_track *track,
                                const otf2_record *record, uint32_t resource,
                                const ocelotl_attribute_value *attributes)
{
    if (is_on_track(import, record)) {
        size_t place = track->open_count - 1;
        uint32_t depth = record->value; /* states of its lane outside the innermost one */
        while (place > 0 && (track->open[place].lane != record->lane || depth > 0))
            depth -= track->open[place--].lane == record->lane;
        track->open_count--;
        memmove(&track->open[place], &track->open[place + 1],
                (track->open_count - place) * sizeof *track->open);
    }
    if (record->value == 0)
        return ocelotl_writer_stream_pop(import->writer, stream, record->time, attributes,
                                         record->attribute_count);
    return ocelotl_writer_pop(import->writer, resource, import->types[record->type].id,
                              record->value, record->time, attributes, record->attribute_count);
}

static ocelotl_status write_stated(otf2_import *import, const otf2_batch *batch,
                                   const otf2_record *record, uint64_t location, otf2_track *track)
{
    static const ocelotl_role roles[] = {OCELOTL_ROLE_STATES, OCELOTL_ROLE_STATES,
                                         OCELOTL_ROLE_EVENTS, OCELOTL_ROLE_VARIABLE};
    ocelotl_attribute_value attributes[OC_OTF2_MOST_ATTRIBUTES];
    uint32_t value;
    double number;
    const char *place = detail_of(batch, record);
    uint32_t *known = &track->streams[record->type];
    if (*known == OCELOTL_NONE)
        OC_TRY(find_stream(known, import, location, record->type, roles[record->action]));
    uint32_t stream = *known;
    uint32_t resource = import->places.locations[location];
    if (record->lane > 0) {
        const otf2_laned *lane = NULL;
        OC_TRY(find_laned(&lane, import, track, record, location));
        stream = lane->stream;
        resource = lane->resource;
    }
    OC_TRY(read_attributes(attributes, import, record, place));
    if (record->action == OC_OTF2_POP)
        return write_pop(import, stream, track, record, resource, attributes);
    if (record->action == OC_OTF2_PUSH)
        return write_push(import, stream, track, record, attributes);
    if (record->action == OC_OTF2_INSTANT) {
        OC_TRY(find_value(&value, import, record->type, record->value));
        return ocelotl_writer_stream_event(import->writer, stream, value, record->time, attributes,
                                           record->attribute_count);
    }
    memcpy(&number, place, sizeof number);
    /* A location that a metric is of lives as long as it is measured. */
    const otf2_definitions *definitions = &import->definitions;
    const otf2_scope *scope = &definitions->scopes[record->type - OC_OTF2_FIRST_METRIC];
    if (scope->is_set && scope->kind == OTF2_SCOPE_LOCATION) {
        const uint64_t index = otf2_index_get(&definitions->locations.index_of, scope->of);
        if (index != OC_OTF2_NOTHING && record->time > import->last[index])
            import->last[index] = record->time;
    }
    return ocelotl_writer_stream_variable(import->writer, stream, record->time, number, NULL, 0);
}

/* --- Messages and transfers, which are written when all are known */

/* Keeps half of a message. The k-th send of a sender, receiver, communicator and tag is received by
 * the k-th receive. The location that has it may be another thread of the process that the
 * communicator lists. */
static ocelotl_status keep_half(otf2_import *import, const otf2_message *message, bool is_send,
                                oc_timelines_link *link)
{
    otf2_messages *messages = &import->messages;
    const uint64_t sender = is_send ? message->self : message->peer;
    const uint64_t receiver = is_send ? message->peer : message->self;
    const uint64_t key = sender << 32 | message->communicator;
    if (message->peer == OC_OTF2_NOTHING) {
        messages->alone += is_send;
        *(is_send ? &link->to : &link->from) = OCELOTL_NONE;
        return oc_timelines_add_link(&messages->links, link);
    }
    uint32_t number = oc_map_get(&messages->number_of, &key, sizeof key);
    if (number == OC_MAP_NONE) {
        number = messages->numbers++;
        OC_TRY(oc_map_set(&messages->number_of, &key, sizeof key, number));
    }
    messages->begun += is_send;
    const oc_sorted side = {.stream = link->from,
                            .kind = is_send ? OC_SORTED_LINK_BEGIN : OC_SORTED_LINK_END,
                            .group = receiver << 32 | message->tag,
                            .time = link->begin,
                            .order = number,
                            .type = link->type,
                            .value = link->value,
                            .attribute_count = link->attribute_count,
                            .attributes = link->attributes};
    return oc_timelines_add_side(&messages->links, &side);
}

/* Keeps a transfer, which has both ends, or only its begin. */
static ocelotl_status keep_transfer(otf2_import *import, const otf2_transfer *transfer,
                                    oc_timelines_link *link)
{
    const bool is_whole = transfer->has_end && transfer->peer != OC_OTF2_NOTHING;
    link->end = is_whole ? transfer->end : link->begin;
    if (!is_whole) {
        import->messages.alone++;
        link->to = OCELOTL_NONE;
        return oc_timelines_add_link(&import->messages.links, link);
    }
    int64_t *last = &import->last[transfer->peer];
    const int64_t there = transfer->is_get ? link->begin : link->end;
    *last = there > *last ? there : *last;
    *(transfer->is_get ? &link->from : &link->to) = (uint32_t)transfer->peer;
    return oc_timelines_add_link(&import->messages.links, link);
}

/* Keeps a record of a link, with `size` bytes of details and then its attributes, for all ranks. */
static ocelotl_status share_link(otf2_import *import, uint64_t location, const otf2_record *record,
                                 const char *details, size_t size)
{
    oc_bytes *links = &import->shared.links;
    size_t length = size;
    for (size_t i = 0; i < record->attribute_count; i++) {
        otf2_attribute one;
        memcpy(&one, details + length, sizeof one);
        length += sizeof one + one.length + 1;
    }
    otf2_shared_link link = {import->shared.turn, location, length, *record};
    link.record.detail = 0;
    OC_TRY(oc_bytes_add(links, &link, sizeof link));
    return oc_bytes_add(links, details, length);
}

ocelotl_status otf2_keep_link(otf2_import *import, const otf2_batch *batch,
                              const otf2_record *record, uint64_t location)
{
    otf2_message message;
    otf2_transfer transfer;
    ocelotl_attribute_value attributes[OC_OTF2_MOST_ATTRIBUTES];
    const bool is_transfer = record->action == OC_OTF2_TRANSFERRED;
    const bool is_send = record->action == OC_OTF2_SEND;
    const size_t size = is_transfer ? sizeof transfer : sizeof message;
    const char *place = detail_of(batch, record);
    oc_timelines_link link = {.from = (uint32_t)location,
                              .to = (uint32_t)location,
                              .begin = record->time,
                              .end = record->time,
                              .attributes = attributes,
                              .attribute_count = record->attribute_count};
    memcpy(is_transfer ? (void *)&transfer : (void *)&message, place, size);
    OC_TRY(find_value(&link.value, import, record->type, record->value));
    OC_TRY(read_attributes(attributes, import, record, place + size));
    link.type = import->types[record->type].id;
    if (import->shared.ranks != NULL && !import->shared.is_joined)
        return share_link(import, location, record, place, size);
    return is_transfer ? keep_transfer(import, &transfer, &link)
                       : keep_half(import, &message, is_send, &link);
}

ocelotl_status otf2_write_batch(otf2_import *import, const otf2_batch *batch, uint64_t location,
                                otf2_track *track)
{
    for (size_t i = 0; i < batch->count; i++) {
        const otf2_record *record = &batch->records[i];
        OC_TRY(record->action <= OC_OTF2_VARIABLE
                   ? write_stated(import, batch, record, location, track)
                   : otf2_keep_link(import, batch, record, location));
    }
    return OCELOTL_OK;
}

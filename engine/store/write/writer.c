/* The writer's life, and the names it is given. */
#include "store/write/writer.h"

#include "base/exchange.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/file/chunk_row.h"
#include "store/file/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t finest_tick = 1000000000000000000u;
static const uint64_t default_denominator = 1000000000;

static ocelotl_status keep_countings(ocelotl_writer *writer, const ocelotl_writer_options *options)
{
    const size_t counters = options->counters.count;
    writer->counting_count = counters + options->increments.count;
    OC_TRY(oc_check_names(&options->counters, "counter"));
    OC_TRY(oc_check_names(&options->increments, "increment"));
    OC_TRY(oc_arena_allocate(&writer->countings, &writer->arena, writer->counting_count,
                             sizeof *writer->countings));
    for (size_t i = 0; i < counters; i++)
        for (size_t k = 0; k < options->increments.count; k++)
            if (strcmp(options->counters.names[i], options->increments.names[k]) == 0)
                return oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "the values of \"%s\" are to accumulate (counter) and to be added "
                               "(increment), expected one of both",
                               options->counters.names[i]);
    for (size_t i = 0; i < writer->counting_count; i++)
        writer->countings[i] = (oc_writer_counting){
            oc_arena_copy(&writer->arena, i < counters ? options->counters.names[i]
                                                       : options->increments.names[i - counters]),
            i < counters ? OCELOTL_COUNTER : OCELOTL_INCREMENT, false};
    return oc_arena_status(&writer->arena);
}

/* Whether a pattern is of a variable's name, or of "RESOURCE-TYPE:NAME". */
static ocelotl_status find_kind(oc_writer_event_type *type, ocelotl_writer *writer)
{
    oc_text spelled = {0};
    if (type->resource_type != OCELOTL_ROOT)
        oc_text_format(&spelled, "%s:", writer->resource_types[type->resource_type].name);
    oc_text_add(&spelled, type->name);
    for (size_t i = 0; i < writer->counting_count && !spelled.failed; i++) {
        oc_writer_counting *counting = &writer->countings[i];
        if (!oc_pattern_matches(counting->pattern, type->name) &&
            !oc_pattern_matches(counting->pattern, spelled.bytes))
            continue;
        counting->matches = true;
        type->is_of_given_kind = true;
        type->kind = counting->kind;
    }
    const bool failed = spelled.failed;
    oc_text_free(&spelled);
    return failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status check_countings(const ocelotl_writer *writer)
{
    oc_text names = {0};
    for (size_t i = 0; i < writer->event_type_count; i++)
        if (writer->event_types[i].category == OCELOTL_VARIABLE)
            oc_text_format(&names, "%s\"%s\"", names.length > 0 ? ", " : "",
                           writer->event_types[i].name);
    ocelotl_status status = names.failed ? oc_fail_memory() : OCELOTL_OK;
    for (size_t i = 0; i < writer->counting_count && status == OCELOTL_OK; i++)
        if (!writer->countings[i].matches)
            status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                             "no variable is called \"%s\", which is to be a counter, expected "
                             "%s%s",
                             writer->countings[i].pattern, names.length > 0 ? "" : "one that is",
                             names.length > 0 ? names.bytes : "");
    oc_text_free(&names);
    return status;
}

static ocelotl_status keep_options(ocelotl_writer *writer, const char *path,
                                   const ocelotl_writer_options *options)
{
    const char *slash = strrchr(path, '/');
    const char *base_name = slash != NULL ? slash + 1 : path;
    const oc_writer_note texts[OC_WRITER_OWN_NOTES] = {
        {"name", options->name != NULL ? options->name : base_name},
        {"source", options->source != NULL ? options->source : ""},
        {"format", options->format != NULL ? options->format : "ocelotl"},
        {"importer", "ocelotl " OCELOTL_VERSION},
        {"origin", options->origin != NULL ? options->origin : ""},
        {"producer", ""}, /* unknown, until it is said */
    };
    writer->path = oc_arena_copy(&writer->arena, path);
    for (size_t i = 0; i < OC_WRITER_OWN_NOTES; i++)
        OC_TRY(oc_writer_note_add(writer, texts[i].key, texts[i].text));
    writer->tick_numerator = options->tick_numerator;
    writer->tick_denominator = options->tick_denominator;
    return keep_countings(writer, options);
}

/* The temporary file is ours alone until it is renamed: no journal, no waiting for the disk. */
static ocelotl_status create_tables(ocelotl_writer *writer)
{
    char identity[128];
    OC_TRY(oc_database_open(&writer->database, writer->file.temporary, writer->path,
                            SQLITE_OPEN_READWRITE));
    snprintf(identity, sizeof identity, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             OC_STORE_APPLICATION_ID, OC_STORE_VERSION);
    OC_TRY(oc_database_execute(
        writer->database, writer->path,
        "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"));
    OC_TRY(oc_database_execute(writer->database, writer->path, identity));
    OC_TRY(oc_database_execute(writer->database, writer->path, "BEGIN;" OC_STORE_SCHEMA));
    OC_TRY(oc_writer_background_begin(&writer->background, writer->path));
    writer->background.values = &writer->identities.values;
    writer->background.resources = &writer->identities.resources;
    return oc_database_prepare(&writer->background.insert, writer->database, writer->path,
                               OC_CHUNK_INSERT);
}

static ocelotl_status open_writer(ocelotl_writer *writer, const char *path,
                                  const ocelotl_writer_options *options)
{
    if (options->tick_numerator > finest_tick || options->tick_denominator > finest_tick)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a tick of %" PRIu64 "/%" PRIu64 " s, expected both up to 10^18",
                       options->tick_numerator, options->tick_denominator);
    OC_TRY(keep_options(writer, path, options));
    OC_TRY(oc_replacement_begin(&writer->file, path, options->overwrite));
    return create_tables(writer);
}

ocelotl_status ocelotl_writer_open(ocelotl_writer **writer, const char *path,
                                   const ocelotl_writer_options *given)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    ocelotl_writer *made = NULL;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    if (options.tick_numerator == 0)
        options.tick_numerator = 1;
    if (options.tick_denominator == 0)
        options.tick_denominator = default_denominator;
    OC_TRY(oc_arena_make(&made, sizeof *made));
    made->hash_key = oc_hash_key_draw();
    const ocelotl_status status = open_writer(made, path, &options);
    if (status == OCELOTL_OK)
        *writer = made;
    else
        ocelotl_writer_free(made);
    return status;
}

static void close_database(ocelotl_writer *writer)
{
    oc_writer_background_end(&writer->background);
    sqlite3_finalize(writer->background.insert);
    sqlite3_close(writer->database);
    writer->background.insert = NULL;
    writer->database = NULL;
}

void ocelotl_writer_free(ocelotl_writer *writer)
{
    if (writer == NULL)
        return;
    close_database(writer);
    oc_replacement_end(&writer->file);
    for (size_t i = 0; i < writer->resource_count; i++)
        oc_text_free(&writer->resources[i].notes);
    for (size_t i = 0; i < writer->stream_count; i++) {
        oc_writer_stream *stream = &writer->streams[i];
        if (stream->fold != NULL)
            oc_fold_free(stream->fold);
        oc_writer_forget_exact(stream);
        oc_packing_free(&stream->packing);
        free(stream->open);
        oc_holes_free(stream->open_holes);
        free(stream->held);
    }
    oc_text_free(&writer->turns.text);
    oc_map_free(&writer->source_kind_of);
    oc_map_free(&writer->identities.given);
    free(writer->stream_slots);
    oc_arena_free(&writer->arena);
}

/* --- Turns */

ocelotl_status ocelotl_writer_turn(ocelotl_writer *writer, uint64_t turn, bool elsewhere)
{
    OC_TRY(oc_writer_check(writer));
    if (writer->turns.is_part && turn < writer->turns.turn)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "turn %" PRIu64 " comes behind turn %" PRIu64, turn,
                       writer->turns.turn);
    writer->turns.is_said = writer->turns.is_said && turn == writer->turns.turn;
    writer->turns.turn = turn;
    writer->turns.elsewhere = elsewhere;
    writer->turns.is_part = true;
    oc_text_add(&writer->turns.text, "");
    return writer->turns.text.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status ocelotl_writer_share_bounds(ocelotl_writer *writer, const ocelotl_exchange *exchange)
{
    oc_bytes all = {0};
    const int64_t own[2] = {writer->begin, writer->end};
    OC_TRY(oc_writer_check(writer));
    ocelotl_status status = writer->has_bounds ? oc_bytes_add(&all, own, sizeof own) : OCELOTL_OK;
    if (status == OCELOTL_OK)
        status = oc_exchange_join(&all, exchange);
    while (status == OCELOTL_OK && all.read < all.length) {
        int64_t time;
        status = oc_bytes_take(&time, &all, sizeof time);
        if (status == OCELOTL_OK)
            status = oc_writer_check_bound(writer, time);
        if (status == OCELOTL_OK)
            oc_writer_bound(writer, time);
    }
    oc_bytes_free(&all);
    return status;
}

/* --- Names */

/* Identifiers are 32-bit, and the largest means "none". */
static ocelotl_status check_room(const ocelotl_writer *writer, size_t count, const char *what)
{
    OC_TRY(oc_writer_check(writer));
    return count < UINT32_MAX - 1 ? OCELOTL_OK : oc_fail(OCELOTL_ERROR_LIMIT, "too many %s", what);
}

static ocelotl_status check_parent(uint32_t parent, size_t count, const char *what,
                                   const char *name)
{
    if (parent != OCELOTL_ROOT && parent >= count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" is below %s %" PRIu32 ", which has not been declared", name, what,
                       parent);
    return OCELOTL_OK;
}

/* The identities of one kind of names, below a parent. */
typedef struct naming {
    oc_identities *identities;
    oc_named named;
    oc_identity parent;
    uint32_t of; /* the event type of an attribute */
} naming;

/* Copies a name, and gives each of several names below one parent its own identity. */
static ocelotl_status take_name(const char **copy, ocelotl_writer *writer, const naming *as,
                                size_t index, const char *name)
{
    static const char kinds[] = "TREVA"; /* by oc_named */
    oc_map *given = &writer->identities.given;
    *copy = oc_arena_copy_utf8(&writer->arena, name);
    oc_identity identity = oc_identity_of(as->named, as->parent, *copy, 0);
    const oc_identity alone = identity;
    const uint32_t known = oc_map_get(given, &alone, sizeof alone);
    const uint32_t before = known == OC_MAP_NONE ? 0 : known;
    if (before > 0)
        identity = oc_identity_of(as->named, as->parent, *copy, before);
    OC_TRY(oc_identities_put(as->identities, &writer->arena, (uint32_t)index, identity));
    oc_writer_note_turn(writer, kinds[as->named], as->of);
    return oc_map_set(given, &alone, sizeof alone, before + 1);
}

ocelotl_status ocelotl_writer_resource_type(uint32_t *type, ocelotl_writer *writer, uint32_t parent,
                                            const char *name)
{
    const size_t count = writer->resource_type_count;
    OC_TRY(check_room(writer, count, "resource types"));
    OC_TRY(check_parent(parent, count, "resource type", name));
    OC_TRY(oc_arena_grow(&writer->resource_types, &writer->resource_type_capacity, &writer->arena,
                         count + 1, sizeof *writer->resource_types));
    writer->resource_types[count] = (oc_writer_named){.parent = parent};
    oc_identities *types = &writer->identities.resource_types;
    OC_TRY(take_name(&writer->resource_types[count].name, writer,
                     &(naming){types, OC_NAMED_RESOURCE_TYPE, oc_identity_at(types, parent), 0},
                     count, name));
    *type = (uint32_t)writer->resource_type_count++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource(uint32_t *resource, ocelotl_writer *writer, uint32_t type,
                                       uint32_t parent, const char *name, int64_t begin)
{
    const size_t count = writer->resource_count;
    OC_TRY(check_room(writer, count, "resources"));
    OC_TRY(check_parent(parent, count, "resource", name));
    OC_TRY(check_parent(type, writer->resource_type_count, "resource type", name));
    if (type == OCELOTL_ROOT)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" is of no resource type, expected one declared before", name);
    OC_TRY(oc_writer_check_bound(writer, begin));
    OC_TRY(oc_arena_grow(&writer->resources, &writer->resource_capacity, &writer->arena, count + 1,
                         sizeof *writer->resources));
    writer->resources[count] = (oc_writer_resource){
        .parent = parent, .type = type, .begin = begin, .first_stream = OCELOTL_NONE};
    oc_identities *resources = &writer->identities.resources;
    OC_TRY(take_name(&writer->resources[count].name, writer,
                     &(naming){resources, OC_NAMED_RESOURCE, oc_identity_at(resources, parent), 0},
                     count, name));
    oc_writer_bound(writer, begin);
    *resource = (uint32_t)writer->resource_count++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_resource_note(ocelotl_writer *writer, uint32_t resource,
                                            const char *name, const char *text)
{
    OC_TRY(oc_writer_check(writer));
    OC_TRY(oc_writer_check_declared(resource, writer->resource_count, "resource"));
    if (strpbrk(name, "=\n") != NULL || strchr(text, '\n') != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a note of several lines, or with \"=\" in its name, expected one line");
    oc_text *notes = &writer->resources[resource].notes;
    oc_text_add(notes, notes->length > 0 ? "\n" : "");
    oc_text_add_utf8(notes, name, strlen(name));
    oc_text_add(notes, "=");
    oc_text_add_utf8(notes, text, strlen(text));
    return notes->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Looks at all streams first: a resource ends everywhere or not at all. */
static ocelotl_status check_end(const ocelotl_writer *writer, const oc_writer_resource *resource,
                                int64_t end)
{
    if (resource->ended)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" has ended already, expected one end",
                       resource->name);
    if (end < resource->begin)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "\"%s\" ends at tick %" PRId64 ", before its beginning at %" PRId64,
                       resource->name, end, resource->begin);
    for (uint32_t s = resource->first_stream; s != OCELOTL_NONE;
         s = writer->streams[s].next_of_resource) {
        const oc_writer_stream *stream = &writer->streams[s];
        if (stream->count > 0 && end < stream->packing.end)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "\"%s\" ends at tick %" PRId64 ", before what happens there at %" PRId64,
                           resource->name, end, stream->packing.end);
    }
    return oc_writer_check_bound(writer, end);
}

ocelotl_status ocelotl_writer_resource_end(ocelotl_writer *writer, uint32_t resource, int64_t end)
{
    OC_TRY(oc_writer_check(writer));
    OC_TRY(oc_writer_check_declared(resource, writer->resource_count, "resource"));
    oc_writer_resource *ended = &writer->resources[resource];
    OC_TRY(check_end(writer, ended, end));
    for (uint32_t s = ended->first_stream; s != OCELOTL_NONE;
         s = writer->streams[s].next_of_resource)
        OC_TRY(oc_writer_close_states(writer, s, end));
    for (uint32_t s = ended->first_stream; s != OCELOTL_NONE;
         s = writer->streams[s].next_of_resource)
        writer->streams[s].is_over = true;
    ended->ended = true;
    ended->end = end;
    oc_writer_bound(writer, end);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_event_type(uint32_t *type, ocelotl_writer *writer,
                                         ocelotl_category category, uint32_t resource_type,
                                         const char *name, int32_t colour)
{
    const size_t count = writer->event_type_count;
    OC_TRY(check_room(writer, count, "event types"));
    OC_TRY(check_parent(resource_type, writer->resource_type_count, "resource type", name));
    if (category > OCELOTL_LINK)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "\"%s\" is of category %d, expected 0 to 3", name,
                       (int)category);
    OC_TRY(oc_arena_grow(&writer->event_types, &writer->event_type_capacity, &writer->arena,
                         count + 1, sizeof *writer->event_types));
    writer->event_types[count] = (oc_writer_event_type){
        .unit = "", .resource_type = resource_type, .category = category, .colour = colour};
    const naming as = {&writer->identities.event_types, OC_NAMED_EVENT_TYPE,
                       oc_identity_at(&writer->identities.resource_types, resource_type), 0};
    oc_writer_event_type *made = &writer->event_types[count];
    OC_TRY(oc_arena_allocate(&made->attribute_identities, &writer->arena, 1,
                             sizeof *made->attribute_identities));
    OC_TRY(take_name(&made->name, writer, &as, count, name));
    if (category == OCELOTL_VARIABLE && writer->counting_count > 0)
        OC_TRY(find_kind(made, writer));
    *type = (uint32_t)writer->event_type_count++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_unit(ocelotl_writer *writer, uint32_t event_type, const char *unit)
{
    OC_TRY(oc_writer_check(writer));
    if (event_type >= writer->event_type_count ||
        writer->event_types[event_type].category != OCELOTL_VARIABLE)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "event type %" PRIu32 " has a unit, expected a variable", event_type);
    if (strchr(unit, '\n') != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a unit of several lines, expected one");
    writer->event_types[event_type].unit = oc_arena_copy_utf8(&writer->arena, unit);
    return oc_arena_status(&writer->arena);
}

ocelotl_status ocelotl_writer_kind(ocelotl_writer *writer, uint32_t event_type,
                                   ocelotl_variable_kind kind)
{
    OC_TRY(oc_writer_check(writer));
    if (event_type >= writer->event_type_count ||
        writer->event_types[event_type].category != OCELOTL_VARIABLE ||
        writer->event_types[event_type].count > 0 || kind > OCELOTL_INCREMENT)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "event type %" PRIu32 " becomes a variable of kind %d, expected a variable "
                       "without values and a kind from 0 to 2",
                       event_type, (int)kind);
    if (!writer->event_types[event_type].is_of_given_kind)
        writer->event_types[event_type].kind = kind;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_attribute(uint32_t *attribute, ocelotl_writer *writer,
                                        uint32_t event_type, const char *name)
{
    OC_TRY(check_room(writer, 0, "attributes"));
    OC_TRY(oc_writer_check_declared(event_type, writer->event_type_count, "event type"));
    if (name[0] == '\0' || strchr(name, '\n') != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "an attribute's name is %s, expected one line",
                       name[0] == '\0' ? "empty" : "of several lines");
    oc_writer_event_type *type = &writer->event_types[event_type];
    OC_TRY(oc_arena_grow(&type->attributes, &type->attribute_capacity, &writer->arena,
                         type->attribute_count + 1, sizeof *type->attributes));
    const naming as = {type->attribute_identities, OC_NAMED_ATTRIBUTE,
                       oc_identity_at(&writer->identities.event_types, event_type), event_type};
    OC_TRY(take_name(&type->attributes[type->attribute_count], writer, &as, type->attribute_count,
                     name));
    *attribute = (uint32_t)type->attribute_count++;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_writer_value(uint32_t *value, ocelotl_writer *writer, uint32_t event_type,
                                    const char *name, int32_t colour)
{
    const size_t count = writer->value_count;
    OC_TRY(check_room(writer, count, "values"));
    OC_TRY(oc_writer_check_declared(event_type, writer->event_type_count, "event type"));
    OC_TRY(oc_arena_grow(&writer->values, &writer->value_capacity, &writer->arena, count + 1,
                         sizeof *writer->values));
    writer->values[count] = (oc_writer_value){.event_type = event_type, .colour = colour};
    const naming as = {&writer->identities.values, OC_NAMED_VALUE,
                       oc_identity_at(&writer->identities.event_types, event_type), 0};
    OC_TRY(take_name(&writer->values[count].name, writer, &as, count, name));
    writer->event_types[event_type].value_count++;
    *value = (uint32_t)writer->value_count++;
    return OCELOTL_OK;
}

uint32_t ocelotl_writer_event_type_count(const ocelotl_writer *writer)
{
    return (uint32_t)writer->event_type_count;
}

uint32_t ocelotl_writer_value_count(const ocelotl_writer *writer, uint32_t event_type)
{
    return event_type < writer->event_type_count
               ? (uint32_t)writer->event_types[event_type].value_count
               : 0;
}

/* Looks before it leaps: a refinement that does not fit must change nothing. Where begin, end and
 * the time between them fit, so does every time; but durations add up to more. All chunks have been
 * written. */
static ocelotl_status check_refinement(const ocelotl_writer *writer, uint64_t factor)
{
    int64_t product;
    if (factor == 0 || writer->tick_denominator > finest_tick / factor)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a tick of 1/%" PRIu64 " s cannot be %" PRIu64
                       " times finer, expected 1/10^18 s at the most",
                       writer->tick_denominator, factor);
    bool fits =
        !writer->has_bounds || (oc_multiply_time(&product, writer->begin, factor) &&
                                oc_multiply_time(&product, writer->end, factor) &&
                                oc_multiply_time(&product, writer->end - writer->begin, factor));
    for (size_t s = 0; s < writer->stream_count && fits; s++)
        fits = writer->streams[s].fold == NULL ||
               oc_fold_is_refinable(writer->streams[s].fold, factor);
    if (!fits)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "times do not fit a tick that is %" PRIu64 " times finer", factor);
    return OCELOTL_OK;
}

static void refine_stream(oc_writer_stream *stream, uint64_t factor)
{
    if (stream->fold != NULL)
        oc_fold_refine(stream->fold, factor);
    if (stream->content != NULL)
        oc_content_refine(stream->content, factor);
    oc_writer_forget_exact(stream);
    stream->packing.end *= (int64_t)factor;
    stream->begin *= (int64_t)factor;
    if (stream->role == OC_ROLE_LINKS_OUT)
        for (size_t i = 0; i < oc_writer_open_end(stream); i++)
            if (oc_holes_has(stream->open_holes, i))
                stream->open[i].begin *= (int64_t)factor;
}

ocelotl_status ocelotl_writer_refine(ocelotl_writer *writer, uint64_t factor)
{
    ocelotl_status status = OCELOTL_OK;
    OC_TRY(oc_writer_check(writer));
    if (factor == 1)
        return OCELOTL_OK;
    for (uint32_t s = 0; s < writer->stream_count && factor > 0 && status == OCELOTL_OK; s++)
        status = oc_writer_flush(writer, s);
    if (status == OCELOTL_OK && factor > 0)
        status = oc_writer_background_wait(&writer->background);
    writer->broken = status != OCELOTL_OK;
    OC_TRY(status);
    OC_TRY(check_refinement(writer, factor));
    for (uint32_t s = 0; s < writer->stream_count; s++)
        refine_stream(&writer->streams[s], factor);
    /* What is in the file keeps its numbers and gets a larger unit. */
    if (writer->stream_count > 0)
        status = oc_writer_background_refine(&writer->background, writer->database, factor);
    writer->broken = status != OCELOTL_OK;
    OC_TRY(status);
    for (size_t i = 0; i < writer->resource_count; i++) {
        writer->resources[i].begin *= (int64_t)factor;
        writer->resources[i].end *= (int64_t)factor;
    }
    writer->begin *= (int64_t)factor;
    writer->end *= (int64_t)factor;
    writer->tick_denominator *= factor;
    return OCELOTL_OK;
}

static ocelotl_status finish(ocelotl_writer *writer)
{
    OC_TRY(check_countings(writer));
    for (uint32_t s = 0; s < writer->stream_count; s++)
        OC_TRY(oc_writer_close_stream(writer, s));
    OC_TRY(oc_writer_background_finish(&writer->background));
    OC_TRY(oc_writer_warn_of_nesting(writer));
    if (writer->turns.is_part)
        OC_TRY(writer->turns.text.failed
                   ? oc_fail_memory()
                   : oc_writer_note_add(writer, OC_STORE_TURNS_KEY, writer->turns.text.bytes));
    OC_TRY(oc_writer_names(writer));
    OC_TRY(oc_database_execute(writer->database, writer->path, OC_STORE_INDEX "COMMIT;"));
    close_database(writer);
    return oc_replacement_commit(&writer->file);
}

ocelotl_status ocelotl_writer_finish(ocelotl_writer *writer)
{
    OC_TRY(oc_writer_check(writer));
    const ocelotl_status status = finish(writer);
    writer->finished = status == OCELOTL_OK;
    writer->broken = status != OCELOTL_OK;
    return status;
}

/* Profiles of XLA (JAX, TensorFlow): a space of planes, each with lines of events. What an event is
 * called stands behind the lines of its plane, so events wait for its end.
 * docs/formats/xplane.md says what becomes of each. */
#include "base/file/ordering.h"
#include "base/memory.h"
#include "base/plain.h"
#include "importers/common/protobuf.h"
#include "importers/ingest/ingest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { XPLANE_FINE = OC_COMMON_ODDITIES, XPLANE_UNNAMED, XPLANE_MANY, XPLANE_ODDITY_END };
enum { WAITING_MEMORY = 64 << 20, ATTRIBUTES = 64, TRACE_YEARS = 1 << 30 };

static const char *const oddity_names[] = {
    [XPLANE_FINE - OC_COMMON_ODDITIES] = "time finer than a tick can be (rounded)",
    [XPLANE_UNNAMED - OC_COMMON_ODDITIES] = "event whose name its plane has not (without a name)",
    [XPLANE_MANY - OC_COMMON_ODDITIES] = "statistic of an event behind 64 others (left out)",
};

static const char no_event[] = "holds no event, expected some";

/* What an event or a statistic is called. */
typedef struct xplane_name {
    uint64_t id;
    const char *text;
    uint32_t number; /* of the attribute, + 1; 0: there was none yet */
} xplane_name;

enum { RECENT = 256 };

/* What a plane says of events or statistics, by their number. */
typedef struct xplane_names {
    oc_map index_of; /* -> the index of a name */
    xplane_name *list;
    size_t count, capacity;
    uint32_t recent[RECENT]; /* indices + 1 of names that were asked for, by their number */
} xplane_names;

typedef struct xplane_line {
    uint32_t row;
    int64_t begin; /* nanoseconds */
} xplane_line;

typedef struct xplane_reader {
    oc_ingest ingest;
    oc_fields fields;
    uint32_t type, link_type, launch;
    oc_ordering *waiting; /* the events of a plane, as they are, with the number of their line */
    xplane_line *lines;
    size_t line_count, line_capacity;
    xplane_names events, stats;
    oc_arena arena; /* of their texts */
    uint64_t event_count;
    bool has_first, is_device;
    int64_t first; /* nanoseconds that are taken off all times of a file */
    char digits[ATTRIBUTES][32];
    ocelotl_attribute_value attributes[ATTRIBUTES];
    size_t attribute_count;
} xplane_reader;

/* --- What a plane says of names */

static xplane_name *find_name(xplane_names *names, uint64_t id)
{
    uint32_t *recent = &names->recent[id % RECENT];
    if (*recent == 0 || names->list[*recent - 1].id != id)
        *recent = oc_map_get(&names->index_of, &id, sizeof id) + 1; /* 0: it has none */
    return *recent != 0 ? &names->list[*recent - 1] : NULL;
}

/* An entry of a map: a number, and a message whose 2 is a name and whose 4 is a better one. */
static ocelotl_status keep_name(xplane_reader *reader, xplane_names *names, oc_bytes_reader entry)
{
    static const unsigned char numbers[] = {1, 2, 0}, of_value[] = {2, 4, 0};
    oc_field of[2], value[2];
    OC_TRY(oc_fields_read(of, numbers, entry, "metadata"));
    OC_TRY(oc_fields_read(value, of_value, oc_field_message(&of[1]), "metadata"));
    const oc_field *name = &value[names == &reader->events && value[1].length > 0];
    OC_TRY(oc_grow(&names->list, &names->capacity, names->count + 1, sizeof *names->list));
    names->list[names->count] = (xplane_name){
        of[0].value, oc_arena_copy_bytes(&reader->arena, name->bytes, name->length), 0};
    OC_TRY(
        oc_map_set(&names->index_of, &of[0].value, sizeof of[0].value, (uint32_t)names->count++));
    return oc_arena_status(&reader->arena);
}

static void forget_names(xplane_names *names)
{
    oc_map_free(&names->index_of);
    free(names->list);
    *names = (xplane_names){0};
}

static void forget_plane(xplane_reader *reader)
{
    forget_names(&reader->events);
    forget_names(&reader->stats);
    reader->line_count = 0;
    reader->is_device = false;
    oc_arena_free(&reader->arena);
}

/* --- Events */

/* Adds a statistic as an attribute; *correlation becomes that of what launches and what runs. */
static ocelotl_status add_stat(uint64_t *correlation, xplane_reader *reader, oc_bytes_reader stat)
{
    enum { DOUBLE = 2, UNSIGNED, SIGNED, TEXT, BYTES, REFERENCE };
    oc_field field, value = {.bytes = ""};
    uint64_t id = 0;
    while (oc_field_next(&field, &stat)) {
        id = field.number == 1 ? field.value : id;
        value = field.number > 1 ? field : value;
    }
    OC_TRY(oc_fields_check(&stat, "statistic"));
    xplane_name *name = find_name(&reader->stats, id);
    const xplane_name *meant;
    char *digits = reader->digits[reader->attribute_count % ATTRIBUTES];
    const char *text = value.bytes;
    size_t length = value.length;
    if (name == NULL || value.number == 0)
        return OCELOTL_OK;
    if (reader->attribute_count == ATTRIBUTES) {
        oc_ingest_note(&reader->ingest, XPLANE_MANY);
        return OCELOTL_OK;
    }
    if (!value.is_bytes && value.number == REFERENCE &&
        (meant = find_name(&reader->stats, value.value)) != NULL) {
        text = meant->text;
        length = strlen(text);
    } else if (!value.is_bytes) {
        text = digits;
        if (value.number == DOUBLE)
            length = (size_t)snprintf(digits, sizeof reader->digits[0], "%s",
                                      oc_digits(oc_field_double(&value)).text);
        else
            length = value.number == SIGNED ? oc_print_signed(digits, (int64_t)value.value)
                                            : oc_print_unsigned(digits, value.value);
    }
    if (strcmp(name->text, "correlation_id") == 0)
        *correlation = value.value;
    if (name->number == 0) {
        OC_TRY(oc_ingest_attribute(&name->number, &reader->ingest, reader->type, name->text,
                                   strlen(name->text)));
        name->number++;
    }
    reader->attributes[reader->attribute_count++] =
        (ocelotl_attribute_value){name->number - 1, text, length};
    return OCELOTL_OK;
}

/* Nanoseconds and picoseconds as ticks, which become as fine as they need. */
static ocelotl_status read_time(int64_t *time, xplane_reader *reader, int64_t begin, int64_t offset)
{
    oc_decimal decimal = {.digits = 9};
    const bool is_fine = offset % 1000 != 0;
    if (!oc_add_times(&decimal.mantissa, begin, offset / 1000) ||
        (is_fine && (!oc_multiply_time(&decimal.mantissa, decimal.mantissa, 1000) ||
                     !oc_add_times(&decimal.mantissa, decimal.mantissa, offset % 1000))))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is out of range, expected less than 2^63 ps");
    decimal.digits = is_fine ? 12 : 9;
    return oc_ingest_time(time, &reader->ingest, &decimal, XPLANE_FINE);
}

/* What a host launches and what runs on a device have a number in common. */
static ocelotl_status add_side(xplane_reader *reader, const oc_sorted *event, uint64_t correlation)
{
    const uint64_t key[] = {reader->ingest.file, correlation};
    return oc_ingest_side(
        &reader->ingest,
        &(oc_sorted){.stream = event->stream,
                     .kind = reader->is_device ? OC_SORTED_LINK_END : OC_SORTED_LINK_BEGIN,
                     .time = event->time,
                     .type = reader->link_type,
                     .value = reader->launch},
        key, sizeof key);
}

static ocelotl_status take_event(xplane_reader *reader, const xplane_line *line,
                                 oc_bytes_reader message)
{
    static const unsigned char numbers[] = {1, 2, 3, 5, 0};
    enum { NAME, OFFSET, DURATION, OCCURRENCES, FIELDS };
    oc_ingest *ingest = &reader->ingest;
    oc_field field, of[FIELDS];
    uint64_t correlation = 0;
    oc_sorted record = {.stream = line->row, .kind = OC_SORTED_SPAN, .type = reader->type};
    OC_TRY(oc_fields_read(of, numbers, message, "event"));
    if (of[OCCURRENCES].number != 0)
        return oc_ingest_count(ingest, "sum of events", OCELOTL_FATE_LEFT_OUT, "it has no time");
    const int64_t begin = line->begin - reader->first;
    const int64_t offset = (int64_t)of[OFFSET].value;
    int64_t end;
    if (of[DURATION].value > INT64_MAX || !oc_add_times(&end, offset, (int64_t)of[DURATION].value))
        return oc_fail(OCELOTL_ERROR_INPUT, "the duration is out of range, expected 63 bits of ps");
    OC_TRY(read_time(&record.end, reader, begin, end));
    OC_TRY(read_time(&record.time, reader, begin, offset));
    OC_TRY(read_time(&record.end, reader, begin, end));
    const xplane_name *found = find_name(&reader->events, of[NAME].value);
    if (found == NULL)
        oc_ingest_note(ingest, XPLANE_UNNAMED);
    const char *name = found != NULL && found->text[0] != '\0' ? found->text : "(no name)";
    OC_TRY(oc_ingest_value(&record.value, ingest, record.type, name, strlen(name)));
    reader->attribute_count = 0;
    while (oc_field_next(&field, &message))
        if (field.number == 4)
            OC_TRY(add_stat(&correlation, reader, oc_field_message(&field)));
    record.attributes = reader->attributes;
    record.attribute_count = reader->attribute_count;
    OC_TRY(oc_ingest_add(ingest, &record));
    if (correlation != 0)
        OC_TRY(add_side(reader, &record, correlation));
    return oc_ingest_count(ingest, "event", OCELOTL_FATE_STATE, NULL);
}

/* Takes the events of a plane, once all of it is known. */
static ocelotl_status take_events(xplane_reader *reader)
{
    oc_order order;
    const char *bytes;
    size_t length;
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_ordering_finish(reader->waiting));
    for (;;) {
        OC_TRY(oc_ordering_next(&order, &bytes, &length, reader->waiting));
        if (bytes == NULL)
            break;
        ingest->line = oc_place_in_line(order.rank + 1, order.place);
        const ocelotl_status status =
            take_event(reader, &reader->lines[order.rank], oc_bytes_read(bytes, length));
        if (status != OCELOTL_OK)
            OC_TRY(oc_oddities_skip(&ingest->oddities, status, ingest->path, ingest->line));
    }
    oc_ordering_clear(reader->waiting);
    return OCELOTL_OK;
}

/* --- Planes and lines */

static ocelotl_status keep_event(xplane_reader *reader, oc_field *event)
{
    const oc_order order = {(int64_t)reader->event_count, reader->fields.offset,
                            (uint32_t)reader->line_count - 1};
    OC_TRY(oc_fields_take(event, &reader->fields));
    if (++reader->event_count % 4096 == 0)
        OC_TRY(oc_ingest_report(&reader->ingest, reader->fields.input));
    return oc_ordering_add(reader->waiting, &order, event->bytes, event->length);
}

/* A line is known from its begin on, as the file may end in it. */
static ocelotl_status read_line(xplane_reader *reader, uint32_t plane)
{
    oc_field field;
    char id[24];
    uint32_t row;
    const size_t number = reader->line_count;
    oc_ingest *ingest = &reader->ingest;
    snprintf(id, sizeof id, "line %zu", number);
    OC_TRY(oc_fields_enter(&reader->fields));
    OC_TRY(oc_ingest_row_add(&row, ingest, plane, 1, id, strlen(id)));
    ingest->rows[row].type_name = "Line";
    OC_TRY(oc_grow(&reader->lines, &reader->line_capacity, number + 1, sizeof *reader->lines));
    reader->lines[reader->line_count++] = (xplane_line){.row = row};
    for (;;) {
        OC_TRY(oc_fields_next(&field, &reader->fields));
        if (field.number == 0)
            break;
        if (field.number == 4 && field.is_bytes)
            OC_TRY(keep_event(reader, &field));
        if (field.number == 3) {
            reader->lines[number].begin = (int64_t)(field.value & INT64_MAX);
            reader->first = reader->has_first ? reader->first : reader->lines[number].begin;
            reader->has_first = true;
        }
        if ((field.number == 2 || field.number == 11) && field.length > 0) {
            OC_TRY(oc_fields_take(&field, &reader->fields));
            OC_TRY(oc_ingest_row_name(
                ingest, row, oc_arena_copy_bytes(&reader->arena, field.bytes, field.length)));
        }
    }
    return oc_ingest_count(ingest, "line", OCELOTL_FATE_DEFINITION, NULL);
}

static ocelotl_status read_plane(xplane_reader *reader)
{
    oc_field field;
    uint32_t row;
    oc_ingest *ingest = &reader->ingest;
    forget_plane(reader);
    OC_TRY(oc_fields_enter(&reader->fields));
    OC_TRY(oc_ingest_row_add(&row, ingest, ingest->file_row, 0, "plane", 5));
    ingest->rows[row].type_name = "Plane";
    ingest->rows[row].order = (int64_t)row;
    for (;;) {
        OC_TRY(oc_fields_next(&field, &reader->fields));
        if (field.number == 0)
            break;
        if (field.number == 3 && field.is_bytes)
            OC_TRY(read_line(reader, row));
        if (field.number != 2 && field.number != 4 && field.number != 5)
            continue;
        OC_TRY(oc_fields_take(&field, &reader->fields));
        if (field.number == 2) {
            const char *name = oc_arena_copy_bytes(&reader->arena, field.bytes, field.length);
            OC_TRY(oc_arena_status(&reader->arena));
            reader->is_device = strncmp(name, "/device:", 8) == 0;
            OC_TRY(oc_ingest_row_name(ingest, row, name));
        } else
            OC_TRY(keep_name(reader, field.number == 4 ? &reader->events : &reader->stats,
                             oc_field_message(&field)));
    }
    OC_TRY(take_events(reader));
    return oc_ingest_count(ingest, "plane", OCELOTL_FATE_DEFINITION, NULL);
}

static ocelotl_status read_planes(xplane_reader *reader)
{
    oc_field field;
    for (;;) {
        OC_TRY(oc_fields_next(&field, &reader->fields));
        if (field.number == 0)
            return OCELOTL_OK;
        if (field.number == 1 && field.is_bytes)
            OC_TRY(read_plane(reader));
    }
}

/* Of a plane that is cut all events are taken whose names are known. */
static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    xplane_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    oc_aligned *file = &ingest->files[ingest->file];
    oc_fields_free(&reader->fields);
    reader->fields = (oc_fields){.input = source->input};
    reader->has_first = false;
    reader->first = 0;
    ingest->rows[ingest->file_row].type_name = "File";
    OC_TRY(oc_fields_end(&reader->fields, read_planes(reader), &ingest->oddities, "profile"));
    OC_TRY(take_events(reader));
    file->origin = reader->first;
    file->has_clock = reader->first > TRACE_YEARS * (int64_t)1000000000; /* since 1970, not 0 */
    return OCELOTL_OK;
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    xplane_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    OC_TRY(oc_ingest_open(ingest, import, "xplane", oddity_names, XPLANE_ODDITY_END));
    OC_TRY(oc_ordering_open(&reader->waiting, WAITING_MEMORY));
    OC_TRY(oc_ingest_event_type(&reader->type, ingest, OCELOTL_STATE, OCELOTL_ROOT, "Event",
                                OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_event_type(&reader->link_type, ingest, OCELOTL_LINK, OCELOTL_ROOT, "Launch",
                                OC_NEST_BY_TIME));
    return oc_ingest_value(&reader->launch, ingest, reader->link_type, "launch", 6);
}

static void free_all(void *decoder)
{
    xplane_reader *reader = decoder;
    forget_plane(reader);
    oc_fields_free(&reader->fields);
    oc_ordering_free(reader->waiting);
    free(reader->lines);
}

static ocelotl_status import_xplane(const oc_import *import)
{
    static const oc_ingest_decoder how = {.size = sizeof(xplane_reader),
                                          .open = open,
                                          .read = read_file,
                                          .free = free_all,
                                          .empty = no_event};
    return oc_ingest_import(&how, import);
}

/* By its first plane: its number, if it has one, and its name. */
static int recognises_xplane(const oc_source *source)
{
    static const char *const names[] = {"/host:", "/device:", "Task Env"};
    oc_bytes_reader all = oc_bytes_read(source->head.bytes, source->head.length);
    const uint64_t first = oc_bytes_unsigned(&all);
    const bool is_plane = oc_bytes_unsigned(&all) > 0 && first == 10;
    uint64_t tag = oc_bytes_unsigned(&all);
    if (tag == 8) {
        (void)oc_bytes_unsigned(&all);
        tag = oc_bytes_unsigned(&all);
    }
    const size_t length = oc_bytes_count(&all);
    const char *name = oc_bytes_block(&all, length);
    for (size_t i = 0; is_plane && tag == 18 && name != NULL && i < 3; i++)
        if (length >= strlen(names[i]) && memcmp(name, names[i], strlen(names[i])) == 0)
            return OC_SURE;
    return OC_NO;
}

const oc_importer oc_xplane_importer = {
    .format = {.name = "xplane",
               .description =
                   "Profiles of XLA, as JAX and TensorFlow write them (.xplane.pb, plain "
                   "or compressed)",
               .suffixes = (const char *const[]){".xplane.pb", NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises_xplane,
    .import = import_xplane,
};

/* Track events: what happens on tracks, with names that were sent before, and the links between. */
#include "base/memory.h"
#include "base/plain.h"
#include "importers/perfetto/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEEPEST = 8, MONOTONIC = 3 };

/* What a track event is. */
enum { UNSAID, BEGIN, END, INSTANT, COUNTER };

/* The fields of an event that come once, and of what an older one says as trace events in JSON do
 * (docs/formats/chrome.md). */
enum { DIFFERENCE, OLD, KIND, NAME_ID, TRACK, ABSOLUTE, NAME, WHOLE, DOUBLE, FIELDS };
enum {
    OLD_NAME,
    PHASE,
    DURATION,
    ID,
    SCOPE,
    BIND,
    LOCAL_ID,
    GLOBAL_ID,
    DIRECTION,
    PROCESS,
    THREAD,
    OLD_FIELDS
};

typedef struct event {
    oc_field of[FIELDS], old[OLD_FIELDS];
    uint64_t kind;
    uint64_t has; /* a bit for each number of a field */
    char phase;
    perfetto_name name;
} event;

#define BIT(number) ((uint64_t)1 << (number))
#define FLOWS       (BIT(36) | BIT(42) | BIT(47) | BIT(48))
#define BESIDE      (BIT(12) | BIT(46))
#define CARRIED     (BIT(4) | BIT(52) | BIT(53))

static const oc_hash_key constant = {0x6F63656C6F746C31u, 0x7065726665747430u};

/* --- Records and what they carry */

/* An event type, declared when it is first asked for. */
static ocelotl_status find_type(uint32_t *type, perfetto_reader *reader, perfetto_type which)
{
    static const struct {
        const char *name;
        ocelotl_category category;
    } types[] = {[PERFETTO_SLICE] = {"Slice", OCELOTL_STATE},
                 [PERFETTO_INSTANT] = {"Instant", OCELOTL_EVENT},
                 [PERFETTO_FLOW] = {"Flow", OCELOTL_LINK},
                 [PERFETTO_THREAD_STATE] = {"Thread state", OCELOTL_STATE},
                 [PERFETTO_CPU_STATE] = {"CPU state", OCELOTL_STATE},
                 [PERFETTO_INTERRUPT] = {"Interrupt", OCELOTL_STATE},
                 [PERFETTO_WAKING] = {"Waking", OCELOTL_LINK}};
    uint32_t *known = &reader->types[which];
    if (*known == 0) {
        OC_TRY(oc_ingest_event_type(known, &reader->ingest, types[which].category, OCELOTL_ROOT,
                                    types[which].name, OC_NEST_BY_TIME));
        ++*known;
    }
    *type = *known - 1;
    return OCELOTL_OK;
}

ocelotl_status perfetto_add_attribute(perfetto_reader *reader, perfetto_type type, const char *name,
                                      const char *text, size_t length)
{
    uint32_t attribute, of;
    OC_TRY(find_type(&of, reader, type));
    if (reader->attribute_count == PERFETTO_ATTRIBUTES) {
        oc_ingest_note(&reader->ingest, PERFETTO_MANY_ATTRIBUTES);
        return OCELOTL_OK;
    }
    OC_TRY(oc_ingest_attribute(&attribute, &reader->ingest, of, name, strlen(name)));
    reader->attributes[reader->attribute_count++] =
        (ocelotl_attribute_value){attribute, text, length};
    return OCELOTL_OK;
}

ocelotl_status perfetto_add(perfetto_reader *reader, oc_sorted *record, perfetto_type type,
                            const char *name, size_t length)
{
    record->value = OCELOTL_NONE;
    OC_TRY(find_type(&record->type, reader, type));
    if (name != NULL)
        OC_TRY(oc_ingest_value(&record->value, &reader->ingest, record->type,
                               length > 0 ? name : "(no name)", length > 0 ? length : 9));
    if (record->kind == OC_SORTED_BEGIN || record->kind == OC_SORTED_END)
        record->order = record->stream;
    record->attributes = reader->attributes;
    record->attribute_count = reader->attribute_count;
    return oc_ingest_add(&reader->ingest, record);
}

ocelotl_status perfetto_add_counter(perfetto_reader *reader, uint32_t row, const char *name,
                                    const char *unit, uint32_t *type, int64_t time, double number)
{
    if (*type == 0) {
        OC_TRY(oc_ingest_event_type(type, &reader->ingest, OCELOTL_VARIABLE, OCELOTL_ROOT, name,
                                    OC_NEST_BY_TIME));
        if (unit != NULL)
            OC_TRY(ocelotl_writer_unit(reader->ingest.writer, *type, unit));
        ++*type;
    }
    return oc_ingest_add(&reader->ingest, &(oc_sorted){.stream = row,
                                                       .kind = OC_SORTED_VARIABLE,
                                                       .time = time,
                                                       .type = *type - 1,
                                                       .value = OCELOTL_NONE,
                                                       .number = number});
}

/* --- Annotations: what is inside others is called "outer.inner" or "outer[0]" */

static ocelotl_status add_number(perfetto_reader *reader, perfetto_type type, const oc_field *field)
{
    static const char *const words[] = {"false", "true"};
    char *digits = reader->digits[reader->attribute_count % PERFETTO_ATTRIBUTES];
    const size_t size = sizeof reader->digits[0];
    switch (field->number) {
    case 2:
        snprintf(digits, size, "%s", words[field->value != 0]);
        break;
    case 4:
        oc_print_signed(digits, (int64_t)field->value);
        break;
    case 5:
        snprintf(digits, size, "%s", oc_digits(oc_field_double(field)).text);
        break;
    case 7:
        snprintf(digits, size, "0x%" PRIx64, field->value);
        break;
    default:
        oc_print_unsigned(digits, field->value);
        break;
    }
    return perfetto_add_attribute(reader, type, reader->name.bytes, digits, strlen(digits));
}

/* The name of an annotation, behind those of the ones around it. */
static ocelotl_status name_annotation(perfetto_reader *reader, oc_bytes_reader annotation)
{
    oc_field field;
    while (oc_field_next(&field, &annotation)) {
        const bool is_sent = field.number == 1 && !field.is_bytes;
        const perfetto_name sent =
            is_sent ? perfetto_find_name(reader, PERFETTO_ANNOTATION, field.value)
                    : (perfetto_name){field.bytes, field.length, 0};
        if (!is_sent && field.number != 10)
            continue;
        oc_text_add(&reader->name, reader->name.length > 0 ? "." : "");
        oc_text_append(&reader->name, sent.text, sent.length);
    }
    OC_TRY(oc_fields_check(&annotation, "annotation"));
    oc_text_add(&reader->name, "");
    return reader->name.failed ? oc_fail_memory() : OCELOTL_OK;
}

static ocelotl_status add_annotation(perfetto_reader *reader, perfetto_type type,
                                     oc_bytes_reader annotation, int depth)
{
    oc_field field;
    size_t item = 0;
    if (depth == DEEPEST)
        return OCELOTL_OK;
    OC_TRY(name_annotation(reader, annotation));
    const size_t length = reader->name.length;
    while (oc_field_next(&field, &annotation)) {
        perfetto_name text = {field.bytes, field.length, 0};
        switch (field.number) {
        case 2:
        case 3:
        case 4:
        case 5:
        case 7:
            OC_TRY(add_number(reader, type, &field));
            break;
        case 17:
            text = perfetto_find_name(reader, PERFETTO_TEXT, field.value);
            OC_TRY(
                perfetto_add_attribute(reader, type, reader->name.bytes, text.text, text.length));
            break;
        case 6:
        case 9:
            OC_TRY(
                perfetto_add_attribute(reader, type, reader->name.bytes, text.text, text.length));
            break;
        case 12:
            oc_text_format(&reader->name, "[%zu]", item++);
            /* fall through */
        case 11:
            OC_TRY(add_annotation(reader, type, oc_field_message(&field), depth + 1));
            reader->name.length = length;
            break;
        default:
            break;
        }
    }
    return oc_fields_check(&annotation, "annotation");
}

/* Adds the categories and annotations of an event to the next record of a type. */
static ocelotl_status add_annotations(perfetto_reader *reader, perfetto_type type,
                                      const event *read, oc_bytes_reader message)
{
    oc_field field;
    while ((read->has & CARRIED) != 0 && oc_field_next(&field, &message)) {
        oc_text_clear(&reader->name);
        if (field.number == 4)
            OC_TRY(add_annotation(reader, type, oc_field_message(&field), 0));
        if (field.number != 52 && field.number != 53)
            continue;
        oc_text_add(&reader->name, "correlation id");
        if (reader->name.failed)
            return oc_fail_memory();
        OC_TRY(field.number == 52 ? add_number(reader, type, &field)
                                  : perfetto_add_attribute(reader, type, reader->name.bytes,
                                                           field.bytes, field.length));
    }
    return reader->category.length > 0
               ? perfetto_add_attribute(reader, type, "cat", reader->category.bytes,
                                        reader->category.length)
               : OCELOTL_OK;
}

/* --- Links: the points of one id, in order of time */

ocelotl_status perfetto_add_point(perfetto_reader *reader, const oc_sorted *record,
                                  perfetto_type type, uint64_t id, bool is_last)
{
    oc_sorted point = *record;
    point.kind = OC_SORTED_OTHER;
    point.stream = 0;
    point.group = oc_hash_numbers(
        &constant, reader->ingest.file * (uint64_t)2 + (type == PERFETTO_WAKING), id);
    point.type = record->stream;
    point.order = (uint32_t)type << 1 | is_last;
    return oc_sorting_add(reader->flows, &point);
}

static ocelotl_status link_points(perfetto_reader *reader, const oc_sorted *from,
                                  const oc_sorted *to)
{
    const oc_ingest *ingest = &reader->ingest;
    oc_timelines_link link = {.from = from->type,
                              .to = to->type,
                              .begin = from->time + oc_ingest_shift(ingest, from->type),
                              .end = to->time + oc_ingest_shift(ingest, to->type),
                              .value = from->value,
                              .attributes = from->attributes,
                              .attribute_count = from->attribute_count};
    OC_TRY(find_type(&link.type, reader, (perfetto_type)(from->order >> 1)));
    return oc_ingest_link(&reader->ingest, &link);
}

/* Keeps a point with what it carries. */
static ocelotl_status keep_point(oc_sorted *kept, perfetto_reader *reader, const oc_sorted *point)
{
    *kept = *point;
    oc_text_clear(&reader->name);
    kept->attribute_count = 0;
    for (size_t i = 0; i < point->attribute_count && i < PERFETTO_ATTRIBUTES; i++)
        oc_text_append(&reader->name, point->attributes[i].text, point->attributes[i].length);
    size_t at = 0;
    for (size_t i = 0; i < point->attribute_count && i < PERFETTO_ATTRIBUTES; i++) {
        reader->attributes[i] = point->attributes[i];
        reader->attributes[i].text = reader->name.length > 0 ? reader->name.bytes + at : "";
        at += point->attributes[i].length;
        kept->attribute_count++;
    }
    kept->attributes = reader->attributes;
    return reader->name.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* A last point before any other is the end of a link that ends before it begins. */
ocelotl_status perfetto_link(void *of)
{
    perfetto_reader *reader = of;
    const oc_sorted *point = NULL;
    oc_sorted last = {.group = 0};
    enum { NONE, OPEN, EARLY } state = NONE;
    OC_TRY(oc_sorting_finish(reader->flows));
    for (;;) {
        OC_TRY(oc_sorting_next(&point, reader->flows));
        if (point == NULL)
            return OCELOTL_OK;
        const bool ends = (point->order & 1) != 0;
        state = last.group == point->group ? state : NONE;
        if (state == OPEN)
            OC_TRY(link_points(reader, &last, point));
        else if (state == EARLY && !ends)
            OC_TRY(link_points(reader, point, &last));
        if (state == OPEN || (state == EARLY && !ends))
            state = state == OPEN && !ends ? OPEN : NONE;
        else
            state = ends ? EARLY : OPEN;
        if (state != NONE)
            OC_TRY(keep_point(&last, reader, point));
    }
}

/* --- Reading */

static void add_category(perfetto_reader *reader, const char *text, size_t length)
{
    oc_text_add(&reader->category, reader->category.length > 0 ? "," : "");
    oc_text_append(&reader->category, text, length);
}

static ocelotl_status read_event(event *read, perfetto_reader *reader, oc_bytes_reader message)
{
    static const unsigned char places[] = {
        [1] = DIFFERENCE + 1, [6] = OLD + 1,    [9] = KIND + 1,
        [10] = NAME_ID + 1,   [11] = TRACK + 1, [16] = ABSOLUTE + 1,
        [23] = NAME + 1,      [30] = WHOLE + 1, [44] = DOUBLE + 1};
    static const unsigned char old_numbers[] = {1, 2, 3, 6, 7, 8, 10, 11, 13, 18, 19, 0};
    oc_field field;
    uint64_t id;
    *read = (event){.of[NAME].bytes = ""};
    oc_text_clear(&reader->category);
    oc_text_add(&reader->category, "");
    while (oc_field_next(&field, &message)) {
        for (size_t at = 0; field.number == 3 && oc_field_numbers(&id, &at, &field, false);) {
            const perfetto_name sent = perfetto_find_name(reader, PERFETTO_CATEGORY, id);
            add_category(reader, sent.text, sent.length);
        }
        if (field.number == 22)
            add_category(reader, field.bytes, field.length);
        if (field.number < sizeof places && places[field.number] != 0)
            read->of[places[field.number] - 1] = field;
        read->has |= field.number < 64 ? BIT(field.number) : 0;
    }
    OC_TRY(oc_fields_check(&message, "track_event"));
    if (read->of[OLD].number != 0)
        OC_TRY(oc_fields_read(read->old, old_numbers, oc_field_message(&read->of[OLD]),
                              "legacy_event"));
    id = read->of[NAME_ID].number != 0 ? read->of[NAME_ID].value : read->old[OLD_NAME].value;
    read->name = id != 0 ? perfetto_find_name(reader, PERFETTO_EVENT, id)
                         : (perfetto_name){read->of[NAME].bytes, read->of[NAME].length, 0};
    read->phase = '?';
    if (read->old[PHASE].value - 33 < 94)
        read->phase = (char)read->old[PHASE].value;
    read->kind = read->of[KIND].value;
    if (read->kind == UNSAID && read->of[OLD].number != 0)
        read->kind = read->phase == 'B'                   ? BEGIN
                     : read->phase == 'E'                 ? END
                     : strchr("iIR", read->phase) != NULL ? INSTANT
                                                          : UNSAID;
    return reader->category.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* --- What events become */

static ocelotl_status find_row(uint32_t *row, perfetto_reader *reader, const event *read)
{
    const perfetto_sequence *sequence = reader->sequence;
    const oc_field *track = &read->of[TRACK];
    const int64_t process = (int32_t)(uint32_t)read->old[PROCESS].value;
    const int64_t thread = (int32_t)(uint32_t)read->old[THREAD].value;
    uint32_t number = sequence->thread;
    if (thread > 0)
        OC_TRY(perfetto_find_thread(&number, reader, thread, process > 0 ? process : -1, NULL));
    else if (process > 0)
        return perfetto_process_row(row, reader, process);
    if (thread > 0 || (track->number == 0 && !sequence->has_track && sequence->has_thread))
        return perfetto_thread_row(row, reader, number);
    OC_TRY(perfetto_find_track(&number, reader,
                               track->number != 0    ? track->value
                               : sequence->has_track ? sequence->track
                                                     : 0));
    return perfetto_track_row(row, reader, number);
}

static ocelotl_status count_on(perfetto_reader *reader, uint64_t uuid, int64_t time, double number)
{
    uint32_t row, index;
    OC_TRY(perfetto_find_track(&index, reader, uuid));
    perfetto_track *track = &reader->tracks[index];
    if (!track->is_known && track->row == OCELOTL_NONE)
        track->place = PERFETTO_COUNTER;
    OC_TRY(perfetto_track_row(&row, reader, index));
    track = &reader->tracks[index];
    track->sum = track->is_incremental ? track->sum + number : number;
    return perfetto_add_counter(reader, row, track->name != NULL ? track->name : "counter",
                                track->unit, &track->type, time,
                                track->sum * (double)track->multiplier);
}

/* Counters beside an event: the n-th value is of the n-th track. */
static ocelotl_status count_beside(perfetto_reader *reader, oc_bytes_reader message, int64_t time)
{
    uint64_t tracks[2][PERFETTO_EXTRA], bits;
    size_t found[2] = {0}, next[2] = {0};
    oc_field field;
    memcpy(tracks, reader->sequence->extra, sizeof tracks);
    for (oc_bytes_reader all = message; oc_field_next(&field, &all);)
        for (size_t at = 0; (field.number == 31 || field.number == 45) &&
                            found[field.number == 45] < PERFETTO_EXTRA &&
                            oc_field_numbers(&bits, &at, &field, false);)
            tracks[field.number == 45][found[field.number == 45]++] = bits;
    while (oc_field_next(&field, &message)) {
        const bool is_double = field.number == 46;
        if (field.number != 12 && !is_double)
            continue;
        for (size_t at = 0;
             next[is_double] < PERFETTO_EXTRA && oc_field_numbers(&bits, &at, &field, is_double);
             next[is_double]++) {
            const oc_field one = {.value = bits};
            const uint64_t track = tracks[is_double][next[is_double]];
            if (track != 0)
                OC_TRY(count_on(reader, track, time,
                                is_double ? oc_field_double(&one) : (double)(int64_t)bits));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status add_flows(perfetto_reader *reader, const oc_sorted *record,
                                oc_bytes_reader message)
{
    oc_field field;
    uint64_t id;
    while (oc_field_next(&field, &message)) {
        const bool is_fixed = field.number > 42;
        const bool is_flow = field.number < 64 && (FLOWS & BIT(field.number)) != 0;
        for (size_t at = 0; is_flow && oc_field_numbers(&id, &at, &field, is_fixed);)
            OC_TRY(perfetto_add_point(reader, record, PERFETTO_FLOW, id,
                                      field.number == 42 || field.number == 48));
    }
    return OCELOTL_OK;
}

static uint64_t id_of(const event *read)
{
    const oc_field *old = read->old;
    return old[ID].number != 0          ? old[ID].value
           : old[LOCAL_ID].number != 0  ? old[LOCAL_ID].value
           : old[GLOBAL_ID].number != 0 ? old[GLOBAL_ID].value
                                        : old[BIND].value;
}

/* What was asynchronous in trace events: on the row of its category, matched by its id. */
static ocelotl_status take_async(perfetto_reader *reader, const event *read, oc_sorted *record,
                                 perfetto_type type)
{
    const oc_ingest *ingest = &reader->ingest;
    uint32_t process = record->stream;
    const int64_t thread = ingest->rows[process].detail; /* + 1 */
    if (thread > 0 && reader->threads[thread - 1].process >= 0)
        OC_TRY(perfetto_process_row(&process, reader, reader->threads[thread - 1].process));
    OC_TRY(perfetto_async_row(&record->stream, reader, process, reader->category.bytes));
    const uint64_t scope =
        oc_hash_keyed(&constant, read->old[SCOPE].bytes, read->old[SCOPE].length);
    record->group = oc_hash_numbers(&constant, id_of(read), scope ^ record->stream) | 1;
    return perfetto_add(reader, record, type, read->name.text, read->name.length);
}

/* An event that says what it is as trace events in JSON do. */
static ocelotl_status take_old(perfetto_reader *reader, const event *read, oc_sorted *record,
                               oc_bytes_reader message)
{
    char name[] = "legacy ?";
    const char phase = read->phase;
    const uint64_t duration = read->old[DURATION].value;
    const bool is_async = strchr("beSF", phase) != NULL;
    name[sizeof name - 2] = phase;
    if (phase == 'X' || is_async) {
        record->kind = phase == 'X'                   ? OC_SORTED_SPAN
                       : phase == 'b' || phase == 'S' ? OC_SORTED_BEGIN
                                                      : OC_SORTED_END;
        if (phase == 'X' && (duration > INT64_MAX / 1000 ||
                             !oc_add_times(&record->end, record->time, (int64_t)duration * 1000)))
            return oc_fail(OCELOTL_ERROR_INPUT, "the duration is too large or negative, expected "
                                                "less than 2^63 ns");
        OC_TRY(add_annotations(reader, PERFETTO_SLICE, read, message));
        OC_TRY(is_async ? take_async(reader, read, record, PERFETTO_SLICE)
                        : perfetto_add(reader, record, PERFETTO_SLICE, read->name.text,
                                       read->name.length));
        return oc_ingest_count(&reader->ingest, name, OCELOTL_FATE_STATE, NULL);
    }
    if (phase == 'n' || phase == 'T' || phase == 'p') {
        record->kind = OC_SORTED_INSTANT;
        OC_TRY(add_annotations(reader, PERFETTO_INSTANT, read, message));
        OC_TRY(take_async(reader, read, record, PERFETTO_INSTANT));
        return oc_ingest_count(&reader->ingest, name, OCELOTL_FATE_EVENT, NULL);
    }
    if (phase == 's' || phase == 't' || phase == 'f') {
        OC_TRY(add_annotations(reader, PERFETTO_FLOW, read, message));
        OC_TRY(find_type(&record->type, reader, PERFETTO_FLOW));
        OC_TRY(oc_ingest_value(&record->value, &reader->ingest, record->type, read->name.text,
                               read->name.length));
        record->attributes = reader->attributes;
        record->attribute_count = reader->attribute_count;
        OC_TRY(perfetto_add_point(reader, record, PERFETTO_FLOW, id_of(read), phase == 'f'));
        return oc_ingest_count(&reader->ingest, name, OCELOTL_FATE_LINK, NULL);
    }
    return oc_ingest_count(&reader->ingest, name, OCELOTL_FATE_LEFT_OUT,
                           "it is no slice, instant or flow");
}

/* An instant of the category "link" that has flows is no event, but an end of them: so the ends of
 * links are written. */
static ocelotl_status take_known(perfetto_reader *reader, const event *read, oc_sorted *record,
                                 oc_bytes_reader message)
{
    static const perfetto_type types[] = {PERFETTO_SLICE, PERFETTO_SLICE, PERFETTO_SLICE,
                                          PERFETTO_INSTANT};
    static const oc_sorted_kind kinds[] = {OC_SORTED_OTHER, OC_SORTED_BEGIN, OC_SORTED_END,
                                           OC_SORTED_INSTANT};
    const bool has_flow = (read->has & FLOWS) != 0;
    const bool is_end_of_link =
        read->kind == INSTANT && has_flow && strcmp(reader->category.bytes, "link") == 0;
    const bool is_named = read->kind != END || read->name.length > 0;
    const perfetto_type type = is_end_of_link ? PERFETTO_FLOW : types[read->kind];
    if (is_end_of_link)
        reader->category.length = 0;
    OC_TRY(add_annotations(reader, type, read, message));
    record->kind = kinds[read->kind];
    if (!is_end_of_link)
        OC_TRY(perfetto_add(reader, record, type, is_named ? read->name.text : NULL,
                            read->name.length));
    const uint64_t direction = read->old[DIRECTION].value; /* 1: in, 2: out, 3: both */
    if (!has_flow && direction == 0)
        return OCELOTL_OK;
    oc_sorted point = *record;
    OC_TRY(find_type(&point.type, reader, PERFETTO_FLOW));
    OC_TRY(oc_ingest_value(&point.value, &reader->ingest, point.type, read->name.text,
                           read->name.length));
    point.attributes = reader->attributes;
    point.attribute_count = is_end_of_link ? reader->attribute_count : 0;
    oc_ingest_row_see(&reader->ingest, record->stream, record->time);
    OC_TRY(add_flows(reader, &point, message));
    return direction != 0 ? perfetto_add_point(reader, &point, PERFETTO_FLOW, read->old[BIND].value,
                                               direction == 1)
                          : OCELOTL_OK;
}

ocelotl_status perfetto_take_event(perfetto_reader *reader, const perfetto_packet *packet)
{
    static const struct {
        const char *name;
        ocelotl_fate fate;
    } kinds[] = {{NULL, OCELOTL_FATE_LEFT_OUT},
                 {"slice begin", OCELOTL_FATE_STATE},
                 {"slice end", OCELOTL_FATE_STATE},
                 {"instant", OCELOTL_FATE_EVENT},
                 {"counter", OCELOTL_FATE_VARIABLE}};
    perfetto_sequence *sequence = reader->sequence;
    const oc_bytes_reader message = oc_field_message(&packet->content);
    event read;
    oc_sorted record = {.kind = OC_SORTED_OTHER};
    OC_TRY(read_event(&read, reader, message));
    reader->attribute_count = 0;
    if (packet->of[PERFETTO_TIME].number != 0) {
        OC_TRY(perfetto_time(&record.time, reader, packet->clock, packet->of[PERFETTO_TIME].value));
    } else { /* an older one: microseconds */
        const bool is_difference = read.of[DIFFERENCE].number != 0;
        uint64_t time = read.of[is_difference ? DIFFERENCE : ABSOLUTE].value;
        time += is_difference ? (uint64_t)sequence->reference : 0;
        if (time > INT64_MAX / 1000 || (!is_difference && read.of[ABSOLUTE].number == 0))
            return oc_fail(OCELOTL_ERROR_INPUT, "a track event without a time, expected one");
        sequence->reference = is_difference ? (int64_t)time : sequence->reference;
        OC_TRY(perfetto_time(&record.time, reader, MONOTONIC, time * 1000));
    }
    if ((read.has & BESIDE) != 0)
        OC_TRY(count_beside(reader, message, record.time));
    if (read.kind == COUNTER) {
        OC_TRY(count_on(reader, read.of[TRACK].number != 0 ? read.of[TRACK].value : sequence->track,
                        record.time,
                        read.of[DOUBLE].number != 0 ? oc_field_double(&read.of[DOUBLE])
                                                    : (double)(int64_t)read.of[WHOLE].value));
        return perfetto_count(reader, 0, 1000 + COUNTER, kinds[COUNTER].name, kinds[COUNTER].fate,
                              NULL);
    }
    OC_TRY(find_row(&record.stream, reader, &read));
    if (read.kind == UNSAID && read.of[OLD].number != 0)
        return take_old(reader, &read, &record, message);
    if (read.kind == UNSAID || read.kind > COUNTER)
        return oc_ingest_count(&reader->ingest, "track_event", OCELOTL_FATE_LEFT_OUT,
                               "it is no slice, instant or counter");
    OC_TRY(take_known(reader, &read, &record, message));
    return perfetto_count(reader, 0, 1000 + (uint32_t)read.kind, kinds[read.kind].name,
                          kinds[read.kind].fate, NULL);
}

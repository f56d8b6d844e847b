/* Recordings of Java's flight recorder, as `jfr print --json` prints them: {"recording": {"events":
 * [{"type": .., "values": {..}}, ..]}}. docs/formats/jfr.md says what becomes of each. */
#define _GNU_SOURCE
#include "base/format/date.h"
#include "base/memory.h"
#include "importers/ingest/document.h"
#include "importers/ingest/stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { JFR_NO_STACK = OC_COMMON_ODDITIES, JFR_ODDITY_END };

static const char *const oddity_names[] = {
    [JFR_NO_STACK - OC_COMMON_ODDITIES] = "sample without a stack (left out)",
};

/* Events that are values of variables: their members, and what these are called. */
static const struct {
    const char *event, *member, *variable, *unit;
} variables[] = {{"CPULoad", "jvmUser", "CPU load of the JVM, user", ""},
                 {"CPULoad", "jvmSystem", "CPU load of the JVM, system", ""},
                 {"CPULoad", "machineTotal", "CPU load of the machine", ""},
                 {"ThreadCPULoad", "user", "CPU load, user", ""},
                 {"ThreadCPULoad", "system", "CPU load, system", ""},
                 {"ThreadAllocationStatistics", "allocated", "allocated", "B"},
                 {"GCHeapSummary", "heapUsed", "heap", "B"},
                 {"ResidentSetSize", "size", "resident memory", "B"},
                 {"JavaThreadStatistics", "activeCount", "threads", ""}};

enum { TYPE, VALUES, START, DURATION, THREAD, SAMPLED, OTHER_THREAD, STACK, NAME, MEMBERS };
static const char *const member_names[MEMBERS] = {"type",     "values",      "startTime",
                                                  "duration", "eventThread", "sampledThread",
                                                  "thread",   "stackTrace",  "name"};

typedef struct jfr_reader {
    oc_ingest ingest;
    oc_document document;
    uint32_t thread_type, state_type, event_type;
    bool has_event, has_base;
    int64_t base;       /* the first time of the file, in nanoseconds: its tick 0 */
    oc_sorting *stacks; /* samples by row and time, whose attributes are frames */
    oc_stack stack;
    ocelotl_attribute_value *frames;
    size_t frame_capacity;
    oc_text text;
    oc_json_item members[MEMBERS];
} jfr_reader;

/* As the recorder is set to sample unless it is told otherwise. */
static const int64_t period = 20000000;

/* --- Times */

static ocelotl_status read_start(int64_t *time, jfr_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_json_item *item = &reader->members[START];
    oc_aligned *file = &ingest->files[ingest->file];
    char text[OC_DATE_SIZE];
    oc_instant instant;
    int hours = 0, minutes = 0;
    snprintf(text, sizeof text, "%.*s", OC_JSON_SHOWN(*item));
    if (item->kind != '"' || !oc_instant_read(&instant, text) || instant.second <= 0 ||
        instant.second > INT64_MAX / 2000000000)
        return oc_fail(OCELOTL_ERROR_INPUT, "startTime is \"%s\", expected a date and a time",
                       text);
    if (sscanf(instant.zone, "%3d:%2d", &hours, &minutes) == 2)
        instant.second -= 3600 * hours + (hours < 0 || *instant.zone == '-' ? -60 : 60) * minutes;
    const int64_t at = instant.second * 1000000000 + instant.part / 1000000000;
    if (!reader->has_base) {
        reader->has_base = file->has_clock = true;
        reader->base = file->origin = at;
    }
    *time = at - reader->base;
    return OCELOTL_OK;
}

/* "PT1H2M3.000000004S", as nanoseconds. */
static ocelotl_status read_duration(int64_t *duration, const oc_json_item *item)
{
    const char *next = item->bytes + 2, *end = item->bytes + item->length;
    *duration = 0;
    while (next < end) {
        const char *letter = next;
        oc_decimal number;
        int64_t ticks;
        while (letter < end && strchr("HMS", *letter) == NULL)
            letter++;
        const int64_t unit = letter == end ? 0 : *letter == 'H' ? 3600 : *letter == 'M' ? 60 : 1;
        if (!oc_decimal_read(&number, next, (size_t)(letter - next), 9) ||
            !oc_decimal_ticks(&ticks, &number, 9) || unit == 0 || ticks < 0 ||
            ticks > INT64_MAX / 4 / unit - *duration / unit)
            break;
        *duration += ticks * unit;
        next = letter + 1;
    }
    if (item->kind != '"' || item->length < 3 || memcmp(item->bytes, "PT", 2) != 0 || next < end)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "duration is \"%.*s\", expected one as PT0.5S, of at least 0",
                       OC_JSON_SHOWN(*item));
    return OCELOTL_OK;
}

/* --- Names */

/* The row of a thread; events without one are of the JVM itself. */
static ocelotl_status find_row(uint32_t *row, jfr_reader *reader, const oc_json_item *thread)
{
    static const char *const names[] = {"javaName", "osName", "javaThreadId", "osThreadId"};
    oc_ingest *ingest = &reader->ingest;
    oc_json_item found[4];
    char id[96] = "JVM";
    oc_json_members(found, names, 4, thread);
    const oc_json_item *name = &found[found[0].kind != '"' || found[0].length == 0];
    if (thread->kind == '{')
        snprintf(id, sizeof id, "%.*s/%.*s", OC_JSON_SHOWN(found[2]), OC_JSON_SHOWN(found[3]));
    const size_t before = ingest->row_count;
    OC_TRY(oc_ingest_row_find(row, ingest, OCELOTL_NONE, reader->thread_type, id, strlen(id)));
    if (ingest->row_count == before || thread->kind != '{' || name->kind != '"')
        return OCELOTL_OK;
    oc_text_clear(&reader->text);
    oc_json_decode_item(&reader->text, name);
    OC_TRY(reader->text.failed ? oc_fail_memory() : OCELOTL_OK);
    return oc_ingest_row_name(ingest, *row, reader->text.length > 0 ? reader->text.bytes : id);
}

/* What a method is called, in reader->text: "java.util.Arrays.sort". */
static ocelotl_status name_frame(jfr_reader *reader, const oc_json_item *frame)
{
    const oc_json_item method = oc_json_member_of(frame, "method");
    const oc_json_item type = oc_json_member_of(&method, "type");
    const oc_json_item parts[] = {oc_json_member_of(&type, "name"),
                                  oc_json_member_of(&method, "name")};
    oc_text_clear(&reader->text);
    for (int i = 0; i < 2; i++) {
        oc_text_append(&reader->text, ".", i > 0 && reader->text.length > 0);
        if (parts[i].kind == '"')
            oc_json_decode_item(&reader->text, &parts[i]);
    }
    for (size_t i = 0; i < reader->text.length && !reader->text.failed; i++)
        if (reader->text.bytes[i] == '/')
            reader->text.bytes[i] = '.';
    return reader->text.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* --- Events */

static ocelotl_status read_sample(jfr_reader *reader, const char *kind, oc_sorted *record)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_json_item list = oc_json_member_of(&reader->members[STACK], "frames");
    oc_json_item key, frame;
    size_t count = 0;
    OC_TRY(oc_ingest_event_type(&record->type, ingest, OCELOTL_STATE, reader->thread_type, "Stack",
                                OC_NEST_BY_TIME));
    oc_json_cursor cursor =
        list.kind == '[' ? oc_json_inside(&list) : (oc_json_cursor){"", "", NULL};
    while (oc_json_next(&key, &frame, &cursor)) {
        OC_TRY(name_frame(reader, &frame));
        OC_TRY(oc_ingest_value(&record->value, ingest, record->type,
                               reader->text.length > 0 ? reader->text.bytes : "?",
                               reader->text.length > 0 ? reader->text.length : 1));
        OC_TRY(
            oc_grow(&reader->frames, &reader->frame_capacity, count + 1, sizeof *reader->frames));
        reader->frames[count++] = (ocelotl_attribute_value){record->value, "", 0};
    }
    if (count == 0) {
        oc_ingest_note(ingest, JFR_NO_STACK);
        return oc_ingest_count(ingest, kind, OCELOTL_FATE_LEFT_OUT, "it has no stack");
    }
    OC_TRY(oc_ingest_count(ingest, kind, OCELOTL_FATE_STATE, NULL));
    record->attributes = reader->frames;
    record->attribute_count = count;
    return oc_sorting_add(reader->stacks, record);
}

static ocelotl_status read_variables(bool *is, jfr_reader *reader, const char *kind,
                                     oc_sorted *record)
{
    oc_ingest *ingest = &reader->ingest;
    record->kind = OC_SORTED_VARIABLE;
    *is = false;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        if (strcmp(kind, variables[i].event) != 0)
            continue;
        const oc_json_item item = oc_json_member_of(&reader->members[VALUES], variables[i].member);
        if (item.kind != '0' || !oc_text_is_number(&record->number, item.bytes, item.length))
            return oc_fail(OCELOTL_ERROR_INPUT, "%s of %s is \"%.*s\", expected a number",
                           variables[i].member, kind, OC_JSON_SHOWN(item));
        OC_TRY(oc_ingest_event_type(&record->type, ingest, OCELOTL_VARIABLE, reader->thread_type,
                                    variables[i].variable, OC_NEST_BY_TIME));
        OC_TRY(ocelotl_writer_unit(ingest->writer, record->type, variables[i].unit));
        OC_TRY(oc_ingest_add(ingest, record));
        *is = true;
    }
    return *is ? oc_ingest_count(ingest, kind, OCELOTL_FATE_VARIABLE, NULL) : OCELOTL_OK;
}

/* What an event carries: numbers, texts, and of what is an object its name. */
static ocelotl_status add_attributes(jfr_reader *reader, oc_sorted *record)
{
    oc_ingest *ingest = &reader->ingest;
    oc_json_item key, value;
    oc_json_cursor cursor = oc_json_inside(&reader->members[VALUES]);
    oc_text_clear(&reader->text);
    while (oc_json_next(&key, &value, &cursor)) {
        const char *place = value.bytes;
        if (place == reader->members[START].bytes || place == reader->members[DURATION].bytes ||
            place == reader->members[STACK].bytes)
            continue;
        if (value.kind == '{')
            value = oc_json_member_of(&value, "name");
        if (value.bytes == NULL || value.kind == '[' || oc_json_is(&value, "null"))
            continue;
        OC_TRY(oc_grow(&reader->frames, &reader->frame_capacity, record->attribute_count + 1,
                       sizeof *reader->frames));
        const size_t before = reader->text.length;
        oc_json_decode_item(&reader->text, &value);
        ocelotl_attribute_value *attribute = &reader->frames[record->attribute_count++];
        *attribute = (ocelotl_attribute_value){0, NULL, reader->text.length - before};
        OC_TRY(oc_ingest_attribute(&attribute->attribute, ingest, record->type, key.bytes,
                                   key.length));
    }
    if (reader->text.failed)
        return oc_fail_memory();
    const char *next = reader->text.bytes;
    for (size_t i = 0; i < record->attribute_count; next += reader->frames[i++].length)
        reader->frames[i].text = next;
    record->attributes = reader->frames;
    return OCELOTL_OK;
}

static ocelotl_status read_other(jfr_reader *reader, const char *kind, oc_sorted *record)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_json_item *name = &reader->members[NAME];
    const bool lasts = reader->members[DURATION].bytes != NULL;
    int64_t duration = 0;
    if ((!lasts && reader->members[THREAD].kind != '{') || strcmp(kind, "ActiveSetting") == 0)
        return oc_ingest_count(ingest, kind, OCELOTL_FATE_LEFT_OUT,
                               "it is of no thread and does not last");
    if (lasts)
        OC_TRY(read_duration(&duration, &reader->members[DURATION]));
    record->kind = lasts ? OC_SORTED_SPAN : OC_SORTED_INSTANT;
    record->type = lasts ? reader->state_type : reader->event_type;
    if (lasts && !oc_add_times(&record->end, record->time, duration))
        return oc_fail(OCELOTL_ERROR_INPUT, "the duration is too long, expected less than 2^63 ns");
    oc_text_clear(&reader->text);
    if (strncmp(kind, "GCPhase", 7) == 0 && name->kind == '"')
        oc_json_decode_item(&reader->text, name);
    else
        oc_text_add(&reader->text, kind);
    OC_TRY(reader->text.failed ? oc_fail_memory() : OCELOTL_OK);
    OC_TRY(oc_ingest_value(&record->value, ingest, record->type, reader->text.bytes,
                           reader->text.length));
    OC_TRY(add_attributes(reader, record));
    OC_TRY(oc_ingest_count(ingest, kind, lasts ? OCELOTL_FATE_STATE : OCELOTL_FATE_EVENT, NULL));
    return oc_ingest_add(ingest, record);
}

static ocelotl_status take(void *decoder, const char *member, const oc_json_item *item,
                           bool is_in_list)
{
    jfr_reader *reader = decoder;
    oc_json_item *members = reader->members, *thread = &members[THREAD];
    oc_sorted record = {.kind = OC_SORTED_INSTANT};
    char kind[96];
    bool is;
    if (strcmp(member, "events") != 0 || !is_in_list)
        return OCELOTL_OK;
    oc_json_members(members, member_names, MEMBERS, item);
    const oc_json_item type = members[TYPE], values = members[VALUES];
    if (type.kind != '"' || values.kind != '{')
        return oc_fail(OCELOTL_ERROR_INPUT, "an event is no object with \"type\" and \"values\"");
    oc_json_members(members, member_names, MEMBERS, &values);
    members[VALUES] = values;
    reader->has_event = true;
    const size_t prefix = type.length > 4 && memcmp(type.bytes, "jdk.", 4) == 0 ? 4 : 0;
    snprintf(kind, sizeof kind, "%.*s",
             (int)(type.length - prefix < 95 ? type.length - prefix : 95), type.bytes + prefix);
    OC_TRY(read_start(&record.time, reader));
    const bool lives = strcmp(kind, "ThreadStart") == 0 || strcmp(kind, "ThreadEnd") == 0;
    if (members[SAMPLED].kind == '{')
        thread = &members[SAMPLED];
    else if (members[OTHER_THREAD].kind == '{' && (lives || thread->kind != '{'))
        thread = &members[OTHER_THREAD];
    OC_TRY(find_row(&record.stream, reader, thread));
    if (lives) {
        const bool ends = kind[6] == 'E';
        oc_ingest_row_live(&reader->ingest, record.stream, ends ? OC_INGEST_UNSAID : record.time,
                           ends ? record.time : OC_INGEST_UNSAID);
        return oc_ingest_count(&reader->ingest, kind, OCELOTL_FATE_DEFINITION, NULL);
    }
    if (members[SAMPLED].kind == '{')
        return read_sample(reader, kind, &record);
    OC_TRY(read_variables(&is, reader, kind, &record));
    return is ? OCELOTL_OK : read_other(reader, kind, &record);
}

/* --- Stacks as states */

/* A sample lasts to the next of its thread, or as long as they are apart. */
static ocelotl_status add_stacks(jfr_reader *reader)
{
    const oc_sorted *sample;
    oc_sorted last = {.stream = OCELOTL_NONE, .kind = OC_SORTED_BEGIN};
    OC_TRY(oc_sorting_finish(reader->stacks));
    for (;;) {
        OC_TRY(oc_sorting_next(&sample, reader->stacks));
        const bool follows = sample != NULL && sample->stream == last.stream;
        if (last.stream != OCELOTL_NONE && (!follows || sample->time - last.time > 2 * period)) {
            last.time += period;
            OC_TRY(oc_stack_change(&reader->stack, &reader->ingest, last));
        }
        if (sample == NULL)
            return OCELOTL_OK;
        last.stream = sample->stream;
        last.time = sample->time;
        last.type = sample->type;
        for (size_t i = sample->attribute_count; i-- > 0;)
            OC_TRY(oc_stack_push(&reader->stack, sample->attributes[i].attribute));
        OC_TRY(oc_stack_change(&reader->stack, &reader->ingest, last));
    }
}

/* --- Files */

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    static const char *const entered[] = {"recording", "events", NULL};
    static const oc_document_form form = {entered, "{ and \"recording\"", take};
    jfr_reader *reader = decoder;
    const oc_import *import = reader->ingest.import;
    reader->has_base = reader->has_event = false;
    OC_TRY(oc_document_read(&reader->document, &reader->ingest, &form, reader, source));
    if (!reader->has_event)
        return oc_oddities_fail_empty(&reader->ingest.oddities, source->path,
                                      "holds no event, expected some");
    return reader->ingest.file + 1 == import->source_count ? add_stacks(reader) : OCELOTL_OK;
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    jfr_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    ingest->unit_digits = 0;
    ingest->life = OC_LIVES_ALWAYS;
    ingest->outlives_ends = true; /* as by a clock that was read later */
    OC_TRY(
        oc_ingest_open(ingest, import, oc_jfr_importer.format.name, oddity_names, JFR_ODDITY_END));
    OC_TRY(oc_sorting_open(&reader->stacks, import->target, OC_SORTING_MEMORY / 4, false));
    OC_TRY(oc_ingest_resource_type(&reader->thread_type, ingest, ingest->file_type, "Thread"));
    OC_TRY(oc_ingest_event_type(&reader->state_type, ingest, OCELOTL_STATE, reader->thread_type,
                                "State", OC_NEST_BY_TIME));
    return oc_ingest_event_type(&reader->event_type, ingest, OCELOTL_EVENT, reader->thread_type,
                                "Event", OC_NEST_BY_TIME);
}

static void free_reader(void *decoder)
{
    jfr_reader *reader = decoder;
    oc_document_free(&reader->document);
    oc_sorting_free(reader->stacks);
    oc_text_free(&reader->text);
    oc_stack_free(&reader->stack);
    free(reader->frames);
}

static const oc_ingest_decoder decoder = {.size = sizeof(jfr_reader),
                                          .open = open,
                                          .read = read_file,
                                          .free = free_reader,
                                          .empty = "holds no event of a thread, expected some"};

static int recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const char *recording = memmem(head->bytes, head->length, "\"recording\"", 11);
    return recording != NULL && recording - head->bytes < 16 &&
                   memmem(head->bytes, head->length, "\"startTime\"", 11) != NULL
               ? OC_SURE
               : OC_NO;
}

const oc_importer oc_jfr_importer = {
    .format = {.name = "jfr",
               .description = "Recordings of Java's flight recorder, as jfr print --json prints "
                              "them (.jfr.json, plain or compressed)",
               .suffixes = (const char *const[]){".jfr.json", NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises,
    .decoder = &decoder,
};

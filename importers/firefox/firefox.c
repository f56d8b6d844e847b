/* Profiles of Firefox and of what writes its format: an object with "threads", whose tables are
 * columns (what profiler.firefox.com saves) or rows with a schema (what Firefox itself writes).
 * docs/formats/firefox.md says what becomes of each. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "importers/ingest/document.h"
#include "importers/ingest/stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FOX_FINE_TIME = OC_COMMON_ODDITIES, FOX_NO_STACK, FOX_ODDITY_END };

static const char *const oddity_names[] = {
    [FOX_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a nanosecond (rounded)",
    [FOX_NO_STACK - OC_COMMON_ODDITIES] = "stack that is inside itself (its rest is left out)",
};

/* Milliseconds become nanoseconds. */
enum { INDEX_DIGITS = 0, TIME_DIGITS = 6 };

/* A column of a table: whole numbers, NONE where there is none. */
enum { NONE = -1 };
typedef struct fox_column {
    int64_t *at;
    size_t count, capacity;
} fox_column;

/* What stacks are made of: a stack is a frame on another, a frame of a function, which has a name.
 * The frames that Firefox itself writes have names instead. */
enum { PREFIX, FRAME, FUNCTION, NAME, COLUMNS };
static const struct {
    const char *table, *column, *other;
} stacks[COLUMNS] = {{"stackTable", "prefix", "prefix"},
                     {"stackTable", "frame", "frame"},
                     {"frameTable", "func", "location"},
                     {"funcTable", "name", NULL}};

typedef struct fox_tables {
    fox_column columns[COLUMNS];
    oc_json_item *strings;
    uint32_t *values; /* of stacks, by string */
    size_t string_count, string_capacity, value_capacity;
} fox_tables;

typedef struct fox_reader {
    oc_ingest ingest;
    oc_document document;
    uint32_t process_type, thread_type, track_type, stack_type, marker_type, instant_type;
    fox_tables shared, own;
    char *kept; /* what is shared */
    fox_column times, values, ends, names, phases;
    oc_stack stack;
    oc_text text;
    int64_t interval;
    int64_t shift; /* of the process at hand, by when it began */
    bool has_thread;
} fox_reader;

/* --- Tables */

static ocelotl_status add_number(fox_column *column, fox_reader *reader, const oc_json_item *item,
                                 uint32_t digits)
{
    oc_decimal number;
    int64_t ticks = NONE;
    OC_TRY(oc_grow(&column->at, &column->capacity, column->count + 1, sizeof *column->at));
    if (item->kind == '0') {
        if (!oc_decimal_read(&number, item->bytes, item->length, digits) ||
            !oc_decimal_ticks(&ticks, &number, digits) || ticks > INT64_MAX / 4 ||
            ticks < INT64_MIN / 4)
            return oc_fail(OCELOTL_ERROR_INPUT, "\"%.*s\" is too large, expected less than 2^61",
                           OC_JSON_SHOWN(*item));
        if (number.rounded && digits == TIME_DIGITS)
            oc_ingest_note(&reader->ingest, FOX_FINE_TIME);
    }
    column->at[column->count++] = ticks;
    return OCELOTL_OK;
}

/* Reads a column of a table, which is a list of its own, or has a place in each row. */
static ocelotl_status read_column(fox_column *column, fox_reader *reader, const oc_json_item *table,
                                  const char *name, uint32_t digits)
{
    const oc_json_item schema = oc_json_member_of(table, "schema");
    const oc_json_item list = oc_json_member_of(table, schema.kind == '{' ? "data" : name);
    const oc_json_item place = oc_json_member_of(&schema, name);
    oc_json_item key, item, field;
    column->count = 0;
    if (list.kind != '[' || (schema.kind == '{' && place.kind != '0'))
        return OCELOTL_OK;
    const long index = schema.kind == '{' ? strtol(place.bytes, NULL, 10) : 0;
    for (oc_json_cursor cursor = oc_json_inside(&list); oc_json_next(&key, &item, &cursor);) {
        if (schema.kind == '{') {
            oc_json_cursor row = oc_json_inside(&item);
            field = (oc_json_item){0};
            for (long i = 0; item.kind == '[' && i <= index; i++)
                if (!oc_json_next(&key, &field, &row)) {
                    field = (oc_json_item){0};
                    break;
                }
            item = field;
        }
        OC_TRY(add_number(column, reader, &item, digits));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_tables(fox_tables *tables, fox_reader *reader, const oc_json_item *of)
{
    for (int i = 0; i < COLUMNS; i++) {
        const oc_json_item table = oc_json_member_of(of, stacks[i].table);
        const oc_json_item schema = oc_json_member_of(&table, "schema");
        OC_TRY(read_column(&tables->columns[i], reader, &table,
                           schema.kind == '{' && stacks[i].other != NULL ? stacks[i].other
                                                                         : stacks[i].column,
                           INDEX_DIGITS));
    }
    oc_json_item key, item, list = oc_json_member_of(of, "stringArray");
    tables->string_count = 0;
    if (list.kind != '[')
        list = oc_json_member_of(of, "stringTable");
    if (list.kind != '[')
        return OCELOTL_OK;
    for (oc_json_cursor cursor = oc_json_inside(&list); oc_json_next(&key, &item, &cursor);) {
        const size_t count = tables->string_count + 1;
        OC_TRY(oc_grow(&tables->strings, &tables->string_capacity, count, sizeof item));
        OC_TRY(oc_grow(&tables->values, &tables->value_capacity, count, sizeof *tables->values));
        tables->strings[count - 1] = item;
        tables->values[count - 1] = OCELOTL_NONE;
        tables->string_count = count;
    }
    return OCELOTL_OK;
}

/* What is in a column: of the thread, else of what all threads share. */
static int64_t look_up(const fox_reader *reader, int column, int64_t index)
{
    const fox_column *own = &reader->own.columns[column];
    const fox_column *found = own->count > 0 ? own : &reader->shared.columns[column];
    return index >= 0 && (uint64_t)index < found->count ? found->at[index] : NONE;
}

/* The value of a type that a string names, by its number. */
static ocelotl_status find_value(uint32_t *value, fox_reader *reader, uint32_t type, int64_t string)
{
    fox_tables *tables = reader->own.string_count > 0 ? &reader->own : &reader->shared;
    const bool is_known = string >= 0 && (uint64_t)string < tables->string_count;
    *value = is_known && type == reader->stack_type ? tables->values[string] : OCELOTL_NONE;
    if (*value != OCELOTL_NONE)
        return OCELOTL_OK;
    oc_text_clear(&reader->text);
    if (is_known && tables->strings[string].kind == '"')
        oc_json_decode_item(&reader->text, &tables->strings[string]);
    else
        oc_text_add(&reader->text, "?");
    if (reader->text.failed)
        return oc_fail_memory();
    OC_TRY(oc_ingest_value(value, &reader->ingest, type,
                           reader->text.length > 0 ? reader->text.bytes : "", reader->text.length));
    if (is_known && type == reader->stack_type)
        tables->values[string] = *value;
    return OCELOTL_OK;
}

/* --- What happens in a thread */

/* The times of a table, or the sums of what lies between them. */
static ocelotl_status read_times(fox_reader *reader, const oc_json_item *table)
{
    int64_t now = 0;
    OC_TRY(read_column(&reader->times, reader, table, "time", TIME_DIGITS));
    if (reader->times.count > 0)
        return OCELOTL_OK;
    OC_TRY(read_column(&reader->times, reader, table, "timeDeltas", TIME_DIGITS));
    for (size_t i = 0; i < reader->times.count; i++)
        if (!oc_add_times(&now, now, reader->times.at[i]))
            return oc_fail(OCELOTL_ERROR_INPUT, "a time is too large, expected less than 2^63 ns");
        else
            reader->times.at[i] = now;
    return OCELOTL_OK;
}

/* Times of a process are since its own start. */
static void shift_times(fox_column *column, const fox_reader *reader)
{
    for (size_t i = 0; i < column->count; i++)
        column->at[i] += column->at[i] != NONE ? reader->shift : 0;
}

/* Pushes the names of a stack, the outermost first. */
static ocelotl_status push_stack(fox_reader *reader, int64_t index)
{
    oc_stack *stack = &reader->stack;
    const size_t most = reader->own.columns[FRAME].count + reader->shared.columns[FRAME].count;
    uint32_t value;
    for (; index >= 0 && stack->next_count < most; index = look_up(reader, PREFIX, index)) {
        const int64_t function = look_up(reader, FUNCTION, look_up(reader, FRAME, index));
        const int64_t name = look_up(reader, NAME, function);
        OC_TRY(find_value(&value, reader, reader->stack_type, name != NONE ? name : function));
        OC_TRY(oc_stack_push(stack, value));
    }
    if (index >= 0)
        oc_ingest_note(&reader->ingest, FOX_NO_STACK);
    for (size_t i = 0; i < stack->next_count / 2; i++) {
        value = stack->next[i];
        stack->next[i] = stack->next[stack->next_count - 1 - i];
        stack->next[stack->next_count - 1 - i] = value;
    }
    return OCELOTL_OK;
}

/* A sample lasts to the next, the last one as long as they are apart. */
static ocelotl_status read_samples(fox_reader *reader, uint32_t row, const oc_json_item *samples)
{
    oc_sorted record = {.stream = row, .type = reader->stack_type};
    OC_TRY(read_times(reader, samples));
    OC_TRY(read_column(&reader->values, reader, samples, "stack", INDEX_DIGITS));
    shift_times(&reader->times, reader);
    for (size_t i = 0; i < reader->times.count; i++) {
        record.time =
            i > 0 && reader->times.at[i] < record.time ? record.time : reader->times.at[i];
        if (i < reader->values.count)
            OC_TRY(push_stack(reader, reader->values.at[i]));
        OC_TRY(oc_ingest_count(&reader->ingest, "sample", OCELOTL_FATE_STATE, NULL));
        OC_TRY(oc_stack_change(&reader->stack, &reader->ingest, record));
    }
    record.time += reader->interval;
    return oc_stack_change(&reader->stack, &reader->ingest, record);
}

/* Markers are instants, spans, begins or ends. */
static ocelotl_status read_markers(fox_reader *reader, uint32_t row, const oc_json_item *markers)
{
    static const oc_sorted_kind kinds[] = {OC_SORTED_INSTANT, OC_SORTED_SPAN, OC_SORTED_BEGIN,
                                           OC_SORTED_END};
    static const char *const names[] = {"marker, instant", "marker, interval", "marker, begin",
                                        "marker, end"};
    oc_ingest *ingest = &reader->ingest;
    uint32_t track;
    OC_TRY(read_column(&reader->times, reader, markers, "startTime", TIME_DIGITS));
    OC_TRY(read_column(&reader->ends, reader, markers, "endTime", TIME_DIGITS));
    OC_TRY(read_column(&reader->names, reader, markers, "name", INDEX_DIGITS));
    OC_TRY(read_column(&reader->phases, reader, markers, "phase", INDEX_DIGITS));
    OC_TRY(oc_ingest_row_find(&track, ingest, row, reader->track_type, "markers", 7));
    shift_times(&reader->times, reader);
    shift_times(&reader->ends, reader);
    for (size_t i = 0; i < reader->names.count; i++) {
        const int64_t phase = i < reader->phases.count ? reader->phases.at[i] : NONE;
        if (phase < 0 || phase > 3 || i >= reader->times.count || i >= reader->ends.count) {
            OC_TRY(oc_ingest_count(ingest, "marker", OCELOTL_FATE_LEFT_OUT, "it has no phase"));
            continue;
        }
        oc_sorted record = {.stream = track, .order = track, .kind = kinds[phase]};
        record.type = phase == 0 ? reader->instant_type : reader->marker_type;
        record.time = phase == 3 ? reader->ends.at[i] : reader->times.at[i];
        if (phase == 1)
            record.end = reader->ends.at[i] < record.time ? record.time : reader->ends.at[i];
        record.order = phase == 1 ? 0 : track;
        OC_TRY(find_value(&record.value, reader, record.type, reader->names.at[i]));
        OC_TRY(oc_ingest_count(ingest, names[phase],
                               phase == 0 ? OCELOTL_FATE_EVENT : OCELOTL_FATE_STATE, NULL));
        OC_TRY(oc_ingest_add(ingest, &record));
    }
    return OCELOTL_OK;
}

/* Finds a row by a number or a text, and calls it by a name that it may have. */
static ocelotl_status find_row(uint32_t *row, fox_reader *reader, uint32_t parent, uint32_t type,
                               const oc_json_item *id, const oc_json_item *name)
{
    OC_TRY(oc_ingest_row_find(row, &reader->ingest, parent, type,
                              id->bytes != NULL ? id->bytes : "", id->length));
    oc_text_clear(&reader->text);
    if (name->kind == '"')
        oc_json_decode_item(&reader->text, name);
    if (reader->text.failed)
        return oc_fail_memory();
    return reader->text.length > 0 ? oc_ingest_row_name(&reader->ingest, *row, reader->text.bytes)
                                   : OCELOTL_OK;
}

static ocelotl_status read_thread(fox_reader *reader, const oc_json_item *item)
{
    static const char *const names[] = {"pid",         "tid",     "name",   "processName",
                                        "processType", "samples", "markers"};
    oc_json_item found[7];
    uint32_t process, thread;
    oc_json_members(found, names, 7, item);
    if (item->kind != '{' || found[5].kind != '{')
        return oc_fail(OCELOTL_ERROR_INPUT, "a thread is no object with samples, expected one");
    OC_TRY(find_row(&process, reader, OCELOTL_NONE, reader->process_type, &found[0],
                    &found[found[3].kind == '"' ? 3 : 4]));
    OC_TRY(find_row(&thread, reader, process, reader->thread_type, &found[1], &found[2]));
    reader->has_thread = true;
    OC_TRY(read_tables(&reader->own, reader, item));
    OC_TRY(read_samples(reader, thread, &found[5]));
    return read_markers(reader, thread, &found[6]);
}

/* A counter says by how much it changes: the variable is the sum. */
static ocelotl_status read_counter(fox_reader *reader, const oc_json_item *item)
{
    static const char *const names[] = {"pid", "name", "samples", "sampleGroups"};
    oc_ingest *ingest = &reader->ingest;
    oc_sorted record = {.kind = OC_SORTED_VARIABLE, .value = OCELOTL_NONE};
    oc_json_item found[4], key, group;
    char name[96];
    oc_json_members(found, names, 4, item);
    if (found[3].kind == '[') { /* before version 43 */
        oc_json_cursor cursor = oc_json_inside(&found[3]);
        if (oc_json_next(&key, &group, &cursor))
            found[2] = oc_json_member_of(&group, "samples");
    }
    snprintf(name, sizeof name, "%.*s", OC_JSON_SHOWN(found[1]));
    OC_TRY(find_row(&record.stream, reader, OCELOTL_NONE, reader->process_type, &found[0],
                    &(oc_json_item){0}));
    OC_TRY(oc_ingest_event_type(&record.type, ingest, OCELOTL_VARIABLE, reader->process_type,
                                name[0] != '\0' ? name : "counter", OC_NEST_BY_TIME));
    OC_TRY(read_times(reader, &found[2]));
    OC_TRY(read_column(&reader->values, reader, &found[2], "count", INDEX_DIGITS));
    for (size_t i = 0; i < reader->times.count && i < reader->values.count; i++) {
        record.time = reader->times.at[i];
        record.number += (double)reader->values.at[i];
        OC_TRY(oc_ingest_count(ingest, "counter sample", OCELOTL_FATE_VARIABLE, NULL));
        OC_TRY(oc_ingest_add(ingest, &record));
    }
    return OCELOTL_OK;
}

/* --- A file */

/* `is_inner`: of a process within the profile. */
static ocelotl_status read_meta(fox_reader *reader, const oc_json_item *meta, bool is_inner)
{
    oc_aligned *file = &reader->ingest.files[reader->ingest.file];
    const oc_json_item items[] = {oc_json_member_of(meta, "interval"),
                                  oc_json_member_of(meta, "startTime")};
    reader->times.count = 0;
    for (int i = 0; i < 2; i++)
        OC_TRY(add_number(&reader->times, reader, &items[i], TIME_DIGITS));
    const int64_t begin = reader->times.at[1];
    if (is_inner) {
        reader->shift = begin > 0 && file->has_clock ? begin - file->origin : 0;
        return OCELOTL_OK;
    }
    reader->interval = reader->times.at[0] > 0 ? reader->times.at[0] : 0;
    file->has_clock = begin > 0;
    file->origin = begin;
    return OCELOTL_OK;
}

/* What threads share comes before them, and is kept. */
static ocelotl_status read_shared(fox_reader *reader, const oc_json_item *shared)
{
    oc_json_item copy = *shared;
    free(reader->kept);
    reader->kept = NULL;
    OC_TRY(oc_allocate(&reader->kept, shared->length + OC_JSON_MARGIN, 1));
    memcpy(reader->kept, shared->bytes, shared->length);
    copy.bytes = reader->kept;
    return read_tables(&reader->shared, reader, &copy);
}

static ocelotl_status take(void *decoder, const char *member, const oc_json_item *item,
                           bool is_in_list)
{
    fox_reader *reader = decoder;
    oc_json_item key, thread;
    if (strcmp(member, "meta") == 0)
        return read_meta(reader, item, false);
    if (strcmp(member, "shared") == 0)
        return read_shared(reader, item);
    if (strcmp(member, "threads") == 0 && is_in_list)
        return read_thread(reader, item);
    if (strcmp(member, "counters") == 0 && is_in_list)
        return read_counter(reader, item);
    if (strcmp(member, "processes") != 0 || !is_in_list)
        return OCELOTL_OK;
    const oc_json_item meta = oc_json_member_of(item, "meta");
    const oc_json_item list = oc_json_member_of(item, "threads");
    OC_TRY(read_meta(reader, &meta, true));
    oc_json_cursor cursor = oc_json_inside(&list);
    while (list.kind == '[' && oc_json_next(&key, &thread, &cursor))
        OC_TRY(oc_document_or_skip(&reader->ingest, read_thread(reader, &thread)));
    reader->shift = 0;
    return OCELOTL_OK;
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    static const char *const entered[] = {"threads", "counters", "processes", NULL};
    static const oc_document_form form = {entered, "{ and \"threads\"", take};
    fox_reader *reader = decoder;
    reader->has_thread = false;
    OC_TRY(read_tables(&reader->shared, reader, &(oc_json_item){0}));
    OC_TRY(oc_document_read(&reader->document, &reader->ingest, &form, reader, source));
    return reader->has_thread ? OCELOTL_OK
                              : oc_oddities_fail_empty(&reader->ingest.oddities, source->path,
                                                       "holds no thread, expected some");
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    fox_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    ingest->exact = true;
    ingest->life = OC_LIVES_WITH_CONTENT;
    OC_TRY(oc_ingest_open(ingest, import, oc_firefox_importer.format.name, oddity_names,
                          FOX_ODDITY_END));
    OC_TRY(oc_ingest_resource_type(&reader->process_type, ingest, ingest->file_type, "Process"));
    OC_TRY(oc_ingest_resource_type(&reader->thread_type, ingest, reader->process_type, "Thread"));
    OC_TRY(oc_ingest_resource_type(&reader->track_type, ingest, reader->thread_type, "Track"));
    OC_TRY(oc_ingest_event_type(&reader->stack_type, ingest, OCELOTL_STATE, reader->thread_type,
                                "Stack", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_event_type(&reader->marker_type, ingest, OCELOTL_STATE, reader->track_type,
                                "Marker", OC_NEST_BY_TIME));
    return oc_ingest_event_type(&reader->instant_type, ingest, OCELOTL_EVENT, reader->track_type,
                                "Instant", OC_NEST_BY_TIME);
}

static void free_tables(fox_tables *tables)
{
    for (int i = 0; i < COLUMNS; i++)
        free(tables->columns[i].at);
    free(tables->strings);
    free(tables->values);
}

static void free_reader(void *decoder)
{
    fox_reader *reader = decoder;
    fox_column *const columns[] = {&reader->times, &reader->values, &reader->ends, &reader->names,
                                   &reader->phases};
    for (int i = 0; i < 5; i++)
        free(columns[i]->at);
    oc_document_free(&reader->document);
    oc_stack_free(&reader->stack);
    free_tables(&reader->shared);
    free_tables(&reader->own);
    oc_text_free(&reader->text);
    free(reader->kept);
}

static const oc_ingest_decoder decoder = {.size = sizeof(fox_reader),
                                          .open = open,
                                          .read = read_file,
                                          .free = free_reader,
                                          .empty = "holds no sample and no marker, expected some"};

/* By what its "meta" holds, which comes first. */
static int recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    static const char *const words[] = {"\"meta\"", "\"interval\"", "\"processType\"",
                                        "\"version\""};
    for (int i = 0; i < 4; i++)
        if (head->length == 0 || head->bytes[0] != '{' ||
            memmem(head->bytes, head->length, words[i], strlen(words[i])) == NULL)
            return OC_NO;
    return OC_SURE - 1;
}

const oc_importer oc_firefox_importer = {
    .format = {.name = "firefox",
               .description = "Profiles of the Firefox profiler, as it, samply and others write "
                              "them (.profile.json, plain or compressed)",
               .suffixes = (const char *const[]){".profile.json", NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises,
    .decoder = &decoder,
};

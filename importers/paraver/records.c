/* From the lines of a .prv to what they say. */
#include "importers/paraver/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

/* --- Fields */

/* Reads any number of digits, if they fit an uint64_t. */
static bool take_many_digits(uint64_t *number, const char **at)
{
    const char *next = *at;
    uint64_t value = 0;
    while ((unsigned char)(*next - '0') < 10) {
        const uint64_t digit = (uint64_t)(*next++ - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *number = value;
    const bool any = next > *at;
    *at = next;
    return any;
}

/* Reads up to 18 digits. The processor guesses the lengths of fields well, as those of one kind of
 * record are alike. */
static inline bool take_digits(uint64_t *number, const char **at)
{
    const char *next = *at;
    uint64_t value = 0;
    unsigned char digit;
    while ((digit = (unsigned char)(*next - '0')) < 10) {
        value = value * 10 + digit;
        next++;
    }
    if (next - *at > 18 || next == *at)
        return take_many_digits(number, at);
    *number = value;
    *at = next;
    return true;
}

static ocelotl_status fail_field(const paraver_reader *reader, const char *text)
{
    size_t length = 0;
    while (length < 20 && text[length] != ':' && text[length] != '\n' && text[length] != '\r')
        length++;
    return oc_fail(OCELOTL_ERROR_INPUT, "field %zu is \"%.*s\", expected an integer of 64 bits",
                   reader->field_count + 1, (int)length, text);
}

/* Takes one number, and whether it is one. */
static inline bool take_number(paraver_field *field, const char **at)
{
    const char *text = *at;
    uint64_t number;
    const bool negative = *text == '-';
    *at += negative;
    if (!take_digits(&number, at) || (negative && number > INT64_MAX))
        return false;
    *field = (paraver_field){.number = negative ? -(int64_t)number : (int64_t)number,
                             .text = text,
                             .length = (uint32_t)(*at - text),
                             .is_large = number > INT64_MAX};
    return true;
}

/* Splits a line into its numbers, from the second field on where the first is a letter. */
static ocelotl_status split(paraver_reader *reader, const char *line, const char *end)
{
    size_t count = 0;
    const char *at = line;
    while (end > line && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t'))
        end--;
    for (;; at++) {
        const char *text = at;
        if (count == reader->field_capacity)
            OC_TRY(oc_grow(&reader->fields, &reader->field_capacity, count + 1,
                           sizeof *reader->fields));
        paraver_field *field = &reader->fields[count];
        const bool is_letter = count == 0 && (*at == 'c' || *at == 'i' || *at == 'I');
        if (is_letter)
            *field = (paraver_field){.text = at++, .length = 1};
        reader->field_count = count;
        if ((!is_letter && !take_number(field, &at)) || (at < end && *at != ':'))
            return fail_field(reader, text);
        count++;
        if (at >= end)
            break;
    }
    reader->field_count = count;
    return OCELOTL_OK;
}

static ocelotl_status check_range(const paraver_field *field, int64_t most, const char *what)
{
    if (!field->is_large && field->number >= 1 && field->number <= most)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the %s is %.*s, expected 1 to %" PRId64 " as in the header", what,
                   (int)field->length, field->text, most);
}

static ocelotl_status check_time(const paraver_field *field, const char *what)
{
    if (!field->is_large && field->number >= 0)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT, "the %s is %.*s, expected 0 to 2^63 - 1", what,
                   (int)field->length, field->text);
}

/* Checks a time, and makes it one of the trace's ticks. */
static ocelotl_status read_time(paraver_field *field, const paraver_reader *reader,
                                const char *what)
{
    OC_TRY(check_time(field, what));
    if (__builtin_mul_overflow(field->number, (int64_t)reader->scale, &field->number))
        return oc_fail(OCELOTL_ERROR_INPUT, "the %s is %.*s, expected a smaller one", what,
                       (int)field->length, field->text);
    return OCELOTL_OK;
}

static void note_time(paraver_reader *reader, int64_t time)
{
    if (time > reader->last_time)
        reader->last_time = time;
}

/* cpu:application:task:thread:time, the first of them at `first`. */
static ocelotl_status read_place(paraver_place *place, paraver_reader *reader, size_t first)
{
    const paraver_header *header = &reader->header;
    paraver_field *fields = reader->fields + first;
    if (fields[0].is_large || fields[0].number < 0 || fields[0].number > PARAVER_MOST_OBJECTS)
        return oc_fail(OCELOTL_ERROR_INPUT, "the CPU is %.*s, expected 0 to %d",
                       (int)fields[0].length, fields[0].text, PARAVER_MOST_OBJECTS);
    OC_TRY(check_range(&fields[1], (int64_t)header->application_count, "application"));
    const paraver_application *application = &header->applications[fields[1].number - 1];
    OC_TRY(check_range(&fields[2], application->task_count, "task"));
    const paraver_task *task = &header->tasks[application->first_task + fields[2].number - 1];
    OC_TRY(check_range(&fields[3], task->thread_count, "thread"));
    OC_TRY(read_time(&fields[4], reader, "time"));
    place->thread = task->first_thread + (uint32_t)fields[3].number - 1;
    place->time = fields[4].number;
    note_time(reader, place->time);
    return paraver_find_row(&place->row, reader, place->thread, (uint32_t)fields[0].number);
}

/* Whether records of a thread go back in time. */
static void note_order(paraver_reader *reader, const paraver_place *place)
{
    paraver_thread *thread = &reader->threads[place->thread];
    if (place->time < thread->last)
        paraver_note(reader, PARAVER_OUT_OF_ORDER);
    else
        thread->last = place->time;
}

static ocelotl_status fail_count(const paraver_reader *reader, const char *what,
                                 const char *expected)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s of %zu fields, expected %s", what, reader->field_count,
                   expected);
}

/* --- Records */

static ocelotl_status check_state(paraver_place *place, paraver_reader *reader)
{
    if (reader->field_count != 8)
        return fail_count(reader, "a state", "1:cpu:application:task:thread:begin:end:state");
    OC_TRY(read_place(place, reader, 1));
    OC_TRY(read_time(&reader->fields[6], reader, "end"));
    if (reader->fields[6].number < place->time)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the state ends at %" PRId64 " and begins at %" PRId64
                       ", expected an end that is not earlier",
                       reader->fields[6].number, place->time);
    return check_time(&reader->fields[7], "state");
}

static ocelotl_status read_state(paraver_reader *reader)
{
    paraver_place place;
    OC_TRY(check_state(&place, reader));
    note_order(reader, &place);
    note_time(reader, reader->fields[6].number);
    return paraver_add_state(reader, &place, reader->fields[6].number, reader->fields[7].number);
}

static ocelotl_status read_events(paraver_reader *reader)
{
    paraver_place place;
    if (reader->field_count < 8 || reader->field_count % 2 != 0)
        return fail_count(reader, "an event",
                          "2:cpu:application:task:thread:time and pairs of type:value");
    OC_TRY(read_place(&place, reader, 1));
    for (size_t i = 6; i < reader->field_count; i += 2)
        OC_TRY(check_time(&reader->fields[i], "type"));
    note_order(reader, &place);
    oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_EVENT]);
    for (size_t i = 6; i < reader->field_count; i += 2) {
        uint32_t type;
        OC_TRY(paraver_find_type(&type, reader, (uint64_t)reader->fields[i].number));
        OC_TRY(paraver_add_event(reader, &place, type, &reader->fields[i + 1]));
    }
    return OCELOTL_OK;
}

/* 3:cpu:application:task:thread:logical send:physical send, the same of the receiver, size:tag */
static ocelotl_status read_link(paraver_reader *reader)
{
    paraver_place from;
    paraver_place to;
    const paraver_field *fields = reader->fields;
    if (reader->field_count != 15)
        return fail_count(reader, "a communication",
                          "3, of sender and receiver cpu:application:task:thread:logical "
                          "time:physical time, and size:tag");
    OC_TRY(read_place(&from, reader, 1));
    OC_TRY(read_place(&to, reader, 7));
    const paraver_field carried[4] = {fields[13], fields[14], fields[6], fields[12]};
    return paraver_add_link(reader, &from, &to, carried);
}

/* c:application:communicator:count:tasks.. */
static ocelotl_status read_group(paraver_reader *reader)
{
    if (reader->field_count < 4)
        return fail_count(reader, "a communicator", "c:application:communicator:count:tasks");
    OC_TRY(
        check_range(&reader->fields[1], (int64_t)reader->header.application_count, "application"));
    if (reader->fields[0].text[0] == 'c' &&
        (reader->fields[3].is_large ||
         reader->fields[3].number != (int64_t)reader->field_count - 4))
        return oc_fail(OCELOTL_ERROR_INPUT, "a communicator lists %zu tasks, expected %.*s",
                       reader->field_count - 4, (int)reader->fields[3].length,
                       reader->fields[3].text);
    return paraver_keep_group(reader);
}

static ocelotl_status take_record(paraver_reader *reader, char kind)
{
    switch (kind) {
    case '1':
        return read_state(reader);
    case '2':
        return read_events(reader);
    case '3':
        return read_link(reader);
    case '4':
        oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_OLD]);
        return OCELOTL_OK;
    default:
        return read_group(reader);
    }
}

static ocelotl_status read_record(paraver_reader *reader, const char *line, const char *end)
{
    OC_TRY(oc_lines_check(&reader->lines, line, end));
    if (*line == '#') {
        oc_kinds_add(&reader->shared->kinds, reader->shared->kind_of[PARAVER_KIND_COMMENT]);
        return OCELOTL_OK;
    }
    if (line == end || (line[0] == '\r' && line + 1 == end))
        return OCELOTL_OK;
    if (line[1] != ':' || strchr("1234ciI", line[0]) == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the record begins with \"%.*s\", expected 1, 2, 3, 4, c, i or #",
                       (int)(end - line < 20 ? end - line : 20), line);
    OC_TRY(split(reader, line, end));
    const ocelotl_status status = take_record(reader, line[0]);
    reader->record_count += status == OCELOTL_OK && line[0] >= '1' && line[0] <= '4';
    return status;
}

/* --- All of them */

static ocelotl_status report(const paraver_reader *reader)
{
    paraver_shared *shared = reader->shared;
    const ocelotl_work *work = &reader->import->options->work;
    const uint64_t position = shared->before + oc_input_position(reader->input);
    if (position > shared->reported)
        shared->reported = position;
    if (work->progress == NULL || work->progress(work->context, shared->reported, shared->size))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_CANCELLED, "the import was cancelled");
}

static ocelotl_status read_block(paraver_reader *reader)
{
    char *line;
    char *end;
    while ((line = oc_lines_take(&end, &reader->lines)) != NULL) {
        const ocelotl_status status = read_record(reader, line, end);
        if (status == OCELOTL_OK)
            continue;
        if (reader->is_disordered)
            return status;
        OC_TRY(oc_oddities_skip(&reader->shared->oddities, status, reader->path,
                                reader->lines.number));
    }
    return OCELOTL_OK;
}

ocelotl_status paraver_read_records(paraver_reader *reader)
{
    for (;;) {
        OC_TRY(read_block(reader));
        if (reader->lines.at_end)
            return OCELOTL_OK;
        OC_TRY(report(reader));
        OC_TRY(oc_lines_read(&reader->lines));
    }
}

/* Reads the lives of threads; broken lines are reported when they are read. */
ocelotl_status paraver_read_lives(paraver_reader *reader)
{
    char *line;
    char *end;
    const oc_lines before = reader->lines;
    const uint64_t failures = oc_memory_failures();
    while ((line = oc_lines_take(&end, &reader->lines)) != NULL) {
        paraver_place place;
        if (line[0] == '1' && line[1] == ':' && split(reader, line, end) == OCELOTL_OK &&
            check_state(&place, reader) == OCELOTL_OK && place.time == 0)
            paraver_note_life(reader, place.thread, reader->fields[6].number,
                              reader->fields[7].number);
    }
    reader->lines = before;
    reader->field_count = 0;
    reader->last_time = 0;
    return oc_check_memory(failures);
}

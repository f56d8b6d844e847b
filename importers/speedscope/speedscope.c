/* Profiles of speedscope: {"shared": {"frames": [..]}, "profiles": [..]} in any order of members.
 *
 * The text of one profile is in memory at a time. Where profiles come before the frames that they
 * name by number, what they say waits in a sorting for the end of the file. */
#define _GNU_SOURCE
#include "base/memory.h"
#include "importers/ingest/document.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SCOPE_FINE_TIME = OC_COMMON_ODDITIES,
    SCOPE_NO_TIME,
    SCOPE_TIME_BACK,
    SCOPE_UNKNOWN_FRAME,
    SCOPE_ODDITY_END
};

static const char *const oddity_names[] = {
    [SCOPE_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a tick can be (rounded)",
    [SCOPE_NO_TIME - OC_COMMON_ODDITIES] =
        "profile whose unit is no time (one of it is a microsecond)",
    [SCOPE_TIME_BACK - OC_COMMON_ODDITIES] = "event before the one that precedes it (sorted)",
    [SCOPE_UNKNOWN_FRAME - OC_COMMON_ODDITIES] =
        "frame that the file does not name (named by its number)",
};

/* A value is 10^-digits seconds, and may have so many digits behind the point. */
typedef struct scope_unit {
    const char *name;
    uint32_t digits, most;
    bool is_time;
} scope_unit;

static const scope_unit units[] = {
    {"none", 6, 3, false},        {"bytes", 6, 3, false},       {"nanoseconds", 9, 3, true},
    {"microseconds", 6, 3, true}, {"milliseconds", 3, 6, true}, {"seconds", 0, 9, true},
};

typedef struct scope_frame {
    const char *name, *file, *line; /* the last two may be NULL */
    uint32_t value;                 /* OCELOTL_NONE: not yet known */
} scope_frame;

/* Each state carries its texts: one that is longer than any path is cut. */
enum { LONGEST_ATTRIBUTE = 4096 };

enum { WAITING_MEMORY = 64 << 20 };

typedef struct scope_reader {
    oc_ingest ingest;
    uint32_t profile_type, frame_type, file_attribute, line_attribute;
    oc_document document;
    scope_frame *frames;
    size_t frame_count, frame_capacity;
    bool has_frames;
    oc_arena arena; /* of their texts */
    oc_text text;   /* scratch */
    oc_sorting *waiting;
    uint32_t *stack, *open; /* of a sample, and of the one before it */
    size_t stack_count, stack_capacity, open_count, open_capacity;
    uint32_t profile_count; /* of the file */
    bool has_profile;       /* any file has one */
} scope_reader;

enum { TYPE, NAME, UNIT, START, END, EVENTS, SAMPLES, WEIGHTS, MEMBERS };

static const char *const member_names[] = {"type",     "name",   "unit",    "startValue",
                                           "endValue", "events", "samples", "weights"};

/* A profile: its members, its row, and the unit of its values. */
typedef struct scope_profile {
    oc_json_item members[MEMBERS];
    const scope_unit *unit;
    uint32_t row;
} scope_profile;

/* --- Frames */

/* Keeps up to `most` bytes of a text or a number; of what is neither nothing. */
static ocelotl_status keep_text(const char **kept, scope_reader *reader, const oc_json_item *item,
                                size_t most)
{
    if (item->kind != '"' && item->kind != '0')
        return OCELOTL_OK;
    oc_text_clear(&reader->text);
    oc_json_decode_item(&reader->text, item);
    const size_t length = reader->text.length < most ? reader->text.length : most;
    *kept = length > 0 ? oc_arena_copy_bytes(&reader->arena, reader->text.bytes, length) : "";
    return reader->text.failed ? oc_fail_memory() : oc_arena_status(&reader->arena);
}

static ocelotl_status read_frame(scope_reader *reader, const oc_json_item *item)
{
    static const char *const names[] = {"name", "file", "line"};
    oc_json_item found[3];
    OC_TRY(oc_grow(&reader->frames, &reader->frame_capacity, reader->frame_count + 1,
                   sizeof *reader->frames));
    scope_frame *frame = &reader->frames[reader->frame_count++];
    *frame = (scope_frame){"", NULL, NULL, OCELOTL_NONE};
    oc_document_see(&reader->document, item->bytes);
    if (item->kind != '{')
        return oc_fail(OCELOTL_ERROR_INPUT, "frame %zu is no object, expected one with a name",
                       reader->frame_count - 1);
    oc_json_members(found, names, 3, item);
    if (found[0].kind == '"')
        OC_TRY(keep_text(&frame->name, reader, &found[0], SIZE_MAX));
    OC_TRY(keep_text(&frame->file, reader, &found[1], LONGEST_ATTRIBUTE));
    return keep_text(&frame->line, reader, &found[2], LONGEST_ATTRIBUTE);
}

static ocelotl_status read_frames(scope_reader *reader, const oc_json_item *shared)
{
    static const char *const names[] = {"frames"};
    oc_json_item key, list = {0}, item;
    oc_document_see(&reader->document, shared->bytes);
    oc_json_members(&list, names, 1, shared);
    if (list.kind != '[')
        return oc_fail(OCELOTL_ERROR_INPUT, "\"shared\" has no list of frames, expected one");
    reader->frame_count = 0;
    reader->has_frames = true;
    oc_json_cursor cursor = oc_json_inside(&list);
    while (oc_json_next(&key, &item, &cursor))
        OC_TRY(oc_document_or_skip(&reader->ingest, read_frame(reader, &item)));
    return OCELOTL_OK;
}

/* --- What happens in a profile */

/* Adds the begin or the end of a frame, all of whose names are known. */
static ocelotl_status add_known(scope_reader *reader, const oc_sorted *given,
                                const oc_decimal *time)
{
    oc_ingest *ingest = &reader->ingest;
    char number[32];
    scope_frame unknown = {number, NULL, NULL, OCELOTL_NONE};
    scope_frame *frame = &unknown;
    ocelotl_attribute_value attributes[2];
    oc_sorted record = *given;
    if (given->value < reader->frame_count && reader->frames[given->value].name[0] != '\0') {
        frame = &reader->frames[given->value];
    } else if (ingest->oddities.lenient) {
        snprintf(number, sizeof number, "frame %" PRIu32, given->value);
        oc_ingest_note(ingest, SCOPE_UNKNOWN_FRAME);
    } else {
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "frame %" PRIu32
                       " has no name, expected one of the %zu in \"shared\" that has",
                       given->value, reader->frame_count);
    }
    record.type = reader->frame_type;
    OC_TRY(oc_ingest_time(&record.time, ingest, time, SCOPE_FINE_TIME));
    if (frame->value == OCELOTL_NONE)
        OC_TRY(
            oc_ingest_value(&frame->value, ingest, record.type, frame->name, strlen(frame->name)));
    record.value = frame->value;
    if (record.kind == OC_SORTED_BEGIN && frame->file != NULL)
        attributes[record.attribute_count++] =
            (ocelotl_attribute_value){reader->file_attribute, frame->file, strlen(frame->file)};
    if (record.kind == OC_SORTED_BEGIN && frame->line != NULL)
        attributes[record.attribute_count++] =
            (ocelotl_attribute_value){reader->line_attribute, frame->line, strlen(frame->line)};
    record.attributes = attributes;
    return oc_ingest_add(ingest, &record);
}

/* The same, at once or when the names are known. */
static ocelotl_status add(scope_reader *reader, uint32_t row, oc_sorted_kind kind, uint32_t frame,
                          const oc_decimal *time)
{
    oc_sorted record = {.stream = row, .kind = kind, .order = row, .value = frame};
    if (reader->has_frames)
        return add_known(reader, &record, time);
    /* One stream and one time: in the order in which they came. */
    record.stream = 0;
    record.group = (uint64_t)time->mantissa;
    record.type = time->digits << 1 | time->rounded;
    record.detail = reader->ingest.line;
    if (reader->waiting == NULL)
        OC_TRY(oc_sorting_open(&reader->waiting, reader->ingest.import->target, WAITING_MEMORY,
                               false));
    return oc_sorting_add(reader->waiting, &record);
}

static ocelotl_status add_waiting(scope_reader *reader)
{
    const oc_sorted *next = NULL;
    if (reader->waiting == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_sorting_finish(reader->waiting));
    for (;;) {
        OC_TRY(oc_sorting_next(&next, reader->waiting));
        if (next == NULL)
            return OCELOTL_OK;
        const oc_decimal time = {(int64_t)next->group, next->type >> 1, (next->type & 1) != 0};
        reader->ingest.line = next->detail;
        const oc_sorted record = {
            .stream = next->order, .kind = next->kind, .order = next->order, .value = next->value};
        OC_TRY(oc_document_or_skip(&reader->ingest, add_known(reader, &record, &time)));
    }
}

static ocelotl_status read_number(oc_decimal *number, const scope_unit *unit,
                                  const oc_json_item *item, const char *what)
{
    if (item->kind != '0' || !oc_decimal_read(number, item->bytes, item->length, unit->most))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s is \"%.*s\", expected a number of %s", what,
                       OC_JSON_SHOWN(*item), unit->name);
    number->digits += unit->digits;
    return OCELOTL_OK;
}

static ocelotl_status read_index(uint32_t *index, const oc_json_item *item)
{
    bool is_index = item->kind == '0' && item->length < 10;
    *index = 0;
    for (size_t i = 0; is_index && i < item->length; i++) {
        is_index = item->bytes[i] >= '0' && item->bytes[i] <= '9';
        *index = 10 * *index + (uint32_t)(item->bytes[i] - '0');
    }
    return is_index ? OCELOTL_OK
                    : oc_fail(OCELOTL_ERROR_INPUT, "the frame is \"%.*s\", expected its number",
                              OC_JSON_SHOWN(*item));
}

static ocelotl_status read_event(oc_decimal *time, scope_reader *reader,
                                 const scope_profile *profile, const oc_json_item *event)
{
    static const char *const names[] = {"type", "frame", "at"};
    oc_json_item found[3];
    uint32_t index;
    if (event->kind != '{')
        return oc_fail(OCELOTL_ERROR_INPUT, "an event is no object, expected type, frame and at");
    oc_json_members(found, names, 3, event);
    const bool begins = oc_json_is(&found[0], "O");
    if (!begins && !oc_json_is(&found[0], "C"))
        return oc_fail(OCELOTL_ERROR_INPUT, "the type of an event is \"%.*s\", expected O or C",
                       OC_JSON_SHOWN(found[0]));
    OC_TRY(read_index(&index, &found[1]));
    OC_TRY(read_number(time, profile->unit, &found[2], "at"));
    OC_TRY(oc_ingest_count(&reader->ingest, begins ? "O" : "C", OCELOTL_FATE_STATE, NULL));
    return add(reader, profile->row, begins ? OC_SORTED_BEGIN : OC_SORTED_END, index, time);
}

static bool is_before(const oc_decimal *one, const oc_decimal *other)
{
    const uint32_t digits = one->digits > other->digits ? one->digits : other->digits;
    int64_t a, b;
    return oc_decimal_ticks(&a, one, digits) && oc_decimal_ticks(&b, other, digits) && a < b;
}

static ocelotl_status read_evented(scope_reader *reader, const scope_profile *profile)
{
    oc_json_item key, event;
    oc_decimal time, latest = {INT64_MIN, 0, false};
    oc_json_cursor cursor = oc_json_inside(&profile->members[EVENTS]);
    while (oc_json_next(&key, &event, &cursor)) {
        oc_document_see(&reader->document, event.bytes);
        OC_TRY(read_event(&time, reader, profile, &event));
        if (is_before(&time, &latest))
            oc_ingest_note(&reader->ingest, SCOPE_TIME_BACK);
        latest = time;
    }
    return OCELOTL_OK;
}

/* Ends what is open and not of the stack at hand, and begins what is new in it. */
static ocelotl_status change_stack(scope_reader *reader, uint32_t row, const oc_decimal *time)
{
    size_t same = 0;
    while (same < reader->open_count && same < reader->stack_count &&
           reader->open[same] == reader->stack[same])
        same++;
    while (reader->open_count > same)
        OC_TRY(add(reader, row, OC_SORTED_END, reader->open[--reader->open_count], time));
    OC_TRY(oc_grow(&reader->open, &reader->open_capacity, reader->stack_count + 1,
                   sizeof *reader->open));
    while (reader->open_count < reader->stack_count) {
        const uint32_t frame = reader->stack[reader->open_count];
        reader->open[reader->open_count++] = frame;
        OC_TRY(add(reader, row, OC_SORTED_BEGIN, frame, time));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_stack(scope_reader *reader, const oc_json_item *sample)
{
    oc_json_item key, item;
    if (sample->kind != '[')
        return oc_fail(OCELOTL_ERROR_INPUT, "a sample is no list, expected one of frames");
    oc_json_cursor cursor = oc_json_inside(sample);
    reader->stack_count = 0;
    while (oc_json_next(&key, &item, &cursor)) {
        OC_TRY(oc_grow(&reader->stack, &reader->stack_capacity, reader->stack_count + 1,
                       sizeof *reader->stack));
        OC_TRY(read_index(&reader->stack[reader->stack_count++], &item));
    }
    return OCELOTL_OK;
}

/* The most digits of a weight, so that all of them add up exactly. */
static uint32_t find_digits(const scope_profile *profile, const oc_decimal *start)
{
    oc_json_item key, weight;
    oc_decimal number;
    uint32_t most = start->digits;
    oc_json_cursor cursor = oc_json_inside(&profile->members[WEIGHTS]);
    while (oc_json_next(&key, &weight, &cursor))
        if (oc_decimal_read(&number, weight.bytes, weight.length, profile->unit->most) &&
            number.digits + profile->unit->digits > most)
            most = number.digits + profile->unit->digits;
    return most;
}

static ocelotl_status read_samples(oc_decimal *time, scope_reader *reader,
                                   const scope_profile *profile)
{
    oc_json_item key, sample, weight;
    oc_decimal lasts;
    int64_t ticks;
    oc_json_cursor samples = oc_json_inside(&profile->members[SAMPLES]);
    oc_json_cursor weights = oc_json_inside(&profile->members[WEIGHTS]);
    for (;;) {
        const bool has_sample = oc_json_next(&key, &sample, &samples);
        const bool has_weight = oc_json_next(&key, &weight, &weights);
        if (!has_sample && !has_weight)
            return OCELOTL_OK;
        if (has_sample)
            oc_document_see(&reader->document, sample.bytes);
        if (!has_sample || !has_weight)
            return oc_fail(OCELOTL_ERROR_INPUT, "a profile has fewer %s, expected as many as %s",
                           has_sample ? "weights than samples" : "samples than weights",
                           has_sample ? "samples" : "weights");
        OC_TRY(read_number(&lasts, profile->unit, &weight, "a weight"));
        OC_TRY(read_stack(reader, &sample));
        if (lasts.mantissa < 0)
            return oc_fail(OCELOTL_ERROR_INPUT, "a weight is negative, expected at least 0");
        OC_TRY(oc_ingest_count(&reader->ingest, "sample", OCELOTL_FATE_STATE, NULL));
        if (lasts.mantissa == 0)
            continue;
        OC_TRY(change_stack(reader, profile->row, time));
        if (!oc_decimal_ticks(&ticks, &lasts, time->digits) ||
            !oc_add_times(&time->mantissa, time->mantissa, ticks))
            return oc_fail(OCELOTL_ERROR_INPUT, "the weights are too large, expected a sum of less "
                                                "than 2^63 ticks");
        time->rounded = lasts.rounded;
    }
}

static ocelotl_status read_sampled(scope_reader *reader, const scope_profile *profile,
                                   const oc_decimal *start)
{
    oc_decimal time = {0, find_digits(profile, start), false};
    if (!oc_decimal_ticks(&time.mantissa, start, time.digits))
        return oc_fail(OCELOTL_ERROR_INPUT, "startValue is too large, expected less than 2^63 "
                                            "ticks");
    reader->open_count = 0;
    /* What is open ends where the samples that can be read do. */
    OC_TRY(oc_document_or_skip(&reader->ingest, read_samples(&time, reader, profile)));
    reader->stack_count = 0;
    return change_stack(reader, profile->row, &time);
}

/* --- A profile */

/* A row of the profile's name, and of a number where the file has several of that name. The detail
 * of a row is the last such number. */
static ocelotl_status find_row(scope_reader *reader, scope_profile *profile)
{
    oc_ingest *ingest = &reader->ingest;
    uint32_t first = OCELOTL_NONE;
    oc_text_clear(&reader->text);
    if (profile->members[NAME].kind == '"')
        oc_json_decode_item(&reader->text, &profile->members[NAME]);
    const size_t length = reader->text.length;
    for (int64_t number = 1;; number++) {
        reader->text.length = length;
        if (number > 1)
            oc_text_format(&reader->text, " (%" PRId64 ")", number);
        if (reader->text.failed)
            return oc_fail_memory();
        OC_TRY(oc_ingest_row_find(&profile->row, ingest, OCELOTL_NONE, reader->profile_type,
                                  reader->text.length > 0 ? reader->text.bytes : "",
                                  reader->text.length));
        if (first == OCELOTL_NONE)
            first = profile->row;
        oc_ingest_row *row = &ingest->rows[profile->row];
        if (row->detail == 0) {
            row->detail = 1;
            row->order = reader->profile_count++;
            reader->has_profile = true;
            ingest->rows[first].detail = number;
            return OCELOTL_OK;
        }
        if (number == 1)
            number = row->detail;
    }
}

/* Notes where a profile begins or ends, if it says so. */
static ocelotl_status see_bound(oc_decimal *bound, scope_reader *reader,
                                const scope_profile *profile, int member)
{
    int64_t time;
    if (profile->members[member].bytes == NULL)
        return OCELOTL_OK;
    OC_TRY(read_number(bound, profile->unit, &profile->members[member], member_names[member]));
    OC_TRY(oc_ingest_time(&time, &reader->ingest, bound, SCOPE_FINE_TIME));
    oc_ingest_row_see(&reader->ingest, profile->row, time);
    return OCELOTL_OK;
}

static ocelotl_status find_unit(scope_profile *profile)
{
    const oc_json_item *name = &profile->members[UNIT];
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (oc_json_is(name, units[i].name) || (name->bytes == NULL && i == 0)) {
            profile->unit = &units[i];
            return OCELOTL_OK;
        }
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the unit is \"%.*s\", expected none, bytes, nanoseconds, microseconds, "
                   "milliseconds or seconds",
                   OC_JSON_SHOWN(*name));
}

static ocelotl_status read_profile(scope_reader *reader, const oc_json_item *item)
{
    scope_profile profile = {0};
    oc_decimal start = {0}, end = {0};
    oc_document_see(&reader->document, item->bytes);
    if (item->kind != '{')
        return oc_fail(OCELOTL_ERROR_INPUT, "a profile is no object, expected one with a type");
    oc_json_members(profile.members, member_names, MEMBERS, item);
    const bool is_evented = oc_json_is(&profile.members[TYPE], "evented");
    if (!is_evented && !oc_json_is(&profile.members[TYPE], "sampled"))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the type of a profile is \"%.*s\", expected evented or sampled",
                       OC_JSON_SHOWN(profile.members[TYPE]));
    for (int i = is_evented ? EVENTS : SAMPLES; i <= (is_evented ? EVENTS : WEIGHTS); i++)
        if (profile.members[i].kind != '[')
            return oc_fail(OCELOTL_ERROR_INPUT, "a profile has no list of %s, expected one",
                           member_names[i]);
    OC_TRY(find_unit(&profile));
    OC_TRY(find_row(reader, &profile));
    if (!profile.unit->is_time)
        oc_ingest_note(&reader->ingest, SCOPE_NO_TIME);
    start.digits = profile.unit->digits;
    OC_TRY(see_bound(&start, reader, &profile, START));
    OC_TRY(see_bound(&end, reader, &profile, END));
    if (profile.members[START].bytes != NULL && profile.members[END].bytes != NULL &&
        is_before(&end, &start))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "endValue is before startValue, expected one that is not");
    return is_evented ? read_evented(reader, &profile) : read_sampled(reader, &profile, &start);
}

/* --- A file */

static ocelotl_status take(void *decoder, const char *member, const oc_json_item *item,
                           bool is_in_list)
{
    scope_reader *reader = decoder;
    if (strcmp(member, "shared") == 0)
        return read_frames(reader, item);
    if (strcmp(member, "profiles") != 0)
        return OCELOTL_OK;
    return is_in_list
               ? read_profile(reader, item)
               : oc_fail(OCELOTL_ERROR_INPUT, "\"profiles\" is no list, expected one of objects");
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    static const char *const entered[] = {"profiles", NULL};
    static const oc_document_form form = {entered, "{ and \"profiles\"", take};
    scope_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    reader->has_frames = false;
    reader->frame_count = 0;
    reader->profile_count = 0;
    ocelotl_status status = oc_document_read(&reader->document, ingest, &form, reader, source);
    if (status == OCELOTL_OK)
        status = oc_document_place(ingest, add_waiting(reader));
    oc_sorting_free(reader->waiting);
    reader->waiting = NULL;
    oc_arena_free(&reader->arena);
    return status;
}

static const char no_profile[] = "holds no profile, expected some";

static ocelotl_status open(void *decoder, const oc_import *import)
{
    scope_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    ingest->keeps_empty_rows = true;
    ingest->exact = true;
    ingest->life = OC_LIVES_WITH_CONTENT;
    OC_TRY(oc_ingest_open(ingest, import, "speedscope", oddity_names, SCOPE_ODDITY_END));
    OC_TRY(oc_ingest_resource_type(&reader->profile_type, ingest, ingest->file_type, "Profile"));
    OC_TRY(oc_ingest_event_type(&reader->frame_type, ingest, OCELOTL_STATE, reader->profile_type,
                                "Frame", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_attribute(&reader->file_attribute, ingest, reader->frame_type, "file", 4));
    return oc_ingest_attribute(&reader->line_attribute, ingest, reader->frame_type, "line", 4);
}

static ocelotl_status check_profiles(void *decoder)
{
    const scope_reader *reader = decoder;
    return reader->has_profile ? OCELOTL_OK
                               : oc_oddities_fail_empty(&reader->ingest.oddities,
                                                        reader->ingest.paths[0], no_profile);
}

static void free_reader(void *decoder)
{
    scope_reader *reader = decoder;
    oc_text_free(&reader->text);
    oc_document_free(&reader->document);
    free(reader->frames);
    free(reader->stack);
    free(reader->open);
}

static const oc_ingest_decoder decoder = {.size = sizeof(scope_reader),
                                          .open = open,
                                          .read = read_file,
                                          .end = check_profiles,
                                          .free = free_reader,
                                          .empty = no_profile};

/* How sure it is that a file is of the format: by its schema, or by what profiles are called. Trace
 * events that hold such words are surer of themselves. */
static int recognises_speedscope(const oc_source *source)
{
    const oc_head *head = &source->head;
    size_t i = oc_text_mark(head->bytes, head->length);
    while (i < head->length && memchr(" \t\r\n", head->bytes[i], 4) != NULL)
        i++;
    if (i == head->length || head->bytes[i] != '{')
        return OC_NO;
    return oc_head_holds(head, "speedscope.app/file-format-schema") ||
                   (oc_head_holds(head, "\"profiles\"") &&
                    (oc_head_holds(head, "\"evented\"") || oc_head_holds(head, "\"sampled\"")))
               ? OC_SURE - 1
               : OC_NO;
}

const oc_importer oc_speedscope_importer = {
    .format = {.name = "speedscope",
               .description = "Profiles of speedscope (.speedscope.json, plain or compressed)",
               .suffixes = (const char *const[]){".speedscope.json", NULL}},
    .takes_several = true,
    .recognises = recognises_speedscope,
    .decoder = &decoder,
};

/* What each kind of trace event becomes. */
#define _GNU_SOURCE
#include "importers/chrome/reader.h"

#include <string.h>

/* What the record of an element is, and what becomes of its kind. */
typedef struct meaning {
    ocelotl_fate fate;
    const char *why; /* it is left out */
    ocelotl_status (*take)(chrome_reader *reader, char phase);
} meaning;

static ocelotl_status add(chrome_reader *reader, oc_sorted *record)
{
    OC_TRY(chrome_end_attributes(record, reader));
    return oc_ingest_add(&reader->ingest, record);
}

/* The name, the category, the arguments of the element as a record of a type. An end may say by its
 * name what it ends. */
static ocelotl_status describe(oc_sorted *record, chrome_reader *reader, chrome_kind kind)
{
    const oc_json_item *keys = reader->element.keys;
    const bool is_named = keys[CHROME_NAME].bytes != NULL && keys[CHROME_NAME].length > 0;
    OC_TRY(chrome_find_type(&record->type, reader, kind));
    chrome_begin_attributes(reader);
    OC_TRY(chrome_find_value(&record->value, reader, record->type, &keys[CHROME_NAME]));
    OC_TRY(chrome_add_arguments(reader, record->type));
    if (record->kind == OC_SORTED_END && !is_named)
        record->value = OCELOTL_NONE;
    return chrome_add_attribute(reader, record->type, "id",
                                &keys[keys[CHROME_ID].bytes != NULL ? CHROME_ID : CHROME_ID2]);
}

/* X: a slice. Without a duration it was never ended. One that reaches over a stream of a GPU, from
 * the first to the last of its kernels, is nothing that runs there. */
static ocelotl_status take_slice(chrome_reader *reader, char phase)
{
    int64_t duration = 0;
    bool has_duration;
    oc_sorted record = {.kind = OC_SORTED_SPAN};
    (void)phase;
    OC_TRY(chrome_read_times(&record.time, &duration, &has_duration, reader));
    OC_TRY(chrome_find_thread(&record.stream, reader));
    chrome_see_device(reader, record.stream);
    OC_TRY(describe(&record, reader,
                    oc_json_is(&reader->element.keys[CHROME_CATEGORY], "gpu_user_annotation")
                        ? CHROME_ANNOTATION
                        : CHROME_SLICE));
    if (duration < 0)
        oc_ingest_note(&reader->ingest, CHROME_DURATION_NEGATIVE);
    if (__builtin_add_overflow(record.time, duration < 0 ? 0 : duration, &record.end))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "ts and dur add up to more than 63 bits hold, expected less");
    if (!has_duration) {
        oc_ingest_note(&reader->ingest, CHROME_DURATION_MISSING);
        record.kind = OC_SORTED_BEGIN;
        record.order = record.stream;
    }
    OC_TRY(add(reader, &record));
    return chrome_take_bound(reader, record.stream, record.time);
}

/* B and E. */
static ocelotl_status take_half(chrome_reader *reader, char phase)
{
    oc_sorted record = {.kind = phase == 'B' ? OC_SORTED_BEGIN : OC_SORTED_END};
    OC_TRY(chrome_read_times(&record.time, NULL, NULL, reader));
    OC_TRY(chrome_find_thread(&record.stream, reader));
    record.order = record.stream;
    OC_TRY(describe(&record, reader, CHROME_SLICE));
    OC_TRY(add(reader, &record));
    return phase == 'B' ? chrome_take_bound(reader, record.stream, record.time) : OCELOTL_OK;
}

/* i, I and R. */
static ocelotl_status take_instant(chrome_reader *reader, char phase)
{
    oc_sorted record = {.kind = OC_SORTED_INSTANT};
    (void)phase;
    OC_TRY(chrome_read_times(&record.time, NULL, NULL, reader));
    OC_TRY(chrome_find_thread(&record.stream, reader));
    OC_TRY(describe(&record, reader, CHROME_INSTANT));
    OC_TRY(chrome_add_attribute(reader, record.type, "s",
                                &reader->element.keys[CHROME_INSTANT_SCOPE]));
    return add(reader, &record);
}

/* Finds the group of asynchronous events: their id and category, within the process for a local id,
 * and their name in the older form. Never 0. */
static ocelotl_status find_group(uint64_t *group, chrome_reader *reader, bool by_name)
{
    static const oc_hash_key constant = {0x6F63656C6F746C31u, 0x6368726173796E63u};
    static const oc_json_item none = {"", 0, '"', false};
    const oc_json_item *keys = reader->element.keys;
    const bool is_local =
        keys[CHROME_ID].bytes == NULL && keys[CHROME_ID2].kind == '{' &&
        memmem(keys[CHROME_ID2].bytes, keys[CHROME_ID2].length, "\"local\"", 7) != NULL;
    const oc_json_item *parts[] = {&keys[CHROME_CATEGORY],
                                   &keys[CHROME_ID],
                                   &keys[CHROME_ID2],
                                   &keys[CHROME_SCOPE],
                                   by_name ? &keys[CHROME_NAME] : &none,
                                   is_local ? &keys[CHROME_PROCESS] : &none};
    oc_text *key = &reader->name;
    if (keys[CHROME_ID].bytes == NULL && keys[CHROME_ID2].bytes == NULL)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "an asynchronous event without an id, expected \"id\" or \"id2\"");
    oc_text_clear(key);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i]->bytes != NULL)
            oc_json_decode_item(key, parts[i]);
        oc_text_append(key, "", 1);
    }
    if (key->failed)
        return oc_fail_memory();
    *group = oc_hash_keyed(&constant, key->bytes, key->length) | 1;
    return OCELOTL_OK;
}

/* Takes b, n, e, and the older S, T, p, F. Begins and ends of a file share one row until they are
 * matched, since they can name different processes; the state goes where it begins. */
static ocelotl_status take_async(chrome_reader *reader, char phase)
{
    const bool begins = phase == 'b' || phase == 'S';
    const bool halves = begins || phase == 'e' || phase == 'F';
    chrome_file *file = &reader->file;
    oc_ingest *ingest = &reader->ingest;
    oc_sorted record = {.kind = !halves  ? OC_SORTED_INSTANT
                                : begins ? OC_SORTED_BEGIN
                                         : OC_SORTED_END};
    uint64_t group = 0;
    OC_TRY(chrome_read_times(&record.time, NULL, NULL, reader));
    OC_TRY(find_group(&group, reader, strchr("STpF", phase) != NULL));
    OC_TRY(chrome_find_track(&record.stream, reader));
    if (halves) {
        record.group = group;
        record.order = record.stream;
        if (!file->has_pool) {
            OC_TRY(oc_ingest_row_find(&file->pool, ingest, OCELOTL_NONE, reader->async_type, "pool",
                                      4));
            ingest->rows[file->pool].is_around = true;
        }
        file->has_pool = true;
        record.stream = file->pool;
    }
    OC_TRY(describe(&record, reader, halves ? CHROME_ASYNC : CHROME_ASYNC_INSTANT));
    return add(reader, &record);
}

static bool read_sample(double *number, const oc_json_item *value)
{
    char text[OC_LONGEST_NUMBER + 1];
    if ((value->kind != '0' && value->kind != '"') || value->length > OC_LONGEST_NUMBER)
        return false;
    memcpy(text, value->bytes, value->length);
    text[value->length] = '\0';
    return oc_text_is_number(number, text, value->length);
}

/* C: a sample of each argument that is a number. */
static ocelotl_status take_counter(chrome_reader *reader, char phase)
{
    oc_sorted record = {.kind = OC_SORTED_VARIABLE};
    const chrome_members *arguments = &reader->element.arguments;
    size_t left_out = 0;
    (void)phase;
    OC_TRY(chrome_read_times(&record.time, NULL, NULL, reader));
    OC_TRY(chrome_find_process(&record.stream, reader));
    for (size_t i = 0; i < arguments->count; i++) {
        const chrome_member *argument = &arguments->all[i];
        if (read_sample(&record.number, &argument->value)) {
            OC_TRY(chrome_find_counter(&record.type, reader, &argument->key));
            OC_TRY(oc_ingest_add(&reader->ingest, &record));
        } else
            left_out++;
    }
    return left_out == 0 ? OCELOTL_OK
                         : oc_kinds_count(&reader->ingest.kinds, "C: sample", OCELOTL_FATE_LEFT_OUT,
                                          left_out, "its value is no number");
}

/* By the letter of "ph". */
static const meaning meanings[128] = {
    ['X'] = {OCELOTL_FATE_STATE, NULL, take_slice},
    ['B'] = {OCELOTL_FATE_STATE, NULL, take_half},
    ['E'] = {OCELOTL_FATE_STATE, NULL, take_half},
    ['i'] = {OCELOTL_FATE_EVENT, NULL, take_instant},
    ['I'] = {OCELOTL_FATE_EVENT, NULL, take_instant},
    ['R'] = {OCELOTL_FATE_EVENT, NULL, take_instant},
    ['C'] = {OCELOTL_FATE_VARIABLE, NULL, take_counter},
    ['b'] = {OCELOTL_FATE_STATE, NULL, take_async},
    ['e'] = {OCELOTL_FATE_STATE, NULL, take_async},
    ['n'] = {OCELOTL_FATE_EVENT, NULL, take_async},
    ['S'] = {OCELOTL_FATE_STATE, NULL, take_async},
    ['F'] = {OCELOTL_FATE_STATE, NULL, take_async},
    ['T'] = {OCELOTL_FATE_EVENT, NULL, take_async},
    ['p'] = {OCELOTL_FATE_EVENT, NULL, take_async},
    ['s'] = {OCELOTL_FATE_LINK, NULL, chrome_take_flow},
    ['t'] = {OCELOTL_FATE_LINK, NULL, chrome_take_flow},
    ['f'] = {OCELOTL_FATE_LINK, NULL, chrome_take_flow},
    ['M'] = {OCELOTL_FATE_DEFINITION, NULL, chrome_take_metadata},
    ['P'] = {OCELOTL_FATE_LEFT_OUT, "samples have no duration", NULL},
    ['N'] = {OCELOTL_FATE_LEFT_OUT, "objects are no events", NULL},
    ['O'] = {OCELOTL_FATE_LEFT_OUT, "objects are no events", NULL},
    ['D'] = {OCELOTL_FATE_LEFT_OUT, "objects are no events", NULL},
    ['v'] = {OCELOTL_FATE_LEFT_OUT, "memory dumps are no events", NULL},
    ['V'] = {OCELOTL_FATE_LEFT_OUT, "memory dumps are no events", NULL},
    ['c'] = {OCELOTL_FATE_LEFT_OUT, "clocks are not synchronised", NULL},
    ['('] = {OCELOTL_FATE_LEFT_OUT, "contexts are not told apart", NULL},
    [')'] = {OCELOTL_FATE_LEFT_OUT, "contexts are not told apart", NULL},
};

static ocelotl_status count(chrome_reader *reader, const oc_json_item *letter, ocelotl_fate fate,
                            const char *why)
{
    oc_kinds *all = &reader->ingest.kinds;
    uint32_t *known = &reader->kind_of[letter->length == 1 ? (unsigned char)letter->bytes[0] : 0];
    if (*known == 0 || letter->length != 1) {
        uint32_t index;
        oc_text_clear(&reader->key);
        oc_json_decode_item(&reader->key, letter);
        if (reader->key.failed || reader->key.bytes == NULL)
            return oc_fail_memory();
        OC_TRY(oc_kinds_find(&index, all, reader->key.bytes, reader->key.length, fate, why));
        *known = index + 1;
    }
    oc_kinds_add(all, *known - 1);
    return OCELOTL_OK;
}

/* Clang adds up what a compilation spends in each kind of work, on a thread of its own each: rows
 * of what other rows show. */
static bool is_total(const chrome_element *element)
{
    const oc_json_item *name = &element->keys[CHROME_NAME];
    return name->length > 6 && memcmp(name->bytes, "Total ", 6) == 0 &&
           chrome_members_find(&element->arguments, "count").bytes != NULL &&
           chrome_members_find(&element->arguments, "avg ms").bytes != NULL;
}

/* PyTorch's profiler notes when it recorded: a slice over all, and marks at its ends, which belong
 * to nothing that ran. */
static bool is_recording(const chrome_element *element)
{
    const oc_json_item *keys = element->keys;
    return (oc_json_is(&keys[CHROME_PROCESS], "Spans") &&
            oc_json_is(&keys[CHROME_CATEGORY], "Trace")) ||
           (oc_json_is(&keys[CHROME_PROCESS], "Traces") &&
            oc_json_is(&keys[CHROME_INSTANT_SCOPE], "g")) ||
           (oc_json_is(&keys[CHROME_PROCESS], "") &&
            oc_json_is(&keys[CHROME_NAME], "Record Window End"));
}

ocelotl_status chrome_take_event(chrome_reader *reader)
{
    const oc_json_item *letter = &reader->element.keys[CHROME_PHASE];
    if (letter->bytes == NULL || letter->length == 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "an event without \"ph\", expected its kind");
    const unsigned char first = (unsigned char)letter->bytes[0];
    const meaning *known = letter->length == 1 && first < 128 ? &meanings[first] : &meanings[0];
    if (first == 'X' && is_total(&reader->element))
        return oc_ingest_count(&reader->ingest, "X: total", OCELOTL_FATE_LEFT_OUT,
                               "it adds up other slices, which stats does");
    if ((first == 'X' || first == 'i') && is_recording(&reader->element))
        return oc_ingest_count(&reader->ingest, first == 'X' ? "X: recording" : "i: recording",
                               OCELOTL_FATE_LEFT_OUT, "it says when the profiler recorded");
    if (known->take == NULL)
        return count(reader, letter, OCELOTL_FATE_LEFT_OUT,
                     known->why != NULL ? known->why : "the format has no such kind");
    OC_TRY(known->take(reader, (char)first));
    reader->file.events += first != 'M';
    return first == 'M' ? OCELOTL_OK : count(reader, letter, known->fate, NULL);
}

ocelotl_status chrome_leave_event_out(chrome_reader *reader)
{
    const oc_json_item *letter = &reader->element.keys[CHROME_PHASE];
    oc_text_clear(&reader->key);
    oc_text_add(&reader->key, "");
    if (letter->bytes != NULL)
        oc_json_decode_item(&reader->key, letter);
    if (reader->key.failed)
        return oc_fail_memory();
    return oc_ingest_count(&reader->ingest, reader->key.length > 0 ? reader->key.bytes : "(no ph)",
                           OCELOTL_FATE_LEFT_OUT, "it is broken, and was skipped");
}

/* Ends of threads are of one kind; those of what is asynchronous of one, or an older one. */
ocelotl_status chrome_leave_end_out(void *context, const oc_sorted *end)
{
    static const unsigned char letters[2][2] = {{'E', 'E'}, {'e', 'F'}};
    chrome_reader *reader = context;
    oc_kinds *all = &reader->ingest.kinds;
    for (size_t i = 0; i < 2; i++) {
        const uint32_t kind = reader->kind_of[letters[end->group != 0][i]];
        if (kind != 0 && all->kinds[kind - 1].count > 0)
            return oc_kinds_leave_out(all, kind - 1, "it ends what did not begin");
    }
    return OCELOTL_OK;
}

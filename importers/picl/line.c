#include "importers/picl/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { FINEST_DIGITS = 12, COARSER_DIGITS = 9, MICROSECONDS = 1000000 };

/* What old keys are called, and how many data of theirs are needed, and usual at most. */
static const struct {
    const char *name;
    size_t least, most;
} old_keys[PICL_OLD_KEYS] = {
    {"trace_start", 3, 3},   {"open", 0, 0},
    {"load", 0, 0},          {"send", 3, 3},
    {"probe", 1, 1},         {"recv", 3, 3},
    {"recv_blocking", 1, 1}, {"recv_waking", 3, 3},
    {"message", 0, 0},       {"sync", 0, 0},
    {"compstats", 2, 4},     {"commstats", 3, 5},
    {"close", 0, 0},         {"trace_level", 3, 3},
    {"trace_mark", 1, 1},    {"trace_message", 0, 0},
    {"trace_stop", 0, 0},    {"trace_flush", 2, 2},
    {"trace_exit", 0, 1},    {"block_begin", 1, 3},
    {"block_end", 1, 3},     {"trace_mark_array", 1, 99},
    {"clock_sync", 0, 0},    {"trace_files", 2, 2},
};

const char *picl_old_name(int64_t key)
{
    return old_keys[key - 1].name;
}

bool picl_is_usual(const picl_record *record)
{
    return record->words <= old_keys[record->event - 1].most;
}

/* --- Words */

typedef struct word {
    const char *text;
    size_t length;
} word;

/* Takes the next word; one in quotes may hold blanks. Its length is 0 where none is left. */
static word take_word(const char **at)
{
    word next = {*at + strspn(*at, " \t"), 0};
    const char *quote = next.text[0] == '"' ? strchr(next.text + 1, '"') : NULL;
    next.length = quote != NULL ? (size_t)(quote + 1 - next.text) : strcspn(next.text, " \t");
    *at = next.text + next.length;
    return next;
}

static bool is_word(word one, const char *expected)
{
    return one.length == strlen(expected) && memcmp(one.text, expected, one.length) == 0;
}

static bool read_number(int64_t *number, word from)
{
    char *end;
    const size_t sign = from.text[0] == '-';
    if (from.text[sign] < '0' || from.text[sign] > '9')
        return false;
    errno = 0;
    *number = strtoll(from.text, &end, 10);
    return end == from.text + from.length && errno == 0;
}

static ocelotl_status fail_word(const char *what, word found, const char *expected)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "%s is \"%.*s\", expected %s", what,
                   found.length < 40 ? (int)found.length : 40, found.text, expected);
}

static ocelotl_status take_number(int64_t *number, const char **at, const char *what)
{
    const word next = take_word(at);
    return read_number(number, next) ? OCELOTL_OK : fail_word(what, next, "a whole number");
}

static ocelotl_status expect_word(const char **at, const char *expected)
{
    const word next = take_word(at);
    return is_word(next, expected) ? OCELOTL_OK : fail_word("a word", next, expected);
}

/* Takes the numbers that data begin with, and in old records those behind words. */
static void take_data(picl_record *record, const char *at, bool has_labels)
{
    bool ends = false;
    record->text = at + strspn(at, " 	");
    for (word next; (next = take_word(&at)).length > 0; record->words++)
        if (!ends && record->count < PICL_DATA && read_number(&record->data[record->count], next))
            record->count++;
        else
            ends = !has_labels;
}

static ocelotl_status check_data(const picl_record *record, size_t needs)
{
    return record->count >= needs
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INPUT, "the record has %zu whole numbers, expected %zu",
                         record->count, needs);
}

/* --- The old form: a key, seconds, microseconds, a node, data; or all with words between */

static ocelotl_status take_key(int64_t *key, bool *has_words, const char **at)
{
    const word next = take_word(at);
    *has_words = !read_number(key, next);
    for (int64_t k = 1; *has_words && k <= PICL_OLD_KEYS; k++)
        if (is_word(next, picl_old_name(k))) {
            *key = k;
            return OCELOTL_OK;
        }
    if (*has_words || *key < 1 || *key > PICL_OLD_KEYS)
        return fail_word("the key", next, "1 to 24, or one of their names");
    return OCELOTL_OK;
}

static ocelotl_status read_old(picl_record *record, const char *at)
{
    int64_t seconds;
    int64_t micros;
    bool has_words;
    OC_TRY(take_key(&record->event, &has_words, &at));
    if (has_words)
        OC_TRY(expect_word(&at, "clock"));
    OC_TRY(take_number(&seconds, &at, "the number of seconds"));
    OC_TRY(take_number(&micros, &at, "the number of microseconds"));
    if (micros <= -MICROSECONDS || micros >= MICROSECONDS)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the number of microseconds is %" PRId64 ", expected less than a second",
                       micros);
    if (__builtin_mul_overflow(seconds, (int64_t)MICROSECONDS, &seconds) ||
        __builtin_add_overflow(seconds, micros, &seconds))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is too large, expected less than 2^63 us");
    record->time = (oc_decimal){.mantissa = seconds, .digits = 6};
    if (has_words)
        OC_TRY(expect_word(&at, "node"));
    OC_TRY(take_number(&record->processor, &at, "the node"));
    take_data(record, at, has_words);
    return check_data(record, old_keys[record->event - 1].least);
}

/* --- The new form: type, event, seconds, processor, thread, how many data, their format, data */

static ocelotl_status take_seconds(oc_decimal *time, const char **at)
{
    const word next = take_word(at);
    return oc_decimal_read(time, next.text, next.length, FINEST_DIGITS) ||
                   oc_decimal_read(time, next.text, next.length, COARSER_DIGITS)
               ? OCELOTL_OK
               : fail_word("the time", next, "seconds, " OC_DECIMAL_EXPECTED);
}

/* Writers differ in what they say before data, and some have more than they say. */
static ocelotl_status read_new(picl_record *record, const char *at)
{
    int64_t fields;
    word format = {"", 0};
    OC_TRY(take_number(&record->type, &at, "the record's type"));
    if (record->type >= 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the record's type is %" PRId64 ", expected -3 (entry), -4 (exit) or "
                       "another below 0",
                       record->type);
    OC_TRY(take_number(&record->event, &at, "the event"));
    OC_TRY(take_seconds(&record->time, &at));
    OC_TRY(take_number(&record->processor, &at, "the processor"));
    OC_TRY(take_number(&fields, &at, "the thread")); /* few have several */
    OC_TRY(take_number(&fields, &at, "the number of data"));
    if (fields > 0)
        format = take_word(&at);
    take_data(record, at, false);
    if (fields < 0 || (format.text[0] != '"' && record->words < (uint64_t)fields))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the record has %zu data, expected %" PRId64 " as it says", record->words,
                       fields);
    return check_data(record, picl_is_send(record) || picl_is_receive(record) ? PICL_DATA : 0);
}

bool picl_is_send(const picl_record *record)
{
    return record->type == PICL_ENTRY &&
           (record->event == PICL_SEND || record->event == PICL_SEND_AT_ONCE);
}

/* A wait may be for nothing. */
bool picl_is_receive(const picl_record *record)
{
    const bool waits = record->event == PICL_RECEIVED || record->event == PICL_RECEIVED_TOO;
    return record->type == PICL_EXIT &&
           (record->event == PICL_RECEIVE || record->event == PICL_RECEIVE_BLOCKING ||
            (waits && record->count > 0));
}

picl_form picl_line_form(const char *line)
{
    return line[strspn(line, " \t")] == '-' ? PICL_NEW : PICL_OLD;
}

ocelotl_status picl_line_read(picl_record *record, const char *line, picl_form form)
{
    *record = (picl_record){0};
    return form == PICL_OLD ? read_old(record, line) : read_new(record, line);
}

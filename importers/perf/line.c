#define _GNU_SOURCE
#include "importers/perf/line.h"

#include "base/text.h"

#include <string.h>

static const char *skip_blanks(const char *text, const char *end)
{
    while (text < end && oc_is_blank(*text))
        text++;
    return text;
}

perf_text perf_word_read(const char *text, const char *end)
{
    const char *begin = skip_blanks(text, end);
    const char *at = begin;
    while (at < end && !oc_is_blank(*at))
        at++;
    return (perf_text){begin, (size_t)(at - begin)};
}

static const char *behind(perf_text text)
{
    return text.bytes + text.length;
}

/* Reads a whole text as a number of at most 18 digits. */
bool perf_number_read(int64_t *number, const char *text, const char *end)
{
    *number = 0;
    if (text == end || end - text > 18)
        return false;
    for (; text < end; text++) {
        if (!oc_is_digit(*text))
            return false;
        *number = *number * 10 + (*text - '0');
    }
    return true;
}

/* --- Samples */

/* "1602.140410:", with one to nine digits behind the point. */
bool perf_time_read(int64_t *time, perf_text word)
{
    const int64_t most = INT64_MAX / 100;
    int64_t seconds = 0;
    int64_t fraction;
    const char *end = behind(word) - 1;
    if (word.length < 4 || *end != ':' || !oc_is_digit(word.bytes[0]))
        return false;
    const char *point = memchr(word.bytes, '.', word.length);
    if (point == NULL || end - point > 10 || !perf_number_read(&fraction, point + 1, end))
        return false;
    for (const char *at = word.bytes; at < point; at++) {
        if (!oc_is_digit(*at))
            return false;
        seconds = seconds < most ? seconds * 10 + (*at - '0') : seconds;
    }
    for (ptrdiff_t digits = end - point - 1; digits < 9; digits++)
        fraction *= 10;
    if (__builtin_mul_overflow(seconds, 1000000000, time) ||
        __builtin_add_overflow(*time, fraction, time))
        *time = -1;
    return true;
}

/* "[001]" */
bool perf_cpu_read(int64_t *cpu, perf_text word)
{
    return word.length > 2 && word.length < 12 && word.bytes[0] == '[' && behind(word)[-1] == ']' &&
           perf_number_read(cpu, word.bytes + 1, behind(word) - 1);
}

/* -1 stands for what perf could not find out. */
static bool read_identity(int64_t *number, const char *begin, const char *end)
{
    const bool unknown = end - begin == 2 && memcmp(begin, "-1", 2) == 0;
    if (unknown)
        *number = -1;
    return unknown || perf_number_read(number, begin, end);
}

/* "12" or "12/34" */
static bool read_thread(perf_line *line, perf_text word)
{
    const char *slash = word.length > 0 ? memchr(word.bytes, '/', word.length) : NULL;
    line->process = -1;
    if (slash != NULL && !read_identity(&line->process, word.bytes, slash))
        return false;
    return read_identity(&line->thread, slash != NULL ? slash + 1 : word.bytes, behind(word));
}

/* The text before a word, without the blanks around it. */
perf_text perf_text_between(const char *text, const char *end)
{
    const char *begin = skip_blanks(text, end);
    while (end > begin && oc_is_blank(end[-1]))
        end--;
    return (perf_text){begin, (size_t)(end - begin)};
}

static perf_text last_word(perf_text text)
{
    size_t length = 0;
    while (length < text.length && !oc_is_blank(behind(text)[-1 - (ptrdiff_t)length]))
        length++;
    return (perf_text){behind(text) - length, length};
}

/* "U", "K" and others, of -F +misc. */
static bool is_mode(perf_text word)
{
    size_t length = 0;
    while (length < word.length && memchr("KUHGgMES", word.bytes[length], 8) != NULL)
        length++;
    return length > 0 && length == word.length;
}

/* Reads the command, the thread and the CPU that end where the time begins. A command may have
 * blanks. */
static bool read_origin(perf_line *line, const char *text, const char *end)
{
    perf_text origin = perf_text_between(text, end);
    perf_text word = last_word(origin);
    line->cpu = -1;
    if (is_mode(word)) {
        origin = perf_text_between(text, word.bytes);
        word = last_word(origin);
    }
    if (perf_cpu_read(&line->cpu, word)) {
        origin = perf_text_between(text, word.bytes);
        word = last_word(origin);
    }
    line->command = perf_text_between(text, word.bytes);
    return word.length > 0 && line->command.length > 0 && read_thread(line, word);
}

static void read_event(perf_line *line, const char *text, const char *end)
{
    perf_text word = perf_word_read(text, end);
    int64_t period;
    line->period = (perf_text){word.bytes, 0};
    if (perf_number_read(&period, word.bytes, behind(word))) {
        line->period = word;
        word = perf_word_read(behind(word), end);
    }
    line->event = (perf_text){word.bytes, 0};
    line->rest = perf_text_between(word.bytes, end);
    const bool is_event = word.length > 1 && behind(word)[-1] == ':';
    if (!is_event && (word.length < 12 || memcmp(word.bytes, "PERF_RECORD_", 12) != 0))
        return;
    line->event.length = word.length - is_event;
    const char *code = memmem(behind(word), (size_t)(end - behind(word)), " ilen: ", 7);
    line->rest = perf_text_between(behind(word), code != NULL ? code : end);
}

/* The time is the first word of its shape that is behind a command and a thread; else one as perf
 * prints it, with an event behind it or nothing. */
static perf_form read_sample(perf_line *line, const char *text, const char *end)
{
    perf_form form = PERF_OTHER;
    for (perf_text word = perf_word_read(text, end); word.length > 0;
         word = perf_word_read(behind(word), end)) {
        if (!perf_time_read(&line->time, word))
            continue;
        const ptrdiff_t digits = behind(word) - 2 - (char *)memchr(word.bytes, '.', word.length);
        read_event(line, behind(word), end);
        if (read_origin(line, text, word.bytes))
            return PERF_SAMPLE;
        if ((digits == 6 || digits == 9) && (line->event.length > 0 || line->rest.length == 0))
            form = PERF_BARE;
    }
    return form;
}

/* "0x1f8@perf.data [0x28]: event: 73" */
static bool is_dump(const char *text, const char *end)
{
    return end - text > 2 && memcmp(text, "0x", 2) == 0 &&
           memmem(text, (size_t)(end - text), "]: event: ", 10) != NULL;
}

/* A sample whose first word with a colon at its end is behind a thread, or a CPU. */
static bool is_timeless(const char *text, const char *end)
{
    perf_line line;
    for (perf_text word = perf_word_read(text, end); word.length > 0;
         word = perf_word_read(behind(word), end))
        if (behind(word)[-1] == ':')
            return word.length > 1 && read_origin(&line, text, word.bytes);
    return false;
}

/* --- Stacks */

/* An address, and what is known of it. */
static bool is_frame(const char *text, const char *end)
{
    const perf_text word = perf_word_read(text, end);
    for (size_t i = 0; i < word.length; i++)
        if (strchr("0123456789abcdef", word.bytes[i]) == NULL || word.bytes[i] == '\0')
            return false;
    return word.length > 0;
}

/* "  main.c:12", "  :0" or "  object[7f01]" without debug information, and "ilen: 3 insn: 48 89".
 */
static bool is_aside(const char *text, const char *end)
{
    const perf_text first = perf_word_read(text, end);
    const perf_text word = last_word(perf_text_between(text, end));
    const char *colon = memrchr(word.bytes, ':', word.length);
    const char *open = memrchr(word.bytes, '[', word.length);
    int64_t line;
    return perf_text_is(first, "ilen:") || perf_text_is(first, "insn:") ||
           (colon != NULL && perf_number_read(&line, colon + 1, behind(word))) ||
           (open != NULL && first.bytes == word.bytes && behind(word)[-1] == ']' &&
            is_frame(open + 1, behind(word) - 1));
}

perf_form perf_line_read(perf_line *line, const char *text, const char *end)
{
    if (skip_blanks(text, end) == end)
        return PERF_EMPTY;
    if (*text == '#')
        return PERF_COMMENT;
    line->is_function = false;
    const perf_form form = read_sample(line, text, end);
    if (form != PERF_OTHER)
        return form;
    if (is_dump(text, end))
        return PERF_BARE;
    if (oc_is_blank(*text) && is_frame(text, end))
        return PERF_FRAME;
    if (oc_is_blank(*text) && is_aside(text, end))
        return PERF_ASIDE;
    return is_timeless(text, end) ? PERF_TIMELESS : PERF_OTHER;
}

/* The bracket that the last one closes; both may have others inside: "a(int) (/lib/b (deleted))".
 */
static const char *find_object(perf_text text)
{
    const char *at = behind(text);
    size_t depth = 0;
    if (text.length < 2 || at[-1] != ')')
        return NULL;
    while (at > text.bytes) {
        at--;
        depth += *at == ')';
        depth -= *at == '(';
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* "ffffffff81001408 symbol+0x12 (object)"; a symbol may have blanks and brackets. */
void perf_frame_read(perf_text *symbol, perf_text *object, const char *text, const char *end)
{
    const perf_text address = perf_word_read(text, end);
    const bool has_address = is_frame(text, end);
    const char *code[] = {memmem(text, (size_t)(end - text), " ilen: ", 7),
                          memmem(text, (size_t)(end - text), " insn: ", 7)};
    for (int i = 0; i < 2; i++)
        end = code[i] != NULL && code[i] < end ? code[i] : end;
    perf_text rest = perf_text_between(has_address ? behind(address) : text, end);
    *object = (perf_text){end, 0};
    const char *open = find_object(rest);
    if (open != NULL) {
        *object = (perf_text){open + 1, (size_t)(behind(rest) - 1 - open - 1)};
        rest = perf_text_between(rest.bytes, open);
    }
    const char *offset = memrchr(rest.bytes, '+', rest.length);
    if (offset != NULL && behind(rest) - offset > 3 && memcmp(offset, "+0x", 3) == 0)
        rest.length = (size_t)(offset - rest.bytes);
    *symbol = rest.length > 0 ? rest : address;
}

/* --- The scheduler */

perf_action perf_action_of(perf_text event)
{
    static const struct {
        const char *name;
        perf_action action;
    } actions[] = {
        {"sched_switch", PERF_SWITCH},     {"sched_wakeup", PERF_WAKE},
        {"sched_wakeup_new", PERF_WAKE},   {"sched_waking", PERF_WAKE},
        {"sched_process_fork", PERF_FORK}, {"sched_process_exit", PERF_EXIT},
    };
    static const char system[] = "sched:";
    const size_t length = sizeof system - 1;
    if (event.length > length && memcmp(event.bytes, system, length) == 0)
        event = (perf_text){event.bytes + length, event.length - length};
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (perf_text_is(event, actions[i].name))
            return actions[i].action;
    return PERF_NO_ACTION;
}

/* What is behind "key=", which is a whole word or the end of one; NULL: it is not there. */
static const char *find_key(perf_text fields, const char *key, bool is_whole)
{
    const size_t length = strlen(key);
    const char *end = behind(fields);
    for (const char *at = fields.bytes;
         (at = at < end ? memchr(at, '=', (size_t)(end - at)) : NULL) != NULL;) {
        const char *begin = ++at - length;
        if ((size_t)(at - fields.bytes) >= length && memcmp(begin, key, length) == 0 &&
            (!is_whole || begin == fields.bytes || oc_is_blank(begin[-1])))
            return at;
    }
    return NULL;
}

/* The value of "key=", which ends where another key or an arrow begins. */
static bool find_value(perf_text *value, perf_text fields, const char *key)
{
    const char *begin = find_key(fields, key, true);
    if (begin == NULL)
        return false;
    const char *end = behind(fields);
    const char *next = memchr(begin, '=', (size_t)(end - begin));
    if (next != NULL && end - next > 2 && memcmp(next, "==>", 3) == 0)
        end = next;
    else
        while (next != NULL && next > begin && !oc_is_blank(*next))
            next--;
    *value = perf_text_between(begin, next != NULL ? next : end);
    return true;
}

static ocelotl_status fail_field(const char *key)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "an event of the scheduler without \"%s\", expected it",
                   key);
}

static ocelotl_status read_pair(perf_text *command, int64_t *thread, perf_text fields,
                                const char *command_key, const char *thread_key)
{
    perf_text number;
    *command = (perf_text){fields.bytes, 0};
    (void)find_value(command, fields, command_key);
    if (!find_value(&number, fields, thread_key) ||
        !perf_number_read(thread, number.bytes, behind(number)))
        return fail_field(thread_key);
    return OCELOTL_OK;
}

static ocelotl_status read_switch(perf_scheduled *scheduled, perf_text fields)
{
    OC_TRY(read_pair(&scheduled->next_command, &scheduled->next_thread, fields,
                     "next_comm=", "next_pid="));
    OC_TRY(read_pair(&scheduled->command, &scheduled->thread, fields, "prev_comm=", "prev_pid="));
    return find_value(&scheduled->left, fields, "prev_state=") ? OCELOTL_OK
                                                               : fail_field("prev_state=");
}

/* "command:12 [120] rest": the way of perf before 5. */
static ocelotl_status read_short(perf_text *command, int64_t *thread, perf_text *rest,
                                 perf_text fields)
{
    const char *bracket = memmem(fields.bytes, fields.length, " [", 2);
    const char *colon =
        bracket != NULL ? memrchr(fields.bytes, ':', (size_t)(bracket - fields.bytes)) : NULL;
    const char *close =
        bracket != NULL ? memchr(bracket, ']', (size_t)(behind(fields) - bracket)) : NULL;
    if (colon == NULL || close == NULL || !perf_number_read(thread, colon + 1, bracket))
        return fail_field("command:thread [priority]");
    *command = perf_text_between(fields.bytes, colon);
    *rest = perf_text_between(close + 1, behind(fields));
    return OCELOTL_OK;
}

static ocelotl_status read_short_switch(perf_scheduled *scheduled, perf_text fields,
                                        const char *arrow)
{
    perf_text rest;
    const perf_text first = perf_text_between(fields.bytes, arrow);
    const perf_text second = perf_text_between(arrow + 3, behind(fields));
    OC_TRY(read_short(&scheduled->command, &scheduled->thread, &scheduled->left, first));
    return read_short(&scheduled->next_command, &scheduled->next_thread, &rest, second);
}

ocelotl_status perf_scheduled_read(perf_scheduled *scheduled, perf_action action, perf_text fields)
{
    perf_text rest;
    *scheduled = (perf_scheduled){.action = action};
    const bool has_keys = find_key(fields, "pid=", false) != NULL;
    const char *arrow = has_keys ? NULL : memmem(fields.bytes, fields.length, "==>", 3);
    if (action == PERF_SWITCH)
        return arrow != NULL ? read_short_switch(scheduled, fields, arrow)
                             : read_switch(scheduled, fields);
    if (action == PERF_FORK)
        return read_pair(&scheduled->command, &scheduled->thread, fields,
                         "child_comm=", "child_pid=");
    return has_keys ? read_pair(&scheduled->command, &scheduled->thread, fields, "comm=", "pid=")
                    : read_short(&scheduled->command, &scheduled->thread, &rest, fields);
}

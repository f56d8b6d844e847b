/* The text of the kernel's own tracer, ftrace: /sys/kernel/tracing/trace and trace_pipe, and what
 * trace-cmd report prints. Its lines say what those of perf script do, in other places. What
 * becomes of it is described in docs/formats/ftrace.md. */
#define _GNU_SOURCE
#include "importers/perf/reader.h"

#include <string.h>

/* "version = 6", "cpus=6", "CPU 3 is empty", and what the kernel says of events that it lost. */
static perf_form read_heading(perf_line *line, const char *text, const char *end)
{
    static const char *const headings[] = {"version = ", "cpus=", "CPU ", "CPU:", "trace-cmd "};
    const size_t length = (size_t)(end - text);
    line->rest = (perf_text){text, length};
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++)
        if (length > strlen(headings[i]) && memcmp(text, headings[i], strlen(headings[i])) == 0)
            return memmem(text, length, "LOST", 4) != NULL ||
                           memmem(text, length, "DROPPED", 7) != NULL
                       ? PERF_LOST
                       : PERF_COMMENT;
    return PERF_OTHER;
}

/* "bash-1977", "kworker/4:1-51", "Web Content-12 (10)" with the process, "<idle>-0 (-----)" */
static bool read_task(perf_line *line, const char *text, const char *end)
{
    perf_text task = perf_text_between(text, end);
    line->process = -1;
    if (task.length > 2 && task.bytes[task.length - 1] == ')') {
        const char *open = memrchr(task.bytes, '(', task.length);
        if (open == NULL)
            return false;
        const perf_text process = perf_text_between(open + 1, task.bytes + task.length - 1);
        if (!perf_number_read(&line->process, process.bytes, process.bytes + process.length))
            line->process = -1;
        task = perf_text_between(task.bytes, open);
    }
    const char *dash = task.length > 0 ? memrchr(task.bytes, '-', task.length) : NULL;
    if (dash == NULL || dash == task.bytes)
        return false;
    line->command = (perf_text){task.bytes, (size_t)(dash - task.bytes)};
    return perf_number_read(&line->thread, dash + 1, task.bytes + task.length);
}

/* "sched_switch: fields", or what a tracer of functions prints: "schedule <-do_nanosleep" */
static void read_event(perf_line *line, const char *text, const char *end)
{
    static const perf_text function = {"function", 8};
    const perf_text word = perf_word_read(text, end);
    line->period = (perf_text){word.bytes, 0};
    if (word.length > 1 && word.bytes[word.length - 1] == ':') {
        line->event = (perf_text){word.bytes, word.length - 1};
        line->rest = perf_text_between(word.bytes + word.length, end);
        line->is_function = perf_text_is(line->event, function.bytes);
        return;
    }
    line->event = function;
    line->rest = perf_text_between(word.bytes, end);
    line->is_function = true;
}

/*   task-thread (process) [cpu] flags seconds.fraction: event: fields */
static perf_form read_line(perf_line *line, const char *text, const char *end)
{
    if (perf_word_read(text, end).length == 0)
        return PERF_EMPTY;
    if (*text == '#')
        return PERF_COMMENT;
    *line = (perf_line){0};
    for (const char *open = text; (open = memmem(open, (size_t)(end - open), " [", 2)) != NULL;
         open++) {
        const perf_text cpu = perf_word_read(open, end);
        if (!perf_cpu_read(&line->cpu, cpu) || !read_task(line, text, open))
            continue;
        perf_text word = perf_word_read(cpu.bytes + cpu.length, end);
        for (int words = 0; words < 2 && word.length > 0; words++) {
            if (perf_time_read(&line->time, word)) {
                read_event(line, word.bytes + word.length, end);
                return PERF_SAMPLE;
            }
            line->in_interrupt = word.length > 2 && memchr("hHszZ", word.bytes[2], 5) != NULL;
            word = perf_word_read(word.bytes + word.length, end);
        }
        return PERF_TIMELESS;
    }
    return read_heading(line, text, end);
}

/* Recognises the heading that the kernel writes, or the first line that is none. */
static int recognises(const oc_source *source)
{
    static const char heading[] = "# tracer: ";
    const char *text = source->head.bytes;
    const char *end = text + source->head.length;
    if (source->head.length >= sizeof heading - 1 && memcmp(text, heading, sizeof heading - 1) == 0)
        return OC_SURE;
    while (text < end) {
        perf_line line;
        const char *next = memchr(text, '\n', (size_t)(end - text));
        next = next != NULL ? next : end;
        const perf_form form = read_line(&line, text, next);
        if (form == PERF_SAMPLE)
            return OC_SURE / 2;
        if (form == PERF_TIMELESS || form == PERF_OTHER)
            return OC_NO;
        text = next < end ? next + 1 : end;
    }
    return OC_NO;
}

static ocelotl_status import_ftrace(const oc_import *import)
{
    static const perf_way way = {
        .line = read_line,
        .expected = "expected TASK-THREAD [CPU] TIME: EVENT: FIELDS, as trace or trace_pipe of "
                    "/sys/kernel/tracing has them, or trace-cmd report prints them (not those of "
                    "the tracer function_graph)"};
    return perf_import(import, oc_ftrace_importer.format.name, &way);
}

static const char *const suffixes[] = {".txt", NULL};

const oc_importer oc_ftrace_importer = {
    .format = {.name = "ftrace",
               .description =
                   "Text of the Linux kernel's tracer: its file trace, or what trace-cmd "
                   "report prints (text, plain, .gz, .zst or .xz)",
               .suffixes = suffixes},
    .takes_several = true,
    .takes = OC_TAKES_FOLD_NAMES,
    .recognises = recognises,
    .import = import_ftrace,
};

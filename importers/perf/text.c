/* From lines to samples. */
#include "importers/perf/reader.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Frames of a sample beyond this are not kept. */
enum { LONGEST_STACK = 1 << 20 };

static void count(perf_reader *reader, perf_kind kind)
{
    oc_kinds_add(&reader->ingest.kinds, reader->kind_of[kind]);
}

/* --- Samples: each waits for its frames */

static ocelotl_status add_pending(perf_reader *reader)
{
    const oc_text *texts[PERF_PARTS] = {
        [PERF_FIELDS] = &reader->fields,
        [PERF_PERIOD] = &reader->period,
        [PERF_STACK] = &reader->stack,
    };
    ocelotl_attribute_value parts[PERF_PARTS];
    if (!reader->is_pending)
        return OCELOTL_OK;
    reader->is_pending = false;
    reader->pending.attribute_count = 0;
    reader->pending.attributes = parts;
    for (uint32_t i = 0; i < PERF_PARTS; i++) {
        if (texts[i]->failed)
            return oc_fail_memory();
        if (texts[i]->length > 0)
            parts[reader->pending.attribute_count++] =
                (ocelotl_attribute_value){i, texts[i]->bytes, texts[i]->length};
    }
    return oc_sorting_add(reader->records, &reader->pending);
}

/* The middle of the times between samples of one CPU, or thread, is what a sample stands for. */
static void note_gap(perf_reader *reader, int64_t *sampled, int64_t time)
{
    if (*sampled >= 0 && time > *sampled && reader->gap_count < PERF_GAPS)
        reader->gaps[reader->gap_count++] = time - *sampled;
    *sampled = time;
}

static void note_time(perf_reader *reader, int64_t time)
{
    perf_order *order = &reader->order;
    if (order->count > 0 && time < order->last) {
        oc_ingest_note(&reader->ingest, PERF_OUT_OF_ORDER);
        order->line = order->back++ == 0 ? reader->ingest.line : order->line;
    }
    order->moved += order->count > 1 && time != order->last;
    order->behind += order->count > 1 && time < order->newest;
    order->last = time;
    order->newest = order->count == 0 || time > order->newest ? time : order->newest;
    order->count++;
    reader->begin = !reader->has_bounds || time < reader->begin ? time : reader->begin;
    reader->end = !reader->has_bounds || time > reader->end ? time : reader->end;
    reader->has_bounds = true;
}

/* The times between samples begin at 0, go back at one step in four, and do not grow: two in three
 * are behind the newest. What several CPUs print in rounds is one of both at most. */
static ocelotl_status check_order(const perf_reader *reader)
{
    const perf_order *order = &reader->order;
    if (!reader->begins_at_zero || order->back == 0 || 4 * order->back < order->moved ||
        3 * order->behind < 2 * (order->count - 2))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "%s:%" PRIu64 ": the times go back again and again behind a first one of 0, as "
                   "`perf script --deltatime` prints them, expected what it prints without that "
                   "option (--lenient changes nothing)",
                   reader->ingest.path, order->line);
}

/* Threads with samples are followed. Where a CPU switched to another one, and not away from it,
 * perf does not follow all. */
static void follow(perf_reader *reader, uint32_t thread, uint32_t cpu, int64_t next)
{
    perf_file *file = &reader->files[reader->file];
    const int64_t number = reader->line.thread;
    reader->threads[thread].is_followed = true;
    file->has_idle = file->has_idle || number == 0;
    if (cpu == OC_NO_CPU)
        return;
    file->is_partial = file->is_partial || (reader->cpus[cpu].running > 0 && number >= 0 &&
                                            reader->cpus[cpu].running != number + 1);
    reader->cpus[cpu].running = next + 1;
}

/* Threads that the scheduler names are known, whoever recorded it. */
static ocelotl_status know_scheduled(perf_reader *reader, const perf_scheduled *scheduled)
{
    const int64_t time = reader->line.time;
    uint32_t thread;
    if (scheduled->thread != 0) {
        OC_TRY(perf_find_thread(&thread, reader, scheduled->thread, -1, OC_NO_CPU));
        OC_TRY(perf_name_thread(reader, thread, scheduled->command, time));
        perf_thread *known = &reader->threads[thread];
        if (scheduled->action == PERF_FORK && !known->is_made) {
            known->is_made = true;
            known->made = time;
        }
        if (scheduled->action == PERF_EXIT) {
            known->has_ended = true;
            known->ended = time;
        }
    }
    if (scheduled->action != PERF_SWITCH)
        return OCELOTL_OK;
    reader->files[reader->file].has_switches = true;
    if (scheduled->next_thread == 0)
        return OCELOTL_OK;
    OC_TRY(perf_find_thread(&thread, reader, scheduled->next_thread, -1, OC_NO_CPU));
    return perf_name_thread(reader, thread, scheduled->next_command, time);
}

/* Takes the rest of a line behind the event: the innermost frame, if it begins as one, or
 * fields. */
static void take_rest(perf_reader *reader, const perf_event *event)
{
    perf_line frame;
    const perf_text rest = reader->line.rest;
    const perf_text called = perf_word_read(rest.bytes, rest.bytes + rest.length);
    char blank[64] = " ";
    const size_t length = rest.length < sizeof blank - 2 ? rest.length : sizeof blank - 2;
    memcpy(blank + 1, rest.bytes, length);
    const bool is_frame = event->action == PERF_NO_ACTION && rest.length > 0 &&
                          memchr(rest.bytes, '(', rest.length) != NULL &&
                          perf_line_read(&frame, blank, blank + 1 + length) == PERF_FRAME;
    oc_text_clear(&reader->fields);
    oc_text_clear(&reader->period);
    oc_text_clear(&reader->stack);
    oc_text_append(is_frame ? &reader->stack : &reader->fields, rest.bytes, rest.length);
    oc_text_append(&reader->period, reader->line.period.bytes, reader->line.period.length);
    if (reader->line.is_function)
        oc_text_append(&reader->stack, called.bytes, called.length);
    reader->frames = is_frame || reader->line.is_function;
}

static ocelotl_status take_sample(perf_reader *reader)
{
    const perf_line *line = &reader->line;
    static const perf_text nameless = {"sample", 6};
    oc_sorted *sample = &reader->pending;
    uint32_t cpu = OC_NO_CPU;
    uint32_t thread;
    OC_TRY(add_pending(reader));
    *sample = (oc_sorted){.kind = OC_SORTED_OTHER, .time = line->time};
    if (line->cpu >= 0)
        OC_TRY(perf_find_cpu(&cpu, reader, line->cpu));
    OC_TRY(perf_find_event(&sample->type, reader, line->event.length > 0 ? line->event : nameless));
    perf_event *event = &reader->events[sample->type];
    perf_scheduled scheduled = {.next_thread = line->thread};
    if (event->action != PERF_NO_ACTION) {
        OC_TRY(perf_scheduled_read(&scheduled, event->action, line->rest));
        OC_TRY(know_scheduled(reader, &scheduled));
    }
    event->count++;
    if (event->is_record)
        return OCELOTL_OK;
    note_time(reader, line->time);
    OC_TRY(perf_find_thread(&thread, reader, line->thread, line->process, cpu));
    OC_TRY(perf_name_thread(reader, thread, line->command, line->time));
    follow(reader, thread, cpu,
           event->action == PERF_SWITCH ? scheduled.next_thread : line->thread);
    if (event->action == PERF_NO_ACTION)
        note_gap(reader,
                 cpu != OC_NO_CPU ? &reader->cpus[cpu].sampled : &reader->threads[thread].sampled,
                 line->time);
    if (event->action == PERF_NO_ACTION)
        reader->threads[thread].is_used = true;
    take_rest(reader, event);
    sample->order = cpu;
    sample->value = thread;
    sample->detail = line->in_interrupt ? PERF_IN_INTERRUPT : PERF_IN_THREAD;
    reader->is_pending = true;
    return OCELOTL_OK;
}

/* Takes a frame. Without --stacks only the innermost is kept, and none of scheduler events. */
static void take_frame(perf_reader *reader, const char *text, const char *end)
{
    const bool is_kept = reader->is_pending && reader->stack.length < LONGEST_STACK &&
                         reader->events[reader->pending.type].action == PERF_NO_ACTION &&
                         (reader->frames == 0 || reader->keeps_stacks);
    count(reader, is_kept ? PERF_KIND_INNERMOST : PERF_KIND_FRAME);
    if (!is_kept)
        return;
    if (reader->frames++ > 0)
        oc_text_add(&reader->stack, "\n");
    oc_text_append(&reader->stack, text, (size_t)(end - text));
}

/* --- Lines */

/* "# perf version : 6.1.0" */
static ocelotl_status take_comment(perf_reader *reader, const char *text, const char *end)
{
    static const char words[] = "# perf version : ";
    char producer[64];
    const size_t before = sizeof words - 1;
    count(reader, PERF_KIND_COMMENT);
    if ((size_t)(end - text) <= before || end - text > 60 || memcmp(text, words, before) != 0)
        return OCELOTL_OK;
    snprintf(producer, sizeof producer, "perf %.*s", (int)(end - text - (ptrdiff_t)before),
             text + before);
    return ocelotl_writer_producer(reader->ingest.writer, producer);
}

static ocelotl_status fail_other(perf_reader *reader, bool is_timeless)
{
    count(reader, PERF_KIND_OTHER);
    OC_TRY(add_pending(reader));
    reader->ingest.is_fatal = is_timeless && !reader->has_bounds;
    if (reader->way->line != perf_line_read)
        return oc_fail(OCELOTL_ERROR_INPUT, "the line is no event of the kernel, %s",
                       reader->way->expected);
    return is_timeless ? oc_fail(OCELOTL_ERROR_INPUT, "a sample without its time, expected what "
                                                      "`perf script -F +time` prints")
                       : oc_fail(OCELOTL_ERROR_INPUT, "the line is no sample and no frame, %s",
                                 reader->way->expected);
}

ocelotl_status perf_take(perf_reader *reader)
{
    if (reader->line.time < 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the time is too large, expected less than 9223372036 s");
    if (reader->order.count == 0)
        reader->begins_at_zero = reader->line.time == 0;
    if (!oc_beginnings_shift(&reader->line.time, &reader->ingest.beginnings))
        return oc_fail(OCELOTL_ERROR_INPUT, "the time is too large where files begin at once");
    return take_sample(reader);
}

static ocelotl_status read_line(void *context, char *text, size_t length)
{
    perf_reader *reader = context;
    const char *end = text + length;
    if (reader->ingest.line != reader->last_line + 1) /* an empty line, or one that is broken */
        OC_TRY(add_pending(reader));
    reader->last_line = reader->ingest.line;
    switch (reader->way->line(&reader->line, text, end)) {
    case PERF_SAMPLE:
        return perf_take(reader);
    case PERF_FRAME:
        take_frame(reader, text, end);
        return OCELOTL_OK;
    case PERF_ASIDE:
        count(reader, PERF_KIND_FRAME);
        return OCELOTL_OK;
    case PERF_COMMENT:
        return take_comment(reader, text, end);
    case PERF_LOST:
        oc_ingest_note(&reader->ingest, PERF_LOST_EVENTS);
        return take_comment(reader, text, end);
    case PERF_EMPTY:
        count(reader, PERF_KIND_EMPTY);
        return add_pending(reader);
    case PERF_TIMELESS:
        return fail_other(reader, true);
    default:
        if (!reader->is_pending || !reader->events[reader->pending.type].is_print)
            return fail_other(reader, false);
        count(reader, PERF_KIND_MORE);
        oc_text_add(&reader->fields, "\n");
        oc_text_append(&reader->fields, text, (size_t)(end - text));
        return OCELOTL_OK;
    }
}

static int compare_gaps(const void *left, const void *right)
{
    const int64_t one = *(const int64_t *)left;
    const int64_t other = *(const int64_t *)right;
    return (one > other) - (one < other);
}

static ocelotl_status read_file(void *context, const oc_source *source)
{
    perf_reader *reader = context;
    const bool is_merged = reader->ingest.import->options->same_root;
    reader->file = is_merged ? 0 : reader->ingest.file;
    reader->files[reader->file].row = reader->ingest.file_row;
    reader->order = (perf_order){0};
    reader->last_line = 0;
    OC_TRY(reader->way->file != NULL
               ? reader->way->file(reader, source)
               : oc_ingest_lines(&reader->ingest, source, "trace", read_line, reader));
    OC_TRY(add_pending(reader));
    return reader->way->file != NULL ? OCELOTL_OK : check_order(reader);
}

ocelotl_status perf_read_files(perf_reader *reader)
{
    OC_TRY(oc_ingest_files(&reader->ingest, read_file, reader));
    if (!reader->has_bounds)
        return oc_oddities_fail_empty(&reader->ingest.oddities, reader->ingest.path,
                                      "holds no sample, expected some");
    qsort(reader->gaps, reader->gap_count, sizeof *reader->gaps, compare_gaps);
    reader->gap = reader->gap_count > 0 ? reader->gaps[reader->gap_count / 2] : 0;
    return OCELOTL_OK;
}

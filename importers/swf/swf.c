/* Logs of batch schedulers in the Standard Workload Format: a line of 18 numbers is a job, -1 is
 * what is not known; comments "; Key: value" stand before them. docs/formats/swf.md says what
 * becomes of each. */
#include "base/memory.h"
#include "importers/ingest/ingest.h"

#include <stdio.h>
#include <stdlib.h>

typedef enum swf_field {
    SWF_JOB,
    SWF_SUBMIT,
    SWF_WAIT,
    SWF_RUN,
    SWF_PROCESSORS,
    SWF_CPU_TIME,
    SWF_MEMORY,
    SWF_WANTED_PROCESSORS,
    SWF_WANTED_TIME,
    SWF_WANTED_MEMORY,
    SWF_STATUS,
    SWF_USER,
    SWF_GROUP,
    SWF_EXECUTABLE,
    SWF_QUEUE,
    SWF_PARTITION,
    SWF_PRECEDING,
    SWF_THINK,
    SWF_FIELDS
} swf_field;

static const char *const field_names[SWF_FIELDS] = {
    "job",
    "submit time",
    "wait time",
    "run time",
    "processors",
    "CPU time",
    "memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
};

/* Those that are places and times of the states, and no attributes. */
enum { SWF_PLACED = 1 << SWF_SUBMIT | 1 << SWF_WAIT | 1 << SWF_RUN | 1 << SWF_QUEUE };

enum {
    SWF_FINE_TIME = OC_COMMON_ODDITIES,
    SWF_NO_SUBMIT,
    SWF_NO_WAIT,
    SWF_NEGATIVE,
    SWF_NO_PRECEDING,
    SWF_NO_CLOCK,
    SWF_ODDITY_END
};

static const char *const oddity_names[] = {
    [SWF_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a microsecond (rounded)",
    [SWF_NO_SUBMIT - OC_COMMON_ODDITIES] = "job without a submit time (left out)",
    [SWF_NO_WAIT - OC_COMMON_ODDITIES] = "job that runs, without a wait time (runs when submitted)",
    [SWF_NEGATIVE - OC_COMMON_ODDITIES] = "wait or run time below 0 (taken for unknown)",
    [SWF_NO_PRECEDING - OC_COMMON_ODDITIES] =
        "preceding job that is not in the log, or is itself (no link)",
    [SWF_NO_CLOCK - OC_COMMON_ODDITIES] = "UnixStartTime that is no time since 1970 (not used)",
};

/* A tick is a second, or finer where a time has digits behind the point: not a nanosecond, as a
 * million jobs wait for longer than 2^63 of these. */
enum { SWF_DIGITS = 6 };
#define SWF_LAST_SECOND 9223372035

static const char *const phases[] = {"waiting", "running"};
typedef enum swf_phase { SWF_WAITING, SWF_RUNNING } swf_phase;

typedef struct swf_number {
    const char *text;
    size_t length;
    oc_decimal decimal;
    int64_t whole; /* without what is behind the point */
    bool is_known; /* it is not -1 */
} swf_number;

typedef struct swf_reader {
    oc_ingest ingest;
    uint32_t queue_type, job_type, processors_type, link_type, link_value;
    uint32_t attributes[SWF_FIELDS], link_attribute;
    swf_number numbers[SWF_FIELDS]; /* of the line at hand */
    bool has_job;                   /* that waits or runs */
    uint32_t digits;                /* of the ticks in `usage` */
    oc_sorting *usage;              /* changes of the number of processors, by row */
    oc_sorting *jobs; /* by file and job: its end (time 0), then those that it precedes (1) */
} swf_reader;

/* The value of "; Key: value", NULL: the comment is another. */
static const char *comment_value(const char *comment, const char *key)
{
    const size_t length = strlen(key);
    comment += strspn(comment, "; \t");
    return strncmp(comment, key, length) == 0 && comment[length] == ':' ? comment + length + 1
                                                                        : NULL;
}

/* When the log begins: its tick 0. */
static void read_clock(swf_reader *reader, const char *value)
{
    oc_ingest *ingest = &reader->ingest;
    oc_aligned *file = &ingest->files[ingest->file];
    oc_decimal seconds;
    size_t length;
    const char *word = oc_line_word(&length, &value);
    if (oc_decimal_read(&seconds, word, length, 0) && !seconds.rounded && seconds.mantissa > 0 &&
        seconds.mantissa <= SWF_LAST_SECOND) {
        file->has_clock = true;
        file->origin = seconds.mantissa * 1000000000;
    } else {
        oc_ingest_note(ingest, SWF_NO_CLOCK);
    }
}

/* The row of a queue or a partition, by its number. */
static ocelotl_status find_row(uint32_t *row, swf_reader *reader, swf_field kind,
                               const char *number, size_t length)
{
    char id[64];
    oc_ingest *ingest = &reader->ingest;
    uint32_t type = reader->queue_type;
    const int wide = snprintf(id, sizeof id, "%s %.*s", field_names[kind],
                              (int)(length < 40 ? length : 40), number);
    if (kind == SWF_PARTITION)
        OC_TRY(oc_ingest_resource_type(&type, ingest, ingest->file_type, "Partition"));
    return oc_ingest_row_find(row, ingest, OCELOTL_NONE, type, id, (size_t)wide);
}

/* The row inside it where jobs wait, or where they run. */
static ocelotl_status find_phase(uint32_t *inner, swf_reader *reader, uint32_t row, swf_phase phase)
{
    oc_ingest *ingest = &reader->ingest;
    uint32_t type;
    OC_TRY(oc_ingest_resource_type(&type, ingest, ingest->rows[row].type, "Phase"));
    OC_TRY(oc_ingest_row_find(inner, ingest, row, type, phases[phase], strlen(phases[phase])));
    ingest->rows[*inner].order = phase == SWF_WAITING;
    return OCELOTL_OK;
}

/* "1 name": what a queue or a partition is called. */
static ocelotl_status read_name(swf_reader *reader, swf_field kind, const char *value)
{
    uint32_t row;
    size_t length;
    const char *number = oc_line_word(&length, &value);
    value += strspn(value, " \t");
    if (length == 0 || *value == '\0')
        return OCELOTL_OK;
    OC_TRY(find_row(&row, reader, kind, number, length));
    return oc_ingest_row_name(&reader->ingest, row, value);
}

static ocelotl_status read_comment(swf_reader *reader, const char *line)
{
    oc_ingest *ingest = &reader->ingest;
    const char *value = comment_value(line, "UnixStartTime");
    if (value != NULL) {
        read_clock(reader, value);
        return oc_ingest_count(ingest, "UnixStartTime", OCELOTL_FATE_DEFINITION, NULL);
    }
    if ((value = comment_value(line, "Queue")) != NULL) {
        OC_TRY(read_name(reader, SWF_QUEUE, value));
        return oc_ingest_count(ingest, "Queue", OCELOTL_FATE_DEFINITION, NULL);
    }
    if ((value = comment_value(line, "Partition")) != NULL) {
        OC_TRY(read_name(reader, SWF_PARTITION, value));
        return oc_ingest_count(ingest, "Partition", OCELOTL_FATE_DEFINITION, NULL);
    }
    return oc_ingest_count(ingest, ";", OCELOTL_FATE_LEFT_OUT, "a comment");
}

/* Reads the numbers of a line; gives how many words it has. *wrong is the place of the first that
 * is no number, where reading ends; else SWF_FIELDS. */
static size_t read_numbers(swf_number numbers[SWF_FIELDS], size_t *wrong, const char *line)
{
    size_t count = 0;
    size_t length;
    for (const char *word; word = oc_line_word(&length, &line), length > 0; count++) {
        if (count >= SWF_FIELDS)
            continue;
        swf_number *number = &numbers[count];
        *number = (swf_number){.text = word, .length = length};
        if (length > OC_LONGEST_NUMBER ||
            !oc_decimal_read(&number->decimal, word, length, SWF_DIGITS)) {
            *wrong = count;
            return count;
        }
        const int64_t power = (int64_t)oc_power_of_ten(number->decimal.digits);
        number->whole = number->decimal.mantissa / power;
        number->is_known = number->decimal.mantissa != -power;
    }
    *wrong = SWF_FIELDS;
    return count;
}

static ocelotl_status fail_late(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT,
                   "the job ends too late, expected less than %lld s after the log began",
                   (long long)SWF_LAST_SECOND);
}

/* When a job is submitted, begins and ends. Waits and runs that are not known become so, and last
 * for no time. */
static ocelotl_status read_times(int64_t *submit, int64_t *begin, int64_t *end, swf_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    int64_t times[SWF_RUN + 1] = {0};
    uint32_t digits = ingest->digits;
    bool fits = true;
    for (size_t i = SWF_SUBMIT; i <= SWF_RUN; i++) {
        swf_number *number = &reader->numbers[i];
        if (number->whole > SWF_LAST_SECOND)
            return fail_late();
        if (number->is_known && number->decimal.mantissa < 0) {
            oc_ingest_note(ingest, SWF_NEGATIVE);
            number->is_known = false;
        }
        if (number->is_known && number->decimal.digits > digits)
            digits = number->decimal.digits;
    }
    if (digits > ingest->digits) /* before any of them is read */
        OC_TRY(oc_ingest_refine(&fits, ingest, digits));
    for (size_t i = SWF_SUBMIT; i <= SWF_RUN; i++)
        if (reader->numbers[i].is_known)
            OC_TRY(oc_ingest_time(&times[i], ingest, &reader->numbers[i].decimal, SWF_FINE_TIME));
    *submit = times[SWF_SUBMIT]; /* sums of three fit, of at most a microsecond's digits */
    *begin = *submit + times[SWF_WAIT];
    *end = *begin + times[SWF_RUN];
    return *end / (int64_t)oc_power_of_ten(ingest->digits) > SWF_LAST_SECOND ? fail_late()
                                                                             : OCELOTL_OK;
}

static ocelotl_status add_state(swf_reader *reader, uint32_t row, int64_t begin, int64_t end,
                                const char *value)
{
    oc_ingest *ingest = &reader->ingest;
    ocelotl_attribute_value attributes[SWF_FIELDS];
    oc_sorted record = {.stream = row,
                        .kind = OC_SORTED_SPAN,
                        .time = begin,
                        .end = end,
                        .type = reader->job_type,
                        .attributes = attributes};
    for (size_t i = 0; i < SWF_FIELDS; i++) {
        const swf_number *number = &reader->numbers[i];
        if (number->is_known && (SWF_PLACED >> i & 1) == 0)
            attributes[record.attribute_count++] =
                (ocelotl_attribute_value){reader->attributes[i], number->text, number->length};
    }
    OC_TRY(oc_ingest_value(&record.value, ingest, record.type, value, strlen(value)));
    return oc_ingest_add(ingest, &record);
}

/* Notes how many processors are in use from a time on. */
static ocelotl_status use(swf_reader *reader, uint32_t row, int64_t time, double number)
{
    const oc_import *import = reader->ingest.import;
    const uint32_t digits = reader->ingest.digits;
    if (import->options->same_root && import->source_count > 1)
        return OCELOTL_OK; /* what several logs say of one queue is no series of one */
    if (digits > reader->digits)
        OC_TRY(oc_sorting_refine(reader->usage, oc_power_of_ten(digits - reader->digits)));
    reader->digits = digits;
    const oc_sorted change = {
        .stream = row, .kind = OC_SORTED_VARIABLE, .time = time, .number = number};
    return oc_sorting_add(reader->usage, &change);
}

/* Keeps when a job ends, and which one precedes it, until all are known. */
static ocelotl_status keep_job(swf_reader *reader, uint32_t row, int64_t submit, int64_t end)
{
    const swf_number *job = &reader->numbers[SWF_JOB];
    const swf_number *preceding = &reader->numbers[SWF_PRECEDING];
    const ocelotl_attribute_value name = {reader->link_attribute, job->text, job->length};
    oc_sorted record = {.stream = reader->ingest.file,
                        .kind = OC_SORTED_OTHER,
                        .group = (uint64_t)job->whole,
                        .detail = (uint64_t)end,
                        .order = row,
                        .type = (uint32_t)reader->ingest.line,
                        .value = reader->ingest.digits};
    OC_TRY(oc_sorting_add(reader->jobs, &record));
    if (!preceding->is_known || preceding->whole <= 0)
        return OCELOTL_OK;
    if (preceding->whole == job->whole) {
        oc_ingest_note(&reader->ingest, SWF_NO_PRECEDING);
        return OCELOTL_OK;
    }
    record.group = (uint64_t)preceding->whole;
    record.time = 1;
    record.detail = (uint64_t)submit;
    record.attributes = &name;
    record.attribute_count = 1;
    return oc_sorting_add(reader->jobs, &record);
}

/* A time that was kept, in the ticks of now. */
static int64_t kept_time(const swf_reader *reader, const oc_sorted *kept)
{
    return (int64_t)(kept->detail * oc_power_of_ten(reader->ingest.digits - kept->value));
}

static const char *status_name(char text[32], const swf_number *status)
{
    if (!status->is_known)
        return "unknown";
    switch (status->whole) {
    case 0:
        return "failed";
    case 1:
        return "completed";
    case 5:
        return "cancelled";
    default:
        snprintf(text, 32, "status %lld", (long long)status->whole);
        return text;
    }
}

/* A job waits in its queue from its submission on, then runs. */
static ocelotl_status add_job(swf_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    const swf_number *numbers = reader->numbers;
    char text[32], kind[48], name[24] = "unknown";
    const char *status = status_name(text, &numbers[SWF_STATUS]);
    const swf_number *count =
        &numbers[numbers[SWF_PROCESSORS].is_known ? SWF_PROCESSORS : SWF_WANTED_PROCESSORS];
    const swf_field place =
        numbers[SWF_QUEUE].is_known || !numbers[SWF_PARTITION].is_known ? SWF_QUEUE : SWF_PARTITION;
    int64_t submit, begin, end;
    uint32_t row, inner;
    OC_TRY(read_times(&submit, &begin, &end, reader));
    const bool waits = numbers[SWF_WAIT].is_known, runs = numbers[SWF_RUN].is_known;
    snprintf(kind, sizeof kind, "job, %s", status);
    if (!waits && !runs)
        return oc_ingest_count(ingest, kind, OCELOTL_FATE_LEFT_OUT, "neither waits nor runs");
    if (numbers[place].is_known)
        snprintf(name, sizeof name, "%lld", (long long)numbers[place].whole);
    OC_TRY(find_row(&row, reader, place, name, strlen(name)));
    OC_TRY(find_phase(&inner, reader, row, SWF_WAITING));
    OC_TRY(oc_ingest_count(ingest, kind, OCELOTL_FATE_STATE, NULL));
    OC_TRY(keep_job(reader, row, submit, end));
    reader->has_job = true;
    if (waits)
        OC_TRY(add_state(reader, inner, submit, begin, phases[SWF_WAITING]));
    else
        oc_ingest_note(ingest, SWF_NO_WAIT);
    if (!runs)
        return OCELOTL_OK;
    if (begin < end && count->is_known && count->whole > 0) {
        OC_TRY(use(reader, row, begin, (double)count->whole));
        OC_TRY(use(reader, row, end, -(double)count->whole));
    }
    OC_TRY(find_phase(&inner, reader, row, SWF_RUNNING));
    return add_state(reader, inner, begin, end, status);
}

static ocelotl_status read_line(void *decoder, char *line, size_t length)
{
    swf_reader *reader = decoder;
    const swf_number *numbers = reader->numbers;
    size_t wrong;
    (void)length;
    if (line[strspn(line, " \t")] == ';')
        return read_comment(reader, line);
    const size_t count = read_numbers(reader->numbers, &wrong, line);
    if (wrong < SWF_FIELDS)
        return oc_fail(
            OCELOTL_ERROR_INPUT, "the %s is \"%.*s\", expected a number", field_names[wrong],
            (int)(numbers[wrong].length < 80 ? numbers[wrong].length : 80), numbers[wrong].text);
    if (count == 0)
        return oc_ingest_count(&reader->ingest, "empty line", OCELOTL_FATE_LEFT_OUT,
                               "it says nothing");
    if (count != SWF_FIELDS)
        return oc_fail(OCELOTL_ERROR_INPUT, "the line has %zu numbers, expected the 18 of a job",
                       count);
    if (numbers[SWF_STATUS].whole >= 2 && numbers[SWF_STATUS].whole <= 4)
        return oc_ingest_count(&reader->ingest, "part of a job", OCELOTL_FATE_LEFT_OUT,
                               "the job has a line of its own");
    if (!numbers[SWF_SUBMIT].is_known) {
        oc_ingest_note(&reader->ingest, SWF_NO_SUBMIT);
        return oc_ingest_count(&reader->ingest, "job", OCELOTL_FATE_LEFT_OUT, "no submit time");
    }
    if (numbers[SWF_SUBMIT].decimal.mantissa < 0)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the submit time is \"%.*s\", expected seconds from 0 on, or -1",
                       (int)numbers[SWF_SUBMIT].length, numbers[SWF_SUBMIT].text);
    return add_job(reader);
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    swf_reader *reader = decoder;
    return oc_ingest_lines(&reader->ingest, source, "log", read_line, reader);
}

/* Adds the processors in use: one value for all that changes at one time. */
static ocelotl_status add_usage(swf_reader *reader)
{
    const oc_sorted *change;
    oc_sorted record = {.stream = OCELOTL_NONE,
                        .kind = OC_SORTED_VARIABLE,
                        .type = reader->processors_type,
                        .value = OCELOTL_NONE};
    OC_TRY(oc_sorting_finish(reader->usage));
    for (;;) {
        OC_TRY(oc_sorting_next(&change, reader->usage));
        const bool is_other = change == NULL || change->stream != record.stream;
        if (record.stream != OCELOTL_NONE && (is_other || change->time != record.time))
            OC_TRY(oc_ingest_add(&reader->ingest, &record));
        if (change == NULL)
            return OCELOTL_OK;
        record.number = (is_other ? 0 : record.number) + change->number;
        record.stream = change->stream;
        record.time = change->time;
    }
}

/* Adds a link from the end of each job to the submission of those that it precedes. */
static ocelotl_status add_links(swf_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_sorted *next;
    oc_sorted job = {.stream = OCELOTL_NONE};
    OC_TRY(oc_sorting_finish(reader->jobs));
    for (uint64_t key = 0;; key++) {
        OC_TRY(oc_sorting_next(&next, reader->jobs));
        if (next == NULL)
            return OCELOTL_OK;
        if (next->time == 0) {
            job = *next;
            continue;
        }
        if (job.stream != next->stream || job.group != next->group) {
            oc_oddities_note(&ingest->oddities, SWF_NO_PRECEDING, ingest->paths[next->stream],
                             next->type);
            continue;
        }
        oc_sorted side = {.stream = job.order,
                          .kind = OC_SORTED_LINK_BEGIN,
                          .time = kept_time(reader, &job),
                          .type = reader->link_type,
                          .value = reader->link_value,
                          .attributes = next->attributes,
                          .attribute_count = next->attribute_count};
        OC_TRY(oc_ingest_side(ingest, &side, &key, sizeof key));
        side.stream = next->order;
        side.kind = OC_SORTED_LINK_END;
        side.time = kept_time(reader, next);
        side.attribute_count = 0;
        OC_TRY(oc_ingest_side(ingest, &side, &key, sizeof key));
    }
}

static ocelotl_status declare_types(swf_reader *reader)
{
    oc_ingest *ingest = &reader->ingest;
    OC_TRY(oc_ingest_resource_type(&reader->queue_type, ingest, ingest->file_type, "Queue"));
    OC_TRY(oc_ingest_event_type(&reader->job_type, ingest, OCELOTL_STATE, OCELOTL_ROOT, "Job",
                                OC_NEST_PARALLEL));
    for (size_t i = 0; i < SWF_FIELDS; i++)
        if ((SWF_PLACED >> i & 1) == 0)
            OC_TRY(oc_ingest_attribute(&reader->attributes[i], ingest, reader->job_type,
                                       field_names[i], strlen(field_names[i])));
    OC_TRY(oc_ingest_event_type(&reader->processors_type, ingest, OCELOTL_VARIABLE, OCELOTL_ROOT,
                                "Processors", OC_NEST_BY_TIME));
    OC_TRY(ocelotl_writer_unit(ingest->writer, reader->processors_type, "processors"));
    OC_TRY(oc_ingest_event_type(&reader->link_type, ingest, OCELOTL_LINK, OCELOTL_ROOT,
                                "Preceding job", OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_attribute(&reader->link_attribute, ingest, reader->link_type, "job", 3));
    return oc_ingest_value(&reader->link_value, ingest, reader->link_type, "preceding job",
                           strlen("preceding job"));
}

static const char no_job[] = "holds no job that waits or runs, expected some";

static ocelotl_status open(void *decoder, const oc_import *import)
{
    swf_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    ingest->is_coarse = true;
    OC_TRY(oc_ingest_open(ingest, import, "swf", oddity_names, SWF_ODDITY_END));
    OC_TRY(oc_sorting_open(&reader->usage, import->target, OC_SORTING_MEMORY / 4, false));
    OC_TRY(oc_sorting_open(&reader->jobs, import->target, OC_SORTING_MEMORY / 4, true));
    return declare_types(reader);
}

static ocelotl_status add_rest(void *decoder)
{
    swf_reader *reader = decoder;
    if (!reader->has_job)
        return oc_oddities_fail_empty(&reader->ingest.oddities, reader->ingest.paths[0], no_job);
    OC_TRY(add_usage(reader));
    return add_links(reader);
}

static void free_lists(void *decoder)
{
    swf_reader *reader = decoder;
    oc_sorting_free(reader->usage);
    oc_sorting_free(reader->jobs);
}

static const oc_ingest_decoder decoder = {.size = sizeof(swf_reader),
                                          .open = open,
                                          .read = read_file,
                                          .end = add_rest,
                                          .free = free_lists,
                                          .empty = no_job};

/* Whether a comment is one that only such a log has. */
static bool is_header(const char *comment)
{
    static const char *const keys[] = {"MaxJobs",       "MaxRecords", "MaxNodes",     "MaxProcs",
                                       "UnixStartTime", "MaxQueues",  "MaxPartitions"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (comment_value(comment, keys[i]) != NULL)
            return true;
    return false;
}

/* By a comment of its header; or its first line is a job: 18 numbers, of which one is a status. */
static int recognises_swf(const oc_source *source)
{
    const char *next = source->head.bytes;
    const char *end = next + source->head.length;
    char line[1024];
    swf_number numbers[SWF_FIELDS];
    size_t wrong;
    while (next < end) {
        const char *stop = memchr(next, '\n', (size_t)(end - next));
        const size_t length = (size_t)((stop != NULL ? stop : end) - next);
        const size_t kept = length < sizeof line ? length : sizeof line - 1;
        memcpy(line, next, kept);
        line[kept] = '\0';
        line[strcspn(line, "\r")] = '\0';
        next = stop != NULL ? stop + 1 : end;
        const char first = line[strspn(line, " \t")];
        if (first == ';' && is_header(line))
            return OC_SURE;
        if (first == ';' || first == '\0')
            continue;
        return length == kept && read_numbers(numbers, &wrong, line) == SWF_FIELDS &&
                       numbers[SWF_STATUS].whole >= -1 && numbers[SWF_STATUS].whole <= 5 &&
                       numbers[SWF_SUBMIT].whole >= -1
                   ? OC_SURE - 1
                   : OC_NO;
    }
    return OC_NO;
}

const oc_importer oc_swf_importer = {
    .format = {.name = "swf",
               .description = "Logs of batch schedulers in the Standard Workload Format (.swf, "
                              "plain, .gz, .zst or .xz)",
               .suffixes = (const char *const[]){".swf", NULL}},
    .takes_several = true,
    .has_clock = true,
    .recognises = recognises_swf,
    .decoder = &decoder,
};

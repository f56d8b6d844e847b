/* What `perf stat -I MS -x,` prints: a line for each event of each thread in each interval, with
 * what was counted since the line before. docs/formats/perf_stat.md says what becomes of each. */
#include "base/memory.h"
#include "base/text.h"
#include "importers/ingest/ingest.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAT_FINE_TIME = OC_COMMON_ODDITIES, STAT_ODDITY_END };

static const char *const oddity_names[] = {
    [STAT_FINE_TIME - OC_COMMON_ODDITIES] = "time finer than a nanosecond (rounded)",
};

typedef struct stat_reader {
    oc_ingest ingest;
    uint32_t process_type, thread_type, other_type;
    int64_t time, before; /* of the lines at hand, and of those before them */
} stat_reader;

typedef struct stat_field {
    const char *text;
    size_t length;
} stat_field;

/* "TIME,[WHO,]VALUE,UNIT,EVENT,NANOSECONDS,PERCENT,..", with any separator. */
enum { TIME, WHO, VALUE, UNIT, EVENT, RUN, PERCENT, FIELDS };

static bool is_number(const stat_field *field)
{
    double number;
    return oc_text_is_number(&number, field->text, field->length);
}

static bool is_value(const stat_field *field)
{
    return field->length == 0 || field->text[0] == '<' || is_number(field);
}

/* Takes a line apart; false: it is none. */
static bool read_fields(stat_field fields[FIELDS], const char *line)
{
    line += strspn(line, " \t");
    size_t length = strspn(line, "0123456789.");
    const char separator = line[length];
    if (length == 0 || separator == '\0' || isalnum((unsigned char)separator))
        return false;
    for (int i = TIME; i < FIELDS; i++) {
        const char *end = strchr(line, separator);
        fields[i] = (stat_field){line, end != NULL ? (size_t)(end - line) : strlen(line)};
        if (end == NULL && i < PERCENT)
            return false;
        if (i == WHO && is_value(&fields[i])) {
            fields[VALUE] = fields[WHO];
            fields[WHO].length = 0;
            i = VALUE;
        }
        line = end != NULL ? end + 1 : line + fields[i].length;
    }
    return is_value(&fields[VALUE]) &&
           (fields[VALUE].length == 0 ||
            (fields[EVENT].length > 0 && is_number(&fields[RUN]) && is_number(&fields[PERCENT])));
}

/* "comm-tid" is a thread of a process; others are places of their own, without a name all. */
static ocelotl_status find_row(uint32_t *row, stat_reader *reader, const stat_field *who)
{
    oc_ingest *ingest = &reader->ingest;
    const size_t before = ingest->row_count;
    const stat_field all = {"all", 3}, *place = who->length > 0 ? who : &all;
    size_t digits = place->length;
    uint32_t process = OCELOTL_NONE, type = reader->other_type;
    while (digits > 0 && isdigit((unsigned char)place->text[digits - 1]))
        digits--;
    const bool is_thread = digits > 1 && digits < place->length && place->text[digits - 1] == '-';
    if (is_thread) {
        OC_TRY(oc_ingest_row_find(&process, ingest, OCELOTL_NONE, reader->process_type, place->text,
                                  digits - 1));
        type = reader->thread_type;
    }
    digits = is_thread ? digits : 0;
    OC_TRY(oc_ingest_row_find(row, ingest, process, type, place->text + digits,
                              place->length - digits));
    if (ingest->row_count > before) /* what the first line says was counted before it */
        oc_ingest_row_live(ingest, *row, reader->before, OC_INGEST_UNSAID);
    return OCELOTL_OK;
}

static ocelotl_status find_event(uint32_t *type, double *factor, stat_reader *reader,
                                 const stat_field fields[FIELDS])
{
    char name[256], unit[32];
    oc_ingest *ingest = &reader->ingest;
    const uint32_t before = ocelotl_writer_event_type_count(ingest->writer);
    const bool is_time = fields[UNIT].length == 4 && memcmp(fields[UNIT].text, "msec", 4) == 0;
    snprintf(name, sizeof name, "%.*s", (int)fields[EVENT].length, fields[EVENT].text);
    snprintf(unit, sizeof unit, "%.*s", (int)fields[UNIT].length, fields[UNIT].text);
    *factor = is_time ? 1e-3 : 1;
    OC_TRY(
        oc_ingest_event_type(type, ingest, OCELOTL_VARIABLE, OCELOTL_ROOT, name, OC_NEST_BY_TIME));
    if (ocelotl_writer_event_type_count(ingest->writer) == before)
        return OCELOTL_OK;
    OC_TRY(ocelotl_writer_kind(ingest->writer, *type, OCELOTL_INCREMENT));
    return ocelotl_writer_unit(ingest->writer, *type,
                               is_time                       ? "s"
                               : strcmp(unit, "Joules") == 0 ? "J"
                                                             : unit);
}

static ocelotl_status read_line(void *decoder, char *line, size_t length)
{
    stat_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    stat_field fields[FIELDS];
    oc_decimal seconds;
    oc_sorted record = {.kind = OC_SORTED_VARIABLE, .value = OCELOTL_NONE};
    double number, factor;
    (void)length;
    if (line[strspn(line, " \t")] == '#')
        return oc_ingest_count(ingest, "#", OCELOTL_FATE_LEFT_OUT, "a comment");
    if (!read_fields(fields, line) ||
        !oc_decimal_read(&seconds, fields[TIME].text, fields[TIME].length, 9))
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the line is none of perf stat -I, expected time, value, "
                       "unit, event, time that was counted, and percent");
    OC_TRY(oc_ingest_time(&record.time, ingest, &seconds, STAT_FINE_TIME));
    if (record.time < reader->time)
        return oc_fail(OCELOTL_ERROR_INPUT,
                       "the time is before that of the line before, expected lines in order");
    reader->before = record.time > reader->time ? reader->time : reader->before;
    reader->time = record.time;
    if (fields[VALUE].length == 0)
        return oc_ingest_count(ingest, "metric", OCELOTL_FATE_LEFT_OUT, "follows from others");
    if (!oc_text_is_number(&number, fields[VALUE].text, fields[VALUE].length))
        return oc_ingest_count(ingest, "<not counted>", OCELOTL_FATE_LEFT_OUT, "there is no value");
    OC_TRY(find_row(&record.stream, reader, &fields[WHO]));
    OC_TRY(find_event(&record.type, &factor, reader, fields));
    record.number = factor * number;
    OC_TRY(oc_ingest_count(ingest, "value", OCELOTL_FATE_VARIABLE, NULL));
    return oc_ingest_add(ingest, &record);
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    stat_reader *reader = decoder;
    reader->time = reader->before = 0;
    return oc_ingest_lines(&reader->ingest, source, "counts", read_line, reader);
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    stat_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    ingest->life = OC_LIVES_WITH_CONTENT;
    OC_TRY(oc_ingest_open(ingest, import, oc_perf_stat_importer.format.name, oddity_names,
                          STAT_ODDITY_END));
    OC_TRY(oc_ingest_resource_type(&reader->process_type, ingest, ingest->file_type, "Process"));
    OC_TRY(oc_ingest_resource_type(&reader->thread_type, ingest, reader->process_type, "Thread"));
    return oc_ingest_resource_type(&reader->other_type, ingest, ingest->file_type, "CPU");
}

static const oc_ingest_decoder decoder = {.size = sizeof(stat_reader),
                                          .open = open,
                                          .read = read_file,
                                          .empty = "holds no count, expected some"};

/* Whether a line is one of perf: other tables may have as many columns. */
static bool is_line(const char *line)
{
    stat_field fields[FIELDS];
    if (!read_fields(fields, line) || memchr(fields[TIME].text, '.', fields[TIME].length) == NULL)
        return false;
    const char *letter = fields[EVENT].text;
    while (letter < fields[EVENT].text + fields[EVENT].length && !isalpha((unsigned char)*letter))
        letter++;
    return letter < fields[EVENT].text + fields[EVENT].length;
}

/* By the first line that is no comment: it has no other form that is known. */
static int recognises(const oc_source *source)
{
    char line[512];
    const char *next = source->head.bytes, *end = next + source->head.length;
    for (size_t length; next < end; next += length + 1) {
        const char *stop = memchr(next, '\n', (size_t)(end - next));
        length = (size_t)((stop != NULL ? stop : end) - next);
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : 511), next);
        line[strcspn(line, "\r")] = '\0';
        if (line[0] != '#' && line[strspn(line, " \t")] != '\0')
            return is_line(line) ? OC_SURE - 1 : OC_NO;
    }
    return OC_NO;
}

const oc_importer oc_perf_stat_importer = {
    .format = {.name = "perf_stat",
               .description =
                   "What perf stat -I -x, counts of threads over time (text, plain, .gz, "
                   ".zst or .xz)",
               .suffixes = (const char *const[]){".stat", NULL}},
    .takes_several = true,
    .recognises = recognises,
    .decoder = &decoder,
};

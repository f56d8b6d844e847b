/* Event logs of Spark: a JSON object a line, with the member "Event". docs/formats/spark.md says
 * what becomes of each. */
#define _GNU_SOURCE
#include "base/format/json_scan.h"
#include "base/memory.h"
#include "importers/common/folding.h"
#include "importers/ingest/ingest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPARK_TASK_UNSTARTED = OC_COMMON_ODDITIES, SPARK_ODDITY_END };

static const char *const oddity_names[] = {
    [SPARK_TASK_UNSTARTED - OC_COMMON_ODDITIES] = "end of a task whose start is not in the log",
};

/* What runs one task of an executor at a time. */
typedef struct spark_slot {
    uint32_t row, value;
    uint32_t next; /* of the executor, plus 1; 0: none */
    bool is_taken;
    int64_t task, launch;
} spark_slot;

/* The members of objects that are asked for, in whatever object they are. */
enum { EVENT, TIMESTAMP, EXECUTOR, HOST, REASON, STAGE_INFO, STAGE_ID, STAGE_NAME, STAGE_TRY };
enum { FAILURE = STAGE_TRY + 1, JOB_ID, PROPERTIES, DESCRIPTION, RESULT, SUBMITTED, COMPLETED };
enum { QUERY_ID = COMPLETED + 1, QUERY, TIME, APPLICATION, EXECUTOR_INFO, REMOVED, TASK_INFO };
enum { METRICS = TASK_INFO + 1, TASK, INDEX, TRY, LAUNCH, LOCALITY, SPECULATIVE, GETTING, FINISH };
enum { DESERIALISE = FINISH + 1, RUN, SERIALISE, GC, CPU, SPILLED, SHUFFLE_READ, SHUFFLE_WRITE };
enum { INPUT = SHUFFLE_WRITE + 1, OUTPUT, END_REASON, CLASS, FIELDS };

static const char *const field_names[FIELDS] = {
    /* as the names above */
    "Event",
    "Timestamp",
    "Executor ID",
    "Host",
    "Reason",
    "Stage Info",
    "Stage ID",
    "Stage Name",
    "Stage Attempt ID",
    "Failure Reason",
    "Job ID",
    "Properties",
    "spark.job.description",
    "Job Result",
    "Submission Time",
    "Completion Time",
    "executionId",
    "description",
    "time",
    "App Name",
    "Executor Info",
    "Removed Reason",
    "Task Info",
    "Task Metrics",
    "Task ID",
    "Index",
    "Attempt",
    "Launch Time",
    "Locality",
    "Speculative",
    "Getting Result Time",
    "Finish Time",
    "Executor Deserialize Time",
    "Executor Run Time",
    "Result Serialization Time",
    "JVM GC Time",
    "Executor CPU Time",
    "Disk Bytes Spilled",
    "Shuffle Read Metrics",
    "Shuffle Write Metrics",
    "Input Metrics",
    "Output Metrics",
    "Task End Reason",
    "Class Name"};

/* What begins and ends by events of its own: each kind has a row in the application. */
typedef struct spark_phase {
    const char *type, *row, *begin, *end;
    int id, name, begin_time, end_time;
} spark_phase;

#define SQL "org.apache.spark.sql.execution.ui.SparkListenerSQLExecution"
static const spark_phase phases[] = {
    {"Query", "queries", SQL "Start", SQL "End", QUERY_ID, QUERY, TIME, TIME},
    {"Job", "jobs", "SparkListenerJobStart", "SparkListenerJobEnd", JOB_ID, DESCRIPTION, SUBMITTED,
     COMPLETED},
    {"Stage", "stages", "SparkListenerStageSubmitted", "SparkListenerStageCompleted", STAGE_ID,
     STAGE_NAME, SUBMITTED, COMPLETED}};
enum { PHASES = 3 };

/* Attributes of tasks: of the event, of "Task Info", or of "Task Metrics" and an object in it. */
enum { OF_EVENT, OF_TASK, OF_METRICS, OBJECTS };
static const struct {
    const char *name;
    int object, field;
    const char *inner;
} carried[] = {{"stage", OF_EVENT, STAGE_ID, NULL},
               {"stage attempt", OF_EVENT, STAGE_TRY, NULL},
               {"task", OF_TASK, TASK, NULL},
               {"index", OF_TASK, INDEX, NULL},
               {"attempt", OF_TASK, TRY, NULL},
               {"locality", OF_TASK, LOCALITY, NULL},
               {"speculative", OF_TASK, SPECULATIVE, NULL},
               {"GC ms", OF_METRICS, GC, NULL},
               {"CPU ns", OF_METRICS, CPU, NULL},
               {"bytes spilled", OF_METRICS, SPILLED, NULL},
               {"bytes read", OF_METRICS, INPUT, "Bytes Read"},
               {"bytes written", OF_METRICS, OUTPUT, "Bytes Written"},
               {"remote shuffle bytes", OF_METRICS, SHUFFLE_READ, "Remote Bytes Read"},
               {"local shuffle bytes", OF_METRICS, SHUFFLE_READ, "Local Bytes Read"},
               {"shuffle bytes written", OF_METRICS, SHUFFLE_WRITE, "Shuffle Bytes Written"}};
enum { CARRIED = sizeof carried / sizeof carried[0], STAGE_NAMES = 0 };

typedef struct spark_reader {
    oc_ingest ingest;
    oc_folding folding;
    uint32_t application_type, executor_type, slot_type, phase_type;
    uint32_t task_type, failure_type;
    uint32_t attributes[2][CARRIED];                      /* of tasks, and of those that failed */
    uint32_t phases[PHASES], phase_attributes[PHASES][2]; /* the number, and how it failed */
    uint32_t application;                                 /* the row of that of the file */
    bool has_base;
    int64_t base; /* the first time: its tick 0 */
    spark_slot *slots;
    size_t slot_count, slot_capacity;
    oc_text text;
    oc_json_item fields[OBJECTS][FIELDS]; /* of the event at hand, and of objects in it */
} spark_reader;

/* --- Values */

/* A number that is not negative, and small enough to be added to times; else 0. */
static int64_t number_of(const oc_json_item *item)
{
    oc_decimal number;
    return item->kind == '0' && oc_decimal_read(&number, item->bytes, item->length, 0) &&
                   number.mantissa > 0 && number.mantissa < INT64_MAX / 4
               ? number.mantissa
               : 0;
}

static void find_fields(oc_json_item found[FIELDS], const oc_json_item *object)
{
    oc_json_members(found, field_names, FIELDS, object);
}

static int64_t inner_number(const oc_json_item *object, const char *name)
{
    const oc_json_item found = oc_json_member_of(object, name);
    return number_of(&found);
}

/* A time in milliseconds since 1970, as ticks since the first of the file. */
static ocelotl_status read_time(int64_t *time, spark_reader *reader, int object, int field)
{
    oc_ingest *ingest = &reader->ingest;
    oc_aligned *file = &ingest->files[ingest->file];
    const oc_json_item *item = &reader->fields[object][field];
    const int64_t given = number_of(item);
    if (given <= 0 || given > INT64_MAX / 1000000)
        return oc_fail(OCELOTL_ERROR_INPUT, "\"%s\" is \"%.*s\", expected milliseconds since 1970",
                       field_names[field], OC_JSON_SHOWN(*item));
    if (!reader->has_base) {
        reader->has_base = file->has_clock = true;
        reader->base = given;
        file->origin = given * 1000000;
    }
    *time = given - reader->base;
    return OCELOTL_OK;
}

/* What an item says, in reader->text; "" for what is absent. */
static ocelotl_status decode(spark_reader *reader, const oc_json_item *item)
{
    oc_text_clear(&reader->text);
    oc_text_append(&reader->text, "", 0);
    if (item->bytes != NULL)
        oc_json_decode_item(&reader->text, item);
    return reader->text.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* The value of a name, folded. */
static ocelotl_status find_value(uint32_t *value, spark_reader *reader, uint32_t type)
{
    bool folded;
    OC_TRY(oc_folding_fold(&folded, &reader->folding, reader->text.bytes));
    const oc_text *name = folded ? &reader->folding.name : &reader->text;
    return oc_ingest_value(value, &reader->ingest, type, name->bytes, name->length);
}

/* --- Executors and what they run */

static ocelotl_status find_executor(uint32_t *row, spark_reader *reader, const oc_json_item *id)
{
    oc_ingest *ingest = &reader->ingest;
    char name[80];
    OC_TRY(decode(reader, id));
    const int length = snprintf(name, sizeof name, "%s%.60s",
                                strspn(reader->text.bytes, "0123456789") > 0 ? "executor " : "",
                                reader->text.bytes);
    OC_TRY(oc_ingest_row_find(row, ingest, reader->application, reader->executor_type, name,
                              (size_t)length));
    ingest->rows[*row].life = OC_BEGINS_WITH_CONTENT;
    return OCELOTL_OK;
}

/* The slot of a task; where none is its own the first that is free. */
static ocelotl_status find_slot(spark_slot **found, spark_reader *reader, uint32_t executor,
                                int64_t task)
{
    oc_ingest *ingest = &reader->ingest;
    int64_t number = 1;
    uint32_t row, last = 0;
    char name[32];
    *found = NULL;
    for (uint32_t at = (uint32_t)ingest->rows[executor].detail; at > 0; number++) {
        spark_slot *slot = &reader->slots[at - 1];
        if (slot->is_taken ? slot->task == task : *found == NULL)
            *found = slot;
        if (slot->is_taken && slot->task == task)
            break;
        last = at;
        at = slot->next;
    }
    if (*found != NULL)
        return OCELOTL_OK;
    const int length = snprintf(name, sizeof name, "slot %" PRId64, number);
    OC_TRY(oc_ingest_row_find(&row, ingest, executor, reader->slot_type, name, (size_t)length));
    ingest->rows[row].life = OC_LIVES_WITH_PARENT;
    OC_TRY(oc_grow(&reader->slots, &reader->slot_capacity, reader->slot_count + 1,
                   sizeof *reader->slots));
    *found = &reader->slots[reader->slot_count++];
    **found = (spark_slot){.row = row};
    if (last > 0)
        reader->slots[last - 1].next = (uint32_t)reader->slot_count;
    else
        ingest->rows[executor].detail = (int64_t)reader->slot_count;
    return OCELOTL_OK;
}

/* Adds what took a part of a task, if it took any time; gives its end. */
static ocelotl_status add_part(int64_t *end, spark_reader *reader, const oc_sorted *task,
                               const char *name, int64_t begin, int64_t length)
{
    oc_sorted part = *task;
    part.type = reader->task_type;
    part.time = begin < task->time ? task->time : begin;
    *end = part.end = length < task->end - part.time ? part.time + length : task->end;
    part.attribute_count = 0;
    if (length <= 0 || part.end <= part.time)
        return OCELOTL_OK;
    OC_TRY(oc_ingest_value(&part.value, &reader->ingest, part.type, name, strlen(name)));
    return oc_ingest_add(&reader->ingest, &part);
}

/* The parts of a task, laid out as Spark's own page does: the log says only how long each took. */
static ocelotl_status add_parts(spark_reader *reader, const oc_sorted *task)
{
    const oc_json_item *metrics = reader->fields[OF_METRICS];
    const int64_t getting = number_of(&reader->fields[OF_TASK][GETTING]) - reader->base;
    const int64_t fetch = getting > task->time && getting < task->end ? task->end - getting : 0;
    const int64_t read = inner_number(&metrics[SHUFFLE_READ], "Fetch Wait Time");
    const int64_t wrote = inner_number(&metrics[SHUFFLE_WRITE], "Shuffle Write Time") / 1000000;
    const int64_t took = task->end - task->time;
    int64_t lasts[SERIALISE + 1], at = task->time, end;
    for (int i = DESERIALISE; i <= SERIALISE; i++) {
        lasts[i] = number_of(&metrics[i]);
        if (lasts[i] < 0 || lasts[i] > took)
            return OCELOTL_OK;
    }
    const int64_t run = lasts[RUN];
    if (metrics[RUN].bytes == NULL)
        return OCELOTL_OK;
    OC_TRY(add_part(&at, reader, task, "scheduler delay", at,
                    took - lasts[DESERIALISE] - run - lasts[SERIALISE] - fetch));
    OC_TRY(add_part(&at, reader, task, "deserialise", at, lasts[DESERIALISE]));
    OC_TRY(add_part(&end, reader, task, "shuffle read", at, read < run ? read : run));
    at += run;
    OC_TRY(add_part(&end, reader, task, "shuffle write", wrote < at - end ? at - wrote : end,
                    wrote < at - end ? wrote : at - end));
    OC_TRY(add_part(&at, reader, task, "serialise result", at, lasts[SERIALISE]));
    return add_part(&at, reader, task, "fetch result", task->end - fetch, fetch);
}

/* The value among tasks of the stage at hand, which its submission named. */
static ocelotl_status find_stage(uint32_t *value, spark_reader *reader)
{
    const oc_json_item *id = &reader->fields[OF_EVENT][STAGE_ID];
    *value = oc_ingest_own(&reader->ingest, STAGE_NAMES, reader->ingest.file, 0,
                           id->bytes != NULL ? id->bytes : "", id->length);
    if (*value != OC_MAP_NONE)
        return OCELOTL_OK;
    OC_TRY(decode(reader, &(oc_json_item){"stage ", 6, '"', false}));
    oc_text_append(&reader->text, id->bytes != NULL ? id->bytes : "?", id->length);
    return find_value(value, reader, reader->task_type);
}

/* "ExceptionFailure: java.io.IOException": why a task failed, as its value. */
static ocelotl_status find_reason(uint32_t *value, spark_reader *reader,
                                  const oc_json_item found[FIELDS])
{
    OC_TRY(decode(reader, &found[REASON]));
    if (found[CLASS].kind == '"') {
        oc_text_append(&reader->text, ": ", 2);
        oc_json_decode_item(&reader->text, &found[CLASS]);
    }
    return find_value(value, reader, reader->failure_type);
}

static size_t find_attributes(ocelotl_attribute_value *attributes, const spark_reader *reader,
                              bool failed)
{
    size_t count = 0;
    for (size_t i = 0; i < CARRIED; i++) {
        oc_json_item item = reader->fields[carried[i].object][carried[i].field];
        if (carried[i].inner != NULL)
            item = oc_json_member_of(&item, carried[i].inner);
        const bool is_metric = carried[i].object == OF_METRICS;
        if (item.bytes != NULL && !(is_metric && oc_json_is(&item, "0")))
            attributes[count++] =
                (ocelotl_attribute_value){reader->attributes[failed][i], item.bytes, item.length};
    }
    return count;
}

/* A task takes a slot when it starts, and is a state when it ends. */
static ocelotl_status read_task(spark_reader *reader, bool ends)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_json_item *task = reader->fields[OF_TASK];
    oc_json_item reason[FIELDS];
    ocelotl_attribute_value attributes[CARRIED];
    oc_sorted record = {.kind = OC_SORTED_SPAN, .attributes = attributes};
    spark_slot *slot;
    uint32_t executor;
    find_fields(reader->fields[OF_TASK], &reader->fields[OF_EVENT][TASK_INFO]);
    find_fields(reader->fields[OF_METRICS], &reader->fields[OF_EVENT][METRICS]);
    find_fields(reason, &reader->fields[OF_EVENT][END_REASON]);
    OC_TRY(read_time(&record.time, reader, OF_TASK, LAUNCH));
    if (ends)
        OC_TRY(read_time(&record.end, reader, OF_TASK, FINISH));
    if (ends && record.end < record.time)
        return oc_fail(OCELOTL_ERROR_INPUT, "the task finishes before its launch, expected a later "
                                            "\"Finish Time\"");
    OC_TRY(find_executor(&executor, reader, &task[EXECUTOR]));
    OC_TRY(find_slot(&slot, reader, executor, number_of(&task[TASK])));
    OC_TRY(find_stage(&record.value, reader));
    if (ends && !slot->is_taken)
        oc_ingest_note(ingest, SPARK_TASK_UNSTARTED);
    record.stream = slot->row;
    slot->is_taken = !ends;
    slot->value = record.value;
    slot->task = number_of(&task[TASK]);
    slot->launch = record.time;
    if (!ends)
        return oc_ingest_count(ingest, "SparkListenerTaskStart", OCELOTL_FATE_DEFINITION, NULL);
    const bool failed = reason[REASON].bytes != NULL && !oc_json_is(&reason[REASON], "Success");
    record.type = failed ? reader->failure_type : reader->task_type;
    if (failed)
        OC_TRY(find_reason(&record.value, reader, reason));
    record.attribute_count = find_attributes(attributes, reader, failed);
    OC_TRY(oc_ingest_count(ingest, "SparkListenerTaskEnd", OCELOTL_FATE_STATE, NULL));
    OC_TRY(oc_ingest_add(ingest, &record));
    return failed ? OCELOTL_OK : add_parts(reader, &record);
}

/* --- Queries, jobs and stages */

static ocelotl_status add_phase(spark_reader *reader, const spark_phase *phase,
                                const oc_sorted *half)
{
    oc_ingest *ingest = &reader->ingest;
    oc_sorted record = *half;
    const oc_json_item *event = reader->fields[OF_EVENT];
    const bool begins = record.kind == OC_SORTED_BEGIN;
    const oc_json_item *carries = &event[begins ? phase->id : FAILURE];
    const ocelotl_attribute_value attribute = {reader->phase_attributes[phase - phases][!begins],
                                               carries->bytes, carries->length};
    record.attributes = &attribute;
    record.attribute_count = carries->bytes != NULL;
    OC_TRY(decode(reader, &event[phase->name]));
    if (begins && phase->id == STAGE_ID) {
        OC_TRY(find_value(&record.value, reader, reader->task_type));
        OC_TRY(oc_ingest_own_set(ingest, STAGE_NAMES, ingest->file,
                                 carries->bytes != NULL ? carries->bytes : "", carries->length,
                                 record.value));
    }
    if (begins && event[phase->name].bytes == NULL)
        OC_TRY(decode(reader, &(oc_json_item){phase->type, strlen(phase->type), '"', false}));
    record.value = OCELOTL_NONE;
    if (begins)
        OC_TRY(find_value(&record.value, reader, record.type));
    return oc_ingest_add(ingest, &record);
}

static ocelotl_status read_phase(spark_reader *reader, const spark_phase *phase, bool ends)
{
    oc_ingest *ingest = &reader->ingest;
    oc_json_item *event = reader->fields[OF_EVENT];
    const char *kind = ends ? phase->end : phase->begin;
    oc_sorted record = {.kind = ends ? OC_SORTED_END : OC_SORTED_BEGIN,
                        .type = reader->phases[phase - phases]};
    if (phase->id == STAGE_ID) {
        const oc_json_item info = event[STAGE_INFO];
        find_fields(event, &info);
        if (event[ends ? COMPLETED : SUBMITTED].bytes == NULL)
            return oc_ingest_count(ingest, kind, OCELOTL_FATE_LEFT_OUT, "it has no time");
    } else if (phase->id == JOB_ID) {
        event[DESCRIPTION] = oc_json_member_of(&event[PROPERTIES], field_names[DESCRIPTION]);
        event[FAILURE] = oc_json_member_of(&event[RESULT], "Result");
        if (oc_json_is(&event[FAILURE], "JobSucceeded"))
            event[FAILURE].bytes = NULL;
    }
    OC_TRY(read_time(&record.time, reader, OF_EVENT, ends ? phase->end_time : phase->begin_time));
    OC_TRY(oc_ingest_row_find(&record.stream, ingest, reader->application, reader->phase_type,
                              phase->row, strlen(phase->row)));
    ingest->rows[record.stream].order = phase - phases - PHASES;
    ingest->rows[record.stream].life = OC_LIVES_WITH_PARENT;
    record.order = record.stream;
    record.group = (uint64_t)(number_of(&event[phase->id]) + 1) << 16 |
                   (uint64_t)(number_of(&event[STAGE_TRY]) & 0xFFFF);
    OC_TRY(oc_ingest_count(ingest, kind, OCELOTL_FATE_STATE, NULL));
    return add_phase(reader, phase, &record);
}

/* --- Lines */

/* An executor, or the application, begins or ends its life. */
static ocelotl_status read_life(spark_reader *reader, const char *kind, bool is_executor, bool ends)
{
    oc_ingest *ingest = &reader->ingest;
    const oc_json_item *event = reader->fields[OF_EVENT];
    const oc_json_item host = oc_json_member_of(&event[EXECUTOR_INFO], "Host");
    uint32_t row = reader->application;
    int64_t time;
    OC_TRY(read_time(&time, reader, OF_EVENT, TIMESTAMP));
    if (is_executor)
        OC_TRY(find_executor(&row, reader, &event[EXECUTOR]));
    OC_TRY(decode(reader, !is_executor ? &event[APPLICATION] : ends ? &event[REMOVED] : &host));
    if (is_executor)
        OC_TRY(oc_ingest_row_remark(ingest, row, ends ? "removed" : "host", reader->text.bytes));
    else if (!ends)
        OC_TRY(oc_ingest_row_name(ingest, row, reader->text.bytes));
    oc_ingest_row_live(ingest, row, ends ? OC_INGEST_UNSAID : time, ends ? time : OC_INGEST_UNSAID);
    return oc_ingest_count(ingest, kind, OCELOTL_FATE_DEFINITION, NULL);
}

static ocelotl_status read_line(void *decoder, char *line, size_t length)
{
    spark_reader *reader = decoder;
    char event[128];
    oc_json_item object;
    oc_json_cursor cursor = {line, line + length, "the rest of its object"};
    const oc_json_scan found = oc_json_scan_value(&object, &cursor);
    if (found != OC_JSON_FOUND || object.kind != '{')
        return oc_fail(OCELOTL_ERROR_INPUT, "the line is no JSON at byte %zu, expected %s",
                       found == OC_JSON_CUT ? length : (size_t)(cursor.next - line),
                       found == OC_JSON_FOUND ? "an object with \"Event\"" : cursor.expected);
    find_fields(reader->fields[OF_EVENT], &object);
    const oc_json_item *name = &reader->fields[OF_EVENT][EVENT];
    if (name->kind != '"')
        return oc_fail(OCELOTL_ERROR_INPUT, "the line has no \"Event\", expected its name");
    snprintf(event, sizeof event, "%.*s", (int)(name->length < 127 ? name->length : 127),
             name->bytes);
    static const char *const lives[] = {"SparkListenerApplicationStart",
                                        "SparkListenerApplicationEnd", "SparkListenerExecutorAdded",
                                        "SparkListenerExecutorRemoved"};
    for (int i = 0; i < PHASES; i++)
        if (strcmp(event, phases[i].begin) == 0 || strcmp(event, phases[i].end) == 0)
            return read_phase(reader, &phases[i], strcmp(event, phases[i].end) == 0);
    for (int i = 0; i < 4; i++)
        if (strcmp(event, lives[i]) == 0)
            return read_life(reader, event, i >= 2, i % 2 == 1);
    if (strcmp(event, "SparkListenerTaskStart") == 0 || strcmp(event, "SparkListenerTaskEnd") == 0)
        return read_task(reader, strcmp(event, "SparkListenerTaskEnd") == 0);
    return oc_ingest_count(&reader->ingest, event, OCELOTL_FATE_LEFT_OUT,
                           "it says nothing of tasks, stages, jobs and executors");
}

/* What runs when the log ends lasts to the end. */
static ocelotl_status end_tasks(spark_reader *reader)
{
    for (size_t i = 0; i < reader->slot_count; i++) {
        const spark_slot *slot = &reader->slots[i];
        const oc_sorted task = {.stream = slot->row,
                                .order = slot->row,
                                .kind = OC_SORTED_BEGIN,
                                .time = slot->launch,
                                .type = reader->task_type,
                                .value = slot->value};
        if (slot->is_taken)
            OC_TRY(oc_ingest_add(&reader->ingest, &task));
    }
    reader->slot_count = 0;
    return OCELOTL_OK;
}

static const char nothing[] = "holds no task, expected some";

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    spark_reader *reader = decoder;
    reader->has_base = false;
    OC_TRY(oc_ingest_row_find(&reader->application, &reader->ingest, OCELOTL_NONE,
                              reader->application_type, "application", 11));
    OC_TRY(oc_ingest_lines(&reader->ingest, source, "log", read_line, reader));
    return reader->has_base
               ? end_tasks(reader)
               : oc_oddities_fail_empty(&reader->ingest.oddities, source->path, nothing);
}

static ocelotl_status declare_phase(spark_reader *reader, int phase)
{
    static const char *const names[] = {"id", "failure"};
    OC_TRY(oc_ingest_event_type(&reader->phases[phase], &reader->ingest, OCELOTL_STATE,
                                reader->phase_type, phases[phase].type, OC_NEST_PARALLEL));
    for (int i = 0; i < 2; i++)
        OC_TRY(oc_ingest_attribute(&reader->phase_attributes[phase][i], &reader->ingest,
                                   reader->phases[phase], names[i], strlen(names[i])));
    return OCELOTL_OK;
}

static ocelotl_status open(void *decoder, const oc_import *import)
{
    spark_reader *reader = decoder;
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = ingest->keeps_empty_rows = ingest->is_coarse = true;
    ingest->unit_digits = 3;
    ingest->life = OC_LIVES_WITH_CONTENT;
    OC_TRY(oc_folding_open(&reader->folding, import->options->fold_names));
    OC_TRY(oc_ingest_open(ingest, import, oc_spark_importer.format.name, oddity_names,
                          SPARK_ODDITY_END));
    ingest->oddities.can_fold = true;
    OC_TRY(oc_ingest_resource_type(&reader->application_type, ingest, ingest->file_type,
                                   "Application"));
    OC_TRY(oc_ingest_resource_type(&reader->phase_type, ingest, reader->application_type, "Plan"));
    OC_TRY(oc_ingest_resource_type(&reader->executor_type, ingest, reader->application_type,
                                   "Executor"));
    OC_TRY(oc_ingest_resource_type(&reader->slot_type, ingest, reader->executor_type, "Slot"));
    for (int i = 0; i < PHASES; i++)
        OC_TRY(declare_phase(reader, i));
    for (int failed = 0; failed < 2; failed++) {
        uint32_t *type = failed ? &reader->failure_type : &reader->task_type;
        OC_TRY(oc_ingest_event_type(type, ingest, OCELOTL_STATE, reader->slot_type,
                                    failed ? "Failed task" : "Task", OC_NEST_BY_TIME));
        for (size_t i = 0; i < CARRIED; i++)
            OC_TRY(oc_ingest_attribute(&reader->attributes[failed][i], ingest, *type,
                                       carried[i].name, strlen(carried[i].name)));
    }
    return OCELOTL_OK;
}

static void free_reader(void *decoder)
{
    spark_reader *reader = decoder;
    oc_folding_free(&reader->folding);
    oc_text_free(&reader->text);
    free(reader->slots);
}

static const oc_ingest_decoder decoder = {.size = sizeof(spark_reader),
                                          .open = open,
                                          .read = read_file,
                                          .free = free_reader,
                                          .empty = nothing};

/* By the first line: the name of its event. */
static int recognises(const oc_source *source)
{
    const oc_head *head = &source->head;
    const char *end = memchr(head->bytes, '\n', head->length);
    const size_t length = end != NULL ? (size_t)(end - head->bytes) : head->length;
    return length > 0 && head->bytes[0] == '{' && memmem(head->bytes, length, "\"Event\"", 7) &&
                   memmem(head->bytes, length, "SparkListener", 13)
               ? OC_SURE
               : OC_NO;
}

const oc_importer oc_spark_importer = {
    .format = {.name = "spark",
               .description = "Event logs of Spark (JSON lines, plain, .gz, .zst or .xz)",
               .suffixes = (const char *const[]){".eventlog", NULL}},
    .takes_several = true,
    .has_clock = true,
    .takes = OC_TAKES_FOLD_NAMES,
    .recognises = recognises,
    .decoder = &decoder,
};

/* A Paje trace in a few lines: the definitions that the tests of the importer share, and what they
 * ask of the result. */
#ifndef OC_TESTS_PAJE_FIXTURE_H
#define OC_TESTS_PAJE_FIXTURE_H

#include "temporary.h"

#include "base/file/input.h"
#include "importers/importer.h"
#include "store/trace/trace.h"

/* clang-format off */
#define PAJE_DEFINITIONS \
    "%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n" \
    "%EndEventDef\n" \
    "%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n" \
    "%EndEventDef\n" \
    "%EventDef PajeDefineVariableType 2\n%  Alias string\n%  Type string\n%  Name string\n" \
    "%  Color color\n%EndEventDef\n" \
    "%EventDef PajeDefineEventType 3\n%  Alias string\n%  Type string\n%  Name string\n" \
    "%EndEventDef\n" \
    "%EventDef PajeDefineLinkType 4\n%  Alias string\n%  Type string\n" \
    "%  StartContainerType string\n" \
    "%  EndContainerType string\n%  Name string\n%EndEventDef\n" \
    "%EventDef PajeDefineEntityValue 5\n%  Alias string\n%  Type string\n%  Name string\n" \
    "%  Color color\n%EndEventDef\n" \
    "%EventDef PajeCreateContainer 6\n%  Time date\n%  Alias string\n%  Type string\n" \
    "%  Container string\n" \
    "%  Name string\n%EndEventDef\n" \
    "%EventDef PajeDestroyContainer 7\n%  Time date\n%  Type string\n%  Name string\n" \
    "%EndEventDef\n" \
    "%EventDef PajeSetState 8\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  Value string\n%EndEventDef\n" \
    "%EventDef PajePushState 9\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  Value string\n%EndEventDef\n" \
    "%EventDef PajePopState 10\n%  Time date\n%  Type string\n%  Container string\n%EndEventDef\n" \
    "%EventDef PajeResetState 11\n%  Time date\n%  Type string\n%  Container string\n" \
    "%EndEventDef\n" \
    "%EventDef PajeSetVariable 12\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  Value double\n%EndEventDef\n" \
    "%EventDef PajeAddVariable 13\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  Value double\n%EndEventDef\n" \
    "%EventDef PajeSubVariable 14\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  Value double\n%EndEventDef\n" \
    "%EventDef PajeNewEvent 15\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  Value string\n%EndEventDef\n" \
    "%EventDef PajeStartLink 16\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  StartContainer string\n" \
    "%  Value string\n%  Key string\n%EndEventDef\n" \
    "%EventDef PajeEndLink 17\n%  Time date\n%  Type string\n%  Container string\n" \
    "%  EndContainer string\n" \
    "%  Value string\n%  Key string\n%EndEventDef\n"

/* Threads a and b with states c (compute) and w (wait), a variable, events, messages. */
#define PAJE_NAMES \
    "0 T 0 Thread\n1 S T State\n2 V T Power \"1 0 0.5\"\n3 E T Mark\n4 L 0 T T Message\n" \
    "5 c S compute \"0 1 0\"\n5 w S wait \"0 0 1\"\n6 0 a T 0 alpha\n6 0 b T 0 beta\n"
/* clang-format on */

#define PAJE_HEAD PAJE_DEFINITIONS PAJE_NAMES

static inline const char *paje_source(void)
{
    return temporary_path("run.trace");
}

/* Imports bytes as they are; nothing is left beside the source where that fails. */
static inline ocelotl_status paje_import_bytes(const void *bytes, size_t length,
                                               const ocelotl_import_options *options)
{
    temporary_files(true);
    temporary_write(paje_source(), bytes, length);
    const ocelotl_status status =
        ocelotl_import(temporary_path("trace.db"), paje_source(), options);
    CHECK(temporary_files(false) == (status == OCELOTL_OK ? 2 : 1));
    if (status != OCELOTL_OK)
        CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
    return status;
}

static inline ocelotl_trace *paje_open(void)
{
    return must_open(temporary_path("trace.db"));
}

static inline ocelotl_trace *paje_import(const char *text)
{
    CHECK_OK(paje_import_bytes(text, strlen(text), NULL));
    return paje_open();
}

static inline ocelotl_status paje_import_bytes_lenient(const void *bytes, size_t length)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = true;
    return paje_import_bytes(bytes, length, &options);
}

static inline ocelotl_trace *paje_import_lenient(const char *text)
{
    CHECK_OK(paje_import_bytes_lenient(text, strlen(text)));
    return paje_open();
}

/* The import fails at this line (counted from the first behind PAJE_HEAD, 0: in no line) with this
 * message. */
static inline void paje_refused(const char *body, int line, const char *message)
{
    char wanted[2048];
    char *text = malloc(sizeof PAJE_HEAD + strlen(body));
    int lines = line;
    CHECK(text != NULL);
    memcpy(text, PAJE_HEAD, sizeof PAJE_HEAD - 1);
    strcpy(text + sizeof PAJE_HEAD - 1, body);
    for (const char *byte = PAJE_HEAD; *byte != '\0'; byte++)
        lines += *byte == '\n';
    CHECK(paje_import_bytes(text, strlen(text), NULL) == OCELOTL_ERROR_INPUT);
    free(text);
    if (line > 0)
        snprintf(wanted, sizeof wanted, "%s:%d: %s", paje_source(), lines, message);
    else
        snprintf(wanted, sizeof wanted, "%s: %s", paje_source(), message);
    CHECK_TEXT(ocelotl_error_message(), wanted);
}

/* Ends a test of a trace. */
static inline void paje_end(ocelotl_trace *trace)
{
    ocelotl_trace_free(trace);
    temporary_files(true);
}

/* How the source is read. */
typedef struct paje_way {
    size_t block_size;
    uint32_t threads;
    bool long_way;
} paje_way;

/* What an import comes to: the bytes of a trace.db, or a message. */
typedef struct paje_outcome {
    ocelotl_status status;
    char message[4096], *bytes;
    size_t length;
} paje_outcome;

static inline paje_outcome paje_import_way(const paje_way *chosen, bool lenient)
{
    paje_outcome made = {.length = 0};
    const char *source = paje_source();
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.name = "ways";
    options.format = "paje";
    options.lenient = lenient;
    options.overwrite = true;
    options.work.threads = chosen->threads;
    made.status = oc_import_files(temporary_path("trace.db"), &source, 1, &options,
                                  chosen->block_size, chosen->long_way);
    if (made.status == OCELOTL_OK)
        made.bytes = temporary_read(&made.length, temporary_path("trace.db"));
    else
        snprintf(made.message, sizeof made.message, "%s", ocelotl_error_message());
    return made;
}

/* In any way, a text comes to the same as the long way in one block. */
static inline void paje_check_ways(const char *what, const char *text, size_t length,
                                   const paje_way *ways, size_t count)
{
    static const paje_way truth = {0, 1, true};
    temporary_files(true);
    temporary_write(paje_source(), text, length);
    for (int lenient = 0; lenient < 2; lenient++) {
        paje_outcome right = paje_import_way(&truth, lenient);
        for (size_t i = 0; i < count; i++) {
            paje_outcome made = paje_import_way(&ways[i], lenient);
            if (strcmp(made.message, right.message) != 0 || made.length != right.length ||
                (right.length > 0 && memcmp(made.bytes, right.bytes, right.length) != 0)) {
                fprintf(stderr, "%s, lenient %d, blocks of %zu, %u threads, long way %d: %s\n",
                        what, lenient, ways[i].block_size, ways[i].threads, ways[i].long_way,
                        made.message);
                exit(1);
            }
            free(made.bytes);
        }
        free(right.bytes);
    }
}

/* The beginning of a file below the root, if it is there; to be freed. */
static inline char *paje_read_file(size_t *length, const char *root, const char *name, size_t most)
{
    char path[4096];
    oc_input *input;
    char *bytes = malloc(most);
    CHECK(bytes != NULL);
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (oc_input_open(&input, path) != OCELOTL_OK) {
        free(bytes);
        return NULL;
    }
    *length = 0;
    for (size_t step = 1; *length < most && step > 0; *length += step)
        CHECK_OK(oc_input_read(input, bytes + *length, most - *length, &step));
    oc_input_free(input);
    return bytes;
}

static inline uint32_t paje_resource(const ocelotl_trace *trace, const char *name)
{
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++)
        if (strcmp(ocelotl_trace_resource_at(trace, r).name, name) == 0)
            return r;
    fprintf(stderr, "no resource \"%s\"\n", name);
    exit(1);
}

static inline uint32_t paje_event_type(const ocelotl_trace *trace, const char *name)
{
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++)
        if (strcmp(ocelotl_trace_event_type_at(trace, e).name, name) == 0)
            return e;
    fprintf(stderr, "no event type \"%s\"\n", name);
    exit(1);
}

static inline ocelotl_value paje_value(const ocelotl_trace *trace, const char *name)
{
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++)
        if (strcmp(ocelotl_trace_value_at(trace, v).name, name) == 0)
            return ocelotl_trace_value_at(trace, v);
    return (ocelotl_value){.name = ""};
}

/* How often something odd was met; the kind is given by its beginning. */
static inline uint64_t paje_warning(const ocelotl_trace *trace, const char *kind)
{
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        if (strncmp(ocelotl_trace_warning_at(trace, i).kind, kind, strlen(kind)) == 0)
            return ocelotl_trace_warning_at(trace, i).count;
    return 0;
}

/* All records of a stream, which are few. */
static inline oc_records paje_records(ocelotl_trace *trace, const char *resource, const char *type,
                                      oc_role role)
{
    oc_records records = {0};
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        sqlite3_stmt *row;
        const oc_stream *stream = &trace->streams[s];
        if (stream->resource != paje_resource(trace, resource) || stream->role != role ||
            stream->event_type != paje_event_type(trace, type) || stream->count == 0)
            continue;
        CHECK_OK(oc_database_prepare(
            &row, trace->database, trace->path,
            "SELECT unit, events FROM chunk WHERE stream = ? ORDER BY number DESC"));
        sqlite3_bind_int64(row, 1, s);
        CHECK(sqlite3_step(row) == SQLITE_ROW);
        CHECK_OK(oc_records_unpack(
            &records, sqlite3_column_blob(row, 1), (size_t)sqlite3_column_bytes(row, 1), role,
            (uint64_t)sqlite3_column_int64(row, 0), oc_trace_dictionary(trace, role)));
        sqlite3_finalize(row);
    }
    return records;
}

/* Whether a record carries this text as its attribute of this number. */
static inline bool paje_carries(const oc_records *records, size_t record, uint32_t attribute,
                                const char *text)
{
    const oc_record *found = &records->records[record];
    for (uint32_t i = 0; i < found->attribute_count; i++) {
        const oc_record_attribute *one = &records->attributes[found->attribute_first + i];
        if (one->attribute == attribute && one->length == strlen(text) &&
            memcmp(records->text.bytes + one->text, text, one->length) == 0)
            return true;
    }
    return false;
}

#endif

#include "importers/nsys/reader.h"

#include "base/memory.h"
#include "store/file/tables.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { NSYS_NEGATIVE = OC_COMMON_ODDITIES, NSYS_ODDITY_END };

static const char *const oddity_names[] = {
    [NSYS_NEGATIVE - OC_COMMON_ODDITIES] =
        "state that ends before it begins (taken as one of none)",
};

static const char no_state[] = "holds no state of a thread or of a stream, expected some";

enum { MOST_ATTRIBUTES = 16, REPORTED = 4096, PLACES = 256 };

/* A table that is there. */
typedef struct found_table {
    const char *name;
    size_t wide;    /* of the name without its suffix */
    uint64_t taken; /* of its rows */
    bool is_known;
    const char *why; /* the others are left out, NULL: they define something */
} found_table;

/* Where the rows of some states are. */
typedef struct last_place {
    int64_t numbers[5];
    uint32_t row;
} last_place;

typedef struct nsys_reader {
    oc_ingest ingest;
    const nsys_schema *schema;
    uint32_t process_type, thread_type, device_type, stream_type, launch_type, launch, size;
    uint64_t launches;
    oc_text sql, name; /* scratch */
    /* of the file at hand: */
    const oc_source *source;
    sqlite3 *database;
    uint64_t bytes;
    oc_work_bound bound;
    oc_arena arena;
    found_table *tables;
    size_t table_count, table_capacity;
    /* of the table at hand: */
    const nsys_table *table;
    found_table *found;
    const char *suffix;
    oc_text columns; /* each behind a blank and before one */
    uint32_t type, kind, attributes[MOST_ATTRIBUTES];
    int64_t last_row;
    bool has_row;
    last_place last[PLACES]; /* those found last, by their numbers */
    int size_column;         /* 0: it has none */
} nsys_reader;

/* --- Tables and columns */

/* Opens what may be a database, to read it and nothing else. What is asked of it ends at some time.
 * One that is cut is opened only where SQLite may doubt its header, which is where an import is
 * lenient. */
static ocelotl_status open_database(sqlite3 **database, oc_work_bound *bound, uint64_t *bytes,
                                    const oc_source *source)
{
    struct stat is;
    if (source->is_standard || stat(source->path, &is) != 0)
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is no file, expected one with a database",
                       source->path);
    *bytes = (uint64_t)is.st_size;
    OC_TRY(oc_database_open(database, source->path, source->path, SQLITE_OPEN_READONLY));
    oc_connection_limit(*database, *bytes);
    oc_connection_bind(*database, bound, *bytes);
    if (source->lenient) {
        sqlite3_db_config(*database, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
        sqlite3_db_config(*database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    }
    return OCELOTL_OK;
}

static int note_found(void *found, int count, char **texts, char **names)
{
    (void)count, (void)texts, (void)names;
    *(bool *)found = true;
    return 0;
}

int nsys_recognise(const nsys_schema *schema, const oc_source *source)
{
    static const char magic[] = "SQLite format 3";
    const oc_head *head = &source->head;
    sqlite3 *database = NULL;
    oc_work_bound bound;
    uint64_t bytes;
    bool found = false;
    if (head->length < sizeof magic || memcmp(head->bytes, magic, sizeof magic) != 0)
        return OC_NO;
    ocelotl_status status = open_database(&database, &bound, &bytes, source);
    if (status == OCELOTL_OK &&
        sqlite3_exec(database, schema->recognises, note_found, &found, NULL) == SQLITE_NOMEM)
        status = OCELOTL_ERROR_MEMORY;
    sqlite3_close(database);
    return status != OCELOTL_OK ? oc_no_or_no_memory(status) : found ? OC_SURE : OC_NO;
}

static found_table *find_table(nsys_reader *reader, const char *name, size_t length,
                               const char *suffix)
{
    for (size_t i = 0; i < reader->table_count; i++)
        if (strlen(reader->tables[i].name) >= length &&
            memcmp(reader->tables[i].name, name, length) == 0 &&
            strcmp(reader->tables[i].name + length, suffix) == 0)
            return &reader->tables[i];
    return NULL;
}

/* Notes a table, but for one whose name would not do within quotes. */
static ocelotl_status note_table(void *context, const oc_row *row)
{
    nsys_reader *reader = context;
    const char *name = (const char *)sqlite3_column_text(row->statement, 0);
    if (name == NULL || strpbrk(name, "\"'[]{}") != NULL)
        return OCELOTL_OK;
    OC_TRY(oc_arena_grow(&reader->tables, &reader->table_capacity, &reader->arena,
                         reader->table_count + 1, sizeof *reader->tables));
    reader->tables[reader->table_count++] =
        (found_table){.name = oc_arena_copy(&reader->arena, name), .wide = strlen(name)};
    return oc_arena_status(&reader->arena);
}

static ocelotl_status note_column(void *context, const oc_row *row)
{
    nsys_reader *reader = context;
    oc_text_format(&reader->columns, "%s ", (const char *)sqlite3_column_text(row->statement, 0));
    return reader->columns.failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Calls `read` with each row of what the SQL in the scratch gives; `table` is in messages. */
static ocelotl_status query(nsys_reader *reader, const char *table,
                            ocelotl_status (*read)(void *reader, const oc_row *row))
{
    oc_row row = {.path = reader->ingest.path};
    if (reader->sql.failed)
        return oc_fail_memory();
    oc_connection_bind(reader->database, &reader->bound, reader->bytes);
    const ocelotl_status status =
        oc_rows_read(&row, reader->database, reader->sql.bytes, read, reader);
    const int code = sqlite3_errcode(reader->database);
    if (status != OCELOTL_ERROR_INPUT || code == SQLITE_OK)
        return status;
    return oc_fail(OCELOTL_ERROR_INPUT, "%s: %s cannot be read: %s, expected a whole database",
                   row.path, table, sqlite3_errmsg(reader->database));
}

static ocelotl_status find_columns(nsys_reader *reader, const char *table)
{
    oc_text_clear(&reader->columns);
    oc_text_add(&reader->columns, " ");
    oc_text_clear(&reader->sql);
    oc_text_format(&reader->sql, "SELECT name FROM pragma_table_info('%s')", table);
    return query(reader, table, note_column);
}

static bool has_column(const nsys_reader *reader, const char *name, size_t length)
{
    for (const char *at = reader->columns.bytes; (at = strchr(at, ' ')) != NULL;)
        if (strncmp(++at, name, length) == 0 && at[length] == ' ')
            return true;
    return false;
}

/* {a|b}: ends behind the brace. */
static const char *add_column(nsys_reader *reader, const char *hole)
{
    const bool is_named = *hole == '=';
    const char *first = hole + is_named;
    const char *one = first;
    size_t length = strcspn(one, "|}");
    const size_t wide = length;
    while (!has_column(reader, one, length) && one[length] == '|') {
        one += length + 1;
        length = strcspn(one, "|}");
    }
    if (has_column(reader, one, length))
        oc_text_format(&reader->sql, "t.\"%.*s\"", (int)length, one);
    else
        oc_text_add(&reader->sql, "NULL");
    if (is_named)
        oc_text_format(&reader->sql, " AS \"%.*s\"", (int)wide, first);
    return strchr(one, '}') + 1;
}

static void add_sql(nsys_reader *reader, const char *sql)
{
    while (*sql != '\0') {
        const size_t plain = strcspn(sql, "{[");
        oc_text_append(&reader->sql, sql, plain);
        sql += plain;
        if (*sql == '{') {
            sql = add_column(reader, sql + 1);
        } else if (*sql == '[') {
            const size_t length = strcspn(++sql, "]");
            if (find_table(reader, sql, length, reader->suffix) != NULL)
                oc_text_format(&reader->sql, "\"%.*s%s\"", (int)length, sql, reader->suffix);
            else
                oc_text_add(&reader->sql,
                            "(SELECT NULL id, NULL value, NULL string, NULL name, NULL start, NULL "
                            "correlationId, NULL globalTid, NULL globalPid, NULL domainId, NULL "
                            "text, NULL eventType, NULL api_id, NULL op_id, NULL pid, NULL tid, "
                            "NULL type, NULL type_index, NULL stack_id, NULL event_id, NULL "
                            "category_id, NULL kernel_name, NULL display_name)");
            sql += length + 1;
        }
    }
}

/* --- Rows of the trace */

static int64_t number(const oc_row *row, int column, int64_t otherwise)
{
    return sqlite3_column_type(row->statement, column) == SQLITE_NULL
               ? otherwise
               : sqlite3_column_int64(row->statement, column);
}

/* Finds a row that is called as what it is, and its number; a new one is in its place by that. */
static ocelotl_status find_row(uint32_t *row, nsys_reader *reader, uint32_t parent, uint32_t type,
                               const char *what, int64_t of)
{
    char id[64];
    const int length = of < 0 ? snprintf(id, sizeof id, "%s unknown", what)
                              : snprintf(id, sizeof id, "%s %" PRId64, what, of);
    OC_TRY(oc_ingest_row_find(row, &reader->ingest, parent, type, id, (size_t)length));
    reader->ingest.rows[*row].order = of;
    return OCELOTL_OK;
}

static ocelotl_status find_thread(uint32_t *row, nsys_reader *reader, int64_t process,
                                  int64_t thread)
{
    OC_TRY(find_row(row, reader, OCELOTL_NONE, reader->process_type, "process", process));
    return find_row(row, reader, *row, reader->thread_type, "thread", thread);
}

/* Streams of several contexts may have one number. */
static ocelotl_status find_stream(uint32_t *row, nsys_reader *reader, const int64_t numbers[5])
{
    char id[96], text[64];
    oc_ingest *ingest = &reader->ingest;
    const size_t before = ingest->row_count;
    const int64_t stream = numbers[NSYS_STREAM - NSYS_PROCESS];
    OC_TRY(find_row(row, reader, OCELOTL_NONE, reader->device_type, "GPU",
                    numbers[NSYS_DEVICE - NSYS_PROCESS]));
    if (stream < 0 || stream == UINT32_MAX) {
        if (strcmp(reader->table->type, "GPU") != 0)
            return OCELOTL_OK;
        return find_row(row, reader, *row, reader->stream_type, "stream", -1);
    }
    const int length = snprintf(id, sizeof id, "%" PRId64 ".%" PRId64 ".%" PRId64, numbers[0],
                                numbers[NSYS_CONTEXT - NSYS_PROCESS], stream);
    OC_TRY(oc_ingest_row_find(row, ingest, *row, reader->stream_type, id, (size_t)length));
    if (ingest->row_count == before)
        return OCELOTL_OK;
    ingest->rows[*row].order = stream;
    snprintf(text, sizeof text, "stream %" PRId64, stream);
    OC_TRY(oc_ingest_row_name(ingest, *row, text));
    snprintf(id, sizeof id, "process %" PRId64 ", context %" PRId64, numbers[0],
             numbers[NSYS_CONTEXT - NSYS_PROCESS]);
    return oc_ingest_row_label(ingest, *row, id);
}

/* Finds where the state of a row is, or the call that asked for it. */
static ocelotl_status find_place(uint32_t *place, nsys_reader *reader, const oc_row *row,
                                 bool of_call)
{
    uint64_t mixed = 0;
    int64_t numbers[5] = {-1, -1, -1, -1, -1};
    for (int i = 0; i < (of_call ? 2 : 5); i++) {
        numbers[i] = number(row, (of_call ? NSYS_CALL_PROCESS : NSYS_PROCESS) + i, -1);
        mixed = 31 * mixed + (uint64_t)numbers[i];
    }
    last_place *last = &reader->last[mixed % PLACES];
    if (memcmp(numbers, last->numbers, sizeof numbers) != 0 || last->row == OCELOTL_NONE) {
        if (numbers[NSYS_DEVICE - NSYS_PROCESS] >= 0)
            OC_TRY(find_stream(&last->row, reader, numbers));
        else
            OC_TRY(find_thread(&last->row, reader, numbers[0], numbers[1]));
        memcpy(last->numbers, numbers, sizeof numbers);
    }
    *place = last->row;
    return OCELOTL_OK;
}

/* --- States, events and links */

/* Of "cudaMalloc_v3020" the name is without the version. */
static size_t bare_length(const char *name, size_t length)
{
    size_t end = length;
    while (end > 0 && isdigit((unsigned char)name[end - 1]))
        end--;
    return end > 2 && end < length && memcmp(name + end - 2, "_v", 2) == 0 ? end - 2 : length;
}

static ocelotl_status find_value(uint32_t *value, nsys_reader *reader, const oc_row *row)
{
    const char *name = (const char *)sqlite3_column_text(row->statement, NSYS_NAME);
    size_t length = (size_t)sqlite3_column_bytes(row->statement, NSYS_NAME);
    if (name != NULL && reader->table->role == NSYS_ON_THREAD)
        length = bare_length(name, length);
    return oc_ingest_value(value, &reader->ingest, reader->type, name != NULL ? name : "", length);
}

static ocelotl_status find_attributes(oc_sorted *record, ocelotl_attribute_value *attributes,
                                      nsys_reader *reader, const oc_row *row)
{
    oc_ingest *ingest = &reader->ingest;
    const int count = sqlite3_column_count(row->statement);
    for (int i = NSYS_ATTRIBUTES; i < count && i < NSYS_ATTRIBUTES + MOST_ATTRIBUTES; i++) {
        const char *text = (const char *)sqlite3_column_text(row->statement, i);
        uint32_t *attribute = &reader->attributes[i - NSYS_ATTRIBUTES];
        if (text == NULL)
            continue;
        if (*attribute == OCELOTL_NONE) {
            const char *name = sqlite3_column_name(row->statement, i);
            OC_TRY(oc_ingest_attribute(attribute, ingest, reader->type, name, strlen(name)));
            reader->size_column = strcmp(name, "bytes") == 0 ? i : reader->size_column;
        }
        attributes[record->attribute_count++] = (ocelotl_attribute_value){
            *attribute, text, (size_t)sqlite3_column_bytes(row->statement, i)};
    }
    record->attributes = attributes;
    return OCELOTL_OK;
}

/* The call that asked for a state: a link from its begin to that of the state. */
static ocelotl_status add_link(nsys_reader *reader, const oc_row *row, const oc_sorted *state)
{
    oc_ingest *ingest = &reader->ingest;
    const uint64_t key = reader->launches++;
    ocelotl_attribute_value size = {.attribute = reader->size};
    oc_sorted side = {.kind = OC_SORTED_LINK_BEGIN,
                      .time = sqlite3_column_int64(row->statement, NSYS_CALL),
                      .type = reader->launch_type,
                      .value = reader->launch,
                      .attributes = &size};
    if (reader->size_column > 0) {
        size.text = (const char *)sqlite3_column_text(row->statement, reader->size_column);
        size.length = (size_t)sqlite3_column_bytes(row->statement, reader->size_column);
        side.attribute_count = size.text != NULL;
    }
    OC_TRY(find_place(&side.stream, reader, row, true));
    OC_TRY(oc_ingest_side_of(ingest, &side, key));
    side.stream = state->stream;
    side.kind = OC_SORTED_LINK_END;
    side.time = state->time;
    side.attribute_count = 0;
    return oc_ingest_side_of(ingest, &side, key);
}

static ocelotl_status take_state(nsys_reader *reader, const oc_row *row, bool is_again)
{
    oc_ingest *ingest = &reader->ingest;
    ocelotl_attribute_value attributes[MOST_ATTRIBUTES];
    oc_sorted record = {.type = reader->type, .kind = OC_SORTED_SPAN};
    const bool is_mark = reader->table->role == NSYS_MARKS;
    const bool has_end = sqlite3_column_type(row->statement, NSYS_END) == SQLITE_INTEGER;
    if (sqlite3_column_type(row->statement, NSYS_BEGIN) != SQLITE_INTEGER)
        return oc_fail(OCELOTL_ERROR_INPUT, "the row of %s has no begin, expected nanoseconds",
                       reader->found->name);
    record.time = sqlite3_column_int64(row->statement, NSYS_BEGIN);
    OC_TRY(find_place(&record.stream, reader, row, false));
    if (!is_again) {
        reader->found->taken++;
        OC_TRY(find_value(&record.value, reader, row));
        OC_TRY(find_attributes(&record, attributes, reader, row));
        oc_kinds_add(&ingest->kinds, reader->kind);
        record.end = number(row, NSYS_END, 0);
        if (is_mark || !has_end) {
            record.kind = is_mark ? OC_SORTED_INSTANT : OC_SORTED_BEGIN;
            record.order = record.stream;
            record.detail = 0;
        } else if (record.end < record.time) {
            oc_ingest_note(ingest, NSYS_NEGATIVE);
            record.end = record.time;
        }
        OC_TRY(oc_ingest_add(ingest, &record));
    }
    return sqlite3_column_type(row->statement, NSYS_CALL) == SQLITE_INTEGER
               ? add_link(reader, row, &record)
               : OCELOTL_OK;
}

/* --- What names rows, and the clock */

static ocelotl_status take_name(nsys_reader *reader, const oc_row *row)
{
    uint32_t of;
    const nsys_role role = reader->table->role;
    const int column = role == NSYS_THREADS ? 2 : 1;
    const char *name = (const char *)sqlite3_column_text(row->statement, column);
    const int64_t first = number(row, 0, -1);
    if (first < 0 || name == NULL || name[0] == '\0')
        return OCELOTL_OK;
    if (role == NSYS_THREADS)
        OC_TRY(find_thread(&of, reader, first, number(row, 1, -1)));
    else if (role == NSYS_PROCESSES)
        OC_TRY(find_row(&of, reader, OCELOTL_NONE, reader->process_type, "process", first));
    else
        OC_TRY(find_row(&of, reader, OCELOTL_NONE, reader->device_type, "GPU", first));
    if (role != NSYS_PROCESSES)
        return oc_ingest_row_name(&reader->ingest, of, name);
    const size_t length = strcspn(name, " "); /* the program of a command, without its folder */
    size_t begin = length;
    while (begin > 0 && name[begin - 1] != '/')
        begin--;
    oc_text_clear(&reader->name);
    oc_text_append(&reader->name, name + begin, length - begin);
    return reader->name.failed || length == begin
               ? OCELOTL_OK
               : oc_ingest_row_name(&reader->ingest, of, reader->name.bytes);
}

static ocelotl_status take_row(void *context, const oc_row *row)
{
    nsys_reader *reader = context;
    oc_ingest *ingest = &reader->ingest;
    oc_aligned *file = &ingest->files[ingest->file];
    if (row->number % REPORTED == 0)
        OC_TRY(oc_ingest_report(ingest, reader->source->input));
    if (reader->table->role == NSYS_CLOCK) {
        file->origin = number(row, 0, 0);
        file->has_clock = file->origin > 0;
        return OCELOTL_OK;
    }
    if (reader->table->role >= NSYS_PROCESSES)
        return take_name(reader, row);
    const int64_t at = number(row, NSYS_ROW, 0);
    const bool is_again = reader->has_row && at == reader->last_row;
    reader->has_row = true;
    reader->last_row = at;
    ingest->line = (uint64_t)at;
    const ocelotl_status status = take_state(reader, row, is_again);
    return status == OCELOTL_OK
               ? status
               : oc_oddities_skip(&ingest->oddities, status, ingest->path, (uint64_t)at);
}

/* --- A file */

static ocelotl_status ignore_row(void *context, const oc_row *row)
{
    (void)context, (void)row;
    return OCELOTL_OK;
}

static ocelotl_status declare(nsys_reader *reader)
{
    const nsys_table *table = reader->table;
    const bool is_mark = table->role == NSYS_MARKS;
    const uint32_t rows = table->role != NSYS_ON_STREAM     ? reader->thread_type
                          : strcmp(table->type, "GPU") == 0 ? reader->stream_type
                                                            : OCELOTL_ROOT;
    for (size_t i = 0; i < MOST_ATTRIBUTES; i++)
        reader->attributes[i] = OCELOTL_NONE;
    OC_TRY(oc_kinds_find(&reader->kind, &reader->ingest.kinds, reader->found->name,
                         reader->found->wide, is_mark ? OCELOTL_FATE_EVENT : OCELOTL_FATE_STATE,
                         NULL));
    return oc_ingest_event_type(&reader->type, &reader->ingest,
                                is_mark ? OCELOTL_EVENT : OCELOTL_STATE, rows, table->type,
                                OC_NEST_BY_TIME);
}

/* Tables are joined, so that one that is damaged spoils others. Where the import is lenient each is
 * replaced by an empty one of its name in the queries of others, which ask for it without "main";
 * else the first is an error. */
static ocelotl_status find_damaged(nsys_reader *reader)
{
    for (size_t i = 0; i < reader->table_count; i++) {
        const char *name = reader->tables[i].name;
        oc_text_clear(&reader->sql);
        oc_text_format(&reader->sql, "SELECT count(*) FROM main.\"%s\" NOT INDEXED", name);
        const ocelotl_status status = query(reader, name, ignore_row);
        if (status != OCELOTL_ERROR_INPUT || !reader->ingest.oddities.lenient)
            OC_TRY(status);
        if (status == OCELOTL_OK)
            continue;
        oc_text_clear(&reader->sql);
        oc_text_format(&reader->sql,
                       "CREATE TEMP TABLE \"%s\" AS SELECT * FROM main.\"%s\" LIMIT 0", name, name);
        OC_TRY(query(reader, name, ignore_row));
    }
    return OCELOTL_OK;
}

/* What is damaged is left out where the import is lenient. */
static ocelotl_status or_lose(nsys_reader *reader, ocelotl_status status, const char *what)
{
    oc_oddities *oddities = &reader->ingest.oddities;
    return status == OCELOTL_ERROR_INPUT && oddities->lenient
               ? oc_oddities_lose_rest(oddities, what)
               : status;
}

static ocelotl_status read_table(nsys_reader *reader, const nsys_table *table, found_table *found)
{
    const bool has_events = table->role < NSYS_PROCESSES;
    reader->table = table;
    reader->found = found;
    reader->has_row = false;
    reader->size_column = 0;
    for (size_t i = 0; i < PLACES; i++)
        reader->last[i].row = OCELOTL_NONE;
    found->is_known = true;
    found->why = has_events ? "neither a state nor a mark" : NULL;
    OC_TRY(find_columns(reader, found->name));
    if (has_events)
        OC_TRY(declare(reader));
    oc_text_clear(&reader->sql);
    oc_text_add(&reader->sql, has_events ? "SELECT t.rowid, " : "SELECT ");
    add_sql(reader, table->columns);
    oc_text_format(&reader->sql, " FROM main.\"%s\" t ", found->name);
    add_sql(reader, table->rest != NULL ? table->rest : "");
    return or_lose(reader, query(reader, found->name, take_row), found->name);
}

static ocelotl_status count_rows(void *context, const oc_row *row)
{
    nsys_reader *reader = context;
    const found_table *found = reader->found;
    const uint64_t count = (uint64_t)sqlite3_column_int64(row->statement, 0);
    oc_text_clear(&reader->name);
    oc_text_append(&reader->name, found->name, found->wide);
    if (reader->name.failed)
        return oc_fail_memory();
    return count <= found->taken ? OCELOTL_OK
                                 : oc_kinds_count(&reader->ingest.kinds, reader->name.bytes,
                                                  found->why != NULL ? OCELOTL_FATE_LEFT_OUT
                                                                     : OCELOTL_FATE_DEFINITION,
                                                  count - found->taken, found->why);
}

/* A table that is not in the schema, but may be as others: then `any` says what is in it. */
static ocelotl_status read_other(nsys_reader *reader, const nsys_table *any, found_table *found)
{
    OC_TRY(find_columns(reader, found->name));
    const bool is_timed = has_column(reader, "start", 5);
    if (is_timed || has_column(reader, "timestamp", 9) || has_column(reader, "event_id", 8))
        found->why = "no state of a thread or of a stream";
    if (any->columns == NULL || !is_timed || !has_column(reader, "end", 3) ||
        !has_column(reader, "globalTid", 9))
        return OCELOTL_OK;
    return read_table(reader, any, found);
}

/* Reads the tables of one suffix. */
static ocelotl_status read_suffixed(nsys_reader *reader, const char *suffix)
{
    const size_t wide = strlen(suffix);
    reader->suffix = suffix;
    for (size_t i = 0; i < reader->table_count && wide > 0; i++) {
        found_table *found = &reader->tables[i];
        const size_t length = strlen(found->name);
        if (length > wide && strcmp(found->name + length - wide, suffix) == 0)
            found->wide = length - wide;
    }
    for (const nsys_table *table = reader->schema->tables; table->name != NULL; table++) {
        found_table *found = find_table(reader, table->name, strlen(table->name), suffix);
        if (found != NULL)
            OC_TRY(read_table(reader, table, found));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_tables(nsys_reader *reader)
{
    const nsys_table *any = reader->schema->tables;
    const char *strings = reader->schema->strings;
    for (size_t i = 0; i < reader->table_count; i++) /* of rocpd: a suffix a process */
        if (strncmp(reader->tables[i].name, strings, strlen(strings)) == 0)
            OC_TRY(read_suffixed(reader, reader->tables[i].name + strlen(strings)));
    while (any->name != NULL)
        any++;
    for (size_t i = 0; i < reader->table_count; i++) {
        found_table *found = reader->found = &reader->tables[i];
        if (!found->is_known)
            OC_TRY(read_other(reader, any, found));
        oc_text_clear(&reader->sql);
        oc_text_format(&reader->sql, "SELECT count(*) FROM main.\"%s\"", found->name);
        OC_TRY(or_lose(reader, query(reader, found->name, count_rows), found->name));
    }
    return OCELOTL_OK;
}

static ocelotl_status read_database(nsys_reader *reader)
{
    OC_TRY(open_database(&reader->database, &reader->bound, &reader->bytes, reader->source));
    oc_text_clear(&reader->sql);
    oc_text_add(&reader->sql, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > "
                              "0 AND name NOT LIKE 'sqlite!_%' ESCAPE '!'");
    OC_TRY(query(reader, "its schema", note_table));
    if (reader->ingest.oddities.lenient)
        OC_TRY(find_damaged(reader));
    const ocelotl_status status = read_tables(reader);
    if (status == OCELOTL_ERROR_INPUT && sqlite3_errcode(reader->database) == SQLITE_CORRUPT)
        OC_TRY(find_damaged(reader)); /* which it is */
    return status;
}

static ocelotl_status read_file(void *decoder, const oc_source *source)
{
    nsys_reader *reader = decoder;
    reader->source = source;
    const ocelotl_status status = or_lose(reader, read_database(reader), "trace");
    sqlite3_close(reader->database);
    oc_arena_free(&reader->arena);
    reader->database = NULL;
    reader->tables = NULL;
    reader->table_count = reader->table_capacity = 0;
    return status;
}

static ocelotl_status import_files(nsys_reader *reader, const oc_import *import)
{
    oc_ingest *ingest = &reader->ingest;
    ingest->aligns_at_end = true;
    OC_TRY(oc_ingest_open(ingest, import, reader->schema->format, oddity_names, NSYS_ODDITY_END));
    ingest->size = 0; /* how far it is in a database is not known */
    OC_TRY(oc_ingest_resource_type(&reader->process_type, ingest, ingest->file_type, "Process"));
    OC_TRY(oc_ingest_resource_type(&reader->thread_type, ingest, reader->process_type, "Thread"));
    OC_TRY(oc_ingest_resource_type(&reader->device_type, ingest, ingest->file_type, "Device"));
    OC_TRY(oc_ingest_resource_type(&reader->stream_type, ingest, reader->device_type, "Stream"));
    OC_TRY(oc_ingest_event_type(&reader->launch_type, ingest, OCELOTL_LINK, OCELOTL_ROOT, "Launch",
                                OC_NEST_BY_TIME));
    OC_TRY(oc_ingest_value(&reader->launch, ingest, reader->launch_type, "launch", 6));
    OC_TRY(oc_ingest_attribute(&reader->size, ingest, reader->launch_type, "size", 4));
    OC_TRY(oc_ingest_files(ingest, read_file, reader));
    return oc_ingest_write(ingest, no_state, NULL, NULL);
}

ocelotl_status nsys_import_all(const nsys_schema *schema, const oc_import *import)
{
    nsys_reader *reader = NULL;
    OC_TRY(oc_allocate(&reader, 1, sizeof *reader));
    reader->schema = schema;
    const ocelotl_status status = import_files(reader, import);
    oc_text_free(&reader->sql);
    oc_text_free(&reader->name);
    oc_text_free(&reader->columns);
    oc_ingest_close(&reader->ingest);
    free(reader);
    return status;
}

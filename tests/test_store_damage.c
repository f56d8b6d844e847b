/* Files that are no trace.db, or a damaged one: an error of one line or a result, never a crash,
 * never a hang, never an allocation of what a damaged length asked for, and nothing left beside the
 * file.
 *
 * OCELOTL_TEST_ROUNDS=10000 makes it try more than it does in every run. */
#include "temporary.h"

#include "test_checksums.h"
#include "test_store_fold.h"

#include "store/read/reader.h"

#include <sys/resource.h>

static void write_sample(const char *path, uint32_t steps)
{
    uint32_t resources[3], state, values[3];
    uint64_t random = 77, link;
    ocelotl_writer *writer = must_write(path, NULL);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "thread");
    for (uint32_t r = 0; r < 3; r++)
        resources[r] =
            must_resource(writer, type, r == 0 ? OCELOTL_ROOT : resources[r - 1], "resource", 0);
    CHECK_OK(ocelotl_writer_event_type(&state, writer, OCELOTL_STATE, type, "state", 255));
    const uint32_t variable = must_type(writer, OCELOTL_VARIABLE, type, "variable");
    const uint32_t event = must_type(writer, OCELOTL_EVENT, type, "event");
    const uint32_t link_type = must_type(writer, OCELOTL_LINK, type, "link");
    const uint32_t size = must_attribute(writer, link_type, "size");
    for (uint32_t v = 0; v < 3; v++)
        values[v] = must_value(writer, state, "value");
    CHECK_OK(ocelotl_writer_warning(writer, "odd", 3, "somewhere"));
    const ocelotl_attribute_value attribute = {size, "12", 2};
    for (int64_t time = 0; time < (int64_t)steps; time++) {
        const uint32_t r = resources[check_below(&random, 3)];
        if (ocelotl_writer_open_states(writer, r, state) > check_below(&random, 4))
            must_pop(writer, r, state, 0, time);
        else
            must_push(writer, r, state, values[check_below(&random, 3)], time);
        if (time % 4 == 0)
            must_step(writer, r, variable, time, 1.5);
        if (time % 7 == 0)
            must_event(writer, r, event, OCELOTL_NONE, time);
        if (time % 5 == 0) {
            CHECK_OK(ocelotl_writer_link_begin(&link, writer, r, link_type, OCELOTL_NONE, time,
                                               &attribute, 1));
            CHECK_OK(ocelotl_writer_link_end(writer, link, resources[1], time, NULL, 0));
        }
        if (time == (int64_t)steps / 2)
            CHECK_OK(ocelotl_writer_refine(writer, 1));
    }
    must_finish(writer);
}

static void check_message(ocelotl_status status)
{
    CHECK(status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_IO ||
          status == OCELOTL_ERROR_LIMIT || status == OCELOTL_ERROR_ARGUMENT ||
          status == OCELOTL_ERROR_EMPTY);
    CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
}

static void use_streams(ocelotl_trace *trace)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    for (uint32_t s = 0; s < trace->stream_count && s < 32; s++) {
        oc_cursor *cursor;
        ocelotl_status status =
            oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, s, 64);
        if (status != OCELOTL_OK) {
            check_message(status);
            continue;
        }
        for (int64_t i = 0; i <= 4 && status == OCELOTL_OK; i++)
            status =
                oc_cursor_seek(cursor, info.begin + (info.end - info.begin) / 4 * i, i % 2 == 0);
        if (status != OCELOTL_OK)
            check_message(status);
        oc_cursor_free(cursor);
    }
}

/* What is found in a damaged model is finite, and covers it. */
static void use_model(const ocelotl_model *model, ocelotl_kind kind)
{
    ocelotl_aggregation *aggregation = NULL;
    ocelotl_aggregation_options options = OCELOTL_AGGREGATION_OPTIONS_INIT;
    ocelotl_levels_options search = OCELOTL_LEVELS_OPTIONS_INIT;
    options.kind = kind;
    options.work.threads = 1;
    search.max_levels = 4;
    ocelotl_status status = ocelotl_aggregation_create(&aggregation, model, &options);
    if (status != OCELOTL_OK) {
        check_message(status);
        return;
    }
    ocelotl_partition *partition = must_solve(aggregation, 0.5);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    CHECK(info.part_count > 0 && isfinite(info.gain) && isfinite(info.loss));
    CHECK(info.gain >= 0 && info.loss > -1e-6 * (1 + info.whole_loss));
    ocelotl_partition_free(partition);
    ocelotl_levels *levels = must_find_levels(aggregation, &search);
    CHECK(ocelotl_levels_info_of(levels).count > 0);
    ocelotl_levels_free(levels);
    ocelotl_aggregation_free(aggregation);
}

/* Totals at both ends and in between of every stream, and all names. */
static void use_names(const ocelotl_trace *trace)
{
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, v);
        CHECK(value.name != NULL && isfinite(ocelotl_trace_seconds(trace, value.inclusive_ticks)));
    }
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        CHECK(resource.name != NULL && (resource.parent == OCELOTL_ROOT || resource.parent < r));
    }
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++)
        CHECK(ocelotl_trace_event_type_at(trace, t).name != NULL);
    for (uint32_t w = 0; w < ocelotl_trace_warning_count(trace); w++)
        CHECK(ocelotl_trace_warning_at(trace, w).detail != NULL);
}

/* Whatever can be done with a trace. */
static bool use(const char *path)
{
    ocelotl_trace *trace;
    ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK) {
        check_message(status);
        return false;
    }
    for (int nesting = OCELOTL_INNERMOST; nesting <= OCELOTL_INCLUSIVE; nesting++) {
        ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
        ocelotl_model *model = NULL;
        options.slices = 20;
        options.cells.nesting = (ocelotl_nesting)nesting;
        status = ocelotl_model_from_trace(&model, trace, &options);
        options.kind = (ocelotl_kind)(nesting == OCELOTL_INNERMOST ? OCELOTL_SPATIOTEMPORAL
                                                                   : OCELOTL_TEMPORAL);
        if (status != OCELOTL_OK)
            check_message(status);
        else
            use_model(model, options.kind);
        ocelotl_model_free(model);
    }
    use_streams(trace);
    use_names(trace);
    ocelotl_trace_free(trace);
    return true;
}

static void check_not_ours(void)
{
    ocelotl_trace *trace;
    sqlite3 *database;
    const char *path = temporary_path("other.db");
    size_t length;
    CHECK_FAILS(ocelotl_trace_open(&trace, temporary_path("nothing.db")), OCELOTL_ERROR_IO,
                "No such file");
    CHECK_FAILS(ocelotl_trace_open(&trace, temporary_folder), OCELOTL_ERROR_IO, "is a directory");
    temporary_write(path, "", 0);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "is empty");
    temporary_write(path, "no database at all, but some text that goes on and on", 50);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "is not a trace.db");
    CHECK(unlink(path) == 0 && sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, "CREATE TABLE t(a)", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(database);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "but not a trace.db");
    CHECK(unlink(path) == 0);
    write_sample(path, 50);
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, "PRAGMA user_version = 99", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(database);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT,
                "version 99, expected 3, or a newer Ocelotl");
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, "PRAGMA user_version = 2", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(database);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT,
                "version 2, expected 3; import the trace again: ocelotl-cli import --force TRACE");
    CHECK(unlink(path) == 0);
    write_sample(path, 500);
    CHECK(use(path));
    char *bytes = temporary_read(&length, path);
    temporary_write(path, bytes, length / 3);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "is damaged");
    free(bytes);
    CHECK(temporary_files(true) == 1);
}

static void damage(char *bytes, size_t *length, uint64_t *random)
{
    const uint32_t kind = check_below(random, 8);
    if (kind == 0)
        *length = check_below(random, (uint32_t)*length);
    const uint32_t count = 1u << check_below(random, 6);
    for (uint32_t i = 0; i<count && * length> 0; i++) {
        const size_t place = check_below(random, (uint32_t)*length);
        if (kind < 4)
            bytes[place] = (char)check_random(random);
        else
            bytes[place] = (char)(bytes[place] ^ (1 << check_below(random, 8)));
    }
    if (kind == 7 && *length > 600)
        memset(bytes + check_below(random, (uint32_t)*length - 512), 0, 512);
}

static uint64_t count_rounds(uint64_t usual)
{
    const char *wanted = getenv("OCELOTL_TEST_ROUNDS");
    const uint64_t rounds = wanted != NULL ? strtoull(wanted, NULL, 10) : 0;
    return rounds > usual ? rounds : usual;
}

static void check_flips(void)
{
    const char *path = temporary_path("trace.db");
    size_t length;
    uint32_t opened = 0;
    write_sample(path, 3000);
    char *whole = temporary_read(&length, path);
    char *bytes = malloc(length);
    CHECK(bytes != NULL);
    const uint64_t rounds = count_rounds(600);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = seed * 0x9E3779B97F4A7C15u;
        size_t left = length;
        memcpy(bytes, whole, length);
        damage(bytes, &left, &random);
        const char *damaged = temporary_path("damaged.db");
        temporary_write(damaged, bytes, left);
        if (seed % 3 != 0)
            checksums_renew_file(damaged);
        opened += use(damaged);
        CHECK(temporary_files(false) == 2);
    }
    CHECK(opened > rounds / 20 && opened < rounds - rounds / 30);
    free(bytes);
    free(whole);
    temporary_files(true);
}

/* Damage that SQLite cannot see: other numbers in its columns. */
static void check_columns(void)
{
    static const char *const columns[][2] = {{"meta", "value"},
                                             {"resource_type", "parent"},
                                             {"resource_type", "id"},
                                             {"resource", "parent"},
                                             {"resource", "type"},
                                             {"resource", "begin"},
                                             {"resource", "end"},
                                             {"resource", "id"},
                                             {"resource", "name"},
                                             {"event_type", "category"},
                                             {"event_type", "id"},
                                             {"event_type", "count"},
                                             {"event_type", "resource_type"},
                                             {"value", "event_type"},
                                             {"value", "innermost"},
                                             {"value", "inclusive"},
                                             {"value", "id"},
                                             {"stream", "resource"},
                                             {"stream", "event_type"},
                                             {"stream", "role"},
                                             {"stream", "count"},
                                             {"stream", "id"},
                                             {"chunk", "stream"},
                                             {"chunk", "number"},
                                             {"chunk", "begin"},
                                             {"chunk", "unit"},
                                             {"chunk", "totals"},
                                             {"chunk", "events"},
                                             {"import_warning", "count"}};
    static const char *const numbers[] = {"-1",
                                          "0",
                                          "1",
                                          "2",
                                          "3",
                                          "1000",
                                          "4294967295",
                                          "4294967296",
                                          "9223372036854775807",
                                          "-9223372036854775807 - 1",
                                          "'text'",
                                          "x'00'",
                                          "x'01ff'",
                                          "randomblob(30)",
                                          "zeroblob(40)",
                                          "1e300",
                                          "NULL"};
    const char *path = temporary_path("trace.db");
    size_t length;
    write_sample(path, 400);
    char *whole = temporary_read(&length, path);
    uint64_t random = 3;
    for (uint32_t i = 0; i < 29 * 17; i++) {
        sqlite3 *database;
        char sql[256];
        temporary_write(path, whole, length);
        CHECK(sqlite3_open(path, &database) == SQLITE_OK);
        snprintf(sql, sizeof sql,
                 "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;"
                 "UPDATE %s SET %s = %s WHERE %s%u",
                 columns[i % 29][0], columns[i % 29][1], numbers[i / 29],
                 i % 29 == 0 ? "key = 'end' OR length(key) = " : "rowid % 3 = ",
                 check_below(&random, 3));
        sqlite3_exec(database, sql, NULL, NULL, NULL); /* a constraint may forbid it */
        if (i % 5 != 0)
            checksums_renew(database);
        sqlite3_close(database);
        use(path);
    }
    free(whole);
    temporary_files(true);
}

/* Every number of a key in `meta`. */
static void check_meta(void)
{
    static const char *const keys[] = {
        "tick_numerator", "tick_denominator", "begin", "end", "name", "uid"};
    static const char *const numbers[] = {
        "-1", "0", "9223372036854775807", "-9223372036854775807", "x'ff'", "NULL"};
    const char *path = temporary_path("trace.db");
    for (size_t i = 0; i < 36; i++) {
        sqlite3 *database;
        char sql[256];
        write_sample(path, 100);
        CHECK(sqlite3_open(path, &database) == SQLITE_OK);
        snprintf(sql, sizeof sql, "UPDATE meta SET value = %s WHERE key = '%s'", numbers[i / 6],
                 keys[i % 6]);
        CHECK(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK);
        checksums_renew(database);
        sqlite3_close(database);
        use(path);
        temporary_files(true);
    }
}

/* What is missing is found when the trace is opened: an id is an index, and a row less would give
 * all that follow another's name. */
static void check_missing(const char *sql, const char *message)
{
    ocelotl_trace *trace;
    sqlite3 *database;
    const char *path = temporary_path("trace.db");
    write_sample(path, 100);
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(database);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, message);
    temporary_files(true);
}

static oc_records random_records(oc_role role, uint64_t *random)
{
    oc_records records = {0};
    int64_t time = (int64_t)check_below(random, 1000) - 500;
    const uint32_t count = 1 + check_below(random, 40);
    for (uint32_t i = 0; i < count; i++) {
        oc_record record = {.time = time,
                            .value = check_below(random, 3) - (role != OC_ROLE_STATES)};
        const ocelotl_attribute_value attributes[] = {
            {check_below(random, 3), "123", check_below(random, 4)}, {1, NULL, 0}};
        if ((role == OC_ROLE_STATES || role == OC_ROLE_LINKS_OUT) && check_below(random, 2) == 0)
            record = (oc_record){.time = time, .ends = true, .depth = check_below(random, 3)};
        if (role == OC_ROLE_LINKS_IN || (role == OC_ROLE_LINKS_OUT && record.ends)) {
            record.partner = check_below(random, 3) - 1;
            record.duration = (int64_t)check_below(random, 9) - 4;
        }
        if (role == OC_ROLE_VARIABLE)
            record = (oc_record){.time = time, .number = check_below(random, 9)};
        CHECK_OK(oc_records_add(&records, &record, attributes, check_below(random, 3)));
        time += check_below(random, 4);
    }
    return records;
}

static bool same_records(const oc_records *a, const oc_records *b, int64_t unit)
{
    bool same = a->count == b->count && a->attribute_count == b->attribute_count;
    for (size_t i = 0; i < a->count && same; i++) {
        const oc_record *x = &a->records[i], *y = &b->records[i];
        same = x->time * unit == y->time && x->ends == y->ends && x->depth == y->depth &&
               x->partner == y->partner && x->duration * unit == y->duration &&
               x->number == y->number && (x->ends || x->value == y->value) &&
               x->attribute_count == y->attribute_count;
    }
    for (size_t i = 0; i < a->attribute_count && same; i++) {
        const oc_record_attribute *x = &a->attributes[i], *y = &b->attributes[i];
        same = x->attribute == y->attribute && x->length == y->length &&
               memcmp(a->text.bytes + x->text, b->text.bytes + y->text, x->length) == 0;
    }
    return same;
}

static void try_apply(oc_role role, const oc_records *records)
{
    oc_fold fold = {.role = role};
    oc_text packed = {0};
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < records->count && status == OCELOTL_OK; i++)
        status = oc_fold_apply(&fold, records, &records->records[i]);
    oc_fold_pack(&packed, &fold);
    uint64_t random = records->count + 1;
    for (int i = 0; i < 8; i++) {
        oc_fold read = {.role = role};
        if (i > 0 && packed.length > 0)
            packed.bytes[check_below(&random, (uint32_t)packed.length)] =
                (char)check_below(&random, 128);
        const ocelotl_status unpacked = oc_fold_unpack(&read, packed.bytes, packed.length, 1);
        CHECK(i > 0 || unpacked == OCELOTL_OK);
        if (unpacked == OCELOTL_OK)
            for (size_t t = 0; t < read.total_count; t++)
                fold_inclusive(&read, t);
        oc_fold_free(&read);
    }
    oc_text_free(&packed);
    oc_fold_free(&fold);
}

/* Blobs come back as they went, and damaged ones are found out or give something else, but nothing
 * bad. */
static void check_blobs(void)
{
    for (uint64_t seed = 1; seed <= 4000; seed++) {
        uint64_t random = seed * 0x9E3779B97F4A7C15u;
        const oc_role role = (oc_role)(seed % 5);
        oc_records records = random_records(role, &random);
        oc_records read = {0};
        oc_text blob = {0};
        CHECK_OK(oc_records_pack(&blob, &records, role));
        CHECK_OK(oc_records_unpack(&read, blob.bytes, blob.length, role, 3, NULL));
        CHECK(same_records(&records, &read, 3));
        for (int i = 0; i < 6; i++) {
            const size_t place = check_below(&random, (uint32_t)blob.length);
            blob.bytes[place] = (char)(blob.bytes[place] ^ (1 << check_below(&random, 8)));
            if (i == 5)
                blob.length = place;
            if (oc_records_unpack(&read, blob.bytes, blob.length, role, 1, NULL) == OCELOTL_OK)
                try_apply(role, &read);
        }
        oc_text_free(&blob);
        oc_records_free(&read);
        oc_records_free(&records);
    }
}

/* What a damaged length asks for is not allocated: with so little memory that would fail, and
 * check_message refuses the failure. The sanitizers need their own. */
static void bound_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return;
    const bool known = fscanf(file, "%lu", &pages) == 1;
    fclose(file);
    const rlim_t most = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)128 << 20);
    const struct rlimit limit = {most, most};
    if (known)
        CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
#endif
}

/* A chunk less is noticed where it is needed. */
static void check_missing_chunk(void)
{
    ocelotl_trace *trace;
    oc_cursor *cursor;
    sqlite3 *database;
    const char *path = temporary_path("trace.db");
    write_sample(path, 9000);
    CHECK(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK(sqlite3_exec(database, "DELETE FROM chunk WHERE number = 1", NULL, NULL, NULL) ==
          SQLITE_OK);
    CHECK(sqlite3_changes(database) > 0);
    sqlite3_close(database);
    trace = must_open(path);
    uint32_t refused = 0;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        const ocelotl_status status =
            oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, s, 64);
        if (status == OCELOTL_OK)
            oc_cursor_free(cursor);
        else
            refused += strstr(ocelotl_error_message(), " is missing; `ocelotl-cli verify`") != NULL;
    }
    CHECK(refused > 0);
    ocelotl_trace_free(trace);
    temporary_files(true);
}

/* A database that claims to have a log, and one with a journal beside it: neither is looked for, or
 * left. */
static void check_side_files(void)
{
    const char *path = temporary_path("trace.db");
    size_t length;
    write_sample(path, 500);
    char *bytes = temporary_read(&length, path);
    bytes[18] = bytes[19] = 2;
    temporary_write(path, bytes, length);
    CHECK(use(path));
    CHECK(temporary_files(false) == 1);
    temporary_write(temporary_path("trace.db-journal"), bytes, length);
    temporary_write(temporary_path("trace.db-wal"), bytes, length);
    CHECK(use(path));
    CHECK(temporary_files(true) == 3);
    free(bytes);
}

int main(void)
{
    temporary_begin();
    bound_memory();
    check_not_ours();
    check_missing("DELETE FROM value WHERE id = 1", "a row is missing");
    check_missing_chunk();
    check_side_files();
    check_meta();
    check_columns();
    check_blobs();
    check_flips();
    return 0;
}

/* Files that are no trace.db, or a damaged one: an error of one line or a result, never a crash,
 * never a hang, never an allocation of what a damaged length asked for, and nothing left beside the
 * file.
 *
 * OCELOTL_TEST_ROUNDS=10000 makes it try more than it does in every run. */
#include "test_query_trace.h"

#include "fuzz/ask.h"
#include "packed.h"
#include "test_checksums.h"

#include "store/read/reader.h"

#include <sys/resource.h>

/* The bytes of a trace of about `changes` changes; to be freed. */
static char *write_sample(size_t *length, const char *path, uint32_t changes)
{
    known_trace known;
    known_write(&known, path, 77, changes);
    free(known.events);
    return temporary_read(length, path);
}

static void check_message(ocelotl_status status)
{
    CHECK(status == OCELOTL_ERROR_INPUT || status == OCELOTL_ERROR_IO ||
          status == OCELOTL_ERROR_LIMIT || status == OCELOTL_ERROR_ARGUMENT ||
          status == OCELOTL_ERROR_EMPTY);
    CHECK(ocelotl_error_message()[0] != '\0' && strchr(ocelotl_error_message(), '\n') == NULL);
}

/* Whatever can be done with a trace: all of it at every 16th turn, else models, or events and
 * cursors. */
static bool use(const char *path, uint64_t turn)
{
    ocelotl_trace *trace;
    ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status != OCELOTL_OK) {
        check_message(status);
        return false;
    }
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    ask(trace, turn % 16 == 0 ? ASK_EVERYTHING : turn % 8 == 0 ? ASK_MODELS : ASK_EVENTS);
    for (uint32_t s = 0; s < trace->stream_count && s < 32; s++) {
        oc_cursor *cursor = NULL;
        status = oc_cursor_open(&cursor, &(oc_connection){trace, trace->database}, s, 64);
        for (int64_t i = 0; i <= 4 && status == OCELOTL_OK; i++)
            status =
                oc_cursor_seek(cursor, info.begin + (info.end - info.begin) / 4 * i, i % 2 == 0);
        if (status != OCELOTL_OK)
            check_message(status);
        oc_cursor_free(cursor);
    }
    ocelotl_trace_free(trace);
    return true;
}

static void check_not_ours(void)
{
    static const struct {
        const char *sql, *message;
    } changes[] = {
        {"PRAGMA user_version = 99", "version 99, expected 3, or a newer Ocelotl"},
        {"PRAGMA user_version = 2",
         "version 2, expected 3; import the trace again: ocelotl-cli import --force TRACE"},
        /* an id is an index, and a row less would give all that follow another's name */
        {"DELETE FROM value WHERE id = 1", "a row is missing"},
    };
    ocelotl_trace *trace;
    const char *path = temporary_path("other.db");
    size_t length;
    CHECK_FAILS(ocelotl_trace_open(&trace, temporary_path("nothing.db")), OCELOTL_ERROR_IO,
                "No such file");
    CHECK_FAILS(ocelotl_trace_open(&trace, temporary_folder), OCELOTL_ERROR_IO, "is a directory");
    temporary_write(path, "", 0);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "is empty");
    temporary_write(path, "no database at all, but some text that goes on and on", 50);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "is not a trace.db");
    CHECK(unlink(path) == 0);
    database_change(path, "CREATE TABLE t(a)");
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "but not a trace.db");
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        free(write_sample(&length, path, 50));
        database_change(path, "%s", changes[i].sql);
        CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, changes[i].message);
    }
    char *bytes = write_sample(&length, path, 500);
    CHECK(use(path, 0));
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
    const char *damaged = temporary_path("damaged.db");
    size_t length;
    uint32_t opened = 0;
    char *whole = write_sample(&length, damaged, 1500);
    char *bytes = malloc(length);
    CHECK(bytes != NULL);
    const uint64_t rounds = count_rounds(check_rounds(1200));
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        uint64_t random = seed * 0x9E3779B97F4A7C15u;
        size_t left = length;
        memcpy(bytes, whole, length);
        damage(bytes, &left, &random);
        temporary_write(damaged, bytes, left);
        if (seed % 3 != 0)
            checksums_renew_file(damaged);
        opened += use(damaged, seed / 3);
        CHECK(temporary_files(false) == 1);
    }
    CHECK(opened > rounds / 20 && opened < rounds - rounds / 30);
    free(bytes);
    free(whole);
    temporary_files(true);
}

/* Damage that SQLite cannot see: other numbers and blobs in its columns. */
static void check_columns(void)
{
    static const char *const columns[][2] = {{"resource_type", "parent"},
                                             {"resource_type", "id"},
                                             {"resource_type", "name"},
                                             {"resource", "parent"},
                                             {"resource", "type"},
                                             {"resource", "begin"},
                                             {"resource", "end"},
                                             {"resource", "id"},
                                             {"resource", "name"},
                                             {"event_type", "category"},
                                             {"event_type", "id"},
                                             {"event_type", "count"},
                                             {"event_type", "name"},
                                             {"event_type", "unmatched"},
                                             {"event_type", "attributes"},
                                             {"value", "event_type"},
                                             {"value", "innermost"},
                                             {"value", "inclusive"},
                                             {"value", "id"},
                                             {"value", "name"},
                                             {"event_type", "resource_type"},
                                             {"stream", "resource"},
                                             {"stream", "event_type"},
                                             {"stream", "role"},
                                             {"stream", "count"},
                                             {"stream", "begin"},
                                             {"stream", "end"},
                                             {"stream", "id"},
                                             {"chunk", "stream"},
                                             {"chunk", "number"},
                                             {"chunk", "begin"},
                                             {"chunk", "unit"},
                                             {"chunk", "totals"},
                                             {"chunk", "events"},
                                             {"import_warning", "count"},
                                             {"meta", "value"}};
    static const char *const keys[] = {
        "tick_numerator", "tick_denominator", "begin", "end", "name", "uid"};
    static const char *const contents[] = {
        "-1",
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
        "'%2F\n/'",
        "x''",
        "x'00'",
        "x'01ff'",
        "x'ff00ff'",
        "randomblob(30)",
        "zeroblob(40)",
        "zeroblob(5000)",
        "1e300",
        "NULL",
        "(SELECT totals FROM chunk ORDER BY rowid DESC LIMIT 1)",
        "(SELECT events FROM chunk ORDER BY rowid DESC LIMIT 1)"};
    enum {
        COLUMNS = sizeof columns / sizeof columns[0],
        KEYS = sizeof keys / sizeof keys[0],
        CONTENTS = sizeof contents / sizeof contents[0],
        ALL = (COLUMNS + KEYS) * CONTENTS
    };
    const char *path = temporary_path("trace.db");
    size_t length;
    uint64_t random = 3;
    char *whole = write_sample(&length, path, 250);
    for (uint32_t n = 0; n < check_rounds(ALL); n++) {
        const uint32_t i = n * 13 % ALL; /* no factor of ALL: each of them once */
        const uint32_t which = i % (COLUMNS + KEYS);
        const char *content = contents[i / (COLUMNS + KEYS)];
        char rows[64];
        sqlite3 *database;
        char sql[400];
        const char *const *column = columns[which < COLUMNS ? which : COLUMNS - 1];
        if (which < COLUMNS)
            snprintf(rows, sizeof rows, "rowid %% 3 = %u", check_below(&random, 3));
        else
            snprintf(rows, sizeof rows, "key = '%s'", keys[which - COLUMNS]);
        temporary_write(path, whole, length);
        CHECK(sqlite3_open(path, &database) == SQLITE_OK);
        snprintf(sql, sizeof sql,
                 "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; UPDATE %s SET %s = %s WHERE "
                 "%s",
                 column[0], column[1], content, rows);
        sqlite3_exec(database, sql, NULL, NULL, NULL); /* a constraint may forbid it */
        if (i % 5 != 0)
            checksums_renew(database);
        sqlite3_close(database);
        use(path, n);
    }
    free(whole);
    temporary_files(true);
}

/* Appends a record with its attributes. */
static ocelotl_status add_record(oc_records *records, const oc_record *record,
                                 const ocelotl_attribute_value *attributes, size_t attribute_count)
{
    OC_TRY(oc_grow(&records->records, &records->capacity, records->count + 1,
                   sizeof *records->records));
    OC_TRY(oc_grow(&records->attributes, &records->attribute_capacity,
                   records->attribute_count + attribute_count, sizeof *records->attributes));
    oc_record added = *record;
    added.attribute_first = (uint32_t)records->attribute_count;
    added.attribute_count = 0;
    for (size_t i = 0; i < attribute_count; i++) {
        if (attributes[i].text == NULL)
            continue;
        records->attributes[records->attribute_count++] = (oc_record_attribute){
            attributes[i].attribute, records->text.length, attributes[i].length};
        oc_text_append(&records->text, attributes[i].text, attributes[i].length);
        added.attribute_count++;
    }
    if (records->text.failed)
        return oc_fail_memory();
    records->records[records->count++] = added;
    return OCELOTL_OK;
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
        CHECK_OK(add_record(&records, &record, attributes, check_below(random, 3)));
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

/* What can be unpacked can be applied; its totals can be packed, and damaged. */
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
        for (size_t o = 0; unpacked == OCELOTL_OK && o < read.open.count; o++)
            CHECK(oc_fold_open(&read, o)->total < read.total_count);
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
        CHECK_OK(pack_records(&blob, &records, role));
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
    oc_cursor *cursor;
    const char *path = temporary_path("trace.db");
    size_t length;
    free(write_sample(&length, path, 20000));
    CHECK(database_change(path, "DELETE FROM chunk WHERE number = 1") > 0);
    ocelotl_trace *trace = must_open(path);
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
    char *bytes = write_sample(&length, path, 500);
    bytes[18] = bytes[19] = 2;
    temporary_write(path, bytes, length);
    CHECK(use(path, 0));
    CHECK(temporary_files(false) == 1);
    temporary_write(temporary_path("trace.db-journal"), bytes, length);
    temporary_write(temporary_path("trace.db-wal"), bytes, length);
    CHECK(use(path, 0));
    CHECK(temporary_files(true) == 3);
    free(bytes);
}

int main(void)
{
    temporary_begin();
    bound_memory();
    check_not_ours();
    check_missing_chunk();
    check_side_files();
    check_columns();
    check_blobs();
    check_flips();
    return 0;
}

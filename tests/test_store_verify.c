/* Verifying finds whatever is damaged, and where; what is left of a damaged trace is all that is
 * not. */
#include "test_query_trace.h"

#include "test_checksums.h"

/* The contents of a trace: the number of events of each resource and type, and a hash of all they
 * hold. */
typedef struct contents {
    uint64_t count[16][TYPES], sum[16][TYPES];
} contents;

static uint64_t mix(uint64_t hash, uint64_t number)
{
    hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t mix_text(uint64_t hash, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        hash = mix(hash, (unsigned char)*text);
    return hash;
}

static contents read_contents(const char *path)
{
    contents found = {0};
    ocelotl_event event;
    ocelotl_trace *trace = must_open(path);
    CHECK(ocelotl_trace_resource_count(trace) <= 16 &&
          ocelotl_trace_event_type_count(trace) == TYPES);
    ocelotl_events *events = must_list(trace, NULL);
    while (must_next(&event, events)) {
        uint64_t hash = mix(mix(mix(1, event.value), (uint64_t)event.begin), (uint64_t)event.end);
        hash = mix_text(mix(mix(hash, event.source), event.target), event.key);
        const uint32_t resource = event.category == OCELOTL_LINK ? 15 : event.resource;
        found.count[resource][event.event_type]++;
        found.sum[resource][event.event_type] += hash;
    }
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
    return found;
}

/* Of the chunk in a row. */
static int64_t ask_of(const char *path, const char *what, uint32_t row)
{
    return database_number(
        path, "SELECT %s FROM chunk JOIN stream ON stream.id = stream WHERE chunk.rowid = %u", what,
        row);
}

typedef struct file {
    char *bytes;
    size_t length;
    contents contents;
    uint32_t streams;
    uint64_t chunks, records;
} file;

static ocelotl_verification *verify(const char *path)
{
    ocelotl_verification *verification;
    CHECK_OK(ocelotl_verify(&verification, path, NULL));
    return verification;
}

/* What is left is sound, but for what its warnings say. */
static contents salvage(ocelotl_verification *verification)
{
    const char *left = temporary_path("left.db");
    CHECK_OK(ocelotl_salvage(left, verification));
    ocelotl_verification *again = verify(left);
    CHECK(ocelotl_verification_info_of(again).damages == 0);
    ocelotl_verification_free(again);
    return read_contents(left);
}

static void check_same(const contents *a, const contents *b)
{
    CHECK(memcmp(a, b, sizeof *a) == 0);
}

static void check_whole(file *whole, const char *path)
{
    ocelotl_verification *verification = verify(path);
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    CHECK(info.damages == 0 && info.tables_are_sound && info.chunks > 30 && info.records > 10000);
    CHECK(ocelotl_verification_damage_at(verification, 0).what[0] == '\0');
    CHECK(info.streams == (uint32_t)database_number(path, "SELECT count(*) FROM stream"));
    whole->streams = info.streams;
    whole->chunks = info.chunks;
    whole->records = info.records;
    whole->contents = read_contents(path);
    const contents left = salvage(verification);
    check_same(&left, &whole->contents);
    static const char *const sums[] = {"sum(count + 3 * unmatched) FROM event_type",
                                       "sum(count + innermost + 3 * inclusive) FROM value",
                                       "sum(length(notes) + begin + 3 * end) FROM resource"};
    const char *kept = temporary_path("left.db");
    CHECK(database_number(kept, "SELECT sum(count) FROM stream") == (int64_t)info.records);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        CHECK(database_number(kept, "SELECT %s", sums[i]) ==
              database_number(path, "SELECT %s", sums[i]));
    ocelotl_verification_free(verification);
}

/* Nothing is lost but of the stream that the chunk was of, and of that no more than its records; of
 * links, which are in two streams, both ends are read together. */
static void check_lost(const file *whole, const contents *left, uint32_t resource, uint32_t type,
                       uint64_t records)
{
    const bool is_link = type == LINK_TYPE;
    for (uint32_t r = 0; r < 16; r++)
        for (uint32_t t = 0; t < TYPES; t++) {
            if (t == type && (is_link || r == resource))
                continue;
            CHECK(left->count[r][t] == whole->contents.count[r][t] &&
                  left->sum[r][t] == whole->contents.sum[r][t]);
        }
    const uint64_t before = whole->contents.count[is_link ? 15 : resource][type];
    const uint64_t after = left->count[is_link ? 15 : resource][type];
    CHECK(after <= before + (is_link ? records : 0) && after + records >= before);
}

static void check_path(const char *path, uint32_t resource, const char *found)
{
    ocelotl_trace *trace = must_open(path);
    ocelotl_events *events = must_list(trace, NULL);
    CHECK_TEXT(ocelotl_events_path(events, resource), found);
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
}

static void check_chunk(const file *whole, uint32_t row, const char *damage)
{
    const char *path = temporary_path("damaged.db");
    temporary_write(path, whole->bytes, whole->length);
    const uint32_t resource = (uint32_t)ask_of(path, "resource", row);
    const uint32_t type = (uint32_t)ask_of(path, "event_type", row);
    const uint64_t count = (uint64_t)ask_of(path, "chunk.count", row);
    const int64_t begin = ask_of(path, "chunk.begin", row);
    database_change(path, "%s WHERE rowid = %u", damage, row);
    ocelotl_verification *verification = verify(path);
    CHECK(ocelotl_verification_info_of(verification).damages == 1);
    const ocelotl_damage found = ocelotl_verification_damage_at(verification, 0);
    const ocelotl_trace *trace = ocelotl_verification_trace(verification);
    CHECK(strcmp(found.what, "a chunk of events") == 0 && found.records == count);
    CHECK(strcmp(found.event_type, ocelotl_trace_event_type_spelling(trace, type)) == 0);
    check_path(path, resource, found.resource);
    CHECK(found.from <= begin && begin <= found.to);
    const contents left = salvage(verification);
    check_lost(whole, &left, resource, type, count);
    ocelotl_verification_free(verification);
}

/* Damage that leaves all events readable: nothing is lost. */
static void check_kept(const file *whole, const char *sql, const char *what)
{
    const char *path = temporary_path("damaged.db");
    temporary_write(path, whole->bytes, whole->length);
    database_change(path, "%s", sql);
    ocelotl_verification *verification = verify(path);
    CHECK(ocelotl_verification_info_of(verification).damages > 0);
    CHECK(strstr(ocelotl_verification_damage_at(verification, 0).what, what) != NULL);
    const contents left = salvage(verification);
    check_same(&left, &whole->contents);
    ocelotl_verification_free(verification);
}

static void check_all_gone(const file *whole)
{
    const char *path = temporary_path("damaged.db");
    temporary_write(path, whole->bytes, whole->length);
    database_change(path, "DELETE FROM chunk");
    ocelotl_verification *verification = verify(path);
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    CHECK(info.damages == whole->streams && info.chunks == whole->chunks);
    uint64_t records = 0;
    for (uint32_t i = 0; i < info.damages; i++)
        records += ocelotl_verification_damage_at(verification, i).records;
    CHECK(records == whole->records);
    const contents left = salvage(verification);
    for (uint32_t r = 0; r < 16; r++)
        for (uint32_t t = 0; t < TYPES; t++)
            CHECK(left.count[r][t] == 0);
    ocelotl_verification_free(verification);
}

/* Checks a damaged table: without names no events can be read. */
static void check_table(const file *whole, const char *sql, const char *what)
{
    ocelotl_trace *trace;
    const char *path = temporary_path("damaged.db");
    temporary_write(path, whole->bytes, whole->length);
    database_change(path, "%s", sql);
    CHECK_FAILS(ocelotl_trace_open(&trace, path), OCELOTL_ERROR_INPUT, "is damaged: ");
    ocelotl_verification *verification = verify(path);
    CHECK(ocelotl_verification_info_of(verification).damages >= 1);
    CHECK(!ocelotl_verification_info_of(verification).tables_are_sound);
    CHECK(strstr(ocelotl_verification_damage_at(verification, 0).what, what) != NULL);
    CHECK_FAILS(ocelotl_salvage(temporary_path("left.db"), verification), OCELOTL_ERROR_INPUT,
                what);
    ocelotl_verification_free(verification);
}

/* Of any changed byte verifying says something, unless nothing reads it: then all is as it was. */
static void check_bytes(const file *whole)
{
    uint64_t random = 3;
    uint32_t found = 0;
    const char *path = temporary_path("damaged.db");
    for (uint32_t i = 0; i < check_rounds(150); i++) {
        ocelotl_verification *verification = NULL;
        const uint32_t place = check_below(&random, (uint32_t)whole->length);
        const char before = whole->bytes[place];
        whole->bytes[place] = (char)(before ^ (1 << check_below(&random, 8)));
        temporary_write(path, whole->bytes, whole->length);
        const ocelotl_status status = ocelotl_verify(&verification, path, NULL);
        CHECK(status == OCELOTL_OK || status == OCELOTL_ERROR_INPUT);
        if (status == OCELOTL_OK && ocelotl_verification_info_of(verification).damages == 0) {
            const contents same = read_contents(path);
            check_same(&same, &whole->contents);
        } else {
            found++;
        }
        ocelotl_verification_free(verification);
        whole->bytes[place] = before;
    }
    CHECK(found > check_rounds(150) * 2 / 5);
}

static bool cancel(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    return done < total / 2;
}

static void check_failures(const char *path)
{
    ocelotl_verification *verification;
    ocelotl_verify_options options = OCELOTL_VERIFY_OPTIONS_INIT;
    CHECK_FAILS(ocelotl_verify(&verification, temporary_path("nothing.db"), NULL), OCELOTL_ERROR_IO,
                "No such file");
    temporary_write(temporary_path("text.db"),
                    "no database at all, but some text that goes on and on", 50);
    CHECK_FAILS(ocelotl_verify(&verification, temporary_path("text.db"), NULL), OCELOTL_ERROR_INPUT,
                "is not a trace.db");
    options.work.progress = cancel;
    const ocelotl_status status = ocelotl_verify(&verification, path, &options);
    CHECK(status == OCELOTL_ERROR_CANCELLED || status == OCELOTL_OK);
    if (status == OCELOTL_OK)
        ocelotl_verification_free(verification);
    ocelotl_verification_free(NULL);
}

int main(void)
{
    static const char *const damages[] = {
        "UPDATE chunk SET events = zeroblob(9)", "DELETE FROM chunk",
        "UPDATE chunk SET totals = x'00', end = end + 1", "UPDATE chunk SET stream = 4000000000"};
    known_trace known;
    file whole = {0};
    temporary_begin();
    const char *path = temporary_path("trace.db");
    known_write(&known, path, 31, 40000);
    free(known.events);
    whole.bytes = temporary_read(&whole.length, path);
    check_whole(&whole, path);
    const uint32_t step = check_rounds(4) == 4 ? 4 : 12; /* each kind of damage in turn */
    for (uint32_t row = 1; row <= (uint32_t)whole.chunks; row += step)
        check_chunk(&whole, row, damages[row / 4 % 4]);
    check_kept(&whole, "UPDATE chunk SET place_checksum = 1 - place_checksum WHERE rowid % 3 = 1",
               "chunk");
    check_kept(&whole,
               "UPDATE chunk SET low = low + 1, row_checksum = row_checksum WHERE low IS NOT NULL",
               "chunk");
    check_kept(
        &whole,
        "INSERT INTO chunk SELECT stream, number + 1000000, begin, end, count, unit, low, high,"
        " place_checksum, row_checksum, checksum, durations, totals, events FROM chunk WHERE rowid "
        "= 5",
        "row of chunks that should not be there");
    check_all_gone(&whole);
    check_table(&whole, "UPDATE value SET name = name || 'x' WHERE id = 1",
                "the table value does not hold");
    check_table(&whole, "DELETE FROM meta WHERE key = 'checksum.stream'",
                "the table stream does not hold");
    check_table(&whole, "UPDATE meta SET value = 'other' WHERE key = 'name'",
                "the table meta does not hold");
    check_bytes(&whole);
    check_failures(temporary_path("trace.db"));
    free(whole.bytes);
    return 0;
}

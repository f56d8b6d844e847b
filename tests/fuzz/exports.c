/* A trace that the input writes, out again in every format and back: as trace events, which are
 * JSON and hold each state and event; as Paje, which comes back with the same uid once it was Paje;
 * and as a matrix, whose model has the same cells. */
#include "fuzz.h"

#include <ocelotl/ocelotl.h>

#include <iconv.h>
#include <sqlite3.h>

enum { RESOURCES = 6, TYPES = 5, VALUES = 3, MOST_LINKS = 64, MOST_STEPS = 400, MOST_OPEN = 40 };

/* The input, and what is written of it. */
typedef struct script {
    const uint8_t *next, *end;
    ocelotl_writer *writer;
    uint32_t resource_types[2], resources[RESOURCES], types[TYPES];
    uint32_t values[TYPES][VALUES], attributes[TYPES][2];
    uint64_t links[MOST_LINKS];
    size_t link_count;
    int64_t time;
    uint64_t counts[4]; /* by category; of links those with both ends */
} script;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    temporary_begin();
    return 0;
}

static uint8_t draw(script *from)
{
    return from->next < from->end ? *from->next++ : 0;
}

/* A name, of what is hard to write. */
static const char *draw_name(script *from, char name[40])
{
    static const char *const pieces[] = {"a", "B1",   "\"", "'", " ",        "\\", "%",    "\t",
                                         "/", "\x7F", "{",  "é", "\xFF\xFE", ",",  "Time", "0x1"};
    const size_t count = 1 + draw(from) % 4;
    name[0] = '\0';
    for (size_t i = 0; i < count; i++)
        strcat(name, pieces[draw(from) % 16]);
    return name;
}

/* --- Writing. What the writer refuses is the input's fault. */

static void declare(script *from)
{
    static const ocelotl_category categories[TYPES] = {OCELOTL_STATE, OCELOTL_STATE, OCELOTL_EVENT,
                                                       OCELOTL_VARIABLE, OCELOTL_LINK};
    char name[40];
    ocelotl_writer *writer = from->writer;
    for (uint32_t i = 0; i < 2; i++)
        from->resource_types[i] = must_kind(writer, i == 0 ? OCELOTL_ROOT : from->resource_types[0],
                                            draw_name(from, name));
    for (uint32_t i = 0; i < RESOURCES; i++)
        from->resources[i] = must_resource(writer, from->resource_types[i > 1],
                                           i > 1 ? from->resources[draw(from) % 2] : OCELOTL_ROOT,
                                           draw_name(from, name), 0);
    for (uint32_t i = 0; i < TYPES; i++) {
        const uint32_t of = categories[i] == OCELOTL_LINK ? OCELOTL_ROOT : from->resource_types[1];
        CHECK_OK(ocelotl_writer_event_type(&from->types[i], writer, categories[i], of,
                                           draw_name(from, name), draw(from)));
        for (uint32_t v = 0; v < VALUES && categories[i] != OCELOTL_VARIABLE; v++)
            from->values[i][v] = must_value(writer, from->types[i], draw_name(from, name));
        for (uint32_t a = 0; a < 2; a++)
            from->attributes[i][a] = must_attribute(writer, from->types[i], draw_name(from, name));
    }
}

/* What an event carries, up to two texts. */
static size_t draw_carried(script *from, uint32_t type, ocelotl_attribute_value carried[2],
                           char texts[2][40])
{
    const size_t count = draw(from) % 3;
    for (size_t i = 0; i < count; i++) {
        draw_name(from, texts[i]);
        carried[i] =
            (ocelotl_attribute_value){from->attributes[type][i], texts[i], strlen(texts[i])};
    }
    return count;
}

static void write_link(script *from, uint32_t resource, uint32_t value,
                       const ocelotl_attribute_value *carried, size_t count)
{
    ocelotl_writer *writer = from->writer;
    if (draw(from) % 2 == 0 && from->link_count < MOST_LINKS) {
        CHECK_OK(ocelotl_writer_link_begin(&from->links[from->link_count++], writer, resource,
                                           from->types[4], value, from->time, carried, count));
    } else if (from->link_count > 0) {
        CHECK_OK(ocelotl_writer_link_end(writer, from->links[--from->link_count], resource,
                                         from->time, carried, count));
        from->counts[OCELOTL_LINK]++;
    }
}

static void write_event(script *from)
{
    ocelotl_attribute_value carried[2];
    char texts[2][40];
    ocelotl_writer *writer = from->writer;
    const uint32_t type = draw(from) % TYPES;
    const uint32_t resource = from->resources[2 + draw(from) % (RESOURCES - 2)];
    const uint32_t value = from->values[type][draw(from) % VALUES];
    const size_t count = draw_carried(from, type, carried, texts);
    const uint32_t open =
        type < 2 ? ocelotl_writer_open_states(writer, resource, from->types[type]) : 0;
    from->time += draw(from) % 8 * (1 + draw(from) % 100);
    if (type < 2 && (open == 0 || (draw(from) % 2 == 0 && open < MOST_OPEN))) {
        CHECK_OK(ocelotl_writer_push(writer, resource, from->types[type], value, from->time,
                                     carried, count));
        from->counts[OCELOTL_STATE]++;
    } else if (type < 2) {
        CHECK_OK(ocelotl_writer_pop(writer, resource, from->types[type],
                                    draw(from) % 8 == 0 ? draw(from) % open : 0, from->time, NULL,
                                    0));
    } else if (type == 2) {
        CHECK_OK(ocelotl_writer_event(writer, resource, from->types[type], value, from->time,
                                      carried, count));
        from->counts[OCELOTL_EVENT]++;
    } else if (type == 3) {
        must_step(writer, resource, from->types[type], from->time, draw(from) / 3.0 - 20);
    } else {
        write_link(from, resource, value, carried, count);
    }
}

static void write_trace(script *from, const char *path)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    const uint8_t clock = draw(from);
    options.overwrite = true;
    options.tick_denominator = clock % 4 == 0 ? 3000000 : clock % 4 == 1 ? 1000 : 1000000000;
    from->writer = must_write(path, &options);
    declare(from);
    for (size_t i = 0; i < MOST_STEPS && from->next < from->end; i++)
        write_event(from);
    must_finish(from->writer);
}

/* --- Out and back */

typedef ocelotl_status (*way_out)(const ocelotl_sink *sink, ocelotl_events *events,
                                  ocelotl_trace *trace);

static ocelotl_status write_chrome(const ocelotl_sink *sink, ocelotl_events *events,
                                   ocelotl_trace *trace)
{
    ocelotl_losses losses;
    return ocelotl_events_write_chrome(sink, events, trace, NULL, &losses);
}

static ocelotl_status write_paje(const ocelotl_sink *sink, ocelotl_events *events,
                                 ocelotl_trace *trace)
{
    const ocelotl_selection all = {.from = INT64_MIN, .to = INT64_MAX};
    ocelotl_losses losses;
    return ocelotl_events_write_paje(sink, events, trace, &all, &losses);
}

/* One value of JSON (RFC 8259), as SQLite reads it, in UTF-8. */
static bool is_json(const char *bytes, size_t length)
{
    sqlite3 *database;
    sqlite3_stmt *row;
    char *made = malloc(4 * length + 8), *to = made, *from = (char *)bytes;
    size_t room = 4 * length + 8, left = length;
    iconv_t converter = iconv_open("UTF-32", "UTF-8");
    FUZZ_CHECK(made != NULL && converter != (iconv_t)-1);
    const bool is_utf8 = iconv(converter, &from, &left, &to, &room) != (size_t)-1;
    CHECK(iconv_close(converter) == 0 && sqlite3_open(":memory:", &database) == SQLITE_OK);
    CHECK(sqlite3_prepare_v2(database, "SELECT json_valid(?)", -1, &row, NULL) == SQLITE_OK);
    CHECK(sqlite3_bind_text64(row, 1, bytes, length, SQLITE_STATIC, SQLITE_UTF8) == SQLITE_OK);
    CHECK(sqlite3_step(row) == SQLITE_ROW);
    const bool is_valid = sqlite3_column_int(row, 0) == 1 && memchr(bytes, 0, length) == NULL;
    sqlite3_finalize(row);
    sqlite3_close(database);
    free(made);
    return is_utf8 && is_valid;
}

/* Writes a trace as text, and imports that, which is sound. */
static ocelotl_trace *bring_back(ocelotl_trace *trace, way_out write, const char *format,
                                 const char *database, bool as_json)
{
    ocelotl_buffer buffer = {0};
    ocelotl_trace *back;
    ocelotl_events *events;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_import_options how = OCELOTL_IMPORT_OPTIONS_INIT;
    const char *text = temporary_path("out.text");
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    options.every_change = true;
    CHECK_OK(ocelotl_events_open(&events, trace, &options));
    FUZZ_CHECK(write(&sink, events, trace) == OCELOTL_OK);
    ocelotl_events_free(events);
    FUZZ_CHECK(!as_json || is_json(buffer.bytes, buffer.size));
    temporary_write(text, buffer.bytes, buffer.size);
    ocelotl_buffer_free(&buffer);
    how.format = format;
    how.overwrite = true;
    FUZZ_CHECK(ocelotl_import(database, text, &how) == OCELOTL_OK);
    FUZZ_CHECK(ocelotl_trace_open(&back, database) == OCELOTL_OK);
    return back;
}

static uint64_t count_of(const ocelotl_trace *trace, ocelotl_category category)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(trace, i);
        count += type.category == category ? type.count : 0;
    }
    return count;
}

static void check_chrome(ocelotl_trace *trace, const script *from)
{
    ocelotl_trace *back =
        bring_back(trace, write_chrome, "chrome", temporary_path("back.db"), true);
    FUZZ_CHECK(count_of(back, OCELOTL_STATE) == from->counts[OCELOTL_STATE]);
    FUZZ_CHECK(count_of(back, OCELOTL_EVENT) == from->counts[OCELOTL_EVENT]);
    FUZZ_CHECK(count_of(back, OCELOTL_LINK) >= from->counts[OCELOTL_LINK]);
    ocelotl_trace_free(back);
}

static void check_paje(ocelotl_trace *trace)
{
    ocelotl_trace *once = bring_back(trace, write_paje, "paje", temporary_path("once.db"), false);
    ocelotl_trace *twice = bring_back(once, write_paje, "paje", temporary_path("twice.db"), false);
    FUZZ_CHECK(strcmp(ocelotl_trace_info_of(once).uid, ocelotl_trace_info_of(twice).uid) == 0);
    ocelotl_trace_free(once);
    ocelotl_trace_free(twice);
}

static void check_cells(const ocelotl_model *model, const ocelotl_model *back)
{
    const ocelotl_model_info one = ocelotl_model_info_of(model);
    const ocelotl_model_info other = ocelotl_model_info_of(back);
    double values[TYPES * VALUES + 8];
    double others[TYPES * VALUES + 8];
    FUZZ_CHECK(one.leaf_count == other.leaf_count && one.slice_count == other.slice_count &&
               one.type_count == other.type_count && one.cell_count == other.cell_count);
    for (uint32_t i = 0; i < one.slice_count; i++) {
        CHECK_OK(ocelotl_model_sums(values, model, 0, i, i));
        CHECK_OK(ocelotl_model_sums(others, back, 0, i, i));
        for (uint32_t t = 0; t < one.type_count; t++)
            FUZZ_CHECK(values[t] == others[t]);
    }
}

static void check_matrix(ocelotl_trace *trace)
{
    ocelotl_model *model = NULL;
    ocelotl_model *back = NULL;
    ocelotl_buffer buffer = {0};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    const char *text = temporary_path("out.csv");
    options.slices = 5;
    if (ocelotl_model_from_trace(&model, trace, &options) != OCELOTL_OK) {
        ocelotl_model_free(model);
        return;
    }
    FUZZ_CHECK(ocelotl_model_write_csv(&sink, model) == OCELOTL_OK);
    temporary_write(text, buffer.bytes, buffer.size);
    FUZZ_CHECK(ocelotl_model_from_csv(&back, text) == OCELOTL_OK);
    check_cells(model, back);
    ocelotl_model_free(back);
    ocelotl_model_free(model);
    ocelotl_buffer_free(&buffer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    script from = {.next = bytes, .end = bytes + length};
    ocelotl_trace *trace;
    const char *path = temporary_path("trace.db");
    write_trace(&from, path);
    CHECK_OK(ocelotl_trace_open(&trace, path));
    /* A file without events is no trace. */
    if (from.counts[OCELOTL_STATE] > 0) {
        check_chrome(trace, &from);
        check_paje(trace);
    }
    check_matrix(trace);
    ocelotl_trace_free(trace);
    return 0;
}

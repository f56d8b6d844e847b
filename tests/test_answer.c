/* Answers to memory, to a file and by the program are the same bytes; a sink that refuses and
 * memory that is not there make them fail, and never end them in silence. */
#include "temporary.h"

#include "failing/failing.h"
#include "request/session.h"

/* --- What is answered */

typedef struct world {
    char *trace_path, *matrix_path;
    ocelotl_trace *trace;
    ocelotl_model *model;
    ocelotl_aggregation *aggregation;
    ocelotl_partition *partition;
    ocelotl_levels *levels;
    ocelotl_drawables *drawables;
    ocelotl_statistics *statistics;
    ocelotl_comparison *comparison;
    ocelotl_phases *phases;
} world;

static void write_trace(const char *path)
{
    ocelotl_writer_options options = OCELOTL_WRITER_OPTIONS_INIT;
    uint32_t resource, machines[40];
    uint64_t link;
    options.name = "a \"name\",\n\x1b[31m \xE2\x80\xAE\xFF";
    options.tick_denominator = 1000;
    ocelotl_writer *writer = must_write(path, &options);
    const uint32_t type = must_kind(writer, OCELOTL_ROOT, "machine");
    const uint32_t states = must_type(writer, OCELOTL_STATE, type, "state");
    const uint32_t load = must_type(writer, OCELOTL_VARIABLE, type, "load");
    const uint32_t message = must_type(writer, OCELOTL_LINK, OCELOTL_ROOT, "message");
    const uint32_t run = must_value(writer, states, "run, \"fast\"");
    const uint32_t wait = must_value(writer, states, "wait\xC2\x9B");
    const uint32_t value = must_value(writer, message, "data");
    for (uint32_t i = 0; i < 40; i++) {
        char name[40];
        snprintf(name, sizeof name, "machine \"%u\",\t\x7F", i);
        resource = must_resource(writer, type, OCELOTL_ROOT, name, 0);
        machines[i] = resource;
    }
    for (uint32_t i = 0; i < 40; i++)
        for (int64_t at = 0; at < 1000; at += 10) {
            const uint32_t state = (at / 100 + i / 8) % 3 == 0 ? wait : run;
            must_state(writer, machines[i], states, state, at, at + 7);
            must_step(writer, machines[i], load, at, (double)(at % 70) / 3);
        }
    CHECK_OK(ocelotl_writer_link_begin(&link, writer, machines[0], message, value, 150, NULL, 0));
    CHECK_OK(ocelotl_writer_link_end(writer, link, machines[39], 450, NULL, 0));
    must_finish(writer);
}

static void write_matrix(const char *path)
{
    static const char matrix[] = "path,type,slice,value\n"
                                 "a/x,run,0,3\na/x,run,1,3\na,run,3,1\n"
                                 "\"b%2Fc/say \"\"hi\"\"\",run,2,0.1\n"
                                 "\"b%2Fc/say \"\"hi\"\"\",wait,2,0.25\n\"b%2Fc/tab\t\",wait,0,0\n";
    temporary_write(path, matrix, sizeof matrix - 1);
}

static void make_world(world *of)
{
    ocelotl_drawables_options drawables = OCELOTL_DRAWABLES_OPTIONS_INIT;
    of->trace_path = strdup(temporary_path("run.db"));
    of->matrix_path = strdup(temporary_path("matrix.csv"));
    CHECK(of->trace_path != NULL && of->matrix_path != NULL);
    write_trace(of->trace_path);
    write_matrix(of->matrix_path);
    of->trace = must_open(of->trace_path);
    CHECK_OK(ocelotl_model_from_csv(&of->model, of->matrix_path));
    of->aggregation = must_aggregate(of->model, NULL);
    of->partition = must_solve(of->aggregation, 0.3);
    of->levels = must_find_levels(of->aggregation, NULL);
    drawables.max_links = 20000;
    of->drawables = must_find_drawables(of->trace, &drawables);
    ocelotl_statistics_options statistics = OCELOTL_STATISTICS_OPTIONS_INIT;
    statistics.extremes = OCELOTL_EXTREMES_AFFORDABLE; /* as the program has it */
    of->statistics = must_sum(of->trace, &statistics);
    of->comparison = must_compare(of->model, of->model);
    CHECK_OK(ocelotl_phases_find(&of->phases, of->comparison));
}

static void free_world(world *of)
{
    ocelotl_phases_free(of->phases);
    ocelotl_comparison_free(of->comparison);
    ocelotl_statistics_free(of->statistics);
    ocelotl_drawables_free(of->drawables);
    ocelotl_levels_free(of->levels);
    must_free(of->partition, of->aggregation, of->model, of->trace);
}

/* --- The answers, each with what makes the program give it */

/* Defines the function of an answer that one call gives. */
#define ANSWER(name, call)                                                \
    static ocelotl_status name(const ocelotl_sink *sink, const world *of) \
    {                                                                     \
        (void)of;                                                         \
        return call;                                                      \
    }

ANSWER(partition_json, ocelotl_partition_write_json(sink, of->partition))
ANSWER(parts_json,
       ocelotl_parts_write(sink, OCELOTL_FORM_JSON, of->partition, OCELOTL_PARTS_BY_LOSS))
ANSWER(parts_csv, ocelotl_parts_write(sink, OCELOTL_FORM_CSV, of->partition, OCELOTL_PARTS_BY_GAIN))
ANSWER(levels_json, ocelotl_levels_write(sink, OCELOTL_FORM_JSON, of->levels, NULL))
ANSWER(levels_csv, ocelotl_levels_write(sink, OCELOTL_FORM_CSV, of->levels, NULL))

static ocelotl_status comparison_json(const ocelotl_sink *sink, const world *of)
{
    const char *const names[2] = {of->matrix_path, of->matrix_path};
    return ocelotl_comparison_write(sink, OCELOTL_FORM_JSON, of->comparison, of->phases, names,
                                    false);
}

ANSWER(comparison_csv,
       ocelotl_comparison_write(sink, OCELOTL_FORM_CSV, of->comparison, of->phases, NULL, false))
ANSWER(statistics_json,
       ocelotl_statistics_write(sink, OCELOTL_FORM_JSON, of->statistics, of->trace))
ANSWER(statistics_csv, ocelotl_statistics_write(sink, OCELOTL_FORM_CSV, of->statistics, of->trace))
ANSWER(drawables_json, ocelotl_drawables_write_json(sink, of->drawables, of->trace))

static ocelotl_status series_json(const ocelotl_sink *sink, const world *of)
{
    ocelotl_series *series = NULL;
    ocelotl_status status = ocelotl_series_open(&series, of->trace, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_series_write(sink, OCELOTL_FORM_JSON, series, of->trace);
    ocelotl_series_free(series);
    return status;
}

static ocelotl_status series_csv(const ocelotl_sink *sink, const world *of)
{
    ocelotl_series *series = NULL;
    ocelotl_status status = ocelotl_series_open(&series, of->trace, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_series_write(sink, OCELOTL_FORM_CSV, series, of->trace);
    ocelotl_series_free(series);
    return status;
}

ANSWER(info_json, ocelotl_info_write(sink, OCELOTL_FORM_JSON, of->trace, NULL))
ANSWER(info_csv, ocelotl_info_write(sink, OCELOTL_FORM_CSV, of->trace, NULL))

/* --- Answers for people */

ANSWER(parts_text,
       ocelotl_parts_write(sink, OCELOTL_FORM_TEXT, of->partition, OCELOTL_PARTS_BY_NUMBER))
ANSWER(levels_text, ocelotl_levels_write(sink, OCELOTL_FORM_TEXT, of->levels, of->aggregation))

static ocelotl_status comparison_text(const ocelotl_sink *sink, const world *of)
{
    const char *const names[2] = {of->matrix_path, of->matrix_path};
    return ocelotl_comparison_write(sink, OCELOTL_FORM_TEXT, of->comparison, of->phases, names,
                                    false);
}

ANSWER(statistics_text,
       ocelotl_statistics_write(sink, OCELOTL_FORM_TEXT, of->statistics, of->trace))
ANSWER(info_text, ocelotl_info_write(sink, OCELOTL_FORM_TEXT, of->trace, NULL))

/* --- Events, rows, damage and formats */

#define SQL                                                                       \
    "SELECT resource, value, begin FROM events WHERE end < 0.05 ORDER BY begin, " \
    "resource, value"

static ocelotl_status ask_sql(const ocelotl_sink *sink, const world *of, ocelotl_form form)
{
    OWN_QUERY *query = NULL;
    ocelotl_status status = ocelotl_query_open(&query, of->trace, SQL);
    if (status == OCELOTL_OK)
        status = ocelotl_query_write(sink, form, query);
    return status;
}

ANSWER(query_json, ask_sql(sink, of, OCELOTL_FORM_JSON))
ANSWER(query_csv, ask_sql(sink, of, OCELOTL_FORM_CSV))
ANSWER(query_text, ask_sql(sink, of, OCELOTL_FORM_TEXT))

static ocelotl_status verify(const ocelotl_sink *sink, const world *of, ocelotl_form form)
{
    OWN_VERIFICATION *verification = NULL;
    ocelotl_status status = ocelotl_session_verify(&verification, of->trace_path, NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_verification_write(sink, form, verification);
    return status;
}

ANSWER(verification_json, verify(sink, of, OCELOTL_FORM_JSON))
ANSWER(verification_text, verify(sink, of, OCELOTL_FORM_TEXT))
ANSWER(formats_json, ocelotl_formats_write(sink, OCELOTL_FORM_JSON))
ANSWER(formats_csv, ocelotl_formats_write(sink, OCELOTL_FORM_CSV))
ANSWER(formats_text, ocelotl_formats_write(sink, OCELOTL_FORM_TEXT))

/* --- What a session gives to requests */

typedef struct asked {
    ocelotl_request *request;
    ocelotl_session *session;
    ocelotl_trace *trace;
} asked;

/* Asks by the words of a command line, which begins with the command. */
static ocelotl_status ask(asked *what, const char *path, size_t count, const char *const *words)
{
    ocelotl_status status = ocelotl_request_new(&what->request, words[0]);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(what->request, count - 1, words + 1);
    if (status == OCELOTL_OK)
        status = ocelotl_session_open(&what->session, path, what->request, NULL);
    if (status == OCELOTL_OK && strstr(path, ".csv") == NULL)
        status = ocelotl_session_trace(&what->trace, what->session);
    return status;
}

static void forget(asked *what)
{
    ocelotl_session_free(what->session);
    ocelotl_request_free(what->request);
}

typedef ocelotl_status write_events(const ocelotl_sink *sink, ocelotl_events *events,
                                    ocelotl_trace *trace, const ocelotl_selection *selection,
                                    ocelotl_losses *losses);

static ocelotl_status export_by(const ocelotl_sink *sink, const world *of, write_events *write)
{
    const char *const words[] = {"export", "--no-cache", "--to", "+50ms"};
    asked what = {0};
    OWN_EVENTS *events = NULL;
    ocelotl_selection selection = {0};
    ocelotl_losses losses;
    ocelotl_status status = ask(&what, of->trace_path, 4, words);
    if (status == OCELOTL_OK)
        status = ocelotl_session_events(&events, &selection, what.session, what.request);
    if (status == OCELOTL_OK)
        status = write != NULL ? write(sink, events, what.trace, &selection, &losses)
                               : ocelotl_events_write_pjdump(sink, events, what.trace, &selection,
                                                             what.request->digits, &losses);
    forget(&what);
    return status;
}

ANSWER(events_json, export_by(sink, of, ocelotl_events_write_json))
ANSWER(events_csv, export_by(sink, of, ocelotl_events_write_csv))
ANSWER(events_pjdump, export_by(sink, of, NULL))

static ocelotl_status session_statistics(const ocelotl_sink *sink, const world *of)
{
    const char *const words[] = {"stats", "--no-cache", "--to", "50%", "--only", "state"};
    asked what = {0};
    OWN_STATISTICS *statistics = NULL;
    ocelotl_status status = ask(&what, of->trace_path, 6, words);
    if (status == OCELOTL_OK)
        status = oc_session_statistics(&statistics, what.session, what.request);
    if (status == OCELOTL_OK)
        status = ocelotl_statistics_write(sink, OCELOTL_FORM_TEXT, statistics, what.trace);
    forget(&what);
    return status;
}

static ocelotl_status session_drawables(const ocelotl_sink *sink, const world *of)
{
    const char *const words[] = {"gantt", "--no-cache", "--to", "10%"};
    asked what = {0};
    OWN_DRAWABLES *drawables = NULL;
    ocelotl_status status = ask(&what, of->trace_path, 4, words);
    if (status == OCELOTL_OK)
        status = oc_session_drawables(&drawables, what.session, what.request);
    if (status == OCELOTL_OK)
        status = ocelotl_drawables_write_json(sink, drawables, what.trace);
    forget(&what);
    return status;
}

static ocelotl_status session_series(const ocelotl_sink *sink, const world *of)
{
    const char *const words[] = {"series", "--no-cache", "--variable", "load", "--reduce", "max"};
    asked what = {0};
    ocelotl_series *series = NULL;
    ocelotl_status status = ask(&what, of->trace_path, 6, words);
    if (status == OCELOTL_OK)
        status = ocelotl_session_series(&series, what.session, what.request, false);
    if (status == OCELOTL_OK)
        status = ocelotl_series_write(sink, OCELOTL_FORM_CSV, series, what.trace);
    ocelotl_series_free(series);
    forget(&what);
    return status;
}

static ocelotl_status session_parts(const ocelotl_sink *sink, const world *of)
{
    const char *const words[] = {"parts", "--no-cache", "--slices", "10", "--p", "0.4"};
    asked what = {0};
    OWN_PARTITION *partition = NULL;
    ocelotl_status status = ask(&what, of->trace_path, 6, words);
    if (status == OCELOTL_OK)
        status = ocelotl_session_partition(&partition, what.session, what.request);
    if (status == OCELOTL_OK)
        status = ocelotl_parts_write(sink, OCELOTL_FORM_TEXT, partition, OCELOTL_PARTS_BY_NUMBER);
    forget(&what);
    return status;
}

static ocelotl_status session_comparison(const ocelotl_sink *sink, const world *of)
{
    const char *const words[] = {"compare", "--no-cache", of->matrix_path, of->matrix_path};
    const char *const names[2] = {of->matrix_path, of->matrix_path};
    asked what = {0};
    ocelotl_pair *pair = NULL;
    ocelotl_phases *phases = NULL;
    ocelotl_status status = ask(&what, of->matrix_path, 4, words);
    if (status == OCELOTL_OK)
        status = ocelotl_session_compare(&pair, what.session, what.request);
    if (status == OCELOTL_OK)
        status = ocelotl_phases_find(&phases, ocelotl_pair_comparison(pair));
    if (status == OCELOTL_OK)
        status = ocelotl_comparison_write(sink, OCELOTL_FORM_TEXT, ocelotl_pair_comparison(pair),
                                          phases, names, false);
    ocelotl_phases_free(phases);
    ocelotl_pair_free(pair);
    forget(&what);
    return status;
}

/* The command with %1$s for the trace and %2$s for the matrix. */
static const struct answer {
    ocelotl_status (*write)(const ocelotl_sink *sink, const world *of);
    const char *command;
} answers[] = {
    {partition_json, "--json --p 0.3 '%2$s'"},
    {parts_json, "parts --json --sort loss --p 0.3 '%2$s'"},
    {parts_csv, "parts --csv --sort gain --p 0.3 '%2$s'"},
    {levels_json, "sweep --json '%2$s'"},
    {levels_csv, "sweep --csv '%2$s'"},
    {comparison_json, "compare --json '%2$s' '%2$s'"},
    {comparison_csv, "compare --csv '%2$s' '%2$s'"},
    {statistics_json, "stats --json '%1$s'"},
    {statistics_csv, "stats --csv '%1$s'"},
    {drawables_json, "gantt --json '%1$s'"},
    {series_json, "series --json '%1$s'"},
    {series_csv, "series --csv '%1$s'"},
    {info_json, "info --json '%1$s'"},
    {info_csv, "info --csv '%1$s'"},
    {parts_text, "parts --p 0.3 '%2$s'"},
    {levels_text, "sweep '%2$s'"},
    {comparison_text, "compare '%2$s' '%2$s'"},
    {statistics_text, "stats '%1$s'"},
    {info_text, "info '%1$s'"},
    {query_json, "sql --json '%1$s' '" SQL "'"},
    {query_csv, "sql --csv '%1$s' '" SQL "'"},
    {query_text, "sql '%1$s' '" SQL "'"},
    {verification_json, "verify --json '%1$s'"},
    {verification_text, "verify '%1$s'"},
    {formats_json, "formats --json"},
    {formats_csv, "formats --csv"},
    {formats_text, "formats"},
    {events_json, "export --json --to +50ms '%1$s'"},
    {events_csv, "export --to +50ms '%1$s'"},
    {events_pjdump, "export --format pjdump --to +50ms '%1$s'"},
    {session_statistics, "stats --to 50%% --only state '%1$s'"},
    {session_drawables, "gantt --json --to 10%% '%1$s'"},
    {session_series, "series --variable load --reduce max '%1$s'"},
    {session_parts, "parts --slices 10 --p 0.4 '%1$s'"},
    {session_comparison, "compare '%2$s' '%2$s'"},
};

enum { ANSWERS = sizeof answers / sizeof answers[0] };

static char *run_program(const struct answer *answer, const world *of)
{
    char arguments[3000], command[5000];
    size_t length;
    const char *program = getenv("OCELOTL_CLI");
    const char *path = temporary_path("printed");
    snprintf(arguments, sizeof arguments, answer->command, of->trace_path, of->matrix_path);
    snprintf(command, sizeof command, "'%s' %s >'%s'", program, arguments, path);
    CHECK(system(command) == 0);
    return temporary_read(&length, path);
}

static void check_same(const struct answer *answer, const world *of)
{
    ocelotl_buffer buffer = {0};
    ocelotl_file *file = NULL;
    size_t length;
    const char *path = temporary_path("answer");
    ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(answer->write(&sink, of));
    CHECK(buffer.size > 0 && buffer.bytes[buffer.size - 1] == '\n');
    CHECK_OK(ocelotl_file_open(&file, path, true));
    sink = ocelotl_file_sink(file);
    CHECK_OK(answer->write(&sink, of));
    CHECK_OK(ocelotl_file_commit(file));
    ocelotl_file_free(file);
    char *written = temporary_read(&length, path);
    CHECK(length == buffer.size);
    CHECK_TEXT(written, buffer.bytes);
    free(written);
    if (getenv("OCELOTL_CLI") != NULL) {
        char *printed = run_program(answer, of);
        CHECK_TEXT(printed, buffer.bytes);
        free(printed);
    }
    ocelotl_buffer_free(&buffer);
}

/* --- Failures */

typedef struct taker {
    ocelotl_buffer taken;
    size_t calls_left;
} taker;

static ocelotl_status take(void *context, const void *bytes, size_t size)
{
    taker *to = context;
    const ocelotl_sink sink = ocelotl_buffer_sink(&to->taken);
    if (to->calls_left == 0)
        return OCELOTL_ERROR_CANCELLED;
    to->calls_left--;
    return sink.write(sink.context, bytes, size);
}

/* Each call of the sink refuses in turn, until all of them are taken. */
static void check_refused(const struct answer *answer, const world *of)
{
    size_t refused = 0;
    for (ocelotl_status status = OCELOTL_ERROR_CANCELLED; status != OCELOTL_OK; refused++) {
        taker to = {.calls_left = refused};
        const ocelotl_sink sink = {take, &to};
        status = answer->write(&sink, of);
        CHECK(status == OCELOTL_OK || status == OCELOTL_ERROR_CANCELLED);
        if (status != OCELOTL_OK)
            CHECK(strstr(ocelotl_error_message(), "the sink took no more") != NULL);
        CHECK(status != OCELOTL_OK || refused > 0);
        ocelotl_buffer_free(&to.taken);
    }
}

/* A request for memory fails in turn: a success has all of it. */
static void check_no_memory(const struct answer *answer, const world *of)
{
    ocelotl_buffer whole = {0};
    ocelotl_sink sink = ocelotl_buffer_sink(&whole);
    CHECK_OK(answer->write(&sink, of));
    long step = 1;
    for (long request = 0;; request += step) {
        ocelotl_buffer part = {0};
        sink = ocelotl_buffer_sink(&part);
        failing_begin(request);
        const ocelotl_status status = answer->write(&sink, of);
        const bool reached = failing_end();
        if (status == OCELOTL_OK)
            CHECK_TEXT(part.bytes, whole.bytes);
        else
            CHECK(status == OCELOTL_ERROR_MEMORY);
        ocelotl_buffer_free(&part);
        if (!reached)
            break;
        step = 1 + request / 50;
    }
    ocelotl_buffer_free(&whole);
}

static void check_text(const char *text, const char *wanted)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(ocelotl_json_write_text(&sink, text));
    CHECK_TEXT(buffer.bytes, wanted);
    ocelotl_buffer_free(&buffer);
}

static void check_number(double number, const char *wanted)
{
    ocelotl_buffer buffer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(ocelotl_json_write_number(&sink, number));
    CHECK_TEXT(buffer.bytes, wanted);
    ocelotl_buffer_free(&buffer);
}

static void test_pieces(void)
{
    check_text("", "\"\"");
    check_text("a\"b\\c/d", "\"a\\\"b\\\\c/d\"");
    check_text("\n\t\x1b\x7f", "\"\\u000a\\u0009\\u001b\\u007f\"");
    check_text("\xC2\x9B \xE2\x80\xAE \xEF\xBB\xBF", "\"\\u009b \\u202e \\ufeff\"");
    check_text("\xF3\xA0\x81\x81", "\"\\udb40\\udc41\"");
    check_text("\xFF\xC3 \xC3\xA9", "\"\xEF\xBF\xBD\xEF\xBF\xBD \xC3\xA9\"");
    check_number(0.1, "0.1");
    check_number(1.0 / 3, "0.3333333333333333");
    check_number(-0.0, "-0");
    check_number(1e300, "1e+300");
    check_number(12345678, "12345678");
    check_number((double)NAN, "null");
    check_number(-(double)INFINITY, "null");
}

/* Passes no options, as a caller that wants no messages does. */
static void test_no_options(const world *of)
{
    OWN_VERIFICATION *verification = NULL;
    CHECK_OK(ocelotl_session_verify(&verification, of->trace_path, NULL));
    CHECK(ocelotl_verification_info_of(verification).damages == 0);
    ocelotl_say_skipped(of->trace, NULL);
}

int main(void)
{
    world of = {0};
    temporary_begin();
    test_pieces();
    make_world(&of);
    test_no_options(&of);
    for (size_t i = 0; i < ANSWERS; i++) {
        check_same(&answers[i], &of);
        check_refused(&answers[i], &of);
        check_no_memory(&answers[i], &of);
    }
    free_world(&of);
    free(of.trace_path);
    free(of.matrix_path);
    return 0;
}

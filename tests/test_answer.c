/* Answers to memory, to a file and by the program are the same bytes; a sink that refuses and
 * memory that is not there make them fail, and never end them in silence. */
#include "temporary.h"

#include "failing/failing.h"
#include "request/session.h"

typedef struct world {
    char trace[1400], matrix[1400];
    ocelotl_session *sessions[2]; /* of both */
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

static void open_session(ocelotl_session **session, const char *path)
{
    ocelotl_request *request = NULL;
    CHECK_OK(ocelotl_request_new(&request, "parts"));
    CHECK_OK(ocelotl_request_set(request, "no-cache", NULL));
    CHECK_OK(ocelotl_session_open(session, path, request, NULL));
    ocelotl_request_free(request);
}

static void make_world(world *of)
{
    snprintf(of->trace, sizeof of->trace, "%s", temporary_path("run.db"));
    snprintf(of->matrix, sizeof of->matrix, "%s", temporary_path("matrix.csv"));
    write_trace(of->trace);
    write_matrix(of->matrix);
    open_session(&of->sessions[0], of->trace);
    open_session(&of->sessions[1], of->matrix);
}

/* --- Answers, each with the words that make the program give it */

enum { TEXT = 1 << OCELOTL_FORM_TEXT, CSV = 1 << OCELOTL_FORM_CSV, JSON = 1 << OCELOTL_FORM_JSON };
enum { MOST_WORDS = 8 };

typedef struct asked {
    ocelotl_request *request;
    ocelotl_session *own, *session; /* `own`: of this question alone */
    ocelotl_form form;
} asked;

typedef ocelotl_status write_asked(const ocelotl_sink *sink, const asked *what);

/* What ocelotl_ask does not answer. */

static ocelotl_status overview(const ocelotl_sink *sink, const asked *what)
{
    ocelotl_partition *partition = NULL;
    ocelotl_status status = ocelotl_session_partition(&partition, what->session, what->request);
    if (status == OCELOTL_OK)
        status = ocelotl_partition_write_json(sink, partition, &what->request->view);
    ocelotl_partition_free(partition);
    return status;
}

static ocelotl_status info(const ocelotl_sink *sink, const asked *what)
{
    ocelotl_trace *trace = NULL;
    ocelotl_status status = ocelotl_session_trace(&trace, what->session);
    return status == OCELOTL_OK ? ocelotl_info_write(sink, what->form, trace, NULL, "") : status;
}

static ocelotl_status verify(const ocelotl_sink *sink, const asked *what)
{
    ocelotl_verification *verification = NULL;
    ocelotl_status status = ocelotl_session_verify(&verification, what->request->operands[0], NULL);
    if (status == OCELOTL_OK)
        status = ocelotl_verification_write(sink, what->form, verification);
    ocelotl_verification_free(verification);
    return status;
}

static ocelotl_status formats(const ocelotl_sink *sink, const asked *what)
{
    return ocelotl_formats_write(sink, what->form);
}

/* Without --json as CSV. */
static ocelotl_status export(const ocelotl_sink *sink, const asked *what)
{
    ocelotl_events *events = NULL;
    ocelotl_trace *trace = NULL;
    ocelotl_selection selection = {0};
    ocelotl_losses losses;
    const ocelotl_request *request = what->request;
    ocelotl_status status = ocelotl_session_trace(&trace, what->session);
    if (status == OCELOTL_OK)
        status = ocelotl_session_events(&events, &selection, what->session, request);
    if (status == OCELOTL_OK && what->form == OCELOTL_FORM_JSON)
        status = ocelotl_events_write_json(sink, events, trace, &selection, &losses);
    else if (status == OCELOTL_OK && request->format != NULL)
        status =
            ocelotl_events_write_pjdump(sink, events, trace, &selection, request->digits, &losses);
    else if (status == OCELOTL_OK)
        status = ocelotl_events_write_csv(sink, events, trace, &selection, &losses);
    ocelotl_events_free(events);
    return status;
}

#define SQL                                                                       \
    "SELECT resource, value, begin FROM events WHERE end < 0.05 ORDER BY begin, " \
    "resource, value"

/* @t is the trace, @m the matrix. */
static const struct answer {
    const char *words[MOST_WORDS];
    unsigned forms;
    bool alone; /* in a session of its own */
    write_asked *write;
} answers[] = {
    {{"overview", "--p", "0.3", "@m"}, JSON, false, overview},
    {{"parts", "--sort", "loss", "--p", "0.3", "@m"}, JSON, false, NULL},
    {{"parts", "--sort", "gain", "--p", "0.3", "@m"}, CSV, false, NULL},
    {{"parts", "--p", "0.3", "@m"}, TEXT, false, NULL},
    {{"sweep", "@m"}, TEXT | CSV | JSON, false, NULL},
    {{"compare", "@m", "@m"}, TEXT | CSV | JSON, false, NULL},
    {{"stats", "@t"}, TEXT | CSV | JSON, false, NULL},
    {{"gantt", "@t"}, JSON, false, NULL},
    {{"series", "@t"}, CSV | JSON, false, NULL},
    {{"sql", "@t", SQL}, TEXT | CSV | JSON, false, NULL},
    {{"info", "@t"}, TEXT | CSV | JSON, false, info},
    {{"verify", "@t"}, TEXT | JSON, false, verify},
    {{"formats"}, TEXT | CSV | JSON, false, formats},
    {{"export", "--to", "+50ms", "@t"}, TEXT | JSON, true, export},
    {{"export", "--format", "pjdump", "--to", "+50ms", "@t"}, TEXT, true, export},
    {{"stats", "--to", "50%", "--only", "state", "@t"}, TEXT, true, NULL},
    {{"gantt", "--to", "10%", "@t"}, JSON, true, NULL},
    {{"series", "--variable", "load", "--reduce", "max", "@t"}, CSV, true, NULL},
    {{"parts", "--slices", "10", "--p", "0.4", "@t"}, TEXT, true, NULL},
    {{"compare", "@m", "@m"}, TEXT, true, NULL},
};

static const char *word_of(const struct answer *answer, size_t i, const world *of)
{
    const char *word = i < MOST_WORDS ? answer->words[i] : NULL;
    if (word == NULL || word[0] != '@')
        return word;
    return word[1] == 't' ? of->trace : of->matrix;
}

static ocelotl_status write_answer(const ocelotl_sink *sink, const world *of,
                                   const struct answer *answer, ocelotl_form form)
{
    const char *words[MOST_WORDS] = {NULL}, *path = NULL;
    size_t count = 0;
    asked what = {.form = form};
    for (; word_of(answer, count, of) != NULL; count++) {
        words[count] = word_of(answer, count, of);
        path = answer->words[count][0] == '@' ? words[count] : path;
    }
    ocelotl_status status = ocelotl_request_new(&what.request, words[0]);
    if (status == OCELOTL_OK)
        status = ocelotl_request_parse(what.request, count - 1, words + 1);
    if (status == OCELOTL_OK && answer->alone)
        status = ocelotl_session_open(&what.own, path, what.request, NULL);
    what.session = answer->alone ? what.own : of->sessions[path == of->matrix];
    if (status == OCELOTL_OK)
        status = answer->write != NULL ? answer->write(sink, &what)
                                       : ocelotl_ask(sink, what.session, what.request, form);
    ocelotl_session_free(what.own);
    ocelotl_request_free(what.request);
    return status;
}

static char *run_program(const struct answer *answer, const world *of, ocelotl_form form)
{
    static const char *const flags[] = {
        [OCELOTL_FORM_TEXT] = "", [OCELOTL_FORM_CSV] = "--csv", [OCELOTL_FORM_JSON] = "--json"};
    char command[5000];
    size_t length;
    const char *path = temporary_path("printed");
    int end = snprintf(command, sizeof command, "'%s'", getenv("OCELOTL_CLI"));
    for (size_t i = 0; word_of(answer, i, of) != NULL; i++)
        end +=
            snprintf(command + end, sizeof command - (size_t)end, " '%s'", word_of(answer, i, of));
    snprintf(command + end, sizeof command - (size_t)end, " %s >'%s'", flags[form], path);
    CHECK(system(command) == 0);
    return temporary_read(&length, path);
}

static void check_same(const struct answer *answer, const world *of, ocelotl_form form)
{
    ocelotl_buffer buffer = {0};
    ocelotl_file *file = NULL;
    size_t length;
    const char *path = temporary_path("answer");
    ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
    CHECK_OK(write_answer(&sink, of, answer, form));
    CHECK(buffer.size > 0 && buffer.bytes[buffer.size - 1] == '\n');
    CHECK_OK(ocelotl_file_open(&file, path, true));
    sink = ocelotl_file_sink(file);
    CHECK_OK(write_answer(&sink, of, answer, form));
    CHECK_OK(ocelotl_file_commit(file));
    ocelotl_file_free(file);
    char *written = temporary_read(&length, path);
    CHECK(length == buffer.size);
    CHECK_TEXT(written, buffer.bytes);
    free(written);
    if (getenv("OCELOTL_CLI") != NULL) {
        char *printed = run_program(answer, of, form);
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
static void check_refused(const struct answer *answer, const world *of, ocelotl_form form)
{
    size_t refused = 0;
    for (ocelotl_status status = OCELOTL_ERROR_CANCELLED; status != OCELOTL_OK; refused++) {
        taker to = {.calls_left = refused};
        const ocelotl_sink sink = {take, &to};
        status = write_answer(&sink, of, answer, form);
        CHECK(status == OCELOTL_OK || status == OCELOTL_ERROR_CANCELLED);
        if (status != OCELOTL_OK)
            CHECK_FAILS(status, OCELOTL_ERROR_CANCELLED, "the sink took no more");
        CHECK(status != OCELOTL_OK || refused > 0);
        ocelotl_buffer_free(&to.taken);
    }
}

/* A request for memory fails in turn: a success has all of it. */
static void check_no_memory(const struct answer *answer, const world *of, ocelotl_form form)
{
    ocelotl_buffer whole = {0};
    ocelotl_sink sink = ocelotl_buffer_sink(&whole);
    CHECK_OK(write_answer(&sink, of, answer, form));
    long step = 1;
    for (long request = 0;; request += step) {
        ocelotl_buffer part = {0};
        sink = ocelotl_buffer_sink(&part);
        failing_begin(request);
        const ocelotl_status status = write_answer(&sink, of, answer, form);
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

static void test_pieces(void)
{
    static const struct {
        const char *text;
        double number; /* without a text */
        const char *wanted;
    } cases[] = {
        {"", 0, "\"\""},
        {"a\"b\\c/d", 0, "\"a\\\"b\\\\c/d\""},
        {"\n\t\x1b\x7f", 0, "\"\\u000a\\u0009\\u001b\\u007f\""},
        {"\xC2\x9B \xE2\x80\xAE \xEF\xBB\xBF", 0, "\"\\u009b \\u202e \\ufeff\""},
        {"\xF3\xA0\x81\x81", 0, "\"\\udb40\\udc41\""},
        {"\xFF\xC3 \xC3\xA9", 0, "\"\xEF\xBF\xBD\xEF\xBF\xBD \xC3\xA9\""},
        {NULL, 0.1, "0.1"},
        {NULL, 1.0 / 3, "0.3333333333333333"},
        {NULL, -0.0, "-0"},
        {NULL, 1e300, "1e+300"},
        {NULL, 12345678, "12345678"},
        {NULL, (double)NAN, "null"},
        {NULL, -(double)INFINITY, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ocelotl_buffer buffer = {0};
        const ocelotl_sink sink = ocelotl_buffer_sink(&buffer);
        CHECK_OK(cases[i].text != NULL ? ocelotl_json_write_text(&sink, cases[i].text)
                                       : ocelotl_json_write_number(&sink, cases[i].number));
        CHECK_TEXT(buffer.bytes, cases[i].wanted);
        ocelotl_buffer_free(&buffer);
    }
}

int main(void)
{
    world of = {0};
    ocelotl_trace *trace = NULL;
    temporary_begin();
    test_pieces();
    make_world(&of);
    CHECK_OK(ocelotl_session_trace(&trace, of.sessions[0]));
    ocelotl_say_skipped(trace, NULL); /* as a caller that wants no messages does */
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        for (ocelotl_form form = OCELOTL_FORM_TEXT; form <= OCELOTL_FORM_JSON; form++)
            if ((answers[i].forms >> form & 1) != 0) {
                check_same(&answers[i], &of, form);
                check_refused(&answers[i], &of, form);
                check_no_memory(&answers[i], &of, form);
            }
    for (int i = 0; i < 2; i++)
        ocelotl_session_free(of.sessions[i]);
    return 0;
}

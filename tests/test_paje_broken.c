/* Broken Paje traces: each error with its place, nothing left; lenient imports count what they
 * skip; inputs of every form. */
#include "test_paje_fixture.h"

#include <zlib.h>
#include <zstd.h>

static void check_broken_lines(void)
{
    static const struct {
        const char *body;
        int line;
        const char *message;
    } cases[] = {
        {"99 1\n", 1, "unknown event number \"99\", expected one defined by %EventDef before"},
        {"\nx\n", 2, "unknown event number \"x\", expected one defined by %EventDef before"},
        {"-1\n", 1, "unknown event number \"-1\", expected one defined by %EventDef before"},
        {"8 1 S a\n", 1, "wrong number of fields, 3 in \"PajeSetState\", expected 4"},
        {"8 1 S a c d\n", 1, "wrong number of fields, 5 in \"PajeSetState\", expected 4"},
        {"8 1 S a \"c\n", 1, "a quote is not closed, expected one more \""},
        {"8 1 X a c\n", 1, "unknown state type \"X\", expected one defined before"},
        {"8 1 V a c\n", 1, "\"V\" is a variable type, expected a state type"},
        {"12 1 T a 1\n", 1, "\"T\" is a container type, expected a variable type"},
        {"8 1 S x c\n", 1, "unknown container \"x\", expected one created before"},
        {"8 one S a c\n", 1, "time is \"one\", expected a decimal number from -9.2e18 to 9.2e18"},
        {"12 1 V a many\n", 1, "value is \"many\", expected a number"},
        {"12 1 V a nan\n", 1, "value is \"nan\", expected a number"},
        {"12 1 V a 1e400\n", 1, "value is \"1e400\", expected a number"},
        {"13 1 V a 1e308\n", 1, "value is 1e+308, expected a finite number up to 1e+280"},
        {"0 T 0 Again\n", 1, "type \"T\" is defined twice, expected each once"},
        {"0 0 0 Root\n", 1, "a type called \"0\", which is reserved for the root"},
        {"0 N X Node\n", 1, "unknown container type \"X\", expected one defined before"},
        {"0 N S Node\n", 1, "\"S\" is a type of events, expected a container type"},
        {"5 v T value \"0 0 0\"\n", 1,
         "unknown type \"T\" of a value, expected a type of events defined before"},
        {"6 0 a T 0 again\n", 1, "container \"a\" is created twice, expected its end between"},
        {"6 0 0 T 0 root\n", 1, "a container called \"0\", which is reserved for the root"},
        {"6 0 n S 0 node\n", 1, "\"S\" is a type of events, expected a container type"},
        {"6 0 n T x node\n", 1, "unknown container \"x\", expected one created before"},
        {"7 1 T x\n", 1, "unknown container \"x\", expected one created before"},
        {"7 1 T a\n7 1 T a\n", 2,
         "container \"alpha\" has been destroyed, expected nothing to happen there"},
        {"7 1 T a\n8 2 S a c\n", 2,
         "container \"alpha\" has been destroyed, expected nothing to happen there"},
        {"7 1 T a\n16 2 L 0 a m k\n", 2,
         "container \"alpha\" has been destroyed, expected nothing to happen there"},
        {"6 5 n T 0 node\n7 4 T n\n", 2, "\"node\" ends at tick 4, before its beginning at 5"},
        {"16 2 L 0 x m k\n", 1, "unknown container \"x\", expected one created before"},
        {"16 2 S 0 a m k\n", 1, "\"S\" is a state type, expected a link type"},
        {"%EventDef PajeSetState\n", 1, "%EventDef with 1 fields, expected a name and a number"},
        {"%EventDef PajeSetState 5 6\n", 1,
         "%EventDef with 3 fields, expected a name and a number"},
        {"%EventDef PajeSetState five\n", 1,
         "%EventDef PajeSetState has the number \"five\", expected one in 0..65535"},
        {"%EventDef X 65536\n", 1,
         "%EventDef X has the number \"65536\", expected one in 0..65535"},
        {"%EventDef X 50\n%EventDef Y 51\n", 2,
         "%EventDef inside the definition of \"X\", expected %EndEventDef before"},
        {"% Time date\n", 1, "field \"Time\" outside a definition, expected %EventDef before"},
        {"%EndEventDef\n", 1, "%EndEventDef outside a definition, expected %EventDef before"},
        {"%EventDef X 50\n% Time\n", 2, "field definition of 1 words, expected a name and a type"},
        {"%EventDef X 50\n% Time date\n% Time date\n", 3, "\"X\" has the field \"Time\" twice"},
        {"%EventDef PajeSetState 50\n% Time date\n%EndEventDef\n", 3,
         "the definition of \"PajeSetState\" ends without the field \"Type\""},
        {"%EventDef X 50\n% \"Time date\n", 2, "a quote is not closed"},
        {"%EventDef X 50\n% Time date\n", 2,
         "the trace ends in the definition of \"X\", expected %EndEventDef"},
        {"%EventDef PajeTraceFile 50\n% Filename string\n%EndEventDef\n50 other.trace\n", 4,
         "the trace goes on in the file \"other.trace\", which cannot be opened: No such file or "
         "directory"},
        {"8 1 S a c\n8 2 S", 2, "wrong number of fields, 2 in \"PajeSetState\", expected 4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        paje_refused(cases[i].body, cases[i].line, cases[i].message);
    temporary_files(true);
}

static void check_many_fields(void)
{
    char body[4096] = "%EventDef X 50\n";
    for (int i = 0; i < 65; i++)
        sprintf(body + strlen(body), "%% f%d string\n", i);
    paje_refused(body, 66, "\"X\" has more than 64 fields");
    char line[2048] = "%EventDef X 50\n";
    for (int i = 0; i < 64; i++)
        sprintf(line + strlen(line), "%% f%d string\n", i);
    strcat(line, "%EndEventDef\n50");
    for (int i = 0; i < 64; i++)
        strcat(line, " x");
    char *text = malloc(sizeof PAJE_HEAD + sizeof line + 16);
    CHECK(text != NULL);
    sprintf(text, "%s%s\n", PAJE_HEAD, line);
    paje_end(paje_import(text));
    free(text);
    strcat(line, " x x");
    paje_refused(line, 67, "wrong number of fields, 65 in \"X\", expected 64");
    temporary_files(true);
}

static void check_lenient(void)
{
    ocelotl_trace *trace = paje_import_lenient(
        PAJE_HEAD "8 0 S a c\n"
                  "8 1 S x c\n8 1 S \"y, z\" c\n17 1 L 0 q m k\n" /* unknown containers */
                  "8 1 S a\n8 1 S a c d e\n"                      /* numbers of fields */
                  "12 1 V a many\n12 2 V a few\n8 2\xff S a c\n"
                  "%EventDef X\xff 50\n%EventDef PajeSetState 51\n" /* the first is never ended */
                  "% Time date\n% Type string\n% Container string\n% Value string\n%EndEventDef\n"
                  "%EventDef PajeSetState 52\n% Time date\n%EndEventDef\n52 1\n"
                  "7 4 T b\n15 5 E b x\n7 6 T b\n7 6 T q\n"
                  "6 5 n T 0 node\n7 4 T n\n15 6 E n x\n" /* an end that cannot be is none */
                  "51 7 S a w\n8 10 S a c\n%EventDef Z 9\n");
    CHECK(paje_warning(trace, "skipped line: unknown container") == 4);
    CHECK(paje_warning(trace, "skipped line: wrong number of fields") == 2);
    CHECK(paje_warning(trace, "skipped line: value is") == 2);
    CHECK(paje_warning(trace, "skipped line: time is") == 1);
    CHECK(paje_warning(trace, "skipped line: %EventDef inside the definition of") == 1);
    CHECK(paje_warning(trace, "skipped line: the definition of ends without the field") == 1);
    CHECK(paje_warning(trace, "skipped line: unknown event number") == 1);
    CHECK(paje_warning(trace, "skipped line: container has been destroyed") == 2);
    CHECK(paje_warning(trace, "skipped line: the trace ends in the definition of") == 1);
    CHECK(paje_warning(trace, "skipped line: ends at tick N") == 1);
    CHECK(paje_value(trace, "x").count == 1 && ocelotl_trace_resource_at(trace, 2).end == 10);
    CHECK(ocelotl_trace_warning_count(trace) == 11); /* and the state open at the end */
    CHECK(paje_value(trace, "compute").innermost_ticks == 7 &&
          paje_value(trace, "wait").innermost_ticks == 3);
    CHECK(strstr(ocelotl_trace_warning_at(trace, 0).detail, "run.trace:") != NULL);
    CHECK(strstr(ocelotl_trace_warning_at(trace, 0).detail, "unknown container \"x\", expected") !=
          NULL);
    paje_end(trace);
}

/* Names that are no UTF-8 are still counted as one kind. */
static void check_lenient_kinds(void)
{
    char *text = malloc(sizeof PAJE_HEAD + 100000);
    CHECK(text != NULL);
    size_t length = (size_t)sprintf(text, "%s8 0 S a c\n", PAJE_HEAD);
    for (int i = 0; i < 2000; i++)
        length += (size_t)sprintf(text + length, "%%EventDef \xff%d x%d\n8 1%c S a c\n", i, i,
                                  128 + i % 100);
    ocelotl_trace *trace = paje_import_lenient(text);
    free(text);
    CHECK(ocelotl_trace_warning_count(trace) < 20);
    CHECK(paje_warning(trace, "skipped line: time is") == 2000);
    paje_end(trace);
}

/* A path longer than a message holds. */
static void check_long_path(void)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    char path[4000], folder[256];
    size_t length = (size_t)snprintf(path, sizeof path, "%s", temporary_folder);
    memset(folder, 'd', sizeof folder);
    folder[200] = '\0';
    for (int depth = 0; depth < 14; depth++) {
        length += (size_t)snprintf(path + length, sizeof path - length, "/%s", folder);
        CHECK(mkdir(path, 0700) == 0);
    }
    const size_t deepest = length;
    snprintf(path + length, sizeof path - length, "/t");
    static const char text[] = PAJE_HEAD "8 0 S a c\n8 1 S x c\n";
    temporary_write(path, text, sizeof text - 1);
    options.lenient = true;
    CHECK_OK(ocelotl_import(temporary_path("trace.db"), path, &options));
    CHECK(ocelotl_import(temporary_path("other.db"), path, NULL) == OCELOTL_ERROR_INPUT);
    CHECK(unlink(path) == 0);
    for (length = deepest; length > strlen(temporary_folder); length -= 201) {
        path[length] = '\0';
        CHECK(rmdir(path) == 0);
    }
    paje_end(paje_open());
}

static void check_whole_files(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "is empty, expected a trace"},
        {"\n\n", "is of no format that is known"},
        {"some text\n", "is of no format that is known"},
        {"# only a comment\n", "is of no format that is known"},
        {"%Event\n", "is of no format that is known"},
        {PAJE_DEFINITIONS, "holds definitions alone, expected events"},
        {"%EventDef X 1\n%EndEventDef\n", "holds definitions alone, expected events"},
        {"#Paraver (21/01/2022 at 16:37):1_ns:1(20):2:8(1:1)\n",
         ":1: the header goes on with \")\", expected a comma before the next task"},
        {"{\"a\": 1}", "is JSON, which cannot be read"},
        {"PK\x03\x04 and so on",
         "the compressed data ends too early, expected the rest of its zip archive behind byte"},
        {"/* CTF 1.8 */\ntrace {\n", "is the metadata of a CTF trace"},
        {"LZIP\x01", "is compressed by lzip, which cannot be read here, expected lzip -dc "},
        {"path;type;slice;value\na;b;0;1\n",
         ":1: the header is \"path;type;slice;value\", separated by semicolons, expected that of a "
         "trace, such as resource,type,value,begin,end or time,resource,type,value"},
        {"moment;rank;state\r\n1,5;2;x\r\n",
         ":1: the header is \"moment;rank;state\", separated by semicolons"},
        {"path\ttype\tslice\tvalue\n", ", separated by tabs"},
        {"path,typ,slice,value\na,b,0,1\n",
         ":1: the header is \"path,typ,slice,value\", expected that of a trace"},
        {"Path,Type,Slice,Value\n", "or that of a microscopic model: path,type,slice,value"},
        {"a/b,x,0,1.5\na/b,x,1,2\n", ":1: the header is missing, expected that of a trace"},
        {"path,type,slice,value\n", "is a microscopic model already, which needs no import"},
    };
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = true;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_FAILS(paje_import_bytes(cases[i].text, strlen(cases[i].text), NULL),
                    OCELOTL_ERROR_INPUT, cases[i].message);
        CHECK_FAILS(paje_import_bytes(cases[i].text, strlen(cases[i].text), &options),
                    OCELOTL_ERROR_INPUT, cases[i].message);
    }
    /* only names: a trace without events */
    ocelotl_trace *trace = paje_import(PAJE_HEAD);
    CHECK(ocelotl_trace_info_of(trace).begin == 0 && ocelotl_trace_info_of(trace).end == 0);
    ocelotl_trace_free(trace);
    CHECK_FAILS(ocelotl_import(temporary_path("again.db"), temporary_path("trace.db"), NULL),
                OCELOTL_ERROR_INPUT, "is a trace.db already");
    CHECK_REFUSED(ocelotl_import(temporary_path("trace.db"), paje_source(), NULL),
                  "exists already");
    CHECK_FAILS(ocelotl_import(temporary_path("no/trace.db"), paje_source(), NULL),
                OCELOTL_ERROR_IO, "cannot write");
    CHECK_FAILS(ocelotl_import(temporary_folder, paje_source(), NULL), OCELOTL_ERROR_IO,
                "is a directory");
    CHECK_FAILS(ocelotl_import(temporary_path("x.db"), temporary_path("none"), NULL),
                OCELOTL_ERROR_IO, "cannot open");
    /* it holds no traces; one that does is a trace of them */
    CHECK(mkdir(temporary_path("hollow"), 0700) == 0);
    CHECK_FAILS(ocelotl_import(temporary_path("x.db"), temporary_path("hollow"), NULL),
                OCELOTL_ERROR_IO, "is a directory");
    CHECK(rmdir(temporary_path("hollow")) == 0);
    options.format = "otf";
    CHECK_REFUSED(ocelotl_import(temporary_path("x.db"), paje_source(), &options),
                  "unknown format \"otf\", expected one of: paje");
    CHECK(temporary_files(true) == 2);
}

/* A trace that was cut: what is whole of its last line may still be a line. */
static void check_cuts(void)
{
    static const char text[] = PAJE_HEAD "8 0 S a c\n9 1 S a w\n10 2 S a\n12 3 V b 12.5\n";
    for (size_t length = sizeof PAJE_HEAD - 1; length < sizeof text; length++) {
        const ocelotl_status status = paje_import_bytes(text, length, NULL);
        CHECK(status == OCELOTL_OK || status == OCELOTL_ERROR_INPUT);
    }
    for (size_t length = 1; length < sizeof PAJE_HEAD - 1; length += 7)
        paje_import_bytes(text, length, NULL);
    temporary_files(true);
}

static char *large_text(size_t *length)
{
    char *text = malloc(4000000);
    CHECK(text != NULL);
    *length = (size_t)sprintf(text, "%s", PAJE_HEAD);
    for (int i = 0; i < 60000; i++)
        *length += (size_t)sprintf(text + *length, "8 %d.%03d S a %s\n", i / 1000, i % 1000,
                                   i % 2 == 0 ? "c" : "w");
    return text;
}

/* What could be decoded is imported but for the line that is cut, and the rest is a warning with
 * its line. */
static void check_salvage(const char *packed, size_t length, bool has_events)
{
    if (paje_import_bytes_lenient(packed, length) != OCELOTL_OK) {
        CHECK(!has_events &&
              strstr(ocelotl_error_message(), "the compressed data ends too early") != NULL);
        return;
    }
    ocelotl_trace *trace = paje_open();
    CHECK(paje_warning(trace, "skipped rest of the trace") == 1 &&
          paje_warning(trace, "skipped line") == 0);
    CHECK(ocelotl_trace_value_count(trace) == 2 && ocelotl_trace_resource_count(trace) <= 2);
    const uint64_t states = paje_value(trace, "compute").count + paje_value(trace, "wait").count;
    char place[64];
    uint64_t lines = states + 1;
    for (const char *byte = PAJE_HEAD; *byte != '\0'; byte++)
        lines += *byte == '\n';
    snprintf(place, sizeof place, "run.trace:%llu: the compressed data ends too early",
             (unsigned long long)lines);
    CHECK(states <= 60000 && (states > 20000 || !has_events));
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        if (strncmp(ocelotl_trace_warning_at(trace, i).kind, "skipped", 7) == 0)
            CHECK(strstr(ocelotl_trace_warning_at(trace, i).detail, place) != NULL);
    ocelotl_trace_free(trace);
}

static void check_truncations(const char *packed, size_t length)
{
    static const size_t shares[] = {1, 2, 10, 50, 90, 99};
    CHECK_OK(paje_import_bytes(packed, length, NULL));
    ocelotl_trace *trace = paje_open();
    CHECK(paje_value(trace, "compute").count == 30000);
    ocelotl_trace_free(trace);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        CHECK(paje_import_bytes(packed, length * shares[i] / 100, NULL) == OCELOTL_ERROR_INPUT);
        check_salvage(packed, length * shares[i] / 100, shares[i] >= 50);
    }
    CHECK_FAILS(paje_import_bytes(packed, length - 3, NULL), OCELOTL_ERROR_INPUT, "ends too early");
    check_salvage(packed, length - 3, true);
}

static void check_compression(void)
{
    size_t length;
    char *text = large_text(&length);
    const size_t bound = ZSTD_compressBound(length) + compressBound((uLong)length) + 100;
    char *packed = malloc(bound);
    CHECK(packed != NULL);
    const size_t zstd = ZSTD_compress(packed, bound, text, length, 1);
    CHECK(!ZSTD_isError(zstd));
    check_truncations(packed, zstd);
    z_stream stream = {0};
    CHECK(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    stream.next_in = (unsigned char *)text;
    stream.avail_in = (uInt)length;
    stream.next_out = (unsigned char *)packed;
    stream.avail_out = (uInt)bound;
    CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    check_truncations(packed, stream.total_out);
    deflateEnd(&stream);
    free(packed);
    free(text);
    temporary_files(true);
}

/* Checks that very many kinds of broken lines, whose names look like words of a message, are not
 * counted one by one. */
static void check_very_many_kinds(void)
{
    enum { LINES = 1000 };
    oc_text text = {0};
    uint64_t count = 0;
    oc_text_add(&text, PAJE_HEAD);
    for (int i = 0; i < LINES; i++)
        oc_text_format(&text, "15 1 E x\"%c%c%c mark\n", 'a' + i / 100, 'a' + i / 10 % 10,
                       'a' + i % 10);
    oc_text_add(&text, "15 2 E a mark\n");
    CHECK(!text.failed);
    ocelotl_trace *trace = paje_import_lenient(text.bytes);
    oc_text_free(&text);
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        count += ocelotl_trace_warning_at(trace, i).count;
    CHECK(count == LINES && ocelotl_trace_warning_count(trace) == 257);
    paje_end(trace);
}

/* The lines around one that is too long are read. */
static void check_skipped_line(const char *head, size_t length, size_t too_long)
{
    static const char next[] = "\n15 2 E b mark\n";
    char place[64];
    char *text = malloc(length + too_long + sizeof next);
    CHECK(text != NULL);
    memcpy(text, head, length);
    memset(text + length, 'x', too_long);
    memcpy(text + length + too_long, next, sizeof next - 1);
    CHECK_OK(paje_import_bytes_lenient(text, length + too_long + sizeof next - 1));
    int line = 1;
    for (size_t i = 0; i < length; i++)
        line += text[i] == '\n';
    free(text);
    ocelotl_trace *trace = paje_open();
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Mark")).count == 1);
    CHECK(ocelotl_trace_warning_count(trace) == 1 && ocelotl_trace_warning_at(trace, 0).count == 1);
    CHECK_TEXT(ocelotl_trace_warning_at(trace, 0).kind, "skipped line: a line of more than N MiB");
    snprintf(place, sizeof place, "run.trace:%d: a line of more than 16 MiB", line);
    CHECK(strstr(ocelotl_trace_warning_at(trace, 0).detail, place) != NULL);
    paje_end(trace);
}

static void check_long_lines(void)
{
    const size_t room = (size_t)24 << 20;
    char *text = malloc(sizeof PAJE_HEAD + room);
    CHECK(text != NULL);
    size_t length = (size_t)sprintf(text, "%s15 1 E a ", PAJE_HEAD);
    memset(text + length, 'x', (size_t)20 << 20);
    const char *message = "a line of more than 16 MiB, expected lines of text";
    CHECK_FAILS(paje_import_bytes(text, length + ((size_t)20 << 20), NULL), OCELOTL_ERROR_INPUT,
                message);
    CHECK_OK(paje_import_bytes_lenient(text, length + ((size_t)20 << 20)));
    check_skipped_line(text, length, (size_t)20 << 20);
    /* long, but not too long */
    length += (size_t)5 << 20;
    text[length++] = '\n';
    CHECK_OK(paje_import_bytes(text, length, NULL));
    ocelotl_trace *trace = paje_open();
    CHECK(ocelotl_trace_value_count(trace) == 3);
    CHECK(strlen(ocelotl_trace_value_at(trace, 2).name) == (size_t)5 << 20);
    free(text);
    paje_end(trace);
}

/* A comment that is too long to be skipped as one hides no trace behind it. */
static void check_long_comment(void)
{
    const size_t room = (size_t)17 << 20;
    char *text = malloc(room + sizeof PAJE_HEAD + 64);
    CHECK(text != NULL);
    memset(text, '#', room);
    const size_t length = room + (size_t)sprintf(text + room, "\n%s8 1 S a c\n", PAJE_HEAD);
    CHECK_FAILS(paje_import_bytes(text, length, NULL), OCELOTL_ERROR_INPUT,
                "run.trace:1: a line of more than 16 MiB, expected lines of text");
    CHECK_OK(paje_import_bytes_lenient(text, length));
    ocelotl_trace *trace = paje_open();
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "State")).count == 1);
    CHECK(paje_warning(trace, "skipped line: a line of more than N MiB") == 1);
    free(text);
    paje_end(trace);
}

static bool count_reports(void *context, uint64_t done, uint64_t total)
{
    uint64_t *calls = context;
    CHECK(done <= total && total > 0);
    return ++*calls < 3;
}

static void check_progress(void)
{
    size_t length;
    uint64_t calls = 0;
    char *text = large_text(&length);
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.work.progress = count_reports;
    options.work.context = &calls;
    options.lenient = true;
    CHECK(paje_import_bytes(text, length, &options) == OCELOTL_ERROR_CANCELLED);
    CHECK(calls == 3);
    free(text);
    temporary_files(true);
}

int main(void)
{
    temporary_begin();
    check_broken_lines();
    check_many_fields();
    check_lenient();
    check_lenient_kinds();
    check_long_path();
    check_whole_files();
    check_cuts();
    check_compression();
    check_long_lines();
    check_long_comment();
    check_very_many_kinds();
    check_progress();
    return 0;
}

/* Broken trace events: each error names its place and leaves no file; lenient imports read what is
 * whole, wherever the text is cut. */
#include "temporary.h"

/* Imports a text; the caller frees the trace. */
static ocelotl_status import(ocelotl_trace **trace, const char *text, size_t length, bool lenient)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = lenient;
    options.overwrite = true;
    options.format = "chrome";
    *trace = NULL;
    temporary_write(temporary_path("t.json"), text, length);
    const ocelotl_status status =
        ocelotl_import(temporary_path("t.db"), temporary_path("t.json"), &options);
    if (status == OCELOTL_OK)
        *trace = must_open(temporary_path("t.db"));
    CHECK(temporary_files(false) == (status == OCELOTL_OK ? 2 : 1));
    temporary_files(true);
    return status;
}

static uint64_t count_events(const ocelotl_trace *trace)
{
    uint64_t count = 0;
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++)
        count += ocelotl_trace_event_type_at(trace, t).count;
    return count;
}

#define OK_EVENT      "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":2}"
#define WITH(members) "[" OK_EVENT ",\n{" members "}]"

/* `kept` is what a lenient import keeps, in events. */
static void check_errors(void)
{
    static const struct {
        const char *text, *message;
        uint64_t kept;
    } cases[] = {
        {WITH("\"name\":\"x\""), "t.json:2: an event without \"ph\", expected its kind", 1},
        {WITH("\"ph\":\"X\""), "t.json:2: an event without \"ts\", expected its time", 1},
        {WITH("\"ph\":\"X\",\"ts\":\"soon\""),
         "t.json:2: ts is \"soon\", expected a number of microseconds", 1},
        {WITH("\"ph\":\"X\",\"ts\":{}"), "t.json:2: ts is \"{}\", expected a number", 1},
        {WITH("\"ph\":\"X\",\"ts\":NaN"), "t.json:2: ts is \"NaN\", expected a number", 1},
        {WITH("\"ph\":\"X\",\"ts\":1e400"), "t.json:2: ts is \"1e400\", expected a number", 1},
        {WITH("\"ph\":\"X\",\"ts\":1,\"dur\":1e300"),
         "dur is \"1e300\", expected a number of microseconds from -9.2e15 to 9.2e15", 1},
        {WITH("\"ph\":\"X\",\"ts\":1,\"dur\":-"), "t.json:2: dur is \"-\", expected a number", 1},
        {WITH("\"ph\":\"X\",\"ts\":99999999999999999999"),
         "t.json:2: ts is \"99999999999999999999\", expected a number", 1},
        {WITH("\"ph\":\"X\",\"ts\":1.5},{\"ph\":\"X\",\"ts\":9000000000000000000"),
         "t.json:2, byte 75: ts is \"9000000000000000000\", which is too far", 2},
        {WITH("\"ph\":\"X\",\"ts\":1,\"pid\":[]"), "t.json:2: pid is a list or an object", 1},
        {WITH("\"ph\":\"X\",\"ts\":1,\"pid\":1,\"tid\":{}"), "t.json:2: tid is a list", 1},
        {WITH("\"ph\":\"s\",\"ts\":1,\"pid\":1"), "t.json:2: a flow without an id, expected \"id\"",
         1},
        {WITH("\"ph\":\"b\",\"ts\":1,\"pid\":1"), "t.json:2: an asynchronous event without an", 1},
        {WITH("\"ph\":\"M\",\"pid\":1"), "t.json:2: metadata without a name", 1},
        {WITH("\"ph\":\"M\",\"pid\":1,\"name\":\"thread_name\""),
         "t.json:2: metadata without args.name", 1},
        {WITH(
             "\"ph\":\"M\",\"pid\":1,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":{}}"),
         "t.json:2: a sort_index that is no whole number", 1},
        {"[" OK_EVENT ",\n{\"ph\" \"X\"}]", "t.json:2: is no JSON at byte 61, expected a colon", 1},
        {"[" OK_EVENT ",\n{\"ph\":X}]", "t.json:2: is no JSON at byte 61, expected a value", 1},
        {"[" OK_EVENT ",\n{\"ph\":\"X\" \"ts\":1}]",
         "t.json:2: is no JSON at byte 65, expected a comma or }", 1},
        {"[" OK_EVENT ",\n{\"args\":{\"a\":[1 2]}}]",
         "t.json:2: is no JSON at byte 71, expected a comma or ]", 1},
        {"[" OK_EVENT ",\n{\"args\":{\"a\":[1}}}]", "expected a comma or ]", 1},
        {"[" OK_EVENT ",\n{ph:1}]", "t.json:2: is no JSON at byte 56, expected a name in quotes",
         1},
        {"[" OK_EVENT ",\n{\"ph\":\"X", "t.json:2: the JSON ends at byte 63, before", 1},
        {"{\"traceEvents\":[" OK_EVENT, "t.json:1: the JSON ends at byte 68, before what is open",
         1},
        {"{\"traceEvents\":[" OK_EVENT "]", "the JSON ends at byte 69, before what is open", 1},
        {"{\"traceEvents\":[" OK_EVENT "],\"x\":[[[", "the JSON ends at byte 77", 1},
        {"{\"traceEvents\":[" OK_EVENT "],x}", "is no JSON at byte 70, expected a name in quotes",
         1},
        {"[]", "t.json: holds no events, expected some", 0},
        {"{}", "t.json: holds no events, expected some", 0},
        {"{\"traceEvents\":{}}", "t.json: holds no events, expected some", 0},
        {"12", "t.json:1: is no JSON at byte 0, expected a list of events or an object", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ocelotl_trace *trace;
        const size_t length = strlen(cases[i].text);
        CHECK_FAILS(import(&trace, cases[i].text, length, false), OCELOTL_ERROR_INPUT,
                    cases[i].message);
        const ocelotl_status status = import(&trace, cases[i].text, length, true);
        CHECK(status == (cases[i].kept > 0 ? OCELOTL_OK : OCELOTL_ERROR_INPUT));
        if (status == OCELOTL_OK) {
            CHECK(count_events(trace) == cases[i].kept);
            CHECK(ocelotl_trace_warning_count(trace) > 0);
        }
        ocelotl_trace_free(trace);
    }
}

static const char whole[] =
    "{\"a\": {\"b\": [\"]\"]}, \"traceEvents\": [\n"
    "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":"
    "\"t\\u00e9\\\\\"}},\n"
    "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":1.5,\"dur\":2e0,\"args\":{\"d\":[{},["
    "1]]}},\n"
    "{\"ph\":\"B\",\"name\":\"\\ud83d\\ude00\",\"pid\":1,\"tid\":2,\"ts\":\"2\"},\n"
    "{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":3},\n"
    "{\"ph\":\"C\",\"name\":\"c\",\"pid\":1,\"ts\":3,\"args\":{\"v\":-1.25}},\n"
    "{\"ph\":\"i\",\"name\":\"i\",\"pid\":1,\"tid\":2,\"ts\":4,\"s\":\"t\"}\n"
    "], \"baseTimeNanoseconds\": 1735689600000000000}";

/* Cut at every byte: strict imports take the whole alone, lenient ones the events that are whole.
 */
static void check_cuts(void)
{
    const size_t length = sizeof whole - 1;
    uint64_t before = 0;
    for (size_t cut = 0; cut <= length; cut++) {
        ocelotl_trace *trace;
        const ocelotl_status strict = import(&trace, whole, cut, false);
        CHECK((strict == OCELOTL_OK) == (cut == length));
        ocelotl_trace_free(trace);
        const ocelotl_status lenient = import(&trace, whole, cut, true);
        const uint64_t events = lenient == OCELOTL_OK ? count_events(trace) : 0;
        CHECK(lenient == OCELOTL_OK || lenient == OCELOTL_ERROR_INPUT);
        CHECK(events >= before && events <= 4);
        before = events;
        ocelotl_trace_free(trace);
    }
    CHECK(before == 4);
}

/* Each byte in turn is another: no crash, and an error or a trace. */
static void check_changes(void)
{
    static const char others[] = {'"', '{', '}', '\\', ',', '\0', '9', 'x'};
    char text[sizeof whole];
    const size_t kinds = check_rounds(sizeof others); /* of each byte; another part of each next */
    for (size_t n = 0; n < (sizeof whole - 1) * kinds; n++) {
        ocelotl_trace *trace;
        const size_t o = n % sizeof others;
        memcpy(text, whole, sizeof whole);
        text[n / kinds] = others[o];
        const ocelotl_status status =
            import(&trace, text, sizeof whole - 1, (n / kinds + n / sizeof others) % 2 == 0);
        CHECK(status == OCELOTL_OK || status == OCELOTL_ERROR_INPUT ||
              status == OCELOTL_ERROR_LIMIT);
        ocelotl_trace_free(trace);
    }
}

/* 10,000 states inside each other, ended from the outside; arguments as deep. */
static void check_depth(void)
{
    enum { DEPTH = 10000 };
    ocelotl_trace *trace;
    char *text = malloc((size_t)DEPTH * 200);
    size_t length = 0;
    CHECK(text != NULL);
    text[length++] = '[';
    for (int i = 0; i < DEPTH; i++)
        length += (size_t)sprintf(text + length,
                                  "{\"ph\":\"B\",\"name\":\"s%d\",\"pid\":1,\"tid\":1,\"ts\":%d},",
                                  i % 50, i);
    for (int i = 0; i < DEPTH; i++)
        length += (size_t)sprintf(text + length, "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":%d},",
                                  DEPTH + i);
    length += (size_t)sprintf(
        text + length, "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":1,\"args\":{\"a\":");
    for (int i = 0; i < DEPTH; i++)
        length += (size_t)sprintf(text + length, "[");
    for (int i = 0; i < DEPTH; i++)
        length += (size_t)sprintf(text + length, "]");
    length += (size_t)sprintf(text + length, "}}]");
    CHECK_OK(import(&trace, text, length, false));
    CHECK(count_events(trace) == DEPTH + 1);
    CHECK(ocelotl_trace_warning_count(trace) == 2); /* so deep, and so long in each other */
    ocelotl_trace_free(trace);
    free(text);
}

/* Stamps that a double cannot hold, and the ticks that they need. */
static void check_times(void)
{
    static const struct {
        const char *begin, *duration;
        int64_t ticks_begin, ticks_end;
        uint64_t denominator;
    } cases[] = {
        {"1", "2", 1, 3, 1000000},
        {"1.0", "2.000", 1, 3, 1000000},
        {"1.5", "2", 1500, 3500, 1000000000},
        {"0.000001", "1e-6", 1, 2, 1000000000000},
        {"\"4203669603018.756\"", "0.001", 4203669603018756, 4203669603018757, 1000000000},
        {"1695835542481129.123", "1", 481129123, 481130123, 1000000000},
        {"1695835542481129.123456", "0.000001", 481129123456, 481129123457, 1000000000000},
        {"12.000999999999999", "1", 12001, 13001, 1000000000},
        {"-5", "1", -5, -4, 1000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ocelotl_trace *trace;
        char text[300];
        const int length = snprintf(text, sizeof text,
                                    "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":%s,"
                                    "\"dur\":%s}]",
                                    cases[i].begin, cases[i].duration);
        CHECK_OK(import(&trace, text, (size_t)length, false));
        const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
        CHECK(info.begin == cases[i].ticks_begin && info.end == cases[i].ticks_end);
        CHECK(info.tick_numerator == 1 && info.tick_denominator == cases[i].denominator);
        ocelotl_trace_free(trace);
    }
}

int main(void)
{
    temporary_begin();
    check_times();
    check_errors();
    check_cuts();
    check_changes();
    check_depth();

    return 0;
}

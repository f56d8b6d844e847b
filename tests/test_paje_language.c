/* Each event of the Paje language does what docs/formats/paje.md says. */
#include "test_paje_fixture.h"

static void check_names(void)
{
    ocelotl_trace *trace = paje_import(PAJE_HEAD "5 q S \"a quoted name\" \"not a colour\"\n"
                                                 "6 1 deep T alpha \"d e e p\"\n"
                                                 "8 1 State alpha compute\n"
                                                 "8 2 S b w\n"
                                                 "8 3 S deep q\n"
                                                 "8 4 S deep undeclared\n"
                                                 "8 6 S deep \"\"\n");
    const uint32_t deep = paje_resource(trace, "d e e p");
    CHECK(ocelotl_trace_resource_at(trace, deep).parent == paje_resource(trace, "alpha"));
    CHECK(ocelotl_trace_resource_at(trace, deep).begin == 1);
    CHECK_TEXT(
        ocelotl_trace_resource_type_at(trace, ocelotl_trace_resource_at(trace, deep).type).name,
        "Thread");
    CHECK(ocelotl_trace_resource_count(trace) == 3);
    CHECK(paje_value(trace, "compute").innermost_ticks == 5 &&
          paje_value(trace, "wait").innermost_ticks == 4);
    CHECK(paje_value(trace, "a quoted name").innermost_ticks == 1);
    CHECK(paje_value(trace, "undeclared").innermost_ticks == 2);
    CHECK(paje_value(trace, "compute").colour == 0x00FF00 &&
          paje_value(trace, "undeclared").colour == -1);
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Power")).colour == 0xFF0080);
    CHECK(paje_warning(trace, "colour that is not") == 1);
    CHECK(paje_warning(trace, "state open at the end of the trace") == 3);
    CHECK(ocelotl_trace_warning_count(trace) == 2);
    CHECK_TEXT(ocelotl_trace_info_of(trace).name, "run");
    CHECK_TEXT(ocelotl_trace_info_of(trace).format, "paje");
    CHECK_TEXT(ocelotl_trace_info_of(trace).source, paje_source());
    paje_end(trace);
}

/* The first Paje's names of fields, in another order, and definitions in mid-trace. */
static void check_definitions(void)
{
    ocelotl_trace *trace = paje_import(
        "# a comment\n\n  \t\n%EventDef PajeDefineContainerType 7\n% Name string\n% ContainerType "
        "string\n"
        "%EndEventDef\n% EventDef PajeCreateContainer 5 # why not\n%\tName string\n%  Container "
        "string\n"
        "%  ContainerType string\n%  Time date\n% EndEventDef\n"
        "7 Node 0\n"
        "5 n1 0 Node 0\n"
        "%EventDef PajeDefineStateType 3\n% EntityType string\n% Name string\n%EndEventDef\n"
        "3 Node S\n"
        "%EventDef PajeSetState 5000\n% Value string\n% EntityType string\n% Container string\n"
        "% Time date\n%EndEventDef\n"
        "   5000   x S n1 2  # from here on\n"
        "%EventDef PajeSetState 5000\n% Time date\n% Value string\n% EntityType string\n"
        "% Container string\n%EndEventDef\n"
        "5000 5 y S n1\n"
        "%EventDef PajeDefineLinkType 65535\n% Name string\n% ContainerType string\n"
        "% SourceContainerType string\n% DestContainerType string\n%EndEventDef\n"
        "%EventDef PajeStartLink 1\n% Time date\n% EntityType string\n% Container string\n"
        "% SourceContainer string\n% Value string\n% Key string\n%EndEventDef\n"
        "%EventDef PajeEndLink 2\n% Time date\n% EntityType string\n% Container string\n"
        "% DestContainer string\n% Value string\n% Key string\n%EndEventDef\n"
        "65535 L 0 Node Node\n1 5 L 0 n1 v k\n2 9 L 0 n1 v k");
    CHECK(paje_value(trace, "x").innermost_ticks == 3 &&
          paje_value(trace, "y").innermost_ticks == 4);
    CHECK(paje_value(trace, "v").inclusive_ticks == 4);
    CHECK(ocelotl_trace_info_of(trace).end == 9);
    paje_end(trace);
}

static void check_line_ends(void)
{
    ocelotl_trace *trace =
        paje_import("%EventDef PajeDefineContainerType 0\r\n% Name string\r\n% Type string\r\n"
                    "%EndEventDef\r\n\r\n0 \"a b\" 0\r\n0 c \"a b\"\r\n");
    CHECK(ocelotl_trace_resource_type_count(trace) == 2);
    CHECK_TEXT(ocelotl_trace_resource_type_at(trace, 1).name, "c");
    CHECK(ocelotl_trace_resource_type_at(trace, 1).parent == 0);
    paje_end(trace);
}

static void check_states(void)
{
    ocelotl_trace *trace =
        paje_import(PAJE_HEAD "9 0 S a c\n" /* c */
                              "9 1 S a w\n" /* c w */
                              "9 2 S a c\n" /* c w c */
                              "10 4 S a\n"  /* c w */
                              "8 7 S a w\n" /* w: all that was open has ended */
                              "9 9 S a c\n" /* w c */
                              "11 12 S a\n" /* none */
                              "10 13 S a\n" /* a pop of nothing */
                              "11 13 S a\n"
                              "9 14 S a w\n" /* open where the container is destroyed */
                              "7 17 T a\n"
                              "15 20 E b x\n");
    CHECK(paje_value(trace, "compute").count == 3 && paje_value(trace, "wait").count == 3);
    CHECK(paje_value(trace, "compute").innermost_ticks == 1 + 2 + 3);
    CHECK(paje_value(trace, "wait").innermost_ticks == 1 + 3 + 2 + 3);
    CHECK(paje_value(trace, "compute").inclusive_ticks == 7 + 2 + 3);
    CHECK(paje_value(trace, "wait").inclusive_ticks == 6 + 5 + 3);
    CHECK(ocelotl_trace_resource_at(trace, paje_resource(trace, "alpha")).end == 17);
    CHECK(ocelotl_trace_resource_at(trace, paje_resource(trace, "beta")).end == 20);
    CHECK(paje_warning(trace, "pop of an empty stack") == 1);
    CHECK(paje_warning(trace, "state open at the end") == 0);
    CHECK(strstr(ocelotl_trace_warning_at(trace, 0).detail, "first at ") ==
          ocelotl_trace_warning_at(trace, 0).detail);
    paje_end(trace);
}

static void check_variables(void)
{
    ocelotl_trace *trace =
        paje_import(PAJE_HEAD "12 0 V a 10\n13 2 V a 2.5\n14 4 V a 1e1\n12 4 V a -3\n"
                              "13 5 V b 1\n13 6 V b 1\n");
    oc_records a = paje_records(trace, "alpha", "Power", OC_ROLE_VARIABLE);
    oc_records b = paje_records(trace, "beta", "Power", OC_ROLE_VARIABLE);
    static const double wanted[] = {10, 12.5, 2.5, -3};
    CHECK(a.count == 4 && b.count == 2);
    for (size_t i = 0; i < 4; i++)
        CHECK(a.records[i].number == wanted[i]);
    CHECK(b.records[0].number == 1 && b.records[1].number == 2);
    CHECK(ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Power")).count == 5);
    CHECK(paje_warning(trace, "change of a variable that was never set") == 1);
    oc_records_free(&a);
    oc_records_free(&b);
    paje_end(trace);
}

static void check_events(void)
{
    ocelotl_trace *trace =
        paje_import(PAJE_HEAD "15 1 E a hello\n15 1 E a hello\n15 2 E 0 root\n"
                              "%EventDef MyOwn 99\n% What string\n%EndEventDef\n99 x\n99 y\n"
                              "7 3 T 0\n15 4 E 0 root\n");
    CHECK(paje_value(trace, "hello").count == 2 && paje_value(trace, "root").count == 2);
    CHECK(paje_warning(trace, "event of an unknown kind") == 2);
    CHECK(ocelotl_trace_resource_at(trace, paje_resource(trace, "0")).parent == OCELOTL_ROOT);
    paje_end(trace);
}

static void check_links(void)
{
    ocelotl_trace *trace =
        paje_import(PAJE_HEAD "16 0 L 0 a m k\n16 1 L 0 a m k\n16 2 L 0 a m other\n"
                              "17 5 L 0 b m k\n"     /* of 0: first in, first out */
                              "17 6 L 0 b m k\n"     /* of 1 */
                              "17 7 L 0 b n k\n"     /* another value: no start */
                              "17 10 L 0 a m back\n" /* before its start */
                              "16 12 L 0 b m back\n"
                              "16 12 L 0 b m now\n17 12 L 0 b m now\n");
    const ocelotl_event_type type =
        ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Message"));
    CHECK(type.count == 6 && type.unmatched == 2);
    CHECK(paje_value(trace, "m").count == 5 && paje_value(trace, "n").count == 1);
    CHECK(paje_value(trace, "m").inclusive_ticks == 5 + 5);
    CHECK(paje_warning(trace, "link without an end") == 1 &&
          paje_warning(trace, "link without a start") == 1);
    CHECK(paje_warning(trace, "link that ends before it starts") == 1);
    oc_records in = paje_records(trace, "beta", "Message", OC_ROLE_LINKS_IN);
    CHECK(in.count == 4);
    CHECK(in.records[0].time == 5 && in.records[0].duration == 5);
    CHECK(in.records[1].time == 6 && in.records[1].duration == 5);
    oc_records_free(&in);
    oc_records back = paje_records(trace, "alpha", "Message", OC_ROLE_LINKS_IN);
    CHECK(back.count == 1 && back.records[0].time == 12 && back.records[0].duration == -2);
    CHECK(back.records[0].partner == paje_resource(trace, "beta"));
    oc_records_free(&back);
    oc_records out = paje_records(trace, "alpha", "Message", OC_ROLE_LINKS_OUT);
    CHECK(out.count == 6 && paje_carries(&out, 0, 0, "k") && paje_carries(&out, 2, 0, "other"));
    CHECK(out.records[5].ends && out.records[5].partner == OCELOTL_NONE);
    oc_records_free(&out);
    paje_end(trace);
}

/* One more message of a key is sent, or received, while two of three still wait: none is lost, and
 * their order stays. */
static void check_queues_of_links(const char *key, bool ends_first)
{
    static const char sends[] = "16 %d L 0 a m %s\n";
    static const char receives[] = "17 %d L 0 b m %s\n";
    static const bool waits[] = {true, true, true, false, true, false, true, false, false, false};
    char text[sizeof PAJE_HEAD + 2048] = PAJE_HEAD;
    size_t length = sizeof PAJE_HEAD - 1;
    int64_t flight = 0;
    int waiting = 0, met = 0, times[5];
    for (int i = 0; i < 10; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   waits[i] != ends_first ? sends : receives, i * i, key);
        if (waits[i])
            times[waiting++] = i * i;
        else
            flight += i * i - times[met++];
    }
    ocelotl_trace *trace = paje_import(text);
    const ocelotl_event_type type =
        ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Message"));
    oc_records in = paje_records(trace, "beta", "Message", OC_ROLE_LINKS_IN);
    CHECK(type.count == 5 && type.unmatched == 0 && in.count == 5);
    for (size_t i = 0; i < in.count; i++)
        flight -= ends_first ? -in.records[i].duration : in.records[i].duration;
    CHECK(flight == 0);
    CHECK(paje_warning(trace, "link without") == 0);
    oc_records_free(&in);
    paje_end(trace);
}

/* A message may arrive when its sender is gone. One that arrived where nothing was any more when a
 * start came is not that start's. */
static void check_links_of_the_dead(void)
{
    ocelotl_trace *trace = paje_import(PAJE_HEAD "16 1 L 0 a m k\n7 2 T a\n17 5 L 0 b m k\n"
                                                 "6 5 c T 0 gamma\n17 6 L 0 c m late\n7 7 T c\n"
                                                 "16 9 L 0 b m late\n17 11 L 0 b m late\n");
    const ocelotl_event_type type =
        ocelotl_trace_event_type_at(trace, paje_event_type(trace, "Message"));
    CHECK(type.count == 3 && type.unmatched == 1);
    CHECK(paje_value(trace, "m").inclusive_ticks == 4 + 2);
    CHECK(paje_warning(trace, "link without a start") == 1 &&
          paje_warning(trace, "link without an end") == 0);
    CHECK(paje_warning(trace, "link that ends before") == 0);
    paje_end(trace);

    /* behind one that is dead the next of the same key */
    trace = paje_import(
        PAJE_HEAD "6 0 c T 0 gamma\n17 1 L 0 c m k\n7 2 T c\n17 3 L 0 b m k\n16 5 L 0 a m k\n");
    CHECK(paje_warning(trace, "link without a start") == 1 &&
          paje_warning(trace, "link without an end") == 0);
    CHECK(paje_warning(trace, "link that ends before it starts") == 1);
    paje_end(trace);
}

static void check_containers(void)
{
    ocelotl_trace *trace = paje_import(
        PAJE_HEAD "8 1 S a c\n7 3 T a\n"
                  "6 4 a T 0 alpha\n8 5 S a w\n8 6 S alpha c\n" /* another of that alias */
                  "6 5 p T 0 parent\n6 5 q T p child\n9 6 S q w\n"
                  "7 8 T p\n7 8 T q\n" /* the child has ended with its parent */
                  "6 8 q T 0 again\n8 9 S q c\n"
                  "15 10 E b x\n");
    CHECK(ocelotl_trace_resource_count(trace) == 6);
    CHECK(ocelotl_trace_resource_at(trace, 0).end == 3);
    CHECK(ocelotl_trace_resource_at(trace, 2).begin == 4 &&
          ocelotl_trace_resource_at(trace, 2).end == 10);
    CHECK(ocelotl_trace_resource_at(trace, paje_resource(trace, "child")).end == 8);
    CHECK(ocelotl_trace_resource_at(trace, paje_resource(trace, "again")).end == 10);
    CHECK(paje_value(trace, "compute").innermost_ticks == 2 + 4 + 1);
    CHECK(paje_value(trace, "wait").innermost_ticks == 1 + 2);
    paje_end(trace);
}

static void check_extra_fields(void)
{
    ocelotl_trace *trace = paje_import(
        PAJE_HEAD
        "%EventDef PajeCreateContainer 20\n% Time date\n% Alias string\n% Type string\n"
        "% Container string\n% Name string\n% Host string\n% A=B string\n%EndEventDef\n"
        "20 0 n T 0 noted h1 \"x = y\"\n"
        "%EventDef PajePushState 21\n% Size int\n% Time date\n% Type string\n"
        "% Container string\n% Value string\n% Comment string\n%EndEventDef\n"
        "21 64 1 S n c \"a comment\"\n21 65 2 S n c \"\"\n"
        "%EventDef PajeNewEvent 22\n% Time date\n% Type string\n% Container string\n"
        "% Value string\n% Line int\n%EndEventDef\n"
        "22 1 E n v 17\n"
        "%EventDef PajeStartLink 23\n% Time date\n% Type string\n% Container string\n"
        "% StartContainer string\n% Value string\n% Size int\n% Key string\n%EndEventDef\n"
        "23 1 L 0 n m 1000 k\n17 2 L 0 b m k\n"
        "%EventDef PajePopState 24\n% Time date\n% Type string\n% Container string\n"
        "% Why string\n%EndEventDef\n24 3 S n because\n"
        "%EventDef PajeDefineStateType 25\n% Name string\n% Type string\n% Why string\n"
        "%EndEventDef\n25 Other T because\n");
    oc_records states = paje_records(trace, "noted", "State", OC_ROLE_STATES);
    CHECK(paje_carries(&states, 0, 0, "64") && paje_carries(&states, 0, 1, "a comment"));
    CHECK(paje_carries(&states, 1, 0, "65") && paje_carries(&states, 1, 1, ""));
    oc_records_free(&states);
    oc_records events = paje_records(trace, "noted", "Mark", OC_ROLE_EVENTS);
    CHECK(paje_carries(&events, 0, 0, "17"));
    oc_records_free(&events);
    oc_records out = paje_records(trace, "noted", "Message", OC_ROLE_LINKS_OUT);
    oc_records in = paje_records(trace, "beta", "Message", OC_ROLE_LINKS_IN);
    CHECK(out.records[0].attribute_count == 2 && in.records[0].attribute_count == 1);
    CHECK(paje_carries(&out, 0, 0, "1000") && paje_carries(&out, 0, 1, "k"));
    CHECK(paje_carries(&in, 0, 0, "1000"));
    oc_records_free(&out);
    oc_records_free(&in);
    CHECK(paje_warning(trace, "extra field of a definition or of a state's end") == 2);
    sqlite3_stmt *row;
    CHECK_OK(oc_database_prepare(&row, trace->database, trace->path,
                                 "SELECT notes FROM resource WHERE name = 'noted'"));
    CHECK(sqlite3_step(row) == SQLITE_ROW);
    CHECK_TEXT((const char *)sqlite3_column_text(row, 0), "Host=h1\nA-B=x = y");
    sqlite3_finalize(row);
    paje_end(trace);
}

static void check_bytes(void)
{
    static const char text[] = PAJE_HEAD "15 1 E a \"x\0y\"\n";
    CHECK_FAILS(paje_import_bytes(text, sizeof text - 1, NULL), OCELOTL_ERROR_INPUT,
                ": a NUL byte, expected text");
    ocelotl_trace *trace = paje_import(PAJE_HEAD "15 2 E a \"\xff<&\xc3\xa9\"\n");
    CHECK(paje_value(trace, "\xEF\xBF\xBD<&\xc3\xa9").count == 1);
    paje_end(trace);
}

/* A value may be defined twice, and may be used before it is. */
static void check_values(void)
{
    ocelotl_trace *trace =
        paje_import(PAJE_HEAD "5 c S again \"1 1 1\"\n8 1 S a c\n8 2 S a compute\n8 4 S a w\n"
                              "1 S2 T Other\n5 c S2 elsewhere \"1 1 1\"\n8 1 S2 a c\n8 5 S2 a w\n");
    CHECK(paje_warning(trace, "value defined twice") == 1);
    CHECK(paje_value(trace, "compute").innermost_ticks == 3);
    CHECK(paje_value(trace, "elsewhere").innermost_ticks == 4 &&
          paje_value(trace, "elsewhere").colour == 0xFFFFFF);
    CHECK_TEXT(paje_value(trace, "again").name, "");
    CHECK(paje_value(trace, "w").count == 1); /* that one is of the other type */
    paje_end(trace);
}

int main(void)
{
    temporary_begin();
    check_names();
    check_definitions();
    check_line_ends();
    check_states();
    check_variables();
    check_events();
    check_links();
    check_queues_of_links("k", false);
    check_queues_of_links("k", true);
    check_queues_of_links("a-key-that-is-too-long-to-be-kept-in-place", false);
    check_queues_of_links("a-key-that-is-too-long-to-be-kept-in-place", true);
    check_links_of_the_dead();
    check_containers();
    check_extra_fields();
    check_bytes();
    check_values();
    return 0;
}

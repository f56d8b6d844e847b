/* What became of the records of a source, by its own kinds. */
#include "test_paje_fixture.h"

#include "importers/common/kinds.h"

#include <ocelotl/answer.h>
#include <ocelotl/verify.h>

static ocelotl_trace *finish(ocelotl_writer *writer)
{
    must_finish(writer);
    return must_open(temporary_path("kinds.db"));
}

static void check_kind(const ocelotl_trace *trace, uint32_t index, const char *name,
                       ocelotl_fate fate, uint64_t count, const char *why)
{
    const ocelotl_source_kind kind = ocelotl_trace_source_kind_at(trace, index);
    CHECK_TEXT(kind.kind, name);
    CHECK(kind.fate == fate && kind.count == count);
    CHECK_TEXT(kind.why, why);
}

static void check_all(const ocelotl_trace *trace)
{
    CHECK_TEXT(ocelotl_trace_info_of(trace).producer, "tracer 2\xEF\xBF\xBD");
    CHECK(ocelotl_trace_source_kind_count(trace) == 4);
    check_kind(trace, 0, "ENTER", OCELOTL_FATE_STATE, 7, "");
    check_kind(trace, 1, "RECEIVE", OCELOTL_FATE_LINK, 5, "");
    check_kind(trace, 2, "RECEIVE", OCELOTL_FATE_LEFT_OUT, 2, "no send before it");
    check_kind(trace, 3, "x\xEF\xBF\xBD", OCELOTL_FATE_DEFINITION, 1, "");
    check_kind(trace, 4, "", OCELOTL_FATE_EVENT, 0, "");
}

static void check_json(ocelotl_trace *trace)
{
    static const char wanted[] =
        "\"records\":{\"ENTER\":7,\"RECEIVE\":7,\"x\xEF\xBF\xBD\":1},\n"
        " \"left_out\":{\"RECEIVE\":{\"count\":2,\"why\":\"no send before it\"}}}";
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    CHECK_OK(ocelotl_info_write(&sink, OCELOTL_FORM_JSON, trace, NULL, NULL));
    if (strstr(made.bytes, wanted) == NULL)
        fprintf(stderr, "%s\n", made.bytes);
    CHECK(strstr(made.bytes, wanted) != NULL);
    ocelotl_buffer_free(&made);
}

static void check_writer(void)
{
    ocelotl_verification *verification;
    ocelotl_trace *trace;
    oc_kinds kinds = {0};
    uint32_t index;
    ocelotl_writer *writer = must_write(temporary_path("kinds.db"), NULL);
    CHECK_OK(ocelotl_writer_producer(writer, "another"));
    CHECK_OK(ocelotl_writer_producer(writer, "tracer 2\xff"));
    CHECK_OK(oc_kinds_find(&index, &kinds, "RECEIVED", 7, OCELOTL_FATE_LINK, NULL));
    for (int i = 0; i < 5; i++)
        oc_kinds_add(&kinds, index);
    CHECK_OK(oc_kinds_count(&kinds, "RECEIVE", OCELOTL_FATE_LEFT_OUT, 2, "no send before it"));
    CHECK_OK(oc_kinds_count(&kinds, "ENTER", OCELOTL_FATE_STATE, 3, NULL));
    CHECK_OK(oc_kinds_count(&kinds, "ENTER", OCELOTL_FATE_STATE, 4, NULL));
    CHECK_OK(oc_kinds_count(&kinds, "NEVER", OCELOTL_FATE_STATE, 0, NULL));
    CHECK_OK(oc_kinds_finish(&kinds, writer));
    oc_kinds_free(&kinds);
    CHECK_OK(ocelotl_writer_source_kind(writer, "x\xff", OCELOTL_FATE_DEFINITION, 1, NULL));
    CHECK_REFUSED(ocelotl_writer_source_kind(writer, "y", (ocelotl_fate)7, 1, NULL),
                  "the fate of \"y\" is 7, expected 0 to 6");
    trace = finish(writer);
    check_all(trace);
    check_json(trace);
    ocelotl_trace_free(trace);
    CHECK_OK(ocelotl_verify(&verification, temporary_path("kinds.db"), NULL));
    CHECK(ocelotl_verification_info_of(verification).damages == 0);
    CHECK_OK(ocelotl_salvage(temporary_path("left.db"), verification));
    ocelotl_verification_free(verification);
    trace = must_open(temporary_path("left.db"));
    check_all(trace);
    ocelotl_trace_free(trace);
    temporary_files(true);
}

/* Of each kind, whatever became of it. */
static uint64_t count(const ocelotl_trace *trace, const char *kind, bool left_out)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < ocelotl_trace_source_kind_count(trace); i++) {
        const ocelotl_source_kind one = ocelotl_trace_source_kind_at(trace, i);
        if (strcmp(one.kind, kind) == 0 && left_out == (one.fate == OCELOTL_FATE_LEFT_OUT))
            found += one.count;
    }
    return found;
}

/* Quick lines, broken ones, and those of a definition that another replaces. */
static void check_paje(void)
{
    ocelotl_trace *trace = paje_import_lenient(
        PAJE_HEAD "%EventDef PajeMine 90\n% Time date\n%EndEventDef\n"
                  "9 1 S a c\n9 2 S a w\n10 3 S a\n9 4 S nobody c\n12 4 V a x\n12 5 V a 1\n"
                  "90 5\n8 5 S b c\n16 6 L 0 a m k\n17 7 L 0 b m k\n"
                  "%EventDef PajePushState 9\n% Type string\n% Time date\n% Container string\n"
                  "% Value string\n%EndEventDef\n"
                  "9 S 8 a c\n9 S 8.5 a c extra\n9\n15 9 E a hm\n");
    CHECK(count(trace, "PajePushState", false) == 3 && count(trace, "PajePushState", true) == 1);
    CHECK(count(trace, "PajePopState", false) == 1 && count(trace, "PajeSetState", false) == 1);
    CHECK(count(trace, "PajeSetVariable", false) == 1 &&
          count(trace, "PajeSetVariable", true) == 1);
    CHECK(count(trace, "PajeMine", true) == 1 && count(trace, "PajeNewEvent", false) == 1);
    CHECK(count(trace, "PajeStartLink", false) == 1 && count(trace, "PajeEndLink", false) == 1);
    CHECK(count(trace, "PajeCreateContainer", false) == 2);
    CHECK(count(trace, "PajeDefineStateType", false) == 1);
    ocelotl_trace_free(trace);
    temporary_files(true);
}

int main(void)
{
    temporary_begin();
    check_writer();
    check_paje();
    return 0;
}

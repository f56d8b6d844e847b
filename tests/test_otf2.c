/* Each kind of OTF2's records becomes what docs/formats/otf2.md says. */
#include "test_otf2_records.h"

#include "importers/otf2/archive.h"

#include <ocelotl/query.h>
#include <ocelotl/trace.h>

/* --- Asking */

/* The first column of the only row that a query gives. */
static void check_answer(ocelotl_trace *trace, const char *sql, const char *wanted)
{
    ocelotl_query *query;
    bool found;
    CHECK_OK(ocelotl_query_open(&query, trace, sql));
    CHECK_OK(ocelotl_query_next(&found, query));
    CHECK(found);
    const ocelotl_sql_cell cell = ocelotl_query_cell_at(query, 0);
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)cell.integer);
    const char *got = cell.kind == OCELOTL_SQL_INTEGER ? number : cell.text;
    if (strcmp(got, wanted) != 0)
        fprintf(stderr, "%s\n  gives %s\n  wants %s\n", sql, got, wanted);
    CHECK(strcmp(got, wanted) == 0);
    ocelotl_query_free(query);
}

static uint64_t count_warning(const ocelotl_trace *trace, const char *kind)
{
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        if (strstr(ocelotl_trace_warning_at(trace, i).kind, kind) != NULL)
            return ocelotl_trace_warning_at(trace, i).count;
    return 0;
}

static ocelotl_trace *import(const char *path, const ocelotl_import_options *options)
{
    unlink(temporary_path("run.db"));
    CHECK_OK(ocelotl_import(temporary_path("run.db"), path, options));
    return must_open(temporary_path("run.db"));
}

static ocelotl_trace *close_and_import(made *of, const ocelotl_import_options *options)
{
    made_close(of, true);
    return import(of->folder, options);
}

static void forget(ocelotl_trace *trace, const made *of)
{
    ocelotl_trace_free(trace);
    made_remove(of->folder);
    temporary_files(true);
}

static void check_places(ocelotl_trace *trace)
{
    check_answer(trace, "SELECT group_concat(path, ' ') FROM resources",
                 "machine machine/Rank 0 machine/Rank 0/main thread machine/Rank 0/main thread/~1 "
                 "machine/Rank 1 machine/Rank 1/main thread machine/Rank 1/main thread/~1 "
                 "machine/Rank 0/counters");
    check_answer(trace, "SELECT group_concat(DISTINCT type) FROM resources",
                 "node,Process,Thread,Lane,Metrics");
    check_answer(trace,
                 "SELECT count(*) FROM resources WHERE type = 'Thread' AND begin = 0 AND end > "
                 "0.00010999 AND end < 0.00011001",
                 "2");
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    CHECK_TEXT(info.format, "otf2");
    CHECK_TEXT(info.producer, "a test of two lines");
    CHECK_TEXT(info.origin, "2023-11-14T22:13:20.123456789Z");
    CHECK(info.tick_numerator == 1 && info.tick_denominator == OTF2_RESOLUTION);
    CHECK(info.begin == 0 && info.end == 110);
}

static void check_states(ocelotl_trace *trace)
{
    check_answer(trace,
                 "SELECT group_concat(value || ' ' || round(begin * 1e6) || ' ' || round(end * "
                 "1e6), ', ') FROM (SELECT * FROM events WHERE type = 'Region' ORDER BY begin)",
                 "compute 5.0 96.0, compute 10.0 100.0, MPI_Send 20.0 30.0, MPI_Recv 20.0 98.0, "
                 "(undefined region) 100.0 110.0");
    check_answer(trace,
                 "SELECT attributes FROM events WHERE type = 'Region' AND begin < 0.000011 "
                 "AND begin > 0.000009",
                 "{\"color\":\"f(int, char)\"}");
    check_answer(trace,
                 "SELECT group_concat(value || attributes, ' ') FROM events WHERE type = "
                 "'Collective'",
                 "BCAST{\"communicator\":\"MPI_COMM_WORLD\",\"root\":1,\"sent\":8,\"received\":0,"
                 "\"sequence\":0} BARRIER{\"communicator\":\"MPI_COMM_WORLD\",\"sent\":0,"
                 "\"received\":0,\"sequence\":1}");
    check_answer(trace,
                 "SELECT group_concat(value || ' ' || round(duration * 1e6) || ' ' || attributes, "
                 "', ') FROM (SELECT * FROM events WHERE type = 'I/O operation' ORDER BY begin)",
                 "WRITE 5.0 {\"handle\":\"data.txt\",\"file\":\"data.txt\",\"bytes\":100}, "
                 "READ 7.0 {\"handle\":\"data.txt\",\"file\":\"data.txt\",\"bytes\":10}");
    CHECK(count_warning(trace, "inside which others are open") == 1);
    CHECK(count_warning(trace, "end of a state without its begin (left out)") == 1);
    CHECK(count_warning(trace, "region that is not defined") == 1);
    CHECK(count_warning(trace, "state open at the end") == 1);
}

static void check_links(ocelotl_trace *trace)
{
    check_answer(trace,
                 "SELECT group_concat(value || ' ' || round(begin * 1e6) || ' ' || round(end * "
                 "1e6), ', ') FROM (SELECT * FROM events WHERE type = 'Message' AND target IS NOT "
                 "NULL AND source IS NOT NULL ORDER BY begin)",
                 "MPI_ISEND 21.0 15.0, MPI_SEND 90.0 95.0");
    check_answer(trace,
                 "SELECT attributes FROM events WHERE type = 'Message' AND value = 'MPI_ISEND'",
                 "{\"size\":4096,\"tag\":9,\"communicator\":\"MPI_COMM_WORLD\",\"request\":77}");
    check_answer(trace,
                 "SELECT source || ' ' || target FROM events WHERE type = 'Message' AND value = "
                 "'MPI_ISEND'",
                 "machine/Rank 0/main thread machine/Rank 1/main thread");
    check_answer(trace,
                 "SELECT group_concat(value || ' ' || source || ' ' || round(duration * 1e6), ', ')"
                 " FROM (SELECT * FROM events WHERE type = 'RMA transfer' ORDER BY begin)",
                 "RMA_PUT machine/Rank 0/main thread 6.0, RMA_GET machine/Rank 1/main thread 4.0");
    check_answer(trace, "SELECT count || ' ' || unmatched FROM event_types WHERE type = 'Message'",
                 "5 3");
    CHECK(count_warning(trace, "arrives before it is sent") == 1);
    CHECK(count_warning(trace, "without an end") == 2);
    CHECK(count_warning(trace, "without a start") == 1);
    CHECK(count_warning(trace, "rank that its communicator") == 2);
}

static const char *unit_of(const ocelotl_trace *trace, const char *name)
{
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace); i++)
        if (strcmp(ocelotl_trace_event_type_at(trace, i).name, name) == 0)
            return ocelotl_trace_event_type_at(trace, i).unit;
    return "(no such type)";
}

static void check_variables(ocelotl_trace *trace)
{
    check_answer(trace,
                 "SELECT group_concat(resource || ' ' || type || ' ' || value, ', ') FROM (SELECT "
                 "* FROM events WHERE category = 'variable' ORDER BY resource, type, begin)",
                 "machine/Rank 0 cycles 0.0, machine/Rank 0 cycles "
                 "1.0, machine/Rank 0 cycles 2.0, machine/Rank 0 power "
                 "0.0, machine/Rank 0 power 1.0, machine/Rank 0 power 2.0, "
                 "machine/Rank 0/main thread cycles 40.0, machine/Rank 0/main thread power 2.5");
    CHECK_TEXT(unit_of(trace, "power"), "W");
    CHECK_TEXT(unit_of(trace, "cycles"), "");
}

static void check_instants(ocelotl_trace *trace)
{
    check_answer(trace,
                 "SELECT group_concat(value || attributes, ' ') FROM events WHERE type = 'Life'",
                 "PROGRAM_BEGIN{\"program\":\"./prog\",\"arguments\":\"--fast\"} "
                 "PROGRAM_END{\"status\":3}");
    check_answer(trace, "SELECT value || attributes FROM events WHERE type = 'Parameter'",
                 "PARAMETER_INT{\"phase\":-4}");
    check_answer(trace, "SELECT value || attributes FROM events WHERE type = 'MPI request'",
                 "MPI_ISEND_COMPLETE{\"request\":77}");
    check_answer(trace, "SELECT attributes FROM events WHERE type = 'Threads'",
                 "{\"paradigm\":3,\"threads\":2}");
}

static void check_counts(ocelotl_trace *trace)
{
    check_answer(trace,
                 "SELECT group_concat(kind || ' ' || fate || ' ' || count, ', ') FROM source_kinds "
                 "WHERE fate NOT IN ('definition', 'event')",
                 "ENTER state 5, IO_OPERATION_BEGIN state 2, IO_OPERATION_COMPLETE state 2, "
                 "IO_OPERATION_COMPLETE left out 1, LEAVE state 4, LEAVE left out 1, METRIC "
                 "variable 4, METRIC left out 1, MPI_COLLECTIVE_BEGIN state 2, MPI_COLLECTIVE_END "
                 "state 2, MPI_ISEND link 1, MPI_RECV link 3, MPI_SEND link 3, RMA_GET link 1, "
                 "RMA_OP_COMPLETE_BLOCKING link 1, RMA_OP_COMPLETE_NON_BLOCKING link 1, RMA_PUT "
                 "link 1");
}

static void check_whole(void)
{
    made of;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    char uid[64];
    made_write(&of, "whole");
    ocelotl_trace *trace = import(of.folder, NULL);
    check_places(trace);
    check_states(trace);
    check_links(trace);
    check_variables(trace);
    check_instants(trace);
    check_counts(trace);
    snprintf(uid, sizeof uid, "%s", ocelotl_trace_info_of(trace).uid);
    ocelotl_trace_free(trace);
    for (options.work.threads = 1; options.work.threads < 6; options.work.threads += 2) {
        trace = import(made_path(&of, "run.otf2"), &options);
        CHECK_TEXT(ocelotl_trace_info_of(trace).uid, uid);
        ocelotl_trace_free(trace);
    }
    forget(NULL, &of);
}

/* --- A communicator of two groups: ranks are those of the other one */

static void check_two_groups(void)
{
    made of;
    made_open(&of, "bridge");
    for (uint32_t rank = 0; rank < 2; rank++) {
        OTF2_EvtWriter_MpiCollectiveBegin(of.events[rank], NULL, 1010);
        OTF2_EvtWriter_MpiCollectiveEnd(of.events[rank], NULL, 1020, OTF2_COLLECTIVE_OP_GATHER, 1,
                                        rank == 0 ? OTF2_COLLECTIVE_ROOT_SELF : 0, 8, 8);
    }
    OTF2_EvtWriter_MpiSend(of.events[0], NULL, 1030, 0, 1, 9, 4096);
    OTF2_EvtWriter_MpiRecv(of.events[1], NULL, 1040, 0, 1, 9, 4096);
    ocelotl_trace *trace = close_and_import(&of, NULL);
    check_answer(trace,
                 "SELECT group_concat(attributes, ' ') FROM (SELECT * FROM events WHERE type = "
                 "'Collective' ORDER BY resource)",
                 "{\"communicator\":\"bridge\",\"root\":\"self\",\"role\":\"root\",\"sent\":8,"
                 "\"received\":8} {\"communicator\":\"bridge\",\"root\":0,\"sent\":8,"
                 "\"received\":8}");
    check_answer(trace, "SELECT source || ' ' || target FROM events WHERE type = 'Message'",
                 "machine/Rank 0/main thread machine/Rank 1/main thread");
    forget(trace, &of);
}

/* --- Metrics of all modes */

/* Two records at one time, and one alone. */
static void write_metrics(OTF2_EvtWriter *to)
{
    static const double energy[] = {3, 5, 7, 11};
    static const double load[] = {0.5, 0.25, 0.75, 1};
    static const OTF2_TimeStamp times[] = {1020, 1030, 1030, 1050};
    const OTF2_Type types[3] = {OTF2_TYPE_DOUBLE, OTF2_TYPE_INT64, OTF2_TYPE_DOUBLE};
    OTF2_AttributeList *list = OTF2_AttributeList_New();
    OTF2_EvtWriter_Enter(to, NULL, 1010, 0);
    OTF2_EvtWriter_ParameterInt(to, NULL, 1011, 6, -4);
    for (int64_t i = 0; i < 4; i++) {
        const OTF2_MetricValue values[3] = {
            {.floating_point = energy[i]}, {.signed_int = i - 1}, {.floating_point = load[i]}};
        OTF2_AttributeList_AddStringRef(list, 0, 13);
        OTF2_EvtWriter_Metric(to, list, times[i], 5, 3, types, values);
    }
    OTF2_AttributeList_Delete(list);
    OTF2_EvtWriter_Leave(to, NULL, 1100, 0);
}

/* Writes a sum that exceeds the precision of a double, and then falls back. */
static void write_sums(OTF2_EvtWriter *to)
{
    static const uint64_t sums[] = {(1ULL << 62) + 1, (1ULL << 62) + 4, 1ULL << 62, 1ULL << 62};
    const OTF2_Type types[2] = {OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE};
    for (size_t i = 0; i < 4; i++) {
        const OTF2_MetricValue values[2] = {{.unsigned_int = sums[i]}, {.floating_point = 0}};
        OTF2_EvtWriter_Metric(to, NULL, 1000 + 10 * i, 0, 2, types, values);
    }
}

static void check_variable(ocelotl_trace *trace, const char *type, const char *wanted)
{
    char sql[300];
    snprintf(sql, sizeof sql,
             "SELECT group_concat(round(begin * 1e6) || ' ' || value, ', ') FROM (SELECT * FROM "
             "events WHERE type = '%s' ORDER BY begin)",
             type);
    check_answer(trace, sql, wanted);
}

/* Of what is counted the trace has the running sum: 3 J, 5 and 7 J at one time, 11 J. */
static void check_metrics(void)
{
    made of;
    made_open(&of, "metrics");
    write_metrics(of.events[0]);
    write_sums(of.events[1]);
    ocelotl_trace *trace = close_and_import(&of, NULL);
    CHECK(count_warning(trace, "of a record without a place for it") == 4);
    CHECK(count_warning(trace, "parameter that is not defined") == 1);
    check_variable(trace, "energy", "0.0 0.0, 20.0 3.0, 30.0 15.0, 50.0 26.0");
    check_variable(trace, "written", "0.0 0.0, 20.0 0.0, 30.0 0.0, 50.0 1024.0, 100.0 3072.0");
    CHECK(count_warning(trace, "increments below 0") == 1);
    check_variable(trace, "load", "10.0 0.5, 20.0 0.25, 30.0 1.0");
    check_variable(trace, "cycles",
                   "0.0 4.61168601842739e+18, 10.0 4.61168601842739e+18, "
                   "20.0 4.61168601842739e+18, 30.0 4.61168601842739e+18");
    static const char *const units[][2] = {
        {"cycles", ""}, {"energy", "J"}, {"load", ""}, {"power", "W"}, {"written", ""}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        CHECK_TEXT(unit_of(trace, units[i][0]), units[i][1]);
    forget(trace, &of);
}

/* --- Clocks */

/* Checks clocks ten ticks apart, so that no message arrives before it is sent. */
static void check_clocks(void)
{
    made of;
    made_open(&of, "clocks");
    of.offset = 10;
    made_write_first(of.events[0]);
    made_write_second(of.events[1]);
    ocelotl_trace *trace = close_and_import(&of, NULL);
    check_answer(trace,
                 "SELECT round(begin * 1e6) || ' ' || round(end * 1e6) FROM events WHERE value = "
                 "'MPI_ISEND'",
                 "21.0 25.0");
    CHECK(count_warning(trace, "arrives before it is sent") == 0);
    check_answer(trace, "SELECT count FROM source_kinds WHERE kind = 'CLOCK_OFFSET'", "2");
    check_answer(trace, "SELECT notes FROM resources WHERE path LIKE '%Rank 1/main thread'",
                 "clock.sample.0=0 10 0.5\nclock.sample.1=1000 10 0.5");
    forget(trace, &of);
}

/* --- Values of states by the options */

static void check_by(const char *path, ocelotl_import_value by, const char *type,
                     const char *values)
{
    char sql[300];
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.value = by;
    OWN_TRACE *trace = import(path, &options);
    snprintf(sql, sizeof sql,
             "SELECT group_concat(value, ', ') FROM (SELECT * FROM events WHERE type = '%s' ORDER "
             "BY begin, duration DESC)",
             type);
    check_answer(trace, sql, values);
    CHECK(count_warning(trace, "inside which others are open") == 1);
}

/* Checks states nested deeper than a path: their name is "..". */
static void check_deep(void)
{
    enum { DEEP = 10000 };
    made of;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.value = OCELOTL_VALUE_CALLPATH;
    made_open(&of, "deep");
    for (uint64_t i = 0; i < DEEP; i++)
        OTF2_EvtWriter_Enter(of.events[0], NULL, 1000 + i, 1);
    for (uint64_t i = 0; i < DEEP; i++)
        OTF2_EvtWriter_Leave(of.events[0], NULL, 1000 + DEEP + i, 1);
    ocelotl_trace *trace = close_and_import(&of, &options);
    check_answer(trace,
                 "SELECT count(*) || ' ' || count(DISTINCT value) || ' ' || max(depth) || ' ' || "
                 "sum(value LIKE '%> ..') FROM events WHERE type = 'Call path'",
                 "10000 33 9999 9968");
    forget(trace, &of);
}

static void check_ways(void)
{
    made of;
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    made_write(&of, "ways");
    check_by(of.folder, OCELOTL_VALUE_REGION, "Region",
             "compute, compute, MPI_Recv, MPI_Send, (undefined region)");
    check_by(of.folder, OCELOTL_VALUE_PARADIGM, "Paradigm",
             "USER, USER, MPI, MPI, (undefined region)");
    check_by(of.folder, OCELOTL_VALUE_ROLE, "Role",
             "FUNCTION, FUNCTION, POINT2POINT, POINT2POINT, (undefined region)");
    check_by(of.folder, OCELOTL_VALUE_CALLPATH, "Call path",
             "compute, compute, compute > MPI_Recv, compute > MPI_Send, (undefined region)");
    options.value = OCELOTL_VALUE_LEVEL;
    CHECK_REFUSED(ocelotl_import(temporary_path("no.db"), of.folder, &options),
                  "is of the format otf2, which does not take --value level, expected region, "
                  "paradigm, role or "
                  "callpath");
    options.value = (ocelotl_import_value)77;
    CHECK_REFUSED(ocelotl_import(temporary_path("no.db"), of.folder, &options),
                  "does not take --value 77, expected region");
    forget(NULL, &of);
}

/* --- Many records: several batches of each location, many messages of one key */

static void write_many(OTF2_EvtWriter *to, uint32_t rank, uint32_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const OTF2_TimeStamp time = 1000 + 10 * i;
        OTF2_EvtWriter_Enter(to, NULL, time, 1 + rank);
        if (rank == 0)
            OTF2_EvtWriter_MpiSend(to, NULL, time + 1, 1, 0, (uint32_t)(i % 3), i);
        else
            OTF2_EvtWriter_MpiRecv(to, NULL, time + 7, 0, 0, (uint32_t)(i % 3), i);
        OTF2_EvtWriter_Leave(to, NULL, time + 8, 1 + rank);
    }
}

static void check_many(void)
{
    enum { MANY = 40000 }; /* more than a chunk */
    otf2_passed passed;
    made of;
    made_open(&of, "many");
    write_many(of.events[0], 0, MANY);
    write_many(of.events[1], 1, MANY);
    made_close(&of, false);
    const char *path = made_path(&of, "run/7.evt");
    CHECK_OK(otf2_archive_pass(&passed, path, 1024 * 1024, UINT64_MAX));
    CHECK(passed.events == 3 * (uint64_t)MANY);
    const uint64_t end = passed.offset;
    CHECK_OK(otf2_archive_pass(&passed, path, 1024 * 1024, 3 * (uint64_t)MANY - 1));
    CHECK(passed.events == 3 * (uint64_t)MANY - 1 && passed.offset > 1024 * 1024);
    CHECK(passed.offset < end && end - passed.offset < 40);
    ocelotl_trace *trace = import(of.folder, NULL);
    check_answer(trace,
                 "SELECT count(*) || ' ' || sum(duration = 6) || ' ' || "
                 "sum(json_extract(attributes, '$.size') * 10 + 1001 = begin) FROM events WHERE "
                 "type = 'Message' AND source LIKE '%0/main%' AND target LIKE '%1/main%'",
                 "40000 40000 40000");
    check_answer(trace, "SELECT count(*) || ' ' || sum(duration) FROM events WHERE type = 'Region'",
                 "80000 640000.0");
    CHECK(count_warning(trace, "without properties of its clock") == 1);
    CHECK(ocelotl_trace_info_of(trace).begin == 1000);
    forget(trace, &of);
}

/* --- What is broken */

static void check_refused(const char *path, const char *message)
{
    CHECK_FAILS(ocelotl_import(temporary_path("no.db"), path, NULL), OCELOTL_ERROR_INPUT, message);
    CHECK(access(temporary_path("no.db"), F_OK) != 0);
}

static void cut(const char *path, size_t length)
{
    size_t whole;
    char *bytes = temporary_read(&whole, path);
    CHECK(length < whole);
    temporary_write(path, bytes, length);
    free(bytes);
}

/* Checks that `events` events of the first location's file are left. */
static void check_cut(const made *of, uint64_t events)
{
    char wanted[32];
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = true;
    OWN_TRACE *trace = import(of->folder, &options);
    snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)events + 9 + 4);
    check_answer(trace,
                 "SELECT sum(count) FROM source_kinds WHERE fate <> 'definition' AND why NOT LIKE "
                 "'nothing%'",
                 wanted);
}

static void check_lenient(const made *of, const char *warning)
{
    ocelotl_import_options options = OCELOTL_IMPORT_OPTIONS_INIT;
    options.lenient = true;
    OWN_TRACE *trace = import(of->folder, &options);
    CHECK(count_warning(trace, warning) == 1);
    check_answer(trace, "SELECT count(*) FROM events WHERE type = 'Region' AND value = 'MPI_Send'",
                 "1");
}

/* A file of events that ends after each of its bytes: what is whole is read, and no more. */
static void check_cut_anywhere(void)
{
    made of;
    size_t length;
    otf2_passed before = {0};
    otf2_passed now;
    made_write(&of, "cut");
    const char *path = made_path(&of, "run/7.evt");
    char *bytes = temporary_read(&length, path);
    CHECK_OK(otf2_archive_pass(&now, path, OTF2_CHUNK_SIZE_MIN, UINT64_MAX));
    CHECK(now.events == 27);
    for (size_t end = 0; end <= length; end++) {
        temporary_write(path, bytes, end);
        CHECK_OK(otf2_archive_pass(&now, path, OTF2_CHUNK_SIZE_MIN, UINT64_MAX));
        CHECK(now.events == before.events || now.events == before.events + 1);
        CHECK(now.offset <= end && (now.events == before.events || now.offset == end));
        before = now;
        if (end % 40 == 7)
            check_cut(&of, now.events);
    }
    CHECK(before.events == 27);
    free(bytes);
    forget(NULL, &of);
}

static void check_broken(void)
{
    made of;
    struct stat events;
    made_write(&of, "broken");
    CHECK(stat(made_path(&of, "run/5000000000.evt"), &events) == 0);
    cut(made_path(&of, "run/5000000000.evt"), (size_t)events.st_size - 30);
    check_refused(of.folder, "run/5000000000.evt:");
    check_refused(of.folder, " bytes, expected all events of a location (--lenient reads those");
    check_lenient(&of, "cannot be read to the end");
    CHECK(unlink(made_path(&of, "run/5000000000.evt")) == 0);
    check_refused(of.folder, "run/5000000000.evt: is missing, expected the 1 record of a");
    check_lenient(&of, "without its file of events");
    cut(made_path(&of, "run.def"), 100);
    check_refused(of.folder, "run.def: is cut off behind 100 bytes, expected all definitions");
    CHECK(unlink(made_path(&of, "run.def")) == 0);
    check_refused(of.folder, "run.def: is missing, expected the definitions of the archive");
    cut(made_path(&of, "run.otf2"), 20);
    check_refused(of.folder, "run.otf2: the anchor cannot be read");
    CHECK(unlink(made_path(&of, "run.otf2")) == 0);
    check_refused(made_path(&of, "run"), "holds parts of an OTF2 archive and no anchor");
    check_refused(made_path(&of, "run/7.evt"), "is a part of an OTF2 trace, which cannot be read, "
                                               "expected its anchor");
    temporary_write(made_path(&of, "a.otf2"), "x", 1);
    temporary_write(made_path(&of, "b.otf2"), "x", 1);
    check_refused(of.folder, "a.otf2: ");
    forget(NULL, &of);
}

/* The library writes no such archive: a stamp is changed. */
static void change_stamp(const char *path, uint16_t from, uint16_t to)
{
    size_t length;
    char *bytes = temporary_read(&length, path);
    const char wanted[] = {5, (char)(from & 255), (char)(from >> 8), 0, 0, 0, 0, 0, 0};
    char *stamp = memmem(bytes, length, wanted, sizeof wanted);
    CHECK(stamp != NULL);
    stamp[1] = (char)(to & 255);
    stamp[2] = (char)(to >> 8);
    temporary_write(path, bytes, length);
    free(bytes);
}

static void check_backwards(void)
{
    made of;
    made_open(&of, "back");
    OTF2_EvtWriter_Enter(of.events[0], NULL, 1100, 1);
    OTF2_EvtWriter_Leave(of.events[0], NULL, 1150, 1);
    OTF2_EvtWriter_Enter(of.events[1], NULL, 1100, 2);
    made_close(&of, true);
    change_stamp(made_path(&of, "run/7.evt"), 1150, 1050);
    check_refused(of.folder, ": record 2: the time goes back");
    check_lenient(&of, "time that goes back");
    forget(NULL, &of);
}

int main(void)
{
    temporary_begin();
    check_whole();
    check_two_groups();
    check_metrics();
    check_clocks();
    check_ways();
    check_deep();
    check_many();
    check_broken();
    check_cut_anywhere();
    check_backwards();
    return 0;
}

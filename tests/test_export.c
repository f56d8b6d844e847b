/* What only a program's own trace has: states that cross, links without keys, ticks that are no
 * decimals, instants without values. */
#include "temporary.h"

typedef struct names {
    uint32_t thread, state, mark, message, run, wait, resources[2];
} names;

static void declare(names *named, ocelotl_writer *writer)
{
    named->thread = must_kind(writer, OCELOTL_ROOT, "thread");
    CHECK_OK(ocelotl_writer_event_type(&named->state, writer, OCELOTL_STATE, named->thread, "state",
                                       0x336699));
    named->mark = must_type(writer, OCELOTL_EVENT, named->thread, "mark");
    named->message = must_type(writer, OCELOTL_LINK, OCELOTL_ROOT, "message");
    CHECK_OK(ocelotl_writer_value(&named->run, writer, named->state, "run", 0x0102FF));
    named->wait = must_value(writer, named->state, "wait");
    named->resources[0] = must_resource(writer, named->thread, OCELOTL_ROOT, "one", 0);
    named->resources[1] = must_resource(writer, named->thread, OCELOTL_ROOT, "two", 0);
}

/* Of ten states each second one ends before the one that began in it. */
static void write_trace(const char *path)
{
    names named;
    ocelotl_writer *writer = must_write_ticks(path, 3000000);
    declare(&named, writer);
    const uint32_t one = named.resources[0];
    for (int64_t at = 0; at < 500; at += 100) {
        uint64_t link;
        must_push(writer, one, named.state, named.run, at);
        must_push(writer, one, named.state, named.wait, at + 20);
        must_event(writer, one, named.mark, OCELOTL_NONE, at + 30);
        must_pop(writer, one, named.state, 1, at + 50);
        must_pop(writer, one, named.state, 0, at + 70);
        CHECK_OK(ocelotl_writer_link_begin(&link, writer, one, named.message, OCELOTL_NONE, at + 70,
                                           NULL, 0));
        CHECK_OK(ocelotl_writer_link_end(writer, link, named.resources[1], at + 90, NULL, 0));
    }
    must_finish(writer);
}

static uint64_t loss_of(const ocelotl_losses *losses, const char *begin)
{
    for (size_t i = 0; i < losses->count; i++)
        if (strncmp(losses->losses[i].what, begin, strlen(begin)) == 0)
            return losses->losses[i].count;
    return 0;
}

typedef ocelotl_status (*export)(const ocelotl_sink *sink, ocelotl_events *events,
                                 ocelotl_trace *trace, ocelotl_losses *losses);

static ocelotl_status write_chrome(const ocelotl_sink *sink, ocelotl_events *events,
                                   ocelotl_trace *trace, ocelotl_losses *losses)
{
    return ocelotl_events_write_chrome(sink, events, trace, NULL, losses);
}

static ocelotl_status write_paje(const ocelotl_sink *sink, ocelotl_events *events,
                                 ocelotl_trace *trace, ocelotl_losses *losses)
{
    const ocelotl_selection all = {.from = INT64_MIN, .to = INT64_MAX};
    return ocelotl_events_write_paje(sink, events, trace, &all, losses);
}

/* Exports the trace and imports that: the new one is open. */
static ocelotl_trace *bring_back(const char *path, export write, ocelotl_losses *losses)
{
    ocelotl_file *file = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    const char *text = temporary_path("export.text");
    const char *database = temporary_path("export.db");
    options.every_change = true;
    ocelotl_trace *trace = must_open(path);
    ocelotl_events *events = must_list(trace, &options);
    CHECK_OK(ocelotl_file_open(&file, text, true));
    const ocelotl_sink sink = ocelotl_file_sink(file);
    CHECK_OK(write(&sink, events, trace, losses));
    CHECK_OK(ocelotl_file_commit(file));
    ocelotl_file_free(file);
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
    CHECK_OK(ocelotl_import(database, text, NULL));
    ocelotl_trace *back = must_open(database);
    remove(text);
    remove(database);
    return back;
}

/* How many, and how long in all, in picoseconds. */
static void check_value(const ocelotl_trace *trace, const char *name, uint64_t count, double time)
{
    uint64_t found = 0;
    double lasts = 0;
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace); i++) {
        const ocelotl_value value = ocelotl_trace_value_at(trace, i);
        if (strcmp(value.name, name) == 0) {
            found += value.count;
            lasts += ocelotl_trace_seconds(trace, value.inclusive_ticks);
        }
    }
    CHECK(found == count);
    CHECK_NEAR(lasts, time, 1e-11);
}

int main(void)
{
    temporary_begin();
    const char *path = temporary_path("exported.db");
    ocelotl_losses losses;
    write_trace(path);

    ocelotl_trace *back = bring_back(path, write_chrome, &losses);
    CHECK(loss_of(&losses, "clocks whose ticks are no decimals") == 1);
    check_value(back, "run", 5, 5 * 50 / 3e6);
    check_value(back, "wait", 5, 5 * 50 / 3e6);
    check_value(back, "message", 5, 5 * 20 / 3e6);
    check_value(back, "mark", 5, 0);
    ocelotl_trace_free(back);

    back = bring_back(path, write_paje, &losses);
    CHECK(loss_of(&losses, "states that end before others") == 5);
    CHECK(loss_of(&losses, "events without a value") == 5);
    check_value(back, "wait", 5, 5 * 50 / 3e6);
    check_value(back, "mark", 5, 0);
    for (uint32_t i = 0; i < ocelotl_trace_value_count(back); i++)
        if (strcmp(ocelotl_trace_value_at(back, i).name, "run") == 0)
            CHECK(ocelotl_trace_value_at(back, i).colour == 0x0102FF);
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(back); i++)
        if (strcmp(ocelotl_trace_event_type_at(back, i).name, "message") == 0)
            CHECK(ocelotl_trace_event_type_at(back, i).count == 5);
    ocelotl_trace_free(back);

    return EXIT_SUCCESS;
}

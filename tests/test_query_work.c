/* Questions to events can be watched and cancelled, and drawables heed the number of threads. */
#include "test_query_trace.h"

/* Counts calls, and cancels at one of them. */
typedef struct watcher {
    int calls, cancel_at; /* 0: never */
    uint64_t done, total;
} watcher;

static bool watch(void *context, uint64_t done, uint64_t total)
{
    watcher *of = context;
    CHECK(done >= of->done && done <= total && (of->calls == 0 || total == of->total));
    of->done = done;
    of->total = total;
    return ++of->calls != of->cancel_at;
}

static ocelotl_work work_of(watcher *of, uint32_t threads)
{
    return (ocelotl_work){.threads = threads, .progress = watch, .context = of};
}

typedef ocelotl_status (*question)(ocelotl_trace *trace, const ocelotl_work *work);

static ocelotl_status add_up(ocelotl_trace *trace, const ocelotl_work *work, int64_t min_duration)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics = NULL;
    options.extremes = min_duration == 0 ? OCELOTL_EXTREMES_VALUES : OCELOTL_EXTREMES_TYPES;
    options.selection.min_duration = min_duration;
    options.work = *work;
    const ocelotl_status status = ocelotl_statistics_compute(&statistics, trace, &options);
    CHECK((statistics != NULL) == (status == OCELOTL_OK));
    ocelotl_statistics_free(statistics);
    return status;
}

static ocelotl_status ask_statistics(ocelotl_trace *trace, const ocelotl_work *work)
{
    return add_up(trace, work, 0);
}

static ocelotl_status ask_filtered(ocelotl_trace *trace, const ocelotl_work *work)
{
    return add_up(trace, work, 2);
}

static ocelotl_status ask_drawables(ocelotl_trace *trace, const ocelotl_work *work)
{
    ocelotl_drawables_options options = {0};
    ocelotl_drawables *drawables = NULL;
    options.work = *work;
    const ocelotl_status status = ocelotl_drawables_compute(&drawables, trace, &options);
    CHECK((drawables != NULL) == (status == OCELOTL_OK));
    ocelotl_drawables_free(drawables);
    return status;
}

static ocelotl_status read_events(ocelotl_trace *trace, const ocelotl_work *work, bool by_time)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_event event;
    bool found = true;
    options.by_time = by_time;
    options.work = *work;
    ocelotl_events *events = must_list(trace, &options);
    ocelotl_status status = OCELOTL_OK;
    while (found && status == OCELOTL_OK)
        status = ocelotl_events_next(&found, &event, events);
    ocelotl_events_free(events);
    return status;
}

static ocelotl_status ask_events(ocelotl_trace *trace, const ocelotl_work *work)
{
    return read_events(trace, work, false);
}

static ocelotl_status ask_by_time(ocelotl_trace *trace, const ocelotl_work *work)
{
    return read_events(trace, work, true);
}

/* Cancels at each call in turn: nothing is given, and the next question is answered. */
static void check_question(ocelotl_trace *trace, question ask)
{
    watcher all = {0};
    CHECK_OK(ask(trace, &(ocelotl_work){0}));
    ocelotl_work work = work_of(&all, 1);
    CHECK_OK(ask(trace, &work));
    CHECK(all.calls > 5 && all.total > 0 && all.done > all.total / 4);
    for (int at = 1; at <= all.calls; at += 1 + all.calls / 40) {
        watcher one = {.cancel_at = at};
        work = work_of(&one, 1);
        CHECK_FAILS(ask(trace, &work), OCELOTL_ERROR_CANCELLED, "reading was cancelled");
        CHECK(one.calls == at);
    }
    CHECK_OK(ask(trace, &(ocelotl_work){0}));
}

static ocelotl_drawables *draw(ocelotl_trace *trace, uint32_t threads)
{
    ocelotl_drawables_options options = {0};
    options.work.threads = threads;
    return must_find_drawables(trace, &options);
}

static void test_threads(ocelotl_trace *trace)
{
    ocelotl_drawables *one = draw(trace, 1);
    ocelotl_drawables *three = draw(trace, 3);
    CHECK(ocelotl_drawables_row_count(one) == ocelotl_drawables_row_count(three));
    CHECK(ocelotl_drawables_link_count(one) == ocelotl_drawables_link_count(three));
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(one); row++)
        CHECK(ocelotl_drawables_row_at(one, row).objects ==
              ocelotl_drawables_row_at(three, row).objects);
    ocelotl_drawables_free(one);
    ocelotl_drawables_free(three);
    CHECK_REFUSED(ask_drawables(trace, &(ocelotl_work){.threads = 5000}),
                  "5000 threads are too many");
}

int main(void)
{
    static const question questions[] = {ask_statistics, ask_filtered, ask_drawables, ask_events,
                                         ask_by_time};
    known_trace known;
    temporary_begin();
    ocelotl_trace *trace = known_open(&known, 7, 30000);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        check_question(trace, questions[i]);
    test_threads(trace);
    known_close(&known, trace);
    return 0;
}

/* Windows of two traces in which an event of both stands at the same place. */
#include "request/request.h"
#include "request/session.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "NAME" or "NAME#K". */
typedef struct wanted_event {
    char *name;
    uint64_t number; /* K, from 1 on */
} wanted_event;

static ocelotl_status read_wanted(wanted_event *wanted, const char *text)
{
    OC_TRY(oc_copy_text(&wanted->name, text));
    wanted->number = 1;
    char *mark = strrchr(wanted->name, '#');
    if (mark == NULL || mark[1] == '\0' || strspn(mark + 1, "0123456789") != strlen(mark + 1))
        return OCELOTL_OK;
    wanted->number = strtoumax(mark + 1, NULL, 10);
    *mark = '\0';
    return wanted->number > 0
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "--align is \"%s\", expected NAME or NAME#K, K being 1 or more", text);
}

/* The begins of a resource's events, while they come. */
typedef struct begins {
    int64_t *times;
    size_t count, capacity;
    uint32_t resource;
    bool found;   /* some resource has so many */
    int64_t last; /* when the last one begins its */
} begins;

static int compare_times(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void end_resource(begins *of, uint64_t number)
{
    if (of->count >= number) {
        qsort(of->times, of->count, sizeof *of->times, compare_times);
        const int64_t time = of->times[number - 1];
        of->last = !of->found || time > of->last ? time : of->last;
        of->found = true;
    }
    of->count = 0;
}

static ocelotl_status read_begins(begins *of, ocelotl_events *events, uint64_t number)
{
    bool found = true;
    ocelotl_event event;
    for (;;) {
        OC_TRY(ocelotl_events_next(&found, &event, events));
        if (!found || event.resource != of->resource)
            end_resource(of, number);
        if (!found)
            return OCELOTL_OK;
        of->resource = event.resource;
        OC_TRY(oc_grow(&of->times, &of->capacity, of->count + 1, sizeof *of->times));
        of->times[of->count++] = event.begin;
    }
}

/* Finds when the last of the resources that have so many events of a name begins that one. */
static ocelotl_status find_instant(int64_t *instant, ocelotl_session *session,
                                   const ocelotl_request *request, const wanted_event *wanted)
{
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    begins of = {.resource = OCELOTL_NONE};
    const char *const name = wanted->name;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_HALF_OPEN));
    options.selection.from = INT64_MIN;
    options.selection.to = INT64_MAX;
    options.selection.only = (ocelotl_names){&name, 1};
    options.without_attributes = true;
    ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    if (status == OCELOTL_OK)
        status = read_begins(&of, events, wanted->number);
    ocelotl_events_free(events);
    free(of.times);
    if (status == OCELOTL_OK && !of.found)
        status = oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: no resource has %" PRIu64 " of \"%s\", expected an event of both "
                         "traces",
                         request->operands[0], wanted->number, wanted->name);
    *instant = of.last;
    return status;
}

/* A trace, and what is to be drawn of it. */
typedef struct aligned {
    int64_t instant; /* of the event */
    int64_t from;    /* of the window, */
    int64_t to;      /* INT64_MAX: of the trace */
} aligned;

static ocelotl_status find_aligned(aligned *found, ocelotl_session *session,
                                   const ocelotl_request *request, const wanted_event *wanted)
{
    ocelotl_selection selection;
    ocelotl_trace *trace = NULL;
    OC_TRY(find_instant(&found->instant, session, request, wanted));
    OC_TRY(ocelotl_session_trace(&trace, session));
    OC_TRY(oc_session_selection(&selection, session, request, OC_ENDS_HALF_OPEN));
    const int64_t begin = ocelotl_trace_info_of(trace).begin;
    found->from = selection.from > begin ? selection.from : begin;
    found->to = selection.to;
    return found->instant >= found->from
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_ARGUMENT,
                         "%s: \"%s\" begins before the window, expected one that it shows",
                         request->operands[0], wanted->name);
}

static ocelotl_instant at_tick(int64_t tick, const ocelotl_request *request)
{
    return (ocelotl_instant){
        .text = request->align_event, .option = "align", .is_tick = true, .tick = tick};
}

/* The window of the trace in which more happens before the event begins as much later. */
ocelotl_status oc_session_align(ocelotl_session *const *sessions, ocelotl_request *asked)
{
    aligned found[2] = {{0, 0, 0}, {0, 0, 0}};
    wanted_event wanted = {NULL, 0};
    ocelotl_status status = read_wanted(&wanted, asked[0].align_event);
    for (int i = 0; i < 2 && status == OCELOTL_OK; i++)
        status = find_aligned(&found[i], sessions[i], &asked[i], &wanted);
    free(wanted.name);
    OC_TRY(status);
    const int64_t before[2] = {found[0].instant - found[0].from, found[1].instant - found[1].from};
    const ocelotl_trace_info infos[2] = {ocelotl_trace_info_of(sessions[0]->trace),
                                         ocelotl_trace_info_of(sessions[1]->trace)};
    const double ticks[2] = {(double)infos[0].tick_numerator / (double)infos[0].tick_denominator,
                             (double)infos[1].tick_numerator / (double)infos[1].tick_denominator};
    const int fewer = (double)before[1] * ticks[1] < (double)before[0] * ticks[0];
    for (int i = 0; i < 2; i++) {
        const int64_t lead =
            i == fewer ? before[i] : llrint((double)before[fewer] * ticks[fewer] / ticks[i]);
        asked[i].window = (ocelotl_interval){.from = at_tick(found[i].instant - lead, &asked[i])};
        if (found[i].to != INT64_MAX)
            asked[i].window.to = at_tick(found[i].to, &asked[i]);
    }
    return OCELOTL_OK;
}

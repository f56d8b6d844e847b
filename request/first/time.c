/* Time in which nothing happens: long silences, and few events far from the rest, are left out. */
#include "base/options.h"
#include "base/plain.h"
#include "base/text.h"
#include "query/silences.h"
#include "request/first/first.h"

#include <stdlib.h>
#include <string.h>

static void add_length(oc_text *text, const ocelotl_trace *trace, int64_t ticks)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"d", 86400}, {"h", 3600}, {"min", 60}};
    const double seconds = ocelotl_trace_seconds(trace, ticks);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (seconds >= 2 * units[i].seconds) {
            oc_text_format(text, "%s %s", oc_short_digits(seconds / units[i].seconds, 3).text,
                           units[i].name);
            return;
        }
    oc_text_add(text, oc_short_time(seconds).text);
}

static void add_outside(oc_text *what, const ocelotl_trace *trace, int64_t ticks, uint64_t events,
                        const char *where)
{
    if (ticks == 0)
        return;
    oc_text_add(what, what->length > 0 ? ", " : "");
    add_length(what, trace, ticks);
    if (events > 0)
        oc_text_format(what, " with %llu event%s", (unsigned long long)events,
                       events == 1 ? "" : "s");
    oc_text_format(what, " %s the activity", where);
}

/* Says what a window leaves out. */
static void describe(oc_text *what, const oc_choosing *choosing, const oc_activity *activity)
{
    const ocelotl_trace *trace = choosing->session->trace;
    const ocelotl_selection *window = &choosing->options->selection;
    size_t silences = 0;
    int64_t silent = 0;
    for (size_t i = 1; i < activity->count; i++)
        if (!choosing->windowed ||
            (window->from < activity->pieces[i - 1].to && window->to > activity->pieces[i].from)) {
            silent += activity->pieces[i].from - activity->pieces[i - 1].to;
            silences++;
        }
    if (!choosing->windowed) {
        add_outside(what, trace, activity->before, activity->events_before, "before");
        add_outside(what, trace, activity->after, activity->events_after, "after");
    }
    if (silences > 0) {
        oc_text_format(what, "%s%zu silence%s (", what->length > 0 ? ", " : "", silences,
                       silences == 1 ? "" : "s");
        add_length(what, trace, silent);
        oc_text_format(what, "%s%s)", activity->state != NULL ? ", all in " : "",
                       activity->state != NULL ? activity->state : "");
    }
    if (what->length > 0)
        oc_text_add(what, " left out; --whole draws all");
}

/* A window that somebody asked for has all of its time; a part has none that its picture left
 * out. */
ocelotl_status oc_choose_time(oc_text *what, const oc_choosing *choosing)
{
    const ocelotl_interval *window = &choosing->request->window;
    ocelotl_session *session = choosing->session;
    const oc_activity *activity = &session->activity;
    ocelotl_model_options *options = choosing->options;
    if (choosing->request->whole_time || options->kind == OCELOTL_SPATIAL)
        return OCELOTL_OK;
    if (!session->has_activity)
        OC_TRY(
            oc_activity_find(&session->activity, session->trace, oc_is_idle_name, &options->work));
    session->has_activity = true;
    options->pieces = activity->pieces;
    options->piece_count = activity->count;
    options->broken = window->from.text == NULL && window->to.text == NULL;
    if (options->broken)
        describe(what, choosing, activity);
    return OCELOTL_OK;
}

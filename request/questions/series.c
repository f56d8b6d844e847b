/* series: how many resources of each group are in which state over time, or the sum of a variable
 * over a group. */
#include "quality/derive.h"
#include "request/questions/question.h"

#include <inttypes.h>
#include <stdlib.h>

/* Text goes out as it is made, and shows by itself how far it is. */
static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_series *series = NULL;
    if (answer->request->owner != NULL)
        return answer->form > OCELOTL_FORM_JSON
                   ? OCELOTL_OK
                   : oc_fail(OCELOTL_ERROR_ARGUMENT, "--owner gives a trace (-o FILE.db) or a "
                                                     "picture, expected one of them");
    OC_TRY(oc_session_series(&series, answer->session, answer->request,
                             answer->form > OCELOTL_FORM_JSON));
    const ocelotl_series_info info = ocelotl_series_info_of(series);
    answer->found = series;
    if (info.outside > 0)
        oc_session_say(answer->session,
                       "%u resources are neither in nor below one of type %s, and are not counted",
                       info.outside, info.group_type);
    return OCELOTL_OK;
}

/* Links that no instant shows are counted as they are read. Series are read once. */
static ocelotl_status end(ocelotl_status status, ocelotl_answer *answer)
{
    if (answer->found == NULL)
        return status;
    const uint64_t missed = ocelotl_series_info_of(answer->found).missed;
    if (status == OCELOTL_OK && missed > 0)
        oc_session_say(answer->session,
                       "%" PRIu64 " links last no time, end before they begin or have one end "
                       "alone: they are under way at no instant",
                       missed);
    ocelotl_series_free(answer->found);
    answer->found = NULL;
    return status;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return end(ocelotl_series_write(sink, form, answer->found, answer->trace), answer);
}

static ocelotl_status draw_variables(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     ocelotl_trace *trace, const ocelotl_picture_options *view)
{
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables = NULL;
    oc_drawables_fit(&options, view);
    OC_TRY(ocelotl_drawables_compute(&drawables, trace, &options));
    const ocelotl_status status = ocelotl_gantt_draw(sink, format, trace, drawables, view);
    ocelotl_drawables_free(drawables);
    return status;
}

/* The curves have the colours of the trace that they come from. */
static ocelotl_status draw_series(const ocelotl_sink *sink, ocelotl_picture_format format,
                                  const ocelotl_session *session, const char *variables,
                                  const ocelotl_picture_options *view)
{
    ocelotl_picture_options drawn = *view;
    ocelotl_type_names *names = NULL;
    ocelotl_trace *trace = NULL;
    OC_TRY(ocelotl_trace_type_names(&names, session->trace));
    drawn.type_names = names;
    ocelotl_status status = ocelotl_trace_open(&trace, variables);
    if (status == OCELOTL_OK)
        status = draw_variables(sink, format, trace, &drawn);
    ocelotl_trace_free(trace);
    ocelotl_type_names_free(names);
    return status;
}

static ocelotl_status derive(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite)
{
    ocelotl_derive_options options = OCELOTL_DERIVE_OPTIONS_INIT;
    const char *owner = answer->request->owner;
    ocelotl_session *session = answer->session;
    options.name = title;
    options.overwrite = overwrite;
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status =
        owner != NULL ? ocelotl_trace_derive_owners(path, session->trace, owner, &options)
                      : ocelotl_series_derive(path, answer->found, title, overwrite);
    oc_session_end(session);
    return end(status, answer);
}

/* The series are variables of a temporary trace. */
static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    char *derived = NULL;
    (void)drawn;
    OC_TRY(oc_session_temporary(&derived, answer->session, ".db"));
    ocelotl_status status = derive(derived, answer, view->title, true);
    if (status == OCELOTL_OK)
        status = draw_series(sink, format, answer->session, derived, view);
    free(derived);
    return status;
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    return ocelotl_series_to_arrow(stream, answer->found, answer->trace, options);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_series_free(answer->found);
}

const oc_question oc_series_question = {
    .command = "series",
    .answering = {.forms = OC_FORM(CSV) | OC_FORM(JSON) | OC_FORMS_PICTURE | OC_FORM(TRACE),
                  .streams = true,
                  .shows_types = true},
    .find = find,
    .write = write,
    .draw = draw,
    .derive = derive,
    .to_arrow = to_arrow,
    .free = free_found,
};

/* stats: what a window of a trace adds up to, or how long its events last. */
#include "request/questions/question.h"
#include "viz/pictures.h"

static ocelotl_status take_second(ocelotl_durations_options *options,
                                  const ocelotl_session *session, const ocelotl_request *request)
{
    const ocelotl_interval *second = &request->second_window;
    options->compares = second->from.text != NULL || second->to.text != NULL;
    return options->compares ? oc_interval_ticks(&options->second_from, &options->second_to, second,
                                                 session->trace, OC_ENDS_AROUND)
                             : OCELOTL_OK;
}

static ocelotl_status find_durations(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_durations *durations = NULL;
    ocelotl_durations_options options = OCELOTL_DURATIONS_OPTIONS_INIT;
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_AROUND));
    OC_TRY(take_second(&options, session, request));
    options.type = request->type;
    options.patterns = request->durations;
    options.at = request->at;
    options.slices = request->duration_slices;
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_durations_compute(&durations, session->trace, &options);
    oc_session_end(session);
    answer->found = durations;
    return oc_check_found(status,
                          status == OCELOTL_OK && ocelotl_durations_info_of(durations).bins == 0,
                          session, request);
}

static const oc_question durations_question;

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_statistics *statistics = NULL;
    if (answer->request->durations.count > 0) {
        answer->question = &durations_question;
        return find_durations(answer);
    }
    if (answer->request->counter != NULL) {
        answer->question = &oc_profile_question;
        return oc_profile_question.find(answer);
    }
    if (answer->request->placement != NULL) {
        answer->question = &oc_placement_question;
        return oc_placement_question.find(answer);
    }
    if (answer->request->efficiency) {
        answer->question = &oc_waiting_question;
        return oc_waiting_question.find(answer);
    }
    OC_TRY(oc_session_statistics(&statistics, answer->session, answer->request));
    answer->found = statistics;
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return ocelotl_statistics_write(sink, form, answer->found, answer->trace);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    (void)drawn;
    return ocelotl_statistics_draw(sink, format, answer->trace, answer->found, view);
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    return ocelotl_statistics_to_arrow(stream, answer->found, answer->trace, options);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_statistics_free(answer->found);
}

const oc_question oc_stats_question = {
    .command = "stats",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE, .shows_types = true},
    .find = find,
    .write = write,
    .draw = draw,
    .to_arrow = to_arrow,
    .free = free_found,
};

/* --- Durations */

static ocelotl_status write_durations(const ocelotl_sink *sink, ocelotl_form form,
                                      ocelotl_answer *answer)
{
    return ocelotl_durations_write(sink, form, answer->found, answer->trace);
}

static ocelotl_status draw_durations(const ocelotl_sink *sink, ocelotl_picture_format format,
                                     ocelotl_answer *answer, const ocelotl_request *drawn,
                                     const ocelotl_picture_options *view)
{
    (void)drawn;
    return ocelotl_durations_draw(sink, format, answer->trace, answer->found, view);
}

static ocelotl_status durations_to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                                         const ocelotl_arrow_options *options)
{
    return ocelotl_durations_to_arrow(stream, answer->found, answer->trace, options);
}

static void free_durations(ocelotl_answer *answer)
{
    ocelotl_durations_free(answer->found);
}

static const oc_question durations_question = {
    .command = "stats",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE, .shows_types = true},
    .find = find,
    .write = write_durations,
    .draw = draw_durations,
    .to_arrow = durations_to_arrow,
    .free = free_durations,
};

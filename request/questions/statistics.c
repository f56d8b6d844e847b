/* stats: what a window of a trace adds up to, or how long its events last. */
#include "request/questions/question.h"

static const oc_question durations_question;

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_statistics *statistics = NULL;
    ocelotl_durations *durations = NULL;
    if (answer->request->durations.count > 0) {
        OC_TRY(oc_session_durations(&durations, answer->session, answer->request));
        answer->question = &durations_question;
        answer->found = durations;
        return OCELOTL_OK;
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

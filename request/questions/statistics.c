/* stats: what a window of a trace adds up to, or how long its events last. */
#include "request/questions/question.h"
#include "viz/pictures.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_statistics *statistics = NULL;
    if (answer->request->durations.count > 0) {
        answer->question = &oc_durations_question;
        return oc_durations_question.find(answer);
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

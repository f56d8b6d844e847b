/* causality: whether the order of events can be trusted. */
#include "request/questions/question.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_causality *causality = NULL;
    ocelotl_causality_options options = OCELOTL_CAUSALITY_OPTIONS_INIT;
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_AROUND));
    options.at = request->at;
    options.type = request->type;
    options.max_drift = oc_drift_of(request);
    options.collectives = request->collective_patterns;
    options.attribute = request->model.cells.attribute;
    if (request->latency.text != NULL)
        options.latency = ocelotl_trace_first_tick(session->trace, request->latency.seconds);
    if (request->latency_per_byte.text != NULL) {
        const double tick = ocelotl_trace_seconds(session->trace, 1);
        options.latency_per_byte = request->latency_per_byte.seconds / tick;
        options.latency_fixed = request->latency.text != NULL ? request->latency.seconds / tick : 0;
        options.latency = 0;
    }
    if (request->clock_error.text != NULL)
        options.clock_error =
            ocelotl_trace_first_tick(session->trace, request->clock_error.seconds);
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_causality_compute(&causality, session->trace, &options);
    oc_session_end(session);
    if (status != OCELOTL_OK)
        return oc_check_found(status, false, session, request);
    const ocelotl_causality_info info = ocelotl_causality_info_of(causality);
    answer->found = causality;
    answer->is_bad =
        request->strict &&
        info.counts[OCELOTL_VIOLATION_TACHYON] + info.counts[OCELOTL_VIOLATION_SELF] > 0;
    return oc_check_found(status,
                          info.links == 0 && info.without_begin == 0 && info.without_end == 0,
                          session, request);
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return ocelotl_causality_write(sink, form, answer->found, answer->trace);
}

static ocelotl_status derive(const char *path, ocelotl_answer *answer, const char *title,
                             bool overwrite)
{
    (void)title;
    return ocelotl_causality_derive(path, answer->found, NULL, overwrite);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_causality_free(answer->found);
}

const oc_question oc_causality_question = {
    .command = "causality",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORM(TRACE)},
    .find = find,
    .write = write,
    .derive = derive,
    .free = free_found,
};

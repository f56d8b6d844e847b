/* causality: whether the order of events can be trusted. */
#include "request/questions/question.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_causality *causality = NULL;
    OC_TRY(oc_session_causality(&causality, answer->session, answer->request));
    const ocelotl_causality_info info = ocelotl_causality_info_of(causality);
    answer->found = causality;
    answer->is_bad =
        answer->request->strict &&
        info.counts[OCELOTL_VIOLATION_TACHYON] + info.counts[OCELOTL_VIOLATION_SELF] > 0;
    return OCELOTL_OK;
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

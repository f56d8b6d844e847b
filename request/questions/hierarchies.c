/* hierarchies: which hierarchy of the resources tells more. */
#include "request/questions/question.h"
#include "viz/pictures.h"

/* Text needs less than all that they lose. */
static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_hierarchies *hierarchies = NULL;
    ocelotl_request asked = *answer->request;
    asked.losses_only = answer->form == OCELOTL_FORM_TEXT;
    OC_TRY(oc_session_hierarchies(&hierarchies, answer->session, &asked));
    answer->found = hierarchies;
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return ocelotl_hierarchies_write(sink, form, answer->found);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    const ocelotl_model *model = NULL;
    OC_TRY(ocelotl_session_model(&model, answer->session, drawn));
    return ocelotl_hierarchies_draw(sink, format, answer->found, model, view);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_hierarchies_free(answer->found);
}

const oc_question oc_hierarchies_question = {
    .command = "hierarchies",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .of_matrix = true,
    .find = find,
    .write = write,
    .draw = draw,
    .free = free_found,
};

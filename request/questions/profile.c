/* stats --counter: what a counter grows by in each state. */
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "query/counter_profile.h"
#include "request/questions/question.h"

#include <stdlib.h>

typedef struct profile {
    oc_profile is;
    const ocelotl_trace *trace;
} profile;

static const oc_heading headings[] = {{"state", OC_CELL_TEXT},
                                      {"calls", OC_CELL_COUNT},
                                      {"time", OC_CELL_NUMBER, .unit = "s"},
                                      {"growth", OC_CELL_NUMBER},
                                      {"share", OC_CELL_NUMBER, .unit = "share"},
                                      {"inclusive", OC_CELL_NUMBER},
                                      {"per_call", OC_CELL_NUMBER},
                                      {"per_second", OC_CELL_NUMBER},
                                      {"spread", OC_CELL_NUMBER, .unit = "share"}};

/* The whole comes first. */
static ocelotl_status fill(oc_row *row, void *of, size_t index)
{
    const profile *found = *(profile **)of;
    const double all = found->is.all.grown;
    const oc_profile_row *is = index > 0 ? &found->is.rows[index - 1] : &found->is.all;
    const double seconds = ocelotl_trace_seconds(found->trace, is->ticks);
    oc_cell_text(row, index == 0                  ? "(all)"
                      : is->value == OCELOTL_NONE ? "(no state)"
                                                  : oc_value_name(found->trace, is->value));
    oc_cell_count(row, is->calls);
    oc_cell_number(row, seconds);
    oc_cell_number(row, is->grown);
    oc_cell_number(row, all > 0 ? is->grown / all : 0);
    oc_cell_number(row, is->inclusive);
    oc_cell_number(row, is->calls > 0 ? is->inclusive / (double)is->calls : (double)NAN);
    oc_cell_number(row, seconds > 0 ? is->grown / seconds : (double)NAN);
    oc_cell_number(row, is->grown > 0 ? is->spread / is->grown : 0);
    return OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    const profile *found = answer->found;
    return (oc_table){
        headings, OC_COUNT_OF(headings), &answer->found, sizeof answer->found, found->is.count + 1,
        fill};
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_selection selection = {0};
    ocelotl_work work = {0};
    profile *found = NULL;
    OC_TRY(oc_session_selection(&selection, session, request, OC_ENDS_AROUND));
    OC_TRY(oc_allocate(&found, 1, sizeof *found));
    found->trace = session->trace;
    answer->found = found;
    oc_session_begin_reading(&work, session);
    const ocelotl_status status =
        oc_profile_compute(&found->is, session->trace, request->counter,
                           request->model.cells.counter_step, &selection, request->type, &work);
    oc_session_end(session);
    return oc_check_found(status, false, session, request);
}

static void free_found(ocelotl_answer *answer)
{
    oc_profile_free(&((profile *)answer->found)->is);
    free(answer->found);
}

const oc_question oc_profile_question = {
    .command = "stats",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE, .shows_types = true},
    .find = find,
    .table = table_of,
    .label = 0,
    .length = 3,
    .free = free_found,
};

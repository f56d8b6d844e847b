/* busiest: the resources with most time in states. */
#include "answer/answer.h"
#include "answer/table.h"
#include "base/memory.h"
#include "request/questions/question.h"

#include <stdlib.h>

typedef struct busiest {
    ocelotl_statistics *statistics;
    const ocelotl_trace *trace;
    uint32_t count;
    oc_ranked rows[]; /* of the statistics, most time first */
} busiest;

static const oc_heading headings[] = {{"resource", OC_CELL_TEXT},
                                      {"type", OC_CELL_TEXT},
                                      {"time", OC_CELL_NUMBER, .unit = "s"},
                                      {"share", OC_CELL_NUMBER, .unit = "share"}};

static ocelotl_status fill(oc_row *row, void *of, size_t index)
{
    const busiest *found = *(busiest **)of;
    const ocelotl_statistic one =
        ocelotl_statistics_row_at(found->statistics, (uint32_t)found->rows[index].index);
    oc_cell_text(row, one.group);
    oc_cell_text(row, ocelotl_trace_event_type_spelling(found->trace, one.event_type));
    oc_cell_number(row, ocelotl_trace_seconds(found->trace, one.innermost));
    oc_cell_number(row, one.share);
    return OCELOTL_OK;
}

static oc_table table_of(ocelotl_answer *answer)
{
    const busiest *found = answer->found;
    return (oc_table){
        headings, OC_COUNT_OF(headings), &answer->found, sizeof answer->found, found->count, fill};
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_request asked = *answer->request;
    ocelotl_statistics *statistics = NULL;
    busiest *found = NULL;
    asked.at = asked.at != NULL ? asked.at : "resource";
    OC_TRY(oc_session_statistics(&statistics, answer->session, &asked));
    const uint32_t count = ocelotl_statistics_count(statistics);
    const uint32_t wanted = asked.most > 0 ? asked.most : 10;
    const uint32_t most = wanted < count ? wanted : count; /* memory for what is there alone */
    const ocelotl_status status =
        oc_allocate(&found, 1, sizeof *found + most * sizeof found->rows[0]);
    if (status != OCELOTL_OK) {
        ocelotl_statistics_free(statistics);
        return status;
    }
    *found = (busiest){statistics, answer->trace, 0};
    answer->found = found;
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(found->statistics, i);
        if (row.whole && row.category == OCELOTL_STATE && row.innermost > 0)
            found->count =
                oc_rank(found->rows, found->count, most, (oc_ranked){(double)row.innermost, i});
    }
    return OCELOTL_OK;
}

static void free_found(ocelotl_answer *answer)
{
    busiest *found = answer->found;
    ocelotl_statistics_free(found->statistics);
    free(found);
}

const oc_question oc_busiest_question = {
    .command = "busiest",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .find = find,
    .table = table_of,
    .label = 0,
    .length = 2,
    .free = free_found,
};

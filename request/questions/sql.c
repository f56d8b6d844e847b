/* sql: the rows of a question in SQL. */
#include "request/questions/question.h"

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_query *query = NULL;
    OC_TRY(ocelotl_query_open(&query, answer->trace, answer->request->operands[1]));
    answer->found = query;
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    return ocelotl_query_write(sink, form, answer->found);
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    return ocelotl_query_to_arrow(stream, answer->found, options);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_query_free(answer->found);
}

const oc_question oc_sql_question = {
    .command = "sql",
    .answering = {.forms = OC_FORMS_TABLE, .streams = true},
    .find = find,
    .write = write,
    .to_arrow = to_arrow,
    .free = free_found,
};

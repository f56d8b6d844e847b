/* ocelotl-cli sql: a question in SQL, its answer as a table, CSV or JSON. */
#include "shell.h"

static ocelotl_status write_rows(const ocelotl_sink *sink, cli_content content, void *query)
{
    return content == CLI_JSON_TEXT  ? ocelotl_query_write_json(sink, query)
           : content == CLI_CSV_TEXT ? ocelotl_query_write_csv(sink, query)
                                     : ocelotl_query_write_text(sink, query);
}

int cli_sql(cli_job *job)
{
    ocelotl_trace *trace = NULL;
    ocelotl_query *query = NULL;
    int code = cli_begin_trace(&trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_query_open(&query, trace, job->request->operands[1]));
    if (code == CLI_DONE)
        code = cli_stream_answer(job->request->output, job->content, write_rows, query);
    ocelotl_query_free(query);
    return code;
}

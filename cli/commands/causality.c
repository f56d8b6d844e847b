/* ocelotl-cli causality: whether the order of events can be trusted. */
#include "shell.h"

typedef struct judged {
    ocelotl_trace *trace;
    ocelotl_causality *causality;
} judged;

static ocelotl_status write_answer(const ocelotl_sink *sink, cli_content content, void *of)
{
    const judged *what = of;
    return content == CLI_JSON_TEXT
               ? ocelotl_causality_write_json(sink, what->causality, what->trace)
           : content == CLI_CSV_TEXT
               ? ocelotl_causality_write_csv(sink, what->causality, what->trace)
               : ocelotl_causality_write_text(sink, what->causality, what->trace);
}

static int write_output(cli_job *job, judged *what)
{
    const ocelotl_request *request = job->request;
    if (job->content == CLI_TRACE_DB)
        return cli_code(
            ocelotl_causality_write(request->output, what->causality, NULL, request->force));
    return cli_write_answer(request->output, job->content, write_answer, what);
}

int cli_causality(cli_job *job)
{
    judged what = {.trace = NULL};
    int code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_causality(&what.causality, job->session, job->request));
    if (code == CLI_DONE)
        code = write_output(job, &what);
    if (code == CLI_DONE && job->request->strict) {
        const ocelotl_causality_info info = ocelotl_causality_info_of(what.causality);
        if (info.counts[OCELOTL_VIOLATION_TACHYON] + info.counts[OCELOTL_VIOLATION_SELF] > 0)
            code = CLI_WRONG;
    }
    ocelotl_causality_free(what.causality);
    return code;
}

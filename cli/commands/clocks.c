/* ocelotl-cli clocks: how the clocks of a trace differ, and the trace in the time of one. */
#include "shell.h"

typedef struct found {
    ocelotl_trace *trace;
    ocelotl_clocks *clocks;
} found;

static ocelotl_status write_answer(const ocelotl_sink *sink, cli_content content, void *of)
{
    const found *what = of;
    return content == CLI_JSON_TEXT  ? ocelotl_clocks_write_json(sink, what->clocks, what->trace)
           : content == CLI_CSV_TEXT ? ocelotl_clocks_write_csv(sink, what->clocks, what->trace)
                                     : ocelotl_clocks_write_text(sink, what->clocks, what->trace);
}

/* Of groups that nothing joins a trace is written only where they may stay apart. */
static int write_output(cli_job *job, found *what)
{
    const ocelotl_request *request = job->request;
    const ocelotl_clocks_info info = ocelotl_clocks_info_of(what->clocks);
    const bool apart = info.groups > 1 && request->groups == 0;
    if (apart)
        cli_say(
            "%s: its %u clocks are in %u groups, and no messages both ways or round join these, "
            "so nothing says how they differ; expected messages between them, clocks of more "
            "resources each (--at), or --groups apart",
            request->operands[0], info.clocks, info.groups);
    if (job->content != CLI_TRACE_DB) {
        const int code = cli_write_answer(request->output, job->content, write_answer, what);
        return code == CLI_DONE && apart ? CLI_WRONG : code;
    }
    if (apart)
        return CLI_WRONG;
    return cli_code(
        ocelotl_clocks_write_trace(request->output, what->clocks, NULL, request->force));
}

int cli_clocks(cli_job *job)
{
    found what = {.trace = NULL};
    int code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_clocks(&what.clocks, job->session, job->request));
    if (code == CLI_DONE)
        code = write_output(job, &what);
    ocelotl_clocks_free(what.clocks);
    return code;
}

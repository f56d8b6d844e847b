/* ocelotl-cli stats: what a window of a trace adds up to, by event type and value. */
#include "shell.h"

typedef struct added_up {
    ocelotl_trace *trace;
    ocelotl_statistics *statistics;
} added_up;

static ocelotl_status write_statistics(const ocelotl_sink *sink, cli_content content, void *of)
{
    const added_up *what = of;
    return content == CLI_JSON_TEXT
               ? ocelotl_statistics_write_json(sink, what->statistics, what->trace)
           : content == CLI_CSV_TEXT
               ? ocelotl_statistics_write_csv(sink, what->statistics, what->trace)
               : ocelotl_statistics_write_text(sink, what->statistics, what->trace);
}

static int draw(const cli_job *job, ocelotl_trace *trace, const ocelotl_statistics *statistics)
{
    const ocelotl_model *none = NULL;
    cli_say_unmatched(job, &trace, &none, 1);
    return cli_code(ocelotl_statistics_render(job->request->output, trace, statistics, &job->view));
}

int cli_stats(cli_job *job)
{
    const ocelotl_request *request = job->request;
    added_up what = {.trace = NULL};
    int code = cli_check_picture(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_statistics(&what.statistics, job->session, request));
    if (code == CLI_DONE)
        code = cli_draws(job)
                   ? draw(job, what.trace, what.statistics)
                   : cli_write_answer(request->output, job->content, write_statistics, &what);
    ocelotl_statistics_free(what.statistics);
    return code;
}

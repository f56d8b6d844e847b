/* ocelotl-cli gantt: the space-time diagram of a window of a trace. */
#include "shell.h"

typedef struct drawn {
    ocelotl_trace *trace;
    ocelotl_drawables *drawables;
} drawn;

static ocelotl_status write_json(const ocelotl_sink *sink, cli_content content, void *of)
{
    const drawn *what = of;
    (void)content;
    return ocelotl_drawables_write_json(sink, what->drawables, what->trace);
}

static int draw(const cli_job *job, ocelotl_trace *trace, const ocelotl_drawables *drawables)
{
    char *path = NULL;
    const char *output = job->request->output;
    const ocelotl_model *none = NULL;
    cli_say_unmatched(job, &trace, &none, 1);
    const int code = cli_begin_picture(&path, job, output, job->content,
                                       ocelotl_trace_info_of(trace).name, "-gantt");
    if (code != CLI_DONE)
        return code;
    return cli_end_picture(path, output, ocelotl_gantt_render(path, trace, drawables, &job->view));
}

/* Two traces, one above the other. */
static int draw_both(cli_job *job)
{
    char *path = NULL;
    const ocelotl_request *request = job->request;
    ocelotl_trace *first = NULL;
    if (!cli_draws(job))
        return cli_usage("gantt", "two traces are drawn as a picture, expected one for --json");
    int code = cli_begin_trace(&first, job);
    if (code == CLI_DONE)
        code = cli_begin_picture(&path, job, request->output, job->content,
                                 ocelotl_trace_info_of(first).name, "-gantt");
    return code == CLI_DONE ? cli_end_picture(path, request->output,
                                              ocelotl_session_render_gantts(path, job->session,
                                                                            request, &job->view))
                            : code;
}

int cli_gantt(cli_job *job)
{
    const ocelotl_request *request = job->request;
    drawn what = {.trace = NULL};
    int code = cli_check_picture(job);
    if (code == CLI_DONE && request->operand_count == 2)
        return draw_both(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code != CLI_DONE)
        return code;
    const ocelotl_trace_info info = ocelotl_trace_info_of(what.trace);
    if (info.begin == info.end)
        return cli_wrong("%s: begins and ends in the same instant, expected a trace that lasts",
                         cli_name_of(request->operands[0]));
    code = cli_code(ocelotl_session_drawables(&what.drawables, job->session, request));
    if (code == CLI_DONE)
        code = cli_draws(job) ? draw(job, what.trace, what.drawables)
                              : cli_stream_answer(request->output, job->content, write_json, &what);
    ocelotl_drawables_free(what.drawables);
    return code;
}

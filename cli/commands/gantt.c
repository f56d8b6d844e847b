/* ocelotl-cli gantt: the space-time diagram of a window of a trace. */
#include "output.h"
#include "shell.h"
#include "visible.h"

static int write_json(const ocelotl_trace *trace, const ocelotl_drawables *drawables,
                      const char *path)
{
    cli_stream stream = {0};
    const ocelotl_sink sink = cli_stream_sink(&stream);
    int code = cli_stream_open(&stream, path);
    if (code == CLI_DONE)
        code = cli_stream_code(&stream, ocelotl_drawables_write_json(&sink, drawables, trace));
    return cli_stream_close(&stream, code);
}

static int draw(const cli_job *job, ocelotl_trace *trace, const ocelotl_drawables *drawables)
{
    char *path = NULL;
    const char *output = job->request->output;
    const ocelotl_model *none = NULL;
    if (!cli_draws(job))
        return write_json(trace, drawables, output);
    cli_say_unmatched(job, &trace, &none, 1);
    const int code = cli_begin_picture(&path, job, output, job->content,
                                       ocelotl_trace_info_of(trace).name, "-gantt");
    if (code != CLI_DONE)
        return code;
    return cli_end_picture(path, output, ocelotl_gantt_render(path, trace, drawables, &job->view));
}

static bool is_empty(const ocelotl_drawables *drawables)
{
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(drawables); row++)
        if (ocelotl_drawables_row_at(drawables, row).objects > 0)
            return false;
    return ocelotl_drawables_link_count(drawables) == 0;
}

static ocelotl_status open_drawables(ocelotl_drawables **drawables, cli_job *job,
                                     ocelotl_trace *trace)
{
    const ocelotl_request *request = job->request;
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_status status = ocelotl_session_selection(&options.selection, job->session, request,
                                                      OCELOTL_ENDS_HALF_OPEN);
    if (status != OCELOTL_OK)
        return status;
    options.type = request->type;
    options.max_links = request->max_links;
    options.without_links = request->max_links == 0;
    cli_fit_drawables(&options, &job->view);
    options.work.threads = request->threads;
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    cli_begin_step(&job->progress, &cli_reading);
    status = ocelotl_drawables_compute(drawables, trace, &options);
    cli_end_step(&job->progress);
    if (status == OCELOTL_OK && is_empty(*drawables) && ocelotl_request_hides(request))
        status = OCELOTL_ERROR_EMPTY;
    return ocelotl_session_explain(status, job->session, request);
}

int cli_gantt(cli_job *job)
{
    ocelotl_trace *trace = NULL;
    ocelotl_drawables *drawables = NULL;
    int code = cli_check_picture(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&trace, job);
    if (code != CLI_DONE)
        return code;
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    if (info.begin == info.end)
        return cli_wrong("%s: begins and ends in the same instant, expected a trace that lasts",
                         cli_name_of(job->request->operands[0]));
    code = cli_code(open_drawables(&drawables, job, trace));
    if (code == CLI_DONE)
        code = draw(job, trace, drawables);
    ocelotl_drawables_free(drawables);
    return code;
}

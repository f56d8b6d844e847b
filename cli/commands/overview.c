/* ocelotl-cli [OPTIONS] TRACE: the overview. */
#include "shell.h"

/* Checks early what would otherwise fail at the end of long work. */
static int check(const cli_job *job)
{
    const ocelotl_kind kind = job->request->model.kind;
    return cli_option_code(job->content == CLI_PAGE
                               ? ocelotl_report_check(job->request->output, kind, &job->view)
                               : ocelotl_overview_check(NULL, kind, &job->view),
                           "");
}

static int draw(cli_job *job, const ocelotl_partition *partition)
{
    char *path = NULL;
    const char *name = ocelotl_model_info_of(ocelotl_partition_model(partition)).name;
    const int code = cli_begin_picture(&path, job, job->request->output, job->content, name, "");
    if (code != CLI_DONE)
        return code;
    const int ended = cli_end_picture(
        path, job->request->output,
        ocelotl_session_render_overview(path, job->session, job->request, partition, &job->view));
    if (ended == CLI_DONE && job->request->output == NULL)
        cli_say_how_to_serve(job->request);
    return ended;
}

/* A page needs no partition, but the levels. */
static int write_output(cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_partition *partition = NULL;
    if (job->content == CLI_PAGE)
        return cli_code(
            ocelotl_session_render_report(request->output, job->session, request, &job->view));
    int code = cli_code(ocelotl_session_partition(&partition, job->session, request));
    if (code == CLI_DONE)
        code = cli_draws(job) ? draw(job, partition) : cli_write_partition(job, partition);
    ocelotl_partition_free(partition);
    return code;
}

int cli_overview(cli_job *job)
{
    const ocelotl_model *model = NULL;
    ocelotl_trace *trace = NULL;
    int code = check(job);
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    if (code == CLI_DONE)
        code = cli_code(ocelotl_request_fit_view(&job->view, job->request, model));
    if (code != CLI_DONE)
        return code;
    (void)ocelotl_session_trace(&trace, job->session);
    cli_say_unmatched(job, &trace, &model, 1);
    return write_output(job);
}

/* ocelotl-cli [OPTIONS] TRACE: the overview. */
#include "shell.h"

typedef struct drawn {
    cli_job *job;
    ocelotl_partition *partition; /* NULL: of a page, which needs none */
} drawn;

static ocelotl_status write_overview(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    const drawn *what = of;
    const cli_job *job = what->job;
    if (form == OCELOTL_FORM_PAGE)
        return ocelotl_session_draw_report(sink, job->session, job->request, &job->view);
    if (form == OCELOTL_FORM_JSON)
        return ocelotl_partition_write_json(sink, what->partition, &job->view);
    return ocelotl_session_draw_overview(sink, (ocelotl_picture_format)(form - OCELOTL_FORM_SVG),
                                         job->session, job->request, what->partition, &job->view);
}

static int write_output(cli_job *job)
{
    const ocelotl_request *request = job->request;
    drawn what = {.job = job};
    if (job->content == CLI_PAGE)
        return cli_stream_answer(request->output, CLI_PAGE, write_overview, &what);
    int code = cli_code(ocelotl_session_partition(&what.partition, job->session, request));
    if (code == CLI_DONE && !cli_draws(job)) {
        code = cli_write_answer(request->output, job->content, write_overview, &what);
    } else if (code == CLI_DONE) {
        const char *name = ocelotl_model_info_of(ocelotl_partition_model(what.partition)).name;
        code =
            cli_write_picture(job, request->output, job->content, name, "", write_overview, &what);
        if (code == CLI_DONE && request->output == NULL)
            cli_say_how_to_serve(request);
    }
    ocelotl_partition_free(what.partition);
    return code;
}

/* What would otherwise fail at the end of long work is checked early. */
int cli_overview(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const ocelotl_kind kind = request->model.kind;
    const ocelotl_model *model = NULL;
    ocelotl_trace *trace = NULL;
    int code = cli_option_code(job->content == CLI_PAGE
                                   ? ocelotl_report_check(request->output, kind, &job->view)
                                   : ocelotl_overview_check(NULL, kind, &job->view),
                               "");
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, request));
    if (code == CLI_DONE)
        code = cli_code(ocelotl_request_fit_view(&job->view, request, model));
    if (code != CLI_DONE)
        return code;
    (void)ocelotl_session_trace(&trace, job->session);
    cli_say_unmatched(job, &trace, &model, 1);
    return write_output(job);
}

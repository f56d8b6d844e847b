/* ocelotl-cli treemap: the spatial partition as a treemap. */
#include "shell.h"

static int draw(const cli_job *job, const ocelotl_partition *partition)
{
    char *path = NULL;
    const char *name = ocelotl_model_info_of(ocelotl_partition_model(partition)).name;
    const int code =
        cli_begin_picture(&path, job, job->request->output, job->content, name, "-treemap");
    if (code != CLI_DONE)
        return code;
    return cli_end_picture(path, job->request->output,
                           ocelotl_overview_render(path, partition, &job->view));
}

int cli_treemap(cli_job *job)
{
    const ocelotl_model *model = NULL;
    ocelotl_trace *trace = NULL;
    ocelotl_partition *partition = NULL;
    /* What would fail at the end of long work is said before it. */
    int code = cli_option_code(
        ocelotl_overview_check(cli_picture_name(job), OCELOTL_SPATIAL, &job->view), "treemap");
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    if (code != CLI_DONE)
        return code;
    (void)ocelotl_session_trace(&trace, job->session);
    cli_say_unmatched(job, &trace, &model, 1);
    code = cli_code(ocelotl_session_partition(&partition, job->session, job->request));
    if (code == CLI_DONE)
        code = cli_draws(job) ? draw(job, partition) : cli_write_partition(job, partition);
    ocelotl_partition_free(partition);
    return code;
}

/* ocelotl-cli hierarchies: which hierarchy of the resources tells more. */
#include "shell.h"

static ocelotl_status write_hierarchies(const ocelotl_sink *sink, cli_content content, void *of)
{
    return content == CLI_JSON_TEXT  ? ocelotl_hierarchies_write_json(sink, of)
           : content == CLI_CSV_TEXT ? ocelotl_hierarchies_write_csv(sink, of)
                                     : ocelotl_hierarchies_write_text(sink, of);
}

static int draw(const cli_job *job, const ocelotl_hierarchies *hierarchies)
{
    const ocelotl_model *model = NULL;
    int code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    if (code == CLI_DONE)
        code = cli_code(
            ocelotl_hierarchies_render(job->request->output, hierarchies, model, &job->view));
    return code;
}

int cli_hierarchies(cli_job *job)
{
    ocelotl_request *request = job->request;
    ocelotl_hierarchies *hierarchies = NULL;
    request->losses_only = job->content == CLI_TEXT;
    job->progress.searches = OCELOTL_OWN_HIERARCHIES + request->candidates.count;
    int code = cli_check_picture(job);
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_hierarchies(&hierarchies, job->session, request));
    if (code == CLI_DONE)
        code = cli_draws(job) ? draw(job, hierarchies)
                              : cli_write_answer(request->output, job->content, write_hierarchies,
                                                 hierarchies);
    ocelotl_hierarchies_free(hierarchies);
    return code;
}

/* ocelotl-cli snapshot: all that an overview says, as files of a folder or a zip. */
#include "ending.h"
#include "shell.h"

#include <string.h>

/* What would fail at the end of long work is said before it. */
static int check(const cli_job *job)
{
    const ocelotl_request *request = job->request;
    int code =
        cli_option_code(ocelotl_overview_check(NULL, request->model.kind, &job->view), "snapshot");
    if (code == CLI_DONE && (request->output != NULL) == (request->operand_count > 1))
        code = cli_usage("snapshot", "expected a folder behind the TRACE, or -o X.zip");
    if (code == CLI_DONE && request->output == NULL)
        code = cli_code(ocelotl_snapshot_check(request->operands[1], request->force));
    return code == CLI_DONE && request->output == NULL ? cli_expect_target(request->operands[1])
                                                       : code;
}

static ocelotl_status write_zip(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    const cli_job *job = of;
    (void)form;
    return ocelotl_session_zip_snapshot(sink, job->session, job->request, &job->view);
}

/* Says where a folder is, as pictures do. */
int cli_snapshot(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const ocelotl_sink sink = ocelotl_stream_sink(stdout);
    int code = check(job);
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code != CLI_DONE)
        return code;
    if (request->output != NULL)
        return cli_write_answer(request->output, job->content, write_zip, job);
    const char *folder = request->operands[1];
    code = cli_code(ocelotl_session_write_snapshot(folder, job->session, request, &job->view));
    cli_wipe_line();
    if (code == CLI_DONE) {
        (void)ocelotl_text_write_visible(&sink, folder, strlen(folder));
        putchar('\n');
    }
    return code;
}

/* ocelotl-cli verify: whether a trace.db is as it was written. */
#include "shell.h"

static ocelotl_status write_damages(const ocelotl_sink *sink, ocelotl_form form, void *verification)
{
    return ocelotl_verification_write(sink, form, verification);
}

/* Judges the damage: unless a table is damaged, the rest can be read. */
static int judge(const ocelotl_verification *verification, const char *path)
{
    const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
    if (info.damages == 0)
        return CLI_DONE;
    return cli_wrong("%s: is damaged; import the trace again%s", path,
                     info.tables_are_sound ? ", or read what is left by --lenient" : "");
}

int cli_verify(cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_verification *verification = NULL;
    int code = cli_code(ocelotl_session_verify(&verification, request->operands[0], &job->told));
    if (code == CLI_DONE)
        code = cli_write_answer(request->output, job->content, write_damages, verification);
    if (code == CLI_DONE)
        code = judge(verification, request->operands[0]);
    ocelotl_verification_free(verification);
    return code;
}

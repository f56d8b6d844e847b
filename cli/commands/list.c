/* ocelotl-cli list: the traces in a folder. */
#include "shell.h"

static ocelotl_status write_list(const ocelotl_sink *sink, ocelotl_form form, void *folder)
{
    return ocelotl_folder_write(sink, form, folder);
}

static int read_folder(ocelotl_folder **folder, cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *path = request->operand_count > 0 ? request->operands[0] : ".";
    ocelotl_folder_options options = OCELOTL_FOLDER_OPTIONS_INIT;
    ocelotl_request_folder_options(&options, request);
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    cli_begin_step(&job->progress, &cli_reading);
    const ocelotl_status status = ocelotl_folder_read(folder, path, &options);
    cli_end_step(&job->progress);
    return cli_code(status);
}

int cli_list(cli_job *job)
{
    ocelotl_folder *folder = NULL;
    int code = read_folder(&folder, job);
    if (code == CLI_DONE && ocelotl_folder_is_cut(folder))
        cli_say("%s: has more than %d files and folders, and the others are left out; expected a "
                "folder in it",
                ocelotl_folder_path(folder), OCELOTL_FOLDER_MOST);
    if (code == CLI_DONE)
        code = cli_write_answer(job->request->output, job->content, write_list, folder);
    ocelotl_folder_free(folder);
    return code;
}

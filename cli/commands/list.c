/* What is there without an open trace: traces of a folder, the cache, formats, damage of a file. */
#include "shell.h"

#include <ocelotl/cache.h>

/* --- ocelotl-cli list: the traces in a folder */

int cli_list(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *path = request->operand_count > 0 ? request->operands[0] : ".";
    ocelotl_folder *folder = NULL;
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    ocelotl_folder_options options = OCELOTL_FOLDER_OPTIONS_INIT;
    ocelotl_request_folder_options(&options, request);
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    cli_begin_step(&job->progress, OCELOTL_STEP_READING);
    const ocelotl_status status = ocelotl_folder_read(&folder, path, &options);
    cli_end_step(&job->progress);
    int code = cli_code(status);
    if (code == CLI_DONE && ocelotl_folder_is_cut(folder))
        cli_say("%s: has more than %d files and folders, and the others are left out; expected a "
                "folder in it",
                ocelotl_folder_path(folder), OCELOTL_FOLDER_MOST);
    if (code == CLI_DONE)
        code = cli_write_made(request->output,
                              ocelotl_folder_write(&sink, cli_form(job->content), folder), &made);
    ocelotl_folder_free(folder);
    return code;
}

/* --- ocelotl-cli cache: what is kept between runs */

/* Empties the cache. Files that other programs are writing stay, and so do foreign ones. */
static int clear(ocelotl_cache *cache)
{
    const ocelotl_cache_info before = ocelotl_cache_info_of(cache);
    const ocelotl_sink sink = ocelotl_stream_sink(stdout);
    const size_t removed = ocelotl_cache_clear(cache);
    (void)ocelotl_cache_write_removed(&sink, &before, cache, removed);
    return removed == before.count ? CLI_DONE
                                   : cli_wrong("%s: %zu files are in use, or cannot be removed",
                                               before.folder, before.count - removed);
}

int cli_cache(cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_cache *cache = NULL;
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    int code = cli_code(ocelotl_cache_read(&cache));
    if (code == CLI_DONE && request->clear)
        code = clear(cache);
    else if (code == CLI_DONE)
        code = cli_write_made(request->output,
                              ocelotl_cache_write(&sink, cli_form(job->content), cache), &made);
    ocelotl_cache_free(cache);
    return code;
}

/* --- ocelotl-cli formats: what can be read */

int cli_formats(cli_job *job)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    return cli_write_made(NULL, ocelotl_formats_write(&sink, cli_form(job->content)), &made);
}

/* --- ocelotl-cli verify: whether a trace.db is as it was written */

/* Unless a table is damaged, the rest can be read. */
int cli_verify(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *path = request->operands[0];
    ocelotl_verification *verification = NULL;
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    int code = cli_code(ocelotl_session_verify(&verification, path, &job->told));
    if (code == CLI_DONE)
        code = cli_write_made(
            request->output,
            ocelotl_verification_write(&sink, cli_form(job->content), verification), &made);
    if (code == CLI_DONE) {
        const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
        if (info.damages > 0)
            code = cli_wrong("%s: is damaged; import the trace again%s", path,
                             info.tables_are_sound ? ", or read what is left by --lenient" : "");
    }
    ocelotl_verification_free(verification);
    return code;
}

/* What is there without an open trace: a folder's traces, the cache, formats, the damage of a file.
 */
#include "shell.h"

#include <ocelotl/cache.h>

/* --- ocelotl-cli list: the traces in a folder */

static ocelotl_status write_folder(const ocelotl_sink *sink, ocelotl_form form, void *folder)
{
    return ocelotl_folder_write(sink, form, folder);
}

int cli_list(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *path = request->operand_count > 0 ? request->operands[0] : ".";
    ocelotl_folder *folder = NULL;
    ocelotl_folder_options options = OCELOTL_FOLDER_OPTIONS_INIT;
    ocelotl_request_folder_options(&options, request);
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    cli_begin_step(&job->progress, &cli_reading);
    const ocelotl_status status = ocelotl_folder_read(&folder, path, &options);
    cli_end_step(&job->progress);
    int code = cli_code(status);
    if (code == CLI_DONE && ocelotl_folder_is_cut(folder))
        cli_say("%s: has more than %d files and folders, and the others are left out; expected a "
                "folder in it",
                ocelotl_folder_path(folder), OCELOTL_FOLDER_MOST);
    if (code == CLI_DONE)
        code = cli_write_answer(request->output, job->content, write_folder, folder);
    ocelotl_folder_free(folder);
    return code;
}

/* --- ocelotl-cli cache: what is kept between runs */

static ocelotl_status write_cache(const ocelotl_sink *sink, ocelotl_form form, void *cache)
{
    return ocelotl_cache_write(sink, form, cache);
}

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
    int code = cli_code(ocelotl_cache_read(&cache));
    if (code == CLI_DONE)
        code = request->clear ? clear(cache)
                              : cli_write_answer(request->output, job->content, write_cache, cache);
    ocelotl_cache_free(cache);
    return code;
}

/* --- ocelotl-cli formats: what can be read */

static ocelotl_status write_formats(const ocelotl_sink *sink, ocelotl_form form, void *nothing)
{
    (void)nothing;
    return ocelotl_formats_write(sink, form);
}

int cli_formats(cli_job *job)
{
    return cli_write_answer(NULL, job->content, write_formats, NULL);
}

/* --- ocelotl-cli verify: whether a trace.db is as it was written */

static ocelotl_status write_damages(const ocelotl_sink *sink, ocelotl_form form, void *verification)
{
    return ocelotl_verification_write(sink, form, verification);
}

/* Unless a table is damaged, the rest can be read. */
int cli_verify(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *path = request->operands[0];
    ocelotl_verification *verification = NULL;
    int code = cli_code(ocelotl_session_verify(&verification, path, &job->told));
    if (code == CLI_DONE)
        code = cli_write_answer(request->output, job->content, write_damages, verification);
    if (code == CLI_DONE) {
        const ocelotl_verification_info info = ocelotl_verification_info_of(verification);
        if (info.damages > 0)
            code = cli_wrong("%s: is damaged; import the trace again%s", path,
                             info.tables_are_sound ? ", or read what is left by --lenient" : "");
    }
    ocelotl_verification_free(verification);
    return code;
}

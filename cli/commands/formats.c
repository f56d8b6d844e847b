/* ocelotl-cli formats: what can be read. */
#include "shell.h"

static ocelotl_status write_list(const ocelotl_sink *sink, cli_content content, void *nothing)
{
    (void)nothing;
    return content == CLI_JSON_TEXT  ? ocelotl_formats_write_json(sink)
           : content == CLI_CSV_TEXT ? ocelotl_formats_write_csv(sink)
                                     : ocelotl_formats_write_text(sink);
}

int cli_formats(cli_job *job)
{
    return cli_write_answer(NULL, job->content, write_list, NULL);
}

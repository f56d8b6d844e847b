/* ocelotl-cli formats: what can be read. */
#include "shell.h"

static ocelotl_status write_list(const ocelotl_sink *sink, ocelotl_form form, void *nothing)
{
    (void)nothing;
    return ocelotl_formats_write(sink, form);
}

int cli_formats(cli_job *job)
{
    return cli_write_answer(NULL, job->content, write_list, NULL);
}

/* ocelotl-cli info: what is in a trace. */
#include "shell.h"

static ocelotl_status write_info(const ocelotl_sink *sink, cli_content content, void *trace)
{
    return content == CLI_JSON_TEXT  ? ocelotl_info_write_json(sink, trace)
           : content == CLI_CSV_TEXT ? ocelotl_info_write_csv(sink, trace)
                                     : ocelotl_info_write_text(sink, trace);
}

int cli_info(cli_job *job)
{
    ocelotl_trace *trace = NULL;
    const int code = cli_begin_trace(&trace, job);
    return code == CLI_DONE
               ? cli_write_answer(job->request->output, job->content, write_info, trace)
               : code;
}

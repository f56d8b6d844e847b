/* ocelotl-cli parts: lists the parts of a partition with their numbers. */
#include "shell.h"

typedef struct listed {
    ocelotl_partition *partition;
    ocelotl_parts_order order;
} listed;

static ocelotl_status write_parts(const ocelotl_sink *sink, cli_content content, void *of)
{
    const listed *list = of;
    return content == CLI_JSON_TEXT  ? ocelotl_parts_write_json(sink, list->partition, list->order)
           : content == CLI_CSV_TEXT ? ocelotl_parts_write_csv(sink, list->partition, list->order)
                                     : ocelotl_parts_write_text(sink, list->partition, list->order);
}

int cli_parts(cli_job *job)
{
    const ocelotl_request *request = job->request;
    listed list = {.order = (ocelotl_parts_order)request->sort};
    int code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_partition(&list.partition, job->session, request));
    if (code == CLI_DONE)
        code = cli_write_answer(request->output, job->content, write_parts, &list);
    ocelotl_partition_free(list.partition);
    return code;
}

/* ocelotl-cli matrix: which resources send to which. */
#include "shell.h"

typedef struct exchanged {
    ocelotl_trace *trace;
    ocelotl_messages *messages;
    ocelotl_message_measure measure;
} exchanged;

static ocelotl_status write_messages(const ocelotl_sink *sink, cli_content content, void *of)
{
    const exchanged *what = of;
    return content == CLI_JSON_TEXT ? ocelotl_messages_write_json(sink, what->messages, what->trace)
           : content == CLI_CSV_TEXT
               ? ocelotl_messages_write_csv(sink, what->messages, what->trace)
               : ocelotl_messages_write_text(sink, what->messages, what->trace, what->measure);
}

int cli_matrix(cli_job *job)
{
    const ocelotl_request *request = job->request;
    exchanged what = {.measure = request->measure};
    int code = cli_check_picture(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_messages(&what.messages, job->session, request));
    if (code == CLI_DONE)
        code =
            cli_draws(job)
                ? cli_code(ocelotl_messages_render(request->output, what.trace, what.messages,
                                                   request->measure, request->linear, &job->view))
                : cli_write_answer(request->output, job->content, write_messages, &what);
    ocelotl_messages_free(what.messages);
    return code;
}

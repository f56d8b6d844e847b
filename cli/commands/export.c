/* ocelotl-cli export: the events of a trace, a window or a part of it, as lines of text. */
#include "shell.h"

/* What is written, and of what. */
typedef struct exported {
    ocelotl_trace *trace;
    ocelotl_events *events;
    ocelotl_selection selection;
    uint32_t digits;
} exported;

static ocelotl_status write_events(const ocelotl_sink *sink, cli_content content, void *of)
{
    const exported *what = of;
    return content == CLI_TEXT        ? ocelotl_events_write_pjdump(sink, what->events, what->trace,
                                                                    &what->selection, what->digits)
           : content == CLI_JSON_TEXT ? ocelotl_events_write_json(sink, what->events, what->trace)
                                      : ocelotl_events_write_csv(sink, what->events, what->trace);
}

int cli_export(cli_job *job)
{
    const ocelotl_request *request = job->request;
    exported what = {.digits = request->digits};
    int code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code =
            cli_code(ocelotl_session_events(&what.events, &what.selection, job->session, request));
    if (code == CLI_DONE)
        code = cli_stream_answer(request->output, job->content, write_events, &what);
    ocelotl_events_free(what.events);
    return code;
}

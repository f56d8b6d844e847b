/* ocelotl-cli stats: what a window of a trace adds up to, by event type and value. */
#include "shell.h"

typedef struct added_up {
    ocelotl_trace *trace;
    ocelotl_statistics *statistics;
    ocelotl_durations *durations; /* instead of these, where they are asked for */
} added_up;

static ocelotl_status write_durations(const ocelotl_sink *sink, cli_content content, void *of)
{
    const added_up *what = of;
    return content == CLI_JSON_TEXT
               ? ocelotl_durations_write_json(sink, what->durations, what->trace)
           : content == CLI_CSV_TEXT
               ? ocelotl_durations_write_csv(sink, what->durations, what->trace)
               : ocelotl_durations_write_text(sink, what->durations, what->trace);
}

static ocelotl_status write_statistics(const ocelotl_sink *sink, cli_content content, void *of)
{
    const added_up *what = of;
    return content == CLI_JSON_TEXT
               ? ocelotl_statistics_write_json(sink, what->statistics, what->trace)
           : content == CLI_CSV_TEXT
               ? ocelotl_statistics_write_csv(sink, what->statistics, what->trace)
               : ocelotl_statistics_write_text(sink, what->statistics, what->trace);
}

static int draw(const cli_job *job, added_up *what)
{
    const ocelotl_model *none = NULL;
    const char *path = job->request->output;
    cli_say_unmatched(job, &what->trace, &none, 1);
    return cli_code(
        what->durations != NULL
            ? ocelotl_durations_render(path, what->trace, what->durations, &job->view)
            : ocelotl_statistics_render(path, what->trace, what->statistics, &job->view));
}

static ocelotl_status find(added_up *what, const cli_job *job)
{
    return job->request->durations.count > 0
               ? ocelotl_session_durations(&what->durations, job->session, job->request)
               : ocelotl_session_statistics(&what->statistics, job->session, job->request);
}

int cli_stats(cli_job *job)
{
    added_up what = {.trace = NULL};
    int code = cli_check_picture(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code = cli_code(find(&what, job));
    if (code == CLI_DONE)
        code = cli_draws(job)
                   ? draw(job, &what)
                   : cli_write_answer(job->request->output, job->content,
                                      what.durations != NULL ? write_durations : write_statistics,
                                      &what);
    ocelotl_durations_free(what.durations);
    ocelotl_statistics_free(what.statistics);
    return code;
}

/* ocelotl-cli series: how many resources of each group are in which state over time, or the sum of
 * a variable over a group. */
#include "shell.h"

#include <inttypes.h>

typedef struct derived {
    ocelotl_trace *trace;
    ocelotl_series *series;
} derived;

static ocelotl_status write_changes(const ocelotl_sink *sink, cli_content content, void *of)
{
    const derived *what = of;
    return content == CLI_JSON_TEXT ? ocelotl_series_write_json(sink, what->series, what->trace)
                                    : ocelotl_series_write_csv(sink, what->series, what->trace);
}

static ocelotl_status write_trace(cli_job *job, ocelotl_series *series)
{
    const ocelotl_request *request = job->request;
    cli_begin_step(&job->progress, &cli_reading);
    const ocelotl_status status =
        ocelotl_series_write(request->output, series, job->view.title, request->force);
    cli_end_step(&job->progress);
    return status;
}

static ocelotl_status draw(const cli_job *job, const derived *what)
{
    const ocelotl_model *none = NULL;
    cli_say_unmatched(job, &what->trace, &none, 1);
    return ocelotl_session_render_series(job->request->output, job->session, what->series,
                                         &job->view);
}

/* Writes the output, and prints what is left out, which nobody would look for. */
static int write_output(cli_job *job, derived *what)
{
    const ocelotl_request *request = job->request;
    const ocelotl_series_info info = ocelotl_series_info_of(what->series);
    if (info.outside > 0)
        cli_say("%u resources are neither in nor below one of type %s, and are not counted",
                info.outside, info.group_type);
    if (job->content == CLI_TRACE_DB)
        return cli_code(write_trace(job, what->series));
    return cli_draws(job) ? cli_code(draw(job, what))
                          : cli_stream_answer(request->output, job->content, write_changes, what);
}

/* Links that no instant shows are counted as they are read. */
static void say_missed(const derived *what)
{
    const uint64_t missed = ocelotl_series_info_of(what->series).missed;
    if (missed > 0)
        cli_say("%" PRIu64 " links last no time, end before they begin or have one end alone: they "
                "are under way at no instant",
                missed);
}

/* Text goes out as it is made, and shows by itself how far it is. */
int cli_series(cli_job *job)
{
    const bool text = (job->content & CLI_TABLES) != 0;
    derived what = {.trace = NULL};
    int code = cli_check_picture(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_series(&what.series, job->session, job->request, !text));
    if (code == CLI_DONE)
        code = write_output(job, &what);
    if (code == CLI_DONE)
        say_missed(&what);
    ocelotl_series_free(what.series);
    return code;
}

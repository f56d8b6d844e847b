/* ocelotl-cli series: how many resources of each group are in which state over time, or what a
 * variable of theirs adds up to. */
#include "ending.h"
#include "shell.h"

#include <stdlib.h>

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

/* --- Traces and pictures */

static ocelotl_status write_trace(cli_job *job, const char *path, bool overwrite,
                                  ocelotl_series *series)
{
    cli_begin_step(&job->progress, &cli_reading);
    const ocelotl_status status = ocelotl_series_write(path, series, job->view.title, overwrite);
    cli_end_step(&job->progress);
    return status;
}

static ocelotl_status draw_trace(const cli_job *job, const char *path,
                                 const ocelotl_type_names *names)
{
    ocelotl_picture_options view = job->view;
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables = NULL;
    ocelotl_trace *trace = NULL;
    ocelotl_drawables_fit(&options, &view);
    view.type_names = names;
    ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status == OCELOTL_OK)
        status = ocelotl_drawables_compute(&drawables, trace, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_gantt_render(job->request->output, trace, drawables, &view);
    ocelotl_drawables_free(drawables);
    ocelotl_trace_free(trace);
    return status;
}

/* The curves are the variables of a trace that is gone afterwards; they have the colours of the one
 * they come from. */
static int draw(cli_job *job, const derived *what)
{
    char *path = NULL;
    ocelotl_type_names *names = NULL;
    const ocelotl_model *none = NULL;
    cli_say_unmatched(job, &what->trace, &none, 1);
    ocelotl_status status = cli_temporary_file(&path, ".db");
    if (status == OCELOTL_OK)
        status = write_trace(job, path, true, what->series);
    if (status == OCELOTL_OK)
        status = ocelotl_trace_type_names(&names, what->trace);
    if (status == OCELOTL_OK)
        status = draw_trace(job, path, names);
    ocelotl_type_names_free(names);
    free(path);
    return cli_code(status);
}

/* --- The command */

/* What is left out is said, for nobody would look for it. */
static int write_output(cli_job *job, derived *what)
{
    const ocelotl_request *request = job->request;
    const ocelotl_series_info info = ocelotl_series_info_of(what->series);
    if (info.outside > 0)
        cli_say("%u resources are neither in nor below one of type %s, and are not counted",
                info.outside, info.group_type);
    if (job->content == CLI_TRACE_DB)
        return cli_code(write_trace(job, request->output, request->force, what->series));
    return cli_draws(job) ? draw(job, what)
                          : cli_stream_answer(request->output, job->content, write_changes, what);
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
    ocelotl_series_free(what.series);
    return code;
}

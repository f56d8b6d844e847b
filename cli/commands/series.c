/* ocelotl-cli series: how many resources of each group are in which state over time, or what a
 * variable of theirs adds up to. */
#include "output.h"
#include "shell.h"
#include "temporary.h"

#include <stdlib.h>

static int write_text(const cli_job *job, const ocelotl_trace *trace, ocelotl_series *series)
{
    cli_stream stream = {0};
    const ocelotl_sink sink = cli_stream_sink(&stream);
    int code = cli_stream_open(&stream, job->request->output);
    if (code == CLI_DONE)
        code = cli_stream_code(&stream, job->content == CLI_JSON_TEXT
                                            ? ocelotl_series_write_json(&sink, series, trace)
                                            : ocelotl_series_write_csv(&sink, series, trace));
    return cli_stream_close(&stream, code);
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
    cli_fit_drawables(&options, &view);
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
static ocelotl_status draw(cli_job *job, const ocelotl_trace *trace, ocelotl_series *series)
{
    char *path = NULL;
    ocelotl_type_names *names = NULL;
    ocelotl_status status = cli_temporary_file(&path, ".db");
    if (status == OCELOTL_OK)
        status = write_trace(job, path, true, series);
    if (status == OCELOTL_OK)
        status = ocelotl_trace_type_names(&names, trace);
    if (status == OCELOTL_OK)
        status = draw_trace(job, path, names);
    ocelotl_type_names_free(names);
    free(path);
    return status;
}

/* --- The command */

/* What is left out is said, for nobody would look for it. */
static void say_what_is_left_out(const ocelotl_series *series)
{
    const ocelotl_series_info info = ocelotl_series_info_of(series);
    if (info.outside > 0)
        cli_say("%u resources are neither in nor below one of type %s, and are not counted",
                info.outside, info.group_type);
}

static int write_output(cli_job *job, ocelotl_trace *trace, ocelotl_series *series)
{
    const ocelotl_request *request = job->request;
    const ocelotl_model *none = NULL;
    say_what_is_left_out(series);
    if (job->content == CLI_TRACE_DB)
        return cli_code(write_trace(job, request->output, request->force, series));
    if (!cli_draws(job))
        return write_text(job, trace, series);
    cli_say_unmatched(job, &trace, &none, 1);
    return cli_code(draw(job, trace, series));
}

/* Whether anything that passes the filters touches the window. */
static ocelotl_status find_any(bool *any, ocelotl_trace *trace, const ocelotl_selection *selection)
{
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = NULL;
    ocelotl_event event;
    options.selection = *selection;
    ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_events_next(any, &event, events);
    ocelotl_events_free(events);
    return status;
}

/* Text goes out as it is made, and shows by itself how far it is. */
static bool is_text(const cli_job *job)
{
    return (job->content & CLI_TABLES) != 0;
}

static ocelotl_status open_series(ocelotl_series **series, cli_job *job, ocelotl_trace *trace)
{
    const ocelotl_request *request = job->request;
    ocelotl_series_options options = OCELOTL_SERIES_OPTIONS_INIT;
    ocelotl_selection selection;
    bool any = false;
    ocelotl_status status =
        ocelotl_session_selection(&selection, job->session, request, OCELOTL_ENDS_HALF_OPEN);
    if (status != OCELOTL_OK)
        return status;
    options.at = request->at;
    options.reduction = request->reduction;
    options.state_type = request->model.cells.state_type;
    options.nesting = request->model.cells.nesting;
    if (request->window.from.text == NULL && request->window.to.text == NULL) {
        selection.from = INT64_MIN;
        selection.to = INT64_MAX;
    }
    options.selection = selection;
    if (!is_text(job)) {
        options.work.progress = cli_show_progress;
        options.work.context = &job->progress;
    }
    status = ocelotl_series_open(series, trace, &options);
    if (status == OCELOTL_OK)
        status = find_any(&any, trace, &selection);
    if (status == OCELOTL_OK && !any && ocelotl_request_hides(request))
        status = OCELOTL_ERROR_EMPTY;
    return ocelotl_session_explain(status, job->session, request);
}

/* What would fail at the end of long work is said before it. */
static int check(cli_job *job)
{
    ocelotl_request *request = job->request;
    const bool variables = ocelotl_request_get(request, "variable") != NULL;
    const char *reduce = ocelotl_request_get(request, "reduce");
    if (variables && request->reduction == OCELOTL_REDUCE_COUNT)
        return cli_usage(
            "series",
            "--reduce count is of states, and --variable is given; expected sum, mean, min or max");
    if (variables && request->reduction == OCELOTL_REDUCE_DEFAULT)
        request->reduction = OCELOTL_REDUCE_SUM;
    const bool reduces = request->reduction > OCELOTL_REDUCE_COUNT;
    if (reduces && request->model.cells.state_type != NULL)
        return cli_usage(
            "series",
            "--state-type is of states, and --reduce %s of variables; expected --reduce count",
            reduce != NULL ? reduce : "sum");
    if (reduces && request->model.cells.nesting != OCELOTL_INNERMOST)
        return cli_usage(
            "series",
            "--nesting is of states, and --reduce %s of variables; expected --reduce count",
            reduce != NULL ? reduce : "sum");
    return cli_check_picture(job);
}

int cli_series(cli_job *job)
{
    ocelotl_trace *trace = NULL;
    ocelotl_series *series = NULL;
    int code = check(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&trace, job);
    if (code == CLI_DONE)
        code = cli_code(open_series(&series, job, trace));
    if (code == CLI_DONE)
        code = write_output(job, trace, series);
    ocelotl_series_free(series);
    return code;
}

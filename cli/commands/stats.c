/* ocelotl-cli stats: what a window of a trace adds up to, by event type and value. */
#include "stats.h"

#include "output.h"
#include "shell.h"

static int print_table(const cli_job *job, const cli_stats_work *given)
{
    cli_output output = {0};
    cli_stats_work work = *given;
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    work.file = output.stream;
    cli_stats_print_text(&work);
    return cli_output_close(&output, job->request->output);
}

static int print(const cli_job *job, const cli_stats_work *work)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    const bool json = job->content == CLI_JSON_TEXT;
    if (!json && job->content != CLI_CSV_TEXT)
        return print_table(job, work);
    const int code =
        cli_code(json ? ocelotl_statistics_write_json(&sink, work->statistics, work->trace)
                      : ocelotl_statistics_write_csv(&sink, work->statistics, work->trace));
    return cli_write_answer(job->request->output, &made, code);
}

static int draw(const cli_job *job, ocelotl_trace *trace, const ocelotl_statistics *statistics)
{
    const ocelotl_model *none = NULL;
    cli_say_unmatched(job, &trace, &none, 1);
    return cli_code(ocelotl_statistics_render(job->request->output, trace, statistics, &job->view));
}

static bool is_empty(const ocelotl_statistics *statistics)
{
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row(statistics, i);
        if (row.count > 0 || row.ended > 0 || row.inclusive > 0)
            return false;
    }
    return true;
}

static ocelotl_status open_statistics(ocelotl_statistics **statistics, cli_job *job,
                                      ocelotl_trace *trace, ocelotl_selection *selection)
{
    const ocelotl_request *request = job->request;
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_status status =
        ocelotl_session_selection(selection, job->session, request, OCELOTL_ENDS_AROUND);
    if (status == OCELOTL_OK)
        status = ocelotl_request_check_type(request, trace);
    if (status != OCELOTL_OK)
        return status;
    options.selection = *selection;
    options.type = request->type;
    options.extremes = request->extremes ? OCELOTL_EXTREMES_VALUES : OCELOTL_EXTREMES_TYPES;
    status = ocelotl_statistics_open(statistics, trace, &options);
    if (status == OCELOTL_OK && is_empty(*statistics) && ocelotl_request_hides(request))
        status = OCELOTL_ERROR_EMPTY;
    return ocelotl_session_explain(status, job->session, request);
}

int cli_stats(cli_job *job)
{
    ocelotl_request *request = job->request;
    ocelotl_trace *trace = NULL;
    ocelotl_statistics *statistics = NULL;
    ocelotl_selection selection;
    if (request->type_is_state && request->zoom_count > 0)
        request->model.cells.state_type = request->type;
    int code = cli_check_picture(job);
    if (code == CLI_DONE)
        code = cli_begin_trace(&trace, job);
    if (code == CLI_DONE)
        code = cli_code(open_statistics(&statistics, job, trace, &selection));
    if (code == CLI_DONE)
        code = cli_draws(job) ? draw(job, trace, statistics)
                              : print(job, &(cli_stats_work){.trace = trace,
                                                             .statistics = statistics,
                                                             .resources = selection.resources});
    ocelotl_statistics_free(statistics);
    return code;
}

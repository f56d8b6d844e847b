/* ocelotl-cli stats: what a window of a trace adds up to, by event type and value. */
#include "output.h"
#include "shell.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>

/* What is written, and of what. */
typedef struct stats_work {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_statistics *statistics;
    ocelotl_names resources; /* that were chosen */
} stats_work;

static const char *const categories[] = {"event", "state", "variable", "link"};

/* --- Numbers of a row */

static double seconds(const stats_work *work, double ticks)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(work->trace);
    return ticks * (double)info.tick_numerator / (double)info.tick_denominator;
}

/* A mean or an extreme: seconds, but of variables. */
static double measure(const stats_work *work, const ocelotl_statistic *row, double number)
{
    return row->category == OCELOTL_VARIABLE ? number : seconds(work, number);
}

static double whole_seconds(const stats_work *work, int64_t ticks)
{
    return ocelotl_trace_seconds(work->trace, ticks);
}

static const char *type_name(const stats_work *work, const ocelotl_statistic *row)
{
    return ocelotl_trace_event_type_spelling(work->trace, row->event_type);
}

/* --- Text */

static void print_window(const stats_work *work)
{
    const ocelotl_trace_info trace = ocelotl_trace_info_of(work->trace);
    const ocelotl_statistics_info info = ocelotl_statistics_info_of(work->statistics);
    const bool all = info.from == trace.begin && info.to == trace.end;
    fputs("name       ", work->file);
    cli_write_visible(work->file, trace.name);
    fprintf(work->file, "\nwindow     %.12g s to %.12g s (%.12g s)%s\n",
            whole_seconds(work, info.from), whole_seconds(work, info.to),
            whole_seconds(work, info.to - info.from), all ? ", the whole trace" : "");
    fprintf(work->file, "resources  %u", info.resources);
    const ocelotl_names chosen = work->resources;
    if (chosen.count == 0)
        fprintf(work->file, ", all");
    for (size_t i = 0; i < chosen.count; i++) {
        fputs(i == 0 ? ": " : ", ", work->file);
        cli_write_visible(work->file, chosen.names[i]);
    }
    fputs(info.filters[0] != '\0' ? "\nfilters    " : "", work->file);
    cli_write_visible(work->file, info.filters);
    fputc('\n', work->file);
}

static void print_number(const stats_work *work, double number)
{
    if (isnan(number))
        fprintf(work->file, " %13s", "-");
    else
        fprintf(work->file, " %13.7g", number);
}

static void print_measures(const stats_work *work, const ocelotl_statistic *row)
{
    print_number(work, measure(work, row, row->mean));
    print_number(work, measure(work, row, row->low));
    print_number(work, measure(work, row, row->high));
}

static void print_head(const stats_work *work, const ocelotl_statistic *whole)
{
    static const char *const heads[] = {"         count   share  value",
                                        ("      time (s)   share inclusive (s)        begun        "
                                         "ended      mean (s)       min (s)       max (s) "
                                         " "
                                         "value"),
                                        "       changes          mean           min           max",
                                        "         ended   share      time (s)        begun      "
                                        "mean (s)       min (s)       max (s)  value"};
    fprintf(work->file, "\n%s \"", categories[whole->category]);
    cli_write_visible(work->file, type_name(work, whole));
    fprintf(work->file, "\" in %u resources\n%s\n", whole->resources, heads[whole->category]);
}

static void print_row(const stats_work *work, const ocelotl_statistic *row, const char *value)
{
    switch (row->category) {
    case OCELOTL_EVENT:
        fprintf(work->file, "%14" PRIu64 " %6.2f%%  ", row->count, 100 * row->share);
        cli_write_visible(work->file, value);
        fputc('\n', work->file);
        return;
    case OCELOTL_STATE:
        fprintf(work->file, "%14.9g %6.2f%% %13.9g %12" PRIu64 " %12" PRIu64,
                whole_seconds(work, row->innermost), 100 * row->share,
                whole_seconds(work, row->inclusive), row->count, row->ended);
        break;
    case OCELOTL_VARIABLE:
        fprintf(work->file, "%14" PRIu64, row->count);
        print_measures(work, row);
        fprintf(work->file, "\n");
        return;
    case OCELOTL_LINK:
        fprintf(work->file, "%14" PRIu64 " %6.2f%% %13.9g %12" PRIu64, row->ended, 100 * row->share,
                whole_seconds(work, row->inclusive), row->count);
        break;
    }
    print_measures(work, row);
    fputs("  ", work->file);
    cli_write_visible(work->file, value);
    fputc('\n', work->file);
}

/* The time of a type's resources in none of its states. */
static void print_rest(const stats_work *work, const ocelotl_statistic *whole)
{
    if (whole->category == OCELOTL_STATE && whole->lived > whole->innermost)
        fprintf(work->file, "%14.9g %6.2f%% %*s  (no state)\n",
                whole_seconds(work, whole->lived - whole->innermost), 100 * (1 - whole->share),
                13 + 2 * 13 + 3 * 14, "");
}

/* Attributes are in the order of the event types: the first of a type, or of one behind it. */
static uint32_t first_attribute(const ocelotl_statistics *statistics, uint32_t event_type)
{
    uint32_t low = 0;
    uint32_t high = ocelotl_statistics_attribute_count(statistics);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ocelotl_statistics_attribute_at(statistics, middle).event_type < event_type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void print_attributes(const stats_work *work, uint32_t event_type)
{
    const uint32_t count = ocelotl_statistics_attribute_count(work->statistics);
    for (uint32_t i = first_attribute(work->statistics, event_type); i < count; i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute_at(work->statistics, i);
        if (total.event_type != event_type)
            return;
        fprintf(work->file, "%14.12g in all: ", total.sum);
        cli_write_visible(work->file, total.name);
        fputc('\n', work->file);
    }
}

static void print_text(const stats_work *work)
{
    const uint32_t count = ocelotl_statistics_count(work->statistics);
    print_window(work);
    for (uint32_t i = 0; i < count;) {
        const ocelotl_statistic whole = ocelotl_statistics_row_at(work->statistics, i++);
        print_head(work, &whole);
        for (; i < count; i++) {
            const ocelotl_statistic row = ocelotl_statistics_row_at(work->statistics, i);
            if (row.whole)
                break;
            const char *value = ocelotl_trace_value_at(work->trace, row.value).name;
            print_row(work, &row, row.value == OCELOTL_NONE ? "(no value)" : value);
        }
        print_rest(work, &whole);
        print_row(work, &whole, "all");
        print_attributes(work, whole.event_type);
    }
    if (count == 0)
        fprintf(work->file, "\nno events\n");
}

/* --- The command */

static int print_table(const cli_job *job, const stats_work *given)
{
    cli_output output = {0};
    stats_work work = *given;
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    work.file = output.stream;
    print_text(&work);
    return cli_output_close(&output, job->request->output);
}

static int print(const cli_job *job, const stats_work *work)
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
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, i);
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
    options.work.progress = cli_show_progress;
    options.work.context = &job->progress;
    cli_begin_step(&job->progress, &cli_reading);
    status = ocelotl_statistics_compute(statistics, trace, &options);
    cli_end_step(&job->progress);
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
                              : print(job, &(stats_work){.trace = trace,
                                                         .statistics = statistics,
                                                         .resources = selection.resources});
    ocelotl_statistics_free(statistics);
    return code;
}

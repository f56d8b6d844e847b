/* ocelotl-cli stats: what a window of a trace adds up to, by event type and value. */
#include "stats.h"

#include "nearest.h"
#include "nothing_left.h"
#include "output.h"

#include <string.h>

enum { OPTION_TYPE = CLI_OWN_OPTION, OPTION_EXTREMES };

static const struct option long_options[] = {
    CLI_OUTPUT_OPTIONS,
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    CLI_PICTURE_OPTIONS,
    {"type", required_argument, NULL, OPTION_TYPE},
    {"extremes", no_argument, NULL, OPTION_EXTREMES},
    {"csv", no_argument, NULL, CLI_CSV},
    {"json", no_argument, NULL, CLI_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_stats_options = long_options;

/* --- The command */

static void help(FILE *file)
{
    fprintf(file, "Usage: ocelotl-cli stats [OPTIONS] TRACE\n\n"
                  "Adds up what is in a trace, or in a window and a part of it, by event type and "
                  "value: of states the time\n"
                  "as the innermost one, its share of their resources' lives, and the time in all; "
                  "of those that end in the\n"
                  "window the mean, smallest and largest duration; of variables the mean over "
                  "time; of links what their\n"
                  "numeric attributes add up to.\n\n" CLI_PLACE_HELP CLI_PART_HELP "\nStatistics:\n"
                  "  --type NAME           events of this type\n"
                  "  --state-type NAME     states of this type\n"
                  "  --extremes            the smallest and largest duration of each value too: "
                  "reads every event\n"
                  "  --csv                 print CSV instead of a table\n"
                  "  --json                print JSON instead of a table\n"
                  "  -o, --output FILE     write to a file instead of standard output: .csv, "
                  ".json, or bars as\n"
                  "                        .svg, .png or .pdf; .txt is the table\n" CLI_FORCE_HELP
                      CLI_PICTURE_HELP CLI_READING_HELP "\nExamples:\n"
                  "  ocelotl-cli stats --from 1s --to 2s trace.db\n"
                  "  ocelotl-cli stats --resource site/cluster trace.db -o stats.svg\n");
}

static int print_table(const ocelotl_trace *trace, const ocelotl_statistics *statistics,
                       const cli_stats_request *request)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    cli_stats_print_text(&(cli_stats_work){output.stream, trace, statistics, request});
    return cli_output_close(&output, request->common.output);
}

static int print(const ocelotl_trace *trace, const ocelotl_statistics *statistics,
                 const cli_stats_request *request)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    const bool json = request->common.content == CLI_JSON_TEXT;
    if (!json && request->common.content != CLI_CSV_TEXT)
        return print_table(trace, statistics, request);
    const int code = cli_code(json ? ocelotl_statistics_write_json(&sink, statistics, trace)
                                   : ocelotl_statistics_write_csv(&sink, statistics, trace));
    return cli_write_answer(request->common.output, &made, code);
}

/* Whether some type of states is called so, where one was asked for. */
static int check_type(const ocelotl_trace *trace, const cli_stats_request *request)
{
    if (!request->states)
        return CLI_DONE;
    cli_nearest nearest = cli_nearest_to(request->type, strlen(request->type));
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type(trace, t);
        if (type.category == OCELOTL_STATE && strcmp(type.name, request->type) == 0)
            return CLI_DONE;
        if (type.category == OCELOTL_STATE)
            cli_nearest_try(&nearest, type.name);
    }
    if (nearest.name != NULL)
        return cli_wrong(
            "--state-type is \"%s\", expected a type of states in the trace; the nearest is \"%s\"",
            request->type, nearest.name);
    return cli_wrong("--state-type is \"%s\", expected a type of states in the trace",
                     request->type);
}

static int draw(ocelotl_trace *trace, const ocelotl_statistics *statistics,
                const cli_stats_request *request)
{
    const ocelotl_model *none = NULL;
    cli_say_unmatched(&request->common, &trace, &none, 1);
    return cli_code(ocelotl_statistics_render(request->common.output, trace, statistics,
                                              &request->common.view));
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

static int answer(ocelotl_trace *trace, const cli_stats_request *request)
{
    const cli_selection *selection = &request->common.zooms.narrowed.selection;
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_filter filter;
    ocelotl_statistics *statistics = NULL;
    int code = check_type(trace, request);
    if (code == CLI_DONE)
        code = cli_apply_filter(&filter, selection, trace);
    if (code == CLI_DONE)
        code = cli_closed_window_ticks(&options.from, &options.to, &selection->window, trace);
    if (code != CLI_DONE)
        return code;
    options.filter = &filter;
    options.resources = cli_selected_resources(selection).names;
    options.resource_count = cli_selected_resources(selection).count;
    options.type = request->type;
    options.extremes = request->extremes ? OCELOTL_EXTREMES_VALUES : OCELOTL_EXTREMES_TYPES;
    const ocelotl_status status = ocelotl_statistics_open(&statistics, trace, &options);
    if (status != OCELOTL_OK)
        return cli_code_of_selection(status, request->common.operands[0], selection, request->type);
    if (is_empty(statistics) && cli_has_filter(selection, request->type))
        code = cli_fail_nothing_left(request->common.operands[0], selection, request->type);
    else if (cli_draws(&request->common))
        code = draw(trace, statistics, request);
    else
        code = print(trace, statistics, request);
    ocelotl_statistics_free(statistics);
    return code;
}

static int run(void *given)
{
    cli_stats_request *request = given;
    cli_request *common = &request->common;
    const char *path = common->operands[0];
    ocelotl_trace *trace = NULL;
    if (request->states && common->zooms.count > 0)
        common->model.model.cells.state_type = request->type;
    int code =
        cli_option_code(ocelotl_picture_check(cli_picture_name(common), &common->view), "stats");
    if (code == CLI_DONE)
        code =
            cli_open_zoomed(&trace, path, &common->zooms, &common->model, &common->which, "stats");
    if (code == CLI_DONE)
        code = answer(trace, request);
    ocelotl_trace_free(trace);
    return code;
}

static int take_type(cli_stats_request *request, bool states)
{
    if (request->type != NULL)
        return cli_usage("stats", "--type and --state-type can be given once");
    request->type = optarg;
    request->states = states;
    return CLI_DONE;
}

static bool take_option(int *code, void *given, int option)
{
    cli_stats_request *request = given;
    switch (option) {
    case OPTION_TYPE:
    case CLI_STATE_TYPE:
        *code = take_type(request, option == CLI_STATE_TYPE);
        return true;
    case OPTION_EXTREMES:
        request->extremes = true;
        return true;
    default:
        return false;
    }
}

int cli_stats(int argc, char **argv)
{
    static const cli_command_line line = {
        "stats", long_options, help, take_option, NULL, run, CLI_PICTURES | CLI_TABLES};
    cli_stats_request request = {.common = CLI_REQUEST_INIT};
    return cli_run_command_line(&line, &request.common, argc, argv);
}

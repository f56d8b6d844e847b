/* ocelotl-cli gantt: the space-time diagram of a window of a trace. */
#include "command_line.h"
#include "nothing_left.h"
#include "standard_input.h"
#include "stream.h"

enum { OPTION_TYPE = CLI_OWN_OPTION, OPTION_LINKS };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    CLI_PICTURE_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    {"json", no_argument, NULL, CLI_JSON},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"links", required_argument, NULL, OPTION_LINKS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_gantt_options = long_options;

typedef struct gantt_request {
    cli_request common;
    ocelotl_drawables_options drawables;
} gantt_request;

static void help(FILE *file)
{
    fprintf(
        file,
        "Usage: ocelotl-cli gantt [OPTIONS] TRACE\n\n"
        "Draws the events of a trace over time, a row for each resource: nested states inside one "
        "another, events\n"
        "as marks, variables as steps, links as arrows. What is too narrow or in rows too low to "
        "be seen is drawn\n"
        "together, with a diagonal where there is room for one; a tooltip says what is there. "
        "Variables that "
        "never\n"
        "change are thin rows with their values. The default height makes all rows easy to "
        "read.\n\n"
        "  -o, --output FILE     .svg, .png or .pdf, or .json; - writes the SVG to standard output "
        "(default:\n"
        "                        NAME-gantt.svg in this folder)\n" CLI_FORCE_HELP
        "  --json                print what is drawn as JSON instead\n" CLI_PLACE_HELP CLI_PART_HELP
        "\nDiagram:\n"
        "  --type NAME           events of this type alone\n"
        "  --links N             at most N arrows, those that stand for most (default: 20000); "
        "where arrows would\n"
        "                        hide the rows, the shortest are left out\n" CLI_PICTURE_HELP
            CLI_READING_HELP "\nExamples:\n"
        "  ocelotl-cli gantt --from 40%% --to 45%% trace.db -o gantt.svg\n"
        "  ocelotl-cli gantt --resource site/cluster --links 0 trace.db -o gantt.png\n");
}

static bool take_option(int *code, void *given, int option)
{
    gantt_request *request = given;
    switch (option) {
    case OPTION_TYPE:
        request->drawables.type = optarg;
        return true;
    case OPTION_LINKS:
        *code = cli_read_count(&request->drawables.most_links, optarg, "links", "gantt")
                    ? CLI_DONE
                    : CLI_USAGE;
        return true;
    default:
        return false;
    }
}

static int write_json(const ocelotl_trace *trace, const ocelotl_drawables *drawables,
                      const char *path)
{
    cli_stream stream = {0};
    const ocelotl_sink sink = cli_stream_sink(&stream);
    int code = cli_stream_open(&stream, path);
    if (code == CLI_DONE)
        code = cli_stream_code(&stream, ocelotl_drawables_write_json(&sink, drawables, trace));
    return cli_stream_close(&stream, code);
}

static int draw(ocelotl_trace *trace, const ocelotl_drawables *drawables, const cli_request *common)
{
    char *path = NULL;
    if (!cli_draws(common))
        return write_json(trace, drawables, common->output);
    const ocelotl_model *none = NULL;
    cli_say_unmatched(common, &trace, &none, 1);
    const int code = cli_begin_picture(&path, common, ocelotl_trace_get_info(trace).name, "-gantt");
    if (code != CLI_DONE)
        return code;
    return cli_end_picture(path, common,
                           ocelotl_gantt_render(path, trace, drawables, &common->view));
}

static bool is_empty(const ocelotl_drawables *drawables)
{
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(drawables); row++)
        if (ocelotl_drawables_row(drawables, row).objects > 0)
            return false;
    return ocelotl_drawables_link_count(drawables) == 0;
}

static int open_drawables(ocelotl_drawables **drawables, ocelotl_trace *trace,
                          const gantt_request *request)
{
    const cli_selection *selection = &request->common.zooms.narrowed.selection;
    ocelotl_drawables_options options = request->drawables;
    ocelotl_filter filter;
    const ocelotl_trace_info info = ocelotl_trace_get_info(trace);
    if (info.begin == info.end)
        return cli_wrong("%s: begins and ends in the same instant, expected a trace that lasts",
                         cli_name_of(request->common.operands[0]));
    int code = cli_window_ticks(&options.from, &options.to, &selection->window, trace);
    if (code == CLI_DONE)
        code = cli_apply_filter(&filter, selection, trace);
    if (code != CLI_DONE)
        return code;
    options.filter = &filter;
    options.resources = cli_selected_resources(selection).names;
    options.resource_count = cli_selected_resources(selection).count;
    cli_fit_drawables(&options, &request->common.view);
    code = cli_code_of_selection(ocelotl_drawables_open(drawables, trace, &options),
                                 request->common.operands[0], selection, options.type);
    if (code == CLI_DONE && is_empty(*drawables) && cli_has_filter(selection, options.type))
        return cli_fail_nothing_left(request->common.operands[0], selection, options.type);
    return code;
}

static int run(void *given)
{
    gantt_request *request = given;
    cli_request *common = &request->common;
    ocelotl_trace *trace = NULL;
    ocelotl_drawables *drawables = NULL;
    int code =
        cli_option_code(ocelotl_picture_check(cli_picture_name(common), &common->view), "gantt");
    if (code == CLI_DONE)
        code = cli_open_zoomed(&trace, common->operands[0], &common->zooms, &common->model,
                               &common->which, "gantt");
    if (code == CLI_DONE)
        code = open_drawables(&drawables, trace, request);
    if (code == CLI_DONE)
        code = draw(trace, drawables, common);
    ocelotl_drawables_free(drawables);
    ocelotl_trace_free(trace);
    return code;
}

int cli_gantt(int argc, char **argv)
{
    static const cli_command_line line = {
        "gantt", long_options, help, take_option, NULL, run, CLI_PICTURES | CLI_JSON_TEXT};
    gantt_request request = {.common = CLI_REQUEST_INIT,
                             .drawables = OCELOTL_DRAWABLES_OPTIONS_INIT};
    request.drawables.most_links = 20000;
    return cli_run_command_line(&line, &request.common, argc, argv);
}

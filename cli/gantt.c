/* ocelotl-cli gantt: the space-time diagram of a window of a trace. */
#include "output.h"
#include "part.h"
#include "picture_options.h"

#include <stdlib.h>

enum { OPTION_TYPE = CLI_OWN_OPTION, OPTION_LINKS };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    CLI_PICTURE_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"links", required_argument, NULL, OPTION_LINKS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_gantt_options = long_options;

typedef struct gantt_request {
    cli_model_options model;
    cli_which_p which;
    cli_zooms zooms;
    ocelotl_view_options view;
    ocelotl_drawables_options drawables;
    const char *output;
} gantt_request;

static int help(void)
{
    printf(
        "Usage: ocelotl-cli gantt [OPTIONS] TRACE\n\n"
        "Draws the events of a trace over time, a row for each resource: nested states inside one another, events\n"
        "as marks, variables as steps, links as arrows. What is too narrow to be seen is drawn together, with a\n"
        "diagonal; its tooltip says what is in it. The default height makes all rows easy to read.\n\n"
        "  -o, --output FILE     .svg, .png or .pdf (default: NAME.svg in this folder)\n" CLI_PLACE_HELP
            CLI_PART_HELP "  --type NAME           events of this type alone\n"
        "  --links N             at most N arrows, those that stand for most (default: 2000)\n" CLI_PICTURE_HELP
            CLI_READING_HELP "\nExamples:\n"
        "  ocelotl-cli gantt --from 40%% --to 45%% trace.db -o gantt.svg\n"
        "  ocelotl-cli gantt --resource site/cluster --links 0 trace.db -o gantt.png\n");
    return CLI_DONE;
}

static int take_option(gantt_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    if (cli_take_picture_option(&code, &request->view, option, "gantt") ||
        cli_take_model_option(&code, &request->model, option, "gantt") ||
        cli_take_p_option(&code, &request->which, option, "gantt") ||
        cli_take_zoom_option(&code, &request->zooms, &request->which, &request->model, option, "gantt"))
        return code;
    switch (option) {
    case 'o':
        request->output = optarg;
        return CLI_DONE;
    case OPTION_TYPE:
        request->drawables.type = optarg;
        return CLI_DONE;
    case OPTION_LINKS:
        return cli_read_count(&request->drawables.most_links, optarg, "links", "gantt") ? CLI_DONE : CLI_USAGE;
    default:
        return cli_bad_option(option, argv, long_options, "gantt");
    }
}

/* What the names of the hierarchy leave of the picture's width, about. */
static double plot_width(const ocelotl_view_options *view)
{
    const double width = view->width > 0 ? view->width : 1280;
    return width * 0.8;
}

static int draw(ocelotl_trace *trace, const ocelotl_drawables *drawables, const char *path,
                const gantt_request *request)
{
    char *chosen = NULL;
    const char *output = request->output;
    if (output == NULL)
        output = chosen = cli_default_picture(ocelotl_trace_get_info(trace).name);
    if (output == NULL)
        return cli_memory();
    int code = cli_check_not_input(output, path);
    if (code == CLI_DONE) {
        const ocelotl_status status = ocelotl_gantt_render(output, trace, drawables, &request->view);
        code = status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
    }
    if (code == CLI_DONE && chosen != NULL)
        printf("%s\n", chosen);
    free(chosen);
    return code;
}

static int open_drawables(ocelotl_drawables **drawables, ocelotl_trace *trace, gantt_request *request)
{
    const cli_selection *selection = &request->zooms.narrowed.selection;
    ocelotl_drawables_options *options = &request->drawables;
    const int code = cli_window_ticks(&options->from, &options->to, &selection->window, trace);
    if (code != CLI_DONE)
        return code;
    options->resources = selection->resources.names;
    options->resource_count = selection->resources.count;
    options->width = plot_width(&request->view);
    options->narrowest = request->view.smallest > 0 ? request->view.smallest : 2;
    const ocelotl_status status = ocelotl_drawables_open(drawables, trace, options);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

static int check(const char *path, const gantt_request *request)
{
    const ocelotl_status status = ocelotl_picture_check(request->output, &request->view);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    return request->output != NULL ? cli_check_output(request->output, path) : CLI_DONE;
}

static int run(const char *path, gantt_request *request)
{
    ocelotl_trace *trace = NULL;
    ocelotl_drawables *drawables = NULL;
    int code = check(path, request);
    if (code == CLI_DONE)
        code = cli_open_zoomed(&trace, path, &request->zooms, &request->model, &request->which, "gantt");
    if (code == CLI_DONE)
        code = open_drawables(&drawables, trace, request);
    if (code == CLI_DONE)
        code = draw(trace, drawables, path, request);
    ocelotl_drawables_free(drawables);
    ocelotl_trace_free(trace);
    return code;
}

int cli_gantt(int argc, char **argv)
{
    gantt_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT,
                             .view = OCELOTL_VIEW_OPTIONS_INIT,
                             .drawables = OCELOTL_DRAWABLES_OPTIONS_INIT};
    int option;
    request.drawables.most_links = 2000;
    char *command = cli_repeat_command(argc, argv, "gantt");
    int code = CLI_DONE;
    opterr = 0;
    while (code == CLI_DONE && (option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
        if (option == 'h') {
            free(command);
            return help();
        }
        code = take_option(&request, option, argv);
    }
    request.view.command = command;
    const char *trace = code == CLI_DONE ? cli_one_trace(argc, argv, "gantt") : NULL;
    if (code == CLI_DONE)
        code = trace != NULL ? run(trace, &request) : CLI_USAGE;
    cli_zooms_free(&request.zooms);
    free(command);
    return code;
}

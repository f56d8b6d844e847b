/* ocelotl-cli [OPTIONS] TRACE: the overview. */
#include "expansion.h"
#include "output.h"
#include "part.h"
#include "partition_json.h"
#include "picture_options.h"
#include "report_page.h"
#include "which_p.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_JSON = CLI_OWN_OPTION, OPTION_VIEW, OPTION_TYPE, OPTION_EXPAND };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"json", no_argument, NULL, OPTION_JSON},
    CLI_PICTURE_OPTIONS,
    {"view", required_argument, NULL, OPTION_VIEW},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"expand", required_argument, NULL, OPTION_EXPAND},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_overview_options = long_options;

typedef struct overview_request {
    cli_model_options model;
    cli_which_p which;
    cli_zooms zooms;
    ocelotl_view_options view;
    cli_expansion expansion;
    const char *output;
    bool json;
} overview_request;

static void help_views(void)
{
    static const char *const kinds[] = {"spatiotemporal", "temporal", "spatial"};
    printf("\nViews (--kind, --view; the first of each kind is the default):\n");
    for (size_t i = 0; i < ocelotl_view_count(); i++) {
        const ocelotl_view view = ocelotl_view_get(i);
        printf("  %-15s %-10s %s\n", kinds[view.kind], view.name, view.what);
    }
}

static void help_metrics(void)
{
    printf("\nMetrics (--metric):\n");
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++)
        printf("  %-22s %s\n", ocelotl_metric_get(i).name, ocelotl_metric_get(i).meaning);
}

static int help(void)
{
    printf("Usage: ocelotl-cli [OPTIONS] TRACE\n\n"
           "Draws the overview of a trace: the partition of time and resources that is optimal at a trade-off p, "
           "each\n"
           "part in the colour of its dominant state, as opaque as that state's share.\n\n"
           "  -o, --output FILE     .svg, .png or .pdf, .html for a page of all levels, or .json\n"
           "                        (default: NAME.svg in this folder)\n"
           "  --json                print the partition as JSON instead\n" CLI_P_HELP CLI_ZOOM_HELP);
    printf(CLI_MODEL_HELP CLI_PICTURE_HELP);
    printf("  --view NAME           how it is drawn, see below\n"
           "  --type NAME           the type that a histogram shows (default: the one with most "
           "time)\n" CLI_EXPANSION_HELP);
    help_views();
    printf("\nA picture of one resource, or of more than 32 with no level between them and the whole, is temporal "
           "unless\n"
           "--kind, --view or --level says otherwise; --json and sweep keep to spatiotemporal.\n");
    help_metrics();
    printf("\nExamples:\n"
           "  ocelotl-cli --p 0.5 trace.db -o overview.svg\n"
           "  ocelotl-cli --parts 100 --slices 60 trace.db -o overview.png\n");
    return CLI_DONE;
}

static int take_option(overview_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    if (cli_take_model_option(&code, &request->model, option, "overview") ||
        cli_take_p_option(&code, &request->which, option, "overview") ||
        cli_take_zoom_option(&code, &request->zooms, &request->which, &request->model, option, "overview") ||
        cli_take_picture_option(&code, &request->view, option, "overview"))
        return code;
    switch (option) {
    case 'o':
        request->output = optarg;
        return CLI_DONE;
    case OPTION_JSON:
        request->json = true;
        return CLI_DONE;
    case OPTION_VIEW:
        request->view.view = optarg;
        return CLI_DONE;
    case OPTION_TYPE:
        request->view.type = optarg;
        return CLI_DONE;
    case OPTION_EXPAND:
        return cli_read_expansion(&request->expansion, &request->view, optarg, "overview");
    default:
        return cli_bad_option(option, argv, long_options, "overview");
    }
}

static int write_json(const ocelotl_partition *partition, const char *path)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    cli_partition_json(output.stream, partition);
    return cli_output_close(&output, path);
}

static bool is_json(const overview_request *request)
{
    return request->json || (request->output != NULL && cli_ends_in(request->output, ".json"));
}

/* The kind that a view is of: where several have one of its name, the first. */
static void take_kind_of_view(overview_request *request)
{
    const size_t count = ocelotl_view_count();
    size_t i = 0;
    if (request->view.view == NULL && request->view.type != NULL)
        request->view.view = "histogram";
    if (request->model.kind_given || request->view.view == NULL)
        return;
    while (i < count && strcmp(ocelotl_view_get(i).name, request->view.view) != 0)
        i++;
    if (i < count)
        request->model.model.kind = ocelotl_view_get(i).kind;
}

/* Of a picture the model tells what kind it is best; a level is one of those that sweep lists, which does not ask. */
static void let_model_choose_kind(overview_request *request)
{
    request->zooms.free_kind = !request->model.kind_given && request->view.view == NULL && !is_json(request) &&
                               request->view.expand == NULL;
    request->model.kind_of_model = request->zooms.free_kind && request->which.kind != CLI_P_LEVEL;
}

/* What would fail at the end of long work is said before it. */
static int check(const char *trace, const overview_request *request)
{
    const char *path = request->output;
    const bool to_json = path != NULL && cli_ends_in(path, ".json");
    if (request->json && path != NULL && !to_json)
        return cli_usage("overview", "--json and -o %s exclude each other, expected a name in .json", path);
    if (path != NULL && !to_json && !cli_is_report(path) && !cli_is_picture(path))
        return cli_wrong("%s, or .html, or .json", ocelotl_error_message());
    const ocelotl_status status = cli_is_report(path)
                                      ? ocelotl_report_check(path, request->model.model.kind, &request->view)
                                      : ocelotl_overview_check(NULL, request->model.model.kind, &request->view);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    return path != NULL ? cli_check_output(path, trace) : CLI_DONE;
}

static int render(const char *path, const ocelotl_partition *partition, const cli_loaded *loaded,
                  const overview_request *request)
{
    cli_whole whole = {0};
    ocelotl_view_options view = request->view;
    int code = cli_whole_find(&whole, loaded);
    view.whole = whole.partition;
    if (code == CLI_DONE) {
        const ocelotl_status status = ocelotl_overview_render(path, partition, &view);
        code = status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
    }
    cli_whole_free(&whole);
    return code;
}

static int draw(const ocelotl_partition *partition, const cli_loaded *loaded, const char *trace,
                const overview_request *request)
{
    char *chosen = NULL;
    const char *path = request->output;
    if (path == NULL)
        path = chosen = cli_default_picture(ocelotl_model_get_info(loaded->model).name);
    if (path == NULL)
        return cli_memory();
    int code = cli_check_not_input(path, trace);
    if (code == CLI_DONE)
        code = render(path, partition, loaded, request);
    if (code == CLI_DONE && chosen != NULL)
        printf("%s\n", chosen);
    free(chosen);
    return code;
}

/* A type is known once there is a model. */
static int check_type(const cli_loaded *loaded, const overview_request *request)
{
    uint32_t type;
    if (request->view.type == NULL)
        return CLI_DONE;
    const ocelotl_status status = ocelotl_model_find_type(&type, loaded->model, request->view.type);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

/* And so is what is to be expanded. */
static int load(cli_loaded *loaded, const char *trace, overview_request *request)
{
    int code = cli_load_zoomed(loaded, trace, &request->zooms, &request->model, &request->which);
    if (code == CLI_DONE)
        code = check_type(loaded, request);
    if (code == CLI_DONE)
        code = cli_apply_expansion(&request->view, &request->expansion, loaded->model);
    return code == CLI_DONE ? cli_measure(loaded) : code;
}

/* A page needs no partition, but the levels. */
static int solve_and_write(cli_loaded *loaded, const char *trace, const overview_request *request)
{
    ocelotl_partition *partition = NULL;
    if (!is_json(request) && cli_is_report(request->output))
        return cli_write_report(request->output, loaded, &request->which, &request->view);
    int code = cli_solve(&partition, loaded, &request->which);
    if (code == CLI_DONE)
        code = is_json(request) ? write_json(partition, request->output) : draw(partition, loaded, trace, request);
    ocelotl_partition_free(partition);
    return code;
}

static int run(const char *trace, overview_request *request)
{
    cli_loaded loaded = {0};
    take_kind_of_view(request);
    let_model_choose_kind(request);
    int code = check(trace, request);
    if (code == CLI_DONE)
        code = load(&loaded, trace, request);
    if (code == CLI_DONE)
        code = solve_and_write(&loaded, trace, request);
    cli_loaded_free(&loaded);
    return code;
}

int cli_overview(int argc, char **argv)
{
    overview_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT, .view = OCELOTL_VIEW_OPTIONS_INIT};
    int option;
    /* getopt reorders the arguments: the command is kept as it was given. */
    char *command = cli_repeat_command(argc, argv, "");
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
    const char *trace = code == CLI_DONE ? cli_one_trace(argc, argv, "overview") : NULL;
    if (code == CLI_DONE)
        code = trace != NULL ? run(trace, &request) : CLI_USAGE;
    free(command);
    cli_zooms_free(&request.zooms);
    free(request.expansion.node);
    return code;
}

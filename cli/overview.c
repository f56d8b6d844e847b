/* ocelotl-cli [OPTIONS] TRACE: the overview. */
#include "command_line.h"
#include "expansion.h"
#include "overview_options.h"
#include "partition_json.h"
#include "report_page.h"
#include "whole.h"

#include <stdlib.h>
#include <string.h>

typedef struct overview_request {
    cli_request common;
    cli_expansion expansion;
} overview_request;

static void help_views(FILE *file)
{
    static const char *const kinds[] = {"spatiotemporal", "temporal", "spatial"};
    fprintf(file,
            "\nViews (what --view can be, of each --kind; the first of a kind is its default):\n");
    for (size_t i = 0; i < ocelotl_view_count(); i++) {
        const ocelotl_view view = ocelotl_view_at(i);
        fprintf(file, "  %-15s %-10s %s\n", kinds[view.kind], view.name, view.what);
    }
}

static void help_metrics(FILE *file)
{
    fprintf(file, "\nMetrics (what --metric can be):\n");
    for (uint32_t i = 0; i < ocelotl_metric_count(); i++)
        fprintf(file, "  %-22s %s\n", ocelotl_metric_at(i).name, ocelotl_metric_at(i).meaning);
}

static void help(FILE *file)
{
    fprintf(
        file,
        "Usage: ocelotl-cli [OPTIONS] TRACE\n\n"
        "Draws the overview of a trace: the partition of time and resources that is optimal at a "
        "trade-off p, "
        "each\n"
        "part in the colour of its dominant state, as opaque as that state's share.\n\n"
        "  -o, --output FILE     .svg, .png or .pdf, .html for a page of all levels, or .json; - "
        "writes the\n"
        "                        SVG to standard output (default: NAME.svg in this "
        "folder)\n" CLI_FORCE_HELP
        "  --json                print the partition as JSON instead\n" CLI_P_HELP CLI_ZOOM_HELP);
    fprintf(file, CLI_MODEL_HELP);
    fprintf(file, CLI_PICTURE_HELP);
    fprintf(file,
            "  --view NAME           how it is drawn (see Views)\n"
            "  --type NAME           the type that a histogram shows (default: the one with most "
            "time)\n" CLI_EXPANSION_HELP);
    help_views(file);
    help_metrics(file);
    fprintf(file, "\nExamples:\n"
                  "  ocelotl-cli --p 0.5 trace.db -o overview.svg\n"
                  "  ocelotl-cli --parts 100 --slices 60 trace.db -o overview.png\n");
}

static bool take_option(int *code, void *given, int option)
{
    overview_request *request = given;
    switch (option) {
    case OPTION_VIEW:
        request->common.view.view = optarg;
        return true;
    case OPTION_TYPE:
        request->common.view.type = optarg;
        return true;
    case OPTION_EXPAND:
        *code = cli_read_expansion(&request->expansion, &request->common.view, optarg, "overview");
        return true;
    default:
        return false;
    }
}

/* The kind that a view is of: where several have one of its name, the first. */
static int take_kind_of_view(overview_request *request)
{
    const size_t count = ocelotl_view_count();
    const bool given = request->common.model.kind_given;
    size_t i = 0;
    if (request->common.view.view == NULL && request->common.view.type != NULL) {
        if (given && request->common.model.model.kind != OCELOTL_TEMPORAL)
            return cli_usage("overview", "--type is of a histogram, which is --kind temporal");
        request->common.view.view = "histogram";
    }
    if (given || request->common.view.view == NULL)
        return CLI_DONE;
    while (i < count && strcmp(ocelotl_view_at(i).name, request->common.view.view) != 0)
        i++;
    if (i < count)
        request->common.model.model.kind = ocelotl_view_at(i).kind;
    return CLI_DONE;
}

/* What would fail at the end of long work is said before it. */
static int check(const overview_request *request)
{
    const cli_request *common = &request->common;
    const ocelotl_kind kind = common->model.model.kind;
    return cli_option_code(common->content == CLI_PAGE
                               ? ocelotl_report_check(common->output, kind, &common->view)
                               : ocelotl_overview_check(NULL, kind, &common->view),
                           "");
}

static int draw(const ocelotl_partition *partition, const cli_loaded *loaded,
                const overview_request *request)
{
    cli_whole whole = {0};
    char *path = NULL;
    ocelotl_picture_options view = request->common.view;
    int code =
        cli_begin_picture(&path, &request->common, ocelotl_model_get_info(loaded->model).name, "");
    if (code != CLI_DONE)
        return code;
    code = cli_whole_find(&whole, loaded);
    view.whole = whole.partition;
    if (code == CLI_DONE)
        code = cli_end_picture(path, &request->common,
                               ocelotl_overview_render(path, partition, &view));
    else
        free(path);
    cli_whole_free(&whole);
    return code;
}

/* A type is known once there is a model. */
static int check_type(const cli_loaded *loaded, const overview_request *request)
{
    uint32_t type;
    if (request->common.view.type == NULL)
        return CLI_DONE;
    return cli_code(ocelotl_model_find_type(&type, loaded->model, request->common.view.type));
}

/* And so is what is to be expanded. */
static int load(cli_loaded *loaded, overview_request *request)
{
    int code = cli_load_zoomed(loaded, request->common.operands[0], &request->common.zooms,
                               &request->common.model, &request->common.which);
    if (code == CLI_DONE)
        code = check_type(loaded, request);
    if (code == CLI_DONE)
        code = cli_apply_expansion(&request->common.view, &request->expansion, loaded->model);
    if (code != CLI_DONE)
        return code;
    const ocelotl_model *model = loaded->model;
    cli_say_unmatched(&request->common, &loaded->trace, &model, 1);
    return cli_measure(loaded);
}

/* A page needs no partition, but the levels. */
static int solve_and_write(cli_loaded *loaded, const overview_request *request)
{
    const cli_request *common = &request->common;
    const bool to_json = cli_wants_partition_json(common);
    ocelotl_partition *partition = NULL;
    if (common->content == CLI_PAGE)
        return cli_write_report(common->output, loaded, &common->which, &common->view);
    int code = cli_solve(&partition, loaded, &common->which);
    if (code == CLI_DONE)
        code = to_json ? cli_write_partition_json(common->output, partition)
                       : draw(partition, loaded, request);
    ocelotl_partition_free(partition);
    return code;
}

static int run(void *given)
{
    overview_request *request = given;
    cli_loaded loaded = {0};
    int code = take_kind_of_view(request);
    if (code == CLI_DONE)
        code = check(request);
    if (code == CLI_DONE)
        code = load(&loaded, request);
    if (code == CLI_DONE)
        code = solve_and_write(&loaded, request);
    cli_loaded_free(&loaded);
    return code;
}

int cli_overview(int argc, char **argv)
{
    const cli_command_line line = {"overview",
                                   cli_overview_options,
                                   help,
                                   take_option,
                                   NULL,
                                   run,
                                   CLI_PICTURES | CLI_PAGE | CLI_JSON_TEXT};
    overview_request request = {.common = CLI_REQUEST_INIT};
    const int code = cli_run_command_line(&line, &request.common, argc, argv);
    free(request.expansion.node);
    return code;
}

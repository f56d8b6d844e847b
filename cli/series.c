/* ocelotl-cli series: how many resources of each group are in which state over time, or what a variable of theirs adds
 * up to. */
#include "load.h"
#include "output.h"
#include "picture_options.h"
#include "series_print.h"
#include "temporary.h"

#include <stdlib.h>

enum { OPTION_AT = CLI_OWN_OPTION, OPTION_REDUCE, OPTION_VARIABLE, OPTION_JSON };

static const struct option long_options[] = {
    CLI_PLACE_OPTIONS,
    CLI_PICTURE_OPTIONS,
    {"at", required_argument, NULL, OPTION_AT},
    {"reduce", required_argument, NULL, OPTION_REDUCE},
    {"variable", required_argument, NULL, OPTION_VARIABLE},
    {"state-type", required_argument, NULL, CLI_STATE_TYPE},
    {"nesting", required_argument, NULL, CLI_NESTING},
    {"only", required_argument, NULL, CLI_ONLY},
    {"except", required_argument, NULL, CLI_EXCEPT},
    {"only-resources", required_argument, NULL, CLI_ONLY_RESOURCES},
    {"except-resources", required_argument, NULL, CLI_EXCEPT_RESOURCES},
    {"json", no_argument, NULL, OPTION_JSON},
    {"output", required_argument, NULL, 'o'},
    {"lenient", no_argument, NULL, CLI_LENIENT},
    {"time-unit", required_argument, NULL, CLI_TIME_UNIT},
    {"no-cache", no_argument, NULL, CLI_NO_CACHE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_series_options = long_options;

typedef struct series_request {
    cli_model_options model; /* how a TRACE is read, and the selection */
    ocelotl_view_options view;
    const char *at, *output;
    ocelotl_reduction reduction; /* OCELOTL_REDUCE_DEFAULT: not given */
    cli_progress progress;
    bool variable, json; /* --variable is given: its names are among those of --only */
} series_request;

static int help(void)
{
    printf(
        "Usage: ocelotl-cli series [OPTIONS] TRACE\n\n"
        "Counts the resources of each group that are in each state, at every instant; or takes the sum, mean, "
        "least\n"
        "or largest value of a variable over them. Groups are the resources of a type; counted are the resources "
        "in\n"
        "and below them that have states. Nothing is sampled: every change is there. The default height of a "
        "picture\n"
        "makes all rows easy to read.\n\n"
        "  -o, --output FILE     .db: a trace of its own, of which these are the variables, for any other "
        "command;\n"
        "                        .svg, .png or .pdf: the curves; .csv or .json (default: CSV, to standard output)\n"
        "  --json                print JSON instead of CSV\n"
        "  --at TYPE             a group for each resource of this type (see ocelotl-cli info); all: one group of\n"
        "                        all (default: the type of the fewest resources that hold all, but of several)\n"
        "  --reduce count|sum|mean|min|max   count is of states, the others are of variables (default: count, or\n"
        "                        sum where there are no states)\n"
        "  --variable PATTERN    variables by name or glob instead of states (again: these, too)\n"
        "  --state-type NAME     states to count (default: the type with most time)\n"
        "  --nesting innermost|inclusive   which of nested states a resource is in (default: innermost)\n"
        "\nZoom:\n" CLI_PLACE_HELP "\nFilter:\n"
        "  --only PATTERN, --except PATTERN   states or variables by name or glob (again: more)\n"
        "  --only-resources PATTERN, --except-resources PATTERN   by path or glob, with all below them\n");
    printf(CLI_PICTURE_HELP CLI_READING_HELP
           "\nExamples:\n"
           "  ocelotl-cli series --at CLUSTER trace.db -o series.svg\n"
           "  ocelotl-cli series --at MACHINE --only MPI_Wait trace.db -o waiting.db\n"
           "  ocelotl-cli --metric variable-mean waiting.db -o waiting.svg\n"
           "  ocelotl-cli series --variable power --reduce mean trace.db\n");
    return CLI_DONE;
}

static int take_reduction(series_request *request)
{
    const int word = cli_read_word(optarg, cli_series_reductions, CLI_SERIES_REDUCTIONS, "reduce", "series");
    request->reduction = (ocelotl_reduction)(word + 1);
    return word >= 0 ? CLI_DONE : CLI_USAGE;
}

static int take_option(series_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    switch (option) {
    case 'o':
        request->output = optarg;
        return CLI_DONE;
    case OPTION_AT:
        request->at = optarg;
        return CLI_DONE;
    case OPTION_REDUCE:
        return take_reduction(request);
    case OPTION_JSON:
        request->json = true;
        return CLI_DONE;
    case OPTION_VARIABLE:
        request->variable = true;
        return cli_add_name(&request->model.selection.only, "variable", "series");
    default:
        return cli_take_model_option(&code, &request->model, option, "series") ||
                       cli_take_picture_option(&code, &request->view, option, "series")
                   ? code
                   : cli_bad_option(option, argv, long_options, "series");
    }
}

static int write_text(const ocelotl_trace *trace, ocelotl_series *series, const series_request *request)
{
    const bool json = request->json || (request->output != NULL && cli_ends_in(request->output, ".json"));
    cli_stream stream = {0};
    int code = cli_stream_open(&stream, request->output);
    if (code == CLI_DONE)
        code = json ? cli_series_json(&stream, trace, series) : cli_series_csv(&stream, trace, series);
    return cli_stream_close(&stream, code);
}

/* --- Traces and pictures */

static int write_trace(const char *path, ocelotl_series *series, series_request *request)
{
    cli_begin_progress_in(&request->progress, "reading", CLI_NODES);
    const ocelotl_status status = ocelotl_series_write(path, series, request->view.title, true);
    cli_end_progress(&request->progress);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

/* What the names of the hierarchy leave of the picture's width, about. */
static double plot_width(const ocelotl_view_options *view)
{
    const double width = view->width > 0 ? view->width : 1280;
    return width * 0.8;
}

/* Where it is not given, rows are high enough to tell ten values apart. */
static double height_of(const ocelotl_series *series)
{
    static const double row = 44, around = 160, least = 320, most = 2400;
    const double height = around + row * ocelotl_series_get_info(series).series;
    if (height < least)
        return least;
    return height < most ? height : most;
}

static int draw_trace(const char *path, const ocelotl_series *series, const series_request *request)
{
    ocelotl_view_options view = request->view;
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables = NULL;
    ocelotl_trace *trace = NULL;
    options.width = plot_width(&request->view);
    options.narrowest = request->view.smallest > 0 ? request->view.smallest : 2;
    if (!(view.height > 0))
        view.height = height_of(series);
    ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status == OCELOTL_OK)
        status = ocelotl_drawables_open(&drawables, trace, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_gantt_render(request->output, trace, drawables, &view);
    ocelotl_drawables_free(drawables);
    ocelotl_trace_free(trace);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

/* The curves are the variables of a trace that is gone afterwards. */
static int draw(ocelotl_series *series, series_request *request)
{
    char *path = NULL;
    int code = cli_temporary_trace(&path);
    if (code == CLI_DONE)
        code = write_trace(path, series, request);
    if (code == CLI_DONE)
        code = draw_trace(path, series, request);
    free(path);
    return code;
}

/* --- The command */

/* What is left out is said, for nobody would look for it. */
static void say_what_is_left_out(const ocelotl_series *series)
{
    const ocelotl_series_info info = ocelotl_series_get_info(series);
    if (info.outside > 0)
        fprintf(stderr, "ocelotl-cli: %u resources are neither in nor below one of type %s, and are not counted\n",
                info.outside, info.group_type);
}

static int write_output(const ocelotl_trace *trace, ocelotl_series *series, series_request *request)
{
    say_what_is_left_out(series);
    if (request->output != NULL && cli_ends_in(request->output, ".db"))
        return write_trace(request->output, series, request);
    if (request->output != NULL && cli_is_picture(request->output))
        return draw(series, request);
    return write_text(trace, series, request);
}

/* Text goes out as it is made, and shows by itself how far it is. */
static bool is_text(const series_request *request)
{
    return request->output == NULL || !(cli_ends_in(request->output, ".db") || cli_is_picture(request->output));
}

static int open_series(ocelotl_series **series, ocelotl_trace *trace, series_request *request)
{
    ocelotl_model_options model = request->model.model;
    ocelotl_series_options options = OCELOTL_SERIES_OPTIONS_INIT;
    const int code = cli_apply_selection(&model, &request->model.selection, trace);
    if (code != CLI_DONE)
        return code;
    options.at = request->at;
    options.reduction = request->reduction;
    options.state_type = model.state_type;
    options.nesting = model.nesting;
    options.from = model.from;
    options.to = model.to;
    options.resources = model.resources;
    options.only = model.only;
    options.except = model.except;
    options.only_resources = model.only_resources;
    options.except_resources = model.except_resources;
    if (!is_text(request)) {
        options.progress = cli_show_progress;
        options.progress_context = &request->progress;
    }
    const ocelotl_status status = ocelotl_series_open(series, trace, &options);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

/* What would fail at the end of long work is said before it. */
static int check(const char *trace, series_request *request)
{
    const char *output = request->output;
    if (request->variable && request->reduction == OCELOTL_REDUCE_COUNT)
        return cli_usage("series",
                         "--reduce count is of states, and --variable is given; expected sum, mean, min or max");
    if (request->variable && request->reduction == OCELOTL_REDUCE_DEFAULT)
        request->reduction = OCELOTL_REDUCE_SUM;
    if (request->reduction > OCELOTL_REDUCE_COUNT && request->model.model.state_type != NULL)
        return cli_usage("series",
                         "--state-type is of states, and --reduce %s of variables; expected --reduce count",
                         cli_series_reductions[request->reduction - 1]);
    if (request->reduction > OCELOTL_REDUCE_COUNT && request->model.model.nesting != OCELOTL_INNERMOST)
        return cli_usage("series", "--nesting is of states, and --reduce %s of variables; expected --reduce count",
                         cli_series_reductions[request->reduction - 1]);
    if (request->json && output != NULL && !cli_ends_in(output, ".json"))
        return cli_usage("series", "--json and -o %s exclude each other, expected a name in .json", output);
    const bool picture = output != NULL && cli_is_picture(output);
    const ocelotl_status status = ocelotl_picture_check(picture ? output : NULL, &request->view);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    return output != NULL ? cli_check_output(output, trace) : CLI_DONE;
}

static int run(const char *path, series_request *request)
{
    ocelotl_trace *trace = NULL;
    ocelotl_series *series = NULL;
    int code = check(path, request);
    if (code == CLI_DONE)
        code = cli_open_trace(&trace, path, &request->model);
    if (code == CLI_DONE)
        code = open_series(&series, trace, request);
    if (code == CLI_DONE)
        code = write_output(trace, series, request);
    ocelotl_series_free(series);
    ocelotl_trace_free(trace);
    return code;
}

static int take_options(series_request *request, int argc, char **argv)
{
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
        if (option == 'h')
            return help();
        const int code = take_option(request, option, argv);
        if (code != CLI_DONE)
            return code;
    }
    const char *trace = cli_one_trace(argc, argv, "series");
    return trace != NULL ? run(trace, request) : CLI_USAGE;
}

int cli_series(int argc, char **argv)
{
    series_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT, .view = OCELOTL_VIEW_OPTIONS_INIT};
    char *command = cli_repeat_command(argc, argv, "series");
    request.view.command = command;
    const int code = take_options(&request, argc, argv);
    free(command);
    return code;
}

/* ocelotl-cli series: how many resources of each group are in which state over time, or what a
 * variable of theirs adds up to. */
#include "command_line.h"
#include "nothing_left.h"
#include "stream.h"
#include "temporary.h"

#include <stdlib.h>

enum { OPTION_AT = CLI_OWN_OPTION, OPTION_REDUCE, OPTION_VARIABLE };

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
    {"csv", no_argument, NULL, CLI_CSV},
    {"json", no_argument, NULL, CLI_JSON},
    CLI_OUTPUT_OPTIONS,
    {"lenient", no_argument, NULL, CLI_LENIENT},
    {"time-unit", required_argument, NULL, CLI_TIME_UNIT},
    {"no-cache", no_argument, NULL, CLI_NO_CACHE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_series_options = long_options;

static const char *const reductions[] = {"count", "sum", "mean", "min", "max"};

typedef struct series_request {
    cli_request common;
    const char *at;
    ocelotl_reduction reduction; /* OCELOTL_REDUCE_DEFAULT: not given */
    bool variable;               /* --variable is given: its names are among those of --only */
} series_request;

static void help(FILE *file)
{
    fprintf(
        file,
        "Usage: ocelotl-cli series [OPTIONS] TRACE\n\n"
        "Counts the resources of each group that are in each state, at every instant; or takes the "
        "sum, mean, "
        "least\n"
        "or largest value of a variable over them. Groups are the resources of a type; counted are "
        "the resources "
        "in\n"
        "and below them that have states. Nothing is sampled: every change is there. The default "
        "height of a "
        "picture\n"
        "makes all rows easy to read.\n\n"
        "  -o, --output FILE     .db: a trace of its own, of which these are the variables, for "
        "any other "
        "command;\n"
        "                        .svg, .png or .pdf: the curves; .csv or .json (default: CSV, to "
        "standard output)\n"
        "  --force               replace a trace.db, or a file that holds something else\n"
        "  --csv, --json         print CSV (default) or JSON\n"
        "  --at TYPE             a group for each resource of this type (see ocelotl-cli info); "
        "all: one group of\n"
        "                        all (default: the type of the fewest resources that hold all, but "
        "of several)\n"
        "  --reduce count|sum|mean|min|max   count is of states, the others are of variables "
        "(default: count, or\n"
        "                        sum where there are no states)\n"
        "  --variable PATTERN    variables by name or glob instead of states (again: these, too)\n"
        "  --state-type NAME     states to count (default: the type with most time)\n"
        "  --nesting innermost|inclusive   which of nested states a resource is in (default: "
        "innermost)\n"
        "\nZoom:\n" CLI_PLACE_HELP "\nFilter:\n"
        "  --only PATTERN, --except PATTERN   states or variables by name or glob (again: more)\n"
        "  --only-resources PATTERN, --except-resources PATTERN   by path or glob, with all below "
        "them\n");
    fprintf(file, CLI_PICTURE_HELP CLI_READING_HELP
            "\nExamples:\n"
            "  ocelotl-cli series --at CLUSTER trace.db -o series.svg\n"
            "  ocelotl-cli series --at MACHINE --only MPI_Wait trace.db -o waiting.db\n"
            "  ocelotl-cli --metric variable-mean waiting.db -o waiting.svg\n"
            "  ocelotl-cli series --variable power --reduce mean trace.db\n");
}

static int take_reduction(series_request *request)
{
    const int word = cli_read_word(optarg, reductions, sizeof reductions / sizeof reductions[0],
                                   "reduce", "series");
    request->reduction = (ocelotl_reduction)(word + 1);
    return word >= 0 ? CLI_DONE : CLI_USAGE;
}

static bool take_option(int *code, void *given, int option)
{
    series_request *request = given;
    switch (option) {
    case OPTION_AT:
        request->at = optarg;
        return true;
    case OPTION_REDUCE:
        *code = take_reduction(request);
        return true;
    case OPTION_VARIABLE:
        request->variable = true;
        request->common.model.selection.only_option = "variable";
        *code = cli_add_name(&request->common.model.selection.only, "variable", "series");
        return true;
    default:
        return false;
    }
}

static int write_text(const ocelotl_trace *trace, ocelotl_series *series,
                      const series_request *request)
{
    const bool json = request->common.content == CLI_JSON_TEXT;
    cli_stream stream = {0};
    const ocelotl_sink sink = cli_stream_sink(&stream);
    int code = cli_stream_open(&stream, request->common.output);
    if (code == CLI_DONE)
        code = cli_stream_code(&stream, json ? ocelotl_series_write_json(&sink, series, trace)
                                             : ocelotl_series_write_csv(&sink, series, trace));
    return cli_stream_close(&stream, code);
}

/* --- Traces and pictures */

static int write_trace(const char *path, bool overwrite, ocelotl_series *series,
                       series_request *request)
{
    cli_begin_step(&request->common.progress, &cli_reading);
    const ocelotl_status status =
        ocelotl_series_write(path, series, request->common.view.title, overwrite);
    cli_end_step(&request->common.progress);
    return cli_code(status);
}

static int draw_trace(const char *path, const ocelotl_type_names *names,
                      const series_request *request)
{
    ocelotl_picture_options view = request->common.view;
    ocelotl_drawables_options options = OCELOTL_DRAWABLES_OPTIONS_INIT;
    ocelotl_drawables *drawables = NULL;
    ocelotl_trace *trace = NULL;
    cli_fit_drawables(&options, &request->common.view);
    view.type_names = names;
    ocelotl_status status = ocelotl_trace_open(&trace, path);
    if (status == OCELOTL_OK)
        status = ocelotl_drawables_open(&drawables, trace, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_gantt_render(request->common.output, trace, drawables, &view);
    ocelotl_drawables_free(drawables);
    ocelotl_trace_free(trace);
    return cli_code(status);
}

/* The curves are the variables of a trace that is gone afterwards; they have the colours of the one
 * they come from. */
static int draw(const ocelotl_trace *trace, ocelotl_series *series, series_request *request)
{
    char *path = NULL;
    ocelotl_type_names *names = NULL;
    int code = cli_temporary_file(&path, ".db");
    if (code == CLI_DONE)
        code = write_trace(path, true, series, request);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_trace_type_names(&names, trace));
    if (code == CLI_DONE)
        code = draw_trace(path, names, request);
    ocelotl_type_names_free(names);
    free(path);
    return code;
}

/* --- The command */

/* What is left out is said, for nobody would look for it. */
static void say_what_is_left_out(const ocelotl_series *series)
{
    const ocelotl_series_info info = ocelotl_series_get_info(series);
    if (info.outside > 0)
        cli_say("%u resources are neither in nor below one of type %s, and are not counted",
                info.outside, info.group_type);
}

static int write_output(ocelotl_trace *trace, ocelotl_series *series, series_request *request)
{
    say_what_is_left_out(series);
    if (request->common.content == CLI_TRACE_DB)
        return write_trace(request->common.output, request->common.force, series, request);
    const ocelotl_model *none = NULL;
    if (!cli_draws(&request->common))
        return write_text(trace, series, request);
    cli_say_unmatched(&request->common, &trace, &none, 1);
    return draw(trace, series, request);
}

/* Text goes out as it is made, and shows by itself how far it is. */
static bool is_text(const series_request *request)
{
    return (request->common.content & CLI_TABLES) != 0;
}

/* Whether anything that passes the filters touches the window. */
static ocelotl_status find_any(bool *any, ocelotl_trace *trace, const ocelotl_model_options *model)
{
    ocelotl_filter filter = OCELOTL_FILTER_INIT;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_events *events = NULL;
    ocelotl_event event;
    filter.only = model->selection.only;
    filter.except = model->selection.except;
    filter.only_resources = model->selection.only_resources;
    filter.except_resources = model->selection.except_resources;
    options.filter = &filter;
    if (model->selection.from < model->selection.to) {
        options.from = model->selection.from;
        options.to = model->selection.to;
    }
    options.resources = model->selection.resources.names;
    options.resource_count = model->selection.resources.count;
    ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    if (status == OCELOTL_OK)
        status = ocelotl_events_next(any, &event, events);
    ocelotl_events_free(events);
    return status;
}

static int open_series(ocelotl_series **series, ocelotl_trace *trace, series_request *request)
{
    ocelotl_model_options model = request->common.model.model;
    ocelotl_series_options options = OCELOTL_SERIES_OPTIONS_INIT;
    const int code = cli_apply_selection(&model, &request->common.model.selection, trace);
    if (code != CLI_DONE)
        return code;
    options.at = request->at;
    options.reduction = request->reduction;
    options.state_type = model.cells.state_type;
    options.nesting = model.cells.nesting;
    if (model.selection.from < model.selection.to) {
        options.from = model.selection.from;
        options.to = model.selection.to;
    }
    options.resources = model.selection.resources;
    options.only = model.selection.only;
    options.except = model.selection.except;
    options.only_resources = model.selection.only_resources;
    options.except_resources = model.selection.except_resources;
    if (!is_text(request)) {
        options.progress = cli_show_progress;
        options.progress_context = &request->common.progress;
    }
    const char *path = request->common.operands[0];
    const cli_selection *selection = &request->common.model.selection;
    bool any = false;
    ocelotl_status status = ocelotl_series_open(series, trace, &options);
    if (status == OCELOTL_OK)
        status = find_any(&any, trace, &model);
    if (status == OCELOTL_OK && !any && cli_has_filter(selection, NULL))
        return cli_fail_nothing_left(path, selection, NULL);
    return cli_code_of_selection(status, path, selection, NULL);
}

/* What would fail at the end of long work is said before it. */
static int check(series_request *request)
{
    if (request->variable && request->reduction == OCELOTL_REDUCE_COUNT)
        return cli_usage(
            "series",
            "--reduce count is of states, and --variable is given; expected sum, mean, min or max");
    if (request->variable && request->reduction == OCELOTL_REDUCE_DEFAULT)
        request->reduction = OCELOTL_REDUCE_SUM;
    if (request->reduction > OCELOTL_REDUCE_COUNT &&
        request->common.model.model.cells.state_type != NULL)
        return cli_usage(
            "series",
            "--state-type is of states, and --reduce %s of variables; expected --reduce count",
            reductions[request->reduction - 1]);
    if (request->reduction > OCELOTL_REDUCE_COUNT &&
        request->common.model.model.cells.nesting != OCELOTL_INNERMOST)
        return cli_usage(
            "series",
            "--nesting is of states, and --reduce %s of variables; expected --reduce count",
            reductions[request->reduction - 1]);
    return cli_option_code(
        ocelotl_picture_check(cli_picture_name(&request->common), &request->common.view), "series");
}

static int run(void *given)
{
    series_request *request = given;
    ocelotl_trace *trace = NULL;
    ocelotl_series *series = NULL;
    int code = check(request);
    if (code == CLI_DONE)
        code = cli_open_trace(&trace, request->common.operands[0], &request->common.model);
    if (code == CLI_DONE)
        code = open_series(&series, trace, request);
    if (code == CLI_DONE)
        code = write_output(trace, series, request);
    ocelotl_series_free(series);
    ocelotl_trace_free(trace);
    return code;
}

int cli_series(int argc, char **argv)
{
    static const cli_command_line line = {"series",
                                          long_options,
                                          help,
                                          take_option,
                                          NULL,
                                          run,
                                          CLI_PICTURES | CLI_CSV_TEXT | CLI_JSON_TEXT |
                                              CLI_TRACE_DB};
    series_request request = {.common = CLI_REQUEST_INIT};
    return cli_run_command_line(&line, &request.common, argc, argv);
}

/* ocelotl-cli series: how many resources of each group are in which state over time, or what a variable of theirs adds
 * up to. */
#include "json.h"
#include "load.h"
#include "output.h"
#include "stream.h"

#include <string.h>

enum { OPTION_AT = CLI_OWN_OPTION, OPTION_REDUCE, OPTION_VARIABLE };

static const struct option long_options[] = {
    CLI_PLACE_OPTIONS,
    {"at", required_argument, NULL, OPTION_AT},
    {"reduce", required_argument, NULL, OPTION_REDUCE},
    {"variable", required_argument, NULL, OPTION_VARIABLE},
    {"state-type", required_argument, NULL, CLI_STATE_TYPE},
    {"nesting", required_argument, NULL, CLI_NESTING},
    {"only", required_argument, NULL, CLI_ONLY},
    {"except", required_argument, NULL, CLI_EXCEPT},
    {"only-resources", required_argument, NULL, CLI_ONLY_RESOURCES},
    {"except-resources", required_argument, NULL, CLI_EXCEPT_RESOURCES},
    {"output", required_argument, NULL, 'o'},
    {"lenient", no_argument, NULL, CLI_LENIENT},
    {"time-unit", required_argument, NULL, CLI_TIME_UNIT},
    {"no-cache", no_argument, NULL, CLI_NO_CACHE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct series_request {
    cli_model_options model; /* how a TRACE is read, and the selection */
    const char *at, *output;
    ocelotl_reduction reduction;
    bool variables; /* --variable is given: its names are among those of --only */
} series_request;

static int help(void)
{
    printf("Usage: ocelotl-cli series [OPTIONS] TRACE\n\n");
    return CLI_DONE;
}

static int take_reduction(series_request *request)
{
    static const char *const words[] = {"count", "sum", "mean", "min", "max"};
    const int word = cli_read_word(optarg, words, 5, "reduce", "series");
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
    case OPTION_VARIABLE:
        request->variables = true;
        return cli_add_name(&request->model.selection.only, "variable", "series");
    default:
        return cli_take_model_option(&code, &request->model, option, "series")
                   ? code
                   : cli_bad_option(option, argv, long_options, "series");
    }
}

static void write_changes_csv(FILE *file, const ocelotl_trace *trace, const ocelotl_series *series,
                              const ocelotl_series_change *change)
{
    const ocelotl_derived_series is = ocelotl_series_get(series, change->series);
    cli_csv_cell(file, is.path, strlen(is.path));
    fputc(',', file);
    cli_csv_cell(file, is.name, strlen(is.name));
    fprintf(file, ",%s,%s\n", cli_digits(ocelotl_trace_seconds(trace, change->time)).text,
            change->has_value ? cli_digits(change->value).text : "");
}

static int write_csv(cli_stream *stream, const ocelotl_trace *trace, ocelotl_series *series)
{
    ocelotl_series_change change;
    bool found = false;
    ocelotl_status status = ocelotl_series_next(&found, &change, series);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    fputs("resource,series,time,value\n", stream->file);
    while (found && cli_stream_is_good(stream)) {
        write_changes_csv(stream->file, trace, series, &change);
        status = ocelotl_series_next(&found, &change, series);
        if (status != OCELOTL_OK)
            return cli_fail(status);
    }
    return CLI_DONE;
}

static int write_text(const ocelotl_trace *trace, ocelotl_series *series, const series_request *request)
{
    cli_stream stream = {0};
    int code = cli_stream_open(&stream, request->output);
    if (code == CLI_DONE)
        code = write_csv(&stream, trace, series);
    return cli_stream_close(&stream, code);
}

static int open_series(ocelotl_series **series, ocelotl_trace *trace, const series_request *request)
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
    const ocelotl_status status = ocelotl_series_open(series, trace, &options);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

static int run(const char *path, series_request *request)
{
    ocelotl_trace *trace = NULL;
    ocelotl_series *series = NULL;
    int code = request->output != NULL ? cli_check_output(request->output, path) : CLI_DONE;
    if (code == CLI_DONE)
        code = cli_open_trace(&trace, path, &request->model);
    if (code == CLI_DONE)
        code = open_series(&series, trace, request);
    if (code == CLI_DONE)
        code = write_text(trace, series, request);
    ocelotl_series_free(series);
    ocelotl_trace_free(trace);
    return code;
}

int cli_series(int argc, char **argv)
{
    series_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT};
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
        if (option == 'h')
            return help();
        const int code = take_option(&request, option, argv);
        if (code != CLI_DONE)
            return code;
    }
    const char *trace = cli_one_trace(argc, argv, "series");
    return trace != NULL ? run(trace, &request) : CLI_USAGE;
}

/* ocelotl-cli compare: two traces, or two windows of one, side by side. */
#include "compare_print.h"
#include "output.h"
#include "picture_options.h"
#include "which_p.h"

#include <stdlib.h>

enum {
    OPTION_JSON = CLI_OWN_OPTION,
    OPTION_CSV,
    OPTION_ALL,
    OPTION_STRETCH,
    OPTION_FROM2,
    OPTION_TO2,
    OPTION_VIEW
};

enum { ROWS_MOST = 30 };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    {"from2", required_argument, NULL, OPTION_FROM2},
    {"to2", required_argument, NULL, OPTION_TO2},
    {"output", required_argument, NULL, 'o'},
    {"stretch", no_argument, NULL, OPTION_STRETCH},
    {"view", required_argument, NULL, OPTION_VIEW},
    {"json", no_argument, NULL, OPTION_JSON},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"all", no_argument, NULL, OPTION_ALL},
    CLI_PICTURE_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct compare_request {
    cli_model_options model;
    cli_window second; /* as given */
    cli_which_p which;
    ocelotl_view_options view;
    const char *output;
    bool json, csv, all, stretch;
} compare_request;

static int help(void)
{
    printf(
        "Usage: ocelotl-cli compare [OPTIONS] FIRST SECOND\n\n"
        "Lists what differs between two traces, or with --from2 and --to2 between two windows of one, and draws\n"
        "both. Resources are matched by path, types by name. A change is the difference of the mean of a cell "
        "(for\n"
        "states: of the share of time) times the number of cells, leaves x slices.\n\n"
        "  -o, --output FILE     draw both, one below the other, to .svg, .png or .pdf, in the same colours and "
        "at\n"
        "                        one raw p: that of the first, as the options below choose it\n"
        "  --stretch             draw both equally wide, instead of to one scale of time\n"
        "  --view NAME           how they are drawn, as in the overview\n"
        "  --from2 T, --to2 T    the window of SECOND (default: that of FIRST, from its own beginning)\n"
        "  --json, --csv         print JSON or CSV instead of a table\n"
        "  --all                 all lines of the table, instead of the thirty largest changes\n" CLI_P_HELP);
    printf(
        "\nOptions that hold for both (of types all are kept, unless --most-types says otherwise):\n" CLI_MODEL_HELP
            CLI_PICTURE_HELP);
    printf("\nExamples:\n"
           "  ocelotl-cli compare slow.db fast.db -o both.svg\n"
           "  ocelotl-cli compare --to 50%% --from2 50%% trace.db trace.db --csv\n");
    return CLI_DONE;
}

static int take_instant(compare_request *request, cli_instant *instant, const char *option)
{
    if (!cli_read_instant(instant, optarg, CLI_FROM_BEGINNING, option, "compare"))
        return CLI_USAGE;
    if (request->model.trace_option == NULL)
        request->model.trace_option = option[0] == 'f' ? "--from2" : "--to2";
    return cli_check_window(&request->second);
}

static int take_option(compare_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    if (cli_take_model_option(&code, &request->model, option, "compare") ||
        cli_take_p_option(&code, &request->which, option, "compare") ||
        cli_take_picture_option(&code, &request->view, option, "compare"))
        return code;
    switch (option) {
    case 'o':
        request->output = optarg;
        return CLI_DONE;
    case OPTION_FROM2:
        return take_instant(request, &request->second.from, "from2");
    case OPTION_TO2:
        return take_instant(request, &request->second.to, "to2");
    case OPTION_JSON:
        request->json = true;
        return CLI_DONE;
    case OPTION_CSV:
        request->csv = true;
        return CLI_DONE;
    case OPTION_ALL:
        request->all = true;
        return CLI_DONE;
    case OPTION_STRETCH:
        request->stretch = true;
        return CLI_DONE;
    case OPTION_VIEW:
        request->view.view = optarg;
        return CLI_DONE;
    default:
        return cli_bad_option(option, argv, long_options, "compare");
    }
}

/* What would fail at the end of long work is said before it. */
static int check(char *const *traces, const compare_request *request)
{
    if (request->json && request->csv)
        return cli_usage("compare", "--json and --csv exclude each other");
    const ocelotl_status status =
        ocelotl_overview_check(request->output, request->model.model.kind, &request->view);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    for (int i = 0; i < 2 && request->output != NULL; i++) {
        const int code = cli_check_output(request->output, traces[i]);
        if (code != CLI_DONE)
            return code;
    }
    return CLI_DONE;
}

/* The second is of the kind that suits the first. */
static int load(cli_loaded *loaded, cli_model_options *second, char *const *traces, const compare_request *request)
{
    int code = cli_load_model(&loaded[0], traces[0], &request->model);
    if (code != CLI_DONE)
        return code;
    *second = request->model;
    second->kind_of_model = false;
    second->model.kind = loaded[0].kind;
    if (request->second.from.text != NULL || request->second.to.text != NULL)
        second->selection.window = request->second;
    return cli_load_model(&loaded[1], traces[1], second);
}

static int print(const cli_loaded *loaded, const ocelotl_comparison *comparison, char *const *traces,
                 const compare_request *request)
{
    const cli_compared of = {
        {loaded[0].model, loaded[1].model}, {traces[0], traces[1]}, comparison, request->all ? 0 : ROWS_MOST};
    if (request->json)
        cli_compare_json(stdout, &of);
    else if (request->csv)
        cli_compare_csv(stdout, &of);
    else
        cli_compare_table(stdout, &of);
    return CLI_DONE;
}

static int solve(ocelotl_partition **partitions, cli_loaded *loaded, const compare_request *request)
{
    int code = cli_measure(&loaded[0]);
    if (code == CLI_DONE)
        code = cli_solve(&partitions[0], &loaded[0], &request->which);
    if (code == CLI_DONE)
        code = cli_measure(&loaded[1]);
    if (code != CLI_DONE)
        return code;
    const cli_which_p same = {.kind = CLI_P_RAW, .p = ocelotl_partition_get_info(partitions[0]).p_raw};
    return cli_solve(&partitions[1], &loaded[1], &same);
}

static int draw(cli_loaded *loaded, const compare_request *request)
{
    ocelotl_partition *partitions[2] = {NULL, NULL};
    int code = solve(partitions, loaded, request);
    if (code == CLI_DONE) {
        const ocelotl_status status =
            ocelotl_compare_render(request->output, partitions[0], partitions[1], request->stretch, &request->view);
        code = status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
    }
    ocelotl_partition_free(partitions[0]);
    ocelotl_partition_free(partitions[1]);
    return code;
}

static int compare(cli_loaded *loaded, cli_model_options *second, char *const *traces,
                   const compare_request *request)
{
    ocelotl_comparison *comparison = NULL;
    int code = load(loaded, second, traces, request);
    if (code != CLI_DONE)
        return code;
    const ocelotl_status status = ocelotl_compare_models(&comparison, loaded[0].model, loaded[1].model);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    if (request->output != NULL)
        code = draw(loaded, request);
    if (code == CLI_DONE)
        code = print(loaded, comparison, traces, request);
    ocelotl_comparison_free(comparison);
    return code;
}

static int run(char *const *traces, compare_request *request)
{
    cli_loaded loaded[2] = {{0}, {0}};
    cli_model_options second;
    request->model.kind_of_model = !request->model.kind_given && request->view.view == NULL;
    int code = check(traces, request);
    if (code == CLI_DONE)
        code = compare(loaded, &second, traces, request);
    cli_loaded_free(&loaded[0]);
    cli_loaded_free(&loaded[1]);
    return code;
}

static int check_traces(int argc, char **argv)
{
    if (argc - optind != 2)
        return cli_usage("compare", "%d TRACE%s given, expected two (the same twice, for two windows of one)",
                         argc - optind, argc - optind == 1 ? "" : "s");
    if (argv[optind][0] == '\0' || argv[optind + 1][0] == '\0')
        return cli_usage("compare", "the name of a TRACE is empty");
    return CLI_DONE;
}

int cli_compare(int argc, char **argv)
{
    compare_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT, .view = OCELOTL_VIEW_OPTIONS_INIT};
    int option;
    char *command = cli_repeat_command(argc, argv, "compare");
    int code = CLI_DONE;
    opterr = 0;
    request.model.model.most_types = 0;
    while (code == CLI_DONE && (option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
        if (option == 'h') {
            free(command);
            return help();
        }
        code = take_option(&request, option, argv);
    }
    request.view.command = command;
    if (code == CLI_DONE)
        code = check_traces(argc, argv);
    if (code == CLI_DONE)
        code = run(argv + optind, &request);
    free(command);
    return code;
}

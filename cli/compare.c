/* ocelotl-cli compare: two traces, or two windows of one, side by side. */
#include "command_line.h"
#include "compare_print.h"
#include "nothing_left.h"
#include "output.h"
#include "standard_input.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_ALL = CLI_OWN_OPTION,
    OPTION_STRETCH,
    OPTION_FROM2,
    OPTION_TO2,
    OPTION_VIEW,
    OPTION_TYPE
};

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    {"from2", required_argument, NULL, OPTION_FROM2},
    {"to2", required_argument, NULL, OPTION_TO2},
    CLI_OUTPUT_OPTIONS,
    {"stretch", no_argument, NULL, OPTION_STRETCH},
    {"view", required_argument, NULL, OPTION_VIEW},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"json", no_argument, NULL, CLI_JSON},
    {"csv", no_argument, NULL, CLI_CSV},
    {"all", no_argument, NULL, OPTION_ALL},
    CLI_PICTURE_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_compare_options = long_options;

typedef struct compare_request {
    cli_request common;
    cli_window second; /* as given */
    bool all, stretch;
} compare_request;

static void help(FILE *file)
{
    fprintf(
        file,
        "Usage: ocelotl-cli compare [OPTIONS] FIRST SECOND\n\n"
        "Lists what differs between two traces, or with --from2 and --to2 between two windows of "
        "one, and\n"
        "draws both: how much longer the second takes, phase by phase and type by type, and the "
        "resources\n"
        "where that is not alike. Changes of time in states are in seconds. Resources are matched "
        "by path,\n"
        "types by name; both have the hierarchy of the first. All other options hold for both; of "
        "types all\n"
        "are kept, unless --most-types says otherwise.\n\n"
        "  -o, --output FILE     draw both, one below the other, to .svg, .png or .pdf, in the "
        "same colours\n"
        "                        and at one raw p: that of the first, as the options below choose "
        "it; or write\n"
        "                        the table to .csv, .json or .txt\n" CLI_FORCE_HELP
        "  --stretch             draw both equally wide, instead of to one scale of time\n"
        "  --view NAME           how they are drawn, as in the overview; difference: what the "
        "second has\n"
        "                        more, or less, than the first, in one picture and two colours\n"
        "  --type NAME           the type that is drawn where it is one (default: of a difference, "
        "the one\n"
        "                        that differs most)\n"
        "  --from2 T, --to2 T    the window of SECOND (default: that of FIRST, from its own "
        "beginning)\n"
        "  --json, --csv         print JSON or CSV instead of a table\n"
        "  --all                 the changes of every node, instead of those that are not small, "
        "each at the\n"
        "                        one node that says it best\n" CLI_P_HELP);
    fprintf(file, CLI_MODEL_HELP);
    fprintf(file, CLI_PICTURE_HELP);
    fprintf(file, "\nExamples:\n"
                  "  ocelotl-cli compare slow.db fast.db -o both.svg\n"
                  "  ocelotl-cli compare --to 50%% --from2 50%% trace.db trace.db --csv\n");
}

static int take_instant(compare_request *request, cli_instant *instant, const char *option)
{
    if (!cli_read_instant(instant, optarg, CLI_FROM_BEGINNING, option, "compare"))
        return CLI_USAGE;
    if (request->common.model.trace_option == NULL)
        request->common.model.trace_option = option[0] == 'f' ? "--from2" : "--to2";
    return cli_check_window(&request->second);
}

static bool take_option(int *code, void *given, int option)
{
    compare_request *request = given;
    switch (option) {
    case OPTION_FROM2:
        *code = take_instant(request, &request->second.from, "from2");
        return true;
    case OPTION_TO2:
        *code = take_instant(request, &request->second.to, "to2");
        return true;
    case OPTION_ALL:
        request->all = true;
        return true;
    case OPTION_STRETCH:
        request->stretch = true;
        return true;
    case OPTION_VIEW:
        request->common.view.view = optarg;
        return true;
    case OPTION_TYPE:
        request->common.view.type = optarg;
        return true;
    default:
        return false;
    }
}

static bool is_difference(const compare_request *request)
{
    const char *view = request->common.view.view;
    return view != NULL && strcmp(view, "difference") == 0;
}

static int check_view(const compare_request *request)
{
    const cli_request *common = &request->common;
    const char *picture = cli_picture_name(common);
    if (!is_difference(request))
        return cli_option_code(
            ocelotl_overview_check(picture, common->model.model.kind, &common->view), "compare");
    if (common->model.model.kind != OCELOTL_SPATIOTEMPORAL)
        return cli_usage(
            "compare",
            "--view difference is of a spatiotemporal partition, expected no other --kind");
    if (request->stretch)
        return cli_usage(
            "compare",
            "--view difference and --stretch exclude each other: both have as many slices");
    if (!cli_draws(common) && common->output != NULL && !cli_is_standard_output(common->output))
        return cli_option_code(ocelotl_picture_check(common->output, &common->view), "compare");
    if (!cli_draws(common))
        return cli_usage("compare", "--view difference is a picture, expected -o FILE");
    return cli_option_code(ocelotl_picture_check(picture, &common->view), "compare");
}

/* What would fail at the end of long work is said before it. */
static int check(const compare_request *request)
{
    const cli_request *common = &request->common;
    const int code = check_view(request);
    if (code != CLI_DONE || cli_is_standard_output(common->output))
        return code;
    return cli_check_target(common->output, common->content, common->force, common->operands[1]);
}

static int load(cli_loaded *loaded, cli_model_options *second, const compare_request *request)
{
    char *const *traces = request->common.operands;
    int code = cli_load_model(&loaded[0], traces[0], &request->common.model);
    if (code != CLI_DONE)
        return code;
    *second = request->common.model;
    second->model.hierarchy.like = loaded[0].model;
    if (request->second.from.text != NULL || request->second.to.text != NULL)
        second->selection.window = request->second;
    return cli_load_model(&loaded[1], traces[1], second);
}

static int print_table(const char *path, const cli_compared *of)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    cli_compare_table(output.stream, of);
    return cli_output_close(&output, path);
}

static int print_answer(const char *path, const cli_compared *of, bool json)
{
    ocelotl_buffer answer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&answer);
    const ocelotl_status status =
        json ? ocelotl_comparison_write_json(&sink, of->comparison, of->phases, of->names)
             : ocelotl_comparison_write_csv(&sink, of->comparison, of->phases);
    return cli_write_answer(path, &answer, cli_code(status));
}

/* Beside a picture the table goes to standard output. */
static int print(const cli_loaded *loaded, const ocelotl_comparison *comparison,
                 const compare_request *request)
{
    char *const *traces = request->common.operands;
    const cli_content content = request->common.content;
    const char *path = cli_draws(&request->common) ? NULL : request->common.output;
    ocelotl_phases *phases = NULL;
    int code = cli_code(ocelotl_phases_find(&phases, comparison));
    const cli_compared of = {.models = {loaded[0].model, loaded[1].model},
                             .names = {cli_name_of(traces[0]), cli_name_of(traces[1])},
                             .comparison = comparison,
                             .phases = phases,
                             .all = request->all};
    if (code == CLI_DONE)
        code = content == CLI_JSON_TEXT || content == CLI_CSV_TEXT
                   ? print_answer(path, &of, content == CLI_JSON_TEXT)
                   : print_table(path, &of);
    ocelotl_phases_free(phases);
    return code;
}

static int solve(ocelotl_partition **partitions, cli_loaded *loaded, const compare_request *request)
{
    int code = cli_measure(&loaded[0]);
    if (code == CLI_DONE)
        code = cli_solve(&partitions[0], &loaded[0], &request->common.which);
    if (code == CLI_DONE)
        code = cli_measure(&loaded[1]);
    if (code != CLI_DONE)
        return code;
    const cli_which_p same = {.kind = CLI_P_RAW,
                              .p = ocelotl_partition_get_info(partitions[0]).p_raw};
    return cli_solve(&partitions[1], &loaded[1], &same);
}

/* Of a partition of both, so that nothing in it is a matter of where one of them was cut. */
static int draw_joint(cli_loaded *joint, const compare_request *request)
{
    ocelotl_partition *partition = NULL;
    int code = cli_measure(joint);
    if (code == CLI_DONE)
        code = cli_solve(&partition, joint, &request->common.which);
    if (code == CLI_DONE)
        code = cli_code(
            ocelotl_difference_render(request->common.output, partition, &request->common.view));
    ocelotl_partition_free(partition);
    return code;
}

static int draw_difference(const cli_loaded *loaded, const ocelotl_comparison *comparison,
                           const compare_request *request)
{
    cli_loaded joint = {.options = loaded->options, .kind = OCELOTL_SPATIOTEMPORAL};
    ocelotl_model_options options = OCELOTL_MODEL_OPTIONS_INIT;
    cli_apply_hierarchy(&options, &loaded->options->hierarchy);
    const ocelotl_hierarchy_options *hierarchy = &options.hierarchy;
    const uint32_t max_groups = hierarchy->bare             ? 0
                                : hierarchy->max_groups > 0 ? hierarchy->max_groups
                                                            : OCELOTL_DEFAULT_MAX_GROUPS;
    int code = cli_code(ocelotl_comparison_join(&joint.model, comparison, max_groups));
    if (code == CLI_DONE)
        code = draw_joint(&joint, request);
    cli_loaded_free(&joint);
    return code;
}

static int draw(cli_loaded *loaded, const compare_request *request)
{
    ocelotl_partition *partitions[2] = {NULL, NULL};
    ocelotl_trace *const traces[] = {loaded[0].trace, loaded[1].trace};
    const ocelotl_model *const models[] = {loaded[0].model, loaded[1].model};
    cli_say_unmatched(&request->common, traces, models, 2);
    int code = solve(partitions, loaded, request);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_compare_render(request->common.output, partitions[0], partitions[1],
                                               request->stretch, &request->common.view));
    ocelotl_partition_free(partitions[0]);
    ocelotl_partition_free(partitions[1]);
    return code;
}

static int compare(cli_loaded *loaded, cli_model_options *second, const compare_request *request)
{
    ocelotl_comparison *comparison = NULL;
    int code = load(loaded, second, request);
    if (code != CLI_DONE)
        return code;
    if (ocelotl_model_get_info(loaded[0].model).empty &&
        ocelotl_model_get_info(loaded[1].model).empty &&
        cli_has_filter(&request->common.model.selection, NULL))
        return cli_fail_nothing_left(loaded[0].label, &request->common.model.selection, NULL);
    const ocelotl_status status =
        ocelotl_compare_models(&comparison, loaded[0].model, loaded[1].model);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    if (is_difference(request))
        code = draw_difference(&loaded[0], comparison, request);
    else if (cli_draws(&request->common))
        code = draw(loaded, request);
    if (code == CLI_DONE)
        code = print(loaded, comparison, request);
    ocelotl_comparison_free(comparison);
    return code;
}

static int run(void *given)
{
    compare_request *request = given;
    cli_loaded loaded[2] = {{0}, {0}};
    cli_model_options second;
    request->common.model.may_be_empty = true; /* what only one of them has is a difference */
    int code = check(request);
    if (code == CLI_DONE)
        code = compare(loaded, &second, request);
    cli_loaded_free(&loaded[0]);
    cli_loaded_free(&loaded[1]);
    return code;
}

static int check_operands(int count, char **operands)
{
    if (count != 2)
        return cli_usage("compare",
                         "%d TRACE%s given, expected two (the same twice, for two windows of one)",
                         count, count == 1 ? "" : "s");
    if (operands[0][0] == '\0' || operands[1][0] == '\0')
        return cli_usage("compare", "the name of a TRACE is empty");
    return CLI_DONE;
}

int cli_compare(int argc, char **argv)
{
    static const cli_command_line line = {
        "compare", long_options, help, take_option, check_operands, run, CLI_PICTURES | CLI_TABLES};
    compare_request request = {.common = CLI_REQUEST_INIT};
    request.common.model.model.types.max_types = UINT32_MAX;
    return cli_run_command_line(&line, &request.common, argc, argv);
}

/* ocelotl-cli sweep: the levels of detail, each an optimal partition over an interval of p. */
#include "answers.h"
#include "command_line.h"
#include "json.h"
#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_ALL = CLI_OWN_OPTION, OPTION_PLOT };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    {"all", no_argument, NULL, OPTION_ALL},
    {"csv", no_argument, NULL, CLI_CSV},
    {"json", no_argument, NULL, CLI_JSON},
    {"plot", required_argument, NULL, OPTION_PLOT},
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    CLI_PICTURE_OPTIONS,
    CLI_OUTPUT_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_sweep_options = long_options;

/* p is what is marked in the plot, or of which the parts are. */
typedef struct sweep_request {
    cli_request common;
    bool all;
    const char *plot;           /* a picture, NULL: none */
    const char *picture_option; /* the first option given that needs a plot, NULL: none */
} sweep_request;

static void help(FILE *file)
{
    fprintf(
        file,
        "Usage: ocelotl-cli sweep [OPTIONS] TRACE\n\n"
        "Lists the levels of detail of a trace, from the most detailed to the whole: each is the "
        "best partition\n"
        "between two p. Without --all it lists the about thirty that matter most. A number behind "
        "a level marks "
        "it\n"
        "as the representative of a plateau, a range of p over which no other level is much "
        "better; they count "
        "from\n"
        "the most aggregated. The level that is drawn where no p is given is marked as auto.\n\n"
        "  --all                 every level, however many there are\n"
        "  --csv, --json         print CSV or JSON instead of a table\n"
        "  -o, --output FILE     write to a file (.csv, .json; .txt: the table) instead of "
        "standard "
        "output\n" CLI_FORCE_HELP
        "  --plot FILE           draw gain, loss and parts over p too, as .svg, .png or .pdf\n"
        "  --p X                 mark this p in the plot\n" CLI_ZOOM_HELP
        "  --p-raw X, --level N, --parts N   with --zoom, as --p: of which partition the part "
        "is\n");
    fprintf(file, CLI_MODEL_HELP);
    fprintf(file, CLI_PICTURE_HELP "\nExamples:\n"
                                   "  ocelotl-cli sweep --slices 60 trace.db\n"
                                   "  ocelotl-cli sweep --plot curves.svg --p 0.5 trace.db\n");
}

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_number(FILE *file, size_t number)
{
    if (number > 0)
        fprintf(file, "%5zu", number);
    else
        fprintf(file, "%5s", "-");
}

static void print_table(FILE *file, const ocelotl_levels *levels,
                        const ocelotl_aggregation *aggregation)
{
    const ocelotl_levels_info info = ocelotl_levels_get_info(levels);
    const double gain = ocelotl_aggregation_whole_gain(aggregation);
    const double loss = ocelotl_aggregation_whole_loss(aggregation);
    bool beyond = false; /* the list */
    fprintf(file, "%5s %12s %14s %14s %9s %9s %9s  %s\n", "level", "p", "from", "to", "parts",
            "gain %", "loss %", "plateau");
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        print_number(file, level.number);
        beyond |= level.number == 0;
        fprintf(file, " %12s %14.8g %14.8g %9zu %9.3f %9.3f", cli_digits(level.p).text,
                level.p_from, level.p_to, level.parts, percent(level.gain, gain),
                percent(level.loss, loss));
        if (level.plateau > 0)
            fprintf(file, "  %zu", level.plateau);
        fprintf(file, "%s\n", level.automatic ? "  auto" : "");
    }
    fprintf(file, "A number on the right marks the level that stands for a plateau of p, the most "
                  "aggregated being 1;\n"
                  "auto is the level that is shown where no p is given.\n");
    if (beyond)
        fprintf(file, "A level on the left has the number that --level takes, as without --all.\n");
    if (info.complete)
        fprintf(file, "These are all levels.\n");
    else
        fprintf(
            file,
            "%zu intervals between these may hide further levels; at its own p none of those is "
            "better than the\n"
            "listed ones by more than %.2g of what the whole is worth. --all lists every level.\n",
            info.untested, info.largest_gap);
}

/* The answer as it is printed is what is kept. */
static int print_text(const cli_loaded *loaded, const ocelotl_levels *levels, const char *question,
                      const sweep_request *request)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    print_table(output.stream, levels, loaded->aggregation);
    if (fflush(output.stream) == 0 && ferror(output.stream) == 0)
        cli_answer_keep(loaded, question, output.bytes, output.length);
    return cli_output_close(&output, request->common.output);
}

static int print(const cli_loaded *loaded, const ocelotl_levels *levels, const char *question,
                 const sweep_request *request)
{
    ocelotl_buffer answer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&answer);
    const bool json = request->common.content == CLI_JSON_TEXT;
    if (!json && request->common.content != CLI_CSV_TEXT)
        return print_text(loaded, levels, question, request);
    const int code = cli_code(json ? ocelotl_levels_write_json(&sink, levels)
                                   : ocelotl_levels_write_csv(&sink, levels));
    if (code == CLI_DONE)
        cli_answer_keep(loaded, question, answer.bytes, answer.size);
    return cli_write_answer(request->common.output, &answer, code);
}

static int print_again(const char *answer, const sweep_request *request)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    fputs(answer, output.stream);
    return cli_output_close(&output, request->common.output);
}

/* The plot, beside the table: where that goes to a file it may go to standard output. */
static int draw(const cli_loaded *loaded, const ocelotl_levels *levels,
                const sweep_request *request)
{
    const cli_request plot = {.output = request->plot,
                              .force = request->common.force,
                              .content = CLI_SVG,
                              .operands = request->common.operands};
    char *path = NULL;
    const double p =
        request->common.which.kind == CLI_P_NORMALISED ? request->common.which.p : (double)NAN;
    const int code = cli_begin_picture(&path, &plot, "", "");
    if (code != CLI_DONE)
        return code;
    return cli_end_picture(
        path, &plot,
        ocelotl_curves_render(path, levels, loaded->aggregation, p, &request->common.view));
}

static int find_levels(cli_loaded *loaded, const char *question, const sweep_request *request)
{
    ocelotl_levels *levels = NULL;
    ocelotl_levels_options options = OCELOTL_LEVELS_OPTIONS_INIT;
    int code = cli_measure(loaded);
    if (code != CLI_DONE)
        return code;
    if (request->all) {
        options.max_levels = SIZE_MAX;
        options.max_solves = UINT64_MAX;
    }
    options.work.progress = cli_show_progress;
    options.work.context = loaded->options->progress;
    cli_begin_step(loaded->options->progress, &cli_finding_levels);
    const ocelotl_status status = ocelotl_levels_find(&levels, loaded->aggregation, &options);
    cli_end_step(loaded->options->progress);
    code = status == OCELOTL_OK ? print(loaded, levels, question, request) : cli_fail(status);
    if (code == CLI_DONE && request->plot != NULL)
        code = draw(loaded, levels, request);
    ocelotl_levels_free(levels);
    return code;
}

/* p is of a plot, where it is marked, or says of which partition a part is. */
static int check_p(const sweep_request *request)
{
    const char *option = request->common.which.option;
    if (option == NULL || request->common.zooms.count > 0)
        return CLI_DONE;
    if (strcmp(option, "p") != 0)
        return cli_usage("sweep", "--%s is of a part, but there is no --zoom", option);
    return request->plot != NULL
               ? CLI_DONE
               : cli_usage("sweep",
                           "--p is of a picture or a part, but there is no --plot and no --zoom");
}

static int check_plot(const cli_request *common, const char *plot)
{
    const bool printed = cli_is_standard_output(plot);
    const int code =
        cli_option_code(ocelotl_picture_check(printed ? NULL : plot, &common->view), "sweep");
    if (code != CLI_DONE)
        return code;
    if (printed && cli_is_standard_output(common->output))
        return cli_usage("sweep",
                         "the levels and --plot - both go to standard output, expected -o FILE");
    if (common->output != NULL && strcmp(plot, common->output) == 0 && !printed)
        return cli_usage("sweep", "-o and --plot name one file, %s", plot);
    return printed ? CLI_DONE
                   : cli_check_target(plot, (cli_content)cli_content_of_name(plot), common->force,
                                      common->operands[0]);
}

/* What would fail at the end of long work is said before it. */
static int check(const sweep_request *request)
{
    if (request->plot == NULL && request->picture_option != NULL)
        return cli_usage("sweep", "--%s is of a picture, but there is no --plot",
                         request->picture_option);
    const int code = check_p(request);
    if (code != CLI_DONE || request->plot == NULL)
        return code;
    return check_plot(&request->common, request->plot);
}

static int run(void *given)
{
    sweep_request *request = given;
    cli_request *common = &request->common;
    cli_loaded loaded = {0};
    char question[32];
    snprintf(question, sizeof question, "sweep %s%s", request->all ? "all " : "",
             request->common.content == CLI_JSON_TEXT  ? "json"
             : request->common.content == CLI_CSV_TEXT ? "csv"
                                                       : "table");
    int code = check(request);
    if (code == CLI_DONE)
        code = cli_load_zoomed(&loaded, common->operands[0], &common->zooms, &common->model,
                               &common->which);
    char *answer =
        code == CLI_DONE && request->plot == NULL ? cli_answer_find(&loaded, question) : NULL;
    if (code == CLI_DONE)
        code =
            answer != NULL ? print_again(answer, request) : find_levels(&loaded, question, request);
    free(answer);
    cli_loaded_free(&loaded);
    return code;
}

static const char *name_of(int option)
{
    for (const struct option *known = long_options; known->name != NULL; known++)
        if (known->val == option)
            return known->name;
    return NULL;
}

static bool take_option(int *code, void *given, int option)
{
    sweep_request *request = given;
    *code = CLI_DONE;
    if (option >= CLI_WIDTH && option <= CLI_SMALLEST && request->picture_option == NULL)
        request->picture_option = name_of(option);
    if (option == OPTION_ALL)
        request->all = true;
    else if (option == OPTION_PLOT)
        request->plot = optarg;
    return option == OPTION_ALL || option == OPTION_PLOT;
}

int cli_sweep(int argc, char **argv)
{
    static const cli_command_line line = {"sweep", long_options, help,      take_option,
                                          NULL,    run,          CLI_TABLES};
    sweep_request request = {.common = CLI_REQUEST_INIT};
    return cli_run_command_line(&line, &request.common, argc, argv);
}

/* ocelotl-cli treemap: the spatial partition as a treemap. */
#include "command_line.h"
#include "partition_json.h"

enum { OPTION_DEPTH = CLI_OWN_OPTION, OPTION_AT, OPTION_AREA };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    {"depth", required_argument, NULL, OPTION_DEPTH},
    {"at", required_argument, NULL, OPTION_AT},
    {"area", required_argument, NULL, OPTION_AREA},
    {"json", no_argument, NULL, CLI_JSON},
    CLI_OUTPUT_OPTIONS,
    CLI_PICTURE_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_treemap_options = long_options;

typedef struct treemap_request {
    cli_request common;
    const char *at; /* a type of resources, NULL: none */
    bool has_depth;
    uint32_t depth;
} treemap_request;

static void help(FILE *file)
{
    fprintf(
        file,
        "Usage: ocelotl-cli treemap [OPTIONS] TRACE\n\n"
        "Draws the resources of a trace as nested rectangles, summed over time: each as large as "
        "the leaves it "
        "has,\n"
        "in it its states side by side. Siblings keep their order, in rows that read like text. "
        "Resources that "
        "are\n"
        "alike are one part, as the trade-off p wants it.\n\n"
        "  -o, --output FILE     .svg, .png or .pdf, or .json; - writes the SVG to standard output "
        "(default:\n"
        "                        NAME-treemap.svg in this folder)\n" CLI_FORCE_HELP
        "  --json                print the partition as JSON instead\n"
        "  --at TYPE             a part for each resource of this type (see ocelotl-cli info), "
        "instead of p\n"
        "  --depth N             a part for each resource so deep in the hierarchy, 0 for the "
        "whole, instead of "
        "p\n"
        "  --area WHAT           areas are proportional to leaves (default), their number; to "
        "traced, the time "
        "in\n"
        "                        any state; or to the time in a state, by its name\n" CLI_P_HELP);
    fprintf(file, CLI_MODEL_HELP);
    fprintf(file, CLI_PICTURE_HELP
            "\nExamples:\n"
            "  ocelotl-cli treemap trace.db -o treemap.svg\n"
            "  ocelotl-cli treemap --at MACHINE --area MPI_Wait trace.db -o machines.png\n");
}

static bool take_option(int *code, void *given, int option)
{
    treemap_request *request = given;
    switch (option) {
    case OPTION_AT:
        request->at = optarg;
        return true;
    case OPTION_AREA:
        request->common.view.area = optarg;
        return true;
    case OPTION_DEPTH:
        request->has_depth = true;
        *code = cli_read_count(&request->depth, optarg, "depth", "treemap") ? CLI_DONE : CLI_USAGE;
        return true;
    default:
        return false;
    }
}

/* What would fail at the end of long work is said before it. */
static int check(const treemap_request *request)
{
    const cli_request *common = &request->common;
    const char *level = request->at != NULL ? "at" : "depth";
    if (common->model.model.kind != OCELOTL_SPATIAL)
        return cli_usage("treemap", "--kind is not spatial, but a treemap shows resources alone");
    if (request->at != NULL && request->has_depth)
        return cli_usage("treemap", "--at and --depth exclude each other");
    if ((request->at != NULL || request->has_depth) && common->which.option != NULL)
        return cli_usage("treemap", "--%s and --%s exclude each other", level,
                         common->which.option);
    return cli_option_code(
        ocelotl_overview_check(cli_picture_name(common), OCELOTL_SPATIAL, &common->view),
        "treemap");
}

static int make_partition(ocelotl_partition **partition, cli_loaded *loaded,
                          const treemap_request *request)
{
    if (request->at == NULL && !request->has_depth)
        return cli_solve(partition, loaded, &request->common.which);
    return cli_code(
        request->at != NULL
            ? ocelotl_partition_at_type(partition, loaded->aggregation, request->at)
            : ocelotl_partition_at_depth(partition, loaded->aggregation, request->depth));
}

static int draw(const ocelotl_partition *partition, const cli_request *common)
{
    char *path = NULL;
    const char *name = ocelotl_model_get_info(ocelotl_partition_model(partition)).name;
    const int code = cli_begin_picture(&path, common, name, "-treemap");
    if (code != CLI_DONE)
        return code;
    return cli_end_picture(path, common, ocelotl_overview_render(path, partition, &common->view));
}

static int run(void *given)
{
    const treemap_request *request = given;
    const cli_request *common = &request->common;
    cli_loaded loaded = {0};
    ocelotl_partition *partition = NULL;
    int code = check(request);
    if (code == CLI_DONE)
        code = cli_load(&loaded, common->operands[0], &common->model);
    const ocelotl_model *model = loaded.model;
    if (code == CLI_DONE)
        cli_say_unmatched(common, &loaded.trace, &model, 1);
    if (code == CLI_DONE)
        code = make_partition(&partition, &loaded, request);
    if (code == CLI_DONE)
        code = cli_draws(common) ? draw(partition, common)
                                 : cli_write_partition_json(common->output, partition);
    ocelotl_partition_free(partition);
    cli_loaded_free(&loaded);
    return code;
}

int cli_treemap(int argc, char **argv)
{
    static const cli_command_line line = {
        "treemap", long_options, help, take_option, NULL, run, CLI_PICTURES | CLI_JSON_TEXT};
    treemap_request request = {.common = CLI_REQUEST_INIT};
    request.common.model.model.kind = OCELOTL_SPATIAL;
    request.common.view.view = "treemap";
    return cli_run_command_line(&line, &request.common, argc, argv);
}

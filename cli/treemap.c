/* ocelotl-cli treemap: the spatial partition as a treemap. */
#define _GNU_SOURCE
#include "output.h"
#include "partition_json.h"
#include "picture_options.h"
#include "which_p.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_DEPTH = CLI_OWN_OPTION, OPTION_AT, OPTION_AREA, OPTION_JSON };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    {"depth", required_argument, NULL, OPTION_DEPTH},
    {"at", required_argument, NULL, OPTION_AT},
    {"area", required_argument, NULL, OPTION_AREA},
    {"json", no_argument, NULL, OPTION_JSON},
    {"output", required_argument, NULL, 'o'},
    CLI_PICTURE_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_treemap_options = long_options;

typedef struct treemap_request {
    cli_model_options model;
    cli_which_p which;
    ocelotl_view_options view;
    const char *output;
    const char *at; /* a type of resources, NULL: none */
    bool has_depth, json;
    uint32_t depth;
} treemap_request;

static int help(void)
{
    printf("Usage: ocelotl-cli treemap [OPTIONS] TRACE\n\n"
           "Draws the resources of a trace as nested rectangles, summed over time: each as large as the leaves it "
           "has,\n"
           "in it its states side by side. Resources that are alike are one part, as the trade-off p wants it.\n\n"
           "  -o, --output FILE     .svg, .png or .pdf, or .json (default: NAME-treemap.svg in this folder)\n"
           "  --json                print the partition as JSON instead\n"
           "  --at TYPE             a part for each resource of this type (see ocelotl-cli info), instead of p\n"
           "  --depth N             a part for each resource so deep in the hierarchy, 0 for the whole, instead of "
           "p\n"
           "  --area WHAT           areas are proportional to leaves (default), their number; to traced, the time "
           "in\n"
           "                        any state; or to the time in a state, by its name\n" CLI_P_HELP);
    printf(CLI_MODEL_HELP CLI_PICTURE_HELP
           "\nExamples:\n"
           "  ocelotl-cli treemap trace.db -o treemap.svg\n"
           "  ocelotl-cli treemap --at MACHINE --area MPI_Wait trace.db -o machines.png\n");
    return CLI_DONE;
}

static int take_option(treemap_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    if (cli_take_model_option(&code, &request->model, option, "treemap") ||
        cli_take_p_option(&code, &request->which, option, "treemap") ||
        cli_take_picture_option(&code, &request->view, option, "treemap"))
        return code;
    switch (option) {
    case 'o':
        request->output = optarg;
        return CLI_DONE;
    case OPTION_AT:
        request->at = optarg;
        return CLI_DONE;
    case OPTION_JSON:
        request->json = true;
        return CLI_DONE;
    case OPTION_AREA:
        request->view.area = optarg;
        return CLI_DONE;
    case OPTION_DEPTH:
        request->has_depth = true;
        return cli_read_count(&request->depth, optarg, "depth", "treemap") ? CLI_DONE : CLI_USAGE;
    default:
        return cli_bad_option(option, argv, long_options, "treemap");
    }
}

static bool is_json(const treemap_request *request)
{
    return request->json || (request->output != NULL && cli_ends_in(request->output, ".json"));
}

/* What would fail at the end of long work is said before it. */
static int check(const char *trace, const treemap_request *request)
{
    const char *level = request->at != NULL ? "at" : "depth";
    if (request->model.model.kind != OCELOTL_SPATIAL)
        return cli_usage("treemap", "--kind is not spatial, but a treemap shows resources alone");
    if (request->at != NULL && request->has_depth)
        return cli_usage("treemap", "--at and --depth exclude each other");
    if ((request->at != NULL || request->has_depth) && request->which.option != NULL)
        return cli_usage("treemap", "--%s and --%s exclude each other", level, request->which.option);
    if (request->json && request->output != NULL && !cli_ends_in(request->output, ".json"))
        return cli_usage("treemap", "--json and -o %s exclude each other, expected a name in .json",
                         request->output);
    const ocelotl_status status =
        ocelotl_overview_check(is_json(request) ? NULL : request->output, OCELOTL_SPATIAL, &request->view);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    return request->output != NULL ? cli_check_output(request->output, trace) : CLI_DONE;
}

static int make_partition(ocelotl_partition **partition, cli_loaded *loaded, const treemap_request *request)
{
    if (request->at == NULL && !request->has_depth)
        return cli_solve(partition, loaded, &request->which);
    const ocelotl_status status = request->at != NULL
                                      ? ocelotl_partition_at_type(partition, loaded->aggregation, request->at)
                                      : ocelotl_partition_at_depth(partition, loaded->aggregation, request->depth);
    return status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
}

static char *default_output(const ocelotl_partition *partition)
{
    char *name = NULL;
    if (asprintf(&name, "%s-treemap", ocelotl_model_get_info(ocelotl_partition_model(partition)).name) < 0)
        return NULL;
    char *path = cli_default_picture(name);
    free(name);
    return path;
}

static int draw(const ocelotl_partition *partition, const char *trace, const treemap_request *request)
{
    char *chosen = request->output == NULL ? default_output(partition) : NULL;
    const char *path = request->output != NULL ? request->output : chosen;
    if (path == NULL)
        return cli_memory();
    int code = cli_check_not_input(path, trace);
    if (code == CLI_DONE) {
        const ocelotl_status status = ocelotl_overview_render(path, partition, &request->view);
        code = status == OCELOTL_OK ? CLI_DONE : cli_fail(status);
    }
    if (code == CLI_DONE && chosen != NULL)
        printf("%s\n", chosen);
    free(chosen);
    return code;
}

static int write_json(const ocelotl_partition *partition, const char *path)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    cli_partition_json(output.stream, partition);
    return cli_output_close(&output, path);
}

static int run(const char *trace, const treemap_request *request)
{
    cli_loaded loaded = {0};
    ocelotl_partition *partition = NULL;
    int code = check(trace, request);
    if (code == CLI_DONE)
        code = cli_load(&loaded, trace, &request->model);
    if (code == CLI_DONE)
        code = make_partition(&partition, &loaded, request);
    if (code == CLI_DONE)
        code = is_json(request) ? write_json(partition, request->output) : draw(partition, trace, request);
    ocelotl_partition_free(partition);
    cli_loaded_free(&loaded);
    return code;
}

int cli_treemap(int argc, char **argv)
{
    treemap_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT, .view = OCELOTL_VIEW_OPTIONS_INIT};
    int option;
    char *command = cli_repeat_command(argc, argv, "treemap");
    int code = CLI_DONE;
    opterr = 0;
    request.model.model.kind = OCELOTL_SPATIAL;
    request.view.view = "treemap";
    while (code == CLI_DONE && (option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
        if (option == 'h') {
            free(command);
            return help();
        }
        code = take_option(&request, option, argv);
    }
    request.view.command = command;
    const char *trace = code == CLI_DONE ? cli_one_trace(argc, argv, "treemap") : NULL;
    if (code == CLI_DONE)
        code = trace != NULL ? run(trace, &request) : CLI_USAGE;
    free(command);
    return code;
}

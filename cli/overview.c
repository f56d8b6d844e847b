/* ocelotl-cli [OPTIONS] TRACE: the overview. */
#define _GNU_SOURCE
#include "output.h"
#include "partition_json.h"
#include "which_p.h"

#include <stdlib.h>
#include <string.h>

enum { OPTION_JSON = CLI_OWN_OPTION, OPTION_WIDTH, OPTION_HEIGHT, OPTION_TITLE };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"json", no_argument, NULL, OPTION_JSON},
    {"width", required_argument, NULL, OPTION_WIDTH},
    {"height", required_argument, NULL, OPTION_HEIGHT},
    {"title", required_argument, NULL, OPTION_TITLE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct overview_request {
    cli_model_options model;
    cli_which_p which;
    ocelotl_view_options view;
    const char *output;
    bool json;
} overview_request;

static int help(void)
{
    printf("Usage: ocelotl-cli [OPTIONS] TRACE\n\n"
           "Draws the overview of a trace: the partition of time and resources that is optimal at a trade-off p, "
           "each\n"
           "part in the colour of its dominant state, as opaque as that state's share.\n\n"
           "  -o, --output FILE     .svg, .png or .pdf, or .json (default: NAME.svg in this folder)\n"
           "  --json                print the partition as JSON instead\n" CLI_P_HELP CLI_MODEL_HELP
           "  --width X, --height X size of the picture in pixels (default: 1280 x 720)\n"
           "  --title TEXT          instead of the trace's name\n\n"
           "Examples:\n"
           "  ocelotl-cli --p 0.5 trace.db -o overview.svg\n"
           "  ocelotl-cli --parts 100 --slices 60 trace.db -o overview.png\n");
    return CLI_DONE;
}

static int read_size(double *size, const char *option)
{
    return cli_read_number(size, optarg, option, "overview") ? CLI_DONE : CLI_USAGE;
}

static int take_option(overview_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    if (cli_take_model_option(&code, &request->model, option, "overview") ||
        cli_take_p_option(&code, &request->which, option, "overview"))
        return code;
    switch (option) {
    case 'o':
        request->output = optarg;
        return CLI_DONE;
    case OPTION_JSON:
        request->json = true;
        return CLI_DONE;
    case OPTION_WIDTH:
        return read_size(&request->view.width, "width");
    case OPTION_HEIGHT:
        return read_size(&request->view.height, "height");
    case OPTION_TITLE:
        request->view.title = optarg;
        return CLI_DONE;
    default:
        return cli_bad_option(option, argv, "overview");
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

/* What would fail at the end of long work is said before it. */
static int check(const char *trace, const overview_request *request)
{
    const char *path = request->output;
    const bool to_json = path != NULL && cli_ends_in(path, ".json");
    if (request->json && path != NULL && !to_json)
        return cli_usage("overview", "--json and -o %s exclude each other, expected a name in .json", path);
    if (path != NULL && !to_json && !cli_is_picture(path))
        return cli_wrong("%s, or .json", ocelotl_error_message());
    const ocelotl_status status = ocelotl_overview_check("overview.svg", &request->view);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    return path != NULL ? cli_check_output(path, trace) : CLI_DONE;
}

/* NAME.svg here, whatever the name: a slash in it would be a folder, and a file's name has a largest length. */
static char *default_output(const char *name)
{
    char *path = NULL;
    int length = (int)strnlen(name, 200);
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
        length--;
    if (length == 0 || name[0] == '.')
        return strdup("overview.svg");
    if (asprintf(&path, "%.*s.svg", length, name) < 0)
        return NULL;
    for (char *byte = path; *byte != '\0'; byte++)
        if (*byte == '/')
            *byte = '_';
    return path;
}

static int draw(const ocelotl_partition *partition, const char *trace, const overview_request *request)
{
    char *chosen = NULL;
    const char *path = request->output;
    if (path == NULL)
        path = chosen = default_output(ocelotl_model_get_info(ocelotl_partition_model(partition)).name);
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

static int run(const char *trace, const overview_request *request)
{
    cli_loaded loaded = {0};
    ocelotl_partition *partition = NULL;
    const bool to_file = request->output != NULL && cli_ends_in(request->output, ".json");
    int code = check(trace, request);
    if (code == CLI_DONE)
        code = cli_load(&loaded, trace, &request->model);
    if (code == CLI_DONE)
        code = cli_solve(&partition, &loaded, &request->which);
    if (code == CLI_DONE)
        code = request->json || to_file ? write_json(partition, to_file ? request->output : NULL)
                                        : draw(partition, trace, request);
    ocelotl_partition_free(partition);
    cli_loaded_free(&loaded);
    return code;
}

/* The command line that was given, as a shell would take it again. */
static char *repeat_command(int argc, char **argv)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "ocelotl-cli");
    for (int i = 1; i < argc; i++) {
        const bool plain = argv[i][0] != '\0' && strpbrk(argv[i], " \t\n'\"\\$`*?[]{}()<>|&;#~!") == NULL;
        fprintf(stream, plain ? " " : " '");
        for (const char *byte = argv[i]; *byte != '\0'; byte++)
            if (*byte == '\'')
                fprintf(stream, "'\\''");
            else
                fputc(*byte, stream);
        fprintf(stream, plain ? "" : "'");
    }
    fclose(stream);
    return text;
}

int cli_overview(int argc, char **argv)
{
    overview_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT, .view = OCELOTL_VIEW_OPTIONS_INIT};
    int option;
    /* getopt reorders the arguments: the command is kept as it was given. */
    char *command = repeat_command(argc, argv);
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
    return code;
}

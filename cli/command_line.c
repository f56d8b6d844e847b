#define _GNU_SOURCE
#include "command_line.h"

#include "help.h"
#include "output.h"
#include "standard_input.h"

#include <stdlib.h>
#include <string.h>

static bool take_shared(int *code, cli_request *request, int option, const char *command)
{
    *code = CLI_DONE;
    switch (option) {
    case 'o':
        request->output = optarg;
        return true;
    case CLI_JSON:
        request->json = true;
        return true;
    case CLI_CSV:
        request->csv = true;
        return true;
    default:
        return cli_take_model_option(code, &request->model, option, command) ||
               cli_take_p_option(code, &request->which, option, command) ||
               cli_take_zoom_option(code, &request->zooms, &request->which, &request->model, option, command) ||
               cli_take_picture_option(code, &request->view, option, command);
    }
}

static int take_option(const cli_command_line *line, cli_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    if (line->take_option != NULL && line->take_option(&code, request, option))
        return code;
    return take_shared(&code, request, option, line->command)
               ? code
               : cli_bad_option(option, argv, line->options, line->command);
}

static bool has_output(const struct option *options)
{
    while (options->name != NULL && options->val != 'o')
        options++;
    return options->name != NULL;
}

static int check(const cli_command_line *line, cli_request *request, int argc, char **argv)
{
    if (request->json && request->csv)
        return cli_usage(line->command, "--json and --csv exclude each other");
    request->operands = argv + optind;
    if (line->check_operands != NULL)
        return line->check_operands(argc - optind, request->operands);
    return cli_one_trace(argc, argv, line->command) != NULL ? CLI_DONE : CLI_USAGE;
}

static int read_and_run(const cli_command_line *line, cli_request *request, int argc, char **argv)
{
    const char *letters = has_output(line->options) ? CLI_SHORT_OPTIONS : ":h";
    int code = CLI_DONE;
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, letters, line->options, NULL)) != -1) {
        if (option == 'h')
            return cli_print_help(line, optind < argc ? argv[optind] : NULL);
        code = take_option(line, request, option, argv);
        if (code != CLI_DONE)
            return code;
    }
    code = check(line, request, argc, argv);
    return code == CLI_DONE ? line->run(request) : code;
}

int cli_run_command_line(const cli_command_line *line, cli_request *request, int argc, char **argv)
{
    /* getopt reorders the arguments: the command is kept as it was given. The overview is what needs no name. */
    char *command = cli_repeat_command(argc, argv, strcmp(line->command, "overview") != 0 ? line->command : "");
    request->view.command = command;
    request->view.theme = OCELOTL_THEME_READER;
    const int code = read_and_run(line, request, argc, argv);
    cli_zooms_free(&request->zooms);
    free(command);
    return code;
}

cli_format cli_format_of(const cli_request *request)
{
    const char *path = request->output != NULL ? request->output : "";
    if (request->json || request->csv)
        return request->json ? CLI_FORMAT_JSON : CLI_FORMAT_CSV;
    return cli_ends_in(path, ".json")  ? CLI_FORMAT_JSON
           : cli_ends_in(path, ".csv") ? CLI_FORMAT_CSV
                                       : CLI_FORMAT_OWN;
}

int cli_check_text_request(const cli_request *request, const char *command)
{
    return request->output != NULL ? cli_check_text_output(request->output, request->operands[0], command)
                                   : CLI_DONE;
}

/* Whatever the name: a slash in it would be a folder, and a file's name has a largest length. */
static char *default_picture(const char *name, const char *suffix)
{
    char *path = NULL;
    int length = (int)strnlen(name, 200);
    while (length > 0 && ((unsigned char)name[length] & 0xC0) == 0x80)
        length--;
    if (length == 0 || name[0] == '.')
        length = asprintf(&path, "%s.svg", suffix[0] != '\0' ? suffix + 1 : "overview");
    else
        length = asprintf(&path, "%.*s%s.svg", length, name, suffix);
    if (length < 0)
        return NULL;
    for (char *byte = path; *byte != '\0'; byte++)
        if (*byte == '/')
            *byte = '_';
    return path;
}

int cli_begin_picture(char **path, const cli_request *request, const char *name, const char *suffix)
{
    if (cli_is_standard_input(request->operands[0]))
        name = "stdin";
    *path = request->output != NULL ? strdup(request->output) : default_picture(name, suffix);
    if (*path == NULL)
        return cli_memory();
    const int code = cli_check_not_input(*path, request->operands[0]);
    if (code != CLI_DONE)
        free(*path);
    return code;
}

int cli_end_picture(char *path, const cli_request *request, ocelotl_status status)
{
    if (status == OCELOTL_OK && request->output == NULL)
        printf("%s\n", path);
    free(path);
    return cli_code(status);
}

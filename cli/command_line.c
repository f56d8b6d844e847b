#define _GNU_SOURCE
#include "command_line.h"

#include "help.h"
#include "standard_input.h"
#include "temporary.h"
#include "visible.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    case CLI_FORCE:
        request->force = true;
        return true;
    default:
        return cli_take_model_option(code, &request->model, option, command) ||
               cli_take_p_option(code, &request->which, option, command) ||
               cli_take_zoom_option(code, &request->zooms, &request->which, &request->model, option,
                                    command) ||
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

/* --- What is written, and where */

/* What --json and --csv ask for; 0: neither is given, or they are not of what is written. */
static unsigned asked_content(const cli_command_line *line, const cli_request *request)
{
    if (line->writes == CLI_TRACE_DB)
        return 0;
    return request->json                  ? CLI_JSON_TEXT
           : request->csv                 ? CLI_CSV_TEXT
           : request->text_option != NULL ? CLI_TEXT
                                          : 0;
}

/* What is written where nothing is asked for and no suffix tells. */
static unsigned own_content(unsigned writes)
{
    static const unsigned first[] = {CLI_TEXT, CLI_CSV_TEXT, CLI_SVG};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if ((writes & first[i]) != 0)
            return first[i];
    return writes;
}

static int fail_suffix(const cli_command_line *line, const char *path, unsigned named)
{
    char list[80];
    const char *slash = strrchr(path, '/');
    const char *suffix = strrchr(slash != NULL ? slash : path, '.');
    cli_list_suffixes(list, sizeof list, line->writes);
    if (named != 0)
        return cli_usage(
            line->command, "%s: %s does not write %s, expected %s", path, line->command,
            named == CLI_OTHER ? "traces as text, or compressed files" : cli_content_name(named),
            list);
    if (suffix == NULL)
        return cli_usage(line->command, "%s: no suffix, expected %s", path, list);
    return cli_usage(line->command, "%s: unknown suffix \"%s\", expected %s", path, suffix, list);
}

/* A pipe or a device has any name; a folder is refused for what it is. */
static bool is_no_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

/* A name whose suffix stands for nothing may hold what was asked for, or a trace.db. */
static int find_content(unsigned *content, const cli_command_line *line, const cli_request *request)
{
    const char *path = request->output != NULL ? request->output : "-";
    const unsigned asked = asked_content(line, request);
    const unsigned named = cli_content_of_name(path);
    char list[80];
    if (asked != 0 && named != 0 && asked != named) {
        cli_list_suffixes(list, sizeof list, asked);
        return cli_usage(line->command, "--%s and -o %s exclude each other, expected a name in %s",
                         request->json  ? "json"
                         : request->csv ? "csv"
                                        : request->text_option,
                         path, list);
    }
    *content = asked != 0 ? asked : named != 0 ? named : own_content(line->writes);
    if (named != 0 && named != asked && (line->writes & named) == 0)
        return fail_suffix(line, path, named);
    if (cli_is_standard_output(path))
        return request->output != NULL && *content == CLI_TRACE_DB
                   ? cli_usage(line->command,
                               "%s does not write to standard output, expected -o FILE",
                               line->command)
                   : CLI_DONE;
    const bool any_name = asked != 0 || line->writes == CLI_TRACE_DB || is_no_file(path);
    return named != 0 || any_name || path[0] == '\0' ? CLI_DONE : fail_suffix(line, path, 0);
}

static int check_output(const cli_command_line *line, cli_request *request)
{
    const bool printed = cli_is_standard_output(request->output);
    const char *trace = request->operands[0] != NULL ? request->operands[0] : "";
    unsigned content = 0;
    int code = printed ? CLI_DONE : cli_check_not_input(request->output, trace);
    if (code == CLI_DONE)
        code = find_content(&content, line, request);
    request->content = (cli_content)content;
    if (code != CLI_DONE || printed)
        return code;
    return cli_check_target(request->output, request->content, request->force, trace);
}

/* --- All of it */

/* Once, for it may be a pipe. */
static int read_palette(cli_request *request)
{
    if (request->view.palette == NULL)
        return CLI_DONE;
    const int code = cli_code(ocelotl_palette_read(&request->palette, request->view.palette));
    request->view.colours = request->palette;
    return code;
}

static int check_operands(const cli_command_line *line, int argc, char **argv)
{
    if (line->check_operands != NULL)
        return line->check_operands(argc - optind, argv + optind);
    return cli_one_trace(argc, argv, line->command) != NULL ? CLI_DONE : CLI_USAGE;
}

static int check(const cli_command_line *line, cli_request *request, int argc, char **argv)
{
    if (request->json && request->csv)
        return cli_usage(line->command, "--json and --csv exclude each other");
    request->operands = argv + optind;
    int code = check_operands(line, argc, argv);
    if (code == CLI_DONE)
        code = cli_check_hierarchy(&request->model.hierarchy, line->command);
    if (code == CLI_DONE)
        code = check_output(line, request);
    return code == CLI_DONE ? read_palette(request) : code;
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
    /* getopt reorders the arguments: the command is kept as it was given. The overview is what
     * needs no name. */
    char *command =
        cli_repeat_command(argc, argv, strcmp(line->command, "overview") != 0 ? line->command : "");
    if (command == NULL)
        return cli_memory();
    request->view.command = command;
    request->view.theme = OCELOTL_THEME_READER;
    request->model.progress = &request->progress;
    const int code = read_and_run(line, request, argc, argv);
    cli_zooms_free(&request->zooms);
    ocelotl_palette_free(request->palette);
    free(command);
    return code;
}

/* --- Pictures */

bool cli_draws(const cli_request *request)
{
    return (request->content & CLI_PICTURES) != 0;
}

const char *cli_picture_name(const cli_request *request)
{
    return cli_draws(request) && !cli_is_standard_output(request->output) ? request->output : NULL;
}

/* A slash would be a folder, and what cannot be seen in a name cannot be typed either. */
static void clean_name(char *name)
{
    for (char *byte = name; *byte != '\0';) {
        const size_t length = cli_utf8_length(byte, SIZE_MAX);
        const bool kept =
            length > 0 && *byte != '/' && !cli_is_hidden(cli_code_point(byte, length));
        const size_t count = length > 0 ? length : 1;
        if (!kept)
            memset(byte, '_', count);
        byte += count;
    }
}

/* Whatever the name: a file's has a largest length. */
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
    clean_name(path);
    return path;
}

int cli_begin_picture(char **path, const cli_request *request, const char *name, const char *suffix)
{
    if (request->output != NULL && cli_is_standard_output(request->output))
        return cli_temporary_file(path, ".svg");
    if (cli_is_standard_input(request->operands[0]))
        name = "stdin";
    *path = request->output != NULL ? strdup(request->output) : default_picture(name, suffix);
    if (*path == NULL)
        return cli_memory();
    const int code =
        cli_check_target(*path, request->content, request->force, request->operands[0]);
    if (code != CLI_DONE)
        free(*path);
    return code;
}

int cli_end_picture(char *path, const cli_request *request, ocelotl_status status)
{
    int code = cli_code(status);
    if (code == CLI_DONE && request->output == NULL)
        printf("%s\n", path);
    else if (code == CLI_DONE && cli_is_standard_output(request->output))
        code = cli_copy_to_standard_output(path);
    free(path);
    return code;
}

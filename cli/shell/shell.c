#define _GNU_SOURCE
#include "shell.h"

#include "help.h"
#include "output.h"
#include "standard_input.h"
#include "stream.h"
#include "temporary.h"
#include "visible.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- What a session tells */

static void say(void *context, const char *text)
{
    (void)context;
    cli_say("%s", text);
}

static void begin_step(void *context, ocelotl_step step)
{
    static const cli_step *const steps[] = {
        [OCELOTL_STEP_IMPORTING] = &cli_importing,
        [OCELOTL_STEP_COMPARING] = &cli_comparing,
        [OCELOTL_STEP_MEASURING] = &cli_measuring,
        [OCELOTL_STEP_SOLVING] = &cli_solving,
        [OCELOTL_STEP_FINDING_LEVELS] = &cli_finding_levels,
        [OCELOTL_STEP_VERIFYING] = &cli_verifying,
    };
    cli_begin_step(context, steps[step]);
}

static void end_step(void *context)
{
    cli_end_step(context);
}

static ocelotl_status make_temporary(void *context, char **path, const char *suffix)
{
    (void)context;
    return cli_temporary_file(path, suffix);
}

static ocelotl_status keep_input(void *context, const char **path)
{
    return cli_keep_standard_input(path, context);
}

static void set_told(cli_job *job)
{
    job->told = (ocelotl_session_options)OCELOTL_SESSION_OPTIONS_INIT;
    job->told.context = &job->progress;
    job->told.say = say;
    job->told.begin_step = begin_step;
    job->told.end_step = end_step;
    job->told.progress = cli_show_progress;
    job->told.within = cli_show_progress_within;
    job->told.temporary = make_temporary;
    job->told.standard_input = keep_input;
}

int cli_begin_session(cli_job *job)
{
    if (job->session != NULL)
        return CLI_DONE;
    return cli_code(
        ocelotl_session_open(&job->session, job->request->operands[0], job->request, &job->told));
}

int cli_begin_trace(ocelotl_trace **trace, cli_job *job)
{
    const ocelotl_model *none = NULL;
    const int code = cli_begin_session(job);
    if (code != CLI_DONE)
        return code;
    ocelotl_status status = ocelotl_session_trace(trace, job->session);
    /* The option that a matrix has no part for is what is wrong. */
    if (status != OCELOTL_OK && job->request->zoom_count > 0)
        status = ocelotl_session_model(&none, job->session, job->request);
    return cli_code(status);
}

/* --- What is written, and where */

/* The option, with its value, that asks for text of another form; NULL: none does. */
static const char *text_option(const ocelotl_request *request)
{
    return request->format != NULL && strcmp(request->format, "pjdump") == 0 ? "format pjdump"
                                                                             : NULL;
}

/* What --json and --csv ask for; 0: neither is given, or they are not of what is written. */
static unsigned asked_content(const cli_command *command, const ocelotl_request *request)
{
    if (command->writes == CLI_TRACE_DB)
        return 0;
    return request->json                  ? CLI_JSON_TEXT
           : request->csv                 ? CLI_CSV_TEXT
           : text_option(request) != NULL ? CLI_TEXT
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

static int fail_suffix(const cli_command *command, const char *path, unsigned named)
{
    char list[80];
    const char *slash = strrchr(path, '/');
    const char *suffix = strrchr(slash != NULL ? slash : path, '.');
    cli_list_suffixes(list, sizeof list, command->writes);
    if (named != 0)
        return cli_usage(
            command->name, "%s: %s does not write %s, expected %s", path, command->name,
            named == CLI_OTHER ? "traces as text, or compressed files" : cli_content_name(named),
            list);
    if (suffix == NULL)
        return cli_usage(command->name, "%s: no suffix, expected %s", path, list);
    return cli_usage(command->name, "%s: unknown suffix \"%s\", expected %s", path, suffix, list);
}

/* A pipe or a device has any name; a folder is refused for what it is. */
static bool is_no_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

/* A name whose suffix stands for nothing may hold what was asked for, or a trace.db. */
static int find_content(unsigned *content, const cli_command *command,
                        const ocelotl_request *request)
{
    const char *path = request->output != NULL ? request->output : "-";
    const unsigned asked = asked_content(command, request);
    const unsigned named = cli_content_of_name(path);
    char list[80];
    if (asked != 0 && named != 0 && asked != named) {
        cli_list_suffixes(list, sizeof list, asked);
        return cli_usage(command->name, "--%s and -o %s exclude each other, expected a name in %s",
                         request->json  ? "json"
                         : request->csv ? "csv"
                                        : text_option(request),
                         path, list);
    }
    *content = asked != 0 ? asked : named != 0 ? named : own_content(command->writes);
    if (named != 0 && named != asked && (command->writes & named) == 0)
        return fail_suffix(command, path, named);
    if (cli_is_standard_output(path))
        return request->output != NULL && *content == CLI_TRACE_DB
                   ? cli_usage(command->name,
                               "%s does not write to standard output, expected -o FILE",
                               command->name)
                   : CLI_DONE;
    const bool any_name = asked != 0 || command->writes == CLI_TRACE_DB || is_no_file(path);
    return named != 0 || any_name || path[0] == '\0' ? CLI_DONE : fail_suffix(command, path, 0);
}

static int check_output(const cli_command *command, cli_job *job)
{
    const ocelotl_request *request = job->request;
    const bool printed = cli_is_standard_output(request->output);
    const char *trace = request->operand_count > 0 ? request->operands[0] : "";
    unsigned content = 0;
    int code = printed ? CLI_DONE : cli_check_not_input(request->output, trace);
    if (code == CLI_DONE)
        code = find_content(&content, command, request);
    job->content = (cli_content)content;
    if (code != CLI_DONE || printed)
        return code;
    return cli_check_target(request->output, job->content, request->force, trace);
}

/* --- All of it */

/* Once, for it may be a pipe. */
static int read_palette(cli_job *job)
{
    job->view = job->request->view;
    job->view.command = job->line;
    if (job->view.palette == NULL)
        return CLI_DONE;
    const int code = cli_code(ocelotl_palette_read(&job->palette, job->view.palette));
    job->view.colours = job->palette;
    return code;
}

/* What is damaged in the cache is imported anew, and then asked again; but what went to standard
 * output cannot be taken back. */
static bool can_mend(void *context, ocelotl_status status)
{
    const cli_job *job = context;
    return status == OCELOTL_ERROR_INPUT && job->session != NULL && !cli_has_streamed() &&
           ocelotl_session_is_damaged(job->session);
}

static int run_mended(const cli_command *command, cli_job *job)
{
    cli_set_mender(can_mend, job);
    int code = command->run(job);
    cli_set_mender(NULL, NULL);
    if (code != CLI_AGAIN)
        return code;
    code = cli_code(ocelotl_session_renew(job->session));
    return code == CLI_DONE ? command->run(job) : code;
}

static int check_and_run(const cli_command *command, cli_job *job)
{
    int code = cli_option_code(ocelotl_request_check(job->request), command->name);
    if (code == CLI_DONE)
        code = check_output(command, job);
    if (code == CLI_DONE)
        code = read_palette(job);
    return code == CLI_DONE ? run_mended(command, job) : code;
}

static int read_and_run(const cli_command *command, cli_job *job, int argc, char **argv)
{
    const int code = cli_option_code(
        ocelotl_request_parse(job->request, (size_t)argc - 1, (const char *const *)argv + 1),
        command->name);
    if (code != CLI_DONE)
        return code;
    return job->request->help ? cli_print_help(command->name, job->request->topic)
                              : check_and_run(command, job);
}

/* The command line as a shell would take it again. The overview is what needs no name. */
static int repeat_line(cli_job *job, const cli_command *command, int argc, char **argv)
{
    static char program[] = "ocelotl-cli";
    const bool named = strcmp(command->name, "overview") != 0;
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    if (words == NULL)
        return cli_memory();
    words[0] = program;
    words[1] = command->name;
    for (int i = 1; i < argc; i++)
        words[i + named] = argv[i];
    const int code = cli_code(ocelotl_words_write(&job->line, (size_t)argc + named, words));
    free(words);
    return code;
}

int cli_run(const cli_command *command, int argc, char **argv)
{
    cli_job job = {.session = NULL};
    set_told(&job);
    int code = repeat_line(&job, command, argc, argv);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_request_new(&job.request, command->name));
    if (code == CLI_DONE)
        code = read_and_run(command, &job, argc, argv);
    ocelotl_session_free(job.session);
    ocelotl_request_free(job.request);
    ocelotl_palette_free(job.palette);
    free(job.line);
    return code;
}

/* --- Pictures */

bool cli_draws(const cli_job *job)
{
    return (job->content & CLI_PICTURES) != 0;
}

const char *cli_picture_name(const cli_job *job)
{
    const char *output = job->request->output;
    return cli_draws(job) && !cli_is_standard_output(output) ? output : NULL;
}

int cli_check_picture(const cli_job *job)
{
    return cli_option_code(ocelotl_picture_check(cli_picture_name(job), &job->view),
                           job->request->command);
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

int cli_begin_picture(char **path, const cli_job *job, const char *output, cli_content content,
                      const char *name, const char *suffix)
{
    const char *trace = job->request->operands[0];
    if (output != NULL && cli_is_standard_output(output))
        return cli_code(cli_temporary_file(path, ".svg"));
    if (cli_is_standard_input(trace))
        name = "stdin";
    *path = output != NULL ? strdup(output) : default_picture(name, suffix);
    if (*path == NULL)
        return cli_memory();
    const int code = cli_check_target(*path, content, job->request->force, trace);
    if (code != CLI_DONE)
        free(*path);
    return code;
}

int cli_end_picture(char *path, const char *output, ocelotl_status status)
{
    int code = cli_code(status);
    if (code == CLI_DONE && output == NULL)
        printf("%s\n", path);
    else if (code == CLI_DONE && cli_is_standard_output(output))
        code = cli_copy_to_standard_output(path);
    free(path);
    return code;
}

/* The names of the hierarchy take a fifth of the picture's width, about. */
void cli_fit_drawables(ocelotl_drawables_options *drawables, const ocelotl_picture_options *view)
{
    const double width = view->width > 0 ? view->width : 1280;
    drawables->width = width * 0.8;
    drawables->narrowest = view->smallest > 0 ? view->smallest : 2;
}

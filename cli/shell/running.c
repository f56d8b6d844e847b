/* A command line: its help, its defaults, its request, and the command for it. */
#include "shell.h"

#include <stdlib.h>
#include <string.h>

static int print_help(const char *command, const char *word)
{
    char *text = NULL;
    const bool topic = word != NULL && cli_may_be_name(word);
    const ocelotl_status status = ocelotl_help(&text, command, topic ? word : NULL);
    if (status == OCELOTL_OK)
        fputs(text, stdout);
    free(text);
    /* The user may have meant a command. */
    const bool near = strstr(ocelotl_error_message(), "; the nearest topic is ") != NULL;
    return cli_option_code(status, near || strcmp(command, "overview") != 0 ? command : "");
}

/* The request is that of the words until the defaults are chosen. */
static ocelotl_status add_defaults(const cli_command *command, cli_job *job)
{
    if (job->request->help || job->request->no_defaults || job->defaults.count == 0)
        return OCELOTL_OK;
    job->asked = job->request;
    job->request = NULL;
    return cli_choose_defaults(command, job, false);
}

/* Those that are asked to leave the file alone do not even read it. */
static bool takes_defaults(const cli_command *command, int argc, char **argv)
{
    for (int word = 1; word < argc; word++)
        if (strcmp(argv[word], "--no-defaults") == 0)
            return false;
    return ocelotl_parameter_find(command->name, "no-defaults").name[0] != '\0';
}

static int read_and_run(const cli_command *command, cli_job *job, int argc, char **argv)
{
    const char *const *words = (const char *const *)argv + 1;
    int code = takes_defaults(command, argc, argv) ? cli_defaults_read(&job->defaults) : CLI_DONE;
    if (code == CLI_DONE)
        code = cli_option_code(ocelotl_request_parse(job->request, (size_t)argc - 1, words),
                               command->name);
    if (code == CLI_DONE)
        code = cli_option_code(add_defaults(command, job), command->name);
    if (code == CLI_DONE)
        code = cli_tell_line(job);
    if (code != CLI_DONE)
        return code;
    return job->request->help ? print_help(command->name, job->request->topic)
                              : cli_run_giving_way(command, job);
}

/* The command line as a shell would take it again. The overview is what needs no name. */
static int repeat_line(cli_job *job, const cli_command *command, int argc, char **argv)
{
    static char program[] = "ocelotl-cli";
    const bool named = strcmp(command->name, "overview") != 0;
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    if (words == NULL)
        return cli_memory();
    size_t count = 0;
    words[count++] = program;
    if (named)
        words[count++] = command->name;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--no-defaults") != 0)
            words[count++] = argv[i];
    const int code = cli_code(ocelotl_words_write(&job->line, count, words));
    free(words);
    return code;
}

int cli_run(const cli_command *command, int argc, char **argv, size_t typed)
{
    cli_job job = {.typed = typed};
    cli_set_told(&job);
    int code = repeat_line(&job, command, argc, argv);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_request_new(&job.request, command->name));
    if (code == CLI_DONE)
        code = read_and_run(command, &job, argc, argv);
    ocelotl_session_free(job.session);
    ocelotl_request_free(job.request);
    ocelotl_palette_free(job.palette);
    cli_set_last_member(NULL);
    cli_defaults_free(&job.defaults);
    ocelotl_request_free(job.asked);
    free(job.applied);
    free(job.reason);
    free(job.line);
    return code;
}

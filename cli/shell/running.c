/* A command line: its help, its defaults, its request, and the command for it. */
#define _GNU_SOURCE
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

/* --- What only the trace can tell of a default: a name that it lacks, slices where it has its own.
 * The default gives way, and the command is run again. */

/* Runs the command of the defaults that no trace has refused. */
static int run_again(const cli_command *command, cli_job *job)
{
    int code = cli_code(cli_choose_defaults(command, job, true));
    if (code == CLI_DONE)
        code = cli_tell_line(job);
    if (code != CLI_DONE)
        return code;
    ocelotl_session_free(job->session);
    job->session = NULL;
    return cli_check_and_run(command, job);
}

/* Leaves one default out. Where that changes what is wrong, it was this one. */
static bool gives_way(int *code, const cli_command *command, cli_job *job, cli_default *item,
                      const char *reason)
{
    *code = cli_code(cli_default_set(item, false, reason));
    if (*code != CLI_DONE)
        return true;
    item->refused = true;
    *code = run_again(command, job);
    if (*code == CLI_AGAIN && strcmp(job->reason, reason) == 0) {
        (void)cli_default_set(item, true, NULL);
        item->refused = false;
        return false;
    }
    cli_default_say(&job->defaults, item);
    return true;
}

/* Finds the default that a failure is about, the last one first; *found false: none is. */
static int find_one(bool *found, const cli_command *command, cli_job *job)
{
    int code = CLI_AGAIN;
    char *reason = strdup(job->reason);
    *found = false;
    for (size_t i = job->defaults.count; i-- > 0 && !*found && reason != NULL;) {
        cli_default *item = &job->defaults.items[i];
        if (cli_default_is_suspect(&job->defaults, item, reason, job->asked))
            *found = gives_way(&code, command, job, item, reason);
    }
    free(reason);
    return code;
}

static int run_giving_way(const cli_command *command, cli_job *job)
{
    bool found = true;
    job->yields = command->tries && cli_defaults_any(&job->defaults, false);
    cli_say_each_once(job->yields);
    int code = cli_check_and_run(command, job);
    while (code == CLI_AGAIN && found)
        code = find_one(&found, command, job);
    cli_say_each_once(false);
    return code == CLI_AGAIN ? cli_fail(ocelotl_fail(job->failure, job->reason)) : code;
}

/* --- A command line */

/* Those that are asked to leave the file alone do not even read it. */
static bool takes_defaults(const cli_command *command, int argc, char **argv)
{
    for (int word = 1; word < argc; word++)
        if (strcmp(argv[word], "--no-defaults") == 0)
            return false;
    return ocelotl_parameter_find(command->name, "no-defaults").name[0] != '\0';
}

/* The request is that of the words until the defaults are chosen. */
static int read_and_run(const cli_command *command, cli_job *job, int argc, char **argv)
{
    const char *const *words = (const char *const *)argv + 1;
    int code = takes_defaults(command, argc, argv) ? cli_defaults_read(&job->defaults) : CLI_DONE;
    if (code == CLI_DONE)
        code = cli_option_code(ocelotl_request_parse(job->request, (size_t)argc - 1, words),
                               command->name);
    if (code == CLI_DONE && !job->request->help && !job->request->no_defaults &&
        job->defaults.count > 0) {
        job->asked = job->request;
        job->request = NULL;
        code = cli_option_code(cli_choose_defaults(command, job, false), command->name);
    }
    if (code == CLI_DONE)
        code = cli_tell_line(job);
    if (code != CLI_DONE)
        return code;
    return job->request->help ? print_help(command->name, job->request->topic)
                              : run_giving_way(command, job);
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
    return command->judges && code == CLI_WRONG && !job.is_bad ? CLI_USAGE : code;
}

/* What only the trace can tell of a default: a name that it lacks, slices where it has its own. The
 * default gives way, and the command is run again. */
#define _GNU_SOURCE
#include "shell.h"

#include <stdlib.h>
#include <string.h>

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

int cli_run_giving_way(const cli_command *command, cli_job *job)
{
    bool found = true;
    job->yields = command->tries && cli_defaults_any(&job->defaults);
    cli_say_each_once(job->yields);
    int code = cli_check_and_run(command, job);
    while (code == CLI_AGAIN && found)
        code = find_one(&found, command, job);
    cli_say_each_once(false);
    return code == CLI_AGAIN ? cli_fail(ocelotl_fail(job->failure, job->reason)) : code;
}

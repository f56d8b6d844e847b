/* ocelotl-cli serve: the trace as a page, which asks this program. */
#define _GNU_SOURCE
#include "ending.h"
#include "server.h"
#include "shell.h"

#include <spawn.h>
#include <string.h>
#include <time.h>

extern char **environ;

/* Passes on what a session reports: to the terminal until it serves; after that to the server, but
 * for what is said. */
typedef struct listener {
    ocelotl_session_options terminal;
    server *server;
    bool serving;
} listener;

static void say(void *context, const char *text)
{
    const listener *to = context;
    if (!to->serving)
        to->terminal.say(to->terminal.context, text);
}

static void begin_step(void *context, ocelotl_step step)
{
    const listener *to = context;
    if (to->serving)
        server_begin_step(to->server, step);
    else
        to->terminal.begin_step(to->terminal.context, step);
}

static void end_step(void *context)
{
    const listener *to = context;
    if (!to->serving)
        to->terminal.end_step(to->terminal.context);
}

static bool go_on(void *context, uint64_t done, uint64_t total)
{
    const listener *to = context;
    return to->serving ? server_may_go_on(to->server, done, total)
                       : to->terminal.progress(to->terminal.context, done, total);
}

static void forget(void *context, const ocelotl_model *model)
{
    const listener *to = context;
    if (to->serving)
        server_forget(to->server, model);
}

/* Serves until it is asked to stop, or nobody has asked for long. */
static int serve(cli_job *job, listener *to)
{
    static char opener[] = "xdg-open";
    const struct timespec moment = {.tv_nsec = 50000000};
    const ocelotl_request *request = job->request;
    const double idle = request->idle.text != NULL ? request->idle.seconds : 0;
    const server_options options = {.session = job->session,
                                    .trace = request->operands[0],
                                    .second =
                                        request->operand_count > 1 ? request->operands[1] : NULL,
                                    .initial = request,
                                    .port = request->port,
                                    .socket = request->socket};
    to->serving = true;
    const int code = cli_code(server_start(to->server, &options));
    if (code != CLI_DONE)
        return code;
    printf("%s\n", server_address(to->server));
    if (fflush(stdout) != 0)
        return CLI_DONE; /* said in the end */
    char *words[] = {opener, (char *)server_address(to->server), NULL};
    pid_t child;
    /* It is no failure if no browser opens: the address is printed. */
    if (request->open && posix_spawnp(&child, words[0], NULL, NULL, words, environ) != 0)
        cli_say("xdg-open is not there, open the address yourself");
    cli_begin_watching();
    while (!cli_is_asked_to_stop() && (idle <= 0 || server_idle_seconds(to->server) < idle)) {
        server_tend(to->server);
        nanosleep(&moment, NULL);
    }
    return CLI_DONE;
}

static int check(const ocelotl_request *request)
{
    for (size_t i = 0; i < request->operand_count; i++)
        if (cli_is_standard_input(request->operands[i]))
            return cli_usage("serve", "standard input cannot be served, expected a file");
    if (request->socket != NULL && request->port != 0)
        return cli_usage("serve", "--port and --socket exclude each other");
    if (request->socket != NULL && request->open)
        return cli_usage("serve", "--open and --socket exclude each other: no browser reaches a "
                                  "socket");
    return CLI_DONE;
}

int cli_serve(cli_job *job)
{
    listener to = {.server = NULL};
    int code = check(job->request);
    if (code == CLI_DONE && job->tried)
        return CLI_READY;
    if (code == CLI_DONE)
        code = cli_code(server_new(&to.server));
    if (code != CLI_DONE)
        return code;
    to.terminal = job->told;
    job->told.context = &to;
    job->told.say = say;
    job->told.begin_step = begin_step;
    job->told.end_step = end_step;
    job->told.progress = go_on;
    job->told.within = go_on;
    job->told.forget = forget;
    job->told.standard_input = NULL;
    job->told.memory = job->request->memory > 0 ? job->request->memory : OCELOTL_MEMORY_QUARTER;
    code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = serve(job, &to);
    server_free(to.server);
    cli_end_watching();
    job->told = to.terminal;
    return code;
}

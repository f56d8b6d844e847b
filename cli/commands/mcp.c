/* ocelotl-cli mcp: questions of a language model, over standard input and output. */
#define _GNU_SOURCE
#include "mcp.h"
#include "shell.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 1 << 20, MOST_SAID = 500 };

/* What sessions report is part of an answer, else a message. */
typedef struct listener {
    mcp_server server;
    bool answering;
} listener;

static void say(void *context, const char *text)
{
    listener *to = context;
    const ocelotl_sink sink = ocelotl_buffer_sink(&to->server.said);
    if (!to->answering)
        cli_say("%s", text);
    else if (to->server.said.size + strlen(text) < MOST_SAID &&
             sink.write(sink.context, text, strlen(text)) == OCELOTL_OK)
        (void)sink.write(sink.context, "\n", 1);
}

/* A client may have made the pipes for itself, so that nothing waits for them: the server does. */
static void wait_for(int file)
{
    const int flags = fcntl(file, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) != 0)
        (void)fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
}

/* Reads a line without its end; *size is SIZE_MAX for one that is too long. False at the end. */
static bool read_line(char *line, size_t *size)
{
    size_t length = 0;
    int letter = getc_unlocked(stdin);
    if (letter == EOF)
        return false;
    for (; letter != EOF && letter != '\n'; letter = getc_unlocked(stdin))
        if (length++ < LONGEST)
            line[length - 1] = (char)letter;
    *size = length <= LONGEST ? length : SIZE_MAX;
    memset(line + (length <= LONGEST ? length : 0), 0, OCELOTL_JSON_MARGIN);
    return true;
}

static int answer_lines(listener *to)
{
    const ocelotl_sink sink = ocelotl_stream_sink(stdout);
    char *line = malloc(LONGEST + OCELOTL_JSON_MARGIN);
    ocelotl_status status = OCELOTL_OK;
    size_t size;
    if (line == NULL)
        return cli_memory();
    to->answering = true;
    wait_for(STDIN_FILENO);
    wait_for(STDOUT_FILENO);
    while (status == OCELOTL_OK && read_line(line, &size)) {
        if (size == SIZE_MAX)
            status = mcp_answer_problem(&sink, "the line has more than 1048576 bytes");
        else if (strspn(line, " \t\r") < size)
            status = mcp_answer(&sink, &to->server, line, size);
        if (fflush(stdout) != 0)
            break; /* said in the end */
    }
    free(line);
    return cli_code(status);
}

int cli_mcp(cli_job *job)
{
    const ocelotl_request *request = job->request;
    listener to = {.server = {.initial = request}};
    ocelotl_session_options told = OCELOTL_SESSION_OPTIONS_INIT;
    int code = CLI_DONE;
    for (size_t i = 0; i < request->operand_count; i++)
        if (cli_is_standard_input(request->operands[i]))
            return cli_usage("mcp", "standard input has the questions, expected a file");
    to.server.sessions = calloc(request->operand_count + 1, sizeof(ocelotl_session *));
    if (to.server.sessions == NULL)
        return cli_memory();
    told.context = &to;
    told.say = say;
    told.memory = OCELOTL_MEMORY_QUARTER;
    for (size_t i = 0; i < request->operand_count && code == CLI_DONE; i++)
        code = cli_code(
            ocelotl_session_open(&to.server.sessions[i], request->operands[i], request, &told));
    if (code == CLI_DONE)
        code = answer_lines(&to);
    for (size_t i = 0; i < request->operand_count; i++)
        ocelotl_session_free(to.server.sessions[i]);
    free(to.server.sessions);
    ocelotl_buffer_free(&to.server.said);
    return code;
}

/* ocelotl-cli info: what is in a trace, what several share, and what is noted on them. */
#define _GNU_SOURCE
#include "ending.h"
#include "shell.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- One trace */

static int describe_one(cli_job *job)
{
    const ocelotl_form form = cli_form(job->content);
    ocelotl_trace *trace = NULL;
    ocelotl_notes *notes = NULL;
    const char *choices = NULL;
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    int code = cli_begin_trace(&trace, job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_notes_read(&notes, job->request->operands[0]));
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_choices(&choices, job->session));
    if (code == CLI_DONE)
        code = cli_write_made(job->request->output,
                              ocelotl_info_write(&sink, form, trace, notes, choices), &made);
    ocelotl_notes_free(notes);
    return code;
}

/* --- Several */

/* Each has a session of its own, one after the other. */
static ocelotl_status add_trace(ocelotl_traces *traces, const cli_job *job, const char *path)
{
    ocelotl_session *session = NULL;
    ocelotl_trace *trace = NULL;
    ocelotl_notes *notes = NULL;
    ocelotl_status status = ocelotl_session_open(&session, path, job->request, &job->told);
    if (status == OCELOTL_OK)
        status = ocelotl_session_trace(&trace, session);
    if (status == OCELOTL_OK)
        status = ocelotl_notes_read(&notes, path);
    if (status == OCELOTL_OK)
        status = ocelotl_traces_add(traces, path, trace, notes);
    ocelotl_notes_free(notes);
    ocelotl_session_free(session);
    return status;
}

static int describe_several(const cli_job *job)
{
    const ocelotl_request *request = job->request;
    ocelotl_traces *traces = NULL;
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    int code = cli_code(ocelotl_traces_new(&traces));
    for (size_t i = 0; i < request->operand_count && code == CLI_DONE; i++)
        code = cli_code(add_trace(traces, job, request->operands[i]));
    if (code == CLI_DONE)
        code = cli_write_made(request->output,
                              ocelotl_traces_write(&sink, cli_form(job->content), traces), &made);
    ocelotl_traces_free(traces);
    return code;
}

/* --- What is noted */

/* KEY=VALUE is cut at the first `=`. */
static ocelotl_status change(ocelotl_notes *notes, const ocelotl_request *request)
{
    ocelotl_status status = OCELOTL_OK;
    for (size_t i = 0; i < request->unset.count && status == OCELOTL_OK; i++)
        status = ocelotl_notes_set(notes, request->unset.names[i], NULL);
    for (size_t i = 0; i < request->set.count && status == OCELOTL_OK; i++) {
        const char *equals = strchr(request->set.names[i], '=');
        char *key = strndup(request->set.names[i], (size_t)(equals - request->set.names[i]));
        status = key != NULL ? ocelotl_notes_set(notes, key, equals + 1)
                             : ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
        free(key);
    }
    return status == OCELOTL_OK ? ocelotl_notes_commit(notes) : status;
}

/* Says what is noted now, a line for each value. */
static void say_noted(const char *path, const ocelotl_notes *notes)
{
    const ocelotl_sink sink = ocelotl_stream_sink(stdout);
    (void)ocelotl_text_write_visible(&sink, path, strlen(path));
    putchar('\n');
    for (size_t i = 0; i < ocelotl_notes_metadata_count(notes); i++) {
        const ocelotl_metadata one = ocelotl_notes_metadata_at(notes, i);
        fputs("  ", stdout);
        (void)ocelotl_text_write_visible(&sink, one.key, strlen(one.key));
        fputs(" = ", stdout);
        (void)ocelotl_text_write_visible(&sink, one.value, strlen(one.value));
        putchar('\n');
    }
}

/* Whether it is a trace at all; a pipe would be waited for. */
static int check_trace(const char *path)
{
    ocelotl_file_kind kind;
    struct stat is;
    if (cli_is_standard_input(path))
        return cli_wrong("standard input has no place for notes, expected a file");
    if (stat(path, &is) == 0 && !S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode))
        return cli_wrong("%s: is no regular file, expected a trace", path);
    return cli_code(ocelotl_identify(&kind, path));
}

static int change_notes(const ocelotl_request *request)
{
    int code = CLI_DONE;
    for (size_t i = 0; i < request->operand_count && code == CLI_DONE; i++)
        code = check_trace(request->operands[i]);
    for (size_t i = 0; i < request->operand_count && code == CLI_DONE; i++) {
        ocelotl_notes *notes = NULL;
        code = cli_code(ocelotl_notes_begin(&notes, request->operands[i]));
        if (code == CLI_DONE)
            code = cli_expect_target(ocelotl_notes_path(notes));
        if (code == CLI_DONE)
            code = cli_code(change(notes, request));
        if (code == CLI_DONE)
            say_noted(request->operands[i], notes);
        ocelotl_notes_free(notes);
    }
    return code;
}

int cli_info(cli_job *job)
{
    const ocelotl_request *request = job->request;
    if (job->tried)
        return CLI_READY;
    if (request->set.count + request->unset.count > 0)
        return change_notes(request);
    return request->operand_count > 1 ? describe_several(job) : describe_one(job);
}

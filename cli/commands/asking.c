/* Commands that answer by ocelotl/ask.h: one way from the request to what is written. */
#define _GNU_SOURCE
#include "shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An answer, and how it is drawn. */
typedef struct asked {
    ocelotl_answer *answer;
    const cli_job *job;
    bool says_unmatched; /* lists the rows of a palette that match nothing */
} asked;

static ocelotl_status write_answer(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    const asked *what = of;
    return ocelotl_answer_write(sink, what->answer, form, what->job->request, &what->job->view);
}

/* A row of a palette that matches nothing would change nothing, without a word. */
static void say_unmatched(const asked *what)
{
    ocelotl_trace *traces[2];
    const ocelotl_model *models[2];
    const size_t count = ocelotl_answer_sources(traces, models, what->answer);
    cli_say_unmatched(what->job, traces, models, count);
}

/* --- Markdown, and its pictures beside it */

typedef struct drawing {
    ocelotl_answer *answer;
    size_t number;
} drawing;

static ocelotl_status draw_one(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    const drawing *one = of;
    (void)form;
    return ocelotl_answer_picture(sink, one->answer, one->number);
}

static char *name_picture(const char *output, size_t number)
{
    char *path = NULL;
    const char *end = strrchr(output, '.');
    return asprintf(&path, "%.*s-%zu.svg", (int)(end - output), output, number) < 0 ? NULL : path;
}

/* Checks, writes or removes the picture of a number. */
typedef enum step { CHECK, WRITE, REMOVE } step;

static int take_picture(const asked *what, size_t number, step does)
{
    const ocelotl_request *request = what->job->request;
    drawing one = {what->answer, number};
    int code = CLI_DONE;
    char *path = name_picture(request->output, number);
    if (path == NULL)
        return cli_memory();
    if (does == CHECK)
        code = cli_check_target(path, CLI_SVG, request->force, request->operands[0]);
    else if (does == WRITE)
        code = cli_stream_answer(path, CLI_SVG, draw_one, &one);
    else
        unlink(path);
    free(path);
    return code;
}

/* The text comes last: with it all are there. */
static int write_markdown(asked *what)
{
    const ocelotl_request *request = what->job->request;
    const size_t count = ocelotl_answer_picture_count(what->answer);
    size_t written = 0;
    int code = CLI_DONE;
    for (size_t i = 1; i <= count && code == CLI_DONE; i++)
        code = take_picture(what, i, CHECK);
    for (; written < count && code == CLI_DONE; written += code == CLI_DONE)
        code = take_picture(what, written + 1, WRITE);
    if (code == CLI_DONE)
        code = cli_write_answer(request->output, CLI_MARKDOWN, write_answer, what);
    for (; code != CLI_DONE && written > 0; written--)
        (void)take_picture(what, written, REMOVE);
    return code;
}

static int write_output(asked *what)
{
    char suffix[40];
    const cli_job *job = what->job;
    const ocelotl_request *request = job->request;
    const ocelotl_answering answering = ocelotl_command_answering(request->command);
    ocelotl_trace *trace = NULL;
    const ocelotl_model *model = NULL;
    const char *name = "";
    if (job->content == CLI_TRACE_DB)
        return cli_code(
            ocelotl_answer_derive(request->output, what->answer, job->view.title, request->force));
    if (job->content == CLI_MARKDOWN)
        return write_markdown(what);
    if (!cli_draws(job))
        return (answering.streams ? cli_stream_answer : cli_write_answer)(
            request->output, job->content, write_answer, what);
    if (answering.shows_types)
        say_unmatched(what);
    if (request->output == NULL && ocelotl_session_trace(&trace, job->session) == OCELOTL_OK)
        name = ocelotl_trace_info_of(trace).name;
    else if (request->output == NULL &&
             ocelotl_session_model(&model, job->session, request) == OCELOTL_OK)
        name = ocelotl_model_info_of(model).name;
    snprintf(suffix, sizeof suffix, "-%s", request->command);
    return cli_write_picture(job, request->output, job->content, name, suffix, write_answer, what);
}

/* What an answer can have is checked before the work. */
static int check_answer(const cli_job *job)
{
    const char *output = job->request->output;
    const char *path = cli_is_standard_output(output) ? NULL : output;
    return cli_option_code(
        ocelotl_answer_check(job->request, cli_form(job->content), path, &job->view),
        job->request->command);
}

/* Finds the answer, to be written in a form first, and writes it: `code` is that of the checks
 * before. */
static int answer(cli_job *job, int code, ocelotl_form form, int (*write)(asked *what))
{
    asked what = {.job = job};
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_answer_find(&what.answer, job->session, job->request, form));
    if (code == CLI_DONE)
        code = write(&what);
    job->is_bad = code == CLI_DONE && ocelotl_answer_is_bad(what.answer);
    if (job->is_bad)
        code = CLI_WRONG;
    ocelotl_answer_free(what.answer);
    return code;
}

int cli_ask(cli_job *job)
{
    const ocelotl_request *request = job->request;
    job->progress.searches = strcmp(request->command, "hierarchies") == 0
                                 ? OCELOTL_OWN_HIERARCHIES + request->candidates.count
                                 : 0;
    return answer(job, check_answer(job), cli_form(job->content), write_output);
}

/* Where a table goes to a file, a picture may go to standard output. The table is made before that
 * is drawn, so that little is left to do once it is in its place. */
static int write_both(asked *what, ocelotl_form form, const char *table, const char *picture,
                      cli_content drawn)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    int code = cli_code(write_answer(&sink, form, what));
    if (code == CLI_DONE && drawn != CLI_TEXT && what->says_unmatched)
        say_unmatched(what);
    if (code == CLI_DONE && drawn != CLI_TEXT)
        code = cli_write_picture(what->job, picture, drawn, "", "", write_answer, what);
    if (code == CLI_DONE)
        return cli_write_made(table, OCELOTL_OK, &made);
    ocelotl_buffer_free(&made);
    return code;
}

/* --- check, compare, sweep: a table, and a picture beside it */

/* Beside a picture, and a report for other programs, the table goes to standard output. */
static int write_beside(asked *what)
{
    const cli_job *job = what->job;
    const char *output = job->request->output;
    const char *report = job->request->junit;
    int code = CLI_DONE;
    if (report != NULL)
        code = cli_write_answer(report, CLI_XML, write_answer, what);
    if (code != CLI_DONE)
        return code;
    if (!cli_draws(job))
        return write_both(what, cli_form(job->content), output, NULL, CLI_TEXT);
    what->says_unmatched = strcmp(job->request->command, "sweep") != 0 &&
                           (job->view.view == NULL || strcmp(job->view.view, "difference") != 0);
    return write_both(what,
                      job->request->json  ? OCELOTL_FORM_JSON
                      : job->request->csv ? OCELOTL_FORM_CSV
                                          : OCELOTL_FORM_TEXT,
                      NULL, output, job->content);
}

/* Other traces are not written over either. */
int cli_ask_beside(cli_job *job)
{
    const ocelotl_request *request = job->request;
    int code = check_answer(job);
    for (size_t i = 1; i < request->operand_count && code == CLI_DONE; i++)
        if (!cli_is_standard_output(request->output))
            code = cli_check_target(request->output, job->content, request->force,
                                    request->operands[i]);
    for (size_t i = 0; i < request->operand_count && code == CLI_DONE; i++)
        if (request->junit != NULL)
            code = cli_check_target(request->junit, CLI_XML, request->force, request->operands[i]);
    return answer(job, code, cli_draws(job) ? OCELOTL_FORM_TEXT : cli_form(job->content),
                  write_beside);
}

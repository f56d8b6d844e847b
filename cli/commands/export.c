/* ocelotl-cli export: the events of a trace, a window or a part of it, as lines of text or for
 * other tools; or its model. */
#include "shell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What is written, and of what. */
typedef struct exported {
    const ocelotl_request *request;
    ocelotl_trace *trace;
    ocelotl_events *events;
    ocelotl_selection selection;
    ocelotl_partition *partition; /* NULL: its parts are not wanted */
    ocelotl_losses losses;
} exported;

static bool is_format(const exported *what, const char *format)
{
    const char *given = what->request->format;
    return given != NULL && strcmp(given, format) == 0;
}

static bool is_picl(const exported *what)
{
    return is_format(what, "picl") || is_format(what, "picl1");
}

static ocelotl_status write_events(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    exported *what = of;
    if (is_format(what, "chrome"))
        return ocelotl_events_write_chrome(sink, what->events, what->trace, what->partition,
                                           &what->losses);
    if (is_format(what, "paje"))
        return ocelotl_events_write_paje(sink, what->events, what->trace, &what->selection,
                                         &what->losses);
    if (is_picl(what))
        return ocelotl_events_write_picl(sink, what->events, what->trace, is_format(what, "picl1"),
                                         &what->losses);
    if (form == OCELOTL_FORM_TEXT)
        return ocelotl_events_write_pjdump(sink, what->events, what->trace, &what->selection,
                                           what->request->digits, &what->losses);
    const ocelotl_selection *selection = what->request->type == NULL ? &what->selection : NULL;
    return form == OCELOTL_FORM_JSON ? ocelotl_events_write_json(sink, what->events, what->trace,
                                                                 selection, &what->losses)
                                     : ocelotl_events_write_csv(sink, what->events, what->trace,
                                                                selection, &what->losses);
}

static ocelotl_status write_names(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    (void)form;
    return ocelotl_picl_write_names(sink, ((const exported *)of)->trace);
}

/* What numbers stand for has a file of its own, beside one that is written: FILE.names, or "". */
static void find_names(char *path, size_t size, const exported *what)
{
    struct stat found;
    const char *output = what->request->output;
    path[0] = '\0';
    if (!is_picl(what) || cli_is_standard_output(output) ||
        strlen(output) + sizeof ".names" > size ||
        (stat(output, &found) == 0 && !S_ISREG(found.st_mode)))
        return;
    snprintf(path, size, "%s.names", output);
}

static int export_names(const cli_job *job, exported *what, const char *path)
{
    if (is_picl(what) && path[0] == '\0')
        cli_say("%s says numbers for names; with -o FILE they are in FILE.names",
                what->request->format);
    if (path[0] == '\0')
        return CLI_DONE;
    const int code = cli_stream_answer(path, job->content, write_names, what);
    if (code != CLI_DONE)
        cli_say("%s: is written, without the names of its numbers", job->request->output);
    return code;
}

/* Prints in one line what the format cannot express. */
static void say_losses(const exported *what, cli_content content)
{
    const char *format = what->request->format != NULL ? what->request->format
                         : content == CLI_JSON_TEXT    ? "json"
                                                       : "csv";
    const ocelotl_losses *losses = &what->losses;
    for (size_t i = 0; i < losses->count; i++)
        cli_say("not said by %s: %s (%" PRIu64 ")", format, losses->losses[i].what,
                losses->losses[i].count);
}

static int export_events(cli_job *job)
{
    const ocelotl_request *request = job->request;
    char names[4096];
    exported what = {.request = request};
    int code = CLI_DONE;
    find_names(names, sizeof names, &what);
    job->told.watches_events = true;
    if (names[0] != '\0')
        code = cli_check_target(names, CLI_TEXT, request->force, request->operands[0]);
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE && request->with_parts)
        code = cli_code(ocelotl_session_partition(&what.partition, job->session, request));
    if (code == CLI_DONE)
        code =
            cli_code(ocelotl_session_events(&what.events, &what.selection, job->session, request));
    if (code == CLI_DONE) {
        cli_begin_step(&job->progress, &cli_reading);
        code = cli_stream_answer(request->output, job->content, write_events, &what);
        cli_end_step(&job->progress);
    }
    if (code == CLI_DONE)
        code = export_names(job, &what, names);
    if (code == CLI_DONE)
        say_losses(&what, job->content);
    ocelotl_partition_free(what.partition);
    ocelotl_events_free(what.events);
    return code;
}

static ocelotl_status write_matrix(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    (void)form;
    return ocelotl_model_write_csv(sink, of);
}

static int export_matrix(cli_job *job)
{
    const ocelotl_model *model = NULL;
    int code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    return code == CLI_DONE
               ? cli_stream_answer(job->request->output, job->content, write_matrix, (void *)model)
               : code;
}

int cli_export(cli_job *job)
{
    const exported what = {.request = job->request};
    return is_format(&what, "matrix") ? export_matrix(job) : export_events(job);
}

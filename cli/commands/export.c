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
    if (is_format(what, "perfetto"))
        return ocelotl_events_write_perfetto(sink, what->events, what->trace, what->partition,
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

/* What numbers stand for has a file of its own, beside one that is written: FILE.names. What the
 * format cannot express is said. */
static int export_events(cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *output = request->output;
    struct stat found;
    char names[4096] = "";
    exported what = {.request = request};
    int code = CLI_DONE;
    job->told.watches_events = true;
    if (is_picl(&what) && !cli_is_standard_output(output) &&
        strlen(output) + sizeof ".names" <= sizeof names &&
        (stat(output, &found) != 0 || S_ISREG(found.st_mode))) {
        snprintf(names, sizeof names, "%s.names", output);
        code = cli_check_target(names, CLI_TEXT, request->force, request->operands[0]);
    }
    if (code == CLI_DONE)
        code = cli_begin_trace(&what.trace, job);
    if (code == CLI_DONE && request->with_parts)
        code = cli_code(ocelotl_session_partition(&what.partition, job->session, request));
    if (code == CLI_DONE)
        code =
            cli_code(ocelotl_session_events(&what.events, &what.selection, job->session, request));
    if (code == CLI_DONE) {
        cli_begin_step(&job->progress, OCELOTL_STEP_READING);
        code = cli_stream_answer(output, job->content, write_events, &what);
        cli_end_step(&job->progress);
    }
    if (code == CLI_DONE && is_picl(&what) && names[0] == '\0')
        cli_say("%s says numbers for names; with -o FILE they are in FILE.names", request->format);
    if (code == CLI_DONE && names[0] != '\0') {
        code = cli_stream_answer(names, job->content, write_names, &what);
        if (code != CLI_DONE)
            cli_say("%s: is written, without the names of its numbers", output);
    }
    const char *format = request->format != NULL         ? request->format
                         : job->content == CLI_JSON_TEXT ? "json"
                                                         : "csv";
    for (size_t i = 0; code == CLI_DONE && i < what.losses.count; i++)
        cli_say("not said by %s: %s (%" PRIu64 ")", format, what.losses.losses[i].what,
                what.losses.losses[i].count);
    ocelotl_partition_free(what.partition);
    ocelotl_events_free(what.events);
    return code;
}

static ocelotl_status write_matrix(const ocelotl_sink *sink, ocelotl_form form, void *of)
{
    (void)form;
    return ocelotl_model_write_csv(sink, of);
}

int cli_export(cli_job *job)
{
    const exported what = {.request = job->request};
    const ocelotl_model *model = NULL;
    if (!is_format(&what, "matrix"))
        return export_events(job);
    int code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    return code == CLI_DONE
               ? cli_stream_answer(job->request->output, job->content, write_matrix, (void *)model)
               : code;
}

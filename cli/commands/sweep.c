/* ocelotl-cli sweep: the levels of detail, each an optimal partition over an interval of p. */
#include "shell.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status write_levels(const ocelotl_sink *sink, cli_job *job,
                                   const ocelotl_levels *levels)
{
    const ocelotl_aggregation *aggregation = NULL;
    if (job->content == CLI_JSON_TEXT)
        return ocelotl_levels_write_json(sink, levels);
    if (job->content == CLI_CSV_TEXT)
        return ocelotl_levels_write_csv(sink, levels);
    const ocelotl_status status =
        ocelotl_session_aggregation(&aggregation, job->session, job->request);
    return status == OCELOTL_OK ? ocelotl_levels_write_text(sink, levels, aggregation) : status;
}

/* The plot, beside the table: where that goes to a file it may go to standard output. */
static int draw(cli_job *job, const ocelotl_levels *levels)
{
    char *path = NULL;
    const ocelotl_request *request = job->request;
    const int code = cli_begin_picture(&path, job, request->plot, CLI_SVG, "", "");
    if (code != CLI_DONE)
        return code;
    return cli_end_picture(
        path, request->plot,
        ocelotl_session_render_levels(path, job->session, request, levels, &job->view));
}

/* The answer as it is printed is what is kept. It is made before the plot is drawn, so that little
 * is left to do once that is in its place. */
static int print(cli_job *job, const ocelotl_levels *levels, const char *question)
{
    ocelotl_buffer answer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&answer);
    int code = cli_code(write_levels(&sink, job, levels));
    if (code == CLI_DONE && job->request->plot != NULL)
        code = draw(job, levels);
    if (code == CLI_DONE) {
        ocelotl_session_keep_answer(job->session, job->request, question, answer.bytes,
                                    answer.size);
        code = cli_write_bytes(job->request->output, answer.bytes, answer.size);
    }
    ocelotl_buffer_free(&answer);
    return code;
}

static int find_levels(cli_job *job, const char *question)
{
    ocelotl_levels *levels = NULL;
    int code = cli_code(ocelotl_session_levels(&levels, job->session, job->request));
    if (code == CLI_DONE)
        code = print(job, levels, question);
    ocelotl_levels_free(levels);
    return code;
}

/* Checks early what would otherwise fail at the end of long work. */
static int check_plot(const cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *plot = request->plot;
    const bool printed = cli_is_standard_output(plot);
    const int code =
        cli_option_code(ocelotl_picture_check(printed ? NULL : plot, &job->view), "sweep");
    if (code != CLI_DONE)
        return code;
    if (printed && cli_is_standard_output(request->output))
        return cli_usage("sweep",
                         "the levels and --plot - both go to standard output, expected -o FILE");
    if (request->output != NULL && strcmp(plot, request->output) == 0 && !printed)
        return cli_usage("sweep", "-o and --plot name one file, %s", plot);
    return printed ? CLI_DONE
                   : cli_check_target(plot, (cli_content)cli_content_of_name(plot), request->force,
                                      request->operands[0]);
}

static int answer(cli_job *job)
{
    char question[32];
    snprintf(question, sizeof question, "sweep %s%s", job->request->all ? "all " : "",
             job->content == CLI_JSON_TEXT  ? "json"
             : job->content == CLI_CSV_TEXT ? "csv"
                                            : "table");
    char *known = job->request->plot == NULL
                      ? ocelotl_session_find_answer(job->session, job->request, question)
                      : NULL;
    const int code = known != NULL ? cli_write_bytes(job->request->output, known, strlen(known))
                                   : find_levels(job, question);
    free(known);
    return code;
}

int cli_sweep(cli_job *job)
{
    const ocelotl_model *model = NULL;
    int code = job->request->plot != NULL ? check_plot(job) : CLI_DONE;
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    return code == CLI_DONE ? answer(job) : code;
}

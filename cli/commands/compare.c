/* ocelotl-cli compare: two traces, or two windows of one, side by side. */
#include "shell.h"

#include <string.h>

/* What differs, and what to call the two. */
typedef struct difference {
    const ocelotl_comparison *comparison;
    ocelotl_phases *phases;
    const char *names[2];
    bool all;
} difference;

static bool is_difference(const cli_job *job)
{
    return job->view.view != NULL && strcmp(job->view.view, "difference") == 0;
}

/* Checks early what would otherwise fail at the end of long work. */
static int check(const cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *output = request->output;
    const bool printed = cli_is_standard_output(output);
    const int code = cli_option_code(
        is_difference(job)
            ? ocelotl_picture_check(printed ? NULL : output, &job->view)
            : ocelotl_overview_check(cli_picture_name(job), request->model.kind, &job->view),
        "compare");
    if (code == CLI_DONE && is_difference(job) && !cli_draws(job))
        return cli_usage("compare", "--view difference is a picture, expected -o FILE");
    return code != CLI_DONE || printed
               ? code
               : cli_check_target(output, job->content, request->force, request->operands[1]);
}

static ocelotl_status write_difference(const ocelotl_sink *sink, cli_content content, void *of)
{
    const difference *what = of;
    if (content == CLI_JSON_TEXT)
        return ocelotl_comparison_write_json(sink, what->comparison, what->phases, what->names);
    if (content == CLI_CSV_TEXT)
        return ocelotl_comparison_write_csv(sink, what->comparison, what->phases);
    return ocelotl_comparison_write_text(sink, what->comparison, what->phases, what->names,
                                         what->all);
}

static int draw(const cli_job *job, ocelotl_pair *pair)
{
    const ocelotl_comparison *comparison = ocelotl_pair_comparison(pair);
    ocelotl_trace *traces[] = {ocelotl_pair_trace(pair, 0), ocelotl_pair_trace(pair, 1)};
    const ocelotl_model *models[] = {ocelotl_comparison_model(comparison, 0),
                                     ocelotl_comparison_model(comparison, 1)};
    const char *path = job->request->output;
    if (is_difference(job))
        return cli_code(ocelotl_pair_render_difference(path, pair, &job->view));
    cli_say_unmatched(job, traces, models, 2);
    return cli_code(ocelotl_pair_render(path, pair, &job->view));
}

/* Beside a picture the table goes to standard output. It is made before, so that little is left to
 * do once the picture is in its place. */
static int write_output(const cli_job *job, ocelotl_pair *pair)
{
    const ocelotl_request *request = job->request;
    ocelotl_buffer table = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&table);
    difference what = {
        .comparison = ocelotl_pair_comparison(pair),
        .names = {cli_name_of(request->operands[0]), cli_name_of(request->operands[1])},
        .all = request->all};
    int code = cli_code(ocelotl_phases_find(&what.phases, what.comparison));
    if (code == CLI_DONE)
        code = cli_code(write_difference(&sink, job->content, &what));
    if (code == CLI_DONE && cli_draws(job))
        code = draw(job, pair);
    if (code == CLI_DONE)
        code = cli_write_bytes(cli_draws(job) ? NULL : request->output, table.bytes, table.size);
    ocelotl_buffer_free(&table);
    ocelotl_phases_free(what.phases);
    return code;
}

int cli_compare(cli_job *job)
{
    ocelotl_pair *pair = NULL;
    int code = check(job);
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_compare(&pair, job->session, job->request));
    if (code == CLI_DONE)
        code = write_output(job, pair);
    ocelotl_pair_free(pair);
    return code;
}

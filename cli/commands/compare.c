/* ocelotl-cli compare: two traces, or two windows of one, side by side. */
#include "compare_print.h"
#include "output.h"
#include "shell.h"
#include "visible.h"

#include <stdlib.h>
#include <string.h>

/* The two models, of which the second is like the first. */
typedef struct compared {
    ocelotl_session *second; /* freed by free_compared */
    ocelotl_request asked;   /* of the second; what it owns is the first's */
    ocelotl_trace *traces[2];
    const ocelotl_model *models[2];
    ocelotl_comparison *comparison;
} compared;

static void free_compared(compared *of)
{
    ocelotl_comparison_free(of->comparison);
    ocelotl_session_free(of->second);
}

static bool is_difference(const cli_job *job)
{
    return job->view.view != NULL && strcmp(job->view.view, "difference") == 0;
}

static int check_view(const cli_job *job)
{
    const ocelotl_request *request = job->request;
    const char *picture = cli_picture_name(job);
    if (!is_difference(job))
        return cli_option_code(ocelotl_overview_check(picture, request->model.kind, &job->view),
                               "compare");
    if (request->model.kind != OCELOTL_SPATIOTEMPORAL)
        return cli_usage(
            "compare",
            "--view difference is of a spatiotemporal partition, expected no other --kind");
    if (request->stretch)
        return cli_usage(
            "compare",
            "--view difference and --stretch exclude each other: both have as many slices");
    if (!cli_draws(job) && !cli_is_standard_output(request->output))
        return cli_option_code(ocelotl_picture_check(request->output, &job->view), "compare");
    if (!cli_draws(job))
        return cli_usage("compare", "--view difference is a picture, expected -o FILE");
    return cli_option_code(ocelotl_picture_check(picture, &job->view), "compare");
}

/* What would fail at the end of long work is said before it. */
static int check(const cli_job *job)
{
    const ocelotl_request *request = job->request;
    const int code = check_view(job);
    if (code != CLI_DONE || cli_is_standard_output(request->output))
        return code;
    return cli_check_target(request->output, job->content, request->force, request->operands[1]);
}

static ocelotl_status load(compared *of, cli_job *job)
{
    const ocelotl_request *request = job->request;
    const ocelotl_interval *window = &request->second_window;
    ocelotl_status status = ocelotl_session_model(&of->models[0], job->session, request);
    if (status != OCELOTL_OK)
        return status;
    (void)ocelotl_session_trace(&of->traces[0], job->session);
    of->asked = *request;
    of->asked.model.hierarchy.like = of->models[0];
    if (window->from.text != NULL || window->to.text != NULL)
        of->asked.window = *window;
    status = ocelotl_session_open(&of->second, request->operands[1], request, &job->told);
    if (status != OCELOTL_OK)
        return status;
    (void)ocelotl_session_trace(&of->traces[1], of->second);
    status = ocelotl_session_model(&of->models[1], of->second, &of->asked);
    if (status != OCELOTL_OK)
        return status;
    if (ocelotl_model_info_of(of->models[0]).empty && ocelotl_model_info_of(of->models[1]).empty &&
        ocelotl_request_hides(request))
        return ocelotl_session_explain(OCELOTL_ERROR_EMPTY, job->session, request);
    return ocelotl_compare_models(&of->comparison, of->models[0], of->models[1]);
}

static int print_table(const char *path, const cli_compared *of)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    cli_compare_table(output.stream, of);
    return cli_output_close(&output, path);
}

static int print_answer(const char *path, const cli_compared *of, bool json)
{
    ocelotl_buffer answer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&answer);
    const ocelotl_status status =
        json ? ocelotl_comparison_write_json(&sink, of->comparison, of->phases, of->names)
             : ocelotl_comparison_write_csv(&sink, of->comparison, of->phases);
    return cli_write_answer(path, &answer, cli_code(status));
}

/* Beside a picture the table goes to standard output. */
static int print(const cli_job *job, const compared *what)
{
    const ocelotl_request *request = job->request;
    const char *path = cli_draws(job) ? NULL : request->output;
    ocelotl_phases *phases = NULL;
    int code = cli_code(ocelotl_phases_find(&phases, what->comparison));
    const cli_compared of = {
        .models = {what->models[0], what->models[1]},
        .names = {cli_name_of(request->operands[0]), cli_name_of(request->operands[1])},
        .comparison = what->comparison,
        .phases = phases,
        .all = request->all};
    if (code == CLI_DONE)
        code = job->content == CLI_JSON_TEXT || job->content == CLI_CSV_TEXT
                   ? print_answer(path, &of, job->content == CLI_JSON_TEXT)
                   : print_table(path, &of);
    ocelotl_phases_free(phases);
    return code;
}

/* --- Pictures */

static ocelotl_status draw_both(const cli_job *job, compared *of, ocelotl_partition **partitions)
{
    const ocelotl_request *request = job->request;
    ocelotl_status status = ocelotl_session_partition(&partitions[0], job->session, request);
    if (status != OCELOTL_OK)
        return status;
    of->asked.detail = (ocelotl_detail){.kind = OCELOTL_DETAIL_P_RAW,
                                        .p = ocelotl_partition_info_of(partitions[0]).p_raw};
    status = ocelotl_session_partition(&partitions[1], of->second, &of->asked);
    if (status != OCELOTL_OK)
        return status;
    return ocelotl_compare_render(request->output, partitions[0], partitions[1], request->stretch,
                                  &job->view);
}

static int draw(const cli_job *job, compared *of)
{
    ocelotl_partition *partitions[2] = {NULL, NULL};
    cli_say_unmatched(job, of->traces, of->models, 2);
    const int code = cli_code(draw_both(job, of, partitions));
    ocelotl_partition_free(partitions[0]);
    ocelotl_partition_free(partitions[1]);
    return code;
}

/* Of a partition of both, so that nothing in it is a matter of where one of them was cut. */
static int draw_difference(const cli_job *job, const compared *of)
{
    const ocelotl_request *request = job->request;
    ocelotl_session *joint = NULL;
    ocelotl_model *model = NULL;
    ocelotl_partition *partition = NULL;
    const ocelotl_hierarchy_options *hierarchy = &request->model.hierarchy;
    const uint32_t max_groups = hierarchy->bare             ? 0
                                : hierarchy->max_groups > 0 ? hierarchy->max_groups
                                                            : OCELOTL_DEFAULT_MAX_GROUPS;
    ocelotl_status status = ocelotl_comparison_join(&model, of->comparison, max_groups);
    if (status == OCELOTL_OK)
        status = ocelotl_session_of_model(&joint, model, &job->told);
    if (status == OCELOTL_OK)
        status = ocelotl_session_partition(&partition, joint, request);
    if (status == OCELOTL_OK)
        status = ocelotl_difference_render(request->output, partition, &job->view);
    ocelotl_partition_free(partition);
    ocelotl_session_free(joint);
    return cli_code(status);
}

int cli_compare(cli_job *job)
{
    compared of = {.second = NULL};
    int code = check(job);
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(load(&of, job));
    if (code == CLI_DONE && is_difference(job))
        code = draw_difference(job, &of);
    else if (code == CLI_DONE && cli_draws(job))
        code = draw(job, &of);
    if (code == CLI_DONE)
        code = print(job, &of);
    free_compared(&of);
    return code;
}

/* ocelotl-cli [OPTIONS] TRACE: the overview. */
#include "output.h"
#include "shell.h"

#include <math.h>
#include <string.h>

/* The kind that a view is of: where several have one of its name, the first. */
static int take_kind_of_view(cli_job *job)
{
    ocelotl_request *request = job->request;
    const size_t count = ocelotl_view_count();
    const bool given = ocelotl_request_get(request, "kind") != NULL;
    size_t i = 0;
    if (job->view.view == NULL && job->view.type != NULL) {
        if (given && request->model.kind != OCELOTL_TEMPORAL)
            return cli_usage("overview", "--type is of a histogram, which is --kind temporal");
        job->view.view = "histogram";
    }
    if (given || job->view.view == NULL)
        return CLI_DONE;
    while (i < count && strcmp(ocelotl_view_at(i).name, job->view.view) != 0)
        i++;
    if (i < count)
        request->model.kind = ocelotl_view_at(i).kind;
    return CLI_DONE;
}

/* What would fail at the end of long work is said before it. */
static int check(const cli_job *job)
{
    const ocelotl_kind kind = job->request->model.kind;
    return cli_option_code(job->content == CLI_PAGE
                               ? ocelotl_report_check(job->request->output, kind, &job->view)
                               : ocelotl_overview_check(NULL, kind, &job->view),
                           "");
}

/* Seconds on the axis, or slices. */
static double instant_in(const ocelotl_instant *instant, const ocelotl_model_info *info)
{
    const double begin = info->has_time ? info->trace_begin : 0;
    const double end = info->has_time ? info->trace_end : info->slice_count;
    if (instant->percent)
        return begin + instant->value / 100 * (end - begin);
    return instant->base == OCELOTL_FROM_BEGINNING ? begin + instant->value : instant->value;
}

/* What is expanded, and a type, are known once there is a model. */
static int fit_to_model(cli_job *job, const ocelotl_model *model)
{
    const ocelotl_expansion *expansion = &job->request->expansion;
    const ocelotl_model_info info = ocelotl_model_info_of(model);
    ocelotl_trace *trace = NULL;
    uint32_t type;
    int code = job->request->view.type != NULL
                   ? cli_code(ocelotl_model_find_type(&type, model, job->request->view.type))
                   : CLI_DONE;
    if (code != CLI_DONE)
        return code;
    if (expansion->range) {
        job->view.expand_from = instant_in(&expansion->from, &info);
        job->view.expand_to = instant_in(&expansion->to, &info);
        if (!(job->view.expand_from < job->view.expand_to))
            return cli_wrong("--expand ends at %s, which is not after its begin, %s",
                             expansion->to.text, expansion->from.text);
    }
    code = cli_code(ocelotl_expansion_check(model, &job->view));
    (void)ocelotl_session_trace(&trace, job->session);
    if (code == CLI_DONE)
        cli_say_unmatched(job, &trace, &model, 1);
    return code;
}

static int draw(cli_job *job, const ocelotl_model *model, const ocelotl_partition *partition)
{
    char *path = NULL;
    ocelotl_partition *whole = NULL;
    int code = cli_begin_picture(&path, job, job->request->output, job->content,
                                 ocelotl_model_info_of(model).name, "");
    if (code != CLI_DONE)
        return code;
    ocelotl_status status = ocelotl_session_whole(&whole, job->session, job->request);
    job->view.whole = whole;
    if (status == OCELOTL_OK)
        status = ocelotl_overview_render(path, partition, &job->view);
    code = cli_end_picture(path, job->request->output, status);
    ocelotl_partition_free(whole);
    return code;
}

/* --- A page of all levels */

/* Not a number is auto, which the levels themselves mark. */
static ocelotl_status find_p(double *p, const cli_job *job)
{
    const ocelotl_detail *detail = &job->request->detail;
    ocelotl_partition *partition = NULL;
    *p = detail->kind == OCELOTL_DETAIL_P ? detail->p : (double)NAN;
    if (detail->kind == OCELOTL_DETAIL_P || detail->kind == OCELOTL_DETAIL_AUTO)
        return OCELOTL_OK;
    const ocelotl_status status = ocelotl_session_partition(&partition, job->session, job->request);
    if (status == OCELOTL_OK)
        *p = ocelotl_partition_info_of(partition).p;
    ocelotl_partition_free(partition);
    return status;
}

static ocelotl_status draw_levels(cli_job *job, const ocelotl_levels *levels, double p)
{
    const ocelotl_aggregation *aggregation = NULL;
    ocelotl_part_command *commands = NULL;
    ocelotl_partition *whole = NULL;
    ocelotl_trace *trace = NULL;
    size_t count = 0;
    ocelotl_status status = OCELOTL_OK;
    if (ocelotl_session_trace(&trace, job->session) == OCELOTL_OK)
        status = ocelotl_part_commands_make(&commands, &count, job->line);
    if (status == OCELOTL_OK)
        status = ocelotl_session_whole(&whole, job->session, job->request);
    if (status == OCELOTL_OK)
        status = ocelotl_session_aggregation(&aggregation, job->session, job->request);
    job->view.whole = whole;
    job->view.part_commands = commands;
    job->view.part_command_count = count;
    if (status == OCELOTL_OK) {
        cli_begin_step(&job->progress, &cli_drawing_levels);
        status = ocelotl_report_render(job->request->output, aggregation, levels, p, &job->view);
        cli_end_step(&job->progress);
    }
    ocelotl_partition_free(whole);
    ocelotl_part_commands_free(commands, count);
    return status;
}

static int write_page(cli_job *job)
{
    ocelotl_levels *levels = NULL;
    double p = (double)NAN;
    ocelotl_status status = find_p(&p, job);
    if (status == OCELOTL_OK)
        status = ocelotl_session_levels(&levels, job->session, job->request);
    if (status == OCELOTL_OK)
        status = draw_levels(job, levels, p);
    ocelotl_levels_free(levels);
    return cli_code(status);
}

/* A page needs no partition, but the levels. */
static int write_output(cli_job *job, const ocelotl_model *model)
{
    ocelotl_partition *partition = NULL;
    if (job->content == CLI_PAGE)
        return write_page(job);
    int code = cli_code(ocelotl_session_partition(&partition, job->session, job->request));
    if (code == CLI_DONE)
        code = job->content == CLI_JSON_TEXT
                   ? cli_write_partition_json(job->request->output, partition)
                   : draw(job, model, partition);
    ocelotl_partition_free(partition);
    return code;
}

int cli_overview(cli_job *job)
{
    const ocelotl_model *model = NULL;
    int code = take_kind_of_view(job);
    if (code == CLI_DONE)
        code = check(job);
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    if (code == CLI_DONE)
        code = fit_to_model(job, model);
    return code == CLI_DONE ? write_output(job, model) : code;
}

/* ocelotl-cli sweep: the levels of detail, each an optimal partition over an interval of p. */
#include "json.h"
#include "output.h"
#include "shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static void print_number(FILE *file, size_t number)
{
    if (number > 0)
        fprintf(file, "%5zu", number);
    else
        fprintf(file, "%5s", "-");
}

static void print_table(FILE *file, const ocelotl_levels *levels,
                        const ocelotl_aggregation *aggregation)
{
    const ocelotl_levels_info info = ocelotl_levels_info_of(levels);
    const double gain = ocelotl_aggregation_whole_gain(aggregation);
    const double loss = ocelotl_aggregation_whole_loss(aggregation);
    bool beyond = false; /* the list */
    fprintf(file, "%5s %12s %14s %14s %9s %9s %9s  %s\n", "level", "p", "from", "to", "parts",
            "gain %", "loss %", "plateau");
    for (size_t i = 0; i < info.count; i++) {
        const ocelotl_level level = ocelotl_levels_at(levels, i);
        print_number(file, level.number);
        beyond |= level.number == 0;
        fprintf(file, " %12s %14.8g %14.8g %9zu %9.3f %9.3f", cli_digits(level.p).text,
                level.p_from, level.p_to, level.parts, percent(level.gain, gain),
                percent(level.loss, loss));
        if (level.plateau > 0)
            fprintf(file, "  %zu", level.plateau);
        fprintf(file, "%s\n", level.automatic ? "  auto" : "");
    }
    fprintf(file, "A number on the right marks the level that stands for a plateau of p, the most "
                  "aggregated being 1;\n"
                  "auto is the level that is shown where no p is given.\n");
    if (beyond)
        fprintf(file, "A level on the left has the number that --level takes, as without --all.\n");
    if (info.complete)
        fprintf(file, "These are all levels.\n");
    else
        fprintf(
            file,
            "%zu intervals between these may hide further levels; at its own p none of those is "
            "better than the\n"
            "listed ones by more than %.2g of what the whole is worth. --all lists every level.\n",
            info.untested, info.largest_gap);
}

static int print_again(const char *answer, const cli_job *job)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    fputs(answer, output.stream);
    return cli_output_close(&output, job->request->output);
}

/* The answer as it is printed is what is kept. */
static int print_text(cli_job *job, const ocelotl_levels *levels, const char *question)
{
    const ocelotl_aggregation *aggregation = NULL;
    cli_output output = {0};
    const int code =
        cli_code(ocelotl_session_aggregation(&aggregation, job->session, job->request));
    if (code != CLI_DONE)
        return code;
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    print_table(output.stream, levels, aggregation);
    if (fflush(output.stream) == 0 && ferror(output.stream) == 0)
        ocelotl_session_keep_answer(job->session, job->request, question, output.bytes,
                                    output.length);
    return cli_output_close(&output, job->request->output);
}

static int print(cli_job *job, const ocelotl_levels *levels, const char *question)
{
    ocelotl_buffer answer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&answer);
    const bool json = job->content == CLI_JSON_TEXT;
    if (!json && job->content != CLI_CSV_TEXT)
        return print_text(job, levels, question);
    const int code = cli_code(json ? ocelotl_levels_write_json(&sink, levels)
                                   : ocelotl_levels_write_csv(&sink, levels));
    if (code == CLI_DONE)
        ocelotl_session_keep_answer(job->session, job->request, question, answer.bytes,
                                    answer.size);
    return cli_write_answer(job->request->output, &answer, code);
}

/* The plot, beside the table: where that goes to a file it may go to standard output. */
static int draw(cli_job *job, const ocelotl_levels *levels)
{
    const ocelotl_request *request = job->request;
    const ocelotl_aggregation *aggregation = NULL;
    const double p = request->detail.kind == OCELOTL_DETAIL_P ? request->detail.p : (double)NAN;
    char *path = NULL;
    int code = cli_begin_picture(&path, job, request->plot, CLI_SVG, "", "");
    if (code != CLI_DONE)
        return code;
    ocelotl_status status = ocelotl_session_aggregation(&aggregation, job->session, request);
    if (status == OCELOTL_OK)
        status = ocelotl_curves_render(path, levels, aggregation, p, &job->view);
    return cli_end_picture(path, request->plot, status);
}

static int find_levels(cli_job *job, const char *question)
{
    ocelotl_levels *levels = NULL;
    int code = cli_code(ocelotl_session_levels(&levels, job->session, job->request));
    if (code == CLI_DONE)
        code = print(job, levels, question);
    if (code == CLI_DONE && job->request->plot != NULL)
        code = draw(job, levels);
    ocelotl_levels_free(levels);
    return code;
}

/* --- The command */

/* p is of a plot, where it is marked, or says of which partition a part is. */
static int check_p(const ocelotl_request *request)
{
    const char *option = request->detail.option;
    if (option == NULL || request->zoom_count > 0)
        return CLI_DONE;
    if (strcmp(option, "p") != 0)
        return cli_usage("sweep", "--%s is of a part, but there is no --zoom", option);
    return request->plot != NULL
               ? CLI_DONE
               : cli_usage("sweep",
                           "--p is of a picture or a part, but there is no --plot and no --zoom");
}

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

/* What would fail at the end of long work is said before it. */
static int check(const cli_job *job)
{
    const char *option = ocelotl_request_first_of(job->request, "Picture");
    if (job->request->plot == NULL && option != NULL)
        return cli_usage("sweep", "--%s is of a picture, but there is no --plot", option);
    const int code = check_p(job->request);
    return code != CLI_DONE || job->request->plot == NULL ? code : check_plot(job);
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
    const int code = known != NULL ? print_again(known, job) : find_levels(job, question);
    free(known);
    return code;
}

int cli_sweep(cli_job *job)
{
    const ocelotl_model *model = NULL;
    int code = check(job);
    if (code == CLI_DONE)
        code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_model(&model, job->session, job->request));
    return code == CLI_DONE ? answer(job) : code;
}

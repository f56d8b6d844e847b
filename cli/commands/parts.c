/* ocelotl-cli parts: the parts of a partition as a list, with the numbers by which they are asked
 * for. */
#define _GNU_SOURCE
#include "output.h"
#include "shell.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- What there is to say of a part */

/* Parts in the order of the list, and what they are of. */
typedef struct part_list {
    FILE *file;
    const ocelotl_partition *partition;
    const ocelotl_model *model;
    ocelotl_model_info info;
    size_t count;
    size_t *order;
    size_t node_width;
} part_list;

static double slice_time(const part_list *list, uint32_t slice)
{
    return list->info.begin + (list->info.end - list->info.begin) * slice / list->info.slice_count;
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/* --- The table */

static void print_head(const part_list *list)
{
    if (list->info.has_time)
        fprintf(list->file, "%6s  %-*s %14s %14s", "part", (int)list->node_width, "node",
                "begin (s)", "end (s)");
    else
        fprintf(list->file, "%6s  %-*s %14s %14s", "part", (int)list->node_width, "node",
                "first slice", "last slice");
    fprintf(list->file, " %7s %8s %8s %8s  %s\n", "leaves", "gain %", "loss %", "share", "state");
}

static void print_row(const part_list *list, size_t number)
{
    const ocelotl_partition_info whole = ocelotl_partition_info_of(list->partition);
    const ocelotl_part part = ocelotl_partition_part_at(list->partition, number);
    const ocelotl_leading_type leading = ocelotl_partition_leading_type(list->partition, number);
    const bool none = leading.type == OCELOTL_NONE;
    const char *path = ocelotl_model_node_at(list->model, part.node).path;
    fprintf(list->file, "%6zu  ", number);
    cli_write_column(list->file, path[0] != '\0' ? path : "(whole)", list->node_width);
    if (list->info.has_time)
        fprintf(list->file, " %14.9g %14.9g", slice_time(list, part.first),
                slice_time(list, part.last + 1));
    else
        fprintf(list->file, " %14" PRIu32 " %14" PRIu32, part.first, part.last);
    fprintf(list->file, " %7" PRIu32 " %8.3f %8.3f", part.leaves,
            100 * share_of(part.gain, whole.whole_gain),
            100 * share_of(part.loss, whole.whole_loss));
    if (none)
        fprintf(list->file, " %8s  ", "-");
    else if (list->info.has_time && strcmp(list->info.unit, "share") != 0)
        fprintf(list->file, " %8.4g  ", leading.share);
    else
        fprintf(list->file, " %7.2f%%  ", 100 * leading.share);
    cli_write_visible(list->file,
                      none ? "(none)" : ocelotl_model_type_at(list->model, leading.type).name);
    fputc('\n', list->file);
}

/* --- The command */

static void find_node_width(part_list *list)
{
    enum { LEAST = 7, MOST = 60 };
    list->node_width = LEAST;
    for (size_t i = 0; i < list->count; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(list->partition, i);
        const size_t width = cli_visible_width(ocelotl_model_node_at(list->model, part.node).path);
        if (width > list->node_width)
            list->node_width = width < MOST ? width : MOST;
    }
}

static int print_table(part_list *list, const cli_job *job)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    list->file = output.stream;
    find_node_width(list);
    print_head(list);
    for (size_t i = 0; i < list->count; i++)
        print_row(list, list->order[i]);
    return cli_output_close(&output, job->request->output);
}

static ocelotl_parts_order sort_of(const cli_job *job)
{
    return (ocelotl_parts_order)job->request->sort;
}

static int answer_table(const ocelotl_partition *partition, const cli_job *job)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    part_list list = {.partition = partition,
                      .model = model,
                      .info = ocelotl_model_info_of(model),
                      .count = ocelotl_partition_info_of(partition).part_count};
    list.order = malloc((list.count + 1) * sizeof *list.order);
    if (list.order == NULL)
        return cli_memory();
    int code = cli_code(ocelotl_partition_order(list.order, partition, sort_of(job)));
    if (code == CLI_DONE)
        code = print_table(&list, job);
    free(list.order);
    return code;
}

static int answer(const ocelotl_partition *partition, const cli_job *job)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    const bool json = job->content == CLI_JSON_TEXT;
    if (!json && job->content != CLI_CSV_TEXT)
        return answer_table(partition, job);
    const int code = cli_code(json ? ocelotl_parts_write_json(&sink, partition, sort_of(job))
                                   : ocelotl_parts_write_csv(&sink, partition, sort_of(job)));
    return cli_write_answer(job->request->output, &made, code);
}

int cli_parts(cli_job *job)
{
    ocelotl_partition *partition = NULL;
    int code = cli_begin_session(job);
    if (code == CLI_DONE)
        code = cli_code(ocelotl_session_partition(&partition, job->session, job->request));
    if (code == CLI_DONE)
        code = answer(partition, job);
    ocelotl_partition_free(partition);
    return code;
}

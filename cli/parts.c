/* ocelotl-cli parts: the parts of a partition as a list, with the numbers by which they are asked
 * for. */
#define _GNU_SOURCE
#include "command_line.h"
#include "output.h"
#include "visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_SORT = CLI_OWN_OPTION };

static const struct option long_options[] = {
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    {"sort", required_argument, NULL, OPTION_SORT},
    {"csv", no_argument, NULL, CLI_CSV},
    {"json", no_argument, NULL, CLI_JSON},
    CLI_OUTPUT_OPTIONS,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_parts_options = long_options;

typedef struct parts_request {
    cli_request common;
    ocelotl_parts_order order;
} parts_request;

static void help(FILE *file)
{
    fprintf(file, "Usage: ocelotl-cli parts [OPTIONS] TRACE\n\n"
                  "Lists the parts of the partition that the overview draws with the same options: "
                  "the number by which "
                  "--zoom\n"
                  "and --part ask for it, when and where it is, its leaves, the state it is in "
                  "most and that state's "
                  "share, and\n"
                  "gain and loss of drawing it as one, as shares of the whole's. The kind is that "
                  "of the picture (see\n"
                  "ocelotl-cli overview --help views).\n\n"
                  "  --sort id|gain|loss   by number (default), or the largest gain or loss first\n"
                  "  --csv                 print CSV instead of a table\n"
                  "  --json                print JSON instead of a table\n"
                  "  -o, --output FILE     write to a file (.csv, .json, .txt: the table) instead "
                  "of standard "
                  "output\n" CLI_FORCE_HELP CLI_P_HELP CLI_ZOOM_HELP);
    fprintf(file, CLI_MODEL_HELP);
    fprintf(file, "\nExamples:\n"
                  "  ocelotl-cli parts --sort loss trace.db\n"
                  "  ocelotl-cli gantt --part 17 trace.db -o gantt.svg\n");
}

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
    const ocelotl_partition_info whole = ocelotl_partition_get_info(list->partition);
    const ocelotl_part part = ocelotl_partition_part(list->partition, number);
    const ocelotl_leading_type leading = ocelotl_partition_leading_type(list->partition, number);
    const bool none = leading.type == OCELOTL_NONE;
    const char *path = ocelotl_model_node(list->model, part.node).path;
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
                      none ? "(none)" : ocelotl_model_type(list->model, leading.type).name);
    fputc('\n', list->file);
}

/* --- The command */

static void find_node_width(part_list *list)
{
    enum { LEAST = 7, MOST = 60 };
    list->node_width = LEAST;
    for (size_t i = 0; i < list->count; i++) {
        const ocelotl_part part = ocelotl_partition_part(list->partition, i);
        const size_t width = cli_visible_width(ocelotl_model_node(list->model, part.node).path);
        if (width > list->node_width)
            list->node_width = width < MOST ? width : MOST;
    }
}

static int print_table(part_list *list, const parts_request *request)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    list->file = output.stream;
    find_node_width(list);
    print_head(list);
    for (size_t i = 0; i < list->count; i++)
        print_row(list, list->order[i]);
    return cli_output_close(&output, request->common.output);
}

static int answer_table(const ocelotl_partition *partition, const parts_request *request)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    part_list list = {.partition = partition,
                      .model = model,
                      .info = ocelotl_model_get_info(model),
                      .count = ocelotl_partition_get_info(partition).part_count};
    list.order = malloc((list.count + 1) * sizeof *list.order);
    int code = list.order == NULL
                   ? cli_memory()
                   : cli_code(ocelotl_partition_order(list.order, partition, request->order));
    if (code == CLI_DONE)
        code = print_table(&list, request);
    free(list.order);
    return code;
}

static int answer(const ocelotl_partition *partition, const parts_request *request)
{
    ocelotl_buffer made = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&made);
    const bool json = request->common.content == CLI_JSON_TEXT;
    if (!json && request->common.content != CLI_CSV_TEXT)
        return answer_table(partition, request);
    const int code = cli_code(json ? ocelotl_parts_write_json(&sink, partition, request->order)
                                   : ocelotl_parts_write_csv(&sink, partition, request->order));
    return cli_write_answer(request->common.output, &made, code);
}

static int run(void *given)
{
    parts_request *request = given;
    cli_request *common = &request->common;
    cli_loaded loaded = {0};
    ocelotl_partition *partition = NULL;
    int code = cli_load_zoomed(&loaded, common->operands[0], &common->zooms, &common->model,
                               &common->which);
    if (code == CLI_DONE)
        code = cli_measure(&loaded);
    if (code == CLI_DONE)
        code = cli_solve(&partition, &loaded, &common->which);
    if (code == CLI_DONE)
        code = answer(partition, request);
    ocelotl_partition_free(partition);
    cli_loaded_free(&loaded);
    return code;
}

static bool take_option(int *code, void *given, int option)
{
    static const char *const words[] = {"id", "gain", "loss"};
    parts_request *request = given;
    if (option != OPTION_SORT)
        return false;
    const int word = cli_read_word(optarg, words, 3, "sort", "parts");
    request->order = word >= 0 ? (ocelotl_parts_order)word : OCELOTL_PARTS_BY_NUMBER;
    *code = word >= 0 ? CLI_DONE : CLI_USAGE;
    return true;
}

int cli_parts(int argc, char **argv)
{
    static const cli_command_line line = {"parts", long_options, help,      take_option,
                                          NULL,    run,          CLI_TABLES};
    parts_request request = {.common = CLI_REQUEST_INIT};
    return cli_run_command_line(&line, &request.common, argc, argv);
}

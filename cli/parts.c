/* ocelotl-cli parts: the parts of a partition as a list, with the numbers by which they are asked
 * for. */
#define _GNU_SOURCE
#include "command_line.h"
#include "json.h"
#include "output.h"
#include "partition_json.h"
#include "stream.h"
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

typedef enum sort_by { BY_NUMBER, BY_GAIN, BY_LOSS } sort_by;

typedef struct parts_request {
    cli_request common;
    sort_by sort;
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

typedef struct leading_type {
    const char *name; /* NULL: none */
    double share;
} leading_type;

/* As in the picture: the largest that is traced; of a matrix as a share of all. */
static leading_type find_leading(const part_list *list, const ocelotl_part *part)
{
    leading_type leading = {NULL, 0};
    double sum = 0;
    for (uint32_t type = 0; type < list->info.type_count; type++) {
        sum += part->shares[type];
        if (part->shares[type] > leading.share && !ocelotl_model_type(list->model, type).untraced)
            leading =
                (leading_type){ocelotl_model_type(list->model, type).name, part->shares[type]};
    }
    if (!list->info.has_time && sum > 0)
        leading.share /= sum;
    return leading;
}

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
    const leading_type leading = find_leading(list, &part);
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
    if (leading.name == NULL)
        fprintf(list->file, " %8s  ", "-");
    else if (list->info.has_time && strcmp(list->info.unit, "share") != 0)
        fprintf(list->file, " %8.4g  ", leading.share);
    else
        fprintf(list->file, " %7.2f%%  ", 100 * leading.share);
    cli_write_visible(list->file, leading.name != NULL ? leading.name : "(none)");
    fputc('\n', list->file);
}

/* --- CSV and JSON */

static void csv_text(FILE *file, const char *text)
{
    cli_csv_cell(file, text, strlen(text));
    fputc(',', file);
}

/* As a list in JSON: paths may hold any letter. */
static void csv_resources(const part_list *list, const ocelotl_part *part)
{
    cli_output cell = {0};
    if (!cli_output_open(&cell)) {
        cli_output_lacks(CLI_INTERNAL);
        return;
    }
    cli_part_resources_json(cell.stream, list->model, part);
    const bool whole = cli_close_memory(cell.stream);
    if (!whole)
        cli_output_lacks(cli_memory());
    const char *array = whole && cell.bytes != NULL ? strchr(cell.bytes, '[') : NULL;
    if (array != NULL)
        cli_csv_cell(list->file, array, strlen(array));
    fputc('\n', list->file);
    free(cell.bytes);
}

static void csv_row(const part_list *list, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part(list->partition, number);
    const leading_type leading = find_leading(list, &part);
    fprintf(list->file, "%zu,", number);
    csv_text(list->file, ocelotl_model_node(list->model, part.node).path);
    fprintf(list->file, "%" PRIu32 ",%" PRIu32 ",", part.first, part.last);
    if (list->info.has_time)
        fprintf(list->file, "%s,", cli_digits(slice_time(list, part.first)).text);
    if (list->info.has_time)
        fprintf(list->file, "%s,", cli_digits(slice_time(list, part.last + 1)).text);
    fprintf(list->file, "%s%" PRIu32 ",", list->info.has_time ? "" : ",,", part.leaves);
    csv_text(list->file, leading.name != NULL ? leading.name : "");
    fprintf(list->file, "%s,", cli_digits(leading.share).text);
    fprintf(list->file, "%s,", cli_digits(part.gain).text);
    fprintf(list->file, "%s,", cli_digits(part.loss).text);
    csv_resources(list, &part);
}

static void json_number(const part_list *list, const char *key, double number)
{
    fprintf(list->file, ",\"%s\":", key);
    cli_json_number(list->file, number);
}

/* Ticks are what a window is made of exactly. */
static void json_place(const part_list *list, const ocelotl_part *part)
{
    ocelotl_place place = {0};
    if (!list->info.has_time)
        return;
    const ocelotl_status status =
        ocelotl_model_place(&place, list->model, part->node, part->first, part->last);
    if (status != OCELOTL_OK) {
        cli_output_lacks(cli_fail(status));
        return;
    }
    json_number(list, "begin", slice_time(list, part->first));
    json_number(list, "end", slice_time(list, part->last + 1));
    fprintf(list->file, ",\"from_tick\":%" PRId64 ",\"to_tick\":%" PRId64, place.from, place.to);
    ocelotl_place_free(&place);
}

static void json_row(const part_list *list, size_t number)
{
    const ocelotl_part part = ocelotl_partition_part(list->partition, number);
    const leading_type leading = find_leading(list, &part);
    fprintf(list->file, "{\"id\":%zu,\"node\":", number);
    cli_json_string(list->file, ocelotl_model_node(list->model, part.node).path);
    cli_part_resources_json(list->file, list->model, &part);
    fprintf(list->file, ",\"first\":%" PRIu32 ",\"last\":%" PRIu32 ",\"leaves\":%" PRIu32,
            part.first, part.last, part.leaves);
    json_place(list, &part);
    fprintf(list->file, ",\"state\":");
    if (leading.name != NULL)
        cli_json_string(list->file, leading.name);
    else
        fprintf(list->file, "null");
    json_number(list, "share", leading.share);
    json_number(list, "gain", part.gain);
    json_number(list, "loss", part.loss);
    fprintf(list->file, "}");
}

static void print_json(const part_list *list)
{
    const ocelotl_partition_info info = ocelotl_partition_get_info(list->partition);
    fprintf(list->file, "{\"kind\":\"%s\"", cli_kind_name(info.kind));
    json_number(list, "p", info.p);
    json_number(list, "gain", info.gain);
    json_number(list, "loss", info.loss);
    json_number(list, "whole_gain", info.whole_gain);
    json_number(list, "whole_loss", info.whole_loss);
    fprintf(list->file, ",\"parts\":[");
    for (size_t i = 0; i < list->count; i++) {
        fprintf(list->file, i > 0 ? ",\n" : "\n");
        json_row(list, list->order[i]);
    }
    fprintf(list->file, "]}\n");
}

/* --- The order */

typedef struct ranked_part {
    double size;
    size_t number;
} ranked_part;

static int compare(const void *a, const void *b)
{
    const ranked_part *left = a;
    const ranked_part *right = b;
    if (left->size > right->size || left->size < right->size)
        return left->size > right->size ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

static bool find_order(part_list *list, sort_by sort)
{
    ranked_part *ranked = malloc((list->count + 1) * sizeof *ranked);
    list->order = malloc((list->count + 1) * sizeof *list->order);
    for (size_t i = 0; ranked != NULL && i < list->count; i++) {
        const ocelotl_part part = ocelotl_partition_part(list->partition, i);
        ranked[i] = (ranked_part){sort == BY_GAIN ? part.gain : sort == BY_LOSS ? part.loss : 0, i};
    }
    if (ranked != NULL)
        qsort(ranked, list->count, sizeof *ranked, compare);
    for (size_t i = 0; ranked != NULL && list->order != NULL && i < list->count; i++)
        list->order[i] = ranked[i].number;
    const bool good = ranked != NULL && list->order != NULL;
    free(ranked);
    return good;
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

static void print_list(part_list *list, const parts_request *request)
{
    const bool csv = request->common.content == CLI_CSV_TEXT;
    if (request->common.content == CLI_JSON_TEXT) {
        print_json(list);
        return;
    }
    find_node_width(list);
    if (csv)
        fprintf(list->file,
                "id,node,first,last,begin,end,leaves,state,share,gain,loss,resources\n");
    else
        print_head(list);
    for (size_t i = 0; i < list->count; i++)
        (csv ? csv_row : print_row)(list, list->order[i]);
}

static int answer(const ocelotl_partition *partition, const parts_request *request)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    cli_output output = {0};
    part_list list = {.partition = partition,
                      .model = model,
                      .info = ocelotl_model_get_info(model),
                      .count = ocelotl_partition_get_info(partition).part_count};
    int code = CLI_INTERNAL;
    if (!find_order(&list, request->sort)) {
        code = cli_memory();
    } else if (cli_output_open(&output)) {
        list.file = output.stream;
        print_list(&list, request);
        code = cli_output_close(&output, request->common.output);
    }
    free(list.order);
    return code;
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
    request->sort = word >= 0 ? (sort_by)word : BY_NUMBER;
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

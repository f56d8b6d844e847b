#include "partition_json.h"

#include "json.h"
#include "output.h"

#include <math.h>
#include <stdlib.h>

const char *cli_kind_name(ocelotl_kind kind)
{
    return kind == OCELOTL_TEMPORAL  ? "temporal"
           : kind == OCELOTL_SPATIAL ? "spatial"
                                     : "spatiotemporal";
}

static void number(FILE *file, const char *key, double value)
{
    fprintf(file, ",\"%s\":", key);
    cli_json_number(file, value);
}

static double slice_time(const ocelotl_model_info *info, uint32_t slice)
{
    return info->begin + (info->end - info->begin) * slice / info->slice_count;
}

static void shares(FILE *file, const ocelotl_model *model, const ocelotl_part *part,
                   uint32_t type_count)
{
    bool first = true;
    fprintf(file, ",\"shares\":{");
    for (uint32_t x = 0; x < type_count; x++) {
        if (!(part->shares[x] > 0))
            continue;
        fprintf(file, "%s", first ? "" : ",");
        cli_json_string(file, ocelotl_model_type(model, x).name);
        fprintf(file, ":");
        cli_json_number(file, part->shares[x]);
        first = false;
    }
    fprintf(file, "}");
}

/* What is drawn where it is not the mean of cells. */
static void values(FILE *file, const ocelotl_model *model, const ocelotl_part *part, double *drawn,
                   uint32_t type_count)
{
    bool first = true;
    fprintf(file, ",\"values\":{");
    const ocelotl_status status =
        ocelotl_model_values(drawn, model, part->node, part->first, part->last);
    if (status != OCELOTL_OK)
        cli_output_lacks(cli_fail(status));
    for (uint32_t x = 0; status == OCELOTL_OK && x < type_count; x++) {
        if (isnan(drawn[x]))
            continue;
        fprintf(file, "%s", first ? "" : ",");
        cli_json_string(file, ocelotl_model_type(model, x).name);
        fprintf(file, ":");
        cli_json_number(file, drawn[x]);
        first = false;
    }
    fprintf(file, "}");
}

void cli_part_resources_json(FILE *file, const ocelotl_model *model, const ocelotl_part *part)
{
    ocelotl_place place = {0};
    if (!ocelotl_model_node(model, part->node).alike)
        return;
    fprintf(file, ",\"resources\":[");
    const ocelotl_status status =
        ocelotl_model_place(&place, model, part->node, part->first, part->last);
    if (status != OCELOTL_OK)
        cli_output_lacks(cli_fail(status));
    for (size_t i = 0; i < place.resources.count; i++) {
        fprintf(file, "%s", i > 0 ? "," : "");
        cli_json_string(file, place.resources.names[i]);
    }
    fprintf(file, "]");
    ocelotl_place_free(&place);
}

static void part_json(FILE *file, const ocelotl_model *model, const ocelotl_model_info *info,
                      const ocelotl_part *part, size_t id, double *drawn)
{
    fprintf(file, "%s\n{\"id\":%zu,\"node\":", id > 0 ? "," : "", id);
    cli_json_string(file, ocelotl_model_node(model, part->node).path);
    cli_part_resources_json(file, model, part);
    fprintf(file, ",\"first\":%u,\"last\":%u,\"leaves\":%u", part->first, part->last, part->leaves);
    if (info->has_time) {
        number(file, "begin", slice_time(info, part->first));
        number(file, "end", slice_time(info, part->last + 1));
    }
    number(file, "gain", part->gain);
    number(file, "loss", part->loss);
    shares(file, model, part, info->type_count);
    if (!info->additive)
        values(file, model, part, drawn, info->type_count);
    fprintf(file, "}");
}

/* What the model is of: a part of a trace, or all of it. */
static void window_json(FILE *file, const ocelotl_model *model, const ocelotl_model_info *info)
{
    number(file, "begin", info->begin);
    number(file, "end", info->end);
    number(file, "trace_begin", info->trace_begin);
    number(file, "trace_end", info->trace_end);
    fprintf(file, ",\"zoomed\":%s,\"resources\":[", info->zoomed ? "true" : "false");
    for (uint32_t i = 0; i < info->resource_count; i++) {
        fprintf(file, "%s", i > 0 ? "," : "");
        cli_json_string(file, ocelotl_model_resource(model, i));
    }
    fprintf(file, "],\"metric\":");
    cli_json_string(file, info->metric);
    fprintf(file, ",\"unit\":");
    cli_json_string(file, info->unit);
    fprintf(file, ",\"filters\":");
    cli_json_string(file, info->filters);
    fprintf(file, ",\"grouping\":");
    cli_json_string(file, info->grouping);
}

static void print_partition(FILE *file, const ocelotl_partition *partition)
{
    const ocelotl_partition_info info = ocelotl_partition_get_info(partition);
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info model_info = ocelotl_model_get_info(model);
    fprintf(file, "{\"kind\":\"%s\"", cli_kind_name(info.kind));
    number(file, "p", info.p);
    number(file, "p_raw", info.p_raw);
    number(file, "pIC", info.pic);
    number(file, "gain", info.gain);
    number(file, "loss", info.loss);
    if (model_info.has_time)
        window_json(file, model, &model_info);
    double *drawn = malloc((model_info.type_count + 1) * sizeof *drawn);
    if (drawn == NULL)
        cli_output_lacks(cli_memory());
    fprintf(file, ",\"parts\":[");
    for (size_t i = 0; drawn != NULL && i < info.part_count; i++) {
        const ocelotl_part part = ocelotl_partition_part(partition, i);
        part_json(file, model, &model_info, &part, i, drawn);
    }
    free(drawn);
    fprintf(file, "]}\n");
}

bool cli_wants_partition_json(const cli_request *request)
{
    return request->content == CLI_JSON_TEXT;
}

int cli_write_partition_json(const char *path, const ocelotl_partition *partition)
{
    cli_output output = {0};
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    print_partition(output.stream, partition);
    return cli_output_close(&output, path);
}

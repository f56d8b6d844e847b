/* A partition with all that it is of. */
#include "answer/answer.h"

#include "base/memory.h"
#include "base/options.h"
#include "look/shading.h"
#include "look/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `drawn` has room for every type: for values that are drawn and are not means of cells. */
static ocelotl_status add_part(oc_json *json, const ocelotl_model *model,
                               const ocelotl_model_info *info, const ocelotl_part *part, size_t id,
                               double *drawn)
{
    oc_json_item(json, 0);
    oc_json_count(json, "id", id);
    oc_json_text(json, "node", ocelotl_model_node_at(model, part->node).path);
    OC_TRY(oc_part_resources(json, model, part));
    oc_json_count(json, "first", part->first);
    oc_json_count(json, "last", part->last);
    oc_json_count(json, "leaves", part->leaves);
    if (info->has_time) {
        oc_json_number(json, "begin", ocelotl_slice_begin(info, part->first));
        oc_json_number(json, "end", ocelotl_slice_end(info, part->last + 1.0));
    }
    oc_json_number(json, "gain", part->gain);
    oc_json_number(json, "loss", part->loss);
    oc_json_shares(json, model, part, info->type_count);
    if (!info->additive) {
        OC_TRY(ocelotl_model_values(drawn, model, part->node, part->first, part->last));
        oc_json_object(json, "values");
        for (uint32_t type = 0; type < info->type_count; type++)
            if (!isnan(drawn[type]))
                oc_json_number(json, ocelotl_model_type_at(model, type).name, drawn[type]);
        oc_json_end_object(json);
    }
    oc_json_end_object(json);
    return OCELOTL_OK;
}

/* Adds what was chosen for the trace, by rule, and how a picture of it is shaded. */
static ocelotl_status add_chosen(oc_json *json, const ocelotl_partition *partition,
                                 const ocelotl_picture_options *view)
{
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    oc_shading shading = {.background = NULL};
    ocelotl_part *parts = NULL;
    oc_text names = {0};
    oc_json_object(json, "chosen");
    oc_json_choices(json, ocelotl_model_info_of(model).choices);
    if (view != NULL) {
        ocelotl_picture_options read = OCELOTL_PICTURE_OPTIONS_INIT;
        OC_TRY(oc_read_options(&read, sizeof read, view));
        const oc_shading_options options = {.plain = read.plain, .background = &read.background};
        OC_TRY(oc_allocate(&parts, info.part_count, sizeof *parts));
        for (size_t i = 0; i < info.part_count; i++)
            parts[i] = ocelotl_partition_part_at(partition, i);
        const ocelotl_status status =
            oc_shading_find(&shading, model, parts, info.part_count, &options);
        free(parts);
        OC_TRY(status);
        oc_shading_name_background(&names, &shading, model);
        json->out.text.failed = json->out.text.failed || names.failed;
        if (names.length > 0)
            oc_json_text(json, "background", names.bytes);
        /* other views have no shades of that scale */
        if (shading.scaled && (read.view != NULL ? strcmp(read.view, "mode") == 0
                                                 : info.kind == OCELOTL_SPATIOTEMPORAL))
            oc_json_number(json, "full_colour", oc_shading_full(&shading));
        oc_shading_free(&shading);
        oc_text_free(&names);
    }
    oc_json_end_object(json);
    return OCELOTL_OK;
}

static ocelotl_status add_steps(oc_json *json, const ocelotl_model_info *info)
{
    oc_steps steps;
    if (info->steps[0] == '\0')
        return OCELOTL_OK;
    OC_TRY(oc_steps_read(&steps, info->steps));
    oc_json_object(json, "steps");
    oc_json_text(json, "name", steps.name);
    oc_json_count(json, "count", steps.count);
    oc_json_number(json, "median", steps.median);
    if (steps.slowest < steps.count)
        oc_json_text(json, "slowest", steps.list[steps.slowest].name);
    oc_json_list(json, "list");
    for (size_t i = 0; i < steps.count; i++) {
        oc_json_object(json, NULL);
        oc_json_text(json, "name", steps.list[i].name);
        oc_json_number(json, "begin", steps.list[i].begin);
        oc_json_number(json, "end", steps.list[i].end);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
    free(steps.list);
    return OCELOTL_OK;
}

static ocelotl_status add_partition(oc_json *json, const ocelotl_partition *partition,
                                    const ocelotl_picture_options *view, double *drawn)
{
    const ocelotl_partition_info info = ocelotl_partition_info_of(partition);
    const ocelotl_model *model = ocelotl_partition_model(partition);
    const ocelotl_model_info model_info = ocelotl_model_info_of(model);
    oc_json_object(json, NULL);
    oc_json_text(json, "kind", oc_kind_name(info.kind));
    oc_json_number(json, "p", info.p);
    oc_json_number(json, "p_raw", info.p_raw);
    oc_json_number(json, "pIC", info.pic);
    oc_json_number(json, "gain", info.gain);
    oc_json_number(json, "loss", info.loss);
    if (info.percentile > 0)
        oc_json_count(json, "percentile", info.percentile);
    if (model_info.has_time) { /* the window of the model: a part of a trace, or all of it */
        oc_json_number(json, "begin", model_info.begin);
        oc_json_number(json, "end", model_info.end);
        oc_json_number(json, "trace_begin", model_info.trace_begin);
        oc_json_number(json, "trace_end", model_info.trace_end);
        oc_json_flag(json, "zoomed", model_info.zoomed);
        oc_json_pieces(json, &model_info);
        oc_json_list(json, "resources");
        for (uint32_t i = 0; i < model_info.resource_count; i++)
            oc_json_text(json, NULL, ocelotl_model_resource_at(model, i));
        oc_json_end_list(json);
        oc_json_text(json, "metric", model_info.metric);
        oc_json_text(json, "unit", model_info.unit);
        oc_json_text(json, "filters", model_info.filters);
        oc_json_text(json, "grouping", model_info.grouping);
    }
    OC_TRY(add_chosen(json, partition, view));
    OC_TRY(add_steps(json, &model_info));
    oc_json_list(json, "parts");
    for (size_t i = 0; i < info.part_count && json->out.status == OCELOTL_OK; i++) {
        const ocelotl_part part = ocelotl_partition_part_at(partition, i);
        OC_TRY(add_part(json, model, &model_info, &part, i, drawn));
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_partition_write_json(const ocelotl_sink *sink,
                                            const ocelotl_partition *partition,
                                            const ocelotl_picture_options *view)
{
    const ocelotl_model_info info = ocelotl_model_info_of(ocelotl_partition_model(partition));
    double *drawn = NULL;
    oc_json json = {.out = {.sink = sink}};
    OC_TRY(oc_allocate(&drawn, info.type_count, sizeof *drawn));
    const ocelotl_status status =
        oc_json_finish(&json, add_partition(&json, partition, view, drawn));
    free(drawn);
    return status;
}

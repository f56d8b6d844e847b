#include "viz/overview.h"

#include "viz/lettering.h"

static void add_number(oc_scene *scene, const char *key, double value)
{
    oc_text text = {0};
    oc_number_add(&text, value, 17);
    oc_scene_metadata(scene, key, text.bytes);
    scene->failed = scene->failed || text.failed;
    oc_text_free(&text);
}

static void add_count(oc_scene *scene, const char *key, uint64_t value)
{
    oc_text text = {0};
    oc_text_format(&text, "%llu", (unsigned long long)value);
    oc_scene_metadata(scene, key, text.bytes);
    scene->failed = scene->failed || text.failed;
    oc_text_free(&text);
}

static void add_given(oc_scene *scene, const char *key, const char *value)
{
    if (value != NULL && value[0] != '\0')
        oc_scene_metadata(scene, key, value);
}

static const char *name_of(ocelotl_kind kind)
{
    return kind == OCELOTL_TEMPORAL ? "temporal" : kind == OCELOTL_SPATIAL ? "spatial" : "spatiotemporal";
}

void oc_overview_add_metadata(oc_scene *scene, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    const ocelotl_model_info *model = &overview->model;
    oc_scene_metadata(scene, "generator", "ocelotl " OCELOTL_VERSION);
    add_given(scene, "trace", model->name);
    add_given(scene, "uid", model->uid);
    oc_scene_metadata(scene, "kind", name_of(partition->kind));
    add_number(scene, "p", partition->p);
    add_number(scene, "p_raw", partition->p_raw);
    add_count(scene, "slices", model->slice_count);
    add_count(scene, "parts", partition->part_count);
    add_count(scene, "cells", partition->cell_count);
    add_number(scene, "gain", partition->gain);
    add_number(scene, "loss", partition->loss);
    add_number(scene, "pIC", partition->pic);
    add_number(scene, "whole_gain", partition->whole_gain);
    add_number(scene, "whole_loss", partition->whole_loss);
    add_given(scene, "state_type", model->state_type);
    if (model->has_time) {
        oc_scene_metadata(scene, "nesting", model->nesting == OCELOTL_INCLUSIVE ? "inclusive" : "innermost");
        oc_scene_metadata(scene, "untraced", model->untraced == OCELOTL_UNTRACED_IGNORE ? "ignore" : "type");
        add_number(scene, "window_begin_seconds", model->begin);
        add_number(scene, "window_end_seconds", model->end);
    }
    add_given(scene, "command", overview->input->command);
}

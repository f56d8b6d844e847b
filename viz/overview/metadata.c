#include "viz/overview/overview.h"

static const char *name_of(ocelotl_kind kind)
{
    return kind == OCELOTL_TEMPORAL  ? "temporal"
           : kind == OCELOTL_SPATIAL ? "spatial"
                                     : "spatiotemporal";
}

void oc_overview_add_metadata(oc_scene *scene, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    const ocelotl_model_info *model = &overview->model;
    oc_picture_add_metadata(scene, overview->picture);
    oc_metadata_text(scene, "trace", model->name);
    oc_metadata_text(scene, "uid", model->uid);
    oc_scene_metadata(scene, "kind", name_of(partition->kind));
    oc_scene_metadata(scene, "view", overview->input->view->is.name);
    oc_metadata_text(scene, "expanded", overview->input->expanded);
    oc_metadata_text(scene, "level", partition->level);
    if (partition->level == NULL) {
        oc_metadata_number(scene, "p", partition->p);
        oc_metadata_number(scene, "p_raw", partition->p_raw);
    }
    oc_metadata_count(scene, "slices", model->slice_count);
    oc_metadata_count(scene, "parts", partition->part_count);
    oc_metadata_count(scene, "cells", partition->cell_count);
    oc_metadata_number(scene, "gain", partition->gain);
    oc_metadata_number(scene, "loss", partition->loss);
    if (partition->level == NULL)
        oc_metadata_number(scene, "pIC", partition->pic);
    oc_metadata_number(scene, "whole_gain", partition->whole_gain);
    oc_metadata_number(scene, "whole_loss", partition->whole_loss);
    oc_metadata_text(scene, "state_type", model->state_type);
    oc_metadata_text(scene, "type", overview->input->type);
    if (model->has_time) {
        oc_scene_metadata(scene, "nesting",
                          model->nesting == OCELOTL_INCLUSIVE ? "inclusive" : "innermost");
        oc_scene_metadata(scene, "untraced",
                          model->untraced == OCELOTL_UNTRACED_IGNORE ? "ignore" : "type");
        oc_metadata_number(scene, "window_begin_seconds", model->begin);
        oc_metadata_number(scene, "window_end_seconds", model->end);
    }
}

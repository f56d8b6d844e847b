#include "viz/overview/overview.h"
#include "viz/words/words.h"

#include <math.h>

/* How long it all is, and of a window where in it that is. */
static void write_time(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    const double whole = model->trace_end - model->trace_begin;
    if (!model->has_time)
        return;
    if (!model->zoomed) {
        oc_time_add(piece, model->end - model->begin, (model->end - model->begin) / 1000);
        return;
    }
    oc_time_span_add(piece, model->begin, model->end, (model->end - model->begin) / 1000,
                     (oc_time_range){model->begin, model->end});
    oc_text_add(piece, " of ");
    oc_time_add(piece, whole, whole / 1000);
}

/* How many there are, and of those that were chosen which. */
static void write_resources(oc_text *piece, const oc_overview *overview)
{
    const uint32_t chosen = overview->model.resource_count;
    oc_count_add(piece, overview->model.row_count);
    oc_text_add(piece, overview->model.row_count == 1 ? " resource" : " resources");
    if (chosen == 0)
        return;
    oc_text_add(piece, ": ");
    oc_clean_add(piece, ocelotl_model_resource_at(overview->input->model, 0), false);
    if (chosen > 1)
        oc_text_format(piece, " and %u more", chosen - 1);
}

/* The level in plain words. */
static void write_parts(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    const bool loses = partition->whole_loss > 0 && partition->loss > 0;
    oc_count_add(piece, partition->part_count);
    oc_text_add(piece, partition->part_count == 1 ? " block" : " blocks");
    if (partition->part_count < partition->cell_count) {
        oc_text_add(piece, " instead of ");
        oc_count_add(piece, partition->cell_count);
    }
    oc_text_add(piece, partition->part_count == 1 ? "; it loses " : "; they lose ");
    if (loses)
        oc_percent_add(piece, partition->loss / partition->whole_loss);
    else
        oc_text_add(piece, "nothing");
    oc_text_add(piece, " of what could be told apart");
}

static void write_slices(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    oc_count_add(piece, model->slice_count);
    oc_text_add(piece, model->slice_count == 1 ? " slice" : " slices");
    if (model->slices_wanted > model->slice_count) {
        oc_text_add(piece, " instead of ");
        oc_count_add(piece, model->slices_wanted);
    }
}

static void write_slices_reason(oc_text *piece, const oc_overview *overview)
{
    if (overview->model.slices_reason[0] == '\0')
        return;
    oc_text_add(piece, "fewer slices: ");
    oc_clean_add(piece, overview->model.slices_reason, false);
}

static void write_left_out(oc_text *piece, const oc_overview *overview)
{
    const uint32_t count = overview->model.leaves_left_out;
    if (count == 0)
        return;
    oc_count_add(piece, count);
    oc_text_add(piece, count == 1 ? " resource" : " resources");
    oc_text_add(piece, overview->model.state_type[0] != '\0' ? " without states left out"
                                                             : " without any left out");
}

/* What is drawn, if not the time in states, and of what. */
static void write_metric(oc_text *piece, const oc_overview *overview)
{
    if (overview->model.has_time && overview->model.caption[0] != '\0')
        oc_clean_add(piece, overview->model.caption, false);
}

static void write_filters(oc_text *piece, const oc_overview *overview)
{
    if (overview->model.has_time && overview->model.filters[0] != '\0')
        oc_clean_add(piece, overview->model.filters, false);
}

static void write_state_type(oc_text *piece, const oc_overview *overview)
{
    if (overview->model.state_type[0] == '\0')
        return;
    oc_text_add(piece, "state type ");
    oc_clean_add(piece, overview->model.state_type, false);
}

static void write_expanded(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    const oc_visible *visible = &overview->visible;
    const double slice = (model->end - model->begin) / model->slice_count;
    const double begin = model->begin + slice * visible->slice_first;
    if (overview->input->expanded == NULL)
        return;
    oc_text_add(piece, "only ");
    oc_clean_add(
        piece, overview->input->expanded[0] != '\0' ? overview->input->expanded : "(whole)", false);
    if (visible->slice_count == model->slice_count)
        return;
    oc_text_format(piece, ", slices %u\xE2\x80\x93%u", visible->slice_first,
                   visible->slice_first + visible->slice_count - 1);
    if (model->has_time) {
        oc_text_add(piece, " (");
        oc_time_span_add(piece, begin, begin + slice * visible->slice_count, slice,
                         (oc_time_range){model->begin, model->end});
        oc_text_add(piece, ")");
    }
}

static void write_grouping(oc_text *piece, const oc_overview *overview)
{
    oc_clean_add(piece, overview->model.grouping, false);
}

/* What is not as usual. */
static void write_choices(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_kind kind = overview->input->partition.kind;
    if (kind != OCELOTL_SPATIOTEMPORAL)
        oc_text_add(piece, kind == OCELOTL_TEMPORAL ? "temporal" : "spatial");
    if (kind == OCELOTL_TEMPORAL && overview->model.row_count > 1) /* thesis 5.5.5 */
        oc_text_add(piece, ": resources of a part need not resemble one another");
    if (!overview->model.has_time)
        return;
    if (overview->model.nesting == OCELOTL_INCLUSIVE)
        oc_text_add(piece,
                    piece->length > 0 ? ", nested states inclusive" : "nested states inclusive");
    if (overview->model.nesting_depth > 0)
        oc_text_format(piece, "%snested states to level %u", piece->length > 0 ? ", " : "",
                       overview->model.nesting_depth);
    if (overview->model.untraced == OCELOTL_UNTRACED_IGNORE)
        oc_text_add(piece, piece->length > 0 ? ", untraced time ignored" : "untraced time ignored");
}

static void write_hierarchy(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    if (model->hierarchy[0] == '\0')
        return;
    oc_text_add(piece, "resources ");
    oc_clean_add(piece, model->hierarchy, false);
}

/* With all the digits that typing it again takes (of the raw p of several only the metadata have
 * them all); or the level of the hierarchy that there is instead. */
static void write_p(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    if (partition->level != NULL) {
        oc_clean_add(piece, partition->level, false);
        return;
    }
    /* Of several overviews that is what they have in common. */
    const bool shared = overview->input->shared != NULL;
    oc_text_add(piece, shared ? "raw p " : "p ");
    oc_number_add(piece, shared ? partition->p_raw : partition->p, shared ? 4 : 17);
}

void oc_overview_write_caption(oc_caption *caption, const oc_overview *overview)
{
    static void (*const writers[])(oc_text *, const oc_overview *) = {
        write_time,     write_resources,     write_parts,      write_p,
        write_slices,   write_expanded,      write_metric,     write_grouping,
        write_filters,  write_choices,       write_state_type, write_hierarchy,
        write_left_out, write_slices_reason,
    };
    oc_text piece = {0};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        oc_text_clear(&piece);
        writers[i](&piece, overview);
        if (piece.length > 0 && !piece.failed)
            oc_caption_add(caption, piece.bytes);
    }
    caption->lines[0].failed = caption->lines[0].failed || piece.failed;
    oc_text_free(&piece);
}

/* --- Metadata */

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

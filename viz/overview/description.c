/* The words of an overview: its caption, its metadata, its tooltips. */
#include "viz/overview/views.h"

#include "base/options.h"
#include "viz/words/words.h"

#include <math.h>
#include <string.h>

/* --- Caption */

/* How long the trace is, and where in it a window lies. */
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

/* Writes the number of resources, and which were chosen. */
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
    if (overview->input->without_parts)
        return;
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

/* The metric, if it is not the time in states, and what it measures. */
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

/* Choices that differ from the defaults. */
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

/* Writes p with all digits needed to type it again, or the level of the hierarchy that replaces it.
 * (The metadata have all digits of a raw p.) */
static void write_p(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    if (overview->input->without_parts)
        return;
    if (partition->level != NULL) {
        oc_clean_add(piece, partition->level, false);
        return;
    }
    /* Several overviews share this. */
    const bool shared = overview->input->shared != NULL;
    oc_text_add(piece, shared ? "raw p " : "p ");
    oc_number_add(piece, shared ? partition->p_raw : partition->p, shared ? 4 : 17);
}

/* What the values of a part are, where they are no means. */
static void write_statistic(oc_text *piece, const oc_overview *overview)
{
    const uint32_t percentile = overview->input->partition.percentile;
    if (percentile == 50)
        oc_text_add(piece, "medians of the cells of a part");
    else if (percentile > 0)
        oc_text_format(piece, "values that %u %% of the cells of a part do not exceed", percentile);
}

void oc_overview_write_caption(oc_caption *caption, const oc_overview *overview)
{
    static void (*const writers[])(oc_text *, const oc_overview *) = {
        write_time,    write_resources,  write_parts,     write_p,        write_statistic,
        write_slices,  write_expanded,   write_metric,    write_grouping, write_filters,
        write_choices, write_state_type, write_hierarchy, write_left_out, write_slices_reason,
    };
    oc_text piece = {0};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        writers[i](&piece, overview);
        oc_caption_take(caption, &piece);
    }
    oc_text_free(&piece);
    oc_caption_add_shown(caption, overview->picture);
}

/* --- Metadata */

void oc_overview_add_metadata(oc_scene *scene, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    const ocelotl_model_info *model = &overview->model;
    oc_picture_add_metadata(scene, overview->picture);
    oc_metadata_text(scene, "trace", model->name);
    oc_metadata_text(scene, "uid", model->uid);
    oc_scene_metadata(scene, "kind", oc_kind_name(partition->kind));
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
    if (partition->percentile > 0)
        oc_metadata_count(scene, "percentile", partition->percentile);
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

/* --- Tooltips */

enum {
    SHARES_SHOWN = 5,
    BRIEF_FROM = 4000 /* more blocks have brief tooltips: others would take megabytes */
};

static void add_span(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    const ocelotl_model_info *model = &overview->model;
    if (model->has_time) {
        const double slice = (model->end - model->begin) / model->slice_count;
        const double begin = model->begin + slice * part->first;
        const double end = model->begin + slice * ((double)part->last + 1);
        oc_time_span_add(text, begin, end, slice, (oc_time_range){model->begin, model->end});
        oc_text_add(text, ", ");
    }
    if (part->first == part->last)
        oc_text_format(text, "slice %u\n", part->first);
    else
        oc_text_format(text, "slices %u\xE2\x80\x93%u\n", part->first, part->last);
}

static void add_count(oc_text *text, uint64_t count, const char *one, const char *many)
{
    oc_count_add(text, count);
    oc_text_format(text, " %s", count == 1 ? one : many);
}

/* Finds the next largest share after that of `before`; equal shares come by type number. */
static uint32_t next_largest(const oc_overview *overview, const ocelotl_part *part, uint32_t before)
{
    uint32_t found = OCELOTL_NONE;
    for (uint32_t type = 0; type < overview->model.type_count; type++) {
        const double share = part->shares[type];
        const bool after = before == OCELOTL_NONE || share < part->shares[before] ||
                           (!(share > part->shares[before]) && type > before);
        if (share > 0 && after && (found == OCELOTL_NONE || share > part->shares[found]))
            found = type;
    }
    return found;
}

void oc_overview_add_value(oc_text *text, const oc_overview *overview, const ocelotl_part *part,
                           uint32_t type)
{
    if (oc_overview_has_unit(overview)) {
        oc_number_add(text, part->shares[type], 4);
        oc_text_add(text, " ");
        oc_clean_add(text, overview->model.unit, false);
    } else {
        oc_percent_add(text, part->shares[type] / oc_overview_share_unit(overview, part));
    }
}

void oc_overview_describe_shares(oc_text *text, const oc_overview *overview,
                                 const ocelotl_part *part)
{
    uint32_t type = next_largest(overview, part, OCELOTL_NONE);
    if (type == OCELOTL_NONE)
        oc_text_add(text, "nothing\n");
    for (int i = 0; i < SHARES_SHOWN && type != OCELOTL_NONE; i++) {
        oc_clean_add(text, overview->types[type].type.name, false);
        oc_text_add(text, " ");
        oc_overview_add_value(text, overview, part, type);
        oc_text_add(text, "\n");
        type = next_largest(overview, part, type);
    }
}

/* Counts the bytes of a group's paths that it shares with the node above it. */
static size_t count_above(const ocelotl_model *model, uint32_t node)
{
    while (ocelotl_model_node_at(model, node).alike)
        node = ocelotl_model_node_at(model, node).parent;
    const size_t length = strlen(ocelotl_model_node_at(model, node).path);
    return length > 0 ? length + 1 : 0;
}

/* A group's name lists some of its resources; the tooltip lists most of them. */
static void add_resources(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    enum { RESOURCES_SHOWN = 30 };
    const ocelotl_model *model = overview->input->model;
    ocelotl_place place = {0};
    if (!ocelotl_model_node_at(model, part->node).alike)
        return;
    if (ocelotl_model_place(&place, model, part->node, part->first, part->last) != OCELOTL_OK) {
        text->failed = true;
        return;
    }
    const size_t above = count_above(model, part->node);
    oc_text_add(text, "of ");
    for (size_t i = 0; i < place.resources.count && i < RESOURCES_SHOWN; i++) {
        oc_text_add(text, i > 0 ? ", " : "");
        const char *path = place.resources.names[i];
        oc_clean_add(text, strlen(path) > above ? path + above : path, false);
    }
    if (place.resources.count > RESOURCES_SHOWN)
        oc_text_format(text, " and %zu more", place.resources.count - RESOURCES_SHOWN);
    oc_text_add(text, "\n");
    ocelotl_place_free(&place);
}

/* Appends the node, and which of its children a block covers, if not all. */
static void add_place(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    const ocelotl_node node = ocelotl_model_node_at(overview->input->model, part->node);
    oc_clean_add(text, node.path[0] != '\0' ? node.path : "(whole)", false);
    if (part->leaves != node.row_count)
        oc_text_add(text, ", part of it");
    oc_text_add(text, "\n");
    add_resources(text, overview, part);
}

static void add_part(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    add_place(text, overview, part);
    add_span(text, overview, part);
    add_count(text, part->leaves, "leaf", "leaves");
    oc_text_add(text, " \xC3\x97 ");
    add_count(text, (uint64_t)part->last - part->first + 1, "slice", "slices");
    oc_text_add(text, "\n");
    if (overview->input->view != NULL && overview->input->view->describe_part != NULL)
        overview->input->view->describe_part(text, overview, part, false);
    else
        oc_overview_describe_shares(text, overview, part);
    oc_text_add(text, "gain ");
    oc_number_add(text, part->gain, 6);
    oc_text_add(text, " bits, loss ");
    oc_number_add(text, part->loss, 6);
    oc_text_add(text, " bits");
}

void oc_part_add_number(oc_text *text, size_t number)
{
    oc_text_format(text, "part %zu", number);
}

void oc_overview_describe_part(oc_text *text, const oc_overview *overview, size_t index)
{
    add_part(text, overview, &overview->input->parts[index]);
}

static void add_short_span(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    const ocelotl_model_info *model = &overview->model;
    const double slice = (model->end - model->begin) / model->slice_count;
    const double begin = model->begin + slice * part->first;
    const double end = model->begin + slice * ((double)part->last + 1);
    if (model->has_time)
        oc_time_span_add_briefly(text, begin, end, slice,
                                 (oc_time_range){model->begin, model->end});
    else
        oc_text_format(text, "slices %u\xE2\x80\x93%u", part->first, part->last);
}

/* Appends one line, with the last step of the path and the leading type. It leaves out what follows
 * from the rest: the leaves of a node, the slices of a span, the gain where nothing is lost. */
static void add_briefly(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    const ocelotl_node node = ocelotl_model_node_at(overview->input->model, part->node);
    const uint32_t type = next_largest(overview, part, OCELOTL_NONE);
    oc_clean_add(text, node.name[0] != '\0' ? node.name : "(whole)", false);
    oc_text_add(text, ", ");
    if (part->leaves != node.row_count) {
        add_count(text, part->leaves, "leaf", "leaves");
        oc_text_add(text, ", ");
    }
    add_short_span(text, overview, part);
    oc_text_add(text, ", ");
    if (overview->input->view != NULL && overview->input->view->describe_part != NULL) {
        overview->input->view->describe_part(text, overview, part, true);
    } else if (type != OCELOTL_NONE) {
        oc_clean_add(text, overview->types[type].type.name, false);
        oc_text_add(text, " ");
        oc_overview_add_value(text, overview, part, type);
    } else {
        oc_text_add(text, "nothing");
    }
    if (part->loss > 0) {
        oc_text_add(text, ", gain ");
        oc_number_add(text, part->gain, 4);
        oc_text_add(text, ", loss ");
        oc_number_add(text, part->loss, 2);
    }
}

static void add_count_of_parts(oc_text *text, const oc_drawn_block *block, bool brief)
{
    oc_count_add(text, block->parts);
    if (brief)
        oc_text_add(text, block->cut_in_time ? " parts (B), " : " parts (A), ");
    else
        oc_text_add(text, block->cut_in_time ? " parts, other cuts in time (B)\n"
                                             : " parts, same cuts in time (A)\n");
}

void oc_overview_describe_means(oc_text *text, const oc_overview *overview)
{
    const uint32_t percentile = overview->input->partition.percentile;
    if (percentile == 50)
        oc_text_add(text, "means of the medians of these parts\n");
    else if (percentile > 0)
        oc_text_format(text, "means of the %u %% quantiles of these parts\n", percentile);
}

void oc_block_describe(oc_text *text, const oc_overview *overview, const oc_drawn_blocks *blocks,
                       const oc_drawn_block *block)
{
    const bool brief = blocks->count > BRIEF_FROM;
    const ocelotl_part part = oc_block_as_part(blocks, overview, block);
    if (block->parts > 1) {
        add_count_of_parts(text, block, brief);
        if (!brief)
            oc_overview_describe_means(text, overview);
    } else if (!overview->strip) {
        oc_part_add_number(text, block->part);
        oc_text_add(text, brief ? ", " : "\n");
    }
    if (brief)
        add_briefly(text, overview, &part);
    else
        add_part(text, overview, &part);
}

/* The words of an overview: its caption, its metadata, its tooltips. */
#include "viz/overview/views.h"

#include "base/options.h"
#include "viz/words/words.h"

#include <math.h>
#include <string.h>

/* --- Caption */

/* How long the trace is, and where in it a window lies; what is drawn of it. */
static void write_window(oc_caption *caption, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    const uint32_t chosen = model->resource_count;
    double drawn = 0;
    oc_text piece = {0};
    for (uint32_t i = 0; i < model->piece_count; i++)
        drawn += model->pieces[i].end - model->pieces[i].begin;
    if (model->piece_count > 1) {
        OC_PHRASE(&piece, "{} of {}", oc_word_time(drawn, 1e-3),
                  oc_word_time(model->trace_end - model->trace_begin, 1e-3));
    } else if (model->has_time &&
               model->end - model->begin < model->trace_end - model->trace_begin) {
        oc_time_span_add(&piece, model->begin, model->end, (model->end - model->begin) / 1000,
                         (oc_time_range){model->begin, model->end});
        OC_PHRASE(&piece, " of {}", oc_word_time(model->trace_end - model->trace_begin, 1e-3));
    } else if (model->has_time) {
        OC_PHRASE(&piece, "{}", oc_word_time(model->end - model->begin, 1e-3));
    }
    oc_caption_take(caption, &piece);
    oc_text_free(&piece);
    OC_CAPTION(caption,
               chosen > 1   ? "{}: {} and {} more"
               : chosen > 0 ? "{}: {}"
                            : "{}",
               oc_word_count(model->row_count, "resource"),
               oc_word_name(chosen > 0 ? ocelotl_model_resource_at(overview->input->model, 0) : ""),
               oc_word_whole(chosen - 1));
}

/* The level in plain words; p with all digits needed to type it again, or the level of the
 * hierarchy that replaces it (the metadata have all digits of a raw p); what the values of a part
 * are, where they are no means. */
static void write_level(oc_caption *caption, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    const bool loses = partition->whole_loss > 0 && partition->loss > 0;
    const bool one = partition->part_count == 1;
    const bool shared = overview->input->shared != NULL; /* several overviews share this */
    oc_text piece = {0};
    OC_PHRASE(
        &piece,
        one ? "{} stands for {}; {} of the variation is inside it"
            : "{} stand for {}; {} of the variation is inside them",
        oc_word_count(partition->part_count, "block"), oc_word_count(partition->cell_count, "cell"),
        loses ? oc_word_percent(partition->loss / partition->whole_loss) : oc_word_text("none"));
    if (!overview->input->without_parts) {
        oc_caption_take(caption, &piece);
        if (partition->level != NULL)
            oc_caption_add_clean(caption, partition->level);
        else
            OC_CAPTION(caption, shared ? "raw p {}" : "p {}",
                       shared ? oc_word_number(partition->p_raw, 4)
                              : oc_word_number(partition->p, 17));
    }
    oc_text_free(&piece);
    if (partition->percentile == 50)
        oc_caption_add(caption, "medians of the cells of a part");
    else if (partition->percentile > 0)
        OC_CAPTION(caption, "values that {} % of the cells of a part do not exceed",
                   oc_word_whole(partition->percentile));
}

static void write_expanded(oc_text *piece, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    const oc_visible *visible = &overview->visible;
    const double last = (double)visible->slice_first + visible->slice_count;
    if (overview->input->expanded == NULL)
        return;
    OC_PHRASE(
        piece, "only {}",
        oc_word_name(overview->input->expanded[0] != '\0' ? overview->input->expanded : "(whole)"));
    if (visible->slice_count == model->slice_count)
        return;
    oc_text_format(piece, ", slices %u\xE2\x80\x93%u", visible->slice_first,
                   visible->slice_first + visible->slice_count - 1);
    if (model->has_time) {
        oc_text_add(piece, " (");
        oc_time_span_add(piece, ocelotl_slice_begin(model, visible->slice_first),
                         ocelotl_slice_end(model, last), ocelotl_slice_length(model),
                         (oc_time_range){model->begin, model->end});
        oc_text_add(piece, ")");
    }
}

/* What the rules chose for the trace; the tree, the types and the steps say themselves what they
 * are. */
static void write_chosen(oc_caption *caption, const oc_overview *overview)
{
    oc_text piece = {0};
    for (const char *line = overview->model.choices; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const size_t name = strcspn(line, ":");
        oc_text_clear(&piece);
        if (name + 2 < length && strncmp(line, "tree", name) != 0 &&
            strncmp(line, "types", name) != 0 && strncmp(line, "steps", name) != 0)
            oc_text_append(&piece, line + name + 2, length - name - 2);
        if (piece.length > 0 && !piece.failed)
            oc_caption_add_clean(caption, piece.bytes);
        line += length + (line[length] != '\0');
    }
    oc_text_clear(&piece);
    oc_shading_name_background(&piece, &overview->shading, overview->input->model);
    if (piece.length > 0 && !piece.failed)
        OC_CAPTION(caption, "pale: {}", oc_word_name(piece.bytes));
    oc_text_free(&piece);
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
        oc_text_add(piece, piece->length > 0 ? ", " : "");
    if (overview->model.nesting_depth == 1)
        oc_text_add(piece, "outermost states");
    else if (overview->model.nesting_depth > 1)
        oc_text_format(piece, "outer %u levels of nested states", overview->model.nesting_depth);
    if (overview->model.untraced == OCELOTL_UNTRACED_IGNORE)
        oc_text_add(piece, piece->length > 0 ? ", untraced time ignored" : "untraced time ignored");
}

void oc_overview_write_caption(oc_caption *caption, const oc_overview *overview)
{
    const ocelotl_model_info *model = &overview->model;
    oc_text piece = {0};
    oc_caption_add_sentence(caption, overview->picture->explained);
    write_window(caption, overview);
    write_level(caption, overview);
    OC_CAPTION(caption,
               model->slices_reason[0] != '\0'             ? "{} instead of {}: {}"
               : model->slices_wanted > model->slice_count ? "{} instead of {}"
                                                           : "{}",
               oc_word_count(model->slice_count, "slice"),
               oc_word_count(model->slices_wanted, NULL), oc_word_name(model->slices_reason));
    write_expanded(&piece, overview);
    oc_caption_take(caption, &piece);
    if (strncmp(model->choices, "subject:", 8) != 0) {
        /* the metric, if it is not the time in states, and what it measures */
        oc_caption_add_clean(caption, model->has_time ? model->caption : "");
        oc_caption_add_states(caption, model);
        oc_caption_add_clean(caption, model->has_time ? model->filters : "");
    }
    write_chosen(caption, overview);
    write_choices(&piece, overview);
    oc_caption_take(caption, &piece);
    oc_caption_add_clean(caption, model->grouping);
    oc_text_free(&piece);
    if (model->hierarchy[0] != '\0')
        OC_CAPTION(caption, "resources {}", oc_word_name(model->hierarchy));
    if (model->leaves_left_out > 0)
        OC_CAPTION(caption,
                   model->state_type[0] != '\0' ? "{} without states left out"
                                                : "{} without any left out",
                   oc_word_count(model->leaves_left_out, "resource"));
    oc_caption_add_shown(caption, overview->picture);
}

/* --- Metadata */

void oc_overview_add_metadata(oc_scene *scene, const oc_overview *overview)
{
    const ocelotl_partition_info *partition = &overview->input->partition;
    const ocelotl_model_info *model = &overview->model;
    oc_picture_add_metadata(scene, overview->picture, model->name, model->uid);
    oc_metadata_text(scene, "explained", overview->picture->explained);
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
    if (model->choices[0] != '\0')
        oc_scene_metadata(scene, "chosen", model->choices);
    oc_text background = {0};
    oc_shading_name_background(&background, &overview->shading, overview->input->model);
    if (background.length > 0 && !background.failed)
        oc_scene_metadata(scene, "background", background.bytes);
    oc_scene_take(scene, &background);
    if (overview->shading.scaled && overview->input->view->shades)
        oc_metadata_number(scene, "full_colour", oc_shading_full(&overview->shading));
    if (model->has_time) {
        oc_scene_metadata(scene, "nesting",
                          model->nesting == OCELOTL_INCLUSIVE ? "inclusive" : "innermost");
        oc_scene_metadata(scene, "untraced",
                          model->untraced == OCELOTL_UNTRACED_IGNORE ? "ignore" : "type");
        oc_metadata_number(scene, "window_begin_seconds", model->begin);
        oc_metadata_number(scene, "window_end_seconds", model->end);
        oc_text left_out = {0};
        for (uint32_t i = 1; i < model->piece_count; i++)
            oc_text_format(&left_out, "%s%.17g..%.17g", i > 1 ? " " : "", model->pieces[i - 1].end,
                           model->pieces[i].begin);
        oc_metadata_text(scene, "left_out_seconds", left_out.bytes);
        oc_scene_take(scene, &left_out);
    }
}

/* --- Tooltips */

enum {
    SHARES_SHOWN = 5,
    BRIEF_FROM = 4000 /* more blocks have brief tooltips: others would take megabytes */
};

void oc_part_add_span(oc_text *text, const ocelotl_model_info *model, const ocelotl_part *part,
                      bool briefly)
{
    const double slice = ocelotl_slice_length(model);
    const double begin = ocelotl_slice_begin(model, part->first);
    const double end = ocelotl_slice_end(model, part->last + 1.0);
    const oc_time_range within = {model->begin, model->end};
    if (!model->has_time)
        oc_text_format(text, "slices %u\xE2\x80\x93%u", part->first, part->last);
    else if (briefly)
        oc_time_span_add_briefly(text, begin, end, slice, within);
    else
        oc_time_span_add(text, begin, end, slice, within);
}

static void add_span(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    const ocelotl_model_info *model = &overview->model;
    if (model->has_time) {
        oc_part_add_span(text, model, part, false);
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
    if (overview->shading.has_unit) {
        oc_quantity_add(text, part->shares[type], 4, overview->model.unit);
    } else {
        oc_percent_add(text, part->shares[type] / oc_shading_unit(&overview->shading, part));
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

static void add_part(oc_text *text, const oc_overview *overview, const ocelotl_part *part)
{
    /* Appends the node, and which of its children a block covers, if not all. */
    const ocelotl_node node = ocelotl_model_node_at(overview->input->model, part->node);
    oc_clean_add(text, node.path[0] != '\0' ? node.path : "(whole)", false);
    if (part->leaves != node.row_count)
        oc_text_add(text, ", part of it");
    oc_text_add(text, "\n");
    add_resources(text, overview, part);
    add_span(text, overview, part);
    add_count(text, part->leaves, "leaf", "leaves");
    oc_text_add(text, " \xC3\x97 ");
    add_count(text, (uint64_t)part->last - part->first + 1, "slice", "slices");
    oc_text_add(text, "\n");
    if (overview->input->view != NULL && overview->input->view->describe_part != NULL)
        overview->input->view->describe_part(text, overview, part, false);
    else
        oc_overview_describe_shares(text, overview, part);
    OC_PHRASE(text, "gain {} bits, loss {} bits", oc_word_number(part->gain, 6),
              oc_word_number(part->loss, 6));
}

void oc_part_add_number(oc_text *text, size_t number)
{
    oc_text_format(text, "part %zu", number);
}

static void add_why(oc_text *text, const oc_overview *overview, size_t index)
{
    if (overview->input->why == NULL || overview->input->why[index][0] == '\0')
        return;
    oc_text_add(text, "\n");
    oc_clean_add(text, overview->input->why[index], false);
}

void oc_overview_describe_part(oc_text *text, const oc_overview *overview, size_t index)
{
    add_part(text, overview, &overview->input->parts[index]);
    add_why(text, overview, index);
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
    oc_part_add_span(text, &overview->model, part, true);
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
    if (part->loss > 0)
        OC_PHRASE(text, ", gain {}, loss {}", oc_word_number(part->gain, 4),
                  oc_word_number(part->loss, 2));
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
        const bool cut = block->cut_in_time;
        OC_PHRASE(text,
                  brief ? cut ? "{} parts (B), " : "{} parts (A), "
                  : cut ? "{} parts, other cuts in time (B)\n"
                        : "{} parts, same cuts in time (A)\n",
                  oc_word_count(block->parts, NULL));
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
    if (!brief && block->parts == 1)
        add_why(text, overview, block->part);
}

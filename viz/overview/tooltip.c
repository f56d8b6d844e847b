#include "viz/overview/blocks.h"

#include "viz/words/words.h"

#include <math.h>
#include <string.h>

enum {
    SHARES_SHOWN = 5,
    BRIEF_FROM = 4000 /* blocks: their tooltips would make megabytes */
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

/* The next largest share after the one of `before`; ties go by the number of the type. */
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

/* How much of the paths of a group's resources goes without saying: that of the node above it. */
static size_t count_above(const ocelotl_model *model, uint32_t node)
{
    while (ocelotl_model_node_at(model, node).alike)
        node = ocelotl_model_node_at(model, node).parent;
    const size_t length = strlen(ocelotl_model_node_at(model, node).path);
    return length > 0 ? length + 1 : 0;
}

/* A group is named by some of its resources; here are most of them. */
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

/* The node, and where a block covers some of its children only, which. */
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

/* One line, with the last step of the path and the leading type. What follows from the rest is not
 * said: how many leaves a node has, how many slices a span is, what is gained where nothing is
 * lost. */
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

void oc_block_describe(oc_text *text, const oc_overview *overview, const oc_drawn_blocks *blocks,
                       const oc_drawn_block *block)
{
    const bool brief = blocks->count > BRIEF_FROM;
    const ocelotl_part part = oc_block_as_part(blocks, overview, block);
    if (block->parts > 1) {
        add_count_of_parts(text, block, brief);
    } else if (!overview->strip) {
        oc_part_add_number(text, block->part);
        oc_text_add(text, brief ? ", " : "\n");
    }
    if (brief)
        add_briefly(text, overview, &part);
    else
        add_part(text, overview, &part);
}

/* Makes one model of two, with the same cells and types for each. What is alike in both models, and
 * over time, becomes one part, and so does what differs alike. */
#include "compare/comparison.h"

#include "base/memory.h"
#include "base/text.h"
#include "model/hierarchy/arrange.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The nodes of the first that are in the joint model, and its types: those of the first, and those
 * that the second alone has; once for each of both. */
typedef struct joining {
    const ocelotl_comparison *c;
    bool *kept;       /* by node */
    uint32_t *number; /* of each that is kept, among these */
    uint32_t *node_of, node_count;
    oc_given_node *given;
    const char **paths;
    uint32_t *numbers;
    uint32_t *types[2], type_count; /* of each model's types, in the joint model */
    double scale[2];                /* what makes cells of both comparable */
    double *sums;
    oc_given_cell *cells;
    size_t cell_count, cell_capacity;
    ocelotl_model *made;
} joining;

static bool is_leaf(const ocelotl_comparison *c, int m, uint32_t node)
{
    return oc_tree_is_leaf(&c->models[m]->matrix.tree, node);
}

/* A node is compared as a leaf where it is one in either. */
static bool is_compared(const ocelotl_comparison *c, uint32_t node)
{
    const uint32_t other = c->other[0][node];
    return other != OCELOTL_NONE && (is_leaf(c, 0, node) || is_leaf(c, 1, other));
}

/* Chooses the nodes to compare, without those below, and all above. */
static ocelotl_status choose_nodes(joining *with)
{
    const oc_tree *tree = &with->c->models[0]->matrix.tree;
    OC_TRY(oc_allocate(&with->kept, tree->node_count, sizeof *with->kept));
    OC_TRY(oc_allocate(&with->number, tree->node_count, sizeof *with->number));
    OC_TRY(oc_allocate(&with->node_of, tree->node_count, sizeof *with->node_of));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        if (!is_compared(with->c, k))
            continue;
        for (uint32_t above = k; above != OCELOTL_ROOT && !with->kept[above];
             above = tree->parent[above])
            with->kept[above] = true;
        k += tree->subtree[k] - 1;
    }
    with->kept[0] = true;
    for (uint32_t k = 0; k < tree->node_count; k++) {
        if (!with->kept[k])
            continue;
        with->number[k] = with->node_count;
        with->node_of[with->node_count++] = k;
    }
    return OCELOTL_OK;
}

static ocelotl_status make_tree(joining *with)
{
    const ocelotl_model *first = with->c->models[0];
    OC_TRY(oc_allocate(&with->given, with->node_count, sizeof *with->given));
    OC_TRY(oc_allocate(&with->paths, with->node_count, sizeof *with->paths));
    OC_TRY(oc_allocate(&with->numbers, with->node_count, sizeof *with->numbers));
    for (uint32_t i = 0; i < with->node_count; i++) {
        const uint32_t k = with->node_of[i];
        const uint32_t parent = first->matrix.tree.parent[k];
        with->given[i] = (oc_given_node){
            parent == OCELOTL_ROOT ? OCELOTL_ROOT : with->number[parent], first->nodes[k].name,
            first->nodes[k].kind, first->nodes[k].source, false};
        with->paths[i] = first->nodes[k].path;
    }
    OC_TRY(
        oc_model_begin_at(&with->made, with->numbers, with->given, with->paths, with->node_count));
    for (uint32_t i = 0; i < with->node_count; i++)
        with->made->nodes[with->numbers[i]].alike = first->nodes[with->node_of[i]].alike;
    return OCELOTL_OK;
}

static ocelotl_status add_type(joining *with, const oc_model_type *type, bool second)
{
    oc_text name = {0};
    oc_text_add(&name, type->name);
    oc_text_add(&name, second ? " (second)" : "");
    const ocelotl_status status =
        name.failed ? oc_fail_memory()
                    : oc_model_add_type(with->made, name.bytes, type->colour, type->untraced);
    oc_text_free(&name);
    return status;
}

static ocelotl_status add_types(joining *with)
{
    const ocelotl_comparison *c = with->c;
    for (int m = 0; m < 2; m++) {
        OC_TRY(oc_allocate(&with->types[m], c->infos[m].type_count, sizeof *with->types[m]));
        for (uint32_t x = 0; x < c->infos[m].type_count; x++) {
            const bool known = m == 1 && c->other_type[1][x] != OCELOTL_NONE;
            with->types[m][x] = known ? with->types[0][c->other_type[1][x]] : with->type_count++;
        }
    }
    for (int half = 0; half < 2; half++)
        for (int m = 0; m < 2; m++)
            for (uint32_t x = 0; x < c->infos[m].type_count; x++)
                if (m == 0 || c->other_type[1][x] == OCELOTL_NONE)
                    OC_TRY(add_type(with, &c->models[m]->types[x], half == 1));
    return OCELOTL_OK;
}

/* The mean of the resources of a node, in each slice. */
static ocelotl_status add_cells(joining *with, int m, uint32_t node, uint32_t leaf)
{
    const ocelotl_model *model = with->c->models[m];
    const uint32_t types = model->type_count;
    const uint32_t slices = model->matrix.slice_count;
    const double scale = with->scale[m] / oc_tree_weight(&model->matrix.tree, node);
    OC_TRY(ocelotl_model_sums(with->sums, model, node, 0, slices - 1));
    for (size_t i = 0; i < (size_t)slices * types; i++) {
        if (!(with->sums[i] > 0))
            continue;
        const uint32_t type = with->types[m][i % types] + (m == 1 ? with->type_count : 0);
        OC_TRY(
            oc_grow(&with->cells, &with->cell_capacity, with->cell_count + 1, sizeof *with->cells));
        with->cells[with->cell_count++] = (oc_given_cell){
            leaf, type, (uint32_t)(i / types), (uint32_t)with->cell_count, with->sums[i] * scale};
    }
    return OCELOTL_OK;
}

static ocelotl_status fill(joining *with)
{
    const ocelotl_comparison *c = with->c;
    const uint32_t slices = c->infos[0].slice_count;
    const uint32_t types = c->infos[0].type_count > c->infos[1].type_count ? c->infos[0].type_count
                                                                           : c->infos[1].type_count;
    const oc_tree *tree = &with->made->matrix.tree;
    oc_twice twice;
    OC_TRY(oc_allocate(&with->sums, slices, types * sizeof *with->sums));
    for (uint32_t i = 0; i < with->node_count; i++) {
        const uint32_t made = with->numbers[i];
        const uint32_t node = with->node_of[i];
        const uint32_t other = c->other[0][node];
        if (!oc_tree_is_leaf(tree, made) || other == OCELOTL_NONE)
            continue;
        OC_TRY(add_cells(with, 0, node, tree->leaf_first[made]));
        OC_TRY(add_cells(with, 1, other, tree->leaf_first[made]));
        with->made->nodes[made].begin = 0;
        with->made->nodes[made].end = slices;
    }
    return oc_model_set_cells(with->made, &twice, slices, with->cells, with->cell_count);
}

static ocelotl_status describe(joining *with)
{
    const ocelotl_model *first = with->c->models[0];
    ocelotl_model *made = with->made;
    oc_text name = {0};
    oc_text_format(&name, "%s against %s", with->c->infos[1].name, with->c->infos[0].name);
    const ocelotl_status status =
        name.failed ? oc_fail_memory() : oc_copy_utf8(&made->name, name.bytes);
    oc_text_free(&name);
    OC_TRY(status);
    OC_TRY(oc_model_copy_description(made, first));
    OC_TRY(oc_copy_optional(&made->hierarchy, first->hierarchy));
    made->has_time = first->has_time && with->c->models[1]->has_time;
    made->compared_types = with->type_count;
    return OCELOTL_OK;
}

static ocelotl_status arrange(joining *with, oc_arrangement *arrangement, uint32_t max_groups)
{
    OC_TRY(oc_arrangement_begin(arrangement, with->made));
    /* Drops the groups of the first model, which say nothing about differences; others replace
     * them. */
    for (uint32_t k = 1; k < arrangement->count; k++) {
        oc_arranged_node *node = &arrangement->nodes[k];
        node->dropped = node->alike && !oc_arranged_is_leaf(node);
    }
    OC_TRY(oc_arrangement_settle(arrangement));
    if (max_groups > 0) {
        OC_TRY(oc_group_children(arrangement, max_groups, NULL, NULL));
        OC_TRY(oc_arrangement_settle(arrangement));
        OC_TRY(oc_name_groups(arrangement));
    }
    return oc_model_rearrange(with->made, arrangement, OC_MERGED);
}

static ocelotl_status join(joining *with, uint32_t max_groups)
{
    const ocelotl_model_info *infos = with->c->infos;
    if (infos[0].slice_count != infos[1].slice_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s has %" PRIu32 " slices and %s has %" PRIu32
                       ", expected as many to draw their difference",
                       infos[0].name, infos[0].slice_count, infos[1].name, infos[1].slice_count);
    OC_TRY(choose_nodes(with));
    OC_TRY(make_tree(with));
    OC_TRY(add_types(with));
    /* Shares of the second's slices become shares of the first's, so that as much time is as large
     * in both. */
    const double *duration = with->c->info.duration;
    with->scale[0] = with->scale[1] = 1;
    if (strcmp(with->c->info.unit, "s") == 0 && duration[0] > 0)
        with->scale[1] = duration[1] / duration[0];
    OC_TRY(fill(with));
    OC_TRY(describe(with));
    oc_arrangement arrangement = {0};
    const ocelotl_status status = arrange(with, &arrangement, max_groups);
    oc_arrangement_free(&arrangement);
    return status;
}

ocelotl_status ocelotl_comparison_join(ocelotl_model **joint, const ocelotl_comparison *comparison,
                                       uint32_t max_groups)
{
    joining with = {.c = comparison};
    const ocelotl_status status = join(&with, max_groups);
    if (status == OCELOTL_OK) {
        *joint = with.made;
        with.made = NULL;
    }
    free(with.kept);
    free(with.number);
    free(with.node_of);
    free(with.given);
    free(with.paths);
    free(with.numbers);
    free(with.types[0]);
    free(with.types[1]);
    free(with.sums);
    free(with.cells);
    ocelotl_model_free(with.made);
    return status;
}

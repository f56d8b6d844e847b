/* Compares two models: which cells, in which unit, and what both have in common. */
#include "compare/comparison.h"

#include "base/memory.h"
#include "base/options.h"
#include "model/metrics/metrics.h"

#include <stdlib.h>
#include <string.h>

/* --- What two models have in common: types of one name, and nodes of one path. A node that is none
 * of the trace, as a group of like siblings, has a name that was made up; such nodes are the same
 * where the same resources are in them, of those that both traces have. */

/* Of the two models: their nodes by path and types by name, the resources that each has, and for
 * each node a sum over the hashes of those in it that both have. */
typedef struct matching {
    oc_map nodes[2], types[2], resources[2];
    uint64_t *members[2];
    oc_hash_key hash_key;
    bool *made[2];
} matching;

static ocelotl_status add_name(oc_map *map, const char *name, uint32_t number)
{
    return oc_map_set(map, name, strlen(name), number);
}

static uint32_t find_name(const oc_map *map, const char *name)
{
    return oc_map_get(map, name, strlen(name));
}

/* Returns a resource of the trace that a leaf stands for, by its index below `count_resources`. */
static const char *resource_of(const ocelotl_model *model, uint32_t node, uint32_t index)
{
    const uint32_t leaf = model->matrix.tree.leaf_first[node];
    return model->origin != NULL ? model->origin_paths[model->origin_first[leaf] + index]
                                 : model->nodes[node].path;
}

static uint32_t count_resources(const ocelotl_model *model, uint32_t node)
{
    const uint32_t leaf = model->matrix.tree.leaf_first[node];
    return model->origin != NULL ? model->origin_first[leaf + 1] - model->origin_first[leaf] : 1;
}

/* Whether a node is one of the trace, which is known by its path in any other. */
static ocelotl_status mark_made(matching *match, const ocelotl_model *model, int m)
{
    const uint32_t count = model->matrix.tree.node_count;
    oc_map known = {0};
    ocelotl_status status = oc_allocate(&match->made[m], count, sizeof *match->made[m]);
    for (uint32_t k = 0;
         status == OCELOTL_OK && model->origin != NULL && k < model->origin->matrix.tree.node_count;
         k++)
        status = add_name(&known, model->origin->nodes[k].path, k);
    for (uint32_t k = 1; status == OCELOTL_OK && model->origin != NULL && k < count; k++)
        match->made[m][k] = find_name(&known, model->nodes[k].path) == OC_MAP_NONE;
    oc_map_free(&known);
    return status;
}

static ocelotl_status list_names(matching *match, const ocelotl_model *model, int m)
{
    const oc_tree *tree = &model->matrix.tree;
    OC_TRY(mark_made(match, model, m));
    for (uint32_t x = 0; x < model->type_count; x++)
        OC_TRY(add_name(&match->types[m], model->types[x].name, x));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        if (!match->made[m][k])
            OC_TRY(add_name(&match->nodes[m], model->nodes[k].path, k));
        for (uint32_t i = 0; oc_tree_is_leaf(tree, k) && i < count_resources(model, k); i++)
            OC_TRY(add_name(&match->resources[m], resource_of(model, k, i), k));
    }
    return OCELOTL_OK;
}

/* Parents come first. */
static ocelotl_status add_members(matching *match, const ocelotl_model *model, int m)
{
    const oc_tree *tree = &model->matrix.tree;
    OC_TRY(oc_allocate(&match->members[m], tree->node_count, sizeof *match->members[m]));
    for (uint32_t k = tree->node_count; k-- > 0;) {
        for (uint32_t i = 0; oc_tree_is_leaf(tree, k) && i < count_resources(model, k); i++) {
            const char *path = resource_of(model, k, i);
            if (find_name(&match->resources[1 - m], path) != OC_MAP_NONE)
                match->members[m][k] += oc_hash_keyed(&match->hash_key, path, strlen(path));
        }
        if (k > 0)
            match->members[m][tree->parent[k]] += match->members[m][k];
    }
    return OCELOTL_OK;
}

static ocelotl_status match_nodes(ocelotl_comparison *c, const matching *match,
                                  const oc_map *by_members, int m)
{
    const uint32_t count = c->infos[m].node_count;
    OC_TRY(oc_allocate(&c->other[m], count, sizeof *c->other[m]));
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t *members = &match->members[m][k];
        uint32_t found = find_name(&match->nodes[1 - m], c->models[m]->nodes[k].path);
        if (match->made[m][k])
            found = *members != 0 ? oc_map_get(&by_members[1 - m], members, sizeof *members)
                                  : OC_MAP_NONE;
        c->other[m][k] = found == OC_MAP_NONE ? OCELOTL_NONE : found;
    }
    return OCELOTL_OK;
}

/* Keeps one pair if several nodes match the same one. */
static void keep_pairs(ocelotl_comparison *c, int m)
{
    for (uint32_t k = 0; k < c->infos[m].node_count; k++) {
        const uint32_t other = c->other[m][k];
        if (other != OCELOTL_NONE && c->other[1 - m][other] != k)
            c->other[m][k] = OCELOTL_NONE;
    }
}

/* Below a node that the other does not have it has nothing. What was made up is nothing that a
 * trace has or lacks. */
static ocelotl_status find_only(ocelotl_comparison *c, const matching *match, int m)
{
    const oc_tree *tree = &c->models[m]->matrix.tree;
    bool *known = NULL;
    OC_TRY(oc_allocate(&c->only[m], tree->node_count, sizeof *c->only[m]));
    OC_TRY(oc_allocate(&known, tree->node_count, sizeof *known));
    for (uint32_t k = 0; k < tree->node_count; k++) {
        const bool common = c->other[m][k] != OCELOTL_NONE;
        const bool above = k == 0 || known[tree->parent[k]];
        known[k] = common || (above && match->made[m][k] && !oc_tree_is_leaf(tree, k));
        c->info.node_count += common && m == 0;
        if (!known[k] && above)
            c->only[m][c->info.only_count[m]++] = k;
    }
    free(known);
    return OCELOTL_OK;
}

static const char *first_only(const ocelotl_comparison *c, int m)
{
    return c->info.only_count[m] > 0 ? ocelotl_model_node_at(c->models[m], c->only[m][0]).path : "";
}

static ocelotl_status match_all(ocelotl_comparison *c, matching *match, oc_map *by_members)
{
    for (int m = 0; m < 2; m++)
        OC_TRY(list_names(match, c->models[m], m));
    for (int m = 0; m < 2; m++)
        OC_TRY(add_members(match, c->models[m], m));
    for (int m = 0; m < 2; m++) {
        /* The topmost of several nodes of the same members. */
        for (uint32_t k = c->models[m]->matrix.tree.node_count; k-- > 1;)
            if (match->made[m][k] && match->members[m][k] != 0)
                OC_TRY(oc_map_set(&by_members[m], &match->members[m][k],
                                  sizeof match->members[m][k], k));
    }
    for (int m = 0; m < 2; m++)
        OC_TRY(match_nodes(c, match, by_members, m));
    keep_pairs(c, 0);
    keep_pairs(c, 1);
    for (int m = 0; m < 2; m++) {
        OC_TRY(oc_allocate(&c->other_type[m], c->infos[m].type_count, sizeof *c->other_type[m]));
        for (uint32_t x = 0; x < c->infos[m].type_count; x++) {
            const uint32_t found = find_name(&match->types[1 - m], c->models[m]->types[x].name);
            c->other_type[m][x] = found == OC_MAP_NONE ? OCELOTL_NONE : found;
            if (c->models[m]->types[x].untraced)
                continue;
            c->info.common_types += found != OC_MAP_NONE && m == 0;
            c->info.only_types[m] += found == OC_MAP_NONE;
        }
        OC_TRY(find_only(c, match, m));
    }
    if (c->info.common_types == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s and %s have no type in common: the first has \"%s\", the second \"%s\"",
                       c->infos[0].name, c->infos[1].name,
                       ocelotl_model_type_at(c->models[0], 0).name,
                       ocelotl_model_type_at(c->models[1], 0).name);
    if (c->info.node_count <= 1 && c->infos[0].node_count > 1 && c->infos[1].node_count > 1)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "%s and %s have no resource in common: the first has \"%s\", the second \"%s\"",
            c->infos[0].name, c->infos[1].name, first_only(c, 0), first_only(c, 1));
    return OCELOTL_OK;
}

/* Fills `other`, `other_type`, `only` and what is known of them. Errors: ARGUMENT where nothing is
 * in common; MEMORY. */
static ocelotl_status comparison_match(ocelotl_comparison *c)
{
    matching match = {.hash_key = oc_hash_key_draw()};
    oc_map by_members[2] = {{0}, {0}};
    const ocelotl_status status = match_all(c, &match, by_members);
    for (int m = 0; m < 2; m++) {
        oc_map_free(&match.nodes[m]);
        oc_map_free(&match.types[m]);
        oc_map_free(&match.resources[m]);
        free(match.members[m]);
        free(match.made[m]);
    }
    oc_map_free(&by_members[0]);
    oc_map_free(&by_members[1]);
    return status;
}

/* --- Units, and the comparison itself */

void ocelotl_comparison_free(ocelotl_comparison *comparison)
{
    if (comparison == NULL)
        return;
    for (int m = 0; m < 2; m++) {
        free(comparison->other[m]);
        free(comparison->other_type[m]);
        free(comparison->only[m]);
    }
    free(comparison->changes);
    free(comparison->places);
    free(comparison);
}

/* Chooses the unit: shares of time become time, counts are summed, and means over time stay means.
 * Without time the kind of cells is unknown: means are compared, and sums weigh the changes. */
static void choose_unit(ocelotl_comparison *c)
{
    const bool timed = c->infos[0].has_time && c->infos[1].has_time;
    const bool time = timed && strcmp(c->infos[0].unit, "share") == 0;
    const bool counts = timed && !time && !oc_metric_is_mean_over_time(c->infos[0].metric);
    c->info.unit = time ? "s" : timed ? c->infos[0].unit : "";
    for (int m = 0; m < 2; m++) {
        const double slices = c->infos[m].slice_count;
        const double duration = timed ? c->infos[m].end - c->infos[m].begin : 0;
        c->info.slices[m] = c->infos[m].slice_count;
        c->info.duration[m] = duration;
        c->scale[m] = time ? duration : counts ? slices : 1;
        c->weight[m] = timed ? 1 : slices;
    }
}

static ocelotl_status compare(ocelotl_comparison *c)
{
    for (int m = 0; m < 2; m++)
        if (!c->infos[m].additive)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: the metric %s does not add up, expected one that can be compared",
                           c->infos[m].name, c->infos[m].metric);
    if (strcmp(c->infos[0].metric, c->infos[1].metric) != 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s has the metric \"%s\" and %s has \"%s\", expected the same",
                       c->infos[0].name, c->infos[0].metric, c->infos[1].name, c->infos[1].metric);
    choose_unit(c);
    c->info.by_map = c->models[1]->matched.by_map;
    c->info.by_role = c->models[1]->matched.by_role;
    c->info.by_shape = c->models[1]->matched.by_shape;
    OC_TRY(comparison_match(c));
    OC_TRY(oc_comparison_find_changes(c));
    return oc_comparison_find_ratio(c);
}

ocelotl_status ocelotl_compare_models(ocelotl_comparison **comparison, const ocelotl_model *first,
                                      const ocelotl_model *second)
{
    ocelotl_comparison *c = NULL;
    OC_TRY(oc_allocate(&c, 1, sizeof *c));
    c->models[0] = first;
    c->models[1] = second;
    c->infos[0] = ocelotl_model_info_of(first);
    c->infos[1] = ocelotl_model_info_of(second);
    const ocelotl_status status = compare(c);
    if (status == OCELOTL_OK)
        *comparison = c;
    else
        ocelotl_comparison_free(c);
    return status;
}

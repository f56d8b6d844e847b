/* What differs between two models, node by node and type by type. */
#include "base/map.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/named_changes.h"

#include <ocelotl/compare.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ocelotl_comparison {
    const ocelotl_model *models[2];
    ocelotl_model_info infos[2];
    ocelotl_change *changes;
    size_t change_capacity;
    uint32_t *only[2]; /* nodes */
    ocelotl_comparison_info info;
};

void ocelotl_comparison_free(ocelotl_comparison *comparison)
{
    if (comparison == NULL)
        return;
    free(comparison->changes);
    free(comparison->only[0]);
    free(comparison->only[1]);
    free(comparison);
}

ocelotl_comparison_info ocelotl_comparison_get_info(const ocelotl_comparison *comparison)
{
    return comparison->info;
}

ocelotl_change ocelotl_comparison_change(const ocelotl_comparison *comparison, size_t index)
{
    return index < comparison->info.change_count ? comparison->changes[index]
                                                 : (ocelotl_change){.path = "", .type = ""};
}

const char *ocelotl_comparison_only(const ocelotl_comparison *comparison, int model, uint32_t index)
{
    if (model < 0 || model > 1 || index >= comparison->info.only_count[model])
        return "";
    return ocelotl_model_node(comparison->models[model], comparison->only[model][index]).path;
}

/* Where a change is: a node of the first model, and a type of the first or, behind those, of the second. */
typedef struct changed_place {
    uint32_t node, type;
} changed_place;

/* Of the two models: the numbers of their nodes by path and of their types by name, what is drawn of a node, and for each
 * change its place. */
typedef struct matching {
    oc_map nodes[2], types[2];
    double *values[2];
    changed_place *places;
    size_t place_capacity;
} matching;

static void free_matching(matching *match)
{
    for (int m = 0; m < 2; m++) {
        oc_map_free(&match->nodes[m]);
        oc_map_free(&match->types[m]);
        free(match->values[m]);
    }
    free(match->places);
}

static ocelotl_status check_metrics(const ocelotl_comparison *c)
{
    for (int m = 0; m < 2; m++)
        if (!c->infos[m].additive)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: the metric %s does not add up, expected one that can be compared", c->infos[m].name,
                           c->infos[m].metric);
    if (strcmp(c->infos[0].metric, c->infos[1].metric) != 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s has the metric \"%s\" and %s has \"%s\", expected the same",
                       c->infos[0].name, c->infos[0].metric, c->infos[1].name, c->infos[1].metric);
    return OCELOTL_OK;
}

static ocelotl_status list_names(matching *match, const ocelotl_comparison *c)
{
    for (int m = 0; m < 2; m++) {
        OC_TRY(oc_allocate(&match->values[m], c->infos[m].type_count, sizeof *match->values[m]));
        for (uint32_t k = 0; k < c->infos[m].node_count; k++) {
            const char *path = ocelotl_model_node(c->models[m], k).path;
            OC_TRY(oc_map_set(&match->nodes[m], path, strlen(path), k));
        }
        for (uint32_t x = 0; x < c->infos[m].type_count; x++) {
            const char *name = ocelotl_model_type(c->models[m], x).name;
            OC_TRY(oc_map_set(&match->types[m], name, strlen(name), x));
        }
    }
    return OCELOTL_OK;
}

/* --- What they have in common */

static uint32_t other_node(const matching *match, const ocelotl_comparison *c, int m, uint32_t node)
{
    const char *path = ocelotl_model_node(c->models[m], node).path;
    return oc_map_get(&match->nodes[1 - m], path, strlen(path));
}

/* Below a node that the other does not have it has nothing. */
static ocelotl_status find_only(ocelotl_comparison *c, const matching *match, int m)
{
    OC_TRY(oc_allocate(&c->only[m], c->infos[m].node_count, sizeof *c->only[m]));
    for (uint32_t k = 0; k < c->infos[m].node_count; k++) {
        const uint32_t parent = ocelotl_model_node(c->models[m], k).parent;
        if (other_node(match, c, m, k) != OC_MAP_NONE)
            c->info.node_count += m == 0;
        else if (parent == OCELOTL_ROOT || other_node(match, c, m, parent) != OC_MAP_NONE)
            c->only[m][c->info.only_count[m]++] = k;
    }
    return OCELOTL_OK;
}

static void count_types(ocelotl_comparison *c, const matching *match)
{
    for (int m = 0; m < 2; m++)
        for (uint32_t x = 0; x < c->infos[m].type_count; x++) {
            const ocelotl_type type = ocelotl_model_type(c->models[m], x);
            const bool common = oc_map_get(&match->types[1 - m], type.name, strlen(type.name)) != OC_MAP_NONE;
            if (type.untraced)
                continue;
            c->info.common_types += common && m == 0;
            c->info.only_types[m] += !common;
        }
}

static ocelotl_status check_common(const ocelotl_comparison *c)
{
    if (c->info.common_types == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "%s and %s have no type in common: the first has \"%s\", the second \"%s\"",
                       c->infos[0].name, c->infos[1].name, ocelotl_model_type(c->models[0], 0).name,
                       ocelotl_model_type(c->models[1], 0).name);
    if (c->info.node_count <= 1 && c->infos[0].node_count > 1 && c->infos[1].node_count > 1)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT, "%s and %s have no resource in common: the first has \"%s\", the second \"%s\"",
            c->infos[0].name, c->infos[1].name, ocelotl_comparison_only(c, 0, 0), ocelotl_comparison_only(c, 1, 0));
    return OCELOTL_OK;
}

/* --- Changes */

static ocelotl_status add_change(ocelotl_comparison *c, matching *match, const ocelotl_change *change,
                                 changed_place place)
{
    const size_t count = c->info.change_count;
    if (!(change->first > 0) && !(change->second > 0))
        return OCELOTL_OK;
    OC_TRY(oc_grow(&c->changes, &c->change_capacity, count + 1, sizeof *c->changes));
    OC_TRY(oc_grow(&match->places, &match->place_capacity, count + 1, sizeof *match->places));
    c->changes[count] = *change;
    match->places[count] = place;
    c->info.change_count++;
    return OCELOTL_OK;
}

static double cells_of(const ocelotl_comparison *c, int m, uint32_t node)
{
    return (double)ocelotl_model_node(c->models[m], node).row_count * c->infos[m].slice_count;
}

static double common_cells(const ocelotl_comparison *c, uint32_t node, uint32_t other)
{
    return (cells_of(c, 0, node) + cells_of(c, 1, other)) / 2;
}

/* Types of the first, and then those that the second alone has. */
static ocelotl_status add_node(ocelotl_comparison *c, matching *match, uint32_t node, uint32_t other)
{
    const ocelotl_node of = ocelotl_model_node(c->models[0], node);
    const double cells = common_cells(c, node, other);
    OC_TRY(ocelotl_model_values(match->values[0], c->models[0], node, 0, c->infos[0].slice_count - 1));
    OC_TRY(ocelotl_model_values(match->values[1], c->models[1], other, 0, c->infos[1].slice_count - 1));
    for (int m = 0; m < 2; m++)
        for (uint32_t x = 0; x < c->infos[m].type_count; x++) {
            const char *name = ocelotl_model_type(c->models[m], x).name;
            const uint32_t same = oc_map_get(&match->types[1 - m], name, strlen(name));
            if (m == 1 && same != OC_MAP_NONE)
                continue;
            const double here = match->values[m][x];
            const double there = same != OC_MAP_NONE ? match->values[1 - m][same] : 0;
            const ocelotl_change change = {of.path,
                                           name,
                                           m == 0 ? here : there,
                                           m == 0 ? there : here,
                                           of.row_count,
                                           (there - here) * cells * (m == 0 ? 1 : -1),
                                           false};
            const changed_place place = {node, m == 0 ? x : c->infos[0].type_count + x};
            OC_TRY(add_change(c, match, &change, place));
        }
    return OCELOTL_OK;
}

/* The changes type by type: those of a type are first[type] .. first[type + 1] - 1 of the order. */
typedef struct by_type {
    size_t *first, *order;
    uint32_t type_count;
} by_type;

static ocelotl_status order_by_type(by_type *by, const ocelotl_comparison *c, const changed_place *places)
{
    const size_t count = c->info.change_count;
    by->type_count = c->infos[0].type_count + c->infos[1].type_count;
    OC_TRY(oc_allocate(&by->first, (size_t)by->type_count + 2, sizeof *by->first));
    OC_TRY(oc_allocate(&by->order, count, sizeof *by->order));
    for (size_t i = 0; i < count; i++)
        by->first[places[i].type + 2]++;
    for (uint32_t t = 0; t < by->type_count; t++)
        by->first[t + 2] += by->first[t + 1];
    for (size_t i = 0; i < count; i++)
        by->order[by->first[places[i].type + 1]++] = i;
    return OCELOTL_OK;
}

/* A node where nothing is of the type has not changed. */
static void name_type(ocelotl_comparison *c, const by_type *by, uint32_t type, const changed_place *places,
                      oc_changed_node *nodes)
{
    const uint32_t count = c->infos[0].node_count;
    for (uint32_t k = 0; k < count; k++)
        nodes[k].amount = 0;
    for (size_t i = by->first[type]; i < by->first[type + 1]; i++)
        nodes[places[by->order[i]].node].amount = c->changes[by->order[i]].amount;
    oc_name_changes(nodes, count);
    for (size_t i = by->first[type]; i < by->first[type + 1]; i++) {
        const bool named = nodes[places[by->order[i]].node].named;
        c->changes[by->order[i]].named = named;
        c->info.named_count += named;
    }
}

static void place_nodes(oc_changed_node *nodes, const ocelotl_comparison *c, const matching *match)
{
    for (uint32_t k = 0; k < c->infos[0].node_count; k++) {
        const uint32_t other = other_node(match, c, 0, k);
        nodes[k].parent = ocelotl_model_node(c->models[0], k).parent;
        nodes[k].end = k + c->models[0]->matrix.tree.subtree[k];
        nodes[k].cells = other != OC_MAP_NONE ? common_cells(c, k, other) : 0;
    }
}

static ocelotl_status name_changes(ocelotl_comparison *c, const matching *match)
{
    by_type by = {0};
    oc_changed_node *nodes = NULL;
    ocelotl_status status = order_by_type(&by, c, match->places);
    if (status == OCELOTL_OK)
        status = oc_allocate(&nodes, c->infos[0].node_count, sizeof *nodes);
    if (status == OCELOTL_OK)
        place_nodes(nodes, c, match);
    for (uint32_t t = 0; t < by.type_count && status == OCELOTL_OK; t++)
        name_type(c, &by, t, match->places, nodes);
    free(nodes);
    free(by.first);
    free(by.order);
    return status;
}

/* Rounding must not tell what is equal apart: the sort is stable. */
typedef struct ranked {
    double size;
    size_t place;
} ranked;

static int compare_ranked(const void *left, const void *right)
{
    const ranked *a = left;
    const ranked *b = right;
    if (a->size != b->size)
        return a->size > b->size ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

static ocelotl_status sort_changes(ocelotl_comparison *c)
{
    const size_t count = c->info.change_count;
    ranked *order = NULL;
    ocelotl_change *sorted = NULL;
    ocelotl_status status = oc_allocate(&order, count, sizeof *order);
    if (status == OCELOTL_OK)
        status = oc_allocate(&sorted, count, sizeof *sorted);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++)
        order[i] = (ranked){(double)(float)fabs(c->changes[i].amount), i};
    if (status == OCELOTL_OK && count > 1)
        qsort(order, count, sizeof *order, compare_ranked);
    for (size_t i = 0; i < count && status == OCELOTL_OK; i++)
        sorted[i] = c->changes[order[i].place];
    free(order);
    if (status != OCELOTL_OK) {
        free(sorted);
        return status;
    }
    free(c->changes);
    c->changes = sorted;
    return OCELOTL_OK;
}

static ocelotl_status compare(ocelotl_comparison *c, matching *match)
{
    OC_TRY(check_metrics(c));
    OC_TRY(list_names(match, c));
    OC_TRY(find_only(c, match, 0));
    OC_TRY(find_only(c, match, 1));
    count_types(c, match);
    OC_TRY(check_common(c));
    for (uint32_t k = 0; k < c->infos[0].node_count; k++) {
        const uint32_t other = other_node(match, c, 0, k);
        if (other != OC_MAP_NONE)
            OC_TRY(add_node(c, match, k, other));
    }
    OC_TRY(name_changes(c, match));
    return sort_changes(c);
}

ocelotl_status ocelotl_compare_models(ocelotl_comparison **comparison, const ocelotl_model *first,
                                      const ocelotl_model *second)
{
    ocelotl_comparison *c = NULL;
    matching match = {0};
    OC_TRY(oc_allocate(&c, 1, sizeof *c));
    c->models[0] = first;
    c->models[1] = second;
    c->infos[0] = ocelotl_model_get_info(first);
    c->infos[1] = ocelotl_model_get_info(second);
    const ocelotl_status status = compare(c, &match);
    free_matching(&match);
    if (status == OCELOTL_OK)
        *comparison = c;
    else
        ocelotl_comparison_free(c);
    return status;
}

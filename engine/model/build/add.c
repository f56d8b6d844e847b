/* Two models over disjoint leaves add up to the model of both. No number is touched: a series of
 * the sum is a series of one of them, and so the bits are those of a model built at once. */
#include "model/core/model.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One of the two models. */
typedef struct addend {
    const ocelotl_model *model;
    uint32_t *types; /* of each of its types the number in the sum */
    uint32_t *nodes; /* of each of its nodes the number among those given */
} addend;

typedef struct adding {
    oc_arena arena;
    addend of[2];
    bool one_trace; /* siblings follow each other as in the trace; else the first's come first */
    uint32_t count; /* nodes of the sum */
    oc_given_node *nodes;
    const char **paths;
    uint32_t *numbers;   /* of each given node its place in the sum */
    uint32_t (*leaf)[2]; /* of each leaf of the sum: which model's it is, and its number there */
    ocelotl_model *sum;
} adding;

static ocelotl_status check_words(const ocelotl_model_info *a, const ocelotl_model_info *b)
{
    const struct {
        const char *what, *first, *second;
    } words[] = {{"the metric", a->metric, b->metric},
                 {"the unit", a->unit, b->unit},
                 {"the states", a->state_type, b->state_type},
                 {"the filters", a->filters, b->filters},
                 {"the types", a->grouping, b->grouping}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].first, words[i].second) != 0)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "models of %s \"%s\" and \"%s\" do not add up",
                           words[i].what, words[i].first, words[i].second);
    return OCELOTL_OK;
}

static ocelotl_status check_alike(const ocelotl_model *first, const ocelotl_model *second)
{
    const ocelotl_model_info a = ocelotl_model_info_of(first);
    const ocelotl_model_info b = ocelotl_model_info_of(second);
    OC_TRY(check_words(&a, &b));
    if (a.slice_count != b.slice_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "models of %" PRIu32 " and %" PRIu32 " slices do not add up", a.slice_count,
                       b.slice_count);
    if (a.has_time != b.has_time || a.from != b.from || a.to != b.to || a.begin != b.begin ||
        a.end != b.end)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "models of two windows do not add up");
    if (first->drawing != second->drawing || a.nesting != b.nesting || a.untraced != b.untraced ||
        a.nesting_depth != b.nesting_depth)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "models of cells of two kinds do not add up");
    if (first->matrix.type_count != first->type_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "models of %s do not add up: their counts weigh as much as all leaves say",
                       a.metric);
    if (first->origin != NULL || second->origin != NULL || first->matrix.cell_loss != NULL ||
        second->matrix.cell_loss != NULL || a.compared_types > 0 || b.compared_types > 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a model with groups, merged leaves or a hierarchy of its own does not add "
                       "up, expected bare ones");
    return OCELOTL_OK;
}

/* --- Nodes */

static bool is_leaf(const ocelotl_model *model, uint32_t node)
{
    return oc_tree_is_leaf(&model->matrix.tree, node);
}

static ocelotl_status fail_shared(const char *path)
{
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "both models have the leaf \"%s\", expected disjoint leaves", path);
}

static uint32_t give(adding *with, oc_given_node node, const char *path)
{
    with->paths[with->count] = path;
    with->nodes[with->count] = node;
    return with->count++;
}

/* Gives a node its own leaf: a leaf in one model that has children in the other becomes the leaf
 * "." below itself, as in the model of both. `inner` is among the given nodes. */
static ocelotl_status give_own_leaf(adding *with, oc_map *paths, addend *of, uint32_t node,
                                    uint32_t inner)
{
    const oc_model_node *named = &of->model->nodes[node];
    oc_text path = {0};
    oc_text_format(&path, "%s/.", named->path);
    ocelotl_status status = path.failed ? oc_fail_memory() : OCELOTL_OK;
    if (status == OCELOTL_OK && oc_map_get(paths, path.bytes, path.length) != OC_MAP_NONE)
        status = fail_shared(named->path);
    if (status == OCELOTL_OK)
        status = oc_map_set(paths, path.bytes, path.length, node);
    oc_text_free(&path);
    OC_TRY(status);
    of->nodes[node] = give(with,
                           (oc_given_node){.parent = inner,
                                           .name = ".",
                                           .kind = named->kind,
                                           .source = named->source,
                                           .own_leaf = true},
                           NULL);
    return OCELOTL_OK;
}

/* A node of the second model whose path the first has: the same one. */
static ocelotl_status join_node(adding *with, oc_map *paths, uint32_t node, uint32_t same)
{
    addend *first = &with->of[0];
    addend *second = &with->of[1];
    const uint32_t given = first->nodes[same];
    const bool leaf = is_leaf(second->model, node);
    if (leaf && is_leaf(first->model, same))
        return fail_shared(second->model->nodes[node].path);
    if (leaf)
        return give_own_leaf(with, paths, second, node, given);
    second->nodes[node] = given;
    return is_leaf(first->model, same) ? give_own_leaf(with, paths, first, same, given)
                                       : OCELOTL_OK;
}

static ocelotl_status give_node(adding *with, oc_map *paths, addend *of, uint32_t node)
{
    const oc_model_node *named = &of->model->nodes[node];
    const uint32_t parent = of->model->matrix.tree.parent[node];
    const uint32_t same =
        of == &with->of[1] ? oc_map_get(paths, named->path, strlen(named->path)) : OC_MAP_NONE;
    if (same != OC_MAP_NONE)
        return join_node(with, paths, node, same);
    of->nodes[node] =
        give(with,
             (oc_given_node){.parent = parent == OCELOTL_ROOT ? OCELOTL_ROOT : of->nodes[parent],
                             .name = named->name,
                             .kind = named->kind,
                             .source = named->source},
             named->path);
    return OCELOTL_OK;
}

static ocelotl_status index_paths(oc_map *paths, const ocelotl_model *model)
{
    for (uint32_t k = 0; k < model->matrix.tree.node_count; k++)
        OC_TRY(oc_map_set(paths, model->nodes[k].path, strlen(model->nodes[k].path), k));
    return OCELOTL_OK;
}

static ocelotl_status give_all(adding *with, oc_map *paths)
{
    OC_TRY(index_paths(paths, with->of[0].model));
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < with->of[i].model->matrix.tree.node_count; k++)
            OC_TRY(give_node(with, paths, &with->of[i], k));
    return OCELOTL_OK;
}

/* --- Siblings of one trace in its order */

typedef struct placed_node {
    uint32_t source, given;
} placed_node;

static int compare_places(const void *left, const void *right)
{
    const placed_node *a = left;
    const placed_node *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    return a->given < b->given ? -1 : a->given > b->given;
}

static ocelotl_status order_nodes(adding *with)
{
    placed_node *places;
    uint32_t *moved;
    oc_given_node *nodes;
    const char **paths;
    OC_TRY(oc_arena_allocate(&places, &with->arena, with->count, sizeof *places));
    OC_TRY(oc_arena_allocate(&moved, &with->arena, with->count, sizeof *moved));
    OC_TRY(oc_arena_allocate(&nodes, &with->arena, with->count, sizeof *nodes));
    OC_TRY(oc_arena_allocate(&paths, &with->arena, with->count, sizeof *paths));
    for (uint32_t k = 0; k < with->count; k++)
        places[k] = (placed_node){with->nodes[k].source, k};
    qsort(places, with->count, sizeof *places, compare_places);
    for (uint32_t k = 0; k < with->count; k++)
        moved[places[k].given] = k;
    for (uint32_t k = 0; k < with->count; k++) {
        nodes[k] = with->nodes[places[k].given];
        paths[k] = with->paths[places[k].given];
        if (nodes[k].parent != OCELOTL_ROOT)
            nodes[k].parent = moved[nodes[k].parent];
    }
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < with->of[i].model->matrix.tree.node_count; k++)
            with->of[i].nodes[k] = moved[with->of[i].nodes[k]];
    with->nodes = nodes;
    with->paths = paths;
    return OCELOTL_OK;
}

/* Finds for each leaf of the sum where it comes from, and its life. */
static ocelotl_status find_leaves(adding *with)
{
    const oc_tree *tree = &with->sum->matrix.tree;
    OC_TRY(oc_arena_allocate(&with->leaf, &with->arena, tree->leaf_count[0], sizeof *with->leaf));
    for (uint32_t i = 0; i < 2; i++) {
        const ocelotl_model *model = with->of[i].model;
        for (uint32_t k = 0; k < model->matrix.tree.node_count; k++) {
            const uint32_t node = with->numbers[with->of[i].nodes[k]];
            if (!is_leaf(model, k))
                continue;
            with->leaf[tree->leaf_first[node]][0] = i;
            with->leaf[tree->leaf_first[node]][1] = model->matrix.tree.leaf_first[k];
            with->sum->nodes[node].begin = model->nodes[k].begin;
            with->sum->nodes[node].end = model->nodes[k].end;
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status make_tree(adding *with)
{
    const size_t most = (size_t)with->of[0].model->matrix.tree.node_count +
                        with->of[1].model->matrix.tree.node_count;
    oc_map paths = {0};
    if (most >= UINT32_MAX)
        return oc_fail(OCELOTL_ERROR_LIMIT, "the sum of two models has more than 2^32 nodes");
    OC_TRY(oc_arena_allocate(&with->nodes, &with->arena, most, sizeof *with->nodes));
    OC_TRY(oc_arena_allocate(&with->paths, &with->arena, most, sizeof *with->paths));
    OC_TRY(oc_arena_allocate(&with->numbers, &with->arena, most, sizeof *with->numbers));
    for (int i = 0; i < 2; i++)
        OC_TRY(oc_arena_allocate(&with->of[i].nodes, &with->arena,
                                 with->of[i].model->matrix.tree.node_count,
                                 sizeof *with->of[i].nodes));
    const ocelotl_status status = give_all(with, &paths);
    oc_map_free(&paths);
    OC_TRY(status);
    if (with->one_trace)
        OC_TRY(order_nodes(with));
    OC_TRY(oc_model_begin_at(&with->sum, with->numbers, with->nodes, with->paths, with->count));
    return find_leaves(with);
}

/* --- Types */

static ocelotl_status add_type(adding *with, const oc_model_type *type)
{
    ocelotl_model *sum = with->sum;
    OC_TRY(oc_model_add_type(sum, type->name, type->colour, type->untraced));
    oc_model_type *added = &sum->types[sum->type_count - 1];
    added->scale = type->scale;
    added->offset = type->offset;
    return type->spelling.full != NULL ? oc_copy_spelling(&added->spelling, &type->spelling)
                                       : OCELOTL_OK;
}

/* Types are the same by name. */
static ocelotl_status place_type(adding *with, uint32_t *place, const oc_model_type *type)
{
    ocelotl_model *sum = with->sum;
    *place = 0;
    while (*place < sum->type_count && strcmp(sum->types[*place].name, type->name) != 0)
        ++*place;
    if (*place == sum->type_count)
        return add_type(with, type);
    const oc_model_type *same = &sum->types[*place];
    if (same->scale != type->scale || same->offset != type->offset ||
        same->untraced != type->untraced)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the type \"%s\" is scaled in two ways by two models, which do not add up",
                       type->name);
    return OCELOTL_OK;
}

/* --- Cells */

static int compare_types(const void *left, const void *right)
{
    const oc_series *a = left;
    const oc_series *b = right;
    return a->type < b->type ? -1 : a->type > b->type;
}

/* Appends the series of a leaf, in the order of the sum's types. */
static void add_leaf(oc_cells *cells, const oc_cells *from, const addend *of, uint32_t leaf,
                     uint32_t number)
{
    const size_t first = oc_series_from_leaf(from->series, from->series_count, number);
    const size_t end = oc_series_from_leaf(from->series, from->series_count, number + 1);
    oc_series *added = cells->series + cells->series_count;
    for (size_t s = first; s < end; s++)
        added[s - first] = (oc_series){leaf, of->types[from->series[s].type], s};
    qsort(added, end - first, sizeof *added, compare_types);
    for (size_t i = 0; i < end - first; i++) {
        const oc_series *series = &from->series[added[i].first];
        const size_t count = series[1].first - series->first;
        memcpy(cells->slice + cells->count, from->slice + series->first,
               count * sizeof *cells->slice);
        memcpy(cells->value + cells->count, from->value + series->first,
               count * sizeof *cells->value);
        added[i].first = cells->count;
        cells->count += count;
    }
    cells->series_count += end - first;
}

static ocelotl_status add_cells(oc_cells *cells, const adding *with, const oc_cells from[2])
{
    const uint32_t leaves = with->sum->matrix.tree.leaf_count[0];
    if (from[0].series == NULL && from[1].series == NULL)
        return OCELOTL_OK;
    const size_t count = from[0].count + from[1].count;
    OC_TRY(oc_allocate(&cells->series, from[0].series_count + from[1].series_count + 1,
                       sizeof *cells->series));
    OC_TRY(oc_allocate(&cells->slice, count, sizeof *cells->slice));
    OC_TRY(oc_allocate(&cells->value, count, sizeof *cells->value));
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        const uint32_t i = with->leaf[leaf][0];
        if (from[i].series != NULL)
            add_leaf(cells, &from[i], &with->of[i], leaf, with->leaf[leaf][1]);
    }
    cells->series[cells->series_count] = (oc_series){leaves, 0, cells->count};
    return OCELOTL_OK;
}

static ocelotl_status fill(adding *with)
{
    ocelotl_model *sum = with->sum;
    const oc_cells sums[] = {oc_cells_of(&with->of[0].model->matrix),
                             oc_cells_of(&with->of[1].model->matrix)};
    const oc_cells drawn[] = {with->of[0].model->drawn, with->of[1].model->drawn};
    oc_cells cells = {0};
    const ocelotl_status status = add_cells(&cells, with, sums);
    oc_cells_give(&sum->matrix, &cells);
    OC_TRY(status);
    OC_TRY(add_cells(&sum->drawn, with, drawn));
    sum->drawing = with->of[0].model->drawing;
    oc_model_end(sum, with->of[0].model->matrix.slice_count);
    return OCELOTL_OK;
}

/* --- What captions say */

/* Adds the chosen resources of both, if both chose some: one of all makes the sum of all. */
static ocelotl_status add_resources(adding *with)
{
    ocelotl_model *sum = with->sum;
    const ocelotl_model *first = with->of[0].model;
    const ocelotl_model *second = with->of[1].model;
    const uint32_t count = first->resource_count + second->resource_count;
    if (first->resource_count == 0 || second->resource_count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&sum->resources, count, sizeof *sum->resources));
    for (; sum->resource_count < count; sum->resource_count++) {
        const uint32_t i = sum->resource_count;
        const char *path = i < first->resource_count ? first->resources[i]
                                                     : second->resources[i - first->resource_count];
        OC_TRY(oc_copy_text(&sum->resources[i], path));
    }
    return OCELOTL_OK;
}

static ocelotl_status describe(adding *with)
{
    const ocelotl_model *first = with->of[0].model;
    OC_TRY(oc_copy_optional(&with->sum->name, first->name));
    OC_TRY(oc_copy_optional(&with->sum->slices_reason, first->slices_reason));
    OC_TRY(oc_copy_optional(&with->sum->values_reason, first->values_reason));
    OC_TRY(oc_copy_optional(&with->sum->types_reason, first->types_reason));
    OC_TRY(oc_copy_optional(&with->sum->choices, first->choices));
    OC_TRY(oc_copy_optional(&with->sum->steps, first->steps));
    OC_TRY(oc_model_copy_description(with->sum, first));
    if (with->one_trace)
        OC_TRY(oc_copy_optional(&with->sum->uid, first->uid));
    with->sum->empty = first->empty && with->of[1].model->empty;
    with->sum->slices_wanted = first->slices_wanted;
    with->sum->leaves_left_out = first->leaves_left_out + with->of[1].model->leaves_left_out;
    OC_TRY(add_resources(with));
    OC_TRY(oc_type_names_begin(&with->sum->type_names));
    for (int i = 0; i < (with->one_trace ? 1 : 2); i++) {
        const ocelotl_type_names *names = with->of[i].model->type_names;
        for (uint32_t n = 0; n < ocelotl_type_names_count(names); n++) {
            const ocelotl_type_name name = ocelotl_type_names_at(names, n);
            OC_TRY(oc_type_names_append(with->sum->type_names, &name));
        }
    }
    return OCELOTL_OK;
}

static ocelotl_status add(adding *with)
{
    OC_TRY(make_tree(with));
    for (int i = 0; i < 2; i++) {
        addend *of = &with->of[i];
        OC_TRY(oc_arena_allocate(&of->types, &with->arena, of->model->matrix.type_count,
                                 sizeof *of->types));
        for (uint32_t x = 0; x < of->model->type_count; x++)
            OC_TRY(place_type(with, &of->types[x], &of->model->types[x]));
    }
    OC_TRY(describe(with));
    return fill(with);
}

ocelotl_status ocelotl_model_add(ocelotl_model **sum, const ocelotl_model *first,
                                 const ocelotl_model *second)
{
    const char *uid = ocelotl_model_info_of(first).uid;
    adding with = {.of = {{.model = first}, {.model = second}},
                   .one_trace =
                       uid[0] != '\0' && strcmp(uid, ocelotl_model_info_of(second).uid) == 0};
    OC_TRY(check_alike(first, second));
    const ocelotl_status status = add(&with);
    if (status == OCELOTL_OK) {
        *sum = with.sum;
        with.sum = NULL;
    }
    ocelotl_model_free(with.sum);
    oc_arena_free(&with.arena);
    return status;
}

/* Hierarchies that a user gives: virtual groups of resources, as in Pajé, levels that are
 * dropped, and a CSV of leaves and their new paths. */
#include "model/hierarchy/arrange.h"

#include "base/format/csv.h"
#include "base/memory.h"
#include "base/options.h"
#include "store/select/resources.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The path of a node that is nearest to a pattern, "" where none is near. */
static ocelotl_status find_nearest(const char **nearest, const oc_arrangement *arrangement,
                                   const char *pattern)
{
    const char **paths;
    OC_TRY(oc_allocate(&paths, arrangement->count, sizeof *paths));
    for (uint32_t k = 1; k < arrangement->count; k++)
        paths[k - 1] = arrangement->nodes[k].path;
    const size_t found = oc_nearest(pattern, paths, arrangement->count - 1);
    *nearest = found + 1 < arrangement->count ? paths[found] : "";
    free(paths);
    return OCELOTL_OK;
}

/* The nearest node that is above both, or one of them. Parents have lower numbers. */
static uint32_t common_ancestor(const oc_arrangement *arrangement, uint32_t a, uint32_t b)
{
    while (a != b) {
        uint32_t *lower = a > b ? &a : &b;
        *lower = arrangement->nodes[*lower].given.parent;
    }
    return a;
}

/* Marks what matches and is below nothing that does, as true; *above becomes their nearest common
 * ancestor, OCELOTL_NONE where nothing matches. */
static uint32_t match(bool *matched, bool *within, const oc_arrangement *arrangement,
                      const char *pattern)
{
    uint32_t above = OCELOTL_NONE;
    for (uint32_t k = 1; k < arrangement->count; k++) {
        const oc_arranged_node *node = &arrangement->nodes[k];
        within[k] = within[node->given.parent];
        if (within[k] || !oc_pattern_matches(pattern, node->path))
            continue;
        within[k] = matched[k] = true;
        above = above == OCELOTL_NONE ? node->given.parent
                                      : common_ancestor(arrangement, above, node->given.parent);
    }
    return above;
}

static ocelotl_status group(bool *matched, bool *within, oc_arrangement *arrangement,
                            const oc_catalogue *catalogue, const char *pattern, const char *name)
{
    const uint32_t count = arrangement->count;
    const uint32_t above = match(matched, within, arrangement, pattern);
    uint32_t node;
    if (above == OCELOTL_NONE) {
        const char *nearest;
        if (oc_pattern_names_any(catalogue, pattern))
            return OCELOTL_OK;
        OC_TRY(find_nearest(&nearest, arrangement, pattern));
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "no resource matches \"%s\", the pattern of a group%s%s%s", pattern,
                       nearest[0] != '\0' ? "; the nearest is \"" : "", nearest,
                       nearest[0] != '\0' ? "\"" : "");
    }
    const char *path = oc_arrangement_path(arrangement, above, name);
    for (uint32_t k = 1; k < count; k++)
        if (strcmp(arrangement->nodes[k].path, path) == 0)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "a group would be \"%s\", which is there already, expected another name",
                           path);
    OC_TRY(oc_arrangement_add(&node, arrangement, above, name, "group", UINT32_MAX));
    arrangement->nodes[node].path = path;
    for (uint32_t k = 1; k < count; k++) {
        if (!matched[k])
            continue;
        arrangement->nodes[k].given.parent = node;
        if (arrangement->nodes[k].rank < arrangement->nodes[node].rank)
            arrangement->nodes[node].rank = arrangement->nodes[k].rank;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_group(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                        const char *pattern, const char *name)
{
    bool *marks;
    OC_TRY(oc_allocate(&marks, 2 * (size_t)arrangement->count, sizeof *marks));
    const ocelotl_status status =
        group(marks, marks + arrangement->count, arrangement, catalogue, pattern, name);
    free(marks);
    return status;
}

/* --- Nodes that are folded */

ocelotl_status oc_fold_nodes(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                             const ocelotl_names *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const char *pattern = patterns->names[i];
        const char *nearest;
        bool found = false;
        for (uint32_t k = 1; k < arrangement->count; k++) {
            oc_arranged_node *node = &arrangement->nodes[k];
            if (!oc_pattern_matches(pattern, node->path))
                continue;
            found = true;
            node->merged = node->child_count > 0;
        }
        if (found || oc_pattern_names_any(catalogue, pattern))
            continue;
        OC_TRY(find_nearest(&nearest, arrangement, pattern));
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "no node \"%s\" to fold; the nearest is \"%s\"",
                       pattern, nearest);
    }
    return OCELOTL_OK;
}

/* The names of the levels that can be dropped, each once, in the order of the hierarchy. O(nodes x
 * levels). */
static ocelotl_status list_levels(const char ***levels, size_t *count,
                                  const oc_arrangement *arrangement)
{
    size_t capacity = 0;
    for (uint32_t k = 1; k < arrangement->count; k++) {
        const oc_arranged_node *node = &arrangement->nodes[k];
        bool known = oc_arranged_is_leaf(node) || node->given.kind[0] == '\0';
        for (size_t i = *count; i-- > 0 && !known;)
            known = strcmp((*levels)[i], node->given.kind) == 0;
        if (known)
            continue;
        OC_TRY(oc_grow(levels, &capacity, *count + 1, sizeof **levels));
        (*levels)[(*count)++] = node->given.kind;
    }
    return OCELOTL_OK;
}

static ocelotl_status fail_no_level(const char *kind, const char *const *levels, size_t count)
{
    oc_text text = {0};
    if (count == 0)
        return oc_fail(
            OCELOTL_ERROR_ARGUMENT,
            "level \"%s\" cannot be dropped, the hierarchy has no level above its leaves", kind);
    for (size_t i = 0; i < count; i++)
        oc_text_format(&text, "%s\"%s\"", i > 0 ? ", " : "", levels[i]);
    const ocelotl_status status =
        text.failed ? oc_fail_memory()
                    : oc_fail(OCELOTL_ERROR_ARGUMENT,
                              "no level above the leaves is of the type \"%s\"; the nearest is "
                              "\"%s\" (the levels are %s)",
                              kind, levels[oc_nearest(kind, levels, count)], text.bytes);
    oc_text_free(&text);
    return status;
}

/* Names the leaf for a resource's own events after the resource. */
static void name_own_leaf(oc_arrangement *arrangement, uint32_t leaf, uint32_t above)
{
    oc_arranged_node *own = &arrangement->nodes[leaf];
    own->given.name = arrangement->nodes[above].given.name;
    own->given.own_leaf = false;
    own->path = arrangement->nodes[above].path;
}

ocelotl_status oc_drop_level(oc_arrangement *arrangement, const char *kind)
{
    bool any = false;
    for (uint32_t k = 1; k < arrangement->count; k++) {
        oc_arranged_node *node = &arrangement->nodes[k];
        const uint32_t parent = node->given.parent;
        if (node->given.own_leaf && arrangement->nodes[parent].dropped)
            name_own_leaf(arrangement, k, parent);
        if (oc_arranged_is_leaf(node) || node->dropped || strcmp(node->given.kind, kind) != 0)
            continue;
        node->dropped = true;
        any = true;
    }
    if (any)
        return OCELOTL_OK;
    const char **levels = NULL;
    size_t count = 0;
    ocelotl_status status = list_levels(&levels, &count, arrangement);
    if (status == OCELOTL_OK)
        status = fail_no_level(kind, levels, count);
    free(levels);
    return status;
}

/* The first leaf of each name is in the map; if others follow, all have paths for names. */
static ocelotl_status drop_inner(oc_arrangement *arrangement, oc_map *leaves)
{
    for (uint32_t k = 1; k < arrangement->count; k++) {
        oc_arranged_node *node = &arrangement->nodes[k];
        if (node->given.own_leaf)
            name_own_leaf(arrangement, k, node->given.parent);
        node->dropped = !oc_arranged_is_leaf(node);
        if (node->dropped)
            continue;
        const char *name = node->given.name;
        const uint32_t known = oc_map_get(leaves, name, strlen(name));
        if (known == OC_MAP_NONE) {
            OC_TRY(oc_map_set(leaves, name, strlen(name), k));
            continue;
        }
        node->given.name = node->path;
        arrangement->nodes[known].given.name = arrangement->nodes[known].path;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_drop_inner(oc_arrangement *arrangement)
{
    oc_map leaves = {0};
    const ocelotl_status status = drop_inner(arrangement, &leaves);
    oc_map_free(&leaves);
    return status;
}

/* --- A CSV of leaves and their new paths */

/* Reading one. Lines are those of the file; 0: none yet. */
typedef struct oc_hierarchy_reader {
    oc_csv *csv;
    oc_arrangement *arrangement;
    const oc_catalogue *catalogue;
    uint32_t old_count; /* nodes that there were before */
    oc_map leaves;      /* by path, and by name: their nodes */
    bool *shared;       /* by node: a leaf whose name others have too */
    uint64_t *line;     /* by node that there was before: where its new path is given */
    oc_map inner;       /* by new path: the node */
    oc_map taken;       /* by new path: the leaf's node */
    /* by new path: the last number given to a leaf to distinguish it from others of that path */
    oc_map numbers;
    const char *rest; /* the path of leaves that are not listed; NULL: there must be none */
    uint32_t rank;
} oc_hierarchy_reader;

/* "file:line: " before the message of a failure. */
static ocelotl_status at_line(const oc_hierarchy_reader *reader, ocelotl_status failed)
{
    return oc_fail_within(failed, "%s:%" PRIu64, oc_csv_name(reader->csv),
                          oc_csv_line(reader->csv));
}

/* A name that is also a path stands for what has that path. */
static ocelotl_status index_leaves(oc_hierarchy_reader *reader)
{
    const oc_arrangement *arrangement = reader->arrangement;
    for (int by_path = 0; by_path < 2; by_path++)
        for (uint32_t k = 0; k < arrangement->count; k++) {
            const oc_arranged_node *node = &arrangement->nodes[k];
            if (!oc_arranged_is_leaf(node))
                continue;
            const char *key = by_path ? node->path : node->given.name;
            const uint32_t known = oc_map_get(&reader->leaves, key, strlen(key));
            if (!by_path && known != OC_MAP_NONE)
                reader->shared[known] = true;
            else
                OC_TRY(oc_map_set(&reader->leaves, key, strlen(key), k));
        }
    return OCELOTL_OK;
}

static ocelotl_status fail_unknown(const oc_hierarchy_reader *reader, const char *resource)
{
    const ocelotl_model *model = reader->arrangement->model;
    const char **paths;
    size_t count = 0;
    OC_TRY(oc_allocate(&paths, model->matrix.tree.leaf_count[0], sizeof *paths));
    for (uint32_t k = 0; k < model->matrix.tree.node_count; k++)
        if (oc_tree_is_leaf(&model->matrix.tree, k))
            paths[count++] = model->nodes[k].path;
    const ocelotl_status status = at_line(
        reader, oc_fail(OCELOTL_ERROR_INPUT, "no leaf is called \"%s\"; the nearest is \"%s\"",
                        resource, paths[oc_nearest(resource, paths, count)]));
    free(paths);
    return status;
}

/* Whether it is in the trace, but not in the model: it was not chosen, or has nothing of what is
 * shown. */
static ocelotl_status is_elsewhere(bool *elsewhere, const oc_hierarchy_reader *reader,
                                   const char *resource)
{
    const oc_catalogue *catalogue = reader->catalogue;
    const ocelotl_model *model = reader->arrangement->model;
    *elsewhere = false;
    for (uint32_t k = 0; k < model->matrix.tree.node_count; k++)
        if (strcmp(model->nodes[k].path, resource) == 0)
            return OCELOTL_OK;
    uint32_t found;
    OC_TRY(oc_path_find(&found, &catalogue->paths, resource, strlen(resource)));
    *elsewhere = found != OCELOTL_NONE;
    for (uint32_t r = 0; r < catalogue->trace->resource_count && !*elsewhere; r++)
        *elsewhere = strcmp(catalogue->trace->resources[r].name, resource) == 0;
    return OCELOTL_OK;
}

/* OCELOTL_NONE for what is not in the model. */
static ocelotl_status find_leaf(uint32_t *leaf, const oc_hierarchy_reader *reader,
                                const char *resource)
{
    *leaf = oc_map_get(&reader->leaves, resource, strlen(resource));
    if (*leaf == OC_MAP_NONE) {
        bool elsewhere;
        *leaf = OCELOTL_NONE;
        OC_TRY(is_elsewhere(&elsewhere, reader, resource));
        return elsewhere ? OCELOTL_OK : fail_unknown(reader, resource);
    }
    const char *path = reader->arrangement->nodes[*leaf].path;
    if (reader->shared[*leaf] && strcmp(path, resource) != 0)
        return at_line(reader,
                       oc_fail(OCELOTL_ERROR_INPUT,
                               "several leaves are called \"%s\", expected a path, such as \"%s\"",
                               resource, path));
    if (reader->line[*leaf] > 0)
        return at_line(reader, oc_fail(OCELOTL_ERROR_INPUT,
                                       "\"%s\" is given its path by line %" PRIu64 " already",
                                       resource, reader->line[*leaf]));
    return OCELOTL_OK;
}

static const char *keep_name(oc_arrangement *arrangement, const char *step, size_t length)
{
    oc_text text = {0};
    oc_text_add_step_name(&text, step, length);
    return oc_arrangement_take(arrangement, &text);
}

/* Finds or adds the inner node of the first `length` bytes of a path, below the node of the last
 * step. */
static ocelotl_status step_down(uint32_t *node, oc_hierarchy_reader *reader, const char *path,
                                size_t begin, size_t length)
{
    oc_arrangement *arrangement = reader->arrangement;
    const uint32_t parent = *node;
    const uint32_t taken = oc_map_get(&reader->taken, path, length);
    if (taken != OC_MAP_NONE)
        return at_line(reader, oc_fail(OCELOTL_ERROR_INPUT,
                                       "\"%s\" is below \"%.*s\", which is a leaf by line %" PRIu64,
                                       path, (int)length, path, reader->line[taken]));
    *node = oc_map_get(&reader->inner, path, length);
    if (*node != OC_MAP_NONE)
        return OCELOTL_OK;
    const char *name = keep_name(arrangement, path + begin, length - begin);
    OC_TRY(oc_arrangement_add(node, arrangement, parent, name, "", reader->rank));
    arrangement->nodes[*node].path = oc_arena_copy_bytes(&arrangement->arena, path, length);
    return oc_map_set(&reader->inner, path, length, *node);
}

static ocelotl_status put_at(oc_hierarchy_reader *reader, uint32_t leaf, const char *path,
                             uint64_t line)
{
    oc_arrangement *arrangement = reader->arrangement;
    const size_t length = strlen(path);
    uint32_t parent = 0;
    size_t begin = 0;
    if (length == 0 || path[0] == '/' || path[length - 1] == '/' || strstr(path, "//") != NULL)
        return at_line(reader,
                       oc_fail(OCELOTL_ERROR_INPUT,
                               "the path is \"%s\", expected names with \"/\" between them", path));
    for (const char *end = strchr(path, '/'); end != NULL; end = strchr(end + 1, '/')) {
        OC_TRY(step_down(&parent, reader, path, begin, (size_t)(end - path)));
        begin = (size_t)(end - path) + 1;
    }
    const uint32_t taken = oc_map_get(&reader->taken, path, length);
    if (taken != OC_MAP_NONE)
        return at_line(
            reader,
            oc_fail(OCELOTL_ERROR_INPUT,
                    "the path \"%s\" is given to two leaves, the other one by line %" PRIu64, path,
                    reader->line[taken]));
    if (oc_map_get(&reader->inner, path, length) != OC_MAP_NONE)
        return at_line(reader, oc_fail(OCELOTL_ERROR_INPUT,
                                       "\"%s\" is to be a leaf, but others are below it", path));
    oc_arranged_node *node = &arrangement->nodes[leaf];
    node->given.name = keep_name(arrangement, path + begin, length - begin);
    node->path = oc_arena_copy_bytes(&arrangement->arena, path, length);
    node->given.parent = parent;
    node->given.own_leaf = false;
    node->rank = reader->rank;
    reader->line[leaf] = line;
    return oc_map_set(&reader->taken, path, length, leaf);
}

static ocelotl_status read_row(oc_hierarchy_reader *reader)
{
    uint32_t leaf;
    if (oc_csv_field_count(reader->csv) != 2)
        return at_line(reader,
                       oc_fail(OCELOTL_ERROR_INPUT, "%zu fields, expected a resource and its path",
                               oc_csv_field_count(reader->csv)));
    const char *resource = oc_csv_field(reader->csv, 0);
    const char *path = oc_csv_field(reader->csv, 1);
    reader->rank++;
    if (strcmp(resource, "*") != 0) {
        OC_TRY(find_leaf(&leaf, reader, resource));
        return leaf == OCELOTL_NONE ? OCELOTL_OK
                                    : put_at(reader, leaf, path, oc_csv_line(reader->csv));
    }
    const size_t length = strlen(path);
    if (reader->rest != NULL)
        return at_line(reader, oc_fail(OCELOTL_ERROR_INPUT, "where all others go is given twice"));
    if (length < 1 || path[length - 1] != '*' || (length > 1 && path[length - 2] != '/'))
        return at_line(reader,
                       oc_fail(OCELOTL_ERROR_INPUT,
                               "all others go to \"%s\", expected a path that ends with \"/*\"",
                               path));
    reader->rest = oc_arena_copy_bytes(&reader->arrangement->arena, path, length - 1);
    return OCELOTL_OK;
}

/* Leaves that are not listed: their names come in place of the "*". */
static ocelotl_status place_rest(oc_hierarchy_reader *reader, const char *file)
{
    for (uint32_t k = 0; k < reader->old_count; k++) {
        const oc_arranged_node *node = &reader->arrangement->nodes[k];
        if (!oc_arranged_is_leaf(node) || reader->line[k] > 0)
            continue;
        if (reader->rest == NULL)
            return oc_fail(OCELOTL_ERROR_INPUT,
                           "%s: does not say where leaf \"%s\" goes, expected all leaves, or a "
                           "line such as *,other/*",
                           file, node->path);
        oc_text text = {0};
        oc_text_add(&text, reader->rest);
        const bool own_leaf = node->given.own_leaf; /* it is called "." */
        oc_text_add_path_step(&text, own_leaf
                                         ? reader->arrangement->nodes[node->given.parent].given.name
                                         : node->given.name);
        reader->rank++;
        ocelotl_status status = oc_number_twin(&text, &reader->taken, &reader->numbers);
        if (status == OCELOTL_OK)
            status = put_at(reader, k, text.bytes, oc_csv_line(reader->csv));
        oc_text_free(&text);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static ocelotl_status read_file(oc_hierarchy_reader *reader, const char *file)
{
    bool found;
    OC_TRY(oc_allocate(&reader->shared, reader->old_count, sizeof *reader->shared));
    OC_TRY(oc_allocate(&reader->line, reader->old_count, sizeof *reader->line));
    OC_TRY(index_leaves(reader));
    OC_TRY(oc_csv_open(&reader->csv, file));
    OC_TRY(oc_csv_next(reader->csv, &found));
    if (!found || oc_csv_field_count(reader->csv) != 2 ||
        strcmp(oc_csv_field(reader->csv, 0), "resource") != 0 ||
        strcmp(oc_csv_field(reader->csv, 1), "path") != 0)
        return at_line(reader, oc_fail(OCELOTL_ERROR_INPUT,
                                       "is no hierarchy, expected the header resource,path"));
    OC_TRY(oc_csv_next(reader->csv, &found));
    while (found) {
        OC_TRY(read_row(reader));
        OC_TRY(oc_csv_next(reader->csv, &found));
    }
    return place_rest(reader, file);
}

ocelotl_status oc_read_hierarchy(oc_arrangement *arrangement, const oc_catalogue *catalogue,
                                 const char *file)
{
    oc_hierarchy_reader reader = {
        .arrangement = arrangement, .catalogue = catalogue, .old_count = arrangement->count};
    const ocelotl_status status = read_file(&reader, file);
    oc_csv_free(reader.csv);
    oc_map_free(&reader.leaves);
    oc_map_free(&reader.inner);
    oc_map_free(&reader.taken);
    oc_map_free(&reader.numbers);
    free(reader.shared);
    free(reader.line);
    return status;
}

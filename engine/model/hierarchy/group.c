/* Virtual groups of resources, as in Pajé. */
#include "base/memory.h"
#include "base/options.h"
#include "model/hierarchy/arrange.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status fail_unknown(const oc_arrangement *arrangement, const char *pattern)
{
    const char **paths;
    OC_TRY(oc_allocate(&paths, arrangement->count, sizeof *paths));
    for (uint32_t k = 1; k < arrangement->count; k++)
        paths[k - 1] = arrangement->nodes[k].path;
    const size_t nearest = oc_nearest(pattern, paths, arrangement->count - 1);
    const ocelotl_status status =
        nearest + 1 < arrangement->count
            ? oc_fail(OCELOTL_ERROR_ARGUMENT,
                      "no resource matches \"%s\", the pattern of a group; the nearest is \"%s\"",
                      pattern, paths[nearest])
            : oc_fail(OCELOTL_ERROR_ARGUMENT, "no resource matches \"%s\", the pattern of a group",
                      pattern);
    free(paths);
    return status;
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

static ocelotl_status keep_path(const char **path, oc_arrangement *arrangement, uint32_t above,
                                const char *name)
{
    oc_text text = {0};
    oc_text_add(&text, arrangement->nodes[above].path);
    oc_text_add(&text, above > 0 ? "/" : "");
    oc_text_add_path_step(&text, name);
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_arrangement_keep(path, arrangement, text.bytes);
    oc_text_free(&text);
    return status;
}

static ocelotl_status check_path(const oc_arrangement *arrangement, const char *path)
{
    for (uint32_t k = 1; k < arrangement->count; k++)
        if (strcmp(arrangement->nodes[k].path, path) == 0)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "a group would be \"%s\", which is there already, expected another name",
                           path);
    return OCELOTL_OK;
}

/* Whether it is of resources of the trace that are not in the model. */
static bool is_elsewhere(const oc_catalogue *catalogue, const char *pattern)
{
    for (uint32_t r = 0; r < catalogue->trace->resource_count; r++)
        if (oc_pattern_matches(pattern, oc_catalogue_path(catalogue, r)))
            return true;
    return false;
}

static ocelotl_status group(bool *matched, bool *within, oc_arrangement *arrangement,
                            const oc_catalogue *catalogue, const char *pattern, const char *name)
{
    const uint32_t count = arrangement->count;
    const uint32_t above = match(matched, within, arrangement, pattern);
    uint32_t node;
    if (above == OCELOTL_NONE)
        return is_elsewhere(catalogue, pattern) ? OCELOTL_OK : fail_unknown(arrangement, pattern);
    const char *kept;
    const char *path;
    OC_TRY(oc_arrangement_keep(&kept, arrangement, name));
    OC_TRY(keep_path(&path, arrangement, above, name));
    OC_TRY(check_path(arrangement, path));
    OC_TRY(oc_arrangement_add(&node, arrangement, above, kept, "group", UINT32_MAX));
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
    bool *matched = NULL;
    bool *within = NULL;
    ocelotl_status status = oc_allocate(&matched, arrangement->count, sizeof *matched);
    if (status == OCELOTL_OK)
        status = oc_allocate(&within, arrangement->count, sizeof *within);
    if (status == OCELOTL_OK)
        status = group(matched, within, arrangement, catalogue, pattern, name);
    free(matched);
    free(within);
    return status;
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
                              "\"%s\" (there are %s)",
                              kind, levels[oc_nearest(kind, levels, count)], text.bytes);
    oc_text_free(&text);
    return status;
}

/* What happens in the resource itself stays, as a leaf of its name. */
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

void oc_drop_inner(oc_arrangement *arrangement)
{
    for (uint32_t k = 1; k < arrangement->count; k++) {
        oc_arranged_node *node = &arrangement->nodes[k];
        if (node->given.own_leaf)
            name_own_leaf(arrangement, k, node->given.parent);
        node->dropped = !oc_arranged_is_leaf(node);
    }
}

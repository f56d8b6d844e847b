/* Virtual groups of resources, as in Pajé. */
#include "model/hierarchy/arrange.h"

#include "base/memory.h"
#include "base/options.h"

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

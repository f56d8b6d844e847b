#include "model/resource_choice.h"

#include "base/memory.h"
#include "base/nearest.h"

#include <stdlib.h>
#include <string.h>

static ocelotl_status fail_unknown(const oc_catalogue *catalogue, const char *path)
{
    const ocelotl_trace *trace = catalogue->trace;
    const size_t nearest = oc_nearest(path, (const char *const *)catalogue->paths, trace->resource_count);
    if (nearest == trace->resource_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no resource \"%s\"; it has none at all", trace->path, path);
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "%s: has no resource \"%s\"; the nearest is \"%s\"", trace->path, path,
                   catalogue->paths[nearest]);
}

/* The resource of a path of so many bytes, OCELOTL_NONE where there is none. */
static uint32_t find(const oc_catalogue *catalogue, const char *path, size_t length)
{
    for (uint32_t r = 0; r < catalogue->trace->resource_count; r++)
        if (strncmp(catalogue->paths[r], path, length) == 0 && catalogue->paths[r][length] == '\0')
            return r;
    return OCELOTL_NONE;
}

/* A resource and all below it: parents come first. */
static ocelotl_status choose_below(bool *chosen, bool *below, const oc_catalogue *catalogue, const char *path)
{
    const ocelotl_trace *trace = catalogue->trace;
    const size_t length = strlen(path);
    const uint32_t top = find(catalogue, path, length);
    const bool own_leaf = top == OCELOTL_NONE && length > 2 && strcmp(path + length - 2, "/.") == 0;
    const uint32_t leaf = own_leaf ? find(catalogue, path, length - 2) : OCELOTL_NONE;
    if (leaf != OCELOTL_NONE)
        chosen[leaf] = true;
    if (top == OCELOTL_NONE)
        return leaf != OCELOTL_NONE ? OCELOTL_OK : fail_unknown(catalogue, path);
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const uint32_t parent = trace->resources[r].parent;
        below[r] = r == top || (parent != OCELOTL_ROOT && below[parent]);
        chosen[r] = chosen[r] || below[r];
    }
    return OCELOTL_OK;
}

static ocelotl_status choose(bool *chosen, bool *below, const oc_catalogue *catalogue, const ocelotl_names *named)
{
    for (size_t i = 0; i < named->count; i++) {
        if (named->names[i] == NULL)
            return oc_fail(OCELOTL_ERROR_ARGUMENT, "resource %zu to be chosen has no path", i);
        /* The path of the root is empty. */
        if (named->names[i][0] == '\0')
            memset(chosen, true, catalogue->trace->resource_count * sizeof *chosen);
        else
            OC_TRY(choose_below(chosen, below, catalogue, named->names[i]));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_choose_resources(bool **chosen, const oc_catalogue *catalogue,
                                   const ocelotl_model_options *options)
{
    bool *below = NULL;
    bool *made = NULL;
    *chosen = NULL;
    if (options->resources.count == 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&below, catalogue->trace->resource_count, sizeof *below));
    ocelotl_status status = oc_allocate(&made, catalogue->trace->resource_count, sizeof *made);
    if (status == OCELOTL_OK)
        status = choose(made, below, catalogue, &options->resources);
    free(below);
    if (status != OCELOTL_OK) {
        free(made);
        return status;
    }
    *chosen = made;
    return OCELOTL_OK;
}

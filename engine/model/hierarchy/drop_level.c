#include "model/hierarchy/arrange.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

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

static ocelotl_status fail_unknown(const char *kind, const char *const *levels, size_t count)
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
        status = fail_unknown(kind, levels, count);
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

/* Names groups of like siblings by what is in them. */
#include "model/arrange.h"
#include "model/group_name.h"

#include "base/memory.h"

#include <stdlib.h>

typedef struct naming {
    oc_arrangement *arrangement;
    uint32_t *above; /* by node: the nearest node above it that is no group */
    oc_group_member *members;
} naming;

static ocelotl_status prepare(naming *of)
{
    const oc_arrangement *arrangement = of->arrangement;
    OC_TRY(oc_allocate(&of->above, arrangement->count, sizeof *of->above));
    OC_TRY(oc_allocate(&of->members, arrangement->count, sizeof *of->members));
    for (uint32_t k = 1; k < arrangement->count; k++) {
        const uint32_t parent = arrangement->nodes[k].given.parent;
        of->above[k] = arrangement->nodes[parent].alike ? of->above[parent] : parent;
    }
    return OCELOTL_OK;
}

/* What is below a node follows it. */
static uint32_t list_members(naming *of, uint32_t group)
{
    const oc_arranged_node *nodes = of->arrangement->nodes;
    uint32_t count = 0;
    for (uint32_t k = group + 1; k < of->arrangement->count && nodes[k].given.parent >= group; k++)
        if (!nodes[k].alike && of->above[k] == of->above[group])
            of->members[count++] = (oc_group_member){nodes[k].given.name, nodes[k].given.kind};
    return count;
}

static ocelotl_status name_group(naming *of, uint32_t group)
{
    oc_arrangement *arrangement = of->arrangement;
    const char *path = arrangement->nodes[of->above[group]].path;
    oc_text text = {0};
    const char *name = NULL;
    ocelotl_status status = oc_group_name(&text, of->members, list_members(of, group));
    if (status == OCELOTL_OK)
        status = oc_arrangement_keep(&name, arrangement, text.bytes);
    oc_text_clear(&text);
    oc_text_add(&text, path);
    oc_text_add(&text, path[0] != '\0' ? "/" : "");
    if (status == OCELOTL_OK) {
        oc_text_add_path_step(&text, name);
        status = text.failed ? oc_fail_memory()
                             : oc_arrangement_keep(&arrangement->nodes[group].path, arrangement, text.bytes);
        arrangement->nodes[group].given.name = name;
    }
    oc_text_free(&text);
    return status;
}

static ocelotl_status name_all(naming *of)
{
    OC_TRY(prepare(of));
    for (uint32_t k = 1; k < of->arrangement->count; k++)
        if (of->arrangement->nodes[k].alike)
            OC_TRY(name_group(of, k));
    return OCELOTL_OK;
}

ocelotl_status oc_name_groups(oc_arrangement *arrangement)
{
    naming of = {.arrangement = arrangement};
    const ocelotl_status status = name_all(&of);
    free(of.above);
    free(of.members);
    return status;
}

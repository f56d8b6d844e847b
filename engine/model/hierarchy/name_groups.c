/* Names groups of like siblings by what is in them. */
#include "model/hierarchy/arrange.h"
#include "model/hierarchy/group_name.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

/* Of siblings of one name the paths tell which is which: they end in #2, #3. */
static ocelotl_status name_member(const char **name, oc_arrangement *arrangement,
                                  const oc_arranged_node *node)
{
    const char *number = strrchr(node->path, '#');
    const char *own = strrchr(node->given.name, '#');
    *name = node->given.name;
    if (number == NULL || strchr(number, '/') != NULL || (own != NULL && strcmp(own, number) == 0))
        return OCELOTL_OK;
    oc_text text = {0};
    oc_text_add(&text, node->given.name);
    oc_text_add(&text, number);
    const ocelotl_status status =
        text.failed ? oc_fail_memory() : oc_arrangement_keep(name, arrangement, text.bytes);
    oc_text_free(&text);
    return status;
}

/* What is below a node follows it. */
static ocelotl_status list_members(uint32_t *count, naming *of, uint32_t group)
{
    const oc_arranged_node *nodes = of->arrangement->nodes;
    *count = 0;
    for (uint32_t k = group + 1; k < of->arrangement->count && nodes[k].given.parent >= group;
         k++) {
        if (nodes[k].alike || of->above[k] != of->above[group])
            continue;
        oc_group_member *member = &of->members[(*count)++];
        member->kind = nodes[k].given.kind;
        OC_TRY(name_member(&member->name, of->arrangement, &nodes[k]));
    }
    return OCELOTL_OK;
}

static ocelotl_status name_group(naming *of, uint32_t group)
{
    oc_arrangement *arrangement = of->arrangement;
    const char *path = arrangement->nodes[of->above[group]].path;
    oc_text text = {0};
    const char *name = NULL;
    uint32_t count;
    OC_TRY(list_members(&count, of, group));
    ocelotl_status status = oc_group_name(&text, of->members, count);
    if (status == OCELOTL_OK)
        status = oc_arrangement_keep(&name, arrangement, text.bytes);
    oc_text_clear(&text);
    oc_text_add(&text, path);
    oc_text_add(&text, path[0] != '\0' ? "/" : "");
    if (status == OCELOTL_OK) {
        oc_text_add_path_step(&text, name);
        status = text.failed ? oc_fail_memory()
                             : oc_arrangement_keep(&arrangement->nodes[group].path, arrangement,
                                                   text.bytes);
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

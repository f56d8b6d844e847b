/* Groups of resources that are nodes of a model, where the hierarchy is not the trace's. */
#include "query/messages/messages.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

/* Whether the hierarchy differs from that of the trace. */
static bool is_asked(const ocelotl_hierarchy_options *asked)
{
    return asked->file != NULL || asked->drop_levels.count > 0 || asked->groups.count > 0 ||
           asked->cluster || asked->order != OCELOTL_ORDER_TRACE;
}

ocelotl_status oc_messages_arrange(ocelotl_model **model, ocelotl_trace *trace,
                                   const ocelotl_messages_options *options)
{
    const ocelotl_hierarchy_options *asked = &options->hierarchy;
    ocelotl_model_options wanted = OCELOTL_MODEL_OPTIONS_INIT;
    if (!is_asked(asked) || !oc_has_links(trace))
        return OCELOTL_OK;
    wanted.cells.metric = "link-ends";
    /* Time matters only to how alike resources behave. */
    wanted.slices = asked->cluster ? 0 : 1;
    wanted.hierarchy.file = asked->file;
    wanted.hierarchy.drop_levels = asked->drop_levels;
    wanted.hierarchy.groups = asked->groups;
    wanted.hierarchy.cluster = asked->cluster;
    wanted.hierarchy.order = asked->order;
    wanted.hierarchy.bare = true;
    wanted.work = options->work;
    return ocelotl_model_from_trace(model, trace, &wanted);
}

/* The kind of a node; one that a file made has the kind of --group. */
static const char *kind_of(const ocelotl_model *model, uint32_t node)
{
    const ocelotl_node is = ocelotl_model_node_at(model, node);
    return node > 0 && is.kind[0] == '\0' && is.source == OCELOTL_NONE ? "group" : is.kind;
}

static ocelotl_status fail_unknown(const oc_group_request *asked, const ocelotl_model *model)
{
    const uint32_t nodes = ocelotl_model_info_of(model).node_count;
    const char **names = NULL;
    size_t count = 0;
    OC_TRY(oc_allocate(&names, (size_t)nodes + 1, sizeof *names));
    for (uint32_t k = 0; k < nodes; k++) {
        names[count] = kind_of(model, k);
        count += names[count][0] != '\0';
    }
    names[count++] = oc_whole_group;
    const char *nearest = names[oc_nearest(asked->at, names, count)];
    free(names);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: has no resources of a type \"%s\" in this hierarchy; the nearest is \"%s\"",
                   asked->trace->label, asked->at, nearest);
}

/* Finds the groups, with what is needed for that in an arena. */
static ocelotl_status find(oc_groups *groups, oc_arena *arena, const oc_group_request *asked,
                           const ocelotl_model *model)
{
    const ocelotl_trace *trace = asked->trace;
    const uint32_t nodes = ocelotl_model_info_of(model).node_count;
    uint32_t *node_of;  /* by resource: its leaf, or node; OCELOTL_NONE: it is in no group */
    uint32_t *above;    /* by node: the topmost one of the kind above it, or itself; else NONE */
    uint32_t *group_of; /* by node: its number + 1 as a group that holds something */
    bool found = false;
    OC_TRY(oc_arena_allocate(&node_of, arena, trace->resource_count, sizeof *node_of));
    OC_TRY(oc_arena_allocate(&above, arena, nodes, sizeof *above));
    OC_TRY(oc_arena_allocate(&group_of, arena, nodes, sizeof *group_of));
    OC_TRY(oc_allocate(&groups->nodes, nodes, sizeof *groups->nodes));
    OC_TRY(oc_allocate(&groups->resources, nodes, sizeof *groups->resources));
    OC_TRY(oc_allocate(&groups->group_of, trace->resource_count, sizeof *groups->group_of));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        node_of[r] = OCELOTL_NONE;
    for (uint32_t k = 0; k < nodes; k++) {
        const ocelotl_node node = ocelotl_model_node_at(model, k);
        const bool is_group = asked->at == NULL || strcmp(kind_of(model, k), asked->at) == 0;
        above[k] = is_group ? k : OCELOTL_NONE;
        if (asked->at != NULL && k > 0 && above[node.parent] != OCELOTL_NONE)
            above[k] = above[node.parent];
        found = found || is_group;
        /* The leaf that a resource has comes after the node it may be. */
        if (node.source < trace->resource_count && asked->used[node.source] &&
            oc_is_selected(asked->chosen, node.source))
            node_of[node.source] = k;
    }
    if (!found)
        return fail_unknown(asked, model);
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        node_of[r] = node_of[r] != OCELOTL_NONE ? above[node_of[r]] : OCELOTL_NONE;
        if (node_of[r] != OCELOTL_NONE)
            group_of[node_of[r]] = 1;
    }
    for (uint32_t k = 0; k < nodes; k++) {
        if (group_of[k] == 0)
            continue;
        const char *kind = kind_of(model, k);
        groups->type = groups->count == 0 || strcmp(groups->type, kind) == 0 ? kind : "";
        groups->nodes[groups->count] = k;
        groups->resources[groups->count++] = ocelotl_model_node_at(model, k).source;
        group_of[k] = groups->count;
    }
    for (uint32_t r = 0; r < trace->resource_count; r++)
        groups->group_of[r] = node_of[r] != OCELOTL_NONE ? group_of[node_of[r]] - 1 : groups->count;
    groups->type = groups->count > 0 ? groups->type : "";
    return OCELOTL_OK;
}

ocelotl_status oc_groups_of_model(oc_groups *groups, const oc_group_request *asked,
                                  const ocelotl_model *model)
{
    const uint32_t nodes = ocelotl_model_info_of(model).node_count;
    oc_arena arena = {0};
    /* All is one group where no node is of such a kind. */
    bool whole = asked->at != NULL && strcmp(asked->at, oc_whole_group) == 0;
    for (uint32_t k = 0; k < nodes && whole; k++)
        whole = strcmp(kind_of(model, k), oc_whole_group) != 0;
    if (whole)
        return oc_groups_find(groups, asked);
    const ocelotl_status status = find(groups, &arena, asked, model);
    oc_arena_free(&arena);
    return status;
}

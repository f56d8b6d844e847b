/* Groups of resources that are nodes of a model, where the hierarchy is not the trace's. */
#include "query/messages/messages.h"

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

static bool has_links(const ocelotl_trace *trace)
{
    for (uint32_t s = 0; s < trace->stream_count; s++)
        if (oc_is_of_links(&trace->streams[s]) && trace->streams[s].count > 0)
            return true;
    return false;
}

ocelotl_status oc_messages_arrange(ocelotl_model **model, ocelotl_trace *trace,
                                   const ocelotl_messages_options *options)
{
    const ocelotl_hierarchy_options *asked = &options->hierarchy;
    ocelotl_model_options wanted = OCELOTL_MODEL_OPTIONS_INIT;
    if (!is_asked(asked) || !has_links(trace))
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

/* While groups are found. */
typedef struct finding {
    const ocelotl_model *model;
    const oc_group_request *asked;
    uint32_t nodes;
    uint32_t *leaf_of;  /* by resource: its node, OCELOTL_NONE */
    uint32_t *above;    /* by node: the node that is its group, OCELOTL_NONE */
    uint32_t *group_of; /* by node: its number as a group */
    bool *used;         /* by node: as a group it holds something */
} finding;

/* The kind of a node; one that a file made has the kind of --group. */
static const char *kind_of(const ocelotl_model *model, uint32_t node)
{
    const ocelotl_node is = ocelotl_model_node_at(model, node);
    return node > 0 && is.kind[0] == '\0' && is.source == OCELOTL_NONE ? "group" : is.kind;
}

/* The leaf that a resource has comes after the node it may be. */
static ocelotl_status find_leaves(finding *f)
{
    const ocelotl_trace *trace = f->asked->trace;
    OC_TRY(oc_allocate(&f->leaf_of, trace->resource_count, sizeof *f->leaf_of));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        f->leaf_of[r] = OCELOTL_NONE;
    for (uint32_t k = 0; k < f->nodes; k++) {
        const uint32_t source = ocelotl_model_node_at(f->model, k).source;
        if (source < trace->resource_count)
            f->leaf_of[source] = k;
    }
    return OCELOTL_OK;
}

static ocelotl_status fail_unknown(const finding *f)
{
    const char **names = NULL;
    size_t count = 0;
    OC_TRY(oc_allocate(&names, (size_t)f->nodes + 1, sizeof *names));
    for (uint32_t k = 0; k < f->nodes; k++) {
        names[count] = kind_of(f->model, k);
        count += names[count][0] != '\0';
    }
    names[count++] = oc_whole_group;
    const char *nearest = names[oc_nearest(f->asked->at, names, count)];
    free(names);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: has no resources of a type \"%s\" in this hierarchy; the nearest is \"%s\"",
                   f->asked->trace->label, f->asked->at, nearest);
}

/* Finds the group of each node: the topmost one above it of a kind, or itself. */
static ocelotl_status find_above(finding *f)
{
    bool found = false;
    OC_TRY(oc_allocate(&f->above, f->nodes, sizeof *f->above));
    for (uint32_t k = 0; k < f->nodes; k++) {
        const uint32_t parent = ocelotl_model_node_at(f->model, k).parent;
        const bool is_group =
            f->asked->at == NULL || strcmp(kind_of(f->model, k), f->asked->at) == 0;
        f->above[k] = is_group ? k : OCELOTL_NONE;
        if (f->asked->at != NULL && k > 0 && f->above[parent] != OCELOTL_NONE)
            f->above[k] = f->above[parent];
        found = found || is_group;
    }
    return found ? OCELOTL_OK : fail_unknown(f);
}

static bool is_used(const finding *f, uint32_t resource)
{
    return f->asked->used[resource] && oc_is_selected(f->asked->chosen, resource) &&
           f->leaf_of[resource] != OCELOTL_NONE;
}

/* Numbers the nodes that are groups and hold something, in their order. */
static ocelotl_status number_groups(oc_groups *groups, finding *f)
{
    const ocelotl_trace *trace = f->asked->trace;
    OC_TRY(oc_allocate(&f->used, f->nodes, sizeof *f->used));
    OC_TRY(oc_allocate(&f->group_of, f->nodes, sizeof *f->group_of));
    OC_TRY(oc_allocate(&groups->nodes, f->nodes, sizeof *groups->nodes));
    OC_TRY(oc_allocate(&groups->resources, f->nodes, sizeof *groups->resources));
    OC_TRY(oc_allocate(&groups->group_of, trace->resource_count, sizeof *groups->group_of));
    for (uint32_t r = 0; r < trace->resource_count; r++)
        if (is_used(f, r) && f->above[f->leaf_of[r]] != OCELOTL_NONE)
            f->used[f->above[f->leaf_of[r]]] = true;
    for (uint32_t k = 0; k < f->nodes; k++) {
        if (!f->used[k])
            continue;
        f->group_of[k] = groups->count;
        groups->nodes[groups->count] = k;
        groups->resources[groups->count++] = ocelotl_model_node_at(f->model, k).source;
    }
    for (uint32_t r = 0; r < trace->resource_count; r++) {
        const uint32_t node = is_used(f, r) ? f->above[f->leaf_of[r]] : OCELOTL_NONE;
        groups->group_of[r] = node != OCELOTL_NONE ? f->group_of[node] : groups->count;
    }
    return OCELOTL_OK;
}

/* The kind that all groups have, "" for several. */
static const char *kind_of_all(const oc_groups *groups, const ocelotl_model *model)
{
    const char *kind = NULL;
    for (uint32_t g = 0; g < groups->count; g++) {
        const char *own = kind_of(model, groups->nodes[g]);
        if (kind != NULL && strcmp(kind, own) != 0)
            return "";
        kind = own;
    }
    return kind != NULL ? kind : "";
}

static ocelotl_status find(oc_groups *groups, finding *f)
{
    OC_TRY(find_leaves(f));
    OC_TRY(find_above(f));
    OC_TRY(number_groups(groups, f));
    groups->type = kind_of_all(groups, f->model);
    return OCELOTL_OK;
}

/* Whether all is one group, as no node is of such a kind. */
static bool is_whole(const finding *f)
{
    bool whole = f->asked->at != NULL && strcmp(f->asked->at, oc_whole_group) == 0;
    for (uint32_t k = 0; k < f->nodes && whole; k++)
        whole = strcmp(kind_of(f->model, k), oc_whole_group) != 0;
    return whole;
}

ocelotl_status oc_groups_of_model(oc_groups *groups, const oc_group_request *asked,
                                  const ocelotl_model *model)
{
    finding f = {.model = model, .asked = asked, .nodes = ocelotl_model_info_of(model).node_count};
    if (is_whole(&f))
        return oc_groups_find(groups, asked);
    const ocelotl_status status = find(groups, &f);
    free(f.leaf_of);
    free(f.above);
    free(f.group_of);
    free(f.used);
    return status;
}

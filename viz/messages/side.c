/* The lines of one side of a matrix of messages. */
#include "base/memory.h"
#include "viz/messages/messages.h"

#include <stdlib.h>
#include <string.h>

/* While lines are found. */
typedef struct finding {
    oc_messages_side *side;
    const oc_messages_input *input;
    oc_messages_group_at group_at;
    uint32_t count;    /* groups */
    uint32_t limit;    /* no line is of a resource deeper than this */
    uint32_t *open;    /* resources that contain the line, topmost first, and its own, */
    size_t *open_node; /* and their nodes */
    uint32_t open_count;
} finding;

void oc_messages_side_free(oc_messages_side *side)
{
    oc_row_nodes_free(&side->nodes);
    free(side->line_of);
    *side = (oc_messages_side){0};
}

/* Where groups are: a resource of the trace, or a node of the hierarchy that the messages have. */
typedef struct place {
    uint32_t parent; /* OCELOTL_ROOT: none */
    const char *name, *type;
    const char *path; /* NULL: the first steps of the path of what is in it */
} place;

static place place_at(const finding *f, uint32_t key)
{
    const ocelotl_model *hierarchy = ocelotl_messages_hierarchy(f->input->messages);
    if (hierarchy != NULL) {
        const ocelotl_node node = ocelotl_model_node_at(hierarchy, key);
        return (place){node.parent > 0 ? node.parent : OCELOTL_ROOT, node.name, node.kind,
                       node.path};
    }
    const ocelotl_resource is = ocelotl_trace_resource_at(f->input->trace, key);
    return (place){is.parent, is.name,
                   ocelotl_trace_resource_type_at(f->input->trace, is.type).name, NULL};
}

static uint32_t depth_of(const finding *f, uint32_t key)
{
    uint32_t depth = 0;
    for (uint32_t r = place_at(f, key).parent; r != OCELOTL_ROOT; r = place_at(f, r).parent)
        depth++;
    return depth;
}

/* The place of a group; OCELOTL_NONE if it has none. */
static uint32_t place_of(const finding *f, uint32_t group)
{
    const ocelotl_message_group is = f->group_at(f->input->messages, group);
    return ocelotl_messages_hierarchy(f->input->messages) != NULL ? is.node : is.resource;
}

/* The place that a group is drawn as; OCELOTL_NONE for a group that is nowhere. */
static uint32_t key_of(const finding *f, uint32_t group)
{
    uint32_t key = place_of(f, group);
    if (key == OCELOTL_NONE)
        return key;
    for (uint32_t depth = depth_of(f, key); depth > f->limit; depth--)
        key = place_at(f, key).parent;
    return key;
}

/* Whether a group begins a line of its own, behind another one. */
static bool begins_line(uint32_t group, uint32_t key, uint32_t before)
{
    return group == 0 || key != before || key == OCELOTL_NONE;
}

/* Goes up the levels until the lines fit. */
static void choose_limit(finding *f, uint32_t most)
{
    uint32_t lines = f->count;
    f->limit = 0;
    for (uint32_t g = 0; g < f->count; g++) {
        const uint32_t key = place_of(f, g);
        const uint32_t depth = key != OCELOTL_NONE ? depth_of(f, key) : 0;
        f->limit = depth > f->limit ? depth : f->limit;
    }
    while (lines > most && f->limit > 0) {
        f->limit--;
        lines = 0;
        for (uint32_t g = 0, before = OCELOTL_NONE; g < f->count; g++) {
            const uint32_t key = key_of(f, g);
            lines += begins_line(g, key, before);
            before = key;
        }
    }
    f->side->joined = lines > most ? (lines + most - 1) / most : 1;
}

/* Adds the line of a group. What contains it and is not open yet is opened; what is open and does
 * not is closed. */
static ocelotl_status add_line(finding *f, uint32_t group, uint32_t key)
{
    oc_row_nodes *nodes = &f->side->nodes;
    const char *path = f->group_at(f->input->messages, group).path;
    const uint32_t depth = key != OCELOTL_NONE ? depth_of(f, key) : 0;
    uint32_t kept = depth;
    for (uint32_t r = key; kept > 0; f->open[--kept] = r) {
        r = place_at(f, r).parent;
        if (kept <= f->open_count && f->open[kept - 1] == r)
            break;
    }
    f->open[depth] = key;
    for (uint32_t i = kept; i <= depth; i++) {
        const bool leaf = i == depth;
        const bool nowhere = key == OCELOTL_NONE;
        const place is = nowhere ? (place){.name = path, .path = path} : place_at(f, f->open[i]);
        oc_row_node node = {is.name, is.path, i, nodes->row_count, leaf, leaf};
        if (node.path == NULL)
            OC_TRY(oc_row_nodes_keep(&node.path, nodes, path, oc_path_prefix(path, i)));
        OC_TRY(oc_row_nodes_add(nodes, &node));
        f->open_node[i] = nodes->node_count - 1;
    }
    f->open_count = depth;
    for (uint32_t i = 0; i < depth; i++)
        nodes->nodes[f->open_node[i]].count++;
    nodes->row_count++;
    return OCELOTL_OK;
}

static ocelotl_status find_lines(finding *f, uint32_t most)
{
    oc_messages_side *side = f->side;
    uint32_t before = OCELOTL_NONE;
    uint32_t in_line = 0;
    choose_limit(f, most);
    OC_TRY(oc_allocate(&side->line_of, f->count, sizeof *side->line_of));
    OC_TRY(oc_allocate(&f->open, (size_t)f->limit + 1, sizeof *f->open));
    OC_TRY(oc_allocate(&f->open_node, (size_t)f->limit + 1, sizeof *f->open_node));
    for (uint32_t g = 0; g < f->count; g++) {
        const uint32_t key = key_of(f, g);
        const char *type = key != OCELOTL_NONE ? place_at(f, key).type : side->type;
        if (side->type != NULL && strcmp(side->type, type) != 0)
            type = "";
        side->type = type;
        if (begins_line(g, key, before)) {
            /* several of the topmost resources in one line: it is called by the first of them */
            if (g == 0 || side->joined <= 1 || key == OCELOTL_NONE || in_line >= side->joined) {
                OC_TRY(add_line(f, g, key));
                in_line = 0;
            }
            in_line++;
        }
        side->line_of[g] = side->nodes.row_count - 1;
        before = key;
    }
    side->type = side->type != NULL ? side->type : "";
    side->merged = side->nodes.row_count < f->count;
    return OCELOTL_OK;
}

ocelotl_status oc_messages_side_find(oc_messages_side *side, const oc_messages_input *input,
                                     oc_messages_group_at group_at, uint32_t count, uint32_t most)
{
    finding f = {.side = side, .input = input, .group_at = group_at, .count = count};
    const ocelotl_status status = find_lines(&f, most > 0 ? most : 1);
    free(f.open);
    free(f.open_node);
    return status;
}

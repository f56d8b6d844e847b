#include "viz/gantt.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Rows of oc_rows: one is half as high as a plain row of states. */
enum { UNITS_STATE = 2, UNITS_MARKS = 2, UNITS_VARIABLE = 4, UNITS_LINKS = 1, LANES_MOST = 24 };

uint32_t oc_gantt_row_units(const ocelotl_drawn_row *row)
{
    if (row->event_type == OCELOTL_NONE)
        return UNITS_LINKS;
    if (row->category == OCELOTL_VARIABLE)
        return UNITS_VARIABLE;
    if (row->category != OCELOTL_STATE)
        return UNITS_MARKS;
    const uint32_t lanes = row->lanes < LANES_MOST ? row->lanes : LANES_MOST;
    return UNITS_STATE + (lanes > 1 ? lanes - 1 : 0);
}

/* Resources that are open while rows are gathered: each contains the next. */
typedef struct chain {
    size_t *nodes; /* of oc_rows, by depth */
    uint32_t *resources;
    size_t length, capacity, capacity_resources;
} chain;

static ocelotl_status push(chain *open, size_t node, uint32_t resource)
{
    OC_TRY(oc_grow(&open->nodes, &open->capacity, open->length + 1, sizeof *open->nodes));
    OC_TRY(oc_grow(&open->resources, &open->capacity_resources, open->length + 1, sizeof *open->resources));
    open->nodes[open->length] = node;
    open->resources[open->length++] = resource;
    return OCELOTL_OK;
}

static void close_down_to(oc_gantt *gantt, chain *open, size_t length)
{
    while (open->length > length) {
        oc_row_node *node = &gantt->rows.nodes[open->nodes[--open->length]];
        node->count = gantt->rows.row_count - node->first;
    }
}

/* Bytes of a path that name its first `depth` + 1 steps. */
static size_t prefix(const char *path, uint32_t depth)
{
    size_t length = 0;
    for (uint32_t step = 0; path[length] != '\0'; length++)
        if (path[length] == '/' && step++ == depth)
            break;
    return length;
}

static ocelotl_status keep_path(const char **kept, oc_gantt *gantt, const char *path, size_t length)
{
    char *copy = NULL;
    OC_TRY(oc_grow(&gantt->paths, &gantt->path_capacity, gantt->path_count + 1, sizeof *gantt->paths));
    OC_TRY(oc_allocate(&copy, length + 1, 1));
    memcpy(copy, path, length);
    gantt->paths[gantt->path_count++] = copy;
    *kept = copy;
    return OCELOTL_OK;
}

static ocelotl_status add_node(oc_gantt *gantt, const oc_row_node *node)
{
    OC_TRY(oc_grow(&gantt->rows.nodes, &gantt->node_capacity, gantt->rows.node_count + 1, sizeof *node));
    gantt->rows.nodes[gantt->rows.node_count++] = *node;
    return OCELOTL_OK;
}

/* Whether a resource is another or above it. */
static bool contains(const ocelotl_trace *trace, uint32_t above, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && resource > above)
        resource = ocelotl_trace_resource(trace, resource).parent;
    return resource == above;
}

/* Opens a resource and what is above it, as far as that is not open. */
static ocelotl_status open_resource(oc_gantt *gantt, chain *open, uint32_t resource, const char *path)
{
    const ocelotl_resource is = ocelotl_trace_resource(gantt->input->trace, resource);
    if (open->length > 0 && open->resources[open->length - 1] == resource)
        return OCELOTL_OK;
    if (is.parent != OCELOTL_ROOT)
        OC_TRY(open_resource(gantt, open, is.parent, path));
    const uint32_t depth = (uint32_t)open->length;
    const char *kept = NULL;
    OC_TRY(keep_path(&kept, gantt, path, prefix(path, depth)));
    const oc_row_node node = {is.name, kept, depth, gantt->rows.row_count, 0, false};
    OC_TRY(add_node(gantt, &node));
    return push(open, gantt->rows.node_count - 1, resource);
}

static ocelotl_drawn_row row_at(const oc_gantt *gantt, uint32_t row)
{
    return ocelotl_drawables_row(gantt->input->drawables, row);
}

/* Whether a resource has this one row and nothing else: then the row is the resource. */
static bool is_alone(const oc_gantt *gantt, uint32_t row)
{
    const ocelotl_drawn_row is = row_at(gantt, row);
    if (row > 0 && row_at(gantt, row - 1).resource == is.resource)
        return false;
    return row + 1 >= gantt->drawn_count ||
           !contains(gantt->input->trace, is.resource, row_at(gantt, row + 1).resource);
}

static ocelotl_status add_row(oc_gantt *gantt, chain *open, uint32_t row)
{
    oc_gantt_row *drawn = &gantt->drawn[row];
    drawn->is = row_at(gantt, row);
    drawn->first = gantt->rows.row_count;
    drawn->count = oc_gantt_row_units(&drawn->is);
    size_t kept = open->length;
    while (kept > 0 && !contains(gantt->input->trace, open->resources[kept - 1], drawn->is.resource))
        kept--;
    close_down_to(gantt, open, kept);
    OC_TRY(open_resource(gantt, open, drawn->is.resource, drawn->is.path));
    gantt->rows.row_count += drawn->count;
    if (is_alone(gantt, row)) {
        gantt->rows.nodes[open->nodes[open->length - 1]].leaf = true;
        return OCELOTL_OK;
    }
    const char *name = drawn->is.event_type != OCELOTL_NONE
                           ? ocelotl_trace_event_type(gantt->input->trace, drawn->is.event_type).name
                           : "";
    const oc_row_node own = {name, drawn->is.path, (uint32_t)open->length, drawn->first, drawn->count, true};
    return add_node(gantt, &own);
}

static ocelotl_status add_rows(oc_gantt *gantt, chain *open)
{
    for (uint32_t row = 0; row < gantt->drawn_count; row++)
        OC_TRY(add_row(gantt, open, row));
    close_down_to(gantt, open, 0);
    return OCELOTL_OK;
}

ocelotl_status oc_gantt_find_rows(oc_gantt *gantt)
{
    chain open = {0};
    gantt->drawn_count = ocelotl_drawables_row_count(gantt->input->drawables);
    OC_TRY(oc_allocate(&gantt->drawn, gantt->drawn_count, sizeof *gantt->drawn));
    const ocelotl_status status = add_rows(gantt, &open);
    free(open.nodes);
    free(open.resources);
    return status;
}

double oc_gantt_height(const ocelotl_drawables *drawables)
{
    static const double unit = 7, around = 180, least = 320, most = 2400;
    double height = around;
    for (uint32_t row = 0; row < ocelotl_drawables_row_count(drawables); row++) {
        const ocelotl_drawn_row is = ocelotl_drawables_row(drawables, row);
        height += unit * oc_gantt_row_units(&is);
    }
    return height < least ? least : height > most ? most : height;
}

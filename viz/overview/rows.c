#include "viz/overview/overview.h"

#include "base/memory.h"

/* A node that is cut off by what is visible keeps the rows that are left. */
static bool cut(oc_row_node *row, const oc_visible *visible)
{
    const uint32_t end = visible->row_first + visible->row_count;
    const uint32_t first = row->first > visible->row_first ? row->first : visible->row_first;
    const uint32_t after = row->first + row->count < end ? row->first + row->count : end;
    if (first >= after)
        return false;
    row->first = first - visible->row_first;
    row->count = after - first;
    return true;
}

static bool has_lifetime(const ocelotl_node *node, const oc_visible *visible)
{
    return node->begin > visible->slice_first ||
           node->end < visible->slice_first + (double)visible->slice_count;
}

/* Groups of like siblings are no level, and have no row of their own. */
ocelotl_status oc_overview_find_rows(oc_overview *overview)
{
    const uint32_t count = overview->model.node_count;
    oc_rows *rows = &overview->rows;
    rows->row_count = overview->visible.row_count;
    OC_TRY(oc_allocate(&rows->nodes, count, sizeof *rows->nodes));
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_node node = ocelotl_model_node(overview->input->model, i);
        const bool leaf =
            i + 1 == count || ocelotl_model_node(overview->input->model, i + 1).parent != i;
        oc_row_node row = {node.name, node.path, node.depth, node.row_first, node.row_count, leaf};
        if ((node.alike && !leaf) || !cut(&row, &overview->visible))
            continue;
        rows->nodes[rows->node_count++] = row;
        if (leaf && has_lifetime(&node, &overview->visible))
            overview->has_lifetimes = true;
    }
    return OCELOTL_OK;
}

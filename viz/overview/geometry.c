#include "viz/overview/overview.h"

#include <math.h>
#include <stdlib.h>

int oc_overview_x(const oc_overview *overview, double slice)
{
    const oc_visible *visible = &overview->visible;
    return overview->frame.left + (int)lround((slice - visible->slice_first) /
                                              visible->slice_count * overview->frame.width);
}

int oc_overview_y(const oc_overview *overview, uint32_t row)
{
    return oc_row_y(&overview->frame, &overview->rows, row - overview->visible.row_first);
}

static uint32_t within(uint64_t value, uint32_t first, uint32_t count)
{
    return value < first                     ? first
           : value > (uint64_t)first + count ? first + count
                                             : (uint32_t)value;
}

oc_box oc_overview_box(const oc_overview *overview, uint32_t node, uint32_t first, uint32_t last)
{
    const oc_visible *visible = &overview->visible;
    const ocelotl_node of = ocelotl_model_node(overview->input->model, node);
    const uint32_t top = within(of.row_first, visible->row_first, visible->row_count);
    const uint32_t bottom =
        within((uint64_t)of.row_first + of.row_count, visible->row_first, visible->row_count);
    const int x =
        oc_overview_x(overview, within(first, visible->slice_first, visible->slice_count));
    const int right = oc_overview_x(
        overview, within((uint64_t)last + 1, visible->slice_first, visible->slice_count));
    const int y = oc_overview_y(overview, top);
    return (oc_box){x, y, right - x, oc_overview_y(overview, bottom) - y};
}

void oc_overview_free(oc_overview *overview)
{
    if (overview->whole != NULL)
        oc_overview_free(overview->whole);
    free(overview->whole);
    free(overview->rows.nodes);
    free(overview->modes);
    free(overview->types);
    free(overview->order);
}

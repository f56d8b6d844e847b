/* Where in its trace a piece of a model lies. */
#include "model/model.h"
#include "model/slicing.h"

#include <inttypes.h>

static ocelotl_status check(const ocelotl_model *model, uint32_t node, uint32_t first, uint32_t last)
{
    const uint32_t nodes = model->matrix.tree.node_count;
    const uint32_t slices = model->matrix.slice_count;
    if (node >= nodes)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "node %" PRIu32 ", expected one below %" PRIu32, node, nodes);
    if (first <= last && last < slices)
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "slices %" PRIu32 " to %" PRIu32 ", expected a range of those below %" PRIu32, first, last,
                   slices);
}

ocelotl_status ocelotl_model_place(ocelotl_place *place, const ocelotl_model *model, uint32_t node, uint32_t first,
                                   uint32_t last)
{
    OC_TRY(check(model, node, first, last));
    const oc_model_node *found = &model->nodes[node];
    ocelotl_place made = {.path = found->path};
    if (found->path[0] != '\0')
        made.resources = (ocelotl_names){(const char *const *)&found->path, 1};
    else
        made.resources = (ocelotl_names){(const char *const *)model->resources, model->resource_count};
    if (model->has_time) {
        const oc_slicing slicing = {model->from, (uint64_t)model->to - (uint64_t)model->from,
                                    model->matrix.slice_count};
        const oc_instant end = oc_slicing_boundary(&slicing, last + 1);
        made.from = oc_slicing_boundary(&slicing, first).ticks;
        made.to = end.ticks + (end.rest > 0);
    }
    *place = made;
    return OCELOTL_OK;
}

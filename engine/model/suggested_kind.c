#include "model/model.h"

/* So many rows below one another, each of which can be cut in time, are still taken in at a glance. */
enum { FLAT_MOST = 32 };

/* No node lies between the whole and its leaves, so that space is split into all of them or not at all. */
static bool is_flat(const ocelotl_model *model, uint32_t leaf_count)
{
    for (uint32_t node = 0; node < model->matrix.tree.node_count; node++) {
        const uint32_t leaves = model->matrix.tree.leaf_count[node];
        if (leaves != 1 && leaves != leaf_count)
            return false;
    }
    return true;
}

ocelotl_kind ocelotl_model_suggested_kind(const ocelotl_model *model)
{
    const uint32_t leaf_count = model->matrix.tree.leaf_count[0];
    const bool temporal = leaf_count == 1 || (leaf_count > FLAT_MOST && is_flat(model, leaf_count));
    return temporal ? OCELOTL_TEMPORAL : OCELOTL_SPATIOTEMPORAL;
}

#include "look/idle.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/text.h"
#include "model/core/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Less than that is nothing to see beside the others; and of thousands of like rows, none has as
 * much as a thousandth. */
static const double share_of_all = 1e-3;
static const double share_of_mean = 0.1;

bool oc_is_leaf_of(const ocelotl_model *model, uint32_t node)
{
    return oc_tree_is_leaf(&model->matrix.tree, node);
}

/* What the rows of leaves do, and what types are no activity. */
typedef struct measuring {
    const ocelotl_model *model;
    ocelotl_model_info info;
    bool *apart;        /* by type */
    double *activities; /* by node: that of a mean row of a leaf in a mean slice */
    double *values;     /* by type */
    double all;         /* of all rows */
} measuring;

static ocelotl_status measure(measuring *of)
{
    const bool states = strcmp(of->info.unit, "share") == 0;
    for (uint32_t type = 0; type < of->info.type_count; type++) {
        const ocelotl_type is = ocelotl_model_type_at(of->model, type);
        of->apart[type] = is.untraced || (states && oc_is_idle_name(is.name));
    }
    for (uint32_t i = 0; i < of->info.node_count; i++) {
        if (!oc_is_leaf_of(of->model, i))
            continue;
        OC_TRY(ocelotl_model_values(of->values, of->model, i, 0, of->info.slice_count - 1));
        for (uint32_t type = 0; type < of->info.type_count; type++)
            of->activities[i] += of->apart[type] ? 0 : of->values[type];
        of->all += of->activities[i] * ocelotl_model_node_at(of->model, i).row_count;
    }
    return OCELOTL_OK;
}

static void flag(bool *idle, uint32_t *count, const measuring *of)
{
    for (uint32_t i = 0; i < of->info.node_count; i++) {
        const ocelotl_node node = ocelotl_model_node_at(of->model, i);
        if (!oc_is_leaf_of(of->model, i) ||
            !(of->activities[i] * node.row_count < of->all * share_of_all) ||
            !(of->activities[i] < of->all / of->info.row_count * share_of_mean))
            continue;
        for (uint32_t row = 0; row < node.row_count; row++)
            idle[node.row_first + row] = true;
        *count += node.row_count;
    }
}

ocelotl_status oc_idle_find(bool *idle, uint32_t *count, const ocelotl_model *model)
{
    measuring of = {.model = model, .info = ocelotl_model_info_of(model)};
    const uint32_t types = of.info.type_count;
    for (uint32_t row = 0; row < of.info.row_count; row++)
        idle[row] = false;
    *count = 0;
    if (!of.info.has_time || !of.info.additive || of.info.compared_types > 0)
        return OCELOTL_OK;
    OC_TRY(oc_allocate(&of.activities, (size_t)of.info.node_count + types, sizeof *of.activities));
    of.values = of.activities + of.info.node_count;
    ocelotl_status status = oc_allocate(&of.apart, types, sizeof *of.apart);
    if (status == OCELOTL_OK)
        status = measure(&of);
    if (status == OCELOTL_OK)
        flag(idle, count, &of);
    free(of.activities);
    free(of.apart);
    return status;
}

ocelotl_status oc_idle_note(ocelotl_model *model)
{
    const uint32_t rows = ocelotl_model_info_of(model).row_count;
    uint32_t count = 0;
    bool *idle = NULL;
    oc_text choices = {0};
    OC_TRY(oc_allocate(&idle, rows, sizeof *idle));
    ocelotl_status status = oc_idle_find(idle, &count, model);
    if (status == OCELOTL_OK && count > 0) {
        if (model->choices != NULL)
            oc_text_format(&choices, "%s\n", model->choices);
        oc_text_format(&choices, "rows: %" PRIu32 " of %" PRIu32 " resources idle, folded", count,
                       rows);
        free(model->choices);
        model->choices = choices.bytes;
        status = choices.failed ? oc_fail_memory() : OCELOTL_OK;
    }
    free(idle);
    return status;
}

/* A model as the matrix that ocelotl_model_from_csv reads. */
#include "answer/answer.h"

#include "base/memory.h"

#include <ocelotl/export.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    oc_csv_table table;
    const ocelotl_model *model;
    ocelotl_model_info info;
    oc_text *paths; /* of the nodes around the one that is looked at, by depth in the tree */
    size_t depth, capacity;
    uint32_t *parents; /* of these */
    double *sums;
    bool is_declared; /* types and slices are */
} writing;

/* Goes from the node looked at last to the next one: the paths around it stay. The last step of a
 * path sets a node apart from its siblings: "." for what happens in a resource itself, and of a
 * group of like siblings one that no resource has. */
static ocelotl_status go_to(writing *to, uint32_t index)
{
    const ocelotl_node node = ocelotl_model_node_at(to->model, index);
    while (to->depth > 0 && to->parents[to->depth - 1] != node.parent)
        to->depth--;
    const size_t depth = to->depth;
    size_t known = to->capacity;
    OC_TRY(oc_grow(&to->paths, &known, depth + 1, sizeof *to->paths));
    memset(to->paths + to->capacity, 0, (known - to->capacity) * sizeof *to->paths);
    OC_TRY(oc_grow(&to->parents, &to->capacity, depth + 1, sizeof *to->parents));
    oc_text *path = &to->paths[depth];
    oc_text_clear(path);
    if (depth > 0 && to->paths[depth - 1].length > 0)
        oc_text_format(path, "%s/", to->paths[depth - 1].bytes);
    const char *slash = strrchr(node.path, '/');
    const char *step = slash != NULL ? slash + 1 : node.path;
    if (node.parent != OCELOTL_ROOT)
        oc_text_add(path, step);
    if (node.parent != OCELOTL_ROOT && node.alike)
        oc_text_format(path, " (group %" PRIu32 ")", index);
    to->parents[depth] = index;
    to->depth = depth + 1;
    return path->failed ? oc_fail_memory() : OCELOTL_OK;
}

static void add_row(writing *to, uint32_t type, uint32_t slice, double value)
{
    const oc_text *path = &to->paths[to->depth - 1];
    oc_csv_text(&to->table, path->bytes != NULL ? path->bytes : "");
    oc_csv_text(&to->table, ocelotl_model_type_at(to->model, type).name);
    oc_csv_count(&to->table, slice);
    oc_csv_number(&to->table, value);
    oc_csv_end_row(&to->table);
}

/* The first leaf declares all types, in their order, and the last slice. Another without a value
 * declares itself. */
static void add_leaf(writing *to)
{
    const uint32_t types = to->info.type_count;
    const uint32_t last = to->info.slice_count - 1;
    const bool declares = !to->is_declared;
    bool any = declares;
    for (uint32_t x = 0; x < types && declares; x++)
        add_row(to, x, 0, to->sums[x]);
    for (uint32_t t = declares; t <= last; t++)
        for (uint32_t x = 0; x < types; x++) {
            const double value = to->sums[(size_t)t * types + x];
            if (value > 0 || (declares && t == last && x == 0))
                add_row(to, x, t, value);
            any = any || value > 0;
        }
    if (!any)
        add_row(to, 0, 0, 0);
    to->is_declared = true;
}

static ocelotl_status add_rows(writing *to)
{
    const uint32_t last = to->info.slice_count - 1;
    OC_TRY(oc_allocate(&to->sums, (size_t)to->info.slice_count * to->info.type_count,
                       sizeof *to->sums));
    oc_csv_row(&to->table, "path,type,slice,value");
    for (uint32_t node = 0; node < to->info.node_count && to->table.out.status == OCELOTL_OK;
         node++) {
        OC_TRY(go_to(to, node));
        if (node + 1 < to->info.node_count &&
            ocelotl_model_node_at(to->model, node + 1).parent == node)
            continue; /* no leaf: something below it follows */
        OC_TRY(ocelotl_model_sums(to->sums, to->model, node, 0, last));
        add_leaf(to);
    }
    return OCELOTL_OK;
}

/* Returns whether means or extremes of durations are weighted by the number of states. */
static bool weighs(const ocelotl_model_info *info)
{
    for (uint32_t i = 0; i < ocelotl_metric_count() && !info->additive; i++) {
        const ocelotl_metric metric = ocelotl_metric_at(i);
        if (strcmp(metric.name, info->metric) == 0)
            return strcmp(metric.category, "state") == 0;
    }
    return false;
}

/* A cell of a merged leaf is a sum, whose logarithms are those of what it was summed from. */
static ocelotl_status check(const ocelotl_model_info *info)
{
    if (info->row_count != info->leaf_count)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "a leaf of the model stands for several resources, which a matrix cannot "
                       "say; expected a model without merged leaves");
    if (weighs(info))
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the cells of the metric %s weigh by counts, which a matrix cannot say; "
                       "expected another metric",
                       info->metric);
    if (strchr(info->metric, '/') != NULL)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the cells of %s are two sums each, which a matrix cannot say; expected "
                       "another metric, as counter",
                       info->metric);
    if (strcmp(info->metric, "variable-min") == 0 || strcmp(info->metric, "variable-max") == 0)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "the cells of the metric %s are extremes, which a matrix cannot say; "
                       "expected another metric, as variable-mean",
                       info->metric);
    return info->type_count > 0 ? OCELOTL_OK
                                : oc_fail(OCELOTL_ERROR_ARGUMENT, "the model has no types");
}

ocelotl_status ocelotl_model_write_csv(const ocelotl_sink *sink, const ocelotl_model *model)
{
    writing to = {
        .table = {.out = {.sink = sink}}, .model = model, .info = ocelotl_model_info_of(model)};
    OC_TRY(check(&to.info));
    const ocelotl_status status = oc_csv_finish(&to.table, add_rows(&to));
    for (size_t i = 0; i < to.capacity; i++)
        oc_text_free(&to.paths[i]);
    free(to.paths);
    free(to.parents);
    free(to.sums);
    return status;
}

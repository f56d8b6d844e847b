/* What the areas of a treemap mean. */
#include "viz/treemap/treemap.h"

#include "viz/words/lettering.h"

#include <math.h>
#include <string.h>

static bool is_counted(const oc_overview *overview, const oc_treemap_area *area, uint32_t type)
{
    return area->metric == OC_TREEMAP_TYPE ? type == area->type
                                           : !overview->types[type].type.untraced;
}

static void find_unit(oc_treemap_area *area, const oc_overview *overview)
{
    double largest = 0;
    for (size_t i = 0; i < overview->input->partition.part_count; i++)
        for (uint32_t type = 0; type < overview->model.type_count; type++)
            if (is_counted(overview, area, type))
                largest = fmax(largest, overview->input->parts[i].shares[type]);
    area->unit = largest > 0 ? largest : 1;
}

static ocelotl_status fail_unknown(const oc_overview *overview, const char *name)
{
    enum { NAMED_MOST = 12 };
    oc_text known = {0};
    for (uint32_t i = 0; i < overview->model.type_count && i < NAMED_MOST; i++) {
        oc_text_add(&known, ", ");
        oc_clean_add(&known, overview->types[overview->order[i]].type.name, false);
    }
    if (overview->model.type_count > NAMED_MOST)
        oc_text_add(&known, ", ...");
    const ocelotl_status status =
        known.failed ? oc_fail_memory()
                     : oc_fail(OCELOTL_ERROR_ARGUMENT,
                               "no area can be \"%s\", expected one of leaves, traced%s", name,
                               known.length > 0 ? known.bytes : "");
    oc_text_free(&known);
    return status;
}

ocelotl_status oc_treemap_area_find(oc_treemap_area *area, const oc_overview *overview)
{
    const char *name = overview->picture->area;
    *area = (oc_treemap_area){OC_TREEMAP_LEAVES, OCELOTL_NONE, 1};
    if (name == NULL)
        return OCELOTL_OK;
    for (uint32_t type = 0; type < overview->model.type_count && area->type == OCELOTL_NONE; type++)
        if (strcmp(overview->types[type].type.name, name) == 0)
            area->type = type;
    if (area->type != OCELOTL_NONE)
        area->metric = OC_TREEMAP_TYPE;
    else if (strcmp(name, "traced") == 0)
        area->metric = OC_TREEMAP_TRACED;
    else if (strcmp(name, "leaves") != 0) {
        if (ocelotl_model_find_type(&area->type, overview->input->model, name) != OCELOTL_OK)
            return fail_unknown(overview, name);
        area->metric = OC_TREEMAP_TYPE;
    }
    find_unit(area, overview);
    return OCELOTL_OK;
}

double oc_treemap_weight(const oc_overview *overview, const oc_treemap_area *area,
                         const ocelotl_part *part)
{
    if (area->metric == OC_TREEMAP_LEAVES)
        return part->leaves;
    double sum = 0;
    for (uint32_t type = 0; type < overview->model.type_count; type++)
        if (is_counted(overview, area, type))
            sum += part->shares[type] / area->unit;
    return sum * part->leaves;
}

/* What overviews draw of a partition. */
#include "base/memory.h"
#include "viz/overview/overview.h"

#include <math.h>

/* Means and extremes are no sums, so each part needs them computed. */
static ocelotl_status find_values(double *values, ocelotl_part *parts,
                                  const oc_overview_input *input)
{
    const uint32_t types = ocelotl_model_info_of(input->model).type_count;
    for (size_t i = 0; i < input->partition.part_count; i++) {
        double *drawn = values + i * types;
        OC_TRY(ocelotl_model_values(drawn, input->model, parts[i].node, parts[i].first,
                                    parts[i].last));
        for (uint32_t type = 0; type < types; type++)
            drawn[type] = isnan(drawn[type]) ? 0 : drawn[type];
        parts[i].shares = drawn;
    }
    return OCELOTL_OK;
}

/* The computed values lie behind the parts. */
ocelotl_status oc_overview_gather(oc_overview_input *input, ocelotl_part **parts,
                                  const ocelotl_partition *partition)
{
    input->model = ocelotl_partition_model(partition);
    input->partition = ocelotl_partition_info_of(partition);
    const ocelotl_model_info model = ocelotl_model_info_of(input->model);
    const size_t count = input->partition.part_count;
    const size_t behind = model.additive ? 0 : model.type_count * sizeof(double);
    OC_TRY(oc_allocate(parts, count, sizeof **parts + behind));
    for (size_t i = 0; i < count; i++)
        (*parts)[i] = ocelotl_partition_part_at(partition, i);
    input->parts = *parts;
    return model.additive ? OCELOTL_OK : find_values((double *)(*parts + count), *parts, input);
}

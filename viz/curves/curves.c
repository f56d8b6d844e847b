#include "viz/curves/curves.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status check_p(double p)
{
    if (isnan(p) || (p >= 0 && p <= 1))
        return OCELOTL_OK;
    return oc_fail(OCELOTL_ERROR_ARGUMENT, "p is %.15g, expected a number in [0, 1], or none", p);
}

static oc_curves_input input_of(const ocelotl_levels *levels,
                                const ocelotl_aggregation *aggregation, double p)
{
    return (oc_curves_input){.model =
                                 ocelotl_model_get_info(ocelotl_aggregation_model(aggregation)),
                             .kind = ocelotl_aggregation_kind(aggregation),
                             .info = ocelotl_levels_get_info(levels),
                             .whole_gain = ocelotl_aggregation_whole_gain(aggregation),
                             .whole_loss = ocelotl_aggregation_whole_loss(aggregation),
                             .p = p};
}

static ocelotl_status draw(const oc_target *target, const ocelotl_levels *levels,
                           const ocelotl_aggregation *aggregation, double p,
                           const ocelotl_picture_options *options)
{
    oc_curves_input input = input_of(levels, aggregation, p);
    oc_picture picture = {0};
    ocelotl_level *all = NULL;
    OC_TRY(check_p(p));
    OC_TRY(oc_picture_read(&picture, target, options));
    ocelotl_status status = oc_allocate(&all, input.info.count, sizeof *all);
    for (size_t i = 0; i < input.info.count && status == OCELOTL_OK; i++)
        all[i] = ocelotl_levels_at(levels, i);
    input.levels = all;
    if (status == OCELOTL_OK)
        status = oc_picture_draw(&picture, oc_curves_lay_out, &input);
    free(all);
    oc_picture_free(&picture);
    return status;
}

ocelotl_status ocelotl_curves_write(const ocelotl_sink *sink, ocelotl_picture_format format,
                                    const ocelotl_levels *levels,
                                    const ocelotl_aggregation *aggregation, double p,
                                    const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.sink = sink, .format = format}, levels, aggregation, p, options);
}

ocelotl_status ocelotl_curves_render(const char *path, const ocelotl_levels *levels,
                                     const ocelotl_aggregation *aggregation, double p,
                                     const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.path = path}, levels, aggregation, p, options);
}

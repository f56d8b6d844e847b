#include "viz/overview/overview.h"

#include "base/memory.h"
#include "base/options.h"
#include "viz/overview/expansion.h"

#include <math.h>
#include <stdlib.h>

static ocelotl_status read_options(ocelotl_picture_options *options,
                                   const ocelotl_picture_options *given)
{
    *options = (ocelotl_picture_options)OCELOTL_PICTURE_OPTIONS_INIT;
    return oc_read_options(options, sizeof *options, given);
}

ocelotl_status ocelotl_overview_check(const char *path, ocelotl_kind kind,
                                      const ocelotl_picture_options *given)
{
    const oc_view *view = NULL;
    ocelotl_picture_options options;
    OC_TRY(read_options(&options, given));
    OC_TRY(oc_view_find(&view, kind, options.view));
    OC_TRY(oc_expansion_check_kind(kind, &options));
    return ocelotl_picture_check(path, &options);
}

/* Means and extremes are no sums: they are made anew for each part. */
static ocelotl_status find_values(double *values, ocelotl_part *parts,
                                  const oc_overview_input *input)
{
    const uint32_t types = ocelotl_model_get_info(input->model).type_count;
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

/* The values that are made anew lie behind the parts. */
ocelotl_status oc_overview_gather(oc_overview_input *input, ocelotl_part **parts,
                                  const ocelotl_partition *partition)
{
    input->model = ocelotl_partition_model(partition);
    input->partition = ocelotl_partition_get_info(partition);
    const ocelotl_model_info model = ocelotl_model_get_info(input->model);
    const size_t count = input->partition.part_count;
    const size_t behind = model.additive ? 0 : model.type_count * sizeof(double);
    OC_TRY(oc_allocate(parts, count, sizeof **parts + behind));
    for (size_t i = 0; i < count; i++)
        (*parts)[i] = ocelotl_partition_part(partition, i);
    input->parts = *parts;
    return model.additive ? OCELOTL_OK : find_values((double *)(*parts + count), *parts, input);
}

/* What is drawn, and the parts that it is made of. */
typedef struct subject {
    oc_overview_input input, whole;
    ocelotl_part *parts, *whole_parts;
} subject;

static ocelotl_status render(oc_picture *picture, subject *of, const ocelotl_partition *partition,
                             const ocelotl_picture_options *options)
{
    const ocelotl_partition *whole = options->whole;
    const bool has_height = fpclassify(options->height) != FP_ZERO;
    OC_TRY(oc_overview_gather(&of->input, &of->parts, partition));
    OC_TRY(oc_expansion_check_kind(of->input.partition.kind, options));
    OC_TRY(oc_expansion_find(&of->input.visible, &of->input.expanded, of->input.model, options));
    if (whole != NULL) {
        OC_TRY(oc_overview_gather(&of->whole, &of->whole_parts, whole));
        of->whole.view = &oc_view_temporal_mode;
        of->input.whole = &of->whole;
    }
    if (!has_height && of->input.view->height > 0)
        picture->height = of->input.view->height + oc_whole_strip_height(&of->input);
    return oc_picture_draw(picture, oc_overview_lay_out, &of->input);
}

static ocelotl_status draw(const oc_target *target, const ocelotl_partition *partition,
                           const ocelotl_picture_options *given)
{
    subject of = {0};
    oc_picture picture = {0};
    ocelotl_picture_options options;
    OC_TRY(read_options(&options, given));
    OC_TRY(oc_view_find(&of.input.view, ocelotl_partition_get_info(partition).kind, options.view));
    OC_TRY(oc_picture_read(&picture, target, &options));
    of.input.type = options.type;
    const ocelotl_status status = render(&picture, &of, partition, &options);
    free(of.parts);
    free(of.whole_parts);
    oc_picture_free(&picture);
    return status;
}

ocelotl_status ocelotl_overview_write(const ocelotl_sink *sink, ocelotl_picture_format format,
                                      const ocelotl_partition *partition,
                                      const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.sink = sink, .format = format}, partition, options);
}

ocelotl_status ocelotl_overview_render(const char *path, const ocelotl_partition *partition,
                                       const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.path = path}, partition, options);
}

#include "viz/overview.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>

static ocelotl_status find_view(const oc_view **view, ocelotl_kind kind, const ocelotl_view_options *given)
{
    ocelotl_view_options options = OCELOTL_VIEW_OPTIONS_INIT;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    return oc_view_find(view, kind, options.view);
}

ocelotl_status ocelotl_overview_check(const char *path, ocelotl_kind kind, const ocelotl_view_options *options)
{
    const oc_view *view = NULL;
    OC_TRY(find_view(&view, kind, options));
    return ocelotl_picture_check(path, options);
}

static ocelotl_status gather_parts(ocelotl_part **parts, const ocelotl_partition *partition, size_t count)
{
    OC_TRY(oc_allocate(parts, count, sizeof **parts));
    for (size_t i = 0; i < count; i++)
        (*parts)[i] = ocelotl_partition_part(partition, i);
    return OCELOTL_OK;
}

ocelotl_status ocelotl_overview_render(const char *path, const ocelotl_partition *partition,
                                       const ocelotl_view_options *options)
{
    oc_overview_input input = {.model = ocelotl_partition_model(partition),
                               .partition = ocelotl_partition_get_info(partition)};
    oc_picture picture = {0};
    ocelotl_part *parts = NULL;
    OC_TRY(find_view(&input.view, input.partition.kind, options));
    OC_TRY(oc_picture_read(&picture, path, options));
    ocelotl_status status = gather_parts(&parts, partition, input.partition.part_count);
    input.parts = parts;
    if (status == OCELOTL_OK)
        status = oc_picture_render(path, &picture, oc_overview_lay_out, &input);
    free(parts);
    oc_picture_free(&picture);
    return status;
}

#include "viz/overview.h"

#include "base/memory.h"
#include "viz/backend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_width = 1280;
static const double default_height = 720;
static const double smallest = 320;
static const double largest = 20000;

static ocelotl_status check_length(double *length, double wanted, double preset, const char *what)
{
    if (!(wanted < 0 || wanted > 0) && !isnan(wanted))
        wanted = preset;
    if (!(wanted >= smallest && wanted <= largest))
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "a picture cannot have a %s of %g, expected %g to %g", what, wanted,
                       smallest, largest);
    *length = round(wanted);
    return OCELOTL_OK;
}

/* A caller built against an older header gives fewer members: the rest keep their presets. */
static ocelotl_status read_options(ocelotl_view_options *known, const ocelotl_view_options *given)
{
    *known = (ocelotl_view_options)OCELOTL_VIEW_OPTIONS_INIT;
    if (given == NULL)
        return OCELOTL_OK;
    if (given->size < sizeof given->size)
        return oc_fail(OCELOTL_ERROR_ARGUMENT, "options of the view without their size, expected "
                                               "OCELOTL_VIEW_OPTIONS_INIT");
    memcpy(known, given, given->size < sizeof *known ? given->size : sizeof *known);
    return OCELOTL_OK;
}

static ocelotl_status render(const char *path, const oc_overview_input *input)
{
    oc_scene scene = {0};
    ocelotl_status status = oc_overview_lay_out(&scene, input);
    if (status == OCELOTL_OK)
        status = oc_scene_write(&scene, path);
    oc_scene_free(&scene);
    return status;
}

ocelotl_status ocelotl_overview_render(const char *path, const ocelotl_partition *partition,
                                       const ocelotl_view_options *options)
{
    const oc_backend *backend = NULL;
    ocelotl_view_options known;
    oc_overview_input input = {.model = ocelotl_partition_model(partition),
                               .partition = ocelotl_partition_get_info(partition)};
    OC_TRY(oc_backend_find(&backend, path)); /* before any work */
    OC_TRY(read_options(&known, options));
    OC_TRY(check_length(&input.width, known.width, default_width, "width"));
    OC_TRY(check_length(&input.height, known.height, default_height, "height"));
    input.title = known.title;
    input.command = known.command;

    ocelotl_part *parts = NULL;
    OC_TRY(oc_allocate(&parts, input.partition.part_count, sizeof *parts));
    for (size_t i = 0; i < input.partition.part_count; i++)
        parts[i] = ocelotl_partition_part(partition, i);
    input.parts = parts;
    const ocelotl_status status = render(path, &input);
    free(parts);
    return status;
}

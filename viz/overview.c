#include "viz/overview.h"

#include "base/memory.h"
#include "base/options.h"
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

static ocelotl_status render(const char *path, const oc_overview_input *input)
{
    oc_scene scene = {0};
    ocelotl_status status = oc_overview_lay_out(&scene, input);
    if (status == OCELOTL_OK)
        status = oc_scene_write(&scene, path);
    oc_scene_free(&scene);
    return status;
}

/* All that can be said of a request before any work. */
static ocelotl_status read_request(oc_overview_input *input, const char *path, const ocelotl_view_options *given)
{
    const oc_backend *backend = NULL;
    ocelotl_view_options options = OCELOTL_VIEW_OPTIONS_INIT;
    OC_TRY(oc_backend_find(&backend, path));
    OC_TRY(oc_read_options(&options, sizeof options, given));
    OC_TRY(check_length(&input->width, options.width, default_width, "width"));
    OC_TRY(check_length(&input->height, options.height, default_height, "height"));
    input->title = options.title;
    input->command = options.command;
    return OCELOTL_OK;
}

ocelotl_status ocelotl_overview_check(const char *path, const ocelotl_view_options *options)
{
    oc_overview_input input = {0};
    return read_request(&input, path, options);
}

ocelotl_status ocelotl_overview_render(const char *path, const ocelotl_partition *partition,
                                       const ocelotl_view_options *options)
{
    oc_overview_input input = {.model = ocelotl_partition_model(partition),
                               .partition = ocelotl_partition_get_info(partition)};
    OC_TRY(read_request(&input, path, options));

    ocelotl_part *parts = NULL;
    OC_TRY(oc_allocate(&parts, input.partition.part_count, sizeof *parts));
    for (size_t i = 0; i < input.partition.part_count; i++)
        parts[i] = ocelotl_partition_part(partition, i);
    input.parts = parts;
    const ocelotl_status status = render(path, &input);
    free(parts);
    return status;
}

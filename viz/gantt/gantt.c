#include "viz/gantt/gantt.h"

#include "base/options.h"

static ocelotl_status draw(const oc_target *target, ocelotl_trace *trace,
                           const ocelotl_drawables *drawables, const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const oc_gantt_input input = {trace, drawables};
    oc_picture picture = {0};
    OC_TRY(oc_read_options(&options, sizeof options, given));
    if (!(options.height < 0 || options.height > 0))
        OC_TRY(oc_gantt_height(&options.height, &input));
    if (ocelotl_drawables_row_count(drawables) == 0)
        return oc_fail(OCELOTL_ERROR_EMPTY,
                       "there is nothing to draw: no event touches this window of these "
                       "resources");
    OC_TRY(oc_picture_read(&picture, target, &options));
    const ocelotl_status status = oc_picture_draw(&picture, oc_gantt_lay_out, &input);
    oc_picture_free(&picture);
    return status;
}

ocelotl_status ocelotl_gantt_write(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   ocelotl_trace *trace, const ocelotl_drawables *drawables,
                                   const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.sink = sink, .format = format}, trace, drawables, options);
}

ocelotl_status ocelotl_gantt_render(const char *path, ocelotl_trace *trace,
                                    const ocelotl_drawables *drawables,
                                    const ocelotl_picture_options *options)
{
    return draw(&(oc_target){.path = path}, trace, drawables, options);
}

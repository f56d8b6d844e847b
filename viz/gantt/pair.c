/* Two diagrams in one picture, one above the other: to one scale of time, in the same colours, with
 * one legend. */
#include "base/memory.h"
#include "base/options.h"
#include "viz/frame/halves.h"
#include "viz/gantt/gantt.h"
#include "viz/pictures.h"

#include <stdlib.h>

/* The first is above the second. */
typedef struct pair {
    oc_gantt_input inputs[2];
    bool stretch;
} pair;

/* Both halves, while they are laid out. */
typedef struct laying {
    const pair *of;
    oc_gantt_shared shared;
} laying;

static ocelotl_status lay_out_half(oc_scene *scene, const oc_picture *half, void *context,
                                   int which)
{
    laying *both = context;
    oc_gantt_input input = both->of->inputs[which];
    input.shared = &both->shared;
    return oc_gantt_lay_out(scene, half, &input);
}

static ocelotl_status lay_out(oc_scene *scene, const oc_picture *picture, const void *subject)
{
    laying both = {.of = subject};
    const oc_gantt_input *inputs = both.of->inputs;
    oc_halves halves = {lay_out_half, &both, ocelotl_trace_info_of(inputs[0].trace).name, {0}};
    ocelotl_status status = OCELOTL_OK;
    for (int i = 0; i < 2; i++) {
        const ocelotl_drawables_info info = ocelotl_drawables_info_of(inputs[i].drawables);
        if (!both.of->stretch)
            halves.lengths[i] = ocelotl_trace_seconds(inputs[i].trace, info.to) -
                                ocelotl_trace_seconds(inputs[i].trace, info.from);
        if (status == OCELOTL_OK)
            status = oc_gantt_add_entries(&both.shared, &inputs[i], picture);
    }
    if (status == OCELOTL_OK)
        status = oc_halves_lay_out(scene, picture, &halves);
    free(both.shared.entries);
    return status;
}

ocelotl_status ocelotl_gantts_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                   const ocelotl_gantts *both, const ocelotl_picture_options *given)
{
    const pair of = {
        {{both->traces[0], both->drawables[0], NULL}, {both->traces[1], both->drawables[1], NULL}},
        both->stretch};
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    ocelotl_type_names *names = NULL;
    OC_TRY(oc_read_options(&options, sizeof options, given));
    double height = 0;
    for (int i = 0; i < 2; i++) {
        double own = 0;
        if (ocelotl_drawables_row_count(of.inputs[i].drawables) == 0)
            return oc_fail(OCELOTL_ERROR_EMPTY,
                           "there is nothing to draw: the two share no row with events");
        OC_TRY(oc_gantt_height(&own, &of.inputs[i]));
        height += own;
    }
    oc_picture_preset(&options.height, height);
    /* Names of the first have their colours in the second, too. */
    if (options.type_names == NULL)
        OC_TRY(ocelotl_trace_type_names(&names, both->traces[0]));
    options.type_names = names != NULL ? names : options.type_names;
    const ocelotl_status status =
        oc_picture_make(&(oc_target){sink, format}, &options, lay_out, &of);
    ocelotl_type_names_free(names);
    return status;
}

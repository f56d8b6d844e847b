/* Steps: what is numbered and follows itself in time is a row above the plot. */
#include "request/first/first.h"

#include "look/steps.h"
#include "query/steps.h"

#include <stdlib.h>

static ocelotl_status find(oc_text *text, const oc_choosing *choosing,
                           ocelotl_model_options *options)
{
    return oc_steps_find(text, choosing->session->trace, options);
}

ocelotl_status oc_choose_steps(oc_text *what, const oc_choosing *choosing)
{
    ocelotl_model_options *options = choosing->options;
    oc_steps steps;
    oc_text key = {0};
    if (options->kind != OCELOTL_SPATIOTEMPORAL)
        return OCELOTL_OK;
    oc_text_format(&key, "steps %zu", options->piece_count);
    OC_TRY(
        oc_find_choice(&options->steps, &choosing->session->steps, &key, choosing, options, find));
    if (options->steps[0] == '\0')
        return OCELOTL_OK;
    OC_TRY(oc_steps_read(&steps, options->steps));
    oc_steps_describe(what, &steps);
    free(steps.list);
    return OCELOTL_OK;
}

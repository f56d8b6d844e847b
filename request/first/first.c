#include "request/first/first.h"

#include "answer/answer.h"
#include "request/options/request.h"

/* In this order: each sees what those before it chose. */
static const oc_first_rule rules[] = {
    {"subject", oc_choose_subject},
    {"time", oc_choose_time},
    {"slices", oc_choose_slices},
    {"tree", oc_choose_tree},
    {"types", oc_choose_types},
    {"steps", oc_choose_steps},
    {NULL, NULL},
};

/* Of a trace of more events, info says what earlier pictures chose. */
enum { EVENTS_LOOKED_AT = 200000 };

/* What is compared has to be of one kind, and candidates are ranked as they are. */
static bool is_plain(const ocelotl_request *request)
{
    return request->view.plain ||
           (oc_request_command(request) & (OC_OF_PAIRS | OC_HIERARCHIES)) != 0;
}

ocelotl_status oc_choose_first(oc_text *choices, ocelotl_model_options *options,
                               ocelotl_session *session, const ocelotl_request *request,
                               const oc_focus *place)
{
    const ocelotl_interval *window = &request->window;
    const oc_choosing choosing = {session, request, options,
                                  place->narrowed || window->from.text != NULL ||
                                      window->to.text != NULL,
                                  oc_request_command(request) == OC_INFO &&
                                      oc_count_events(session->trace) > EVENTS_LOOKED_AT};
    if (is_plain(request))
        return OCELOTL_OK;
    for (const oc_first_rule *rule = rules; rule->name != NULL; rule++) {
        oc_text what = {0};
        const ocelotl_status status = rule->choose(&what, &choosing);
        if (status == OCELOTL_OK && what.length > 0)
            oc_text_format(choices, "%s%s: %s", choices->length > 0 ? "\n" : "", rule->name,
                           what.bytes);
        const bool failed = what.failed || choices->failed;
        oc_text_free(&what);
        OC_TRY(status);
        if (failed)
            return oc_fail_memory();
    }
    return OCELOTL_OK;
}

ocelotl_status oc_choose_rows(ocelotl_model *model, const ocelotl_request *request)
{
    const bool folded = !is_plain(request) && !request->view.all_rows &&
                        request->model.kind == OCELOTL_SPATIOTEMPORAL;
    return folded ? oc_idle_note(model) : OCELOTL_OK;
}

/* Which options of a request change nothing: each row says where its option has an effect. */
#include "request/request.h"

#include <string.h>

static bool is_view(const ocelotl_request *request, const char *views)
{
    const char *view = request->view.view != NULL ? request->view.view : "";
    return oc_find_word(views, view, strlen(view)) < SIZE_MAX;
}

static bool has_window(const ocelotl_request *request)
{
    return request->window.from.text != NULL || request->window.to.text != NULL ||
           request->zoom_count > 0;
}

static bool is_of_states(const ocelotl_request *request)
{
    const char *metric = request->model.cells.metric;
    for (uint32_t i = 0; metric != NULL && i < ocelotl_metric_count(); i++)
        if (strcmp(ocelotl_metric_at(i).name, metric) == 0)
            return strcmp(ocelotl_metric_at(i).category, "state") == 0;
    return metric == NULL;
}

const char *ocelotl_request_unused(const ocelotl_request *request, const char *option,
                                   ocelotl_writing writing)
{
    static const char of_pictures[] = "it is of pictures, and none is drawn";
    const unsigned command = oc_request_command(request);
    const oc_parameter *row = oc_find_parameter(option, command);
    const bool all = (command & (OC_SERVE | OC_SNAPSHOT)) != 0;
    const bool draws = all || writing != OCELOTL_WRITING_TEXT || request->plot != NULL;
    const struct {
        bool used;
        const char *why;
    } rules[] = {
        {true, NULL},
        [OC_USED_PICTURE] = {draws, of_pictures},
        [OC_USED_SIZE] = {draws || command == OC_GANTT, of_pictures},
        [OC_USED_PNG] = {all || writing == OCELOTL_WRITING_PNG, "it is of pictures as .png"},
        [OC_USED_CURVES] = {all || command == OC_SWEEP || writing == OCELOTL_WRITING_PAGE,
                            "it is of curves, which a page (.html) and sweep --plot have"},
        [OC_USED_VIEW] = {draws || request->model.kind != OCELOTL_SPATIOTEMPORAL, of_pictures},
        [OC_USED_CONTEXT] = {draws && has_window(request),
                             "it is of the strip above the picture of a window"},
        [OC_USED_TYPE] = {draws ? all || is_view(request, "histogram|difference")
                                : request->model.kind != OCELOTL_SPATIOTEMPORAL,
                          "it is of a picture as --view histogram"},
        [OC_USED_TREE] =
            {draws || request->model.type_level > 0,
             "a tree says colours and, with --type-level, types, and nothing is drawn"},
        [OC_USED_DETAIL] = {draws || command != OC_COMPARE, of_pictures},
        [OC_USED_STATES] = {is_of_states(request), "it is of metrics of states"},
    };
    return row == NULL || rules[row->used].used ? NULL : rules[row->used].why;
}

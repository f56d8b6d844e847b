#include "base/options.h"

#include <string.h>

ocelotl_status oc_read_options(void *known, size_t size, const void *given)
{
    size_t given_size;
    if (given == NULL)
        return OCELOTL_OK;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size < sizeof given_size)
        return oc_fail(OCELOTL_ERROR_ARGUMENT,
                       "options without their size, expected them to be made by their "
                       "initialiser");
    memcpy(known, given, given_size < size ? given_size : size);
    return OCELOTL_OK;
}

void oc_complete_selection(ocelotl_selection *selection)
{
    if (selection->from == 0 && selection->to == 0) {
        selection->from = INT64_MIN;
        selection->to = INT64_MAX;
    }
    if (selection->max_duration == 0)
        selection->max_duration = INT64_MAX;
    else if (selection->max_duration < 0)
        selection->max_duration = 0;
}

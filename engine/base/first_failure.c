#include "base/first_failure.h"

#include <stdio.h>

void oc_first_failure_keep(oc_first_failure *failure, ocelotl_status status)
{
    int earlier;
#pragma omp atomic capture
    earlier = failure->count++;
    if (earlier > 0)
        return;
    failure->status = status;
    snprintf(failure->message, sizeof failure->message, "%s", ocelotl_error_message());
}

bool oc_first_failure_is_there(const oc_first_failure *failure)
{
    int count;
#pragma omp atomic read
    count = failure->count;
    return count > 0;
}

ocelotl_status oc_first_failure_give(const oc_first_failure *failure)
{
    return failure->status == OCELOTL_OK ? OCELOTL_OK
                                         : oc_fail(failure->status, "%s", failure->message);
}

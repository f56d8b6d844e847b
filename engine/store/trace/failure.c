#include "store/trace/failure.h"

#include <string.h>

ocelotl_status oc_fail_in_trace(const ocelotl_trace *trace, ocelotl_status status)
{
    if (status != OCELOTL_ERROR_INPUT)
        return status;
    const char *message = ocelotl_error_message();
    const size_t length = strlen(trace->path);
    const bool named = strncmp(message, trace->path, length) == 0 && message[length] == ':';
    return named ? status : oc_fail_within(OCELOTL_ERROR_INPUT, "%s", trace->path);
}

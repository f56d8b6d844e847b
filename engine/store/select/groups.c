#include "store/select/groups.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

const char oc_whole_group[] = "all";

static ocelotl_status fail_unknown(const ocelotl_trace *trace, const char *at)
{
    const char **names = NULL;
    OC_TRY(oc_allocate(&names, (size_t)trace->resource_type_count + 1, sizeof *names));
    for (uint32_t t = 0; t < trace->resource_type_count; t++)
        names[t] = trace->resource_types[t].name;
    names[trace->resource_type_count] = oc_whole_group;
    const char *nearest = names[oc_nearest(at, names, (size_t)trace->resource_type_count + 1)];
    free(names);
    return oc_fail(OCELOTL_ERROR_ARGUMENT,
                   "%s: has no resources of a type \"%s\"; the nearest is \"%s\"", trace->label, at,
                   nearest);
}

ocelotl_status oc_find_group_types(bool *is_group, bool *whole, const ocelotl_trace *trace,
                                   const char *at)
{
    bool found = false;
    for (uint32_t t = 0; t < trace->resource_type_count; t++) {
        is_group[t] = strcmp(trace->resource_types[t].name, at) == 0;
        found = found || is_group[t];
    }
    *whole = !found && strcmp(at, oc_whole_group) == 0;
    return found || *whole ? OCELOTL_OK : fail_unknown(trace, at);
}

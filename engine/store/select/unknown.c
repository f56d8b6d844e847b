/* Names that stand for nothing of a trace. */
#include "base/options.h"
#include "store/select/resources.h"
#include "store/trace/names.h"

#include <ocelotl/trace.h>

/* What never happens cannot be chosen. */
static ocelotl_status is_type(bool *known, const ocelotl_trace *trace, const char *name)
{
    *known = false;
    for (uint32_t t = 0; t < trace->event_type_count && !*known; t++)
        *known = trace->event_types[t].count > 0 && oc_type_matches(trace, t, name);
    for (uint32_t v = 0; v < trace->value_count && !*known; v++)
        if (trace->values[v].count > 0)
            OC_TRY(oc_value_matches(known, trace, v, name));
    return OCELOTL_OK;
}

/* The path of the root is empty. */
static ocelotl_status is_resource(bool *known, const oc_catalogue *catalogue, const char *path)
{
    uint32_t top;
    uint32_t leaf;
    OC_TRY(oc_find_named(&top, &leaf, catalogue, path));
    *known = top != OCELOTL_NONE || leaf != OCELOTL_NONE || path[0] == '\0';
    return OCELOTL_OK;
}

static ocelotl_status find(bool *unknown, const oc_catalogue *catalogue, const ocelotl_names *names,
                           ocelotl_name_kind kind)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->names[i];
        bool known = false;
        if (kind == OCELOTL_NAME_TYPE)
            OC_TRY(is_type(&known, catalogue->trace, name));
        else if (kind == OCELOTL_NAME_RESOURCE)
            OC_TRY(is_resource(&known, catalogue, name));
        else
            known = oc_pattern_names_any(catalogue, name);
        unknown[i] = !known;
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_trace_find_unknown(bool *unknown, ocelotl_trace *trace,
                                          const ocelotl_names *names, ocelotl_name_kind kind)
{
    oc_catalogue catalogue = {0};
    OC_TRY(oc_check_names(names, "name"));
    ocelotl_status status = oc_catalogue_read(&catalogue, trace);
    if (status == OCELOTL_OK)
        status = find(unknown, &catalogue, names, kind);
    oc_catalogue_free(&catalogue);
    return status;
}

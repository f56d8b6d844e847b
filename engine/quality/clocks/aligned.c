/* The trace in the time of its reference. */
#include "quality/clocks/clocks.h"

#include "base/memory.h"

#include <stdlib.h>

/* What no clock is above of lives as long as what is below it, if that has clocks; else it is dated
 * by the reference, which is the first function. */
static ocelotl_status find_functions(uint32_t *function_of, const ocelotl_clocks *clocks)
{
    const ocelotl_trace *trace = clocks->trace;
    bool *is_above = NULL;
    OC_TRY(oc_allocate(&is_above, trace->resource_count, sizeof *is_above));
    for (uint32_t r = trace->resource_count; r-- > 0;) {
        const uint32_t clock = clocks->groups.group_of[r];
        const uint32_t parent = trace->resources[r].parent;
        const bool has = clock < clocks->groups.count;
        function_of[r] = has ? clock + 1 : is_above[r] ? OCELOTL_NONE : 0;
        if (parent != OCELOTL_ROOT && (has || is_above[r]))
            is_above[parent] = true;
    }
    free(is_above);
    return OCELOTL_OK;
}

static ocelotl_status write(const char *path, const ocelotl_clocks *clocks, const char *name,
                            bool overwrite, uint32_t *function_of, ocelotl_time_function *functions)
{
    ocelotl_derive_options options = OCELOTL_DERIVE_OPTIONS_INIT;
    OC_TRY(find_functions(function_of, clocks));
    functions[0] = clocks->functions[clocks->main];
    for (uint32_t c = 0; c < clocks->network.count; c++)
        functions[c + 1] = clocks->functions[c];
    options.functions = functions;
    options.function_count = clocks->network.count + 1;
    options.function_of = function_of;
    options.name = name;
    options.overwrite = overwrite;
    options.work = clocks->work;
    return ocelotl_trace_derive(path, clocks->trace, &options);
}

ocelotl_status ocelotl_clocks_write_trace(const char *path, const ocelotl_clocks *clocks,
                                          const char *name, bool overwrite)
{
    uint32_t *function_of = NULL;
    ocelotl_time_function *functions = NULL;
    ocelotl_status status =
        oc_allocate(&function_of, clocks->trace->resource_count, sizeof *function_of);
    if (status == OCELOTL_OK)
        status = oc_allocate(&functions, (size_t)clocks->network.count + 1, sizeof *functions);
    if (status == OCELOTL_OK)
        status = write(path, clocks, name, overwrite, function_of, functions);
    free(function_of);
    free(functions);
    return status;
}

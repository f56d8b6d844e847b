/* The trace in the time of its reference. */
#include "quality/clocks/clocks.h"

#include "base/memory.h"
#include "base/text.h"
#include "quality/derive/times.h"

#include <inttypes.h>
#include <stdlib.h>

/* What the derivation keeps: the command with all its values. */
static void describe(oc_text *how, const ocelotl_clocks *clocks)
{
    static const char *const drifts[] = {"linear", "none", "pieces"};
    static const char *const evidence[] = {"messages", "samples", "collectives"};
    const char *separator = "";
    const ocelotl_clocks_info *info = &clocks->info;
    const double tick = ocelotl_trace_seconds(clocks->trace, 1);
    oc_text_format(how, "clocks --at %s --reference %s --drift %s", info->clock_type,
                   oc_clocks_path(clocks, clocks->main), drifts[info->drift]);
    if (info->asked_pieces > 0)
        oc_text_format(how, "=%" PRIu32, info->asked_pieces);
    oc_text_format(how, " --max-drift %.9g --evidence ", info->max_drift * 1e6);
    for (uint32_t i = 0; i < 3; i++) {
        if ((info->evidence & (uint32_t)1 << i) == 0)
            continue;
        oc_text_add(how, separator);
        oc_text_add(how, evidence[i]);
        separator = ",";
    }
    if (info->latency > 0)
        oc_text_format(how, " --amortise --latency %.9gs", info->latency * tick);
    for (size_t i = 0; i < how->length; i++)
        how->bytes[i] = (char)(how->bytes[i] == '\n' ? ' ' : how->bytes[i]);
}

/* What a derived trace is made with. */
typedef struct aligning {
    uint32_t *function_of;
    ocelotl_time_function *functions;
    ocelotl_set_clock *set;
    oc_text how;
} aligning;

static ocelotl_status prepare(aligning *a, const ocelotl_clocks *clocks)
{
    const uint32_t count = clocks->network.count;
    OC_TRY(oc_allocate(&a->function_of, clocks->trace->resource_count, sizeof *a->function_of));
    OC_TRY(oc_allocate(&a->functions, (size_t)count + 1, sizeof *a->functions));
    OC_TRY(oc_allocate(&a->set, count, sizeof *a->set));
    OC_TRY(oc_functions_of_groups(a->function_of, clocks->trace, &clocks->groups));
    a->functions[0] = clocks->functions[clocks->main];
    for (uint32_t c = 0; c < count; c++) {
        const ocelotl_clock clock = ocelotl_clocks_at(clocks, c);
        a->functions[c + 1] = clocks->functions[c];
        a->set[c] = (ocelotl_set_clock){.path = clock.path,
                                        .offset = clock.offset,
                                        .drift = clock.drift,
                                        .bound = clock.bound,
                                        .samples = clocks->network.clocks[c].samples,
                                        .messages = clock.messages,
                                        .group = clock.group};
    }
    describe(&a->how, clocks);
    return a->how.failed ? oc_fail_memory() : OCELOTL_OK;
}

ocelotl_status ocelotl_clocks_derive(const char *path, const ocelotl_clocks *clocks,
                                     const char *name, bool overwrite)
{
    aligning a = {0};
    ocelotl_derive_options options = {0};
    ocelotl_status status = prepare(&a, clocks);
    options.functions = a.functions;
    options.function_count = clocks->network.count + 1;
    options.function_of = a.function_of;
    options.name = name;
    options.derivation = a.how.bytes;
    options.overwrite = overwrite;
    options.tick_factor = clocks->tick_factor;
    options.clocks = a.set;
    options.clock_count = clocks->network.count;
    options.work = clocks->work;
    if (status == OCELOTL_OK)
        status = ocelotl_trace_derive(path, clocks->trace, &options);
    free(a.function_of);
    free(a.functions);
    free(a.set);
    oc_text_free(&a.how);
    return status;
}

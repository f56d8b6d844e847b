#include "warnings.h"

#include "command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint64_t cli_count_warnings(const ocelotl_trace *trace)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++)
        count += ocelotl_trace_warning(trace, i).count;
    return count;
}

static bool is_of(const ocelotl_warning *warning, const char *kind)
{
    return strncmp(warning->kind, kind, strlen(kind)) == 0;
}

void cli_say_skipped(const ocelotl_trace *trace)
{
    const char *first = "";
    uint64_t lines = 0;
    for (uint32_t i = 0; i < ocelotl_trace_warning_count(trace); i++) {
        const ocelotl_warning warning = ocelotl_trace_warning(trace, i);
        if (is_of(&warning, "skipped rest of the trace"))
            cli_say("skipped the rest of the trace: %s", warning.detail);
        if (!is_of(&warning, "skipped line"))
            continue;
        first = lines == 0 ? warning.detail : first;
        lines += warning.count;
    }
    if (lines > 0)
        cli_say("skipped %" PRIu64 " line%s, such as %s", lines, lines == 1 ? "" : "s", first);
}

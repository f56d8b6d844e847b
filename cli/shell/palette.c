/* What of a user's palette is of no use: a misspelt name would change nothing, without a word. */
#include "shell.h"

#include <inttypes.h>
#include <string.h>

enum { SAID_MOST = 3 };

static bool is_in_trace(const ocelotl_palette *palette, size_t row, const ocelotl_trace *trace)
{
    for (uint32_t v = 0; v < ocelotl_trace_value_count(trace); v++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_trace_value(trace, v).name))
            return true;
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(trace); e++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_trace_event_type(trace, e).name))
            return true;
    return false;
}

/* Groups of types have names of their own. */
static bool is_in_model(const ocelotl_palette *palette, size_t row, const ocelotl_model *model)
{
    const uint32_t count = ocelotl_model_get_info(model).type_count;
    for (uint32_t type = 0; type < count; type++)
        if (ocelotl_palette_row_matches(palette, row, ocelotl_model_type(model, type).name))
            return true;
    return false;
}

void cli_say_unmatched(const cli_job *job, ocelotl_trace *const *traces,
                       const ocelotl_model *const *models, size_t count)
{
    const ocelotl_palette *palette = job->palette;
    const size_t rows = palette != NULL ? ocelotl_palette_row_count(palette) : 0;
    const char *name =
        rows > 0 && strcmp(job->view.palette, "-") != 0 ? job->view.palette : "standard input";
    size_t unmatched = 0;
    for (size_t row = 0; row < rows; row++) {
        const ocelotl_palette_row given = ocelotl_palette_row_at(palette, row);
        bool found = false;
        for (size_t i = 0; i < count && !found; i++)
            found = (traces[i] != NULL && is_in_trace(palette, row, traces[i])) ||
                    (models[i] != NULL && is_in_model(palette, row, models[i]));
        if (!found && ++unmatched <= SAID_MOST)
            cli_say("%s:%" PRIu64 ": \"%s\" matches nothing that could be drawn", name, given.line,
                    given.name);
    }
    if (unmatched > SAID_MOST)
        cli_say("%s: %zu rows match nothing; these are the first", name, unmatched);
}

#include "model/metrics/variable_scales.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/trace/names.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what sums and differences lose by rounding. */
static const double few_units = 16 * DBL_EPSILON;

static ocelotl_status widen(oc_range *range, oc_reader *reader, size_t chunk)
{
    double low;
    double high;
    OC_TRY(oc_reader_extremes(&low, &high, reader, chunk));
    if (low > high)
        return OCELOTL_OK;
    if (!isfinite(low) || !isfinite(high))
        return oc_fail(OCELOTL_ERROR_INPUT, "%s: is damaged: impossible extremes of a variable",
                       reader->connection.trace->path);
    range->low = !range->known || low < range->low ? low : range->low;
    range->high = !range->known || high > range->high ? high : range->high;
    range->known = true;
    return OCELOTL_OK;
}

static ocelotl_status read_ranges(oc_range *ranges, oc_reader *reader)
{
    const ocelotl_trace *trace = reader->connection.trace;
    for (uint32_t s = 0; s < trace->stream_count; s++) {
        if (trace->streams[s].role != OC_ROLE_VARIABLE)
            continue;
        OC_TRY(oc_reader_select(reader, s));
        for (size_t c = 0; c < reader->chunk_count; c++)
            OC_TRY(widen(&ranges[trace->streams[s].event_type], reader, c));
    }
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (ranges[e].low < 0 && ranges[e].low >= -few_units * ranges[e].high)
            ranges[e].low = 0;
    return OCELOTL_OK;
}

static ocelotl_status find_ranges(oc_range *ranges, const oc_connection *connection)
{
    oc_reader reader = {.connection = *connection};
    const ocelotl_status status = read_ranges(ranges, &reader);
    oc_reader_free(&reader);
    return status;
}

/* Different variables have different units, where the trace does not say that they have the same:
 * their sum says nothing. */
static bool have_one_unit(const ocelotl_trace *trace, const uint32_t *type_of_event_type)
{
    const char *unit = NULL;
    for (uint32_t e = 0; e < trace->event_type_count; e++) {
        if (type_of_event_type[e] == OCELOTL_NONE)
            continue;
        if (unit != NULL && (unit[0] == '\0' || strcmp(unit, trace->event_types[e].unit) != 0))
            return false;
        unit = trace->event_types[e].unit;
    }
    return true;
}

static ocelotl_status check_units(const oc_filling *filling)
{
    oc_text names = {0};
    const ocelotl_trace *trace = filling->trace;
    if (filling->options->cells.scale || have_one_unit(trace, filling->type_of_event_type))
        return OCELOTL_OK;
    for (uint32_t e = 0; e < trace->event_type_count; e++)
        if (filling->type_of_event_type[e] != OCELOTL_NONE)
            oc_text_format(&names, "%s\"%s\"", names.length > 0 ? ", " : "",
                           oc_type_spelling(trace, e));
    const ocelotl_status status =
        oc_fail(OCELOTL_ERROR_ARGUMENT,
                "%s: the variables %s may have different units; show one of them "
                "(--only), or each as a share of its largest "
                "value (--scale max)",
                trace->label, names.failed ? "" : names.bytes);
    oc_text_free(&names);
    return status;
}

/* What is drawn is what the cells hold, times a scale, plus an offset. */
static ocelotl_status set_scales(oc_filling *filling, const oc_range *ranges)
{
    for (uint32_t e = 0; e < filling->trace->event_type_count; e++) {
        const oc_range *found = &ranges[e];
        if (filling->type_of_event_type[e] == OCELOTL_NONE || !found->known)
            continue;
        oc_model_type *type = &filling->model->types[filling->type_of_event_type[e]];
        if (found->low < 0 && !filling->options->cells.shift)
            return oc_fail(OCELOTL_ERROR_ARGUMENT,
                           "%s: the variable \"%s\" has negative values, down to %g, of which no "
                           "partition can be "
                           "made; count from its least value (--shift)",
                           filling->trace->label, oc_type_spelling(filling->trace, e), found->low);
        type->offset = filling->options->cells.shift ? found->low : 0;
        const double height = found->high - type->offset;
        type->scale = filling->options->cells.scale && height > 0 ? height : 1;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_scale_variables(oc_filling *filling)
{
    oc_range *ranges = NULL;
    OC_TRY(oc_allocate(&ranges, filling->trace->event_type_count, sizeof *ranges));
    ocelotl_status status = find_ranges(ranges, &filling->connection);
    if (status == OCELOTL_OK)
        status = check_units(filling);
    if (status == OCELOTL_OK)
        status = set_scales(filling, ranges);
    free(ranges);
    return status;
}

static ocelotl_status has_negative(bool *negative, ocelotl_trace *trace,
                                   const uint32_t *type_of_event_type)
{
    const oc_connection connection = oc_connection_of(trace);
    oc_range *ranges = NULL;
    OC_TRY(oc_allocate(&ranges, trace->event_type_count, sizeof *ranges));
    const ocelotl_status status = find_ranges(ranges, &connection);
    *negative = false;
    for (uint32_t e = 0; e < trace->event_type_count && status == OCELOTL_OK; e++)
        if (type_of_event_type[e] != OCELOTL_NONE && ranges[e].known && ranges[e].low < 0)
            *negative = true;
    free(ranges);
    return status;
}

ocelotl_status oc_suit_variables(ocelotl_model_options *options, char **reason,
                                 ocelotl_trace *trace, const oc_sources *sources)
{
    bool negative;
    const char *text = "";
    const bool scale = !options->cells.scale && !have_one_unit(trace, sources->type_of_event_type);
    OC_TRY(has_negative(&negative, trace, sources->type_of_event_type));
    const bool shift = !options->cells.shift && negative;
    options->cells.scale = options->cells.scale || scale;
    options->cells.shift = options->cells.shift || shift;
    if (scale && shift)
        text = "variables are counted from their least value (--shift), each as a share of its "
               "largest (--scale max)";
    else if (scale)
        text = "each variable is a share of its largest value (--scale max)";
    else if (shift)
        text = "variables are counted from their least value (--shift)";
    return oc_copy_text(reason, text);
}

/* The changes of derived series. */
#include "answer/answer.h"
#include "answer/arrow/table.h"

typedef struct change_list {
    ocelotl_series *series;
    const ocelotl_trace *trace;
} change_list;

static const char *group_at(const void *series, uint32_t index)
{
    return ocelotl_series_at(series, index).path;
}

static const char *name_at(const void *series, uint32_t index)
{
    return ocelotl_series_at(series, index).name;
}

static ocelotl_status fill_changes(oc_batch *batch, void *state)
{
    const change_list *of = state;
    ocelotl_series_change change;
    bool found = true;
    while (!oc_batch_is_full(batch)) {
        OC_TRY(ocelotl_series_next(&found, &change, of->series));
        if (!found)
            return OCELOTL_OK;
        oc_add_name(batch, change.series);
        oc_add_name(batch, change.series);
        oc_add_number(batch, ocelotl_trace_seconds(of->trace, change.time));
        oc_add_optional_number(batch, change.has_value, change.value);
        oc_end_row(batch);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_series_to_arrow(struct ArrowArrayStream *stream, ocelotl_series *series,
                                       const ocelotl_trace *trace,
                                       const ocelotl_arrow_options *options)
{
    const uint32_t all = ocelotl_series_info_of(series).series;
    const oc_heading headings[] = {{"resource", OC_CELL_NAME, .names = {all, group_at, series}},
                                   {"series", OC_CELL_NAME, .names = {all, name_at, series}},
                                   {"time", OC_CELL_NUMBER},
                                   {"value", OC_CELL_NUMBER}};
    change_list of = {series, trace};
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = SIZE_MAX, .fill = fill_changes};
    return oc_table_make(stream, headings, sizeof headings / sizeof headings[0], &rows, options);
}

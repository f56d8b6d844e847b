/* Writes histograms of durations as an Arrow table. */
#include "answer/arrow/table.h"

#include <ocelotl/arrow.h>

/* Where the next row may be: the slices follow all of them. */
typedef struct bin_list {
    const ocelotl_durations *durations;
    const ocelotl_trace *trace;
    ocelotl_durations_info info;
    uint32_t column, slice, bin;
} bin_list;

/* Goes to the bin behind; the first of a column is of all slices together. */
static void go_on(bin_list *of)
{
    if (++of->bin < of->info.bins)
        return;
    of->bin = 0;
    of->slice = of->slice == OCELOTL_NONE ? 0 : of->slice + 1;
    if (of->slice < of->info.slices)
        return;
    of->slice = OCELOTL_NONE;
    of->column++;
}

static void add_slice(oc_batch *batch, uint32_t slice)
{
    if (slice == OCELOTL_NONE)
        oc_add_null(batch);
    else
        oc_add_index(batch, slice);
}

static void add_bin(oc_batch *batch, const bin_list *of, uint64_t count)
{
    const ocelotl_duration_column column = ocelotl_durations_column_at(of->durations, of->column);
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, of->bin);
    oc_add_index(batch, column.window);
    oc_add_number(batch, ocelotl_trace_seconds(of->trace, column.from));
    oc_add_number(batch, ocelotl_trace_seconds(of->trace, column.to));
    oc_add_optional_text(batch, column.group);
    add_slice(batch, of->slice);
    oc_add_number(batch, span.begin);
    oc_add_number(batch, span.end);
    oc_add_count(batch, count);
    oc_add_optional_number(batch, of->slice == OCELOTL_NONE,
                           ocelotl_durations_sum_at(of->durations, of->column, of->bin));
    oc_end_row(batch);
}

static ocelotl_status fill_bins(oc_batch *batch, void *state)
{
    bin_list *of = state;
    for (; of->column < of->info.columns && !oc_batch_is_full(batch); go_on(of)) {
        const uint64_t count =
            ocelotl_durations_count_at(of->durations, of->column, of->slice, of->bin);
        if (count > 0)
            add_bin(batch, of, count);
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_durations_to_arrow(struct ArrowArrayStream *stream,
                                          const ocelotl_durations *durations,
                                          const ocelotl_trace *trace,
                                          const ocelotl_arrow_options *options)
{
    static const oc_heading headings[] = {
        {"window", OC_CELL_INDEX, {0}}, {"from", OC_CELL_NUMBER, {0}},
        {"to", OC_CELL_NUMBER, {0}},    {"group", OC_CELL_TEXT, {0}},
        {"slice", OC_CELL_INDEX, {0}},  {"begin", OC_CELL_NUMBER, {0}},
        {"end", OC_CELL_NUMBER, {0}},   {"count", OC_CELL_COUNT, {0}},
        {"sum", OC_CELL_NUMBER, {0}}};
    bin_list of = {durations, trace, ocelotl_durations_info_of(durations), 0, OCELOTL_NONE, 0};
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = SIZE_MAX, .fill = fill_bins};
    return oc_table_make(stream, headings, sizeof headings / sizeof headings[0], &rows, options);
}

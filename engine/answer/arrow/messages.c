/* Writes the matrix of messages as an Arrow table. */
#include "answer/arrow/table.h"

#include <ocelotl/messages.h>

#include <math.h>

typedef struct cell_list {
    const ocelotl_messages *messages;
    const ocelotl_trace *trace;
} cell_list;

static const char *row_at(const void *messages, uint32_t index)
{
    return ocelotl_messages_row_at(messages, index).path;
}

static const char *column_at(const void *messages, uint32_t index)
{
    return ocelotl_messages_column_at(messages, index).path;
}

static void add_if_number(oc_batch *batch, double number)
{
    oc_add_optional_number(batch, !isnan(number), number);
}

static void add_cell(oc_batch *batch, void *state, size_t row)
{
    const cell_list *of = state;
    const ocelotl_message_cell cell = ocelotl_messages_cell_at(of->messages, row);
    oc_add_name(batch, cell.row);
    oc_add_name(batch, cell.column);
    oc_add_count(batch, cell.count);
    add_if_number(batch, cell.bytes);
    oc_add_count(batch, cell.ended);
    add_if_number(batch, cell.received);
    oc_add_number(batch, ocelotl_trace_seconds(of->trace, cell.time));
    add_if_number(batch, ocelotl_message_value(&cell, OCELOTL_MESSAGES_LEAST, of->trace));
    add_if_number(batch, ocelotl_message_value(&cell, OCELOTL_MESSAGES_MEAN, of->trace));
    add_if_number(batch, cell.bandwidth);
    oc_add_number(batch, cell.in_flight);
    oc_add_count(batch, cell.violations);
}

ocelotl_status ocelotl_messages_to_arrow(struct ArrowArrayStream *stream,
                                         const ocelotl_messages *messages,
                                         const ocelotl_trace *trace,
                                         const ocelotl_arrow_options *options)
{
    const ocelotl_messages_info info = ocelotl_messages_info_of(messages);
    const oc_heading headings[] = {{"row", OC_CELL_NAME, {info.rows, row_at, messages}},
                                   {"column", OC_CELL_NAME, {info.columns, column_at, messages}},
                                   {"count", OC_CELL_COUNT, {0}},
                                   {"bytes", OC_CELL_NUMBER, {0}},
                                   {"ended", OC_CELL_COUNT, {0}},
                                   {"received", OC_CELL_NUMBER, {0}},
                                   {"time", OC_CELL_NUMBER, {0}},
                                   {"least", OC_CELL_NUMBER, {0}},
                                   {"mean", OC_CELL_NUMBER, {0}},
                                   {"bandwidth", OC_CELL_NUMBER, {0}},
                                   {"in_flight", OC_CELL_NUMBER, {0}},
                                   {"violations", OC_CELL_COUNT, {0}}};
    cell_list of = {messages, trace};
    const oc_row_source rows = {
        .state = &of, .size = sizeof of, .count = (size_t)info.cells, .add = add_cell};
    return oc_table_make(stream, headings, sizeof headings / sizeof headings[0], &rows, options);
}

/* matrix: which resources send to which. */
#include "answer/table.h"
#include "request/questions/question.h"
#include "viz/pictures.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct source {
    const ocelotl_trace *trace;
    const ocelotl_messages *messages;
    ocelotl_message_measure measure;
} source;

static double seconds_of(const source *of, const ocelotl_message_cell *cell,
                         ocelotl_message_measure measure)
{
    return ocelotl_message_value(cell, measure, of->trace);
}

/* --- The table */

/* Where what a cell sums up begins, behind its place. */
enum { SUMS = 2, COLUMNS = 12 };

static const oc_heading headings[COLUMNS] = {
    {"row", OC_CELL_NAME},         {"column", OC_CELL_NAME},      {"count", OC_CELL_COUNT},
    {"bytes", OC_CELL_NUMBER},     {"ended", OC_CELL_COUNT},      {"received", OC_CELL_NUMBER},
    {"time", OC_CELL_NUMBER},      {"least", OC_CELL_NUMBER},     {"mean", OC_CELL_NUMBER},
    {"bandwidth", OC_CELL_NUMBER}, {"in_flight", OC_CELL_NUMBER}, {"violations", OC_CELL_COUNT}};

static void add_sums(oc_row *row, const source *of, const ocelotl_message_cell *cell)
{
    row->count = SUMS;
    oc_cell_count(row, cell->count);
    oc_cell_number(row, cell->bytes);
    oc_cell_count(row, cell->ended);
    oc_cell_number(row, cell->received);
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, cell->time));
    oc_cell_number(row, seconds_of(of, cell, OCELOTL_MESSAGES_LEAST));
    oc_cell_number(row, seconds_of(of, cell, OCELOTL_MESSAGES_MEAN));
    oc_cell_number(row, cell->bandwidth);
    oc_cell_number(row, cell->in_flight);
    oc_cell_count(row, cell->violations);
}

static ocelotl_status fill_cell(oc_row *row, void *state, size_t index)
{
    const source *of = state;
    const ocelotl_message_cell cell = ocelotl_messages_cell_at(of->messages, index);
    oc_cell_name(row, cell.row);
    oc_cell_name(row, cell.column);
    add_sums(row, of, &cell);
    return OCELOTL_OK;
}

static const char *row_at(const void *messages, uint32_t index)
{
    return ocelotl_messages_row_at(messages, index).path;
}

static const char *column_at(const void *messages, uint32_t index)
{
    return ocelotl_messages_column_at(messages, index).path;
}

/* `named` is for the headings with the names of these messages. */
static oc_table make_table(oc_heading *named, source *of)
{
    const ocelotl_messages_info info = ocelotl_messages_info_of(of->messages);
    memcpy(named, headings, sizeof headings);
    named[0].names = (oc_names){info.rows, row_at, of->messages};
    named[1].names = (oc_names){info.columns, column_at, of->messages};
    return (oc_table){named, COLUMNS, of, sizeof *of, (size_t)info.cells, fill_cell};
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    source of = {.trace = answer->trace, .messages = answer->found};
    oc_heading named[COLUMNS];
    const oc_table table = make_table(named, &of);
    return oc_table_to_arrow(stream, &table, options);
}

/* --- JSON */

static void add_members_of(oc_json *json, const source *of, const ocelotl_message_cell *cell)
{
    oc_row row = {.count = 0};
    add_sums(&row, of, cell);
    oc_json_cells(json, headings, &row, SUMS, COLUMNS);
}

/* What the rows add up to, or the columns. */
static void add_groups(oc_json *json, const source *of, const char *key, uint32_t count, bool rows)
{
    oc_json_list(json, key);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_message_cell total = rows ? ocelotl_messages_row_total(of->messages, i)
                                                : ocelotl_messages_column_total(of->messages, i);
        oc_json_item(json, 1);
        oc_json_text(json, "group", rows ? row_at(of->messages, i) : column_at(of->messages, i));
        add_members_of(json, of, &total);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const source *of = state;
    const ocelotl_messages_info info = ocelotl_messages_info_of(of->messages);
    const ocelotl_message_cell total = ocelotl_messages_total(of->messages);
    oc_json_window(json, of->trace, info.from, info.to);
    oc_json_text(json, "row_type", info.row_type);
    oc_json_text(json, "column_type", info.column_type);
    oc_json_text(json, "filters", info.filters);
    oc_json_text(json, "hierarchy", info.hierarchy);
    oc_json_object(json, "total");
    add_members_of(json, of, &total);
    oc_json_end_object(json);
    add_groups(json, of, "rows", info.rows, true);
    add_groups(json, of, "columns", info.columns, false);
    oc_json_list(json, "cells");
    for (uint64_t i = 0; i < info.cells; i++) {
        const ocelotl_message_cell cell = ocelotl_messages_cell_at(of->messages, i);
        oc_json_item(json, 1);
        oc_json_count(json, "row", cell.row);
        oc_json_count(json, "column", cell.column);
        add_members_of(json, of, &cell);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

/* --- Text, for people */

enum { SHOWN_MOST = 30 };

static void print_cell(oc_output *out, const source *of, const ocelotl_message_cell *cell,
                       const char *row, const char *column)
{
    const double figures[] = {cell->bytes, seconds_of(of, cell, OCELOTL_MESSAGES_MEAN),
                              seconds_of(of, cell, OCELOTL_MESSAGES_LEAST), cell->bandwidth};
    oc_output_format(out, "%12" PRIu64, cell->count);
    for (size_t i = 0; i < OC_COUNT_OF(figures); i++) {
        const bool is_time = i == 1 || i == 2;
        oc_output_format(out, " %12s",
                         isnan(figures[i]) ? "-"
                         : is_time         ? oc_short_time(figures[i]).text
                                           : oc_short_digits(figures[i], 3).text);
    }
    oc_output_print(out, " %10s %10" PRIu64 "  %s -> %s\n",
                    oc_short_digits(cell->in_flight, 3).text, cell->violations, row, column);
}

/* Prints the cells with the largest values, largest first. */
static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    const ocelotl_messages_info info = ocelotl_messages_info_of(of->messages);
    const ocelotl_message_cell total = ocelotl_messages_total(of->messages);
    oc_ranked first[SHOWN_MOST];
    uint32_t kept = 0;
    for (uint64_t i = 0; i < info.cells; i++) {
        const ocelotl_message_cell cell = ocelotl_messages_cell_at(of->messages, i);
        const double value = ocelotl_message_value(&cell, of->measure, of->trace);
        kept = oc_rank(first, kept, SHOWN_MOST, (oc_ranked){value, i});
    }
    oc_output_window(out, of->trace, info.from, info.to);
    oc_output_print(out,
                    "matrix     %u senders%s%s, %u receivers%s%s, %" PRIu64 " pairs with links%s",
                    info.rows, info.row_type[0] != '\0' ? " of type " : "", info.row_type,
                    info.columns, info.column_type[0] != '\0' ? " of type " : "", info.column_type,
                    info.cells, info.cells == 0 ? ": no link has both ends here" : "");
    oc_output_filters(out, info.filters);
    if (info.hierarchy[0] != '\0')
        oc_output_print(out, "\nhierarchy  %s", info.hierarchy);
    oc_output_add(out, "\n\n       count        bytes         mean        least          B/s  in "
                       "flight violations  sender -> receiver\n");
    print_cell(out, of, &total, "all", "all");
    for (uint32_t i = 0; i < kept; i++) {
        const ocelotl_message_cell cell = ocelotl_messages_cell_at(of->messages, first[i].index);
        print_cell(out, of, &cell, row_at(of->messages, cell.row),
                   column_at(of->messages, cell.column));
    }
    if (info.cells > kept)
        oc_output_format(out, "the %u pairs of the largest %s; --csv has all %" PRIu64 "\n", kept,
                         ocelotl_message_measure_name(of->measure), info.cells);
    return OCELOTL_OK;
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    source of = {answer->trace, answer->found, answer->request->measure};
    oc_heading named[COLUMNS];
    const oc_forms forms = {&of, add_members, print_all, make_table(named, &of)};
    return oc_forms_write(sink, form, &forms);
}

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_messages *messages = NULL;
    ocelotl_messages_options options = {0};
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_AROUND));
    options.rows = request->at;
    options.columns = request->message_columns;
    options.type = request->type;
    options.attribute = request->model.cells.attribute;
    options.hierarchy = request->model.hierarchy;
    options.needs_bytes = request->measure == OCELOTL_MESSAGES_BYTES ||
                          request->measure == OCELOTL_MESSAGES_BANDWIDTH;
    options.work.threads = request->threads;
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_messages_compute(&messages, session->trace, &options);
    oc_session_end(session);
    answer->found = messages;
    return oc_check_found(status,
                          status == OCELOTL_OK && ocelotl_messages_info_of(messages).cells == 0,
                          session, request);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    return ocelotl_messages_draw(sink, format, answer->trace, answer->found, drawn->measure,
                                 drawn->linear, view);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_messages_free(answer->found);
}

const oc_question oc_matrix_question = {
    .command = "matrix",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE},
    .find = find,
    .write = write,
    .draw = draw,
    .to_arrow = to_arrow,
    .free = free_found,
};

/* From what streams of links add up to a matrix. */
#include "query/messages/messages.h"

#include "base/map.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- Cells */

static int compare_cells(const void *left, const void *right)
{
    const oc_message_sums *a = left;
    const oc_message_sums *b = right;
    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

/* Puts what is of one cell together, in the order of the streams. */
static ocelotl_status add_piles(ocelotl_messages *m, oc_map *places, const oc_message_pile *piles)
{
    for (uint32_t s = 0; s < m->trace->stream_count; s++)
        for (size_t i = 0; i < piles[s].count; i++) {
            const oc_message_sums *sums = &piles[s].sums[i];
            const uint32_t key[] = {sums->row, sums->column};
            const uint32_t place = oc_map_get(places, key, sizeof key);
            if (place != OC_MAP_NONE) {
                OC_TRY(oc_message_sums_add(&m->cells[place], sums, m->trace));
                continue;
            }
            OC_TRY(oc_map_set(places, key, sizeof key, (uint32_t)m->info.cells));
            OC_TRY(oc_grow(&m->cells, &m->cell_capacity, m->info.cells + 1, sizeof *m->cells));
            m->cells[m->info.cells++] = *sums;
        }
    return OCELOTL_OK;
}

/* --- Rows and columns */

/* Of what is outside and unknown only what some link needs is a row or a column. */
typedef struct extras {
    bool outside, unknown;
} extras;

static uint32_t place_of(const oc_groups *side, const extras *extra, uint32_t group)
{
    return group == oc_messages_unknown(side) ? side->count + extra->outside : group;
}

static void number_cells(ocelotl_messages *m)
{
    extras rows = {0};
    extras columns = {0};
    for (uint64_t i = 0; i < m->info.cells; i++) {
        rows.outside |= m->cells[i].row == oc_messages_outside(&m->rows);
        rows.unknown |= m->cells[i].row == oc_messages_unknown(&m->rows);
        columns.outside |= m->cells[i].column == oc_messages_outside(&m->columns);
        columns.unknown |= m->cells[i].column == oc_messages_unknown(&m->columns);
    }
    for (uint64_t i = 0; i < m->info.cells; i++) {
        m->cells[i].row = place_of(&m->rows, &rows, m->cells[i].row);
        m->cells[i].column = place_of(&m->columns, &columns, m->cells[i].column);
    }
    m->rows_outside = rows.outside;
    m->columns_outside = columns.outside;
    m->info.rows = m->rows.count + rows.outside + rows.unknown;
    m->info.columns = m->columns.count + columns.outside + columns.unknown;
}

static ocelotl_status add_totals(ocelotl_messages *m)
{
    OC_TRY(oc_allocate(&m->row_begins, (size_t)m->info.rows + 1, sizeof *m->row_begins));
    OC_TRY(oc_allocate(&m->row_totals, m->info.rows, sizeof *m->row_totals));
    OC_TRY(oc_allocate(&m->column_totals, m->info.columns, sizeof *m->column_totals));
    for (uint64_t i = 0; i < m->info.cells; i++) {
        const oc_message_sums *cell = &m->cells[i];
        m->row_begins[cell->row + 1] = i + 1;
        OC_TRY(oc_message_sums_add(&m->row_totals[cell->row], cell, m->trace));
        OC_TRY(oc_message_sums_add(&m->column_totals[cell->column], cell, m->trace));
        OC_TRY(oc_message_sums_add(&m->total, cell, m->trace));
    }
    for (uint32_t r = 0; r < m->info.rows; r++)
        if (m->row_begins[r + 1] < m->row_begins[r])
            m->row_begins[r + 1] = m->row_begins[r];
    return OCELOTL_OK;
}

/* --- Computing */

static ocelotl_status read_links(ocelotl_messages *m, const ocelotl_work *work)
{
    const uint32_t streams = m->trace->stream_count;
    oc_message_pile *piles = NULL;
    oc_map places = {0};
    OC_TRY(oc_allocate(&piles, streams, sizeof *piles));
    ocelotl_status status = oc_messages_read(piles, m, work);
    if (status == OCELOTL_OK)
        status = add_piles(m, &places, piles);
    if (status == OCELOTL_OK && m->info.cells > 1)
        qsort(m->cells, m->info.cells, sizeof *m->cells, compare_cells);
    oc_map_free(&places);
    for (uint32_t s = 0; s < streams; s++)
        free(piles[s].sums);
    free(piles);
    return status;
}

static ocelotl_status find_side(oc_groups *side, const ocelotl_messages *m,
                                const oc_group_request *asked)
{
    return m->hierarchy != NULL ? oc_groups_of_model(side, asked, m->hierarchy)
                                : oc_groups_find(side, asked);
}

static ocelotl_status compute(ocelotl_messages *m, const ocelotl_messages_options *options)
{
    oc_question *question = &m->question;
    OC_TRY(
        oc_question_make(question, m->trace, &options->selection, options->type, &options->work));
    m->info.from = question->window.from;
    m->info.to = question->window.to;
    m->info.filters = question->filters;
    OC_TRY(oc_catalogue_find_bytes(&m->bytes, &m->info.has_bytes, &question->catalogue,
                                   question->event_types, options->attribute,
                                   options->attribute != NULL || options->needs_bytes));
    OC_TRY(oc_messages_arrange(&m->hierarchy, m->trace, options));
    m->info.hierarchy = m->hierarchy != NULL ? ocelotl_model_info_of(m->hierarchy).hierarchy : "";
    bool *ends = NULL;
    OC_TRY(oc_find_link_ends(&ends, m->trace, m->question.event_types));
    oc_group_request asked = {m->trace, ends, m->question.resources, options->rows};
    ocelotl_status status = find_side(&m->rows, m, &asked);
    asked.at = options->columns != NULL ? options->columns : options->rows;
    if (status == OCELOTL_OK)
        status = find_side(&m->columns, m, &asked);
    free(ends);
    OC_TRY(status);
    OC_TRY(oc_question_keep_paths(question, &m->rows));
    OC_TRY(oc_question_keep_paths(question, &m->columns));
    m->info.row_type = m->rows.type;
    m->info.column_type = m->columns.type;
    OC_TRY(read_links(m, &options->work));
    number_cells(m);
    return add_totals(m);
}

ocelotl_status ocelotl_messages_compute(ocelotl_messages **messages, ocelotl_trace *trace,
                                        const ocelotl_messages_options *options)
{
    ocelotl_messages *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    const ocelotl_status status = compute(made, options);
    if (status == OCELOTL_OK)
        *messages = made;
    else
        ocelotl_messages_free(made);
    return status;
}

void ocelotl_messages_free(ocelotl_messages *messages)
{
    if (messages == NULL)
        return;
    oc_question_free(&messages->question);
    oc_groups_free(&messages->rows);
    oc_groups_free(&messages->columns);
    ocelotl_model_free(messages->hierarchy);
    free(messages->bytes);
    free(messages->cells);
    free(messages->row_begins);
    free(messages->row_totals);
    free(messages->column_totals);
    free(messages);
}

/* --- What is in it */

ocelotl_messages_info ocelotl_messages_info_of(const ocelotl_messages *messages)
{
    return messages->info;
}

static ocelotl_message_group group_at(const ocelotl_messages *messages, const oc_groups *side,
                                      uint32_t shown, uint32_t index, bool outside)
{
    ocelotl_message_group is = {"", OCELOTL_NONE, OCELOTL_NONE};
    if (index >= shown)
        return is;
    if (index >= side->count) {
        is.path = index == side->count && outside ? "(outside)" : "(unknown)";
        return is;
    }
    is.resource = side->resources[index];
    is.node = side->nodes != NULL ? side->nodes[index] : OCELOTL_NONE;
    is.path = is.node != OCELOTL_NONE ? ocelotl_model_node_at(messages->hierarchy, is.node).path
              : is.resource != OCELOTL_NONE ? messages->question.paths.of[is.resource]
                                            : oc_whole_group;
    return is;
}

const ocelotl_model *ocelotl_messages_hierarchy(const ocelotl_messages *messages)
{
    return messages->hierarchy;
}

ocelotl_message_group ocelotl_messages_row_at(const ocelotl_messages *messages, uint32_t index)
{
    return group_at(messages, &messages->rows, messages->info.rows, index, messages->rows_outside);
}

ocelotl_message_group ocelotl_messages_column_at(const ocelotl_messages *messages, uint32_t index)
{
    return group_at(messages, &messages->columns, messages->info.columns, index,
                    messages->columns_outside);
}

static ocelotl_message_cell make_cell(const ocelotl_messages *messages, const oc_message_sums *sums)
{
    const ocelotl_messages_info *info = &messages->info;
    const double length = (double)info->to - (double)info->from;
    const double seconds = (double)sums->time * (double)messages->trace->info.tick_numerator /
                           (double)messages->trace->info.tick_denominator;
    return (ocelotl_message_cell){
        .row = sums->row,
        .column = sums->column,
        .count = sums->count,
        .bytes = info->has_bytes ? sums->bytes : (double)NAN,
        .ended = sums->ended,
        .received = info->has_bytes ? sums->received : (double)NAN,
        .violations = sums->violations,
        .timed = sums->timed,
        .time = sums->time,
        .least = sums->timed > 0 ? sums->least : -1,
        .mean = sums->timed > 0 ? (double)sums->time / (double)sums->timed : (double)NAN,
        .bandwidth = sums->time > 0 && info->has_bytes ? sums->moved / seconds : (double)NAN,
        .in_flight = length > 0 ? (double)sums->inside / length : 0,
    };
}

ocelotl_message_cell ocelotl_messages_cell_at(const ocelotl_messages *messages, uint64_t index)
{
    if (index >= messages->info.cells)
        return (ocelotl_message_cell){.row = OCELOTL_NONE, .column = OCELOTL_NONE, .least = -1};
    return make_cell(messages, &messages->cells[index]);
}

uint64_t ocelotl_messages_row_begin(const ocelotl_messages *messages, uint32_t row)
{
    return row < messages->info.rows ? messages->row_begins[row] : messages->info.cells;
}

ocelotl_message_cell ocelotl_messages_row_total(const ocelotl_messages *messages, uint32_t row)
{
    return make_cell(messages, &messages->row_totals[row]);
}

ocelotl_message_cell ocelotl_messages_column_total(const ocelotl_messages *messages,
                                                   uint32_t column)
{
    return make_cell(messages, &messages->column_totals[column]);
}

ocelotl_message_cell ocelotl_messages_total(const ocelotl_messages *messages)
{
    return make_cell(messages, &messages->total);
}

/* --- Measures */

double ocelotl_message_value(const ocelotl_message_cell *cell, ocelotl_message_measure measure,
                             const ocelotl_trace *trace)
{
    const double tick = (double)trace->info.tick_numerator / (double)trace->info.tick_denominator;
    switch (measure) {
    case OCELOTL_MESSAGES_COUNT:
        return (double)cell->count;
    case OCELOTL_MESSAGES_BYTES:
        return cell->bytes;
    case OCELOTL_MESSAGES_MEAN:
        return cell->mean * tick;
    case OCELOTL_MESSAGES_LEAST:
        return cell->least >= 0 ? (double)cell->least * tick : (double)NAN;
    case OCELOTL_MESSAGES_BANDWIDTH:
        return cell->bandwidth;
    case OCELOTL_MESSAGES_IN_FLIGHT:
        return cell->in_flight;
    case OCELOTL_MESSAGES_VIOLATIONS:
        return (double)cell->violations;
    }
    return (double)NAN;
}

/* Bytes of the timed links are their bandwidth times their time. */
static double join_bandwidth(const ocelotl_message_cell *cell, const ocelotl_message_cell *more)
{
    const double first = cell->time > 0 ? cell->bandwidth * (double)cell->time : 0;
    const double second = more->time > 0 ? more->bandwidth * (double)more->time : 0;
    const double time = (double)cell->time + (double)more->time;
    return time > 0 ? (first + second) / time : (double)NAN;
}

void ocelotl_message_cell_add(ocelotl_message_cell *cell, const ocelotl_message_cell *more)
{
    cell->bandwidth = join_bandwidth(cell, more);
    if (more->timed > 0 && (cell->timed == 0 || more->least < cell->least))
        cell->least = more->least;
    cell->count += more->count;
    cell->bytes += more->bytes;
    cell->ended += more->ended;
    cell->received += more->received;
    cell->violations += more->violations;
    cell->timed += more->timed;
    if (!oc_add_times(&cell->time, cell->time, more->time))
        cell->time = INT64_MAX;
    cell->in_flight += more->in_flight;
    cell->mean = cell->timed > 0 ? (double)cell->time / (double)cell->timed : (double)NAN;
}

const char *ocelotl_message_measure_name(ocelotl_message_measure measure)
{
    static const char *const names[] = {"count",     "bytes",     "mean",      "least",
                                        "bandwidth", "in-flight", "violations"};
    return (int)measure >= 0 && (size_t)measure < sizeof names / sizeof names[0] ? names[measure]
                                                                                 : "";
}

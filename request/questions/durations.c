/* stats --durations: how long events last. */
#include "answer/table.h"
#include "request/questions/question.h"
#include "viz/pictures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
    const ocelotl_durations *durations;
    const ocelotl_trace *trace;
    ocelotl_durations_info info;
} source;

/* --- JSON */

static ocelotl_status add_bins(oc_json *json, const source *of, uint32_t column)
{
    oc_json_list(json, "bins");
    for (uint32_t bin = 0; bin < of->info.bins; bin++) {
        const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
        const uint64_t count = ocelotl_durations_count_at(of->durations, column, OCELOTL_NONE, bin);
        char *condition = NULL;
        if (count == 0)
            continue;
        OC_TRY(ocelotl_durations_write_condition(&condition, of->durations, bin));
        oc_json_item(json, 2);
        oc_json_number(json, "begin", span.begin);
        oc_json_number(json, "end", span.end);
        oc_json_count(json, "count", count);
        oc_json_number(json, "sum", ocelotl_durations_sum_at(of->durations, column, bin));
        oc_json_text(json, "condition", condition);
        oc_json_end_object(json);
        free(condition);
    }
    oc_json_end_list(json);
    return OCELOTL_OK;
}

static ocelotl_status add_column(oc_json *json, const source *of, uint32_t index)
{
    const ocelotl_duration_column column = ocelotl_durations_column_at(of->durations, index);
    char *sql = NULL;
    OC_TRY(ocelotl_durations_write_sql(&sql, of->durations, index, OCELOTL_NONE));
    oc_json_item(json, 1);
    oc_json_count(json, "window", column.window);
    oc_json_seconds(json, "from", of->trace, column.from);
    oc_json_seconds(json, "to", of->trace, column.to);
    if (column.group != NULL)
        oc_json_text(json, "group", column.group);
    oc_json_count(json, "count", column.count);
    oc_json_number(json, "sum", column.sum);
    oc_json_number(json, "min", column.least);
    oc_json_number(json, "max", column.most);
    if (sql[0] != '\0')
        oc_json_text(json, "sql", sql);
    else
        oc_json_null(json, "sql");
    free(sql);
    OC_TRY(add_bins(json, of, index));
    if (of->info.slices > 0)
        oc_json_list(json, "slices"); /* a list of counts for each */
    for (uint32_t slice = 0; slice < of->info.slices; slice++) {
        oc_json_line(json, 2);
        oc_json_list(json, NULL);
        for (uint32_t bin = 0; bin < of->info.bins; bin++)
            oc_json_count(json, NULL, ocelotl_durations_count_at(of->durations, index, slice, bin));
        oc_json_end_list(json);
    }
    if (of->info.slices > 0)
        oc_json_end_list(json);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const source *of = state;
    const ocelotl_trace_info info = ocelotl_trace_info_of(of->trace);
    oc_json_text(json, "name", info.name);
    oc_json_text(json, "uid", info.uid);
    oc_json_text(json, "durations", of->info.patterns);
    oc_json_text(json, "filters", of->info.filters);
    oc_json_count(json, "resources", of->info.resources);
    oc_json_list(json, "borders");
    for (uint32_t bin = 0; bin < of->info.bins; bin++) {
        const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
        oc_json_list(json, NULL);
        oc_json_number(json, NULL, span.begin);
        oc_json_number(json, NULL, span.end);
        oc_json_end_list(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "columns");
    for (uint32_t i = 0; i < of->info.columns; i++)
        OC_TRY(add_column(json, of, i));
    oc_json_end_list(json);
    return OCELOTL_OK;
}

/* --- CSV and Arrow: the bins of each column that hold something, then those of its slices */

static ocelotl_status fill_bin(oc_row *row, void *state, size_t index)
{
    const source *of = state;
    const size_t lists = (size_t)of->info.slices + 1;
    const uint32_t bin = (uint32_t)(index % of->info.bins);
    const uint32_t list = (uint32_t)(index / of->info.bins % lists);
    const uint32_t slice = list == 0 ? OCELOTL_NONE : list - 1;
    const uint32_t at = (uint32_t)(index / of->info.bins / lists);
    const ocelotl_duration_column column = ocelotl_durations_column_at(of->durations, at);
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
    const uint64_t count = ocelotl_durations_count_at(of->durations, at, slice, bin);
    if (count == 0)
        return OCELOTL_OK;
    oc_cell_count(row, column.window);
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, column.from));
    oc_cell_number(row, ocelotl_trace_seconds(of->trace, column.to));
    oc_cell_text(row, column.group);
    oc_cell_add(row, list > 0, slice);
    oc_cell_number(row, span.begin);
    oc_cell_number(row, span.end);
    oc_cell_count(row, count);
    oc_cell_number(row, list > 0 ? (double)NAN : ocelotl_durations_sum_at(of->durations, at, bin));
    return OCELOTL_OK;
}

static oc_table make_table(source *of)
{
    static const oc_heading headings[] = {
        {"window", OC_CELL_INDEX}, {"from", OC_CELL_NUMBER}, {"to", OC_CELL_NUMBER},
        {"group", OC_CELL_TEXT},   {"slice", OC_CELL_INDEX}, {"begin", OC_CELL_NUMBER},
        {"end", OC_CELL_NUMBER},   {"count", OC_CELL_COUNT}, {"sum", OC_CELL_NUMBER}};
    const size_t lists = (size_t)of->info.columns * (of->info.slices + 1);
    return (oc_table){headings,   OC_COUNT_OF(headings), of,
                      sizeof *of, lists * of->info.bins, fill_bin};
}

static ocelotl_status to_arrow(struct ArrowArrayStream *stream, ocelotl_answer *answer,
                               const ocelotl_arrow_options *options)
{
    source of = {answer->found, answer->trace, ocelotl_durations_info_of(answer->found)};
    const oc_table table = make_table(&of);
    return oc_table_to_arrow(stream, &table, options);
}

/* --- Text, for people: some columns beside each other, then the next */

enum { BESIDE = 6, BAR = 40 };

/* What the columns from one on are of, a line each. */
static void print_columns(oc_output *out, const source *of, uint32_t first, uint32_t end)
{
    oc_output_add(out, "\n");
    for (uint32_t i = first; i < end; i++) {
        const ocelotl_duration_column column = ocelotl_durations_column_at(of->durations, i);
        oc_output_format(out, "%u: ", i + 1);
        oc_output_add_window(out, of->trace, column.from, column.to);
        if (column.group != NULL)
            oc_output_print(out, ", %s", column.group[0] != '\0' ? column.group : "(whole)");
        oc_output_format(out, ": %" PRIu64 " events, %s", column.count,
                         oc_short_time(column.sum).text);
        if (column.count > 0)
            oc_output_format(out, ", from %s to %s", oc_short_time(column.least).text,
                             oc_short_time(column.most).text);
        oc_output_add(out, "\n");
    }
    oc_output_format(out, "\n%12s %12s", "from", "below");
    for (uint32_t i = first; i < end; i++)
        oc_output_format(out, " %10u", i + 1);
    oc_output_add(out, first + 1 == end ? "     share          time\n" : "\n");
}

static uint64_t count_in(const source *of, uint32_t column, uint32_t bin)
{
    return ocelotl_durations_count_at(of->durations, column, OCELOTL_NONE, bin);
}

/* A single column has its shares, and bars as long as the largest count allows. */
static void print_bins(oc_output *out, const source *of, uint32_t first, uint32_t end)
{
    const uint64_t all = ocelotl_durations_column_at(of->durations, first).count;
    uint64_t most = 1;
    for (uint32_t bin = 0; bin < of->info.bins; bin++)
        most = count_in(of, first, bin) > most ? count_in(of, first, bin) : most;
    for (uint32_t bin = 0; bin < of->info.bins; bin++) {
        const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
        const double count = (double)count_in(of, first, bin);
        oc_output_format(out, "%12s %12s", oc_short_time(span.begin).text,
                         oc_short_time(span.end).text);
        for (uint32_t i = first; i < end; i++)
            oc_output_format(out, " %10" PRIu64, count_in(of, i, bin));
        if (first + 1 == end && all > 0) {
            oc_output_format(
                out, " %9s %13s", oc_short_percent(count / (double)all).text,
                oc_short_time(ocelotl_durations_sum_at(of->durations, first, bin)).text);
            for (uint64_t i = 0; i < (uint64_t)(count / (double)most * BAR + 0.5); i++)
                oc_output_add(out, i == 0 ? "  #" : "#");
        }
        oc_output_add(out, "\n");
    }
}

/* The line with most events of the first column: what is said of it is said of each. */
static ocelotl_status print_sql(oc_output *out, const source *of)
{
    uint32_t best = 0;
    char *sql = NULL;
    for (uint32_t bin = 1; bin < of->info.bins; bin++)
        best = count_in(of, 0, bin) > count_in(of, 0, best) ? bin : best;
    if (of->info.bins == 0)
        return OCELOTL_OK;
    OC_TRY(ocelotl_durations_write_sql(&sql, of->durations, 0, best));
    if (sql[0] != '\0')
        oc_output_print(
            out,
            "\nThe events of column 1 from %s, by ocelotl-cli sql; --json has it for each:\n%s\n",
            oc_short_time(ocelotl_durations_bin_at(of->durations, best).begin).text, sql);
    free(sql);
    return OCELOTL_OK;
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    oc_output_print(out, "name       %s\ndurations  %s\nresources  %u",
                    ocelotl_trace_info_of(of->trace).name, of->info.patterns, of->info.resources);
    oc_output_filters(out, of->info.filters);
    if (of->info.slices > 0)
        oc_output_format(out,
                         "\nslices     %u, counted each in --json, in --csv and in pictures (-o)",
                         of->info.slices);
    oc_output_add(out, "\n");
    for (uint32_t first = 0; first < of->info.columns; first += BESIDE) {
        const uint32_t rest = of->info.columns - first;
        const uint32_t end = first + (rest < BESIDE ? rest : BESIDE);
        print_columns(out, of, first, end);
        print_bins(out, of, first, end);
    }
    return print_sql(out, of);
}

static ocelotl_status write(const ocelotl_sink *sink, ocelotl_form form, ocelotl_answer *answer)
{
    source of = {answer->found, answer->trace, ocelotl_durations_info_of(answer->found)};
    const oc_forms forms = {&of, add_members, print_all, make_table(&of)};
    return oc_forms_write(sink, form, &forms);
}

/* --- The question */

static ocelotl_status find(ocelotl_answer *answer)
{
    ocelotl_session *session = answer->session;
    const ocelotl_request *request = answer->request;
    ocelotl_durations *durations = NULL;
    ocelotl_durations_options options = {0};
    OC_TRY(oc_session_selection(&options.selection, session, request, OC_ENDS_AROUND));
    const ocelotl_interval *second = &request->second_window;
    options.compares = second->from.text != NULL || second->to.text != NULL;
    OC_TRY(options.compares ? oc_interval_ticks(&options.second_from, &options.second_to, second,
                                                session->trace, OC_ENDS_AROUND)
                            : OCELOTL_OK);
    options.type = request->type;
    options.patterns = request->durations;
    options.at = request->at;
    options.slices = request->duration_slices;
    oc_session_begin_reading(&options.work, session);
    const ocelotl_status status = ocelotl_durations_compute(&durations, session->trace, &options);
    oc_session_end(session);
    answer->found = durations;
    return oc_check_found(status,
                          status == OCELOTL_OK && ocelotl_durations_info_of(durations).bins == 0,
                          session, request);
}

static ocelotl_status draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                           ocelotl_answer *answer, const ocelotl_request *drawn,
                           const ocelotl_picture_options *view)
{
    (void)drawn;
    return ocelotl_durations_draw(sink, format, answer->trace, answer->found, view);
}

static void free_found(ocelotl_answer *answer)
{
    ocelotl_durations_free(answer->found);
}

const oc_question oc_durations_question = {
    .command = "stats",
    .answering = {.forms = OC_FORMS_TABLE | OC_FORMS_PICTURE, .shows_types = true},
    .find = find,
    .write = write,
    .draw = draw,
    .to_arrow = to_arrow,
    .free = free_found,
};

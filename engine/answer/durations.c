/* How long events last: histograms as JSON, CSV and text. */
#include "answer/table.h"

#include "base/plain.h"
#include "base/visible.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
    const ocelotl_durations *durations;
    const ocelotl_trace *trace;
    ocelotl_durations_info info;
} source;

static source source_of(const ocelotl_durations *durations, const ocelotl_trace *trace)
{
    return (source){durations, trace, ocelotl_durations_info_of(durations)};
}

/* --- JSON */

static ocelotl_status add_condition(oc_json *json, const source *of, uint32_t bin)
{
    char *condition = NULL;
    OC_TRY(ocelotl_durations_write_condition(&condition, of->durations, bin));
    oc_json_text(json, "condition", condition);
    free(condition);
    return OCELOTL_OK;
}

static ocelotl_status add_bins(oc_json *json, const source *of, uint32_t column)
{
    ocelotl_status status = OCELOTL_OK;
    oc_json_list(json, "bins");
    for (uint32_t bin = 0; bin < of->info.bins && status == OCELOTL_OK; bin++) {
        const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
        const uint64_t count = ocelotl_durations_count_at(of->durations, column, OCELOTL_NONE, bin);
        if (count == 0)
            continue;
        oc_json_item(json, 2);
        oc_json_number(json, "begin", span.begin);
        oc_json_number(json, "end", span.end);
        oc_json_count(json, "count", count);
        oc_json_number(json, "sum", ocelotl_durations_sum_at(of->durations, column, bin));
        status = add_condition(json, of, bin);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    return status;
}

/* A list for each slice: the first bin and the counts from there on. */
static void add_slices(oc_json *json, const source *of, uint32_t column)
{
    oc_json_list(json, "slices");
    for (uint32_t slice = 0; slice < of->info.slices; slice++) {
        oc_json_line(json, 2);
        oc_json_list(json, NULL);
        for (uint32_t bin = 0; bin < of->info.bins; bin++)
            oc_json_count(json, NULL,
                          ocelotl_durations_count_at(of->durations, column, slice, bin));
        oc_json_end_list(json);
    }
    oc_json_end_list(json);
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
        add_slices(json, of, index);
    oc_json_end_object(json);
    return OCELOTL_OK;
}

static void add_borders(oc_json *json, const source *of)
{
    oc_json_list(json, "borders");
    for (uint32_t bin = 0; bin < of->info.bins; bin++) {
        const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
        oc_json_list(json, NULL);
        oc_json_number(json, NULL, span.begin);
        oc_json_number(json, NULL, span.end);
        oc_json_end_list(json);
    }
    oc_json_end_list(json);
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
    add_borders(json, of);
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

ocelotl_status ocelotl_durations_to_arrow(struct ArrowArrayStream *stream,
                                          const ocelotl_durations *durations,
                                          const ocelotl_trace *trace,
                                          const ocelotl_arrow_options *options)
{
    source of = source_of(durations, trace);
    const oc_table table = make_table(&of);
    return oc_table_to_arrow(stream, &table, options);
}

/* --- Text, for people: some columns beside each other, then the next */

enum { BESIDE = 6, BAR = 40 };

static void print_head(oc_output *out, const source *of)
{
    oc_output_add(out, "name       ");
    oc_output_add_visible(out, ocelotl_trace_info_of(of->trace).name);
    oc_output_add(out, "\ndurations  ");
    oc_output_add_visible(out, of->info.patterns);
    oc_output_format(out, "\nresources  %u", of->info.resources);
    oc_output_add(out, of->info.filters[0] != '\0' ? "\nfilters    " : "");
    oc_output_add_visible(out, of->info.filters);
    if (of->info.slices > 0)
        oc_output_format(out,
                         "\nslices     %u, counted each in --json, in --csv and in pictures (-o)",
                         of->info.slices);
    oc_output_add(out, "\n");
}

/* What the columns from one on are of, a line each. */
static void print_columns(oc_output *out, const source *of, uint32_t first, uint32_t end)
{
    oc_output_add(out, "\n");
    for (uint32_t i = first; i < end; i++) {
        const ocelotl_duration_column column = ocelotl_durations_column_at(of->durations, i);
        oc_output_format(out, "%u: ", i + 1);
        oc_output_add_window(out, of->trace, column.from, column.to);
        if (column.group != NULL) {
            oc_output_add(out, ", ");
            oc_output_add_visible(out, column.group[0] != '\0' ? column.group : "(whole)");
        }
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

/* The share of a single column, and a bar as long as the largest count allows. */
static void print_bar(oc_output *out, const source *of, uint32_t column, uint32_t bin,
                      uint64_t most)
{
    const uint64_t count = ocelotl_durations_count_at(of->durations, column, OCELOTL_NONE, bin);
    const uint64_t all = ocelotl_durations_column_at(of->durations, column).count;
    oc_output_format(out, " %9s %13s", oc_short_percent((double)count / (double)all).text,
                     oc_short_time(ocelotl_durations_sum_at(of->durations, column, bin)).text);
    for (uint64_t i = 0; i < (uint64_t)((double)count / (double)most * BAR + 0.5); i++)
        oc_output_add(out, i == 0 ? "  #" : "#");
}

static uint64_t largest(const source *of, uint32_t column)
{
    uint64_t most = 1;
    for (uint32_t bin = 0; bin < of->info.bins; bin++) {
        const uint64_t count = ocelotl_durations_count_at(of->durations, column, OCELOTL_NONE, bin);
        most = count > most ? count : most;
    }
    return most;
}

static void print_bins(oc_output *out, const source *of, uint32_t first, uint32_t end)
{
    const uint64_t most = largest(of, first);
    for (uint32_t bin = 0; bin < of->info.bins; bin++) {
        const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
        oc_output_format(out, "%12s %12s", oc_short_time(span.begin).text,
                         oc_short_time(span.end).text);
        for (uint32_t i = first; i < end; i++)
            oc_output_format(out, " %10" PRIu64,
                             ocelotl_durations_count_at(of->durations, i, OCELOTL_NONE, bin));
        if (first + 1 == end && ocelotl_durations_column_at(of->durations, first).count > 0)
            print_bar(out, of, first, bin, most);
        oc_output_add(out, "\n");
    }
}

/* The line with most events of the first column: what is said of it is said of each. */
static uint32_t fullest_bin(const source *of)
{
    uint32_t best = 0;
    for (uint32_t bin = 1; bin < of->info.bins; bin++)
        if (ocelotl_durations_count_at(of->durations, 0, OCELOTL_NONE, bin) >
            ocelotl_durations_count_at(of->durations, 0, OCELOTL_NONE, best))
            best = bin;
    return best;
}

static ocelotl_status print_sql(oc_output *out, const source *of)
{
    const uint32_t bin = fullest_bin(of);
    const ocelotl_duration_bin span = ocelotl_durations_bin_at(of->durations, bin);
    char *sql = NULL;
    if (of->info.bins == 0)
        return OCELOTL_OK;
    OC_TRY(ocelotl_durations_write_sql(&sql, of->durations, 0, bin));
    if (sql[0] != '\0') {
        oc_output_format(out,
                         "\nThe events of column 1 from %s, by ocelotl-cli sql; --json has it "
                         "for each:\n",
                         oc_short_time(span.begin).text);
        oc_output_add_visible(out, sql);
        oc_output_add(out, "\n");
    }
    free(sql);
    return OCELOTL_OK;
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    print_head(out, of);
    for (uint32_t first = 0; first < of->info.columns; first += BESIDE) {
        const uint32_t rest = of->info.columns - first;
        const uint32_t end = first + (rest < BESIDE ? rest : BESIDE);
        print_columns(out, of, first, end);
        print_bins(out, of, first, end);
    }
    return print_sql(out, of);
}

ocelotl_status ocelotl_durations_write(const ocelotl_sink *sink, ocelotl_form form,
                                       const ocelotl_durations *durations,
                                       const ocelotl_trace *trace)
{
    source of = source_of(durations, trace);
    const oc_forms forms = {&of, add_members, print_all, make_table(&of)};
    return oc_forms_write(sink, form, &forms);
}

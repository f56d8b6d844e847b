/* What a window of a trace adds up to. */
#include "answer/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct source {
    const ocelotl_trace *trace;
    const ocelotl_statistics *statistics;
} source;

/* A mean or an extreme: seconds, but of variables. */
static double measure(const source *of, const ocelotl_statistic *row, double number)
{
    const ocelotl_trace_info info = ocelotl_trace_info_of(of->trace);
    return row->category == OCELOTL_VARIABLE
               ? number
               : number * (double)info.tick_numerator / (double)info.tick_denominator;
}

/* What shares of time are of. */
static const char *const of_words[] = {"lives", "leaves", "active"};

/* --- The table: a row for each type and value, then for each attribute */

enum { BEGUN = 4, LIVED = 12, SUM, MEDIAN, GROUP = 17, ENDED_TIME, COLUMNS };

static const oc_heading headings[COLUMNS] = {
    {"category", OC_CELL_TEXT},    {"type", OC_CELL_TEXT},
    {"value", OC_CELL_TEXT},       {"whole", OC_CELL_FLAG},
    {"begun", OC_CELL_COUNT},      {"ended", OC_CELL_COUNT},
    {"innermost", OC_CELL_NUMBER}, {"inclusive", OC_CELL_NUMBER},
    {"share", OC_CELL_NUMBER},     {"mean", OC_CELL_NUMBER},
    {"min", OC_CELL_NUMBER},       {"max", OC_CELL_NUMBER},
    {"lived", OC_CELL_NUMBER},     {"sum", OC_CELL_NUMBER, .only_csv = true},
    {"median", OC_CELL_NUMBER},    {"p90", OC_CELL_NUMBER},
    {"p99", OC_CELL_NUMBER},       {"group", OC_CELL_TEXT},
    {"ended_time", OC_CELL_NUMBER}};

static double seconds(const source *of, int64_t ticks)
{
    return ocelotl_trace_seconds(of->trace, ticks);
}

static void add_row(oc_row *row, const source *of, const ocelotl_statistic *is)
{
    oc_cell_text(row, oc_category_name(is->category));
    oc_cell_text(row, ocelotl_trace_event_type_spelling(of->trace, is->event_type));
    oc_cell_text(row, is->value != OCELOTL_NONE ? oc_value_name(of->trace, is->value) : NULL);
    oc_cell_count(row, is->whole);
    oc_cell_count(row, is->count);
    oc_cell_count(row, is->ended);
    oc_cell_number(row, seconds(of, is->innermost));
    oc_cell_number(row, is->category == OCELOTL_LINK ? (double)NAN : seconds(of, is->inclusive));
    oc_cell_number(row, is->share);
    oc_cell_number(row, measure(of, is, is->mean));
    oc_cell_number(row, measure(of, is, is->low));
    oc_cell_number(row, measure(of, is, is->high));
    oc_cell_number(row, seconds(of, is->lived));
    oc_cell_number(row, (double)NAN);
    oc_cell_number(row, measure(of, is, is->median));
    oc_cell_number(row, measure(of, is, is->p90));
    oc_cell_number(row, measure(of, is, is->p99));
    oc_cell_text(row, is->group);
    oc_cell_number(row, seconds(of, is->ended_time));
}

static ocelotl_status fill_row(oc_row *row, void *state, size_t index)
{
    const source *of = state;
    const uint32_t rows = ocelotl_statistics_count(of->statistics);
    if (index < rows) {
        const ocelotl_statistic is = ocelotl_statistics_row_at(of->statistics, (uint32_t)index);
        add_row(row, of, &is);
        return OCELOTL_OK;
    }
    const ocelotl_attribute_total total =
        ocelotl_statistics_attribute_at(of->statistics, (uint32_t)index - rows);
    memset(row->cells, 0, sizeof row->cells);
    row->count = COLUMNS;
    row->cells[0] = (oc_cell){true, {.text = "attribute"}};
    row->cells[1] =
        (oc_cell){true, {.text = ocelotl_trace_event_type_spelling(of->trace, total.event_type)}};
    row->cells[2] = (oc_cell){true, {.text = total.name}};
    row->cells[SUM] = (oc_cell){true, {.number = total.sum}};
    row->cells[GROUP] = (oc_cell){total.group != NULL, {.text = total.group}};
    return OCELOTL_OK;
}

ocelotl_status ocelotl_statistics_to_arrow(struct ArrowArrayStream *stream,
                                           const ocelotl_statistics *statistics,
                                           const ocelotl_trace *trace,
                                           const ocelotl_arrow_options *options)
{
    source of = {trace, statistics};
    const oc_table table = {headings, COLUMNS, &of, sizeof of, ocelotl_statistics_count(statistics),
                            fill_row};
    return oc_table_to_arrow(stream, &table, options);
}

/* --- JSON */

static void add_numbers(oc_json *json, const source *of, const ocelotl_statistic *is)
{
    oc_row row = {.count = 0};
    add_row(&row, of, is);
    oc_json_cells(json, headings, &row, BEGUN, LIVED);
    oc_json_cells(json, headings, &row, MEDIAN, GROUP);
    oc_json_cells(json, headings, &row, ENDED_TIME, COLUMNS);
}

static bool is_same_group(const char *a, const char *b)
{
    return a == NULL || b == NULL || strcmp(a, b) == 0;
}

/* A type, from its line on; gives where the next one is. */
static uint32_t add_type(oc_json *json, const source *of, uint32_t index)
{
    const ocelotl_statistic whole = ocelotl_statistics_row_at(of->statistics, index);
    oc_json_item(json, 1);
    oc_json_text(json, "category", oc_category_name(whole.category));
    oc_json_text(json, "name", ocelotl_trace_event_type_spelling(of->trace, whole.event_type));
    if (whole.group != NULL)
        oc_json_text(json, "group", whole.group);
    oc_json_count(json, "resources", whole.resources);
    oc_json_seconds(json, "lived", of->trace, whole.lived);
    add_numbers(json, of, &whole);
    oc_json_list(json, "attributes");
    for (uint32_t i = 0; i < ocelotl_statistics_attribute_count(of->statistics); i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute_at(of->statistics, i);
        if (total.event_type != whole.event_type || !is_same_group(total.group, whole.group))
            continue;
        oc_json_object(json, NULL);
        oc_json_text(json, "name", total.name);
        oc_json_number(json, "sum", total.sum);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_list(json, "values");
    for (index++; index < ocelotl_statistics_count(of->statistics); index++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(of->statistics, index);
        if (row.whole)
            break;
        oc_json_item(json, 2);
        if (row.value == OCELOTL_NONE)
            oc_json_null(json, "name");
        else
            oc_json_text(json, "name", oc_value_name(of->trace, row.value));
        add_numbers(json, of, &row);
        oc_json_end_object(json);
    }
    oc_json_end_list(json);
    oc_json_end_object(json);
    return index;
}

static ocelotl_status add_members(oc_json *json, void *state)
{
    const source *of = state;
    const ocelotl_statistics_info info = ocelotl_statistics_info_of(of->statistics);
    oc_json_window(json, of->trace, info.from, info.to);
    oc_json_count(json, "resources", info.resources);
    oc_json_names(json, "selected", &info.selected);
    oc_json_text(json, "filters", info.filters);
    oc_json_text(json, "of", of_words[info.of]);
    oc_json_text(json, "innermost_of", info.nests ? "shown" : "all");
    oc_json_list(json, "types");
    for (uint32_t i = 0; i < ocelotl_statistics_count(of->statistics);)
        i = add_type(json, of, i);
    oc_json_end_list(json);
    return OCELOTL_OK;
}

/* --- Text, for people */

static void print_window(oc_output *out, const source *of)
{
    const ocelotl_statistics_info info = ocelotl_statistics_info_of(of->statistics);
    oc_output_window(out, of->trace, info.from, info.to);
    oc_output_format(out, "resources  %u%s", info.resources,
                     info.selected.count == 0 ? ", all" : "");
    for (size_t i = 0; i < info.selected.count; i++)
        oc_output_print(out, "%s%s", i == 0 ? ": " : ", ", info.selected.names[i]);
    oc_output_filters(out, info.filters);
    oc_output_add(out, info.nests ? "\ntime       of the innermost among the states shown" : "");
    oc_output_add(
        out, info.of == OCELOTL_SHARES_OF_LEAVES   ? "\nshares     of the window of each resource\n"
             : info.of == OCELOTL_SHARES_OF_ACTIVE ? "\nshares     of the time in any state\n"
                                                   : "\n");
}

/* A time, or the value of a variable. */
static void print_figure(oc_output *out, bool is_time, double number)
{
    const oc_digits_text text = is_time ? oc_short_time(number) : oc_short_digits(number, 3);
    oc_output_format(out, " %13s", isnan(number) ? "-" : text.text);
}

static void print_time(oc_output *out, const source *of, int64_t ticks)
{
    print_figure(out, true, ocelotl_trace_seconds(of->trace, ticks));
}

static bool has_quantiles(const source *of, ocelotl_category category)
{
    return ocelotl_statistics_info_of(of->statistics).quantiles &&
           (category == OCELOTL_STATE || category == OCELOTL_LINK);
}

static void print_measures(oc_output *out, const source *of, const ocelotl_statistic *row)
{
    const bool is_time = row->category != OCELOTL_VARIABLE;
    const double measures[] = {row->mean, row->low, row->median, row->p90, row->p99, row->high};
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++)
        if (i < 2 || i > 4 || has_quantiles(of, row->category))
            print_figure(out, is_time, measure(of, row, measures[i]));
}

static void print_head(oc_output *out, const source *of, const ocelotl_statistic *whole)
{
    static const char *const heads[] = {
        "         count     share  value",
        "          time     share     inclusive        begun        ended",
        "       changes          mean           min           max",
        "         ended     share    ended time       begun"};
    static const char of_shown[] =
        "      of shown     share     inclusive        begun        ended";
    const bool nests =
        whole->category == OCELOTL_STATE && ocelotl_statistics_info_of(of->statistics).nests;
    const bool lasts = whole->category == OCELOTL_STATE || whole->category == OCELOTL_LINK;
    oc_output_print(out, "\n%s \"%s\" in %u resources", oc_category_name(whole->category),
                    ocelotl_trace_event_type_spelling(of->trace, whole->event_type),
                    whole->resources);
    if (whole->group != NULL && whole->group[0] != '\0')
        oc_output_print(out, " of %s", whole->group);
    oc_output_format(out, "\n%s%s\n", nests ? of_shown : heads[whole->category],
                     !lasts ? ""
                     : has_quantiles(of, whole->category)
                         ? "          mean           min        median          90 %          99 %"
                           "           max  value"
                         : "          mean           min           max  value");
}

static void print_row(oc_output *out, const source *of, const ocelotl_statistic *row,
                      const char *value)
{
    switch (row->category) {
    case OCELOTL_EVENT:
        oc_output_print(out, "%14" PRIu64 " %9s  %s\n", row->count,
                        oc_short_percent(row->share).text, value);
        return;
    case OCELOTL_STATE:
        print_time(out, of, row->innermost);
        oc_output_format(out, " %9s", oc_short_percent(row->share).text);
        print_time(out, of, row->inclusive);
        oc_output_format(out, " %12" PRIu64 " %12" PRIu64, row->count, row->ended);
        break;
    case OCELOTL_VARIABLE:
        oc_output_format(out, "%14" PRIu64, row->count);
        print_measures(out, of, row);
        oc_output_format(out, "\n");
        return;
    case OCELOTL_LINK:
        oc_output_format(out, "%14" PRIu64 " %9s", row->ended, oc_short_percent(row->share).text);
        print_time(out, of, row->ended_time);
        oc_output_format(out, " %12" PRIu64, row->count);
        break;
    }
    print_measures(out, of, row);
    oc_output_print(out, "  %s\n", value);
}

/* Attributes are in the order of the event types: the first of a type, or of one behind it. */
static uint32_t first_attribute(const ocelotl_statistics *statistics, uint32_t event_type)
{
    uint32_t low = 0;
    uint32_t high = ocelotl_statistics_attribute_count(statistics);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ocelotl_statistics_attribute_at(statistics, middle).event_type < event_type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The time of a type's resources in none of its states, all of them, and what they carry. */
static void print_foot(oc_output *out, const source *of, const ocelotl_statistic *whole)
{
    const double rest = whole->whole_time - (double)whole->innermost;
    const int measures = has_quantiles(of, whole->category) ? 6 : 3;
    const uint32_t count = ocelotl_statistics_attribute_count(of->statistics);
    if (whole->category == OCELOTL_STATE && rest > 0) {
        print_time(out, of, (int64_t)rest);
        oc_output_format(out, " %9s %*s  %s\n", oc_short_percent(1 - whole->share).text,
                         13 + 2 * 13 + measures * 14, "",
                         ocelotl_statistics_info_of(of->statistics).of == OCELOTL_SHARES_OF_LEAVES
                             ? "(no state, or no life)"
                             : "(no state)");
    }
    print_row(out, of, whole, "all");
    for (uint32_t i = first_attribute(of->statistics, whole->event_type); i < count; i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute_at(of->statistics, i);
        if (total.event_type != whole->event_type)
            return;
        if (is_same_group(total.group, whole->group))
            oc_output_print(out, "%14s in all: %s\n", oc_short_digits(total.sum, 3).text,
                            total.name);
    }
}

static ocelotl_status print_all(oc_output *out, void *state)
{
    const source *of = state;
    const uint32_t count = ocelotl_statistics_count(of->statistics);
    print_window(out, of);
    for (uint32_t i = 0; i < count;) {
        const ocelotl_statistic whole = ocelotl_statistics_row_at(of->statistics, i++);
        print_head(out, of, &whole);
        for (; i < count; i++) {
            const ocelotl_statistic row = ocelotl_statistics_row_at(of->statistics, i);
            if (row.whole)
                break;
            const char *value = ocelotl_trace_value_at(of->trace, row.value).name;
            print_row(out, of, &row, row.value == OCELOTL_NONE ? "(no value)" : value);
        }
        print_foot(out, of, &whole);
    }
    if (count == 0)
        oc_output_format(out, "\nno events\n");
    return OCELOTL_OK;
}

ocelotl_status ocelotl_statistics_write(const ocelotl_sink *sink, ocelotl_form form,
                                        const ocelotl_statistics *statistics,
                                        const ocelotl_trace *trace)
{
    source of = {trace, statistics};
    const size_t rows = (size_t)ocelotl_statistics_count(statistics) +
                        ocelotl_statistics_attribute_count(statistics);
    const oc_forms forms = {
        &of, add_members, print_all, {headings, COLUMNS, &of, sizeof of, rows, fill_row}};
    return oc_forms_write(sink, form, &forms);
}

/* Statistics as a table, as CSV and as JSON. */
#include "stats.h"

#include "visible.h"

#include <inttypes.h>
#include <math.h>

static const char *const categories[] = {"event", "state", "variable", "link"};

/* --- Numbers of a row */

static double seconds(const cli_stats_work *work, double ticks)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(work->trace);
    return ticks * (double)info.tick_numerator / (double)info.tick_denominator;
}

/* A mean or an extreme: seconds, but of variables. */
static double measure(const cli_stats_work *work, const ocelotl_statistic *row, double number)
{
    return row->category == OCELOTL_VARIABLE ? number : seconds(work, number);
}

static double whole_seconds(const cli_stats_work *work, int64_t ticks)
{
    return ocelotl_trace_seconds(work->trace, ticks);
}

static const char *type_name(const cli_stats_work *work, const ocelotl_statistic *row)
{
    return ocelotl_trace_event_type_spelling(work->trace, row->event_type);
}

/* --- Text */

static void print_window(const cli_stats_work *work)
{
    const ocelotl_trace_info trace = ocelotl_trace_get_info(work->trace);
    const ocelotl_statistics_info info = ocelotl_statistics_get_info(work->statistics);
    const bool all = info.from == trace.begin && info.to == trace.end;
    fputs("name       ", work->file);
    cli_write_visible(work->file, trace.name);
    fprintf(work->file, "\nwindow     %.12g s to %.12g s (%.12g s)%s\n",
            whole_seconds(work, info.from), whole_seconds(work, info.to),
            whole_seconds(work, info.to - info.from), all ? ", the whole trace" : "");
    fprintf(work->file, "resources  %u", info.resources);
    const ocelotl_names chosen = work->resources;
    if (chosen.count == 0)
        fprintf(work->file, ", all");
    for (size_t i = 0; i < chosen.count; i++) {
        fputs(i == 0 ? ": " : ", ", work->file);
        cli_write_visible(work->file, chosen.names[i]);
    }
    fputs(info.filters[0] != '\0' ? "\nfilters    " : "", work->file);
    cli_write_visible(work->file, info.filters);
    fputc('\n', work->file);
}

static void print_number(const cli_stats_work *work, double number)
{
    if (isnan(number))
        fprintf(work->file, " %13s", "-");
    else
        fprintf(work->file, " %13.7g", number);
}

static void print_measures(const cli_stats_work *work, const ocelotl_statistic *row)
{
    print_number(work, measure(work, row, row->mean));
    print_number(work, measure(work, row, row->low));
    print_number(work, measure(work, row, row->high));
}

static void print_head(const cli_stats_work *work, const ocelotl_statistic *whole)
{
    static const char *const heads[] = {"         count   share  value",
                                        ("      time (s)   share inclusive (s)        begun        "
                                         "ended      mean (s)       min (s)       max (s) "
                                         " "
                                         "value"),
                                        "       changes          mean           min           max",
                                        "         ended   share      time (s)        begun      "
                                        "mean (s)       min (s)       max (s)  value"};
    fprintf(work->file, "\n%s \"", categories[whole->category]);
    cli_write_visible(work->file, type_name(work, whole));
    fprintf(work->file, "\" in %u resources\n%s\n", whole->resources, heads[whole->category]);
}

static void print_row(const cli_stats_work *work, const ocelotl_statistic *row, const char *value)
{
    switch (row->category) {
    case OCELOTL_EVENT:
        fprintf(work->file, "%14" PRIu64 " %6.2f%%  ", row->count, 100 * row->share);
        cli_write_visible(work->file, value);
        fputc('\n', work->file);
        return;
    case OCELOTL_STATE:
        fprintf(work->file, "%14.9g %6.2f%% %13.9g %12" PRIu64 " %12" PRIu64,
                whole_seconds(work, row->innermost), 100 * row->share,
                whole_seconds(work, row->inclusive), row->count, row->ended);
        break;
    case OCELOTL_VARIABLE:
        fprintf(work->file, "%14" PRIu64, row->count);
        print_measures(work, row);
        fprintf(work->file, "\n");
        return;
    case OCELOTL_LINK:
        fprintf(work->file, "%14" PRIu64 " %6.2f%% %13.9g %12" PRIu64, row->ended, 100 * row->share,
                whole_seconds(work, row->inclusive), row->count);
        break;
    }
    print_measures(work, row);
    fputs("  ", work->file);
    cli_write_visible(work->file, value);
    fputc('\n', work->file);
}

/* The time of a type's resources in none of its states. */
static void print_rest(const cli_stats_work *work, const ocelotl_statistic *whole)
{
    if (whole->category == OCELOTL_STATE && whole->lived > whole->innermost)
        fprintf(work->file, "%14.9g %6.2f%% %*s  (no state)\n",
                whole_seconds(work, whole->lived - whole->innermost), 100 * (1 - whole->share),
                13 + 2 * 13 + 3 * 14, "");
}

/* Attributes are in the order of the event types: the first of a type, or of one behind it. */
static uint32_t first_attribute(const ocelotl_statistics *statistics, uint32_t event_type)
{
    uint32_t low = 0;
    uint32_t high = ocelotl_statistics_attribute_count(statistics);
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (ocelotl_statistics_attribute(statistics, middle).event_type < event_type)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void print_attributes(const cli_stats_work *work, uint32_t event_type)
{
    const uint32_t count = ocelotl_statistics_attribute_count(work->statistics);
    for (uint32_t i = first_attribute(work->statistics, event_type); i < count; i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute(work->statistics, i);
        if (total.event_type != event_type)
            return;
        fprintf(work->file, "%14.12g in all: ", total.sum);
        cli_write_visible(work->file, total.name);
        fputc('\n', work->file);
    }
}

void cli_stats_print_text(const cli_stats_work *work)
{
    const uint32_t count = ocelotl_statistics_count(work->statistics);
    print_window(work);
    for (uint32_t i = 0; i < count;) {
        const ocelotl_statistic whole = ocelotl_statistics_row(work->statistics, i++);
        print_head(work, &whole);
        for (; i < count; i++) {
            const ocelotl_statistic row = ocelotl_statistics_row(work->statistics, i);
            if (row.whole)
                break;
            const char *value = ocelotl_trace_value(work->trace, row.value).name;
            print_row(work, &row, row.value == OCELOTL_NONE ? "(no value)" : value);
        }
        print_rest(work, &whole);
        print_row(work, &whole, "all");
        print_attributes(work, whole.event_type);
    }
    if (count == 0)
        fprintf(work->file, "\nno events\n");
}

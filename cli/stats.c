/* ocelotl-cli stats: what a window of a trace adds up to, by event type and value. */
#include "json.h"
#include "load.h"
#include "output.h"
#include "stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_FROM = CLI_OWN_OPTION,
    OPTION_TO,
    OPTION_RESOURCE,
    OPTION_TYPE,
    OPTION_EXTREMES,
    OPTION_CSV,
    OPTION_JSON
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"from", required_argument, NULL, OPTION_FROM},
    {"to", required_argument, NULL, OPTION_TO},
    {"resource", required_argument, NULL, OPTION_RESOURCE},
    {"type", required_argument, NULL, OPTION_TYPE},
    {"state-type", required_argument, NULL, CLI_STATE_TYPE},
    {"extremes", no_argument, NULL, OPTION_EXTREMES},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"json", no_argument, NULL, OPTION_JSON},
    {"lenient", no_argument, NULL, CLI_LENIENT},
    {"time-unit", required_argument, NULL, CLI_TIME_UNIT},
    {"no-cache", no_argument, NULL, CLI_NO_CACHE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

typedef struct stats_request {
    cli_model_options model;
    const char *output;
    double from, to;        /* in seconds */
    const char **resources; /* paths */
    size_t resource_count;
    const char *type;
    bool states; /* the type is one of states */
    bool extremes, csv, json;
} stats_request;

/* What is written, and of what. */
typedef struct stats_work {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_statistics *statistics;
    const stats_request *request;
} stats_work;

static const char *const categories[] = {"event", "state", "variable", "link"};

/* --- Numbers of a row */

static double seconds(const stats_work *work, double ticks)
{
    const ocelotl_trace_info info = ocelotl_trace_get_info(work->trace);
    return ticks * (double)info.tick_numerator / (double)info.tick_denominator;
}

/* A mean or an extreme: seconds, but of variables. */
static double measure(const stats_work *work, const ocelotl_statistic *row, double number)
{
    return row->category == OCELOTL_VARIABLE ? number : seconds(work, number);
}

static double whole_seconds(const stats_work *work, int64_t ticks)
{
    return ocelotl_trace_seconds(work->trace, ticks);
}

static const char *type_name(const stats_work *work, const ocelotl_statistic *row)
{
    return ocelotl_trace_event_type(work->trace, row->event_type).name;
}

/* --- Text */

static void print_window(const stats_work *work)
{
    const ocelotl_trace_info trace = ocelotl_trace_get_info(work->trace);
    const ocelotl_statistics_info info = ocelotl_statistics_get_info(work->statistics);
    const bool all = info.from == trace.begin && info.to == trace.end;
    fprintf(work->file, "name       %s\n", trace.name);
    fprintf(work->file, "window     %.12g s to %.12g s (%.12g s)%s\n", whole_seconds(work, info.from),
            whole_seconds(work, info.to), whole_seconds(work, info.to - info.from), all ? ", the whole trace" : "");
    fprintf(work->file, "resources  %u", info.resources);
    if (work->request->resource_count == 0)
        fprintf(work->file, ", all");
    for (size_t i = 0; i < work->request->resource_count; i++)
        fprintf(work->file, "%s%s", i == 0 ? ": " : ", ", work->request->resources[i]);
    fprintf(work->file, "\n");
}

static void print_number(const stats_work *work, double number)
{
    if (isnan(number))
        fprintf(work->file, " %13s", "-");
    else
        fprintf(work->file, " %13.7g", number);
}

static void print_measures(const stats_work *work, const ocelotl_statistic *row)
{
    print_number(work, measure(work, row, row->mean));
    print_number(work, measure(work, row, row->low));
    print_number(work, measure(work, row, row->high));
}

static void print_head(const stats_work *work, const ocelotl_statistic *whole)
{
    static const char *const heads[] = {
        "         count   share  value",
        "      time (s)   share inclusive (s)        begun        ended      mean (s)       min (s)       max (s)  "
        "value",
        "       changes          mean           min           max",
        "         ended   share      time (s)        begun      mean (s)       min (s)       max (s)  value"};
    fprintf(work->file, "\n%s \"%s\" in %u resources\n%s\n", categories[whole->category], type_name(work, whole),
            whole->resources, heads[whole->category]);
}

static void print_row(const stats_work *work, const ocelotl_statistic *row, const char *value)
{
    switch (row->category) {
    case OCELOTL_EVENT:
        fprintf(work->file, "%14" PRIu64 " %6.2f%%  %s\n", row->count, 100 * row->share, value);
        return;
    case OCELOTL_STATE:
        fprintf(work->file, "%14.9g %6.2f%% %13.9g %12" PRIu64 " %12" PRIu64, whole_seconds(work, row->innermost),
                100 * row->share, whole_seconds(work, row->inclusive), row->count, row->ended);
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
    fprintf(work->file, "  %s\n", value);
}

/* The time of a type's resources in none of its states. */
static void print_rest(const stats_work *work, const ocelotl_statistic *whole)
{
    if (whole->category == OCELOTL_STATE && whole->lived > whole->innermost)
        fprintf(work->file, "%14.9g %6.2f%% %*s  (no state)\n",
                whole_seconds(work, whole->lived - whole->innermost), 100 * (1 - whole->share),
                13 + 2 * 13 + 3 * 14, "");
}

static void print_attributes(const stats_work *work, uint32_t event_type)
{
    for (uint32_t i = 0; i < ocelotl_statistics_attribute_count(work->statistics); i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute(work->statistics, i);
        if (total.event_type == event_type)
            fprintf(work->file, "%14.12g in all: %s\n", total.sum, total.name);
    }
}

static void print_text(const stats_work *work)
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

/* --- CSV */

static void csv_text(FILE *file, const char *text)
{
    cli_csv_cell(file, text, strlen(text));
    fputc(',', file);
}

static void csv_number(FILE *file, double number)
{
    fprintf(file, "%s,", isnan(number) ? "" : cli_digits(number).text);
}

static void csv_row(const stats_work *work, const ocelotl_statistic *row)
{
    FILE *file = work->file;
    const bool valued = !row->whole && row->value != OCELOTL_NONE;
    csv_text(file, categories[row->category]);
    csv_text(file, type_name(work, row));
    csv_text(file, valued ? ocelotl_trace_value(work->trace, row->value).name : "");
    fprintf(file, "%d,%" PRIu64 ",%" PRIu64 ",", row->whole, row->count, row->ended);
    csv_number(file, whole_seconds(work, row->innermost));
    csv_number(file, whole_seconds(work, row->inclusive));
    csv_number(file, row->share);
    csv_number(file, measure(work, row, row->mean));
    csv_number(file, measure(work, row, row->low));
    csv_number(file, measure(work, row, row->high));
    csv_number(file, whole_seconds(work, row->lived));
    fprintf(file, "\n");
}

static void print_csv(const stats_work *work)
{
    fprintf(work->file, "category,type,value,whole,begun,ended,innermost,inclusive,share,mean,min,max,lived,sum\n");
    for (uint32_t i = 0; i < ocelotl_statistics_count(work->statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row(work->statistics, i);
        csv_row(work, &row);
    }
    for (uint32_t i = 0; i < ocelotl_statistics_attribute_count(work->statistics); i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute(work->statistics, i);
        csv_text(work->file, "attribute");
        csv_text(work->file, ocelotl_trace_event_type(work->trace, total.event_type).name);
        csv_text(work->file, total.name);
        fprintf(work->file, ",,,,,,,,,,%s\n", cli_digits(total.sum).text);
    }
}

/* --- JSON */

static void json_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, "\"%s\":", key);
    cli_json_string(file, text);
    fputc(',', file);
}

static void json_number(FILE *file, const char *key, double number)
{
    fprintf(file, "\"%s\":", key);
    cli_json_number(file, number);
    fputc(',', file);
}

static void json_numbers(const stats_work *work, const ocelotl_statistic *row)
{
    FILE *file = work->file;
    json_number(file, "innermost", whole_seconds(work, row->innermost));
    json_number(file, "inclusive", whole_seconds(work, row->inclusive));
    json_number(file, "share", row->share);
    json_number(file, "mean", measure(work, row, row->mean));
    json_number(file, "min", measure(work, row, row->low));
    json_number(file, "max", measure(work, row, row->high));
    fprintf(file, "\"begun\":%" PRIu64 ",\"ended\":%" PRIu64, row->count, row->ended);
}

static void json_attributes(const stats_work *work, uint32_t event_type)
{
    bool first = true;
    fprintf(work->file, "\"attributes\":[");
    for (uint32_t i = 0; i < ocelotl_statistics_attribute_count(work->statistics); i++) {
        const ocelotl_attribute_total total = ocelotl_statistics_attribute(work->statistics, i);
        if (total.event_type != event_type)
            continue;
        fprintf(work->file, "%s{", first ? "" : ",");
        json_text(work->file, "name", total.name);
        fprintf(work->file, "\"sum\":%s}", cli_digits(total.sum).text);
        first = false;
    }
    fprintf(work->file, "],");
}

/* A type, from its line on; gives where the next one is. */
static uint32_t json_type(const stats_work *work, uint32_t index)
{
    const ocelotl_statistic whole = ocelotl_statistics_row(work->statistics, index);
    const uint32_t first = index + 1;
    json_text(work->file, "category", categories[whole.category]);
    json_text(work->file, "name", type_name(work, &whole));
    fprintf(work->file, "\"resources\":%u,", whole.resources);
    json_number(work->file, "lived", whole_seconds(work, whole.lived));
    json_numbers(work, &whole);
    fputc(',', work->file);
    json_attributes(work, whole.event_type);
    fprintf(work->file, "\"values\":[");
    for (index = first; index < ocelotl_statistics_count(work->statistics); index++) {
        const ocelotl_statistic row = ocelotl_statistics_row(work->statistics, index);
        if (row.whole)
            break;
        fprintf(work->file, "%s\n  {\"name\":", index > first ? "," : "");
        if (row.value == OCELOTL_NONE)
            fprintf(work->file, "null");
        else
            cli_json_string(work->file, ocelotl_trace_value(work->trace, row.value).name);
        fputc(',', work->file);
        json_numbers(work, &row);
        fprintf(work->file, "}");
    }
    fprintf(work->file, "]}");
    return index;
}

static void print_json(const stats_work *work)
{
    const ocelotl_trace_info trace = ocelotl_trace_get_info(work->trace);
    const ocelotl_statistics_info info = ocelotl_statistics_get_info(work->statistics);
    fprintf(work->file, "{");
    json_text(work->file, "name", trace.name);
    json_text(work->file, "uid", trace.uid);
    json_number(work->file, "from", whole_seconds(work, info.from));
    json_number(work->file, "to", whole_seconds(work, info.to));
    fprintf(work->file, "\"resources\":%u,\"selected\":[", info.resources);
    for (size_t i = 0; i < work->request->resource_count; i++) {
        fprintf(work->file, "%s", i > 0 ? "," : "");
        cli_json_string(work->file, work->request->resources[i]);
    }
    fprintf(work->file, "],\"types\":[");
    for (uint32_t i = 0; i < ocelotl_statistics_count(work->statistics);) {
        fprintf(work->file, "%s\n {", i > 0 ? "," : "");
        i = json_type(work, i);
    }
    fprintf(work->file, "]}\n");
}

/* --- The command */

static int help(void)
{
    printf(
        "Usage: ocelotl-cli stats [OPTIONS] TRACE\n\n"
        "Adds up what is in a trace, or in a window and a part of it, by event type and value: of states the time\n"
        "as the innermost one, its share of their resources' lives, and the time in all; of those that end in the\n"
        "window the mean, smallest and largest duration; of variables the mean over time; of links what their\n"
        "numeric attributes add up to.\n\n"
        "  --from S, --to S      this window, in seconds\n"
        "  --resource PATH       this resource and those below it; may be given several times\n"
        "  --type NAME           events of this type\n"
        "  --state-type NAME     states of this type\n"
        "  --extremes            the smallest and largest duration of each value too: reads every event\n"
        "  --csv                 print CSV instead of a table\n"
        "  --json                print JSON instead of a table\n"
        "  -o, --output FILE     write to a file (CSV or JSON where it ends so) instead of standard output\n"
        "  --lenient             skip broken lines of a trace that is read on the fly\n"
        "  --time-unit s|ms|us|ns          unit of times in traces that name none (default: "
        "s)\n" CLI_NO_CACHE_HELP);
    return CLI_DONE;
}

static int print(const stats_work *given)
{
    const char *path = given->request->output;
    cli_output output = {0};
    stats_work work = *given;
    if (!cli_output_open(&output))
        return CLI_INTERNAL;
    work.file = output.stream;
    if (work.request->json || (path != NULL && cli_ends_in(path, ".json")))
        print_json(&work);
    else if (work.request->csv || (path != NULL && cli_ends_in(path, ".csv")))
        print_csv(&work);
    else
        print_text(&work);
    return cli_output_close(&output, path);
}

/* Whether some type of states is called so, where one was asked for. */
static int check_type(const ocelotl_trace *trace, const stats_request *request)
{
    if (!request->states)
        return CLI_DONE;
    for (uint32_t t = 0; t < ocelotl_trace_event_type_count(trace); t++) {
        const ocelotl_event_type type = ocelotl_trace_event_type(trace, t);
        if (type.category == OCELOTL_STATE && strcmp(type.name, request->type) == 0)
            return CLI_DONE;
    }
    return cli_wrong("--state-type is \"%s\", expected a type of states in the trace", request->type);
}

static int answer(ocelotl_trace *trace, const stats_request *request)
{
    ocelotl_statistics_options options = OCELOTL_STATISTICS_OPTIONS_INIT;
    ocelotl_statistics *statistics = NULL;
    int code = check_type(trace, request);
    if (code != CLI_DONE)
        return code;
    options.from = ocelotl_trace_first_tick(trace, request->from);
    options.to = ocelotl_trace_last_tick(trace, request->to);
    options.resources = request->resources;
    options.resource_count = request->resource_count;
    options.type = request->type;
    options.extremes = request->extremes ? OCELOTL_EXTREMES_VALUES : OCELOTL_EXTREMES_TYPES;
    const ocelotl_status status = ocelotl_statistics_open(&statistics, trace, &options);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    code = print(&(stats_work){.trace = trace, .statistics = statistics, .request = request});
    ocelotl_statistics_free(statistics);
    return code;
}

static int run(const char *path, const stats_request *request)
{
    ocelotl_trace *trace = NULL;
    int code = request->output != NULL ? cli_check_text_output(request->output, path, "stats") : CLI_DONE;
    if (code == CLI_DONE)
        code = cli_open_trace(&trace, path, &request->model);
    if (code == CLI_DONE)
        code = answer(trace, request);
    ocelotl_trace_free(trace);
    return code;
}

static int take_seconds(double *number, const char *option)
{
    if (!cli_read_number(number, optarg, option, "stats"))
        return CLI_USAGE;
    return isnan(*number) ? cli_usage("stats", "--%s is \"%s\", expected a number", option, optarg) : CLI_DONE;
}

static int take_type(stats_request *request, bool states)
{
    if (request->type != NULL)
        return cli_usage("stats", "--type and --state-type can be given once");
    request->type = optarg;
    request->states = states;
    return CLI_DONE;
}

static int take_option(stats_request *request, int option, char **argv)
{
    int code = CLI_DONE;
    switch (option) {
    case 'o':
        request->output = optarg;
        return CLI_DONE;
    case OPTION_FROM:
        return take_seconds(&request->from, "from");
    case OPTION_TO:
        return take_seconds(&request->to, "to");
    case OPTION_RESOURCE:
        request->resources[request->resource_count++] = optarg;
        return CLI_DONE;
    case OPTION_TYPE:
    case CLI_STATE_TYPE:
        return take_type(request, option == CLI_STATE_TYPE);
    case OPTION_EXTREMES:
        request->extremes = true;
        return CLI_DONE;
    case OPTION_CSV:
        request->csv = true;
        return CLI_DONE;
    case OPTION_JSON:
        request->json = true;
        return CLI_DONE;
    default:
        return cli_take_model_option(&code, &request->model, option, "stats")
                   ? code
                   : cli_bad_option(option, argv, "stats");
    }
}

static int take_options(stats_request *request, int argc, char **argv)
{
    int option;
    opterr = 0;
    while ((option = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
        if (option == 'h')
            return help();
        const int code = take_option(request, option, argv);
        if (code != CLI_DONE)
            return code;
    }
    if (request->csv && request->json)
        return cli_usage("stats", "--csv and --json exclude each other");
    if (request->from > request->to)
        return cli_wrong("--from is %s, after --to, which is %s", cli_digits(request->from).text,
                         cli_digits(request->to).text);
    const char *trace = cli_one_trace(argc, argv, "stats");
    return trace != NULL ? run(trace, request) : CLI_USAGE;
}

int cli_stats(int argc, char **argv)
{
    stats_request request = {.model.model = OCELOTL_MODEL_OPTIONS_INIT, .from = -INFINITY, .to = INFINITY};
    /* No more paths can be given than there are arguments. */
    request.resources = calloc((size_t)argc + 1, sizeof *request.resources);
    if (request.resources == NULL)
        return cli_memory();
    const int code = take_options(&request, argc, argv);
    free(request.resources);
    return code;
}

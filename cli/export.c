/* ocelotl-cli export: the events of a trace, a window or a part of it, as lines of text. */
#include "command_line.h"
#include "json.h"
#include "nothing_left.h"
#include "output.h"
#include "stream.h"

#include <string.h>

enum { OPTION_TYPE = CLI_OWN_OPTION, OPTION_FORMAT, OPTION_DIGITS };

static const struct option long_options[] = {
    CLI_OUTPUT_OPTIONS,
    CLI_MODEL_OPTIONS,
    CLI_P_OPTIONS,
    CLI_ZOOM_OPTIONS,
    {"type", required_argument, NULL, OPTION_TYPE},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"csv", no_argument, NULL, CLI_CSV},
    {"json", no_argument, NULL, CLI_JSON},
    {"digits", required_argument, NULL, OPTION_DIGITS},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const struct option *const cli_export_options = long_options;

typedef struct export_request {
    cli_request common;
    cli_window window;
    ocelotl_names resources;
    const char *type;
    const char *format, *format_option; /* as given, and how */
    bool pjdump;
    uint32_t digits; /* behind the point, of pjdump */
    bool digits_given;
} export_request;

static const char *const categories[] = {"event", "state", "variable", "link"};

/* What is written, and of what. */
typedef struct export_work {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_events *events;
    int digits;
} export_work;

/* --- CSV */

static void csv_text(FILE *file, const char *text)
{
    if (text != NULL)
        cli_csv_cell(file, text, strlen(text));
    fputc(',', file);
}

static void csv_number(FILE *file, double number)
{
    fprintf(file, "%s,", cli_digits(number).text);
}

static void csv_path(const export_work *work, uint32_t resource)
{
    csv_text(work->file,
             resource != OCELOTL_NONE ? ocelotl_events_path(work->events, resource) : NULL);
}

static bool is_whole(const ocelotl_event *event)
{
    return event->category != OCELOTL_LINK ||
           (event->source != OCELOTL_NONE && event->target != OCELOTL_NONE);
}

static int64_t duration(const ocelotl_event *event)
{
    return (int64_t)((uint64_t)event->end - (uint64_t)event->begin);
}

static void write_csv(const export_work *work, const ocelotl_event *event)
{
    const uint32_t kind = ocelotl_trace_resource(work->trace, event->resource).type;
    csv_path(work, event->resource);
    csv_text(work->file, ocelotl_trace_resource_type(work->trace, kind).name);
    csv_text(work->file, categories[event->category]);
    csv_text(work->file, ocelotl_trace_event_type(work->trace, event->event_type).name);
    if (event->category == OCELOTL_VARIABLE)
        csv_number(work->file, event->number);
    else
        csv_text(work->file, ocelotl_trace_value(work->trace, event->value).name);
    csv_number(work->file, ocelotl_trace_seconds(work->trace, event->begin));
    csv_number(work->file, ocelotl_trace_seconds(work->trace, event->end));
    if (is_whole(event))
        csv_number(work->file, ocelotl_trace_seconds(work->trace, duration(event)));
    else
        fputc(',', work->file);
    if (event->category == OCELOTL_STATE)
        fprintf(work->file, "%u", event->depth);
    fputc(',', work->file);
    csv_path(work, event->source);
    csv_path(work, event->target);
    csv_text(work->file, event->key);
    if (event->attributes != NULL)
        cli_csv_cell(work->file, event->attributes, strlen(event->attributes));
    fputc('\n', work->file);
}

static void write_csv_head(FILE *file)
{
    fputs("resource,resource_type,category,type,value,begin,end,duration,depth,source,target,key,"
          "attributes\n",
          file);
}

/* --- JSON, an object a line */

static void json_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, ",\"%s\":", key);
    if (text != NULL)
        cli_json_string(file, text);
    else
        fputs("null", file);
}

static void json_time(const export_work *work, const char *key, int64_t ticks)
{
    fprintf(work->file, ",\"%s\":", key);
    cli_json_number(work->file, ocelotl_trace_seconds(work->trace, ticks));
}

static void json_link(const export_work *work, const ocelotl_event *event)
{
    static const char *const keys[] = {"source", "target"};
    const uint32_t ends[] = {event->source, event->target};
    for (int i = 0; i < 2; i++)
        json_text(work->file, keys[i],
                  ends[i] != OCELOTL_NONE ? ocelotl_events_path(work->events, ends[i]) : NULL);
    json_text(work->file, "key", event->key);
}

static void write_json(const export_work *work, const ocelotl_event *event)
{
    const uint32_t kind = ocelotl_trace_resource(work->trace, event->resource).type;
    fputs("{\"resource\":", work->file);
    cli_json_string(work->file, ocelotl_events_path(work->events, event->resource));
    json_text(work->file, "resource_type", ocelotl_trace_resource_type(work->trace, kind).name);
    json_text(work->file, "category", categories[event->category]);
    json_text(work->file, "type", ocelotl_trace_event_type(work->trace, event->event_type).name);
    if (event->category == OCELOTL_VARIABLE) {
        fputs(",\"value\":", work->file);
        cli_json_number(work->file, event->number);
    } else {
        json_text(work->file, "value",
                  event->value != OCELOTL_NONE ? ocelotl_trace_value(work->trace, event->value).name
                                               : NULL);
    }
    json_time(work, "begin", event->begin);
    json_time(work, "end", event->end);
    if (is_whole(event))
        json_time(work, "duration", duration(event));
    if (event->category == OCELOTL_STATE)
        fprintf(work->file, ",\"depth\":%u", event->depth);
    if (event->category == OCELOTL_LINK)
        json_link(work, event);
    fprintf(work->file, ",\"attributes\":%s}\n",
            event->attributes != NULL ? event->attributes : "{}");
}

/* --- As pj_dump does */

/* What is directly below the root has the root for a container, which is called 0. */
static const char *container_name(const ocelotl_trace *trace, uint32_t resource)
{
    return resource != OCELOTL_ROOT ? ocelotl_trace_resource(trace, resource).name : "0";
}

/* Events of the root container itself have a resource of their own (docs/formats/paje.md). */
static bool is_root_container(const ocelotl_trace *trace, const ocelotl_resource *resource)
{
    return resource->parent == OCELOTL_ROOT && strcmp(resource->name, "0") == 0 &&
           strcmp(ocelotl_trace_resource_type(trace, resource->type).name, "0") == 0;
}

static void pjdump_text(FILE *file, const char *before, const char *text)
{
    fputs(before, file);
    cli_write_kept(file, text, strlen(text));
}

static void write_container(const export_work *work, const char *parent, const char *type,
                            double begin, double end, const char *name)
{
    pjdump_text(work->file, "Container, ", parent);
    pjdump_text(work->file, ", ", type);
    fprintf(work->file, ", %g, %g, %g", begin, end, end - begin);
    pjdump_text(work->file, ", ", name);
    fputc('\n', work->file);
}

/* Whether the root itself is asked for: by no path and no filter, or by its path, which is empty.
 */
static bool is_root_asked(const export_request *request)
{
    const cli_selection *selection = &request->common.model.selection;
    bool asked = request->resources.count == 0;
    for (size_t i = 0; i < request->resources.count && !asked; i++)
        asked = request->resources.names[i][0] == '\0';
    return asked && selection->only_resources.count == 0 && selection->except_resources.count == 0;
}

static void write_containers(const export_work *work, const export_request *request)
{
    const ocelotl_trace *trace = work->trace;
    const double last = ocelotl_trace_seconds(trace, ocelotl_trace_get_info(trace).end);
    const int64_t from = cli_first_tick(&request->window.from, trace);
    const int64_t to = cli_last_tick(&request->window.to, trace);
    if (is_root_asked(request))
        write_container(work, "0", "0", 0, last, "0");
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource resource = ocelotl_trace_resource(trace, r);
        const double begin = ocelotl_trace_seconds(trace, resource.begin);
        const double end = ocelotl_trace_seconds(trace, resource.end);
        if (!is_root_container(trace, &resource) && resource.begin <= to && resource.end >= from &&
            ocelotl_events_cover(work->events, r))
            write_container(work, container_name(trace, resource.parent),
                            ocelotl_trace_resource_type(trace, resource.type).name, begin, end,
                            resource.name);
    }
}

static bool is_above(const ocelotl_trace *trace, uint32_t above, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && resource > above)
        resource = ocelotl_trace_resource(trace, resource).parent;
    return resource == above;
}

/* The container of a link: around both its ends, of the type that such links are declared in. */
static uint32_t link_container(const ocelotl_trace *trace, const ocelotl_event *event)
{
    const uint32_t type = ocelotl_trace_event_type(trace, event->event_type).resource_type;
    uint32_t resource = type == OCELOTL_ROOT ? OCELOTL_ROOT : event->source;
    while (resource != OCELOTL_ROOT) {
        const ocelotl_resource found = ocelotl_trace_resource(trace, resource);
        if (found.type == type && is_above(trace, resource, event->target))
            return resource;
        resource = found.parent;
    }
    return OCELOTL_ROOT;
}

static void write_pjdump(const export_work *work, const ocelotl_event *event)
{
    static const char *const words[] = {"Event", "State", "Variable", "Link"};
    const ocelotl_trace *trace = work->trace;
    const bool link = event->category == OCELOTL_LINK;
    const double begin = ocelotl_trace_seconds(trace, event->begin);
    const double end = ocelotl_trace_seconds(trace, event->end);
    const char *value = ocelotl_trace_value(trace, event->value).name;
    if (!is_whole(event))
        return;
    fputs(words[event->category], work->file);
    pjdump_text(work->file, ", ",
                container_name(trace, link ? link_container(trace, event) : event->resource));
    pjdump_text(work->file, ", ", ocelotl_trace_event_type(trace, event->event_type).name);
    fprintf(work->file, ", %.*f", work->digits, begin);
    if (event->category != OCELOTL_EVENT)
        fprintf(work->file, ", %.*f, %.*f", work->digits, end, work->digits, end - begin);
    if (event->category == OCELOTL_STATE)
        fprintf(work->file, ", %.*f", work->digits, (double)event->depth);
    if (event->category == OCELOTL_VARIABLE)
        fprintf(work->file, ", %.*f", work->digits, event->number);
    else
        pjdump_text(work->file, ", ", value);
    if (link) {
        pjdump_text(work->file, ", ", container_name(trace, event->source));
        pjdump_text(work->file, ", ", container_name(trace, event->target));
        pjdump_text(work->file, ", ", event->key != NULL ? event->key : "");
    }
    fputc('\n', work->file);
}

/* --- The command */

static void help(FILE *file)
{
    fprintf(
        file,
        "Usage: ocelotl-cli export [OPTIONS] TRACE\n\n"
        "Writes the events of a trace as CSV, as lines of JSON, or in the format of pj_dump.\n\n"
        "  --from T, --to T      events that touch this window, in the trace's own time, as the "
        "columns\n"
        "                        are (" CLI_INSTANT_HELP
        "); +T counts from the trace's beginning;\n"
        "                        with --part as for the overview\n"
        "  --resource PATH       events of this resource and of those below it (again: of these, "
        "too; all\n"
        "                        are then in the order in which they end)\n" CLI_PART_HELP
        "\nLines:\n"
        "  --type NAME           events of this type\n"
        "  --format csv|json|pjdump   columns of docs/programs.md (default), an object a line with "
        "the same\n"
        "                        keys, or lines as pj_dump prints them\n"
        "  --csv, --json         the same as --format csv and --format json\n"
        "  --digits N            pjdump: N digits behind the point (default: 6, as pj_dump; its "
        "-l)\n"
        "  -o, --output FILE     write to a file (.csv, .json; .txt of pjdump) instead of standard "
        "output\n" CLI_FORCE_HELP CLI_READING_HELP "\nExamples:\n"
        "  ocelotl-cli export --type MPI_STATE trace.db -o states.csv\n"
        "  ocelotl-cli export --format pjdump trace.db\n");
}

static int write_events(cli_stream *stream, const ocelotl_trace *trace, ocelotl_events *events,
                        const export_request *request)
{
    const export_work work = {stream->file, trace, events, (int)request->digits};
    const bool json = request->common.content == CLI_JSON_TEXT;
    ocelotl_event event;
    bool found = false;
    /* What fails at once has not written anything. */
    ocelotl_status status = ocelotl_events_next(&found, &event, events);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    if (!found && cli_has_filter(&request->common.zooms.narrowed.selection, request->type))
        return cli_fail_nothing_left(request->common.operands[0],
                                     &request->common.zooms.narrowed.selection, request->type);
    if (request->pjdump)
        write_containers(&work, request);
    else if (!json)
        write_csv_head(stream->file);
    while (found && cli_stream_is_good(stream)) {
        if (request->pjdump)
            write_pjdump(&work, &event);
        else if (json)
            write_json(&work, &event);
        else
            write_csv(&work, &event);
        status = ocelotl_events_next(&found, &event, events);
        if (status != OCELOTL_OK)
            return cli_fail(status);
    }
    return CLI_DONE;
}

static int write_output(const ocelotl_trace *trace, ocelotl_events *events,
                        const export_request *request)
{
    cli_stream stream = {0};
    int code = cli_stream_open(&stream, request->common.output);
    if (code == CLI_DONE)
        code = write_events(&stream, trace, events, request);
    return cli_stream_close(&stream, code);
}

/* What --from and --to mean of an overview. */
static void count_from_beginning(cli_instant *instant)
{
    if (instant->text != NULL && instant->text[0] != '@')
        instant->base = CLI_FROM_BEGINNING;
}

/* The window and the resources to write: as given, or those of a part. */
static int find_place(ocelotl_trace **trace, const char *path, export_request *request)
{
    const bool part = request->common.zooms.count > 0;
    cli_window *window = &request->common.model.selection.window;
    if (part) {
        count_from_beginning(&window->from);
        count_from_beginning(&window->to);
    }
    const int code = cli_open_zoomed(trace, path, &request->common.zooms, &request->common.model,
                                     &request->common.which, "export");
    const cli_selection *selection = &request->common.zooms.narrowed.selection;
    request->window = selection->window;
    request->resources = cli_selected_resources(selection);
    return code;
}

static int check_format(const export_request *request)
{
    if (request->digits_given && !request->pjdump)
        return cli_usage("export",
                         "--digits is of --format pjdump alone; the others write all digits");
    return CLI_DONE;
}

static int run(void *given)
{
    export_request *request = given;
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    ocelotl_filter filter;
    int code = check_format(request);
    if (code == CLI_DONE)
        code = cli_check_window(&request->common.model.selection.window);
    if (code == CLI_DONE)
        code = find_place(&trace, request->common.operands[0], request);
    if (code == CLI_DONE)
        code = cli_apply_filter(&filter, &request->common.model.selection, trace);
    if (code == CLI_DONE)
        code = cli_check_order(&request->window, trace);
    if (code == CLI_DONE)
        code = cli_check_touches(&request->window, trace);
    if (code != CLI_DONE) {
        ocelotl_trace_free(trace);
        return code;
    }
    options.from = cli_first_tick(&request->window.from, trace);
    options.to = cli_last_tick(&request->window.to, trace);
    options.resources = request->resources.names;
    options.resource_count = request->resources.count;
    options.by_time = request->resources.count > 1;
    options.filter = &filter;
    options.type = request->type;
    const ocelotl_status status = ocelotl_events_open(&events, trace, &options);
    code = status == OCELOTL_OK
               ? write_output(trace, events, request)
               : cli_code_of_selection(status, request->common.operands[0],
                                       &request->common.zooms.narrowed.selection, request->type);
    ocelotl_events_free(events);
    ocelotl_trace_free(trace);
    return code;
}

/* Plain numbers are the trace's own time, as in the columns that are written. */
static int take_instant(cli_instant *instant, const char *option)
{
    return cli_read_instant(instant, optarg, CLI_OWN_TIME, option, "export") ? CLI_DONE : CLI_USAGE;
}

/* Once, or twice alike. */
static int choose_format(export_request *request, const char *format, const char *option)
{
    if (request->format != NULL && strcmp(request->format, format) != 0)
        return cli_usage("export", "%s and %s exclude each other", request->format_option, option);
    request->format = format;
    request->format_option = option;
    request->pjdump = strcmp(format, "pjdump") == 0;
    request->common.json = strcmp(format, "json") == 0;
    request->common.csv = strcmp(format, "csv") == 0;
    request->common.text_option = request->pjdump ? "format pjdump" : NULL;
    return CLI_DONE;
}

static int take_format(export_request *request)
{
    static const char *const formats[] = {"csv", "json", "pjdump"};
    static const char *const options[] = {"--format csv", "--format json", "--format pjdump"};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(optarg, formats[i]) == 0)
            return choose_format(request, formats[i], options[i]);
    return cli_usage("export", "--format is \"%s\", expected csv, json or pjdump", optarg);
}

static int take_digits(export_request *request)
{
    request->digits_given = true;
    if (!cli_read_count(&request->digits, optarg, "digits", "export"))
        return CLI_USAGE;
    return request->digits <= 18
               ? CLI_DONE
               : cli_usage("export", "--digits is %u, expected at most 18", request->digits);
}

static bool take_option(int *code, void *given, int option)
{
    export_request *request = given;
    cli_window *window = &request->common.model.selection.window;
    *code = CLI_DONE;
    switch (option) {
    case CLI_FROM:
        *code = take_instant(&window->from, "from");
        return true;
    case CLI_TO:
        *code = take_instant(&window->to, "to");
        return true;
    case OPTION_TYPE:
        request->type = optarg;
        return true;
    case OPTION_FORMAT:
        *code = take_format(request);
        return true;
    case CLI_CSV:
        *code = choose_format(request, "csv", "--csv");
        return true;
    case CLI_JSON:
        *code = choose_format(request, "json", "--json");
        return true;
    case OPTION_DIGITS:
        *code = take_digits(request);
        return true;
    default:
        return false;
    }
}

int cli_export(int argc, char **argv)
{
    static const cli_command_line line = {
        "export", long_options, help, take_option, NULL, run, CLI_CSV_TEXT | CLI_JSON_TEXT};
    export_request request = {.common = CLI_REQUEST_INIT, .digits = 6};
    return cli_run_command_line(&line, &request.common, argc, argv);
}

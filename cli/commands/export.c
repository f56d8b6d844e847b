/* ocelotl-cli export: the events of a trace, a window or a part of it, as lines of text. */
#include "json.h"
#include "output.h"
#include "shell.h"

#include <string.h>

static const char *const categories[] = {"event", "state", "variable", "link"};

/* What is written, and of what. */
typedef struct export_work {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_events *events;
    const ocelotl_selection *selection;
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
    const uint32_t kind = ocelotl_trace_resource_at(work->trace, event->resource).type;
    csv_path(work, event->resource);
    csv_text(work->file, ocelotl_trace_resource_type_at(work->trace, kind).name);
    csv_text(work->file, categories[event->category]);
    csv_text(work->file, ocelotl_trace_event_type_at(work->trace, event->event_type).name);
    if (event->category == OCELOTL_VARIABLE)
        csv_number(work->file, event->number);
    else
        csv_text(work->file, ocelotl_trace_value_at(work->trace, event->value).name);
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
    const uint32_t kind = ocelotl_trace_resource_at(work->trace, event->resource).type;
    fputs("{\"resource\":", work->file);
    cli_json_string(work->file, ocelotl_events_path(work->events, event->resource));
    json_text(work->file, "resource_type", ocelotl_trace_resource_type_at(work->trace, kind).name);
    json_text(work->file, "category", categories[event->category]);
    json_text(work->file, "type", ocelotl_trace_event_type_at(work->trace, event->event_type).name);
    if (event->category == OCELOTL_VARIABLE) {
        fputs(",\"value\":", work->file);
        cli_json_number(work->file, event->number);
    } else {
        json_text(work->file, "value",
                  event->value != OCELOTL_NONE
                      ? ocelotl_trace_value_at(work->trace, event->value).name
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
    return resource != OCELOTL_ROOT ? ocelotl_trace_resource_at(trace, resource).name : "0";
}

/* Events of the root container itself have a resource of their own (docs/formats/paje.md). */
static bool is_root_container(const ocelotl_trace *trace, const ocelotl_resource *resource)
{
    return resource->parent == OCELOTL_ROOT && strcmp(resource->name, "0") == 0 &&
           strcmp(ocelotl_trace_resource_type_at(trace, resource->type).name, "0") == 0;
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
static bool is_root_asked(const ocelotl_selection *selection)
{
    bool asked = selection->resources.count == 0;
    for (size_t i = 0; i < selection->resources.count && !asked; i++)
        asked = selection->resources.names[i][0] == '\0';
    return asked && selection->only_resources.count == 0 && selection->except_resources.count == 0;
}

static void write_containers(const export_work *work)
{
    const ocelotl_trace *trace = work->trace;
    const double last = ocelotl_trace_seconds(trace, ocelotl_trace_info_of(trace).end);
    if (is_root_asked(work->selection))
        write_container(work, "0", "0", 0, last, "0");
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        const double begin = ocelotl_trace_seconds(trace, resource.begin);
        const double end = ocelotl_trace_seconds(trace, resource.end);
        if (!is_root_container(trace, &resource) && resource.begin <= work->selection->to &&
            resource.end >= work->selection->from && ocelotl_events_cover(work->events, r))
            write_container(work, container_name(trace, resource.parent),
                            ocelotl_trace_resource_type_at(trace, resource.type).name, begin, end,
                            resource.name);
    }
}

static bool is_above(const ocelotl_trace *trace, uint32_t above, uint32_t resource)
{
    while (resource != OCELOTL_ROOT && resource > above)
        resource = ocelotl_trace_resource_at(trace, resource).parent;
    return resource == above;
}

/* The container of a link: around both its ends, of the type that such links are declared in. */
static uint32_t link_container(const ocelotl_trace *trace, const ocelotl_event *event)
{
    const uint32_t type = ocelotl_trace_event_type_at(trace, event->event_type).resource_type;
    uint32_t resource = type == OCELOTL_ROOT ? OCELOTL_ROOT : event->source;
    while (resource != OCELOTL_ROOT) {
        const ocelotl_resource found = ocelotl_trace_resource_at(trace, resource);
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
    const char *value = ocelotl_trace_value_at(trace, event->value).name;
    if (!is_whole(event))
        return;
    fputs(words[event->category], work->file);
    pjdump_text(work->file, ", ",
                container_name(trace, link ? link_container(trace, event) : event->resource));
    pjdump_text(work->file, ", ", ocelotl_trace_event_type_at(trace, event->event_type).name);
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

static bool is_pjdump(const ocelotl_request *request)
{
    return request->format != NULL && strcmp(request->format, "pjdump") == 0;
}

static int write_events(cli_stream *stream, const cli_job *job, const export_work *given,
                        ocelotl_events *events)
{
    export_work work = *given;
    const bool json = job->content == CLI_JSON_TEXT;
    const bool pjdump = is_pjdump(job->request);
    ocelotl_event event;
    bool found = false;
    /* What fails at once has not written anything. */
    ocelotl_status status = ocelotl_events_next(&found, &event, events);
    if (status == OCELOTL_OK && !found && ocelotl_request_hides(job->request))
        status = ocelotl_session_explain(OCELOTL_ERROR_EMPTY, job->session, job->request);
    if (status != OCELOTL_OK)
        return cli_fail(status);
    work.file = stream->file;
    if (pjdump)
        write_containers(&work);
    else if (!json)
        write_csv_head(stream->file);
    while (found && cli_stream_is_good(stream)) {
        if (pjdump)
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

static int write_output(const cli_job *job, const export_work *work, ocelotl_events *events)
{
    cli_stream stream = {0};
    int code = cli_stream_open(&stream, job->request->output);
    if (code == CLI_DONE)
        code = write_events(&stream, job, work, events);
    return cli_stream_close(&stream, code);
}

/* What --from and --to mean of an overview, which a part is of. */
static void count_from_beginning(ocelotl_instant *instant)
{
    if (instant->text != NULL && instant->text[0] != '@')
        instant->base = OCELOTL_FROM_BEGINNING;
}

static ocelotl_status open_events(ocelotl_events **events, cli_job *job, ocelotl_trace *trace,
                                  ocelotl_selection *selection)
{
    ocelotl_request *request = job->request;
    ocelotl_events_options options = OCELOTL_EVENTS_OPTIONS_INIT;
    const ocelotl_status status =
        ocelotl_session_selection(selection, job->session, request, OCELOTL_ENDS_TOUCHING);
    if (status != OCELOTL_OK)
        return status;
    options.selection = *selection;
    options.by_time = selection->resources.count > 1;
    options.type = request->type;
    return ocelotl_session_explain(ocelotl_events_open(events, trace, &options), job->session,
                                   request);
}

int cli_export(cli_job *job)
{
    ocelotl_request *request = job->request;
    ocelotl_trace *trace = NULL;
    ocelotl_events *events = NULL;
    ocelotl_selection selection;
    if (ocelotl_request_get(request, "digits") != NULL && !is_pjdump(request))
        return cli_usage("export",
                         "--digits is of --format pjdump alone; the others write all digits");
    if (request->zoom_count > 0) {
        count_from_beginning(&request->window.from);
        count_from_beginning(&request->window.to);
    }
    int code = cli_begin_trace(&trace, job);
    if (code == CLI_DONE)
        code = cli_code(open_events(&events, job, trace, &selection));
    if (code == CLI_DONE)
        code = write_output(job,
                            &(export_work){.trace = trace,
                                           .events = events,
                                           .selection = &selection,
                                           .digits = (int)request->digits},
                            events);
    ocelotl_events_free(events);
    return code;
}

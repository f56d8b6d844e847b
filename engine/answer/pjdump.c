/* Lines as pj_dump writes them. */
#include "answer/answer.h"
#include "answer/losses.h"
#include "base/text.h"

#include <ocelotl/query.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
    const ocelotl_trace *trace;
    ocelotl_events *events;
    int digits;
    double unit;  /* times are seconds times that */
    bool is_dump; /* the trace came as such lines */
    ocelotl_losses *losses;
} source;

/* The lines are those that the trace came as: its producer says how (docs/formats/csv.md). */
static source source_of(const ocelotl_trace *trace, ocelotl_events *events, uint32_t digits)
{
    static const char head[] = "pj_dump -l ";
    static const char *const units[] = {", times in ms", ", times in us", ", times in ns"};
    static const double factors[] = {1e3, 1e6, 1e9};
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    source of = {.trace = trace, .events = events, .digits = 6, .unit = 1};
    of.is_dump =
        strcmp(info.format, "csv") == 0 && strncmp(info.producer, head, sizeof head - 1) == 0;
    if (of.is_dump)
        of.digits = (int)(strtoul(info.producer + sizeof head - 1, NULL, 10) % 100);
    for (size_t i = 0; i < sizeof units / sizeof units[0] && of.is_dump; i++)
        if (strstr(info.producer, units[i]) != NULL)
            of.unit = factors[i];
    if (digits != UINT32_MAX)
        of.digits = (int)digits;
    return of;
}

static double time_of(const source *of, int64_t ticks)
{
    return ocelotl_trace_seconds(of->trace, ticks) * of->unit;
}

static const char *resource_type_name(const source *of, uint32_t resource)
{
    return ocelotl_trace_resource_type_at(of->trace,
                                          ocelotl_trace_resource_at(of->trace, resource).type)
        .name;
}

/* The name of a resource's container; the root, above the topmost resources, is called 0. */
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

/* Whether a field would be read as several, or without its blanks. */
static bool wants_quotes(const char *text, size_t length)
{
    return memchr(text, ',', length) != NULL || (length > 0 && text[0] == ' ');
}

/* A line holds no line ends, and quotes hold quotes twice. */
static void add_byte(oc_output *out, char byte, bool in_quotes)
{
    const char text[2] = {(char)(byte == '\n' || byte == '\r' ? ' ' : byte), '\0'};
    if (byte == '"' && in_quotes)
        oc_output_add(out, text);
    oc_output_add(out, text);
}

static void add_field(oc_output *out, const char *text)
{
    oc_output_add(out, ", ");
    if (text[0] != ' ' && strpbrk(text, ",\n\r") == NULL) {
        oc_output_add(out, text);
        return;
    }
    const bool quoted = wants_quotes(text, strlen(text));
    oc_output_add(out, quoted ? "\"" : "");
    for (; *text != '\0'; text++)
        add_byte(out, *text, quoted);
    oc_output_add(out, quoted ? "\"" : "");
}

static void add_container(oc_output *out, const char *parent, const char *type, double begin,
                          double end, const char *name)
{
    oc_output_add(out, "Container");
    add_field(out, parent);
    add_field(out, type);
    oc_output_format(out, ", %g, %g, %g", begin, end, end - begin);
    add_field(out, name);
    oc_output_add(out, "\n");
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

static void add_containers(oc_output *out, const source *of, const ocelotl_selection *selection)
{
    const ocelotl_trace *trace = of->trace;
    const double last = time_of(of, ocelotl_trace_info_of(trace).end);
    if (is_root_asked(selection))
        add_container(out, "0", "0", 0, last, "0");
    for (uint32_t r = 0; r < ocelotl_trace_resource_count(trace); r++) {
        const ocelotl_resource resource = ocelotl_trace_resource_at(trace, r);
        if (!is_root_container(trace, &resource) && resource.begin <= selection->to &&
            resource.end >= selection->from && ocelotl_events_cover(of->events, r))
            add_container(out, container_name(trace, resource.parent), resource_type_name(of, r),
                          time_of(of, resource.begin), time_of(of, resource.end), resource.name);
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

/* A member of an object of JSON. Texts begin behind their opening quote and end before the closing
 * one. */
typedef struct member {
    const char *name, *value;
    size_t name_length, length;
} member;

/* The length of a string of JSON behind its opening quote. */
static size_t string_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '"' && text[length] != '\0')
        length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
    return length;
}

/* Finds the next member of an object without objects in it, and passes it. */
static bool next_member(member *found, const char **text)
{
    const char *next = *text + strcspn(*text, "\"");
    if (*next == '\0')
        return false;
    found->name = next + 1;
    found->name_length = string_length(found->name);
    next = found->name + found->name_length;
    next += *next == '"';
    next += *next == ':';
    const bool quoted = *next == '"';
    found->value = next + quoted;
    found->length = quoted ? string_length(found->value) : strcspn(next, ",}");
    next = found->value + found->length;
    *text = next + (quoted && *next == '"');
    return true;
}

static bool is_named(const member *one, const char *name)
{
    return one->name_length == strlen(name) && memcmp(one->name, name, one->name_length) == 0;
}

/* Attributes of what the lines said otherwise than the trace does. */
static const char written_end[] = "written end";
static const char written_duration[] = "written duration";

static bool is_written(const member *one)
{
    return is_named(one, written_end) || is_named(one, written_duration);
}

/* Adds a text as it was; what is written as a code stays one. */
static void add_carried(oc_output *out, const char *text, size_t length)
{
    const bool quoted = wants_quotes(text, length);
    oc_output_add(out, quoted ? "\"" : "");
    for (size_t i = 0; i < length; i++) {
        i += text[i] == '\\' && (text[i + 1] == '"' || text[i + 1] == '\\');
        add_byte(out, text[i], quoted);
    }
    oc_output_add(out, quoted ? "\"" : "");
}

/* The attributes of an event, an object of JSON, as fields in their order. */
static void add_attribute_fields(oc_output *out, const char *attributes)
{
    member one;
    while (next_member(&one, &attributes)) {
        if (is_written(&one))
            continue;
        oc_output_add(out, ", ");
        add_carried(out, one.value, one.length);
    }
}

/* Whether the trace came as lines of pj_dump or as a table: fields of the user's own are behind
 * those of pj_dump then, which it leaves out of a Pajé trace by itself. */
static bool has_own_fields(const ocelotl_trace *trace)
{
    return strcmp(ocelotl_trace_info_of(trace).format, "csv") == 0;
}

/* The number that a member has, and what its last digit counts. */
static bool read_written(double *number, double *last_digit, const member *one)
{
    size_t digits = 0;
    const char *point = memchr(one->value, '.', one->length);
    if (point != NULL)
        digits = (size_t)(one->value + one->length - point) - 1;
    *last_digit = pow(10, -(double)digits);
    return oc_text_is_number(number, one->value, one->length);
}

/* Puts the end and the duration that the line had in the place of those of the trace, unless times
 * have been changed since: the two no longer fit then. */
static void find_written(double *end, double *duration, const source *of,
                         const ocelotl_event *event)
{
    double ends = *end;
    double lasts;
    double last_digit;
    member one;
    const double begin = *end - *duration;
    const char *attributes = event->attributes != NULL && of->is_dump ? event->attributes : "";
    const char *again = attributes;
    while (next_member(&one, &attributes))
        if (is_named(&one, written_end) && !read_written(&ends, &last_digit, &one))
            return;
    lasts = ends - begin;
    while (next_member(&one, &again))
        if (is_named(&one, written_duration) && (!read_written(&lasts, &last_digit, &one) ||
                                                 fabs(lasts - (ends - begin)) > 1.5 * last_digit))
            return;
    *end = ends;
    *duration = lasts;
}

static void add_times(oc_output *out, const source *of, const ocelotl_event *event)
{
    const double begin = time_of(of, event->begin);
    double end = time_of(of, event->end);
    double duration = end - begin;
    oc_output_format(out, ", %.*f", of->digits, begin);
    if (event->category == OCELOTL_EVENT)
        return;
    find_written(&end, &duration, of, event);
    oc_output_format(out, ", %.*f, %.*f", of->digits, end, of->digits, duration);
}

static void add_dump(oc_output *out, const source *of, const ocelotl_event *event)
{
    static const char *const words[] = {"Event", "State", "Variable", "Link"};
    const ocelotl_trace *trace = of->trace;
    const bool link = event->category == OCELOTL_LINK;
    if (!oc_is_whole(event)) {
        oc_lose(of->losses, "links with one end, which are left out", 1);
        return;
    }
    oc_output_add(out, words[event->category]);
    add_field(out, container_name(trace, link ? link_container(trace, event) : event->resource));
    add_field(out, ocelotl_trace_event_type_at(trace, event->event_type).name);
    add_times(out, of, event);
    if (event->category == OCELOTL_STATE)
        oc_output_format(out, ", %.*f", of->digits, (double)event->depth);
    if (event->category == OCELOTL_VARIABLE)
        oc_output_format(out, ", %.*f", of->digits, event->number);
    else
        add_field(out, oc_value_name(trace, event->value));
    if (link) {
        add_field(out, container_name(trace, event->source));
        add_field(out, container_name(trace, event->target));
        add_field(out, event->key != NULL ? event->key : "");
    }
    if (event->attributes != NULL && has_own_fields(trace))
        add_attribute_fields(out, event->attributes);
    else
        oc_lose(of->losses, "events with attributes", event->attributes != NULL);
    oc_output_add(out, "\n");
}

static ocelotl_status add_all(oc_output *out, const source *of, const ocelotl_selection *selection)
{
    ocelotl_event event;
    bool found = false;
    OC_TRY(ocelotl_events_next(&found, &event, of->events));
    add_containers(out, of, selection);
    while (found && out->status == OCELOTL_OK) {
        add_dump(out, of, &event);
        OC_TRY(ocelotl_events_next(&found, &event, of->events));
    }
    return OCELOTL_OK;
}

ocelotl_status ocelotl_events_write_pjdump(const ocelotl_sink *sink, ocelotl_events *events,
                                           const ocelotl_trace *trace,
                                           const ocelotl_selection *selection, uint32_t digits,
                                           ocelotl_losses *losses)
{
    oc_output out = {.sink = sink};
    source of = source_of(trace, events, digits);
    of.losses = losses;
    *losses = (ocelotl_losses){0};
    return oc_output_end(&out, oc_output_send(&out, add_all(&out, &of, selection)));
}

/* Lines as pj_dump writes them. */
#include "answer/answer.h"
#include "answer/export/export.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
    oc_export base;
    int digits;
    double unit; /* times are seconds times that */
    /* The trace came as lines of pj_dump, or as a table: fields of the user's own are behind those
     * of pj_dump then, which it leaves out of a Pajé trace by itself. */
    bool is_dump, is_table;
} writing;

static double time_of(const writing *to, int64_t ticks)
{
    return ocelotl_trace_seconds(to->base.trace, ticks) * to->unit;
}

/* The name of a resource's container; the root, above the topmost resources, is called 0. */
static const char *container_name(const ocelotl_trace *trace, uint32_t resource)
{
    return resource != OCELOTL_ROOT ? ocelotl_trace_resource_at(trace, resource).name : "0";
}

/* Adds a field, in quotes where it would be read as several, or without its blanks. A line holds no
 * line ends, and quotes hold quotes twice. Of JSON, what is written as a code stays one. */
static void add_bytes(oc_output *out, const char *text, size_t length, bool is_json)
{
    const bool quoted = memchr(text, ',', length) != NULL || (length > 0 && text[0] == ' ');
    oc_output_add(out, quoted ? ", \"" : ", ");
    for (size_t i = 0; i < length; i++) {
        i += is_json && text[i] == '\\' && (text[i + 1] == '"' || text[i + 1] == '\\');
        if (text[i] == '"' && quoted)
            oc_output_add(out, "\"");
        oc_output_append(out, text[i] == '\n' || text[i] == '\r' ? " " : &text[i], 1);
    }
    oc_output_add(out, quoted ? "\"" : "");
}

static void add_field(oc_output *out, const char *text)
{
    if (text[0] == ' ' || strpbrk(text, ",\n\r") != NULL) {
        add_bytes(out, text, strlen(text), false);
        return;
    }
    oc_output_add(out, ", ");
    oc_output_add(out, text);
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

/* The root itself is asked for by no path and no filter, or by its path, which is empty. */
static ocelotl_status open_dump(void *of)
{
    writing *to = of;
    const ocelotl_selection *selection = to->base.selection;
    bool asked = selection->resources.count == 0;
    for (size_t i = 0; i < selection->resources.count && !asked; i++)
        asked = selection->resources.names[i][0] == '\0';
    if (asked && selection->only_resources.count == 0 && selection->except_resources.count == 0)
        add_container(&to->base.out, "0", "0", 0,
                      time_of(to, ocelotl_trace_info_of(to->base.trace).end), "0");
    return OCELOTL_OK;
}

static ocelotl_status write_resource(void *of, uint32_t resource)
{
    writing *to = of;
    const ocelotl_trace *trace = to->base.trace;
    const ocelotl_resource one = ocelotl_trace_resource_at(trace, resource);
    if (!oc_is_called_root(trace, resource))
        add_container(&to->base.out, container_name(trace, one.parent),
                      oc_resource_type_name(trace, resource), time_of(to, one.begin),
                      time_of(to, one.end), one.name);
    return OCELOTL_OK;
}

/* Attributes of what the lines said otherwise than the trace does. */
static const char written_end[] = "written end";
static const char written_duration[] = "written duration";

static bool is_named(const oc_member *one, const char *name)
{
    return one->name_length == strlen(name) && memcmp(one->name, name, one->name_length) == 0;
}

/* The number that a member has, and what its last digit counts. */
static bool read_written(double *number, double *last_digit, const oc_member *one)
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
static void find_written(double *end, double *duration, const char *attributes)
{
    double ends = *end;
    double lasts;
    double last_digit;
    oc_member one;
    const double begin = *end - *duration;
    const char *again = attributes;
    while (oc_member_next(&one, &attributes))
        if (is_named(&one, written_end) && !read_written(&ends, &last_digit, &one))
            return;
    lasts = ends - begin;
    while (oc_member_next(&one, &again))
        if (is_named(&one, written_duration) && (!read_written(&lasts, &last_digit, &one) ||
                                                 fabs(lasts - (ends - begin)) > 1.5 * last_digit))
            return;
    *end = ends;
    *duration = lasts;
}

static ocelotl_status write_event(void *of, const ocelotl_event *event)
{
    static const char *const words[] = {"Event", "State", "Variable", "Link"};
    writing *to = of;
    oc_output *out = &to->base.out;
    const ocelotl_trace *trace = to->base.trace;
    const bool link = event->category == OCELOTL_LINK;
    const char *attributes = event->attributes;
    const double begin = time_of(to, event->begin);
    oc_output_add(out, words[event->category]);
    add_field(out, container_name(trace, link ? oc_link_container(trace, event) : event->resource));
    add_field(out, ocelotl_trace_event_type_at(trace, event->event_type).name);
    oc_output_format(out, ", %.*f", to->digits, begin);
    if (event->category != OCELOTL_EVENT) {
        double end = time_of(to, event->end);
        double duration = end - begin;
        find_written(&end, &duration, attributes != NULL && to->is_dump ? attributes : "");
        oc_output_format(out, ", %.*f, %.*f", to->digits, end, to->digits, duration);
    }
    if (event->category == OCELOTL_STATE)
        oc_output_format(out, ", %.*f", to->digits, (double)event->depth);
    if (event->category == OCELOTL_VARIABLE)
        oc_output_format(out, ", %.*f", to->digits, event->number);
    else
        add_field(out, oc_value_name(trace, event->value));
    if (link) {
        add_field(out, container_name(trace, event->source));
        add_field(out, container_name(trace, event->target));
        add_field(out, event->key != NULL ? event->key : "");
    }
    if (!to->is_table)
        oc_lose(to->base.losses, "events with attributes", attributes != NULL);
    else if (attributes != NULL)
        for (oc_member one; oc_member_next(&one, &attributes);)
            if (!is_named(&one, written_end) && !is_named(&one, written_duration))
                add_bytes(out, one.value, one.length, true);
    oc_output_add(out, "\n");
    return OCELOTL_OK;
}

/* The lines are those that the trace came as: its producer says how (docs/formats/csv.md). */
ocelotl_status ocelotl_events_write_pjdump(const ocelotl_sink *sink, ocelotl_events *events,
                                           const ocelotl_trace *trace,
                                           const ocelotl_selection *selection, uint32_t digits,
                                           ocelotl_losses *losses)
{
    static const char head[] = "pj_dump -l ";
    static const char *const units[] = {", times in ms", ", times in us", ", times in ns"};
    static const double factors[] = {1e3, 1e6, 1e9};
    static const oc_export_steps steps = {open_dump, write_resource, write_event, NULL};
    const ocelotl_trace_info info = ocelotl_trace_info_of(trace);
    writing to = {
        .base = {{.sink = sink}, events, trace, selection, losses, .lacks = OC_LACKS_LOOSE_LINKS},
        .digits = 6,
        .unit = 1,
        .is_table = strcmp(info.format, "csv") == 0};
    to.is_dump = to.is_table && strncmp(info.producer, head, sizeof head - 1) == 0;
    if (to.is_dump)
        to.digits = (int)(strtoul(info.producer + sizeof head - 1, NULL, 10) % 100);
    for (size_t i = 0; i < sizeof units / sizeof units[0] && to.is_dump; i++)
        if (strstr(info.producer, units[i]) != NULL)
            to.unit = factors[i];
    if (digits != UINT32_MAX)
        to.digits = (int)digits;
    return oc_export_events(&to.base.out, &to.base, &steps, &to);
}

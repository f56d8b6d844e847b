#include "base/memory.h"
#include "base/options.h"
#include "viz/colour/colour.h"
#include "viz/gantt/gantt.h"
#include "viz/words/words.h"

#include <math.h>
#include <string.h>

double oc_gantt_x(const oc_gantt *gantt, int64_t tick)
{
    const double begin = (double)gantt->info.from;
    const double length = fmax(1, (double)gantt->info.to - begin);
    return gantt->frame.left + ((double)tick - begin) / length * gantt->frame.width;
}

oc_gantt_band oc_gantt_band_of(const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    const int top = oc_row_y(&gantt->frame, &gantt->rows, drawn->first);
    return (oc_gantt_band){top, oc_row_y(&gantt->frame, &gantt->rows, drawn->first + drawn->count) -
                                    top};
}

static double seconds(const oc_gantt *gantt, int64_t ticks)
{
    return ocelotl_trace_seconds(gantt->trace, ticks);
}

/* Returns the shortest time that separates two instants of the picture. */
static double resolution(const oc_gantt *gantt)
{
    return seconds(gantt, gantt->info.to - gantt->info.from) / 5000;
}

void oc_gantt_add_value(oc_text *text, const oc_gantt *gantt, uint32_t value, uint32_t event_type)
{
    const char *name = value != OCELOTL_NONE
                           ? ocelotl_trace_value_at(gantt->trace, value).name
                           : ocelotl_trace_event_type_at(gantt->trace, event_type).name;
    oc_clean_add(text, name, false);
}

void oc_gantt_add_duration(oc_text *text, const oc_gantt *gantt, int64_t ticks)
{
    const double length = seconds(gantt, ticks);
    oc_time_add(text, length, fmax(fabs(length) / 1000, seconds(gantt, 1)));
}

void oc_gantt_add_span(oc_text *text, const oc_gantt *gantt, int64_t begin, int64_t end)
{
    const double length = seconds(gantt, end) - seconds(gantt, begin);
    const double step = fmin(resolution(gantt), fabs(length) > 0 ? fabs(length) / 100 : HUGE_VAL);
    const oc_time_range within = {seconds(gantt, gantt->info.from), seconds(gantt, gantt->info.to)};
    if (begin == end) {
        oc_time_instant_add(text, seconds(gantt, begin), fmax(resolution(gantt), seconds(gantt, 1)),
                            within);
        return;
    }
    oc_time_span_add(text, seconds(gantt, begin), seconds(gantt, end),
                     fmax(step, seconds(gantt, 1)), within);
    oc_text_add(text, " (");
    oc_gantt_add_duration(text, gantt, end - begin);
    oc_text_add(text, ")");
}

/* Appends a string or number of JSON as people read it, and gives what follows it. */
static const char *add_plain(oc_text *text, const char *json)
{
    const bool quoted = *json == '"';
    oc_text plain = {0};
    for (json += quoted; *json != '\0' && (quoted ? *json != '"' : strchr(",}", *json) == NULL);
         json++) {
        const bool escaped = *json == '\\' && json[1] != '\0' && json[1] != 'u';
        json += escaped;
        if (escaped && strchr("bfnrt", *json) != NULL)
            oc_text_add(&plain, " ");
        else
            oc_text_append(&plain, json, 1);
    }
    if (plain.bytes != NULL)
        oc_clean_add(text, plain.bytes, false);
    text->failed = text->failed || plain.failed;
    oc_text_free(&plain);
    return quoted && *json != '\0' ? json + 1 : json;
}

void oc_gantt_add_attributes(oc_text *text, const oc_gantt *gantt, const char *attributes)
{
    enum { LINES_MOST = 10 };
    const char *all = attributes;
    unsigned lines = 0;
    while (attributes != NULL && (*attributes == '{' || *attributes == ',')) {
        if (lines++ == LINES_MOST) {
            oc_text_add(text, "\n\xE2\x80\xA6");
            break;
        }
        oc_text_add(text, "\n");
        attributes = add_plain(text, attributes + 1);
        oc_text_add(text, ": ");
        attributes = add_plain(text, *attributes == ':' ? attributes + 1 : attributes);
    }
    oc_gantt_add_source(text, gantt, all);
}

bool oc_gantt_contains(const oc_gantt *gantt, uint32_t above, uint32_t resource)
{
    const ocelotl_trace *trace = gantt->trace;
    while (resource != OCELOTL_ROOT && resource > above)
        resource = ocelotl_trace_resource_at(trace, resource).parent;
    return resource == above;
}

/* --- Rows too low to be seen apart are drawn as one, as parts of a partition are (thesis 6.4.4) */

/* Moves the ends of a range to rows that take room there. Returns false if no row does. */
static bool trim(const oc_gantt *gantt, uint32_t *first, uint32_t *end)
{
    while (*first < *end && oc_gantt_is_elsewhere(gantt, *first))
        ++*first;
    while (*first < *end && oc_gantt_is_elsewhere(gantt, *end - 1))
        --*end;
    return *first < *end;
}

/* The height before rounding, so that rows of one height are all grouped or none is. */
static double height_of(const oc_gantt *gantt, uint32_t first, uint32_t end)
{
    if (!trim(gantt, &first, &end))
        return 0;
    const oc_gantt_row *last = &gantt->drawn[end - 1];
    return (double)(last->first + last->count - gantt->drawn[first].first) / gantt->rows.row_count *
           gantt->frame.height;
}

/* The height, in pixels, below which a row joins the rows from `first` on. */
static double limit(const oc_gantt *gantt, const oc_gantt_limits *limits, uint32_t first,
                    uint32_t row)
{
    const bool alike = gantt->drawn[first].is.event_type == gantt->drawn[row].is.event_type;
    return (alike ? limits->alike : limits->other) * (1 - 1e-9);
}

static bool is_low(const oc_gantt *gantt, const oc_gantt_limits *limits, uint32_t first,
                   uint32_t row)
{
    return row < gantt->drawn_count &&
           height_of(gantt, row, row + 1) < limit(gantt, limits, first, row);
}

static uint32_t parent_of(const oc_gantt *gantt, uint32_t row)
{
    return ocelotl_trace_resource_at(gantt->trace, gantt->drawn[row].is.resource).parent;
}

static uint32_t end_of_group(const oc_gantt *gantt, const oc_gantt_limits *limits, uint32_t first)
{
    uint32_t end = first + 1;
    while (gantt->info.together && oc_gantt_joins(gantt, end))
        end++;
    if (end > first + 1 || !is_low(gantt, limits, first, first))
        return end;
    while (is_low(gantt, limits, first, end) &&
           height_of(gantt, first, end) < limit(gantt, limits, first, end))
        end++;
    /* The last rows of a parent join the group before if they are too low for their own. */
    const uint32_t parent = parent_of(gantt, end - 1);
    uint32_t rest = end;
    while (is_low(gantt, limits, first, rest) && parent_of(gantt, rest) == parent) {
        if (height_of(gantt, end, rest + 1) >= limit(gantt, limits, first, rest))
            return end;
        rest++;
    }
    return rest;
}

static ocelotl_category category_of(const oc_gantt *gantt, uint32_t row)
{
    const ocelotl_drawn_row *is = &gantt->drawn[row].is;
    return is->event_type != OCELOTL_NONE ? is->category : OCELOTL_LINK;
}

/* Finds what a row shows: states say most, then events. */
static ocelotl_category find_shown(const oc_gantt *gantt, uint32_t first, uint32_t end)
{
    bool events = false;
    for (uint32_t row = first; row < end; row++) {
        if (category_of(gantt, row) == OCELOTL_STATE)
            return OCELOTL_STATE;
        events = events || category_of(gantt, row) == OCELOTL_EVENT;
    }
    return events ? OCELOTL_EVENT : category_of(gantt, first);
}

ocelotl_status oc_gantt_group_rows(oc_gantt_group **groups, uint32_t *count, const oc_gantt *gantt,
                                   const oc_gantt_limits *limits)
{
    *count = 0;
    OC_TRY(oc_allocate(groups, gantt->drawn_count, sizeof **groups));
    for (uint32_t first = 0, end; first < gantt->drawn_count; first = end) {
        end = end_of_group(gantt, limits, first);
        (*groups)[(*count)++] = (oc_gantt_group){first, end, find_shown(gantt, first, end)};
    }
    return OCELOTL_OK;
}

oc_gantt_band oc_gantt_group_band(const oc_gantt *gantt, const oc_gantt_group *group)
{
    uint32_t begin = group->first;
    uint32_t end = group->end;
    if (!trim(gantt, &begin, &end))
        return oc_gantt_band_of(gantt, group->first);
    const oc_gantt_band first = oc_gantt_band_of(gantt, begin);
    const oc_gantt_band last = oc_gantt_band_of(gantt, end - 1);
    return (oc_gantt_band){first.top, last.top + last.height - first.top};
}

bool oc_gantt_is_together(const oc_gantt_group *group)
{
    return group->end - group->first > 1 &&
           (group->shown == OCELOTL_STATE || group->shown == OCELOTL_EVENT);
}

bool oc_gantt_shows(const oc_gantt *gantt, const oc_gantt_group *group, uint32_t row)
{
    if (!oc_gantt_is_together(group))
        return oc_gantt_band_of(gantt, row).height >= 1;
    return category_of(gantt, row) == group->shown && oc_gantt_group_band(gantt, group).height >= 1;
}

/* Counts the bytes of the first steps that two paths share. */
static size_t common_steps(const char *a, const char *b)
{
    size_t common = 0;
    size_t i = 0;
    for (; a[i] != '\0' && a[i] == b[i]; i++)
        if (a[i] == '/')
            common = i;
    const bool whole = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');
    return whole ? i : common;
}

void oc_gantt_add_rows(oc_text *text, const oc_gantt *gantt, const oc_gantt_group *group)
{
    const char *first = gantt->drawn[group->first].is.path;
    const char *last = gantt->drawn[group->end - 1].is.path;
    const size_t common = common_steps(first, last);
    if (strcmp(first, last) == 0) {
        oc_text_add(text, first);
        return;
    }
    oc_text_append(text, first, common);
    oc_text_add(text, common > 0 ? ": " : "");
    oc_text_add(text, first + common + (common > 0));
    oc_text_add(text, " \xE2\x80\x93 ");
    oc_text_add(text, last + common + (common > 0 && last[common] != '\0'));
}

/* --- Colours */

static void add_weight(oc_gantt *gantt, uint32_t value, int64_t ticks, uint64_t count)
{
    if (value != OCELOTL_NONE)
        gantt->weights[value] += ticks > 0 ? (uint64_t)ticks : count;
}

static void weigh(oc_gantt *gantt)
{
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        const ocelotl_drawn_row *drawn = &gantt->drawn[row].is;
        for (uint64_t k = 0; k < drawn->objects && drawn->category != OCELOTL_VARIABLE; k++) {
            const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, k);
            for (uint32_t i = 0; i < is.shares; i++) {
                const ocelotl_drawn_share share =
                    ocelotl_drawables_share_at(gantt->drawables, row, k, i);
                add_weight(gantt, share.value, share.ticks, share.count);
            }
            if (is.shares == 0)
                add_weight(gantt, is.value, is.ticks, is.count);
        }
    }
}

static ocelotl_status give_colours(oc_gantt *gantt)
{
    enum { LINE_CONTRAST = 3 };
    const ocelotl_trace *trace = gantt->trace;
    oc_type_colours colours = {0};
    const oc_picture *picture = gantt->picture;
    const oc_colouring by = oc_picture_colouring(picture);
    const ocelotl_status status = oc_type_colours_of_trace(&colours, trace, &by);
    for (uint32_t i = 0; i < ocelotl_trace_value_count(trace) && status == OCELOTL_OK; i++) {
        const char *name = ocelotl_trace_value_at(trace, i).name;
        gantt->colours[i] = oc_patterns_match(&picture->background, name)
                                ? oc_theme_background(picture->theme)
                                : oc_type_colours_find(&colours, name);
    }
    for (uint32_t i = 0; i < ocelotl_trace_event_type_count(trace) && status == OCELOTL_OK; i++) {
        gantt->type_colours[i] =
            oc_type_colours_find(&colours, ocelotl_trace_event_type_spelling(trace, i));
        gantt->line_colours[i] =
            oc_colour_visible(gantt->type_colours[i], gantt->picture->theme->paper, LINE_CONTRAST);
    }
    oc_type_colours_free(&colours);
    return status;
}

ocelotl_status oc_gantt_find_colours(oc_gantt *gantt)
{
    const uint32_t values = ocelotl_trace_value_count(gantt->trace);
    const uint32_t event_types = ocelotl_trace_event_type_count(gantt->trace);
    OC_TRY(oc_allocate(&gantt->colours, values, sizeof *gantt->colours));
    OC_TRY(oc_allocate(&gantt->weights, values, sizeof *gantt->weights));
    OC_TRY(oc_allocate(&gantt->type_colours, event_types, sizeof *gantt->type_colours));
    OC_TRY(oc_allocate(&gantt->line_colours, event_types, sizeof *gantt->line_colours));
    weigh(gantt);
    uint32_t listed = 0;
    for (uint32_t i = 0; i < values; i++)
        listed += gantt->weights[i] > 0;
    gantt->stacked = gantt->info.together && listed > 1;
    return give_colours(gantt);
}

#include "viz/statistics/statistics.h"

#include "base/options.h"
#include "viz/frame/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Distances in pixels. */
enum {
    HEADING = 30, /* an event type's name, with the space above it */
    HEADING_BASELINE = 20,
    ABOVE = 8,        /* a heading may reach up */
    NAME_MOST = 260,  /* of the names' column */
    VALUES_MOST = 24, /* bars of a type; the rest is one line */
    TOP = 72,         /* of the title and the caption, about */
    HEIGHT_MOST = 20000
};

/* One bar. */
typedef struct bar {
    const char *name;
    uint32_t colour;
    double share; /* of what resources of the type live, or of the count */
    ocelotl_statistic row;
    uint32_t others; /* how many values this bar stands for; 0: it is one value */
} bar;

/* The bars of one event type. */
typedef struct group {
    ocelotl_statistic whole;
    bar bars[VALUES_MOST + 2]; /* the values, the others, and what is in no state */
    uint32_t count;
} group;

typedef struct drawing {
    oc_chart chart;
    const oc_statistics_input *input;
    oc_type_colours colours;
    oc_bar_widths widths;
} drawing;

static bool is_state(const ocelotl_statistic *row)
{
    return row->category == OCELOTL_STATE;
}

/* Gathers the type whose whole is at an index; gives the index after it. */
static uint32_t gather(group *type, const drawing *at, uint32_t index)
{
    const ocelotl_statistics *statistics = at->input->statistics;
    bar others = {.name = OC_OTHERS, .colour = oc_type_colours_find(&at->colours, OC_OTHERS)};
    *type = (group){.whole = ocelotl_statistics_row_at(statistics, index++)};
    double rest = is_state(&type->whole) ? 1 : 0;
    for (; index < ocelotl_statistics_count(statistics); index++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(statistics, index);
        if (row.whole)
            break;
        rest -= row.share;
        if (type->count < VALUES_MOST) {
            /* Events without a value have the colour of their event type, as everywhere. */
            const bool named = row.value != OCELOTL_NONE;
            const char *name =
                named ? ocelotl_trace_value_at(at->input->trace, row.value).name
                      : ocelotl_trace_event_type_spelling(at->input->trace, row.event_type);
            type->bars[type->count++] =
                (bar){named ? name : "(no value)", oc_type_colours_find(&at->colours, name),
                      row.share, row, 0};
            continue;
        }
        others.others++;
        others.share += row.share;
        others.row.count += row.count;
        others.row.innermost += row.innermost;
    }
    others.row.category = type->whole.category;
    if (others.others > 0)
        type->bars[type->count++] = others;
    const double left = type->whole.whole_time - (double)type->whole.innermost;
    if (is_state(&type->whole) && rest > 0 && left > 0) {
        bar none = {
            .name = "(no state)", .colour = OC_COLOUR_NONE, .share = rest, .row = type->whole};
        none.row.innermost = (int64_t)left;
        none.row.count = 0;
        type->bars[type->count++] = none;
    }
    return index;
}

static bool is_drawn(const ocelotl_statistic *whole)
{
    return whole->category != OCELOTL_VARIABLE;
}

static oc_word time_word(const drawing *at, double ticks)
{
    return oc_word_time(ticks * ocelotl_trace_seconds(at->input->trace, 1000000) / 1000000, 1e-3);
}

static void add_numbers(oc_text *text, const drawing *at, const bar *shown)
{
    oc_percent_add(text, shown->share);
    if (is_state(&shown->row))
        OC_PHRASE(text, " \xC2\xB7 {}", time_word(at, (double)shown->row.innermost));
    if (shown->row.count > 0)
        OC_PHRASE(text, is_state(&shown->row) ? " in {}" : " \xC2\xB7 {}",
                  oc_word_count(shown->row.count, NULL));
}

static void draw_group(const drawing *at, double y, const group *type)
{
    static const char *const categories[] = {"events", "states", "variable", "links"};
    const int margin = oc_picture_margin(at->chart.picture);
    oc_label label =
        oc_label_at(margin, y + HEADING_BASELINE, OC_ANCHOR_START, at->chart.picture->theme->ink);
    oc_text heading = {0};
    double largest = 0;
    for (uint32_t i = 0; i < type->count; i++)
        largest = fmax(largest, type->bars[i].share);
    label.bold = true;
    OC_PHRASE(
        &heading, "{}, {} of {}",
        oc_word_name(ocelotl_trace_event_type_spelling(at->input->trace, type->whole.event_type)),
        oc_word_text(categories[type->whole.category]),
        oc_word_count(type->whole.resources, "resource"));
    if (type->whole.group != NULL && type->whole.group[0] != '\0')
        OC_PHRASE(&heading, " of {}", oc_word_name(type->whole.group));
    if (!heading.failed)
        oc_chart_text(&at->chart, &label, heading.bytes, at->chart.picture->width - 2 * margin);
    oc_scene_take(at->chart.scene, &heading);
    y += HEADING;
    for (uint32_t i = 0; i < type->count; i++, y += OC_BAR_APART) {
        const bar *shown = &type->bars[i];
        oc_text numbers = {0}, tooltip = {0};
        add_numbers(&numbers, at, shown);
        oc_clean_add(&tooltip, shown->name, false);
        if (shown->others > 0)
            oc_text_format(&tooltip, " (%u)", shown->others);
        oc_text_add(&tooltip, "\n");
        add_numbers(&tooltip, at, shown);
        if (shown->others == 0 && shown->row.count > 0 && shown->row.mean > 0)
            OC_PHRASE(&tooltip, "\nmean {}", time_word(at, shown->row.mean));
        const oc_bar_row row = {shown->name, numbers.failed ? "" : numbers.bytes,
                                largest > 0 ? shown->share / largest : 0, shown->colour};
        oc_chart_bar(&at->chart, &at->widths, y, &row, &tooltip);
        oc_scene_take(at->chart.scene, &numbers);
    }
}

/* Groups that do not fit into the frame; where `draws` says so, the others are drawn. */
static uint32_t place_groups(const drawing *at, bool draws)
{
    const double bottom = at->chart.frame.top + at->chart.frame.height;
    double top = at->chart.frame.top - ABOVE;
    uint32_t hidden = 0;
    group type;
    for (uint32_t i = 0; i < ocelotl_statistics_count(at->input->statistics);) {
        i = gather(&type, at, i);
        const double height = HEADING + OC_BAR_APART * (double)type.count;
        if (!is_drawn(&type.whole))
            continue;
        if (top + height > bottom) {
            hidden++;
            continue;
        }
        if (draws)
            draw_group(at, top, &type);
        top += height;
    }
    return hidden;
}

static void write_caption(oc_caption *caption, const void *subject)
{
    static const char *const shares[] = {
        "share of the time that resources live, time as the innermost state, how many begin",
        "share of the window of each resource, time as the innermost state, how many begin",
        "share of the time in any state, time as the innermost state, how many begin"};
    const drawing *at = subject;
    const ocelotl_statistics_info info = ocelotl_statistics_info_of(at->input->statistics);
    const uint32_t hidden = place_groups(at, false);
    oc_caption_add_window(caption, at->input->trace, info.from, info.to);
    OC_CAPTION(caption, "{}", oc_word_count(info.resources, "resource"));
    oc_caption_add_clean(caption, info.filters);
    oc_caption_add(caption, shares[info.of]);
    if (hidden > 0)
        OC_CAPTION(caption,
                   hidden == 1 ? "{} event type has no room" : "{} event types have no room",
                   oc_word_whole(hidden));
    oc_caption_add_shown(caption, at->chart.picture);
}

static ocelotl_status prepare(void *subject)
{
    drawing *at = subject;
    const ocelotl_statistics *statistics = at->input->statistics;
    const ocelotl_statistics_info info = ocelotl_statistics_info_of(statistics);
    const oc_colouring by = oc_picture_colouring(at->chart.picture);
    group type;
    OC_TRY(oc_type_colours_of_trace(&at->colours, at->input->trace, &by));
    oc_picture_add_window(at->chart.scene, at->chart.picture, at->input->trace, "statistics",
                          info.from, info.to);
    for (uint32_t i = 0; i < ocelotl_statistics_count(statistics);) {
        i = gather(&type, at, i);
        for (uint32_t k = 0; k < type.count && is_drawn(&type.whole); k++) {
            oc_text numbers = {0};
            add_numbers(&numbers, at, &type.bars[k]);
            oc_bar_widths_add(&at->widths, type.bars[k].name, numbers.failed ? "" : numbers.bytes);
            oc_scene_take(at->chart.scene, &numbers);
        }
    }
    at->widths.name = ceil(fmin(NAME_MOST, fmin(at->chart.picture->width / 4, at->widths.name)));
    return OCELOTL_OK;
}

static ocelotl_status draw_groups(void *subject)
{
    drawing *at = subject;
    oc_scene_group(at->chart.scene, "bars", &(oc_group_style){0}, NULL);
    place_groups(at, true);
    oc_scene_group_end(at->chart.scene);
    return OCELOTL_OK;
}

ocelotl_status oc_statistics_lay_out(oc_scene *scene, const oc_picture *picture,
                                     const void *subject)
{
    static const oc_chart_kind kind = {prepare, write_caption, draw_groups};
    drawing at = {.chart = {.kind = &kind, .scene = scene, .picture = picture}, .input = subject};
    at.chart.title = ocelotl_trace_info_of(at.input->trace).name;
    const ocelotl_status status = oc_chart_lay_out(&at.chart);
    oc_type_colours_free(&at.colours);
    return status;
}

double oc_statistics_height(const oc_statistics_input *input)
{
    double height = TOP + 2 * 24;
    uint32_t values = 0;
    for (uint32_t i = 0; i < ocelotl_statistics_count(input->statistics); i++) {
        const ocelotl_statistic row = ocelotl_statistics_row_at(input->statistics, i);
        if (!is_drawn(&row))
            continue;
        values = row.whole ? 0 : values + 1;
        /* the whole: (no state) */
        height += row.whole ? HEADING + OC_BAR_APART : values <= VALUES_MOST + 1 ? OC_BAR_APART : 0;
    }
    return fmin(HEIGHT_MOST, fmax(320, height));
}

ocelotl_status ocelotl_statistics_draw(const ocelotl_sink *sink, ocelotl_picture_format format,
                                       const ocelotl_trace *trace,
                                       const ocelotl_statistics *statistics,
                                       const ocelotl_picture_options *given)
{
    ocelotl_picture_options options = OCELOTL_PICTURE_OPTIONS_INIT;
    const oc_statistics_input input = {trace, statistics};
    OC_TRY(oc_read_options(&options, sizeof options, given));
    oc_picture_preset(&options.height, oc_statistics_height(&input));
    oc_picture_preset(&options.width, 800);
    return oc_picture_make(&(oc_target){sink, format}, &options, oc_statistics_lay_out, &input);
}

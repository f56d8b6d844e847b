/* Links as arrows from row to row; thicker where one stands for several. */
#include "viz/gantt.h"

#include "viz/lettering.h"

#include <math.h>

enum { HEAD_LENGTH = 6, HEAD_WIDTH = 4, HEAD_FROM = 12 /* pixels of an arrow that has a head */ };
enum { TOOLTIPS_MOST = 1000 };

/* Cuts a line to the frame from left to right; false where nothing is left of it. */
static bool cut(const oc_gantt *gantt, oc_point *from, oc_point *to, bool *end_seen)
{
    const double left = gantt->frame.left;
    const double right = left + gantt->frame.width;
    const oc_point a = *from;
    const oc_point b = *to;
    *end_seen = b.x >= left && b.x <= right;
    if ((a.x < left && b.x < left) || (a.x > right && b.x > right))
        return false;
    const double slope = fabs(b.x - a.x) > 0 ? (b.y - a.y) / (b.x - a.x) : 0;
    if (a.x < left || a.x > right)
        *from = (oc_point){a.x < left ? left : right, a.y + slope * ((a.x < left ? left : right) - a.x)};
    if (!*end_seen)
        *to = (oc_point){b.x < left ? left : right, a.y + slope * ((b.x < left ? left : right) - a.x)};
    return true;
}

static void draw_head(oc_scene *scene, const oc_point *from, const oc_point *to, uint32_t colour)
{
    const double length = hypot(to->x - from->x, to->y - from->y);
    if (length < HEAD_FROM)
        return;
    const double x = (to->x - from->x) / length;
    const double y = (to->y - from->y) / length;
    const oc_point base = {to->x - x * HEAD_LENGTH, to->y - y * HEAD_LENGTH};
    const oc_point corners[] = {*to,
                                {base.x - y * HEAD_WIDTH / 2, base.y + x * HEAD_WIDTH / 2},
                                {base.x + y * HEAD_WIDTH / 2, base.y - x * HEAD_WIDTH / 2}};
    const oc_path head = {.closed = true, .fill = colour, .opacity = 1, .stroke = OC_COLOUR_NONE};
    oc_scene_path(scene, &head, corners, 3, NULL);
}

static double middle(const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    return band.top + band.height / 2;
}

static void describe(oc_text *tooltip, const oc_gantt *gantt, const ocelotl_drawn_link *link)
{
    oc_clean_add(tooltip, ocelotl_trace_event_type(gantt->input->trace, link->event_type).name, false);
    oc_text_add(tooltip, link->count > 1 ? ", " : " ");
    if (link->count > 1) {
        oc_count_add(tooltip, link->count);
        oc_text_add(tooltip, " links");
    } else if (link->value != OCELOTL_NONE) {
        oc_gantt_add_value(tooltip, gantt, link->value, link->event_type);
    }
    oc_text_format(tooltip, "\n%s \xE2\x86\x92 %s\n", gantt->drawn[link->source].is.path,
                   gantt->drawn[link->target].is.path);
    oc_gantt_add_span(tooltip, gantt, link->begin, link->end);
}

/* An arrow in the picture. */
typedef struct arrow {
    oc_point ends[2];
    bool end_seen;
    uint32_t colour;
} arrow;

/* Thin lines need more contrast than areas. */
static uint32_t colour_of(const oc_gantt *gantt, uint32_t event_type)
{
    return oc_colour_visible(gantt->type_colours[event_type], gantt->picture->theme->paper, 3);
}

static bool joins_rows(const oc_gantt *gantt, const ocelotl_drawn_link *link)
{
    return link->source < gantt->drawn_count && link->target < gantt->drawn_count;
}

static bool place(arrow *found, const oc_gantt *gantt, const ocelotl_drawn_link *link)
{
    if (!joins_rows(gantt, link))
        return false;
    found->ends[0] = (oc_point){oc_gantt_x(gantt, link->begin), middle(gantt, link->source)};
    found->ends[1] = (oc_point){oc_gantt_x(gantt, link->end), middle(gantt, link->target)};
    found->colour = colour_of(gantt, link->event_type);
    return cut(gantt, &found->ends[0], &found->ends[1], &found->end_seen);
}

static double length_of(const arrow *is)
{
    return hypot(is->ends[1].x - is->ends[0].x, is->ends[1].y - is->ends[0].y);
}

static uint32_t count_longer(const oc_gantt *gantt, double length)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->input->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link(gantt->input->drawables, i);
        arrow is;
        count += place(&is, gantt, &link) && length_of(&is) >= length;
    }
    return count;
}

/* Pixels from which arrows have a tooltip: those that are longest can be pointed at. */
static double choose_told(const oc_gantt *gantt)
{
    double length = 0;
    for (double next = 2; count_longer(gantt, length) > TOOLTIPS_MOST; next *= 1.5)
        length = next;
    return length;
}

static void draw_link(oc_scene *scene, const oc_gantt *gantt, const ocelotl_drawn_link *link, const arrow *is,
                      bool told)
{
    const oc_path line = {
        .fill = OC_COLOUR_NONE, .stroke = is->colour, .width = fmin(3, 0.75 + 0.25 * log2((double)link->count))};
    oc_text tooltip = {0};
    if (told)
        describe(&tooltip, gantt, link);
    oc_scene_path(scene, &line, is->ends, 2, told ? tooltip.bytes : NULL);
    if (is->end_seen)
        draw_head(scene, &is->ends[0], &is->ends[1], is->colour);
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
}

/* Those without a tooltip leave the pointer to what is below. */
static void draw_links(oc_scene *scene, const oc_gantt *gantt, double told_from, bool told)
{
    oc_scene_group(scene, "links", &(oc_group){.inert = !told}, NULL);
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->input->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link(gantt->input->drawables, i);
        arrow is;
        if (place(&is, gantt, &link) && (length_of(&is) >= told_from) == told)
            draw_link(scene, gantt, &link, &is, told);
    }
    oc_scene_group_end(scene);
}

void oc_gantt_draw_links(oc_scene *scene, const oc_gantt *gantt)
{
    const double told_from = choose_told(gantt);
    if (told_from > 0)
        draw_links(scene, gantt, told_from, false);
    draw_links(scene, gantt, told_from, true);
}

static bool has_arrows(const oc_gantt *gantt, uint32_t event_type)
{
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->input->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link(gantt->input->drawables, i);
        if (link.event_type == event_type && joins_rows(gantt, &link))
            return true;
    }
    return false;
}

void oc_gantt_explain_links(oc_legend *legend, const oc_gantt *gantt)
{
    oc_text name = {0};
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(gantt->input->trace); e++) {
        const ocelotl_event_type type = ocelotl_trace_event_type(gantt->input->trace, e);
        if (type.category != OCELOTL_LINK || !has_arrows(gantt, e))
            continue;
        const oc_rectangle look = oc_legend_swatch(gantt->type_colours[e]);
        oc_text_clear(&name);
        oc_text_add(&name, type.name);
        oc_text_add(&name, " (arrows)");
        if (!name.failed)
            oc_legend_add(legend, OC_LEGEND_MARK, &look, name.bytes, NULL, false);
    }
    legend->failed = legend->failed || name.failed;
    oc_text_free(&name);
}

/* Links as arrows from row to row, thin and translucent; thicker where one stands for several. One
 * that ends before it begins is dashed, in the colour of warnings, from its end to its begin.
 * Where too many of them would hide what they lead to, the shortest are left out. */
#include "viz/gantt/gantt.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

enum { HEAD_LENGTH = 6, HEAD_WIDTH = 4, HEAD_FROM = 12 /* pixels of an arrow that has a head */ };
enum { TOOLTIPS_MOST = 1000 };

/* Lines in one square of the plot are at most LINES_MOST pixels long together. */
enum { SQUARE = 16, LINES_MOST = 40 };

/* Arrows over fewer pixels of time than this say no more than one another: an area has all of them
 * or none. It has none if other links had no room there. */
enum { SLOW_FROM = 3, MANY = 2000 };

static const double arrow_least = 6; /* pixels: shorter ones would be dots */
static const double opacity = 0.65;

/* Paper at both sides of an arrow, so that it is seen on states of any colour. */
static const double paper_width = 0.75;
static const double paper_opacity = 0.45;

/* Cuts a line to the frame from left to right. Returns false if nothing is left. */
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
        *from = (oc_point){a.x < left ? left : right,
                           a.y + slope * ((a.x < left ? left : right) - a.x)};
    if (!*end_seen)
        *to = (oc_point){b.x < left ? left : right,
                         a.y + slope * ((b.x < left ? left : right) - a.x)};
    return true;
}

static bool is_wrong(const ocelotl_drawn_link *link)
{
    return link->end < link->begin;
}

static void describe(oc_text *tooltip, const oc_gantt *gantt, const ocelotl_drawn_link *link)
{
    oc_clean_add(tooltip, ocelotl_trace_event_type_at(gantt->trace, link->event_type).name, false);
    oc_text_add(tooltip, link->count > 1 ? ", " : " ");
    if (link->count > 1)
        oc_counted_add(tooltip, link->count, "link");
    else if (link->value != OCELOTL_NONE)
        oc_gantt_add_value(tooltip, gantt, link->value, link->event_type);
    oc_text_format(tooltip, "\n%s \xE2\x86\x92 %s\n", gantt->drawn[link->source].is.path,
                   gantt->drawn[link->target].is.path);
    oc_gantt_add_span(tooltip, gantt, is_wrong(link) ? link->end : link->begin,
                      is_wrong(link) ? link->begin : link->end);
    if (is_wrong(link))
        oc_text_add(tooltip, "\nends before it begins");
    oc_gantt_add_attributes(tooltip, gantt, link->attributes);
}

/* An arrow in the picture. */
typedef struct arrow {
    oc_point ends[2];
    bool end_seen;
    bool wrong; /* it ends before it begins */
    uint32_t colour;
} arrow;

/* A row that is left out has no arrows. */
static bool has_place(const oc_gantt *gantt, const ocelotl_drawn_link *link)
{
    return link->source < gantt->drawn_count && link->target < gantt->drawn_count &&
           gantt->room[link->source] != OC_GANTT_NO_ROOM &&
           gantt->room[link->target] != OC_GANTT_NO_ROOM;
}

static bool place(arrow *found, const oc_gantt *gantt, const ocelotl_drawn_link *link)
{
    if (!has_place(gantt, link))
        return false;
    const oc_point begin = {oc_gantt_x(gantt, link->begin), oc_gantt_middle(gantt, link->source)};
    const oc_point end = {oc_gantt_x(gantt, link->end), oc_gantt_middle(gantt, link->target)};
    found->wrong = is_wrong(link);
    found->ends[0] = found->wrong ? end : begin;
    found->ends[1] = found->wrong ? begin : end;
    found->colour = found->wrong
                        ? gantt->picture->theme->accent
                        : oc_gantt_colour_carried(gantt, gantt->line_colours[link->event_type],
                                                  link->attributes);
    return cut(gantt, &found->ends[0], &found->ends[1], &found->end_seen);
}

static double length_of(const arrow *is)
{
    return hypot(is->ends[1].x - is->ends[0].x, is->ends[1].y - is->ends[0].y);
}

/* --- Which of them are drawn */

/* The plot in squares, and how many pixels of lines each holds: drawn ones, and all. */
typedef struct squares {
    double *drawn, *all;
    size_t across, count;
} squares;

static size_t square_at(const squares *in, const oc_gantt *gantt, const arrow *is, double part)
{
    const double x = is->ends[0].x + part * (is->ends[1].x - is->ends[0].x) - gantt->frame.left;
    const double y = is->ends[0].y + part * (is->ends[1].y - is->ends[0].y) - gantt->frame.top;
    const size_t column = (size_t)fmin((double)in->across - 1, fmax(0, floor(x / SQUARE)));
    const size_t index = (size_t)fmax(0, floor(y / SQUARE)) * in->across + column;
    return index < in->count ? index : in->count - 1;
}

static int steps_of(const arrow *is)
{
    return (int)ceil(length_of(is) / (SQUARE / 2.0));
}

static void add_lines(double *lines, const squares *in, const oc_gantt *gantt, const arrow *is)
{
    const int steps = steps_of(is);
    for (int i = 0; i < steps; i++)
        lines[square_at(in, gantt, is, (i + 0.5) / steps)] += length_of(is) / steps;
}

/* Whether most of an arrow lies in squares that have room for this many more pixels of lines. */
static bool has_room(const double *lines, const squares *in, const oc_gantt *gantt, const arrow *is,
                     double more)
{
    const int steps = steps_of(is);
    int full = 0;
    for (int i = 0; i < steps; i++)
        full += lines[square_at(in, gantt, is, (i + 0.5) / steps)] + more / steps > LINES_MOST;
    return full * 2 <= steps;
}

typedef struct candidate {
    double extent, length; /* pixels along time, and along the arrow */
    uint32_t link;
} candidate;

/* Longest first. */
static int compare(const void *a, const void *b)
{
    const candidate *left = a;
    const candidate *right = b;
    if (left->extent < right->extent || left->extent > right->extent)
        return left->extent > right->extent ? -1 : 1;
    if (left->length < right->length || left->length > right->length)
        return left->length > right->length ? -1 : 1;
    return left->link < right->link ? -1 : left->link > right->link;
}

static uint32_t find_candidates(candidate *candidates, oc_gantt *gantt, const squares *in)
{
    uint32_t count = 0;
    gantt->links = (oc_gantt_links){.all = gantt->info.links_left_out};
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(gantt->drawables, i);
        arrow is;
        gantt->links.all += link.count;
        if (!place(&is, gantt, &link) || length_of(&is) < arrow_least)
            continue;
        add_lines(in->all, in, gantt, &is);
        candidates[count++] =
            (candidate){floor(fabs(is.ends[1].x - is.ends[0].x)), length_of(&is), i};
    }
    qsort(candidates, count, sizeof *candidates, compare);
    return count;
}

static bool is_drawn(const squares *in, const oc_gantt *gantt, const candidate *at, const arrow *is)
{
    const bool all_known =
        gantt->info.links_left_out == 0 || ocelotl_drawables_link_count(gantt->drawables) < MANY;
    if (at->extent < SLOW_FROM && !(all_known && has_room(in->all, in, gantt, is, 0)))
        return false;
    return has_room(in->drawn, in, gantt, is, at->length);
}

static void choose(oc_gantt *gantt, candidate *candidates, const squares *in)
{
    const uint32_t count = find_candidates(candidates, gantt, in);
    for (uint32_t i = 0; i < count; i++) {
        const ocelotl_drawn_link link =
            ocelotl_drawables_link_at(gantt->drawables, candidates[i].link);
        arrow is;
        if (!place(&is, gantt, &link) || !is_drawn(in, gantt, &candidates[i], &is))
            continue;
        add_lines(in->drawn, in, gantt, &is);
        gantt->has_arrow[candidates[i].link] = true;
        gantt->links.drawn += link.count;
        gantt->links.wrong = gantt->links.wrong || is.wrong;
        gantt->links.several = gantt->links.several || link.count > 1;
    }
}

ocelotl_status oc_gantt_choose_links(oc_gantt *gantt)
{
    const uint32_t count = ocelotl_drawables_link_count(gantt->drawables);
    const size_t across = (size_t)(fmax(0, gantt->frame.width) / SQUARE) + 1;
    squares in = {NULL, NULL, across,
                  across * ((size_t)(fmax(0, gantt->frame.height) / SQUARE) + 1)};
    candidate *candidates = NULL;
    free(gantt->has_arrow);
    gantt->has_arrow = NULL;
    OC_TRY(oc_allocate(&gantt->has_arrow, count, sizeof *gantt->has_arrow));
    OC_TRY(oc_allocate(&candidates, count, sizeof *candidates));
    ocelotl_status status = oc_allocate(&in.drawn, in.count, sizeof *in.drawn);
    if (status == OCELOTL_OK)
        status = oc_allocate(&in.all, in.count, sizeof *in.all);
    if (status == OCELOTL_OK)
        choose(gantt, candidates, &in);
    free(candidates);
    free(in.drawn);
    free(in.all);
    return status;
}

/* --- Drawing */

static uint32_t count_longer(const oc_gantt *gantt, double length)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(gantt->drawables, i);
        arrow is;
        count += gantt->has_arrow[i] && place(&is, gantt, &link) && length_of(&is) >= length;
    }
    return count;
}

/* Arrows of at least this many pixels have a tooltip: a pointer can hit the longest ones. */
static double choose_tooltips(const oc_gantt *gantt)
{
    double length = 0;
    for (double next = 2; count_longer(gantt, length) > TOOLTIPS_MOST; next *= 1.5)
        length = next;
    return length;
}

/* Returns where the line ends: before the head, as translucent lines must not overlap it. */
static oc_point draw_head(oc_scene *scene, const arrow *is)
{
    const oc_point *to = &is->ends[1];
    const double length = length_of(is);
    if (length < HEAD_FROM || !is->end_seen)
        return *to;
    const double x = (to->x - is->ends[0].x) / length;
    const double y = (to->y - is->ends[0].y) / length;
    const oc_point base = {to->x - x * HEAD_LENGTH, to->y - y * HEAD_LENGTH};
    const oc_point corners[] = {*to,
                                {base.x - y * HEAD_WIDTH / 2, base.y + x * HEAD_WIDTH / 2},
                                {base.x + y * HEAD_WIDTH / 2, base.y - x * HEAD_WIDTH / 2}};
    if (is->wrong) {
        const oc_path open = {
            .fill = OC_COLOUR_NONE, .opacity = opacity, .stroke = is->colour, .width = 1};
        const oc_point bent[] = {corners[1], corners[0], corners[2]};
        oc_scene_path(scene, &open, bent, 3, NULL);
        return *to;
    }
    const oc_path head = {
        .closed = true, .fill = is->colour, .opacity = opacity, .stroke = OC_COLOUR_NONE};
    oc_scene_path(scene, &head, corners, 3, NULL);
    return base;
}

/* A line of dashes; a very long one has longer dashes. */
static void draw_dashes(oc_scene *scene, const oc_path *line, const arrow *is)
{
    enum { DASH = 6, DASHES_MOST = 200 };
    const double length = length_of(is);
    const int dashes = (int)fmin(DASHES_MOST, fmax(1, floor(length / DASH)));
    const double x = (is->ends[1].x - is->ends[0].x) / dashes;
    const double y = (is->ends[1].y - is->ends[0].y) / dashes;
    for (int i = 0; i < dashes; i++) {
        const oc_point from = {is->ends[0].x + x * i, is->ends[0].y + y * i};
        const oc_point dash[] = {from, {from.x + x * 0.6, from.y + y * 0.6}};
        oc_scene_path(scene, line, dash, 2, NULL);
    }
}

static void draw_link(oc_scene *scene, const oc_gantt *gantt, const ocelotl_drawn_link *link,
                      const arrow *is, bool tooltips)
{
    oc_path line = {.fill = OC_COLOUR_NONE,
                    .opacity = opacity,
                    .stroke = is->colour,
                    .width = fmin(2.5, 0.75 + 0.25 * log2((double)link->count))};
    if (is->wrong)
        line.opacity = 1;
    oc_path paper = line;
    paper.stroke = gantt->picture->theme->paper;
    paper.opacity = paper_opacity;
    paper.width += 2 * paper_width;
    oc_text tooltip = {0};
    if (tooltips)
        describe(&tooltip, gantt, link);
    const char *said = tooltips ? tooltip.bytes : NULL;
    oc_scene_path(scene, &paper, is->ends, 2, is->wrong ? said : NULL);
    const oc_point ends[] = {is->ends[0], draw_head(scene, is)};
    if (is->wrong)
        draw_dashes(scene, &line, is);
    else
        oc_scene_path(scene, &line, ends, 2, said);
    oc_scene_take(scene, &tooltip);
}

/* Draws links. Without a tooltip, they let the pointer reach what is below. */
static void draw_links(oc_scene *scene, const oc_gantt *gantt, double tooltips_from, bool tooltips)
{
    oc_scene_group(scene, "links", &(oc_group_style){.inert = !tooltips}, NULL);
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(gantt->drawables, i);
        arrow is;
        if (gantt->has_arrow[i] && place(&is, gantt, &link) &&
            (length_of(&is) >= tooltips_from) == tooltips)
            draw_link(scene, gantt, &link, &is, tooltips);
    }
    oc_scene_group_end(scene);
}

void oc_gantt_draw_links(oc_scene *scene, const oc_gantt *gantt)
{
    const double tooltips_from = choose_tooltips(gantt);
    if (tooltips_from > 0)
        draw_links(scene, gantt, tooltips_from, false);
    draw_links(scene, gantt, tooltips_from, true);
}

/* --- Words about links */

void oc_gantt_describe_links(oc_text *text, const oc_gantt *gantt)
{
    const oc_gantt_links *links = &gantt->links;
    const uint64_t wrong = gantt->info.links_wrong;
    const uint64_t outside = gantt->info.links_outside;
    const bool left_out = links->drawn + outside < links->all;
    if (links->all == 0)
        return;
    if (links->drawn == 0) {
        oc_text_add(text, "no arrows for ");
    } else if (links->drawn < links->all) {
        OC_PHRASE(text, "arrows for {} of ", oc_word_count(links->drawn, NULL));
    }
    oc_counted_add(text, links->all, "link");
    if (left_out && links->drawn > 0)
        oc_text_add(text, ", without the shortest where they would hide the rows");
    else if (left_out && links->all > gantt->info.links_left_out)
        oc_text_add(text, ", which are too short here or would hide the rows");
    if (wrong > 0) {
        OC_PHRASE(text, wrong == 1 ? ", {} ends before it begins" : ", {} end before they begin",
                  oc_word_count(wrong, NULL));
    }
    if (outside > 0) {
        OC_PHRASE(text,
                  outside == 1 ? ", {} has an end outside of these rows"
                               : ", {} have an end outside of these rows",
                  oc_word_count(outside, NULL));
    }
}

/* Returns whether a type may have arrows, before links are chosen. */
static bool has_arrows(const oc_gantt *gantt, uint32_t event_type)
{
    for (uint32_t i = 0; i < ocelotl_drawables_link_count(gantt->drawables); i++) {
        const ocelotl_drawn_link link = ocelotl_drawables_link_at(gantt->drawables, i);
        if (link.event_type == event_type && has_place(gantt, &link) &&
            (gantt->has_arrow == NULL || gantt->has_arrow[i]))
            return true;
    }
    return false;
}

void oc_gantt_explain_links(oc_legend *legend, const oc_gantt *gantt)
{
    const oc_gantt_shared *shared = gantt->input->shared;
    oc_text name = {0};
    for (uint32_t e = 0; e < ocelotl_trace_event_type_count(gantt->trace); e++) {
        const ocelotl_event_type type = ocelotl_trace_event_type_at(gantt->trace, e);
        if (type.category != OCELOTL_LINK || !has_arrows(gantt, e))
            continue;
        oc_text_clear(&name);
        oc_text_add(&name, ocelotl_trace_event_type_spelling(gantt->trace, e));
        oc_text_add(&name, gantt->links.several ? " (arrows, thicker: several)" : " (arrows)");
        if (!name.failed)
            oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(gantt->type_colours[e]),
                          name.bytes, NULL, false);
    }
    if (gantt->links.wrong || (shared != NULL && shared->has_wrong)) {
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(gantt->picture->theme->accent),
                      "ends before it begins (dashed)", NULL, false);
    }
    if (ocelotl_drawables_piece_count(gantt->drawables) > 0)
        oc_legend_add(legend, OC_LEGEND_MARK, oc_legend_swatch(gantt->picture->theme->accent),
                      "critical path", NULL, false);
    oc_legend_take(legend, &name);
}

/* Variables as steps over a common scale for each type, and for those of one unit, from 0 or the
 * smallest value up; where steps are merged, fainter from the lowest to the highest of them, with
 * the mean as a line. */
#include "viz/gantt/gantt.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

static const double pale = 0.35;
static const double paler = 0.2; /* where it has no value part of the time */

enum { TOOLTIPS_MOST = 4000 };

typedef struct scale {
    double low, high; /* values at the bottom and the top */
    double top, height;
} scale;

static scale scale_of(const oc_gantt *gantt, uint32_t row)
{
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    const uint32_t type = gantt->drawn[row].is.event_type;
    const double low = fmin(0, gantt->lows[type]);
    const double high = fmax(low, gantt->highs[type]);
    return (scale){low, high > low ? high : low + 1, band.top + 1, fmax(1, band.height - 2)};
}

static double y_of(const scale *by, double value)
{
    return by->top + by->height * (1 - (value - by->low) / (by->high - by->low));
}

static void describe(oc_text *tooltip, const oc_gantt *gantt, uint32_t row,
                     const ocelotl_drawn_object *is)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    const ocelotl_event_type type = ocelotl_trace_event_type_at(gantt->trace, drawn->is.event_type);
    oc_clean_add(tooltip, type.name, false);
    oc_text_add(tooltip, " ");
    if (is->count > 1)
        oc_gantt_add_mean(tooltip, is->mean, is->low, is->high, type.unit);
    else
        oc_quantity_add(tooltip, is->mean, 6, type.unit);
    if (is->count > 1) {
        OC_PHRASE(tooltip, ", {} changes", oc_word_count(is->count, NULL));
    }
    oc_text_format(tooltip, "\n%s\n", drawn->is.path);
    oc_gantt_add_span(tooltip, gantt, is->begin, is->end);
}

/* A step in the picture. */
typedef struct step {
    uint32_t row;
    double left, right;
    const ocelotl_drawn_object *is;
} step;

/* The rectangles of a step: from its least value to its largest, below the least, and the line at
 * its mean. */
enum { PIECE_AREA, PIECE_BELOW, PIECE_MEAN, PIECES };

static void find_rectangles(oc_rectangle rectangles[PIECES], const oc_gantt *gantt, const step *of)
{
    const scale by = scale_of(gantt, of->row);
    const ocelotl_drawn_object *is = of->is;
    const uint32_t colour = gantt->type_colours[gantt->drawn[of->row].is.event_type];
    const double width = of->right - of->left;
    const double top = floor(y_of(&by, is->high));
    const double base = ceil(y_of(&by, fmax(by.low, 0)));
    const double bottom = fmax(top + 1, is->count > 1 ? ceil(y_of(&by, is->low)) : base);
    const double mean = fmin(floor(y_of(&by, is->mean)), by.top + by.height - 1);
    const oc_rectangle none = {of->left, 0, width, 0, colour, pale, OC_COLOUR_NONE, OC_COLOUR_NONE};
    for (int piece = 0; piece < PIECES; piece++)
        rectangles[piece] = none;
    rectangles[PIECE_AREA].y = top;
    rectangles[PIECE_AREA].height = bottom - top;
    rectangles[PIECE_BELOW].y = bottom;
    rectangles[PIECE_BELOW].height = fmax(0, base - bottom);
    rectangles[PIECE_MEAN].y = mean;
    rectangles[PIECE_MEAN].height = 1;
    rectangles[PIECE_MEAN].opacity = 1;
    if (bottom < base)
        rectangles[PIECE_AREA].opacity = paler;
}

/* Which steps are drawn, and which piece of those without a tooltip. */
typedef enum pass { PASS_AREAS, PASS_BELOW, PASS_MEANS, PASS_TOOLTIPS } pass;

static void draw_row(oc_scene *scene, const oc_gantt *gantt, uint32_t row, pass now)
{
    double before = gantt->frame.left;
    for (uint64_t object = 0; object < gantt->drawn[row].is.objects; object++) {
        const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, object);
        step of = {row, floor(oc_gantt_x(gantt, is.begin)), 0, &is};
        oc_rectangle rectangles[PIECES];
        of.right = fmax(of.left + 1, floor(oc_gantt_x(gantt, is.end)));
        const bool tooltips = of.right - of.left >= gantt->steps_from;
        /* Overlapping rectangles would be darker, so a step with a tooltip has its own pixel. */
        of.left = fmax(of.left, before);
        if (gantt->steps_from <= 0)
            of.right = fmax(of.left + 1, of.right);
        before = fmax(before, of.right);
        if (tooltips != (now == PASS_TOOLTIPS) || of.left >= of.right)
            continue;
        find_rectangles(rectangles, gantt, &of);
        if (tooltips) {
            oc_text tooltip = {0};
            describe(&tooltip, gantt, of.row, of.is);
            for (int piece = 0; piece < PIECES; piece++)
                if (rectangles[piece].height > 0)
                    oc_scene_rectangle(scene, &rectangles[piece],
                                       piece == PIECE_MEAN ? NULL : tooltip.bytes);
            oc_scene_take(scene, &tooltip);
        } else if (rectangles[now].height > 0)
            oc_scene_rectangle(scene, &rectangles[now], NULL);
    }
}

static void draw_rows(oc_scene *scene, const oc_gantt *gantt, pass now)
{
    for (uint32_t i = 0; i < gantt->group_count; i++)
        for (uint32_t row = gantt->groups[i].first; row < gantt->groups[i].end; row++)
            if (oc_gantt_is_of_steps(gantt, row) && oc_gantt_shows(gantt, &gantt->groups[i], row))
                draw_row(scene, gantt, row, now);
}

/* Draws variables. Without a tooltip, they let the pointer reach what is below. */
void oc_gantt_draw_variables(oc_scene *scene, const oc_gantt *gantt)
{
    for (pass now = PASS_AREAS; now < PASS_TOOLTIPS && gantt->steps_from > 0; now++) {
        oc_scene_group(scene, "steps",
                       &(oc_group_style){.crisp = true, .inert = true, .tiles = true}, NULL);
        draw_rows(scene, gantt, now);
        oc_scene_group_end(scene);
    }
    draw_rows(scene, gantt, PASS_TOOLTIPS);
}

static uint64_t count_wide(const oc_gantt *gantt, double width)
{
    uint64_t count = 0;
    for (uint32_t row = 0; row < gantt->drawn_count; row++) {
        const uint64_t objects =
            oc_gantt_is_of_steps(gantt, row) ? gantt->drawn[row].is.objects : 0;
        for (uint64_t object = 0; object < objects; object++) {
            const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, object);
            const double left = floor(oc_gantt_x(gantt, is.begin));
            count += fmax(1, floor(oc_gantt_x(gantt, is.end)) - left) >= width;
        }
    }
    return count;
}

void oc_gantt_choose_steps(oc_gantt *gantt)
{
    gantt->steps_from = 0;
    for (double next = 2; count_wide(gantt, gantt->steps_from) > TOOLTIPS_MOST; next *= 1.5)
        gantt->steps_from = next;
}

/* --- Areas of rows that are drawn together */

/* Sides of an area that a pointer hits well, in pixels. */
static const double area_width = 40;
static const double area_height = 24;

/* A share of time that is not worth a line. */
static const double negligible = 0.0005;

enum { VALUES_MOST = 3 /* named in a tooltip */ };

/* What drawing an area takes. */
typedef struct areas {
    oc_scene *scene;
    const oc_gantt *gantt;
    const oc_gantt_group *group;
    oc_gantt_sums sums;
    oc_gantt_means means;
    oc_text tooltip;
    uint32_t columns, column;
    size_t begin, end; /* the column's sums */
} areas;

static bool is_event(const areas *is, const oc_gantt_sum *sum)
{
    const ocelotl_trace *trace = is->gantt->trace;
    if (sum->value == OCELOTL_NONE || sum->value == OC_GANTT_EVENTS)
        return sum->value == OC_GANTT_EVENTS;
    return ocelotl_trace_event_type_at(trace, ocelotl_trace_value_at(trace, sum->value).event_type)
               .category == OCELOTL_EVENT;
}

static void add_sums(areas *is, bool events)
{
    uint64_t count = 0;
    int named = 0;
    for (size_t i = is->begin; i < is->end; i++)
        count += is_event(is, &is->sums.sums[i]) == events ? is->sums.sums[i].count : 0;
    if (events && count == 0)
        return;
    OC_PHRASE(&is->tooltip, "\n{}{}", oc_word_count(count, NULL),
              oc_word_text(events       ? count == 1 ? " event" : " events"
                           : count == 1 ? " state begins"
                                        : " states begin"));
    for (size_t i = is->begin; i < is->end && named < VALUES_MOST; i++) {
        const oc_gantt_sum *sum = &is->sums.sums[i];
        const bool little = !events && named > 0 && sum->ticks < negligible * is->sums.ticks;
        if (is_event(is, sum) != events || little)
            continue;
        oc_text_add(&is->tooltip, "\n");
        if (sum->value == OCELOTL_NONE || sum->value == OC_GANTT_EVENTS)
            oc_text_add(&is->tooltip, "others");
        else
            oc_gantt_add_value(&is->tooltip, is->gantt, sum->value, OCELOTL_NONE);
        oc_text_add(&is->tooltip, " ");
        if (is_event(is, sum))
            oc_count_add(&is->tooltip, sum->count);
        else
            oc_percent_add(&is->tooltip, fmax(0, sum->ticks / is->sums.ticks));
        named++;
    }
}

static bool has_means(const areas *is)
{
    for (uint32_t i = 0; i < is->means.count; i++)
        if (is->means.means[(size_t)is->column * OC_GANTT_MEANS_MOST + i].ticks > 0)
            return true;
    return false;
}

static void draw_area(areas *is, const oc_gantt_band *band)
{
    const oc_frame *frame = &is->gantt->frame;
    const double x = frame->left + floor((double)frame->width * is->column / is->columns);
    const double right = frame->left + floor(frame->width * (is->column + 1.0) / is->columns);
    const oc_rectangle place =
        oc_rectangle_of(x, band->top, right - x, band->height, is->gantt->picture->theme->paper);
    const oc_gantt *gantt = is->gantt;
    oc_text_clear(&is->tooltip);
    oc_gantt_add_rows(&is->tooltip, gantt, is->group);
    oc_text_add(&is->tooltip, "\n");
    oc_gantt_add_span(&is->tooltip, gantt, oc_gantt_border(gantt, is->column, is->columns),
                      oc_gantt_border(gantt, is->column + 1, is->columns));
    if (is->sums.ticks > 0)
        add_sums(is, false);
    add_sums(is, true);
    oc_gantt_add_means(&is->tooltip, gantt, &is->means, is->column);
    oc_scene_rectangle(is->scene, &place, is->tooltip.bytes);
}

static ocelotl_status draw_group(areas *is)
{
    const oc_gantt_band band = oc_gantt_group_band(is->gantt, is->group);
    if (band.height < 1)
        return OCELOTL_OK;
    OC_TRY(oc_gantt_sum_group(&is->sums, is->gantt, is->group, is->columns, true));
    OC_TRY(oc_gantt_find_means(&is->means, is->gantt, is->group, is->columns));
    is->begin = 0;
    for (is->column = 0; is->column < is->columns; is->column++, is->begin = is->end) {
        is->end = is->begin;
        if (is->begin < is->sums.count && is->sums.sums[is->begin].column == is->column)
            is->end = oc_gantt_sums_end(&is->sums, is->begin);
        if (is->end > is->begin || has_means(is))
            draw_area(is, &band);
    }
    return OCELOTL_OK;
}

ocelotl_status oc_gantt_draw_areas(oc_scene *scene, const oc_gantt *gantt)
{
    areas is = {.scene = scene, .gantt = gantt};
    oc_gantt_group *groups = NULL;
    uint32_t count = 0;
    ocelotl_status status =
        oc_gantt_group_rows(&groups, &count, gantt, &(oc_gantt_limits){area_height, area_height});
    is.columns = (uint32_t)fmax(1, floor(gantt->frame.width / area_width));
    oc_scene_group(scene, "areas", &(oc_group_style){.crisp = true, .tiles = true}, NULL);
    for (uint32_t i = 0; i < count && status == OCELOTL_OK; i++) {
        is.group = &groups[i];
        status = draw_group(&is);
    }
    oc_scene_group_end(scene);
    oc_scene_take(scene, &is.tooltip);
    free(groups);
    oc_gantt_sums_free(&is.sums);
    oc_gantt_means_free(&is.means);
    return status;
}

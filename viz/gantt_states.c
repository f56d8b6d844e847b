/* States as boxes, nested ones inside one another. What is too narrow for a box of its own comes merged: neighbours of
 * one leading value are one virtual object, as opaque as that value's share, with a diagonal. */
#include "viz/gantt.h"

#include "viz/lettering.h"

#include <math.h>
#include <string.h>

enum {
    GAP_FROM = 4,      /* rows at least so high leave a line of the paper below them */
    EDGED_FROM = 6,    /* boxes at least so wide and high have an edge */
    INSET_MOST = 4,    /* pixels by which a nested state is smaller at each side */
    LABEL_HEIGHT = 12, /* pixels a box needs for its name */
    LABEL_ROOM = 64,   /* or what the whole name takes */
    LABEL_PADDING = 4,
    VALUES_MOST = 8 /* told apart in a tooltip */
};

/* Opacity of what holds nearly nothing: it must still be seen. */
static const double palest = 0.2;

/* Values of objects that are drawn as one. */
typedef struct sum {
    ocelotl_drawn_share shares[VALUES_MOST];
    uint32_t count;
} sum;

/* Neighbouring merged objects of one lane and one leading value. */
typedef struct run {
    int64_t begin, end;
    uint32_t lane, value;
    uint64_t count; /* of events; 0: there is no run */
    int64_t ticks;
    sum values;
} run;

typedef struct box {
    double x, y, width, height;
} box;

static box box_of(const oc_gantt *gantt, uint32_t row, uint32_t lane, int64_t begin, int64_t end)
{
    const oc_gantt_band band = oc_gantt_band_of(gantt, row);
    const uint32_t lanes = gantt->drawn[row].is.lanes;
    const double height = band.height >= GAP_FROM ? band.height - 1 : band.height;
    const double inset = fmin(INSET_MOST, height / (2.0 * lanes)) * lane;
    const double left = floor(oc_gantt_x(gantt, begin));
    const double right = fmax(left + 1, floor(oc_gantt_x(gantt, end)));
    const double top = floor(band.top + inset);
    return (box){left, top, right - left, fmax(1, floor(band.top + height - inset) - top)};
}

static void draw_box(oc_scene *scene, const box *place, uint32_t colour, double opacity, const char *tooltip)
{
    const oc_rectangle rectangle = {.x = place->x,
                                    .y = place->y,
                                    .width = place->width >= 3 ? place->width - 1 : place->width,
                                    .height = place->height,
                                    .fill = colour,
                                    .opacity = opacity,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_NONE};
    oc_scene_rectangle(scene, &rectangle, tooltip);
}

/* A nested state of the colour of the one around it is seen by its edge. */
static void draw_edge(oc_scene *scene, const oc_gantt *gantt, const box *place, uint32_t colour, uint32_t lane)
{
    if (lane == 0 || place->width < EDGED_FROM || place->height < EDGED_FROM)
        return;
    const oc_rectangle edge = {.x = place->x + 0.5,
                               .y = place->y + 0.5,
                               .width = place->width - 2,
                               .height = place->height - 1,
                               .fill = OC_COLOUR_NONE,
                               .opacity = 1,
                               .stroke = oc_colour_mix(colour, gantt->picture->theme->ink, 0.35),
                               .hatch = OC_COLOUR_NONE};
    oc_scene_rectangle(scene, &edge, NULL);
}

static void draw_name(oc_scene *scene, const box *place, const char *name, uint32_t colour)
{
    oc_text cut = {0};
    const double room = place->width - 2 * LABEL_PADDING;
    const double least = fmin(LABEL_ROOM, oc_lettering_width(name, OC_SIZE_LABEL, false));
    if (place->height >= LABEL_HEIGHT && room >= least &&
        oc_lettering_fit(&cut, name, OC_SIZE_LABEL, false, room)) {
        const oc_label label = {place->x + LABEL_PADDING,
                                floor(place->y + place->height / 2) + 4,
                                OC_ANCHOR_START,
                                OC_SIZE_LABEL,
                                false,
                                oc_ink_on(colour),
                                0};
        oc_scene_label(scene, &label, cut.bytes, NULL);
    }
    scene->failed = scene->failed || cut.failed;
    oc_text_free(&cut);
}

/* Where a state inside this one begins, so that its name ends before; its own end where there is none. Objects come by
 * lane, then by begin. */
static int64_t covered_from(const oc_gantt *gantt, uint32_t row, const ocelotl_drawn_object *is)
{
    uint64_t low = 0;
    uint64_t high = gantt->drawn[row].is.objects;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const ocelotl_drawn_object at = ocelotl_drawables_object(gantt->input->drawables, row, middle);
        if (at.lane < is->lane + 1 || (at.lane == is->lane + 1 && at.end <= is->begin))
            low = middle + 1;
        else
            high = middle;
    }
    const ocelotl_drawn_object inside = ocelotl_drawables_object(gantt->input->drawables, row, low);
    const bool found = low < gantt->drawn[row].is.objects && inside.lane == is->lane + 1;
    return found && inside.begin < is->end ? (inside.begin > is->begin ? inside.begin : is->begin) : is->end;
}

static void draw_single(oc_scene *scene, const oc_gantt *gantt, uint32_t row, const ocelotl_drawn_object *is)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    const box place = box_of(gantt, row, is->lane, is->begin, is->end);
    const uint32_t colour = is->value != OCELOTL_NONE ? gantt->colours[is->value] : gantt->picture->theme->muted;
    oc_text tooltip = {0};
    oc_gantt_add_value(&tooltip, gantt, is->value, drawn->is.event_type);
    oc_text_format(&tooltip, "\n%s\n", drawn->is.path);
    oc_gantt_add_span(&tooltip, gantt, is->begin, is->end);
    oc_text_add(&tooltip, is->begins_before && is->ends_after ? "\nbegins before and ends after what is shown"
                          : is->begins_before                 ? "\nbegins before what is shown"
                          : is->ends_after                    ? "\nends after what is shown"
                                                              : "");
    draw_box(scene, &place, colour, 1, tooltip.bytes);
    draw_edge(scene, gantt, &place, colour, is->lane);
    if (is->value != OCELOTL_NONE) {
        box named = place;
        named.width = fmin(place.width, floor(oc_gantt_x(gantt, covered_from(gantt, row, is))) - place.x);
        draw_name(scene, &named, ocelotl_trace_value(gantt->input->trace, is->value).name, colour);
    }
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
}

static void add_share(sum *values, const ocelotl_drawn_share *share)
{
    uint32_t i = 0;
    while (i < values->count && values->shares[i].value != share->value)
        i++;
    if (i == VALUES_MOST)
        return;
    if (i == values->count)
        values->shares[values->count++] = (ocelotl_drawn_share){.value = share->value};
    values->shares[i].count += share->count;
    values->shares[i].ticks += share->ticks;
}

static void sort_shares(sum *values)
{
    for (uint32_t i = 1; i < values->count; i++)
        for (uint32_t k = i; k > 0 && values->shares[k].ticks > values->shares[k - 1].ticks; k--) {
            const ocelotl_drawn_share moved = values->shares[k];
            values->shares[k] = values->shares[k - 1];
            values->shares[k - 1] = moved;
        }
}

static void describe_run(oc_text *tooltip, const oc_gantt *gantt, uint32_t row, run *all)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    oc_count_add(tooltip, all->count);
    oc_text_format(tooltip, " states, too short to be drawn apart\n%s\n", drawn->is.path);
    oc_gantt_add_span(tooltip, gantt, all->begin, all->end);
    sort_shares(&all->values);
    int64_t named = 0;
    for (uint32_t i = 0; i < all->values.count; i++) {
        const ocelotl_drawn_share *share = &all->values.shares[i];
        oc_text_add(tooltip, "\n");
        oc_gantt_add_value(tooltip, gantt, share->value, drawn->is.event_type);
        oc_text_add(tooltip, " ");
        oc_gantt_add_duration(tooltip, gantt, share->ticks);
        oc_text_add(tooltip, " in ");
        oc_count_add(tooltip, share->count);
        named += share->ticks;
    }
    if (all->ticks > named) {
        oc_text_add(tooltip, "\nothers ");
        oc_gantt_add_duration(tooltip, gantt, all->ticks - named);
    }
}

static void draw_run(oc_scene *scene, const oc_gantt *gantt, uint32_t row, run *all)
{
    if (all->count == 0)
        return;
    const box place = box_of(gantt, row, all->lane, all->begin, all->end);
    const uint32_t colour = all->value != OCELOTL_NONE ? gantt->colours[all->value] : gantt->picture->theme->muted;
    oc_text tooltip = {0};
    describe_run(&tooltip, gantt, row, all);
    const int64_t leading = all->values.count > 0 ? all->values.shares[0].ticks : all->ticks;
    const double share = all->end > all->begin ? (double)leading / ((double)all->end - (double)all->begin) : 1;
    draw_box(scene, &place, colour, fmin(1, fmax(palest, share)), tooltip.bytes);
    if (place.width >= 3 && place.height >= GAP_FROM)
        oc_plot_rule(scene, place.x, place.y + place.height, place.x + place.width, place.y,
                     oc_colour_mix(gantt->picture->theme->ink, gantt->picture->theme->paper, 0.35));
    scene->failed = scene->failed || tooltip.failed;
    oc_text_free(&tooltip);
    *all = (run){0};
}

/* Merged objects that touch: the next one begins within a pixel of where the last one ended. */
static bool continues(const oc_gantt *gantt, const run *all, const ocelotl_drawn_object *is)
{
    return all->count > 0 && all->lane == is->lane && all->value == is->value &&
           oc_gantt_x(gantt, is->begin) - oc_gantt_x(gantt, all->end) <= 1;
}

static void add_to_run(run *all, const oc_gantt *gantt, uint32_t row, uint64_t object,
                       const ocelotl_drawn_object *is)
{
    if (all->count == 0)
        *all = (run){.begin = is->begin, .end = is->end, .lane = is->lane, .value = is->value};
    all->end = is->end > all->end ? is->end : all->end;
    all->count += is->count;
    all->ticks += is->ticks;
    for (uint32_t i = 0; i < is->shares; i++) {
        const ocelotl_drawn_share share = ocelotl_drawables_share(gantt->input->drawables, row, object, i);
        add_share(&all->values, &share);
    }
}

void oc_gantt_draw_states(oc_scene *scene, const oc_gantt *gantt, uint32_t row)
{
    run all = {0};
    for (uint64_t object = 0; object < gantt->drawn[row].is.objects; object++) {
        const ocelotl_drawn_object is = ocelotl_drawables_object(gantt->input->drawables, row, object);
        if (is.count > 1) {
            if (!continues(gantt, &all, &is))
                draw_run(scene, gantt, row, &all);
            add_to_run(&all, gantt, row, object, &is);
        } else {
            draw_run(scene, gantt, row, &all);
            draw_single(scene, gantt, row, &is);
        }
    }
    draw_run(scene, gantt, row, &all);
}

/* States as boxes, nested ones inside one another. What is too narrow for a box of its own comes
 * merged: neighbours of one leading value are one virtual object, as opaque as that value's share,
 * with a diagonal. So are rows that are too low. */
#include "viz/gantt/gantt.h"

#include "viz/words/words.h"

#include <math.h>

enum {
    GAP_FROM = 4, /* rows at least so high leave a line of the paper below them */
    /* rows that are drawn together have a diagonal if they are at least so high */
    MARKED_FROM = 6,
    EDGED_FROM = 6,    /* boxes at least so wide and high have an edge */
    INSET_MOST = 4,    /* pixels by which a nested state is smaller at each side */
    LABEL_HEIGHT = 12, /* pixels a box needs for its name */
    LABEL_ROOM = 64,   /* or what the whole name takes */
    LABEL_PADDING = 4,
    PLATE_HEIGHT = 13, /* behind a name, from so far above the middle on */
    PLATE_ABOVE = 6,
    VALUES_MOST = 8 /* named in a tooltip */
};

static const double plate_opacity = 0.8;

/* Values of objects that are drawn as one. */
typedef struct sum {
    ocelotl_drawn_share shares[VALUES_MOST];
    uint32_t count;
} sum;

typedef struct box {
    double x, y, width, height;
} box;

/* What a layer is drawn with. */
typedef struct layer {
    oc_scene *scene;
    const oc_gantt *gantt;
    const oc_gantt_shapes *shapes;
    size_t begin, end; /* its shapes */
    oc_text tooltip;
} layer;

static uint32_t row_of(const oc_gantt *gantt, const oc_gantt_shape *shape)
{
    return gantt->groups[shape->group].first;
}

static uint32_t colour_of(const oc_gantt *gantt, const oc_gantt_shape *shape)
{
    if (shape->value != OCELOTL_NONE)
        return gantt->colours[shape->value];
    const oc_gantt_group *group = &gantt->groups[shape->group];
    const uint32_t event_type = gantt->drawn[group->first].is.event_type;
    const bool events = group->shown == OCELOTL_EVENT && event_type != OCELOTL_NONE;
    return events ? gantt->type_colours[event_type] : gantt->picture->theme->muted;
}

/* What is drawn column by column is one thing, however its look changes. */
static bool leaves_gap(const oc_gantt_shape *shape)
{
    return shape->count > 0;
}

static box box_of(const oc_gantt *gantt, const oc_gantt_shape *shape)
{
    const oc_gantt_band band = oc_gantt_group_band(gantt, &gantt->groups[shape->group]);
    const uint32_t lanes = gantt->drawn[row_of(gantt, shape)].is.lanes;
    const bool gap = gantt->groups[shape->group].end - gantt->groups[shape->group].first == 1;
    const double height = gap && band.height >= GAP_FROM ? band.height - 1 : band.height;
    const double inset = fmin(INSET_MOST, height / (2.0 * lanes)) * shape->lane;
    const double top = floor(band.top + inset);
    return (box){shape->left, top, shape->right - shape->left,
                 fmax(1, floor(band.top + height - inset) - top)};
}

/* A nested state of the colour of the one around it is seen by its edge. */
static void draw_edge(oc_scene *scene, const oc_gantt *gantt, const box *place, uint32_t colour,
                      uint32_t lane)
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

/* What crosses a name stays behind it, but is seen. */
static void draw_plate(oc_scene *scene, const box *place, double width, uint32_t colour)
{
    const double top = fmax(place->y, floor(place->y + place->height / 2) - PLATE_ABOVE);
    const oc_rectangle plate = {.x = place->x + 1,
                                .y = top,
                                .width = floor(fmin(place->width - 2, width + 2 * LABEL_PADDING)),
                                .height = fmin(PLATE_HEIGHT, place->y + place->height - top),
                                .fill = colour,
                                .opacity = plate_opacity,
                                .stroke = OC_COLOUR_NONE,
                                .hatch = OC_COLOUR_NONE};
    oc_scene_rectangle(scene, &plate, NULL);
}

static void draw_name(oc_scene *scene, const oc_gantt *gantt, const box *place, const char *name,
                      uint32_t colour)
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
        if (gantt->links.drawn > 0)
            draw_plate(scene, place, oc_lettering_width(cut.bytes, OC_SIZE_LABEL, false), colour);
        oc_scene_label(scene, &label, cut.bytes, NULL);
    }
    scene->failed = scene->failed || cut.failed;
    oc_text_free(&cut);
}

/* Where a state inside this one begins, so that its name ends before; its own end where there is
 * none. Objects come by lane, then by begin. */
static int64_t covered_from(const oc_gantt *gantt, uint32_t row, const ocelotl_drawn_object *is)
{
    uint64_t low = 0;
    uint64_t high = gantt->drawn[row].is.objects;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const ocelotl_drawn_object at =
            ocelotl_drawables_object_at(gantt->input->drawables, row, middle);
        if (at.lane < is->lane + 1 || (at.lane == is->lane + 1 && at.end <= is->begin))
            low = middle + 1;
        else
            high = middle;
    }
    const ocelotl_drawn_object inside =
        ocelotl_drawables_object_at(gantt->input->drawables, row, low);
    const bool found = low < gantt->drawn[row].is.objects && inside.lane == is->lane + 1;
    return found && inside.begin < is->end ? (inside.begin > is->begin ? inside.begin : is->begin)
                                           : is->end;
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

static void describe_single(oc_text *tooltip, const oc_gantt *gantt, uint32_t row,
                            const ocelotl_drawn_object *is)
{
    const oc_gantt_row *drawn = &gantt->drawn[row];
    oc_gantt_add_value(tooltip, gantt, is->value, drawn->is.event_type);
    oc_text_add(tooltip, "\n");
    oc_text_add(tooltip, drawn->is.path);
    oc_text_add(tooltip, "\n");
    oc_gantt_add_span(tooltip, gantt, is->begin, is->end);
    oc_text_add(tooltip, is->begins_before && is->ends_after
                             ? "\nbegins before and ends after what is shown"
                         : is->begins_before ? "\nbegins before what is shown"
                         : is->ends_after    ? "\nends after what is shown"
                                             : "");
}

static void describe_values(oc_text *tooltip, const oc_gantt *gantt, uint32_t row, sum *values,
                            int64_t ticks)
{
    int64_t named = 0;
    sort_shares(values);
    for (uint32_t i = 0; i < values->count; i++) {
        const ocelotl_drawn_share *share = &values->shares[i];
        oc_text_add(tooltip, "\n");
        oc_gantt_add_value(tooltip, gantt, share->value, gantt->drawn[row].is.event_type);
        oc_text_add(tooltip, " ");
        oc_gantt_add_duration(tooltip, gantt, share->ticks);
        oc_text_add(tooltip, " in ");
        oc_count_add(tooltip, share->count);
        named += share->ticks;
    }
    if (ticks > named) {
        oc_text_add(tooltip, "\nothers ");
        oc_gantt_add_duration(tooltip, gantt, ticks - named);
    }
}

static void describe_merged(oc_text *tooltip, const oc_gantt *gantt, const oc_gantt_shape *shape)
{
    const uint32_t row = row_of(gantt, shape);
    sum values = {0};
    uint64_t count = 0;
    int64_t ticks = 0;
    for (uint64_t object = shape->first; object < shape->first + shape->count; object++) {
        const ocelotl_drawn_object is =
            ocelotl_drawables_object_at(gantt->input->drawables, row, object);
        count += is.count;
        ticks += is.ticks;
        for (uint32_t i = 0; i < is.shares; i++) {
            const ocelotl_drawn_share share =
                ocelotl_drawables_share_at(gantt->input->drawables, row, object, i);
            add_share(&values, &share);
        }
    }
    oc_count_add(tooltip, count);
    oc_text_format(tooltip, " states, too short to be drawn apart\n%s\n",
                   gantt->drawn[row].is.path);
    oc_gantt_add_span(tooltip, gantt, shape->begin, shape->end);
    describe_values(tooltip, gantt, row, &values, ticks);
}

static void describe(oc_text *tooltip, const oc_gantt *gantt, const oc_gantt_shape *shape)
{
    const uint32_t row = row_of(gantt, shape);
    if (shape->merged) {
        describe_merged(tooltip, gantt, shape);
    } else {
        const ocelotl_drawn_object is =
            ocelotl_drawables_object_at(gantt->input->drawables, row, shape->first);
        describe_single(tooltip, gantt, row, &is);
    }
}

/* --- Layers */

static void draw_tile(layer *to, const oc_gantt_shape *shape)
{
    const bool tooltips = oc_gantt_has_tooltip(to->shapes, shape);
    const box place = box_of(to->gantt, shape);
    const bool gap = place.width >= 3 && leaves_gap(shape);
    const oc_rectangle rectangle = {.x = place.x,
                                    .y = place.y,
                                    .width = fmin(shape->seen, place.width - gap),
                                    .height = place.height,
                                    .fill = colour_of(to->gantt, shape),
                                    .opacity = shape->opacity,
                                    .stroke = OC_COLOUR_NONE,
                                    .hatch = OC_COLOUR_NONE};
    if (!(rectangle.width > 0))
        return;
    oc_text_clear(&to->tooltip);
    if (tooltips)
        describe(&to->tooltip, to->gantt, shape);
    oc_scene_rectangle(to->scene, &rectangle, tooltips ? to->tooltip.bytes : NULL);
    const bool states = to->gantt->groups[shape->group].shown == OCELOTL_STATE;
    if (states && shape->merged && place.height >= (leaves_gap(shape) ? GAP_FROM : MARKED_FROM))
        oc_scene_mark(to->scene, OC_MARK_DIAGONAL, to->gantt->picture->theme->ink);
}

/* Those without a tooltip leave the pointer to what is below. */
static void draw_tiles(layer *to, bool tooltips)
{
    bool begun = false;
    for (size_t i = to->begin; i < to->end; i++) {
        if (oc_gantt_has_tooltip(to->shapes, &to->shapes->shapes[i]) != tooltips)
            continue;
        if (!begun)
            oc_scene_group(to->scene, "states",
                           &(oc_group){.crisp = true, .inert = !tooltips, .tiles = true}, NULL);
        begun = true;
        draw_tile(to, &to->shapes->shapes[i]);
    }
    if (begun)
        oc_scene_group_end(to->scene);
}

static void draw_edges(const layer *to)
{
    for (size_t i = to->begin; i < to->end; i++) {
        const oc_gantt_shape *shape = &to->shapes->shapes[i];
        const box place = box_of(to->gantt, shape);
        if (!shape->merged)
            draw_edge(to->scene, to->gantt, &place, colour_of(to->gantt, shape), shape->lane);
    }
}

static void draw_layers(oc_scene *scene, const oc_gantt *gantt, const oc_gantt_shapes *shapes)
{
    layer to = {.scene = scene, .gantt = gantt, .shapes = shapes};
    for (to.begin = 0; to.begin < shapes->count; to.begin = to.end) {
        for (to.end = to.begin; to.end < shapes->count;) {
            if (shapes->shapes[to.end].layer != shapes->shapes[to.begin].layer)
                break;
            to.end++;
        }
        draw_tiles(&to, false);
        draw_tiles(&to, true);
        oc_scene_group(scene, "edges", &(oc_group){.inert = true}, NULL);
        draw_edges(&to);
        oc_scene_group_end(scene);
    }
    scene->failed = scene->failed || to.tooltip.failed;
    oc_text_free(&to.tooltip);
}

ocelotl_status oc_gantt_draw_states(oc_scene *scene, const oc_gantt *gantt,
                                    const oc_gantt_shapes *shapes)
{
    if (shapes->some_without || gantt->steps_from > 0)
        OC_TRY(oc_gantt_draw_areas(scene, gantt));
    draw_layers(scene, gantt, shapes);
    return OCELOTL_OK;
}

void oc_gantt_draw_names(oc_scene *scene, const oc_gantt *gantt, const oc_gantt_shapes *shapes)
{
    for (size_t i = 0; i < shapes->count; i++) {
        const oc_gantt_shape *shape = &shapes->shapes[i];
        box place = box_of(gantt, shape);
        if (shape->merged || shape->value == OCELOTL_NONE || place.height < LABEL_HEIGHT ||
            place.width < 2 * LABEL_PADDING)
            continue;
        const uint32_t row = row_of(gantt, shape);
        const ocelotl_drawn_object is =
            ocelotl_drawables_object_at(gantt->input->drawables, row, shape->first);
        const char *name = ocelotl_trace_value_at(gantt->input->trace, shape->value).name;
        place.width =
            fmin(place.width, floor(oc_gantt_x(gantt, covered_from(gantt, row, &is))) - place.x);
        draw_name(scene, gantt, &place, name, colour_of(gantt, shape));
    }
}

/* States as boxes, nested ones inside one another. What is too narrow for a box of its own comes
 * merged: neighbours of one leading value are one virtual object, as opaque as that value's share,
 * with a diagonal. So are rows that are too low. */
#include "viz/gantt/gantt.h"

#include "base/memory.h"
#include "viz/words/words.h"

#include <math.h>
#include <stdlib.h>

/* --- Shapes: the boxes before they are drawn */

enum { TOOLTIPS_MOST = 4000 /* more tooltips would take megabytes */ };

/* A shape that holds nearly nothing has this opacity, so that it is seen. Shares that differ by
 * less than a step look alike. */
static const double palest = 0.2;
static const double opacity_steps = 20;

static ocelotl_status give(oc_gantt_shapes *shapes, const oc_gantt *gantt, oc_gantt_shape *shape)
{
    OC_TRY(oc_grow(&shapes->shapes, &shapes->capacity, shapes->count + 1, sizeof *shapes->shapes));
    shape->left = (int)floor(oc_gantt_x(gantt, shape->begin));
    shape->right = (int)fmax(shape->left + 1, floor(oc_gantt_x(gantt, shape->end)));
    shape->layer = shape->lane;
    shape->opacity = fmin(1, fmax(palest, shape->opacity));
    shapes->shapes[shapes->count++] = *shape;
    return OCELOTL_OK;
}

static bool has_tooltip(const oc_gantt_shapes *shapes, const oc_gantt_shape *shape)
{
    return shape->count > 0 && shape->right - shape->left >= shapes->tooltips_from;
}

/* --- Rows that are drawn on their own */

/* How many ticks the leading value of a merged object takes. */
static int64_t leading(const oc_gantt *gantt, uint32_t row, uint64_t object,
                       const ocelotl_drawn_object *is)
{
    return is->shares > 0 ? ocelotl_drawables_share_at(gantt->drawables, row, object, 0).ticks
                          : is->ticks;
}

/* Merged objects that touch are one shape: the next one begins within a pixel of where the last one
 * ended. */
static bool continues(const oc_gantt *gantt, const oc_gantt_shape *run,
                      const ocelotl_drawn_object *is)
{
    return run->merged && is->count > 1 && run->lane == is->lane && run->value == is->value &&
           oc_gantt_x(gantt, is->begin) - oc_gantt_x(gantt, run->end) <= 1;
}

static ocelotl_status add_row(oc_gantt_shapes *shapes, const oc_gantt *gantt, uint32_t group)
{
    const uint32_t row = gantt->groups[group].first;
    const uint64_t objects = gantt->drawn[row].is.objects;
    for (uint64_t object = 0; object < objects;) {
        ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, object);
        oc_gantt_shape shape = {.group = group,
                                .value = is.value,
                                .lane = is.lane,
                                .first = object,
                                .merged = is.count > 1,
                                .begin = is.begin,
                                .end = is.end};
        int64_t ticks = 0;
        do {
            ticks += shape.merged ? leading(gantt, row, object, &is) : 0;
            shape.end = is.end > shape.end ? is.end : shape.end;
            if (++object < objects)
                is = oc_gantt_object_at(gantt, row, object);
        } while (object < objects && continues(gantt, &shape, &is));
        shape.count = object - shape.first;
        shape.opacity = shape.merged && shape.end > shape.begin
                            ? (double)ticks / ((double)shape.end - (double)shape.begin)
                            : 1;
        OC_TRY(give(shapes, gantt, &shape));
    }
    return OCELOTL_OK;
}

/* --- Rows that are drawn together */

/* Shapes a column in the colour of the value with most time. A column with any mark is seen. */
static oc_gantt_shape column_shape(const oc_gantt *gantt, uint32_t group, const oc_gantt_sum *sum,
                                   double ticks, uint32_t columns)
{
    const bool states = gantt->groups[group].shown == OCELOTL_STATE;
    return (oc_gantt_shape){
        .group = group,
        .value = sum->value != OC_GANTT_EVENTS ? sum->value : OCELOTL_NONE,
        .merged = true,
        .begin = oc_gantt_border(gantt, sum->column, columns),
        .end = oc_gantt_border(gantt, sum->column + 1, columns),
        .opacity = states ? ceil(sum->ticks / ticks * opacity_steps) / opacity_steps : 1};
}

static bool look_alike(const oc_gantt_shape *a, const oc_gantt_shape *b)
{
    return a->value == b->value && fabs(a->opacity - b->opacity) < 0.5 / opacity_steps &&
           a->end == b->begin;
}

static uint64_t weight_of(const oc_gantt *gantt, const oc_gantt_sum *sum)
{
    return sum->value < ocelotl_trace_value_count(gantt->trace) ? gantt->weights[sum->value] : 0;
}

/* Orders the sums of a column as the legend has the values. */
static void sort_as_legend(const oc_gantt *gantt, oc_gantt_sum *sums, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const oc_gantt_sum moved = sums[i];
        const uint64_t weight = weight_of(gantt, &moved);
        size_t k = i;
        for (; k > 0 &&
               (weight_of(gantt, &sums[k - 1]) < weight ||
                (weight_of(gantt, &sums[k - 1]) == weight && sums[k - 1].value > moved.value));
             k--)
            sums[k] = sums[k - 1];
        sums[k] = moved;
    }
}

/* Shapes a column as the shares of its values, one upon the other. A shape goes on where the one of
 * its value in the last column, shapes[last[value] - 1], is as high. */
static ocelotl_status stack(oc_gantt_shapes *shapes, const oc_gantt *gantt, oc_gantt_shape *shape,
                            const oc_gantt_sum *sums, size_t count, double ticks, size_t *last)
{
    const uint32_t values = ocelotl_trace_value_count(gantt->trace);
    const double height = oc_gantt_group_band(gantt, &gantt->groups[shape->group]).height;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        shape->value = sums[i].value < values ? sums[i].value : OCELOTL_NONE;
        shape->lane = shape->value < values ? shape->value : values;
        shape->low = round(sum / ticks * height) / height;
        shape->high = round((sum += sums[i].ticks) / ticks * height) / height;
        if (!(shape->high > shape->low))
            continue;
        oc_gantt_shape *before = &shapes->shapes[last[shape->lane] - (last[shape->lane] > 0)];
        if (last[shape->lane] > 0 && before->end == shape->begin &&
            fabs(before->low - shape->low) + fabs(before->high - shape->high) < 0.5 / height) {
            before->end = shape->end;
            before->right = (int)fmax(before->right, floor(oc_gantt_x(gantt, shape->end)));
            continue;
        }
        OC_TRY(give(shapes, gantt, shape));
        last[shape->lane] = shapes->count;
    }
    return OCELOTL_OK;
}

static ocelotl_status stack_group(oc_gantt_shapes *shapes, const oc_gantt *gantt, uint32_t group,
                                  oc_gantt_sums *sums, uint32_t columns)
{
    size_t *last = NULL;
    ocelotl_status status =
        oc_allocate(&last, (size_t)ocelotl_trace_value_count(gantt->trace) + 1, sizeof *last);
    for (size_t i = 0, end; i < sums->count && status == OCELOTL_OK; i = end) {
        end = oc_gantt_sums_end(sums, i);
        oc_gantt_shape shape = column_shape(gantt, group, &sums->sums[i], sums->ticks, columns);
        shape.opacity = 1;
        sort_as_legend(gantt, sums->sums + i, end - i);
        status = stack(shapes, gantt, &shape, sums->sums + i, end - i, sums->ticks, last);
    }
    free(last);
    return status;
}

static ocelotl_status add_group(oc_gantt_shapes *shapes, const oc_gantt *gantt, uint32_t group,
                                oc_gantt_sums *sums)
{
    const double wanted = floor(gantt->frame.width / gantt->picture->smallest);
    const uint32_t columns = (uint32_t)fmax(1, fmin(wanted, gantt->info.cells));
    oc_gantt_shape shape = {0};
    OC_TRY(oc_gantt_sum_group(sums, gantt, &gantt->groups[group], columns, false));
    if (gantt->stacked && gantt->scale.name == NULL && gantt->groups[group].shown == OCELOTL_STATE)
        return stack_group(shapes, gantt, group, sums, columns);
    for (size_t i = 0; i < sums->count; i = oc_gantt_sums_end(sums, i)) {
        const oc_gantt_shape next =
            column_shape(gantt, group, &sums->sums[i], sums->ticks, columns);
        if (shape.merged && look_alike(&shape, &next)) {
            shape.end = next.end;
            continue;
        }
        if (shape.merged)
            OC_TRY(give(shapes, gantt, &shape));
        shape = next;
    }
    return shape.merged ? give(shapes, gantt, &shape) : OCELOTL_OK;
}

/* --- All shapes */

static int compare_shapes(const void *left, const void *right)
{
    const oc_gantt_shape *a = left;
    const oc_gantt_shape *b = right;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->begin > b->begin) - (a->begin < b->begin);
}

static void sort(const oc_gantt_shapes *shapes)
{
    bool in_order = true;
    for (size_t i = 1; i < shapes->count && in_order; i++)
        in_order = compare_shapes(&shapes->shapes[i - 1], &shapes->shapes[i]) <= 0;
    if (!in_order)
        qsort(shapes->shapes, shapes->count, sizeof *shapes->shapes, compare_shapes);
}

static void cut(oc_gantt_shapes *shapes)
{
    for (size_t i = 0; i < shapes->count; i++) {
        oc_gantt_shape *shape = &shapes->shapes[i];
        const oc_gantt_shape *next = i + 1 < shapes->count ? shape + 1 : NULL;
        const bool beside =
            next != NULL && next->layer == shape->layer && next->group == shape->group;
        shape->seen =
            (beside && next->left < shape->right ? next->left : shape->right) - shape->left;
    }
}

/* The widest ones have a tooltip. */
static ocelotl_status choose_tooltips(oc_gantt_shapes *shapes, const oc_gantt *gantt)
{
    const int most = gantt->frame.width > 0 ? gantt->frame.width + 1 : 1;
    size_t *by_width = NULL;
    size_t given = 0;
    OC_TRY(oc_allocate(&by_width, (size_t)most + 1, sizeof *by_width));
    for (size_t i = 0; i < shapes->count; i++) {
        const int width = shapes->shapes[i].right - shapes->shapes[i].left;
        by_width[width < most ? width : most] += shapes->shapes[i].count > 0;
        shapes->some_without = shapes->some_without || shapes->shapes[i].count == 0;
    }
    shapes->tooltips_from = most + 1;
    while (shapes->tooltips_from > 0 &&
           given + by_width[shapes->tooltips_from - 1] <= TOOLTIPS_MOST)
        given += by_width[--shapes->tooltips_from];
    shapes->some_without = shapes->some_without || shapes->tooltips_from > 0;
    free(by_width);
    return OCELOTL_OK;
}

static ocelotl_status add_all(oc_gantt_shapes *shapes, const oc_gantt *gantt, oc_gantt_sums *sums)
{
    for (uint32_t i = 0; i < gantt->group_count; i++) {
        const oc_gantt_group *group = &gantt->groups[i];
        const bool together =
            group->end - group->first > 1 || (group->shown == OCELOTL_EVENT && gantt->many_marks);
        const bool shapely =
            group->shown == OCELOTL_STATE || (together && group->shown == OCELOTL_EVENT);
        if (shapely && oc_gantt_group_band(gantt, group).height >= 1)
            OC_TRY(together ? add_group(shapes, gantt, i, sums) : add_row(shapes, gantt, i));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_gantt_shapes_find(oc_gantt_shapes *shapes, const oc_gantt *gantt)
{
    oc_gantt_sums sums = {0};
    const ocelotl_status status = add_all(shapes, gantt, &sums);
    oc_gantt_sums_free(&sums);
    OC_TRY(status);
    sort(shapes);
    /* Raises inner shapes. If two shapes share pixels, the later one is seen; a shape inside
     * another one is drawn over it. Merging over several lanes makes such shapes. */
    int right = 0;
    for (size_t i = 0; i < shapes->count; i++) {
        oc_gantt_shape *shape = &shapes->shapes[i];
        const bool beside =
            i > 0 && shape[-1].lane == shape->lane && shape[-1].group == shape->group;
        if (beside && shape->right < right)
            shape->layer++;
        else
            right = shape->right;
    }
    sort(shapes);
    cut(shapes);
    return choose_tooltips(shapes, gantt);
}

void oc_gantt_shapes_free(oc_gantt_shapes *shapes)
{
    free(shapes->shapes);
    *shapes = (oc_gantt_shapes){0};
}

/* --- Drawing */

enum {
    GAP_FROM = 4, /* rows at least this high leave a line of the paper below them */
    /* rows drawn together have a diagonal from this height on */
    MARKED_FROM = 6,
    EDGED_FROM = 6,    /* boxes at least this wide and high have an edge */
    INSET_MOST = 4,    /* pixels by which a nested state is smaller at each side */
    LABEL_HEIGHT = 12, /* pixels a box needs for its name */
    LABEL_ROOM = 64,   /* or what the whole name takes */
    LABEL_PADDING = 4,
    PLATE_HEIGHT = 13, /* behind a name, from this far above the middle on */
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

/* What drawing a layer takes. */
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
    if (gantt->scale.name != NULL)
        return oc_gantt_colour_carried(
            gantt, 0,
            shape->merged
                ? NULL
                : oc_gantt_object_at(gantt, row_of(gantt, shape), shape->first).attributes);
    if (shape->value != OCELOTL_NONE)
        return gantt->colours[shape->value];
    const oc_gantt_group *group = &gantt->groups[shape->group];
    const uint32_t event_type = gantt->drawn[group->first].is.event_type;
    const bool events = group->shown == OCELOTL_EVENT && event_type != OCELOTL_NONE;
    return events ? gantt->type_colours[event_type] : gantt->picture->theme->muted;
}

/* Returns whether a shape leaves a gap. One drawn column by column is one thing, however its look
 * changes. */
static bool leaves_gap(const oc_gantt_shape *shape)
{
    return shape->count > 0;
}

static box box_of(const oc_gantt *gantt, const oc_gantt_shape *shape)
{
    const oc_gantt_band band = oc_gantt_group_band(gantt, &gantt->groups[shape->group]);
    const uint32_t lanes = gantt->drawn[row_of(gantt, shape)].is.lanes;
    const bool gap =
        gantt->stacked || gantt->groups[shape->group].end - gantt->groups[shape->group].first == 1;
    const double height = gap && band.height >= GAP_FROM ? band.height - 1 : band.height;
    if (shape->high > 0) {
        const double upper = round(band.top + height * (1 - shape->high));
        return (box){shape->left, upper, shape->right - shape->left,
                     round(band.top + height * (1 - shape->low)) - upper};
    }
    const double inset = fmin(INSET_MOST, height / (2.0 * lanes)) * shape->lane;
    const double top = floor(band.top + inset);
    return (box){shape->left, top, shape->right - shape->left,
                 fmax(1, floor(band.top + height - inset) - top)};
}

/* An edge shows a nested state that has the colour of the state around it. */
static void draw_edge(oc_scene *scene, const oc_gantt *gantt, const box *place, uint32_t colour,
                      uint32_t lane)
{
    if (lane == 0 || place->width < EDGED_FROM || place->height < EDGED_FROM)
        return;
    oc_rectangle edge = oc_rectangle_of(place->x + 0.5, place->y + 0.5, place->width - 2,
                                        place->height - 1, OC_COLOUR_NONE);
    edge.stroke = oc_colour_mix(colour, gantt->picture->theme->ink, 0.35);
    oc_scene_rectangle(scene, &edge, NULL);
}

/* Draws a plate behind a name, so that what crosses it stays visible but behind. */
static void draw_plate(oc_scene *scene, const box *place, double width, uint32_t colour)
{
    const double top = fmax(place->y, floor(place->y + place->height / 2) - PLATE_ABOVE);
    oc_rectangle plate =
        oc_rectangle_of(place->x + 1, top, floor(fmin(place->width - 2, width + 2 * LABEL_PADDING)),
                        fmin(PLATE_HEIGHT, place->y + place->height - top), colour);
    plate.opacity = plate_opacity;
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
        const oc_label label =
            oc_label_at(place->x + LABEL_PADDING, floor(place->y + place->height / 2) + 4,
                        OC_ANCHOR_START, oc_ink_on(colour));
        if (gantt->links.drawn > 0)
            draw_plate(scene, place, oc_lettering_width(cut.bytes, OC_SIZE_LABEL, false), colour);
        oc_scene_label(scene, &label, cut.bytes, NULL);
    }
    oc_scene_take(scene, &cut);
}

/* Finds where a state inside this one begins, so that the name ends before it; else the end of this
 * one. Objects come by lane, then by begin. */
static int64_t covered_from(const oc_gantt *gantt, uint32_t row, const ocelotl_drawn_object *is)
{
    uint64_t low = 0;
    uint64_t high = gantt->drawn[row].is.objects;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const ocelotl_drawn_object at = oc_gantt_object_at(gantt, row, middle);
        if (at.lane < is->lane + 1 || (at.lane == is->lane + 1 && at.end <= is->begin))
            low = middle + 1;
        else
            high = middle;
    }
    const ocelotl_drawn_object inside = oc_gantt_object_at(gantt, row, low);
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
    OC_PHRASE(tooltip, "\n{}\n", oc_word_text(drawn->is.path));
    oc_gantt_add_span(tooltip, gantt, is->begin, is->end);
    oc_text_add(tooltip, is->begins_before && is->ends_after
                             ? "\nbegins before and ends after what is shown"
                         : is->begins_before ? "\nbegins before what is shown"
                         : is->ends_after    ? "\nends after what is shown"
                                             : "");
    oc_gantt_add_attributes(tooltip, gantt, is->attributes);
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
        const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, object);
        count += is.count;
        ticks += is.ticks;
        for (uint32_t i = 0; i < is.shares; i++) {
            const ocelotl_drawn_share share =
                ocelotl_drawables_share_at(gantt->drawables, row, object, i);
            add_share(&values, &share);
        }
    }
    oc_count_add(tooltip, count);
    oc_text_format(tooltip, " states, too short to be drawn apart\n%s\n",
                   gantt->drawn[row].is.path);
    oc_gantt_add_span(tooltip, gantt, shape->begin, shape->end);
    describe_values(tooltip, gantt, row, &values, ticks);
}

/* --- Layers */

static void draw_tile(layer *to, const oc_gantt_shape *shape)
{
    const bool tooltips = has_tooltip(to->shapes, shape);
    const box place = box_of(to->gantt, shape);
    const bool gap = place.width >= 3 && leaves_gap(shape);
    oc_rectangle rectangle = oc_rectangle_of(place.x, place.y, fmin(shape->seen, place.width - gap),
                                             place.height, colour_of(to->gantt, shape));
    rectangle.opacity = shape->opacity;
    if (!(rectangle.width > 0))
        return;
    oc_text_clear(&to->tooltip);
    if (tooltips) {
        const uint32_t row = row_of(to->gantt, shape);
        if (shape->merged) {
            describe_merged(&to->tooltip, to->gantt, shape);
        } else {
            const ocelotl_drawn_object is = oc_gantt_object_at(to->gantt, row, shape->first);
            describe_single(&to->tooltip, to->gantt, row, &is);
        }
    }
    oc_scene_rectangle(to->scene, &rectangle, tooltips ? to->tooltip.bytes : NULL);
    const bool states = to->gantt->groups[shape->group].shown == OCELOTL_STATE;
    if (states && shape->merged && !(shape->high > 0) &&
        place.height >= (leaves_gap(shape) ? GAP_FROM : MARKED_FROM))
        oc_scene_mark(to->scene, OC_MARK_DIAGONAL, to->gantt->picture->theme->ink);
}

/* Draws tiles. Without a tooltip, they let the pointer reach what is below. */
static void draw_tiles(layer *to, bool tooltips)
{
    bool begun = false;
    for (size_t i = to->begin; i < to->end; i++) {
        if (has_tooltip(to->shapes, &to->shapes->shapes[i]) != tooltips)
            continue;
        if (!begun)
            oc_scene_group(to->scene, "states",
                           &(oc_group_style){.crisp = true, .inert = !tooltips, .tiles = true},
                           NULL);
        begun = true;
        draw_tile(to, &to->shapes->shapes[i]);
    }
    if (begun)
        oc_scene_group_end(to->scene);
}

ocelotl_status oc_gantt_draw_states(oc_scene *scene, const oc_gantt *gantt,
                                    const oc_gantt_shapes *shapes)
{
    if (shapes->some_without || gantt->steps_from > 0)
        OC_TRY(oc_gantt_draw_areas(scene, gantt));
    layer to = {.scene = scene, .gantt = gantt, .shapes = shapes};
    for (to.begin = 0; to.begin < shapes->count; to.begin = to.end) {
        for (to.end = to.begin; to.end < shapes->count;) {
            if (shapes->shapes[to.end].layer != shapes->shapes[to.begin].layer)
                break;
            to.end++;
        }
        draw_tiles(&to, false);
        draw_tiles(&to, true);
        oc_scene_group(scene, "edges", &(oc_group_style){.inert = true}, NULL);
        for (size_t i = to.begin; i < to.end; i++) {
            const oc_gantt_shape *shape = &to.shapes->shapes[i];
            const box place = box_of(to.gantt, shape);
            if (!shape->merged)
                draw_edge(to.scene, to.gantt, &place, colour_of(to.gantt, shape), shape->lane);
        }
        oc_scene_group_end(scene);
    }
    oc_scene_take(scene, &to.tooltip);
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
        const ocelotl_drawn_object is = oc_gantt_object_at(gantt, row, shape->first);
        const char *name = ocelotl_trace_value_at(gantt->trace, shape->value).name;
        place.width =
            fmin(place.width, floor(oc_gantt_x(gantt, covered_from(gantt, row, &is))) - place.x);
        draw_name(scene, gantt, &place, name, colour_of(gantt, shape));
    }
}

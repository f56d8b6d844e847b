#include "viz/gantt/gantt.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { TOOLTIPS_MOST = 4000 /* of shapes: more would make megabytes */ };

/* Opacity of what holds nearly nothing: it must still be seen. Shares that differ by less than a
 * step look alike. */
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

/* --- Rows that are drawn on their own */

/* What part of a merged object its leading value is, in ticks. */
static int64_t leading(const oc_gantt *gantt, uint32_t row, uint64_t object,
                       const ocelotl_drawn_object *is)
{
    return is->shares > 0
               ? ocelotl_drawables_share_at(gantt->input->drawables, row, object, 0).ticks
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
        ocelotl_drawn_object is = ocelotl_drawables_object_at(gantt->input->drawables, row, object);
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
                is = ocelotl_drawables_object_at(gantt->input->drawables, row, object);
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

static int64_t border(const oc_gantt *gantt, uint32_t column, uint32_t columns)
{
    const double length = (double)gantt->info.to - (double)gantt->info.from;
    return column >= columns ? gantt->info.to
                             : gantt->info.from + (int64_t)(length * column / columns);
}

/* A column, in the colour of the value with most time; marks are seen wherever there is one. */
static oc_gantt_shape column_shape(const oc_gantt *gantt, uint32_t group, const oc_gantt_sum *sum,
                                   double ticks, uint32_t columns)
{
    const bool states = gantt->groups[group].shown == OCELOTL_STATE;
    return (oc_gantt_shape){
        .group = group,
        .value = sum->value != OC_GANTT_EVENTS ? sum->value : OCELOTL_NONE,
        .merged = true,
        .begin = border(gantt, sum->column, columns),
        .end = border(gantt, sum->column + 1, columns),
        .opacity = states ? ceil(sum->ticks / ticks * opacity_steps) / opacity_steps : 1};
}

static bool look_alike(const oc_gantt_shape *a, const oc_gantt_shape *b)
{
    return a->value == b->value && fabs(a->opacity - b->opacity) < 0.5 / opacity_steps &&
           a->end == b->begin;
}

static ocelotl_status add_group(oc_gantt_shapes *shapes, const oc_gantt *gantt, uint32_t group,
                                oc_gantt_sums *sums)
{
    const double wanted = floor(gantt->frame.width / gantt->picture->smallest);
    const uint32_t columns = (uint32_t)fmax(1, fmin(wanted, gantt->info.cells));
    oc_gantt_shape shape = {0};
    OC_TRY(oc_gantt_sum_group(sums, gantt, &gantt->groups[group], columns, false));
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

/* --- All */

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

/* Of two that share pixels the later one is seen. One inside another, as there may be below what is
 * merged over several lanes, is drawn over it. */
static void raise_inner(oc_gantt_shapes *shapes)
{
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
    raise_inner(shapes);
    sort(shapes);
    cut(shapes);
    return choose_tooltips(shapes, gantt);
}

void oc_gantt_shapes_free(oc_gantt_shapes *shapes)
{
    free(shapes->shapes);
    *shapes = (oc_gantt_shapes){0};
}

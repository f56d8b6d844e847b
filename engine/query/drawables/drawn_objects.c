/* From events in order to objects: what is narrow is collected, by lane and cell, until the next
 * cell. */
#include "query/drawables/drawables.h"

#include "base/memory.h"
#include "store/select/resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ocelotl_status oc_drawing_need_lane(oc_drawing *drawing, uint32_t lane)
{
    const size_t before = drawing->merge_capacity;
    if (lane < drawing->merge_count)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&drawing->merges, &drawing->merge_capacity, (size_t)lane + 1,
                   sizeof *drawing->merges));
    memset(drawing->merges + before, 0,
           (drawing->merge_capacity - before) * sizeof *drawing->merges);
    drawing->merge_count = (size_t)lane + 1;
    return OCELOTL_OK;
}

static bool is_variable(const oc_drawing *drawing)
{
    return drawing->stream->role == OC_ROLE_VARIABLE;
}

static ocelotl_status give(oc_drawing *drawing, const oc_object *object)
{
    oc_drawn_pool *pool = drawing->pool;
    OC_TRY(oc_grow(&pool->objects, &pool->object_capacity, pool->object_count + 1,
                   sizeof *pool->objects));
    pool->objects[pool->object_count++] = *object;
    return OCELOTL_OK;
}

static ocelotl_status give_numbers(uint64_t *place, oc_drawing *drawing, const oc_numbers *numbers)
{
    oc_drawn_pool *pool = drawing->pool;
    OC_TRY(oc_grow(&pool->numbers, &pool->number_capacity, pool->number_count + 1,
                   sizeof *pool->numbers));
    *place = pool->number_count;
    pool->numbers[pool->number_count++] = *numbers;
    return OCELOTL_OK;
}

static int compare_shares(const void *left, const void *right)
{
    const ocelotl_drawn_share *a = left;
    const ocelotl_drawn_share *b = right;
    if (a->ticks != b->ticks)
        return a->ticks < b->ticks ? 1 : -1;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    return (a->value > b->value) - (a->value < b->value);
}

/* The largest ones are kept; a single event needs none. */
static ocelotl_status give_shares(oc_object *object, oc_drawing *drawing, oc_merge *merge)
{
    oc_drawn_pool *pool = drawing->pool;
    if (merge->share_count > 1)
        qsort(merge->shares, merge->share_count, sizeof *merge->shares, compare_shares);
    object->value = merge->share_count > 0 ? merge->shares[0].value : OCELOTL_NONE;
    object->shares = 0;
    if (object->count == 1)
        return OCELOTL_OK;
    object->shares = merge->share_count < drawing->max_values ? (uint32_t)merge->share_count
                                                              : drawing->max_values;
    object->share = pool->share_count;
    OC_TRY(oc_grow(&pool->shares, &pool->share_capacity, pool->share_count + object->shares,
                   sizeof *pool->shares));
    for (uint32_t i = 0; i < object->shares; i++)
        pool->shares[pool->share_count++] = merge->shares[i];
    return OCELOTL_OK;
}

static ocelotl_status give_merged(oc_drawing *drawing, oc_merge *merge)
{
    oc_object object = merge->object;
    if (object.count == 0)
        return OCELOTL_OK;
    if (is_variable(drawing)) {
        const double mean = object.ticks > 0 ? merge->integral / (double)object.ticks : merge->last;
        OC_TRY(give_numbers(&object.share, drawing, &(oc_numbers){merge->low, merge->high, mean}));
    } else {
        OC_TRY(give_shares(&object, drawing, merge));
    }
    if (object.count > 1)
        object.begins_before = object.ends_after = false;
    merge->object = (oc_object){0};
    merge->share_count = 0;
    return give(drawing, &object);
}

ocelotl_status oc_drawing_merge(oc_merge **merge, oc_drawing *drawing, uint32_t lane, uint32_t cell)
{
    OC_TRY(oc_drawing_need_lane(drawing, lane));
    oc_merge *found = &drawing->merges[lane];
    if (found->object.count > 0 && found->cell != cell)
        OC_TRY(give_merged(drawing, found));
    if (found->object.count == 0)
        *found = (oc_merge){.object = {.value = OCELOTL_NONE, .lane = lane},
                            .cell = cell,
                            .low = INFINITY,
                            .high = -INFINITY,
                            .shares = found->shares,
                            .share_capacity = found->share_capacity};
    *merge = found;
    return OCELOTL_OK;
}

void oc_merge_extend(oc_merge *merge, int64_t begin, int64_t end)
{
    oc_object *object = &merge->object;
    if (object->count == 0 || begin < object->begin)
        object->begin = begin;
    if (object->count == 0 || end > object->end)
        object->end = end;
}

ocelotl_status oc_merge_count(oc_merge *merge, uint32_t value, uint64_t count, int64_t ticks)
{
    size_t i = merge->share_count;
    while (i > 0 && merge->shares[i - 1].value != value)
        i--;
    if (i == 0) {
        OC_TRY(oc_grow(&merge->shares, &merge->share_capacity, merge->share_count + 1,
                       sizeof *merge->shares));
        merge->shares[merge->share_count++] = (ocelotl_drawn_share){.value = value};
        i = merge->share_count;
    }
    ocelotl_drawn_share *share = &merge->shares[i - 1];
    share->count += count;
    merge->object.count += count;
    if (!oc_add_times(&share->ticks, share->ticks, ticks) ||
        !oc_add_times(&merge->object.ticks, merge->object.ticks, ticks))
        return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events: a total out of range");
    return OCELOTL_OK;
}

static ocelotl_status add_narrow(oc_drawing *drawing, const oc_piece *piece)
{
    oc_merge *merge;
    const int64_t ticks = piece->end - piece->begin;
    OC_TRY(oc_drawing_merge(&merge, drawing, piece->lane, piece->cell));
    oc_merge_extend(merge, piece->begin, piece->end);
    merge->object.begins_before = piece->begins_before;
    merge->object.ends_after = piece->ends_after;
    if (!is_variable(drawing))
        return oc_merge_count(merge, piece->value, 1, ticks);
    merge->low = piece->number < merge->low ? piece->number : merge->low;
    merge->high = piece->number > merge->high ? piece->number : merge->high;
    merge->integral += piece->number * (double)ticks;
    merge->last = piece->number;
    merge->object.ticks += ticks;
    merge->object.count++;
    return OCELOTL_OK;
}

ocelotl_status oc_drawing_add(oc_drawing *drawing, const oc_piece *piece)
{
    const int64_t ticks = piece->end - piece->begin;
    if (ticks < drawing->cells.narrow || ticks == 0)
        return add_narrow(drawing, piece);
    oc_object object = {.begin = piece->begin,
                        .end = piece->end,
                        .ticks = ticks,
                        .count = 1,
                        .value = piece->value,
                        .lane = piece->lane,
                        .begins_before = piece->begins_before,
                        .ends_after = piece->ends_after};
    OC_TRY(oc_drawing_need_lane(drawing, piece->lane));
    if (is_variable(drawing))
        OC_TRY(give_numbers(&object.share, drawing,
                            &(oc_numbers){piece->number, piece->number, piece->number}));
    return give(drawing, &object);
}

static int compare_objects(const void *left, const void *right)
{
    const oc_object *a = left;
    const oc_object *b = right;
    if (a->lane != b->lane)
        return a->lane < b->lane ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static bool are_in_order(const oc_object *objects, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (compare_objects(&objects[i - 1], &objects[i]) > 0)
            return false;
    return true;
}

ocelotl_status oc_drawing_end_row(oc_drawing *drawing)
{
    oc_drawn_pool *pool = drawing->pool;
    oc_drawn_row *row = &drawing->made->rows[drawing->row];
    for (size_t i = 0; i < drawing->merge_count; i++)
        OC_TRY(give_merged(drawing, &drawing->merges[i]));
    row->lanes = drawing->merge_count > 0 ? (uint32_t)drawing->merge_count : 1;
    row->count = pool->object_count - row->first;
    drawing->merge_count = 0;
    /* Where there are none at all, there is no array. */
    if (row->count > 1 && !are_in_order(pool->objects + row->first, row->count))
        qsort(pool->objects + row->first, row->count, sizeof *pool->objects, compare_objects);
    return OCELOTL_OK;
}

bool oc_drawing_wants(const oc_drawing *drawing, const oc_stream *stream)
{
    return stream->count > 0 && oc_is_selected(drawing->resources, stream->resource) &&
           oc_is_selected(drawing->event_types, stream->event_type);
}

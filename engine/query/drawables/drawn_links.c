/* Links between rows: those that would be drawn over each other are one, and those that stand for
 * the most are kept. */
#include "query/drawables/drawables.h"

#include "base/memory.h"

#include <stdlib.h>

/* Takes from a link what it carries. */
static void strip(ocelotl_drawn_link *link)
{
    free((char *)link->attributes);
    link->attributes = NULL;
}

/* A resource's first row. */
static uint32_t row_of(const oc_drawing *drawing, uint32_t resource)
{
    return resource == OCELOTL_NONE ? OCELOTL_NONE : drawing->row_of_resource[resource];
}

static bool is_wrong(const ocelotl_drawn_link *link)
{
    return link->end < link->begin;
}

ocelotl_status oc_drawing_add_link(oc_drawing *drawing, const ocelotl_drawn_link *link)
{
    if (drawing->only_wrong && !is_wrong(link))
        return OCELOTL_OK;
    drawing->pool->links_wrong += is_wrong(link);
    drawing->pool->links_outside += row_of(drawing, link->source) == OCELOTL_NONE ||
                                    row_of(drawing, link->target) == OCELOTL_NONE;
    return oc_drawing_add_links(drawing, link);
}

ocelotl_status oc_drawing_add_links(oc_drawing *drawing, const ocelotl_drawn_link *link)
{
    const oc_time_cells *cells = &drawing->cells;
    if (drawing->only_wrong && !is_wrong(link))
        return OCELOTL_OK;
    OC_TRY(oc_grow(&drawing->links, &drawing->link_capacity, drawing->link_count + 1,
                   sizeof *drawing->links));
    char *carried = NULL;
    if (link->attributes != NULL)
        OC_TRY(oc_copy_text(&carried, link->attributes));
    oc_link *added = &drawing->links[drawing->link_count++];
    *added = (oc_link){*link, oc_time_cells_find(cells, link->begin),
                       oc_time_cells_find(cells, link->end)};
    added->link.attributes = carried;
    added->link.event_type = drawing->stream->event_type;
    added->link.source = row_of(drawing, link->source);
    added->link.target = row_of(drawing, link->target);
    return OCELOTL_OK;
}

static int compare_times(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Sorts links that are merged side by side, the first of them first. */
static int compare_places(const void *left, const void *right)
{
    const oc_link *a = left;
    const oc_link *b = right;
    if (a->link.target != b->link.target)
        return a->link.target < b->link.target ? -1 : 1;
    if (a->begin_cell != b->begin_cell)
        return a->begin_cell < b->begin_cell ? -1 : 1;
    if (a->end_cell != b->end_cell)
        return a->end_cell < b->end_cell ? -1 : 1;
    if (is_wrong(&a->link) != is_wrong(&b->link))
        return is_wrong(&a->link) ? 1 : -1;
    const int begin = compare_times(a->link.begin, b->link.begin);
    return begin != 0 ? begin : compare_times(a->link.end, b->link.end);
}

static bool is_same_place(const oc_link *a, const oc_link *b)
{
    return a->link.target == b->link.target && a->begin_cell == b->begin_cell &&
           a->end_cell == b->end_cell && is_wrong(&a->link) == is_wrong(&b->link);
}

/* Sorts by row, begin and target. */
static int compare_links(const void *left, const void *right)
{
    const ocelotl_drawn_link *a = left;
    const ocelotl_drawn_link *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    const int begin = compare_times(a->begin, b->begin);
    if (begin != 0)
        return begin;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    const int end = compare_times(a->end, b->end);
    return end != 0 ? end : (a->event_type > b->event_type) - (a->event_type < b->event_type);
}

static uint64_t length_of(const ocelotl_drawn_link *link)
{
    return link->end > link->begin ? (uint64_t)link->end - (uint64_t)link->begin
                                   : (uint64_t)link->begin - (uint64_t)link->end;
}

/* Sorts by the number of links that one stands for, then by length. */
static int compare_weights(const void *left, const void *right)
{
    const ocelotl_drawn_link *a = left;
    const ocelotl_drawn_link *b = right;
    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    if (length_of(a) != length_of(b))
        return length_of(a) < length_of(b) ? 1 : -1;
    return compare_links(left, right);
}

/* Keeps no more than are wanted. */
static void keep_heaviest(oc_drawn_pool *pool, uint32_t most)
{
    if (pool->link_count <= most)
        return;
    qsort(pool->links, pool->link_count, sizeof *pool->links, compare_weights);
    for (size_t i = most; i < pool->link_count; i++) {
        pool->links_left_out += pool->links[i].count;
        strip(&pool->links[i]);
    }
    pool->link_count = most;
}

ocelotl_status oc_drawing_end_links(oc_drawing *drawing)
{
    oc_drawn_pool *pool = drawing->pool;
    const size_t count = drawing->link_count;
    OC_TRY(
        oc_grow(&pool->links, &pool->link_capacity, pool->link_count + count, sizeof *pool->links));
    if (count > 1)
        qsort(drawing->links, count, sizeof *drawing->links, compare_places);
    for (size_t i = 0; i < count; i++) {
        oc_link *link = &drawing->links[i];
        if (i == 0 || !is_same_place(link, link - 1)) {
            pool->links[pool->link_count++] = link->link;
            continue;
        }
        ocelotl_drawn_link *same = &pool->links[pool->link_count - 1];
        same->count += link->link.count;
        same->value = OCELOTL_NONE;
        strip(same);
        strip(&link->link);
    }
    drawing->link_count = 0;
    /* Sorting is worth it for many at a time. */
    if (pool->link_count / 2 > drawing->max_links)
        keep_heaviest(pool, drawing->max_links);
    return OCELOTL_OK;
}

ocelotl_status oc_drawing_join_links(oc_drawing *drawing)
{
    ocelotl_drawables *made = drawing->made;
    oc_drawn_pool *first = &made->pools[0];
    for (uint32_t i = 1; i < made->pool_count; i++) {
        oc_drawn_pool *pool = &made->pools[i];
        OC_TRY(oc_grow(&first->links, &first->link_capacity, first->link_count + pool->link_count,
                       sizeof *first->links));
        for (size_t l = 0; l < pool->link_count; l++)
            first->links[first->link_count++] = pool->links[l];
        pool->link_count = 0;
        first->links_left_out += pool->links_left_out;
        first->links_wrong += pool->links_wrong;
        first->links_outside += pool->links_outside;
    }
    keep_heaviest(first, drawing->max_links);
    if (first->link_count > 1)
        qsort(first->links, first->link_count, sizeof *first->links, compare_links);
    made->info.links_left_out = first->links_left_out;
    made->info.links_wrong = first->links_wrong;
    made->info.links_outside = first->links_outside;
    return OCELOTL_OK;
}

void oc_drawn_links_free(ocelotl_drawn_link *links, size_t count)
{
    for (size_t i = 0; i < count; i++)
        strip(&links[i]);
    free(links);
}

/* Draws orphan links. They may be noted late, so all that follow are read. */
ocelotl_status oc_draw_orphans(oc_drawing *drawing)
{
    const oc_time_cells *cells = &drawing->cells;
    const oc_record *record;
    OC_TRY(oc_drawing_walk(drawing, INT64_MAX, true));
    OC_TRY(oc_walk_next_instant(&record, &drawing->walk));
    while (record != NULL) {
        const int64_t time = record->time + record->duration;
        const bool shown =
            record->partner == OCELOTL_NONE && time >= cells->from && time <= cells->last &&
            oc_filter_shows(&drawing->made->filter, drawing->stream->event_type, record->value);
        if (shown) {
            const char *json;
            OC_TRY(oc_drawing_describe(&json, drawing, NULL, record));
            OC_TRY(oc_drawing_add_link(drawing,
                                       &(ocelotl_drawn_link){.source = OCELOTL_NONE,
                                                             .target = drawing->stream->resource,
                                                             .value = record->value,
                                                             .begin = time,
                                                             .end = time,
                                                             .count = 1,
                                                             .attributes = json}));
        }
        OC_TRY(oc_walk_next_instant(&record, &drawing->walk));
    }
    return OCELOTL_OK;
}

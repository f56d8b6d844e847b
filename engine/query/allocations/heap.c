/* What blocks of memory add up to, by who allocates them, and what was alive at an instant. */
#include "query/allocations.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdlib.h>

typedef struct adding {
    oc_heap *heap;
    oc_map places;  /* of rows, by what they are of */
    uint64_t alive; /* bytes, after the last change */
    int64_t time;   /* of the last change */
    uint32_t epoch; /* how many instants were the peak so far, or that wanted */
} adding;

/* What is alive in a row at the instant is known once it changes after that. */
static void settle(oc_heap_row *row, uint32_t epoch)
{
    if (row->epoch == epoch)
        return;
    row->epoch = epoch;
    row->alive_blocks = row->blocks - row->freed_blocks;
    row->alive_bytes = row->bytes - row->freed_bytes;
}

static ocelotl_status change_row(adding *to, oc_heap_by by, uint32_t name, uint32_t other,
                                 const oc_block_change *change)
{
    oc_heap *heap = to->heap;
    const uint32_t key[] = {(uint32_t)by, name, other};
    uint32_t place = oc_map_get(&to->places, key, sizeof key);
    if (place == OC_MAP_NONE) {
        OC_TRY(oc_grow(&heap->rows, &heap->capacity, heap->count + 1, sizeof *heap->rows));
        place = (uint32_t)heap->count++;
        heap->rows[place] =
            (oc_heap_row){.by = by, .name = name, .other = other, .epoch = to->epoch};
        OC_TRY(oc_map_set(&to->places, key, sizeof key, place));
    }
    oc_heap_row *row = &heap->rows[place];
    settle(row, to->epoch);
    if (change->comes || by == OC_HEAP_BY_PAIR) {
        row->blocks++;
        row->bytes += change->block->size;
    }
    if (change->comes)
        return OCELOTL_OK;
    row->freed_blocks++;
    row->freed_bytes += change->block->size;
    row->temporary += change->is_last;
    row->elsewhere += change->resource != change->block->resource;
    return OCELOTL_OK;
}

/* The power of two that a size is not below. */
static uint32_t class_of(uint64_t size)
{
    return size > 0 ? 63 - (uint32_t)__builtin_clzll(size) : OCELOTL_NONE;
}

static ocelotl_status add_change(adding *to, const oc_block_change *change)
{
    const oc_block *block = change->block;
    to->time = change->time;
    if (block == NULL) {
        to->heap->unknown++;
        return OCELOTL_OK;
    }
    to->alive += change->comes ? block->size : 0 - block->size;
    OC_TRY(change_row(to, OC_HEAP_ALL, 0, 0, change));
    OC_TRY(change_row(to, OC_HEAP_BY_RESOURCE, block->resource, 0, change));
    OC_TRY(change_row(to, OC_HEAP_BY_SIZE, class_of(block->size), 0, change));
    if (block->caller != OCELOTL_NONE)
        OC_TRY(change_row(to, OC_HEAP_BY_CALLER, block->caller, 0, change));
    return change->comes
               ? OCELOTL_OK
               : change_row(to, OC_HEAP_BY_PAIR, block->resource, change->resource, change);
}

/* All that happens at the last time has been added: it may be the peak. */
static void end_instant(adding *to, const int64_t *at)
{
    oc_heap *heap = to->heap;
    if (to->alive <= heap->peak)
        return;
    heap->peak = to->alive;
    heap->peak_time = to->time;
    to->epoch += at == NULL;
}

static ocelotl_status add_all(adding *to, const int64_t *at)
{
    oc_block_change change;
    bool found;
    for (;;) {
        OC_TRY(oc_allocations_next(&found, &change, to->heap->allocations));
        if (!found || change.time > to->time)
            end_instant(to, at);
        if (at != NULL && to->epoch == 0 && (!found || change.time > *at))
            to->epoch++;
        if (!found)
            return OCELOTL_OK;
        OC_TRY(add_change(to, &change));
    }
}

static int compare_rows(const void *left, const void *right)
{
    const oc_heap_row *a = left;
    const oc_heap_row *b = right;
    if (a->by != b->by)
        return a->by < b->by ? -1 : 1;
    if (a->alive_bytes != b->alive_bytes)
        return a->alive_bytes > b->alive_bytes ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return (a->other > b->other) - (a->other < b->other);
}

ocelotl_status oc_heap_compute(oc_heap *heap, oc_allocations *allocations, const int64_t *at)
{
    adding to = {.heap = heap, .time = INT64_MIN};
    *heap = (oc_heap){.allocations = allocations};
    const ocelotl_status status = add_all(&to, at);
    for (size_t i = 0; i < heap->count; i++)
        settle(&heap->rows[i], to.epoch);
    if (heap->count > 1)
        qsort(heap->rows, heap->count, sizeof *heap->rows, compare_rows);
    heap->time = at != NULL ? *at : heap->peak_time;
    oc_map_free(&to.places);
    if (status != OCELOTL_OK)
        oc_heap_free(heap);
    return status;
}

void oc_heap_free(oc_heap *heap)
{
    oc_allocations_free(heap->allocations);
    free(heap->rows);
    *heap = (oc_heap){0};
}

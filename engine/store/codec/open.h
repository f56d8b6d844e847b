/* What is open in a stream of states or links, outermost first: in the order of beginnings. A
 * record that ends something says how many of those open began later; here alone stands which one
 * that is. */
#ifndef OC_STORE_CODEC_OPEN_H
#define OC_STORE_CODEC_OPEN_H

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

/* Items of one size, each with the int64_t of its beginning first. The size is an argument, so that
 * it is a constant where that counts. Zero-initialised the list is empty. */
typedef struct oc_open_list {
    unsigned char *items;
    size_t count, capacity;
    oc_holes *holes; /* among the items */
} oc_open_list;

void oc_open_list_free(oc_open_list *list);

/* Forgets all but the first items. O(1), and O(items) where much ended out of order. */
void oc_open_list_shorten(oc_open_list *list, size_t size, size_t count);

/* How many began at or before `time`: they are the first. O(log open), squared where much ended out
 * of order. */
size_t oc_open_list_until(const oc_open_list *list, size_t size, int64_t time);

/* Fails with INPUT: a record ends what is not there. */
ocelotl_status oc_open_list_fail(void);

/* The item of an index below the count. O(1), and O(log open) where much ended out of order. */
static inline void *oc_open_list_at(const oc_open_list *list, size_t size, size_t index)
{
    return list->items + oc_holes_place(list->holes, index) * size;
}

/* Adds an item, which the caller then fills. */
static inline ocelotl_status oc_open_list_begin(void *item, oc_open_list *list, size_t size)
{
    const size_t place = oc_holes_end(list->holes, list->count);
    if (place == list->capacity)
        OC_TRY(oc_grow_few(&list->items, &list->capacity, place + 1, size));
    OC_TRY(oc_holes_add(list->holes));
    list->count++;
    void *added = list->items + place * size;
    memcpy(item, &added, sizeof added);
    return OCELOTL_OK;
}

/* The index of what an end of some depth ends. Errors: INPUT where nothing like that is open. */
static inline ocelotl_status oc_open_list_find(size_t *index, const oc_open_list *list,
                                               uint64_t depth)
{
    if (depth >= list->count)
        return oc_open_list_fail();
    *index = list->count - 1 - (size_t)depth;
    return OCELOTL_OK;
}

/* Takes an item out. O(log open). */
static inline ocelotl_status oc_open_list_remove(oc_open_list *list, size_t size, size_t index)
{
    OC_TRY(oc_holes_remove(&list->holes, list->items, size, list->count, index));
    list->count--;
    return OCELOTL_OK;
}

#endif

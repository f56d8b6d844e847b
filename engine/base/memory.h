/* Memory that says when it cannot be had. */
#ifndef OC_BASE_MEMORY_H
#define OC_BASE_MEMORY_H

#include "base/status.h"

#include <stdbool.h>

/* Allocates count x size zeroed bytes into *memory (freed by free); zero bytes give a valid
 * pointer. */
ocelotl_status oc_allocate(void *memory, size_t count, size_t size);

/* The same, so that it begins with a cache line. */
ocelotl_status oc_allocate_aligned(void *memory, size_t count, size_t size);

/* Allocates much that is used all over, in as few pages as the system can. The content is not
 * defined. */
ocelotl_status oc_allocate_large(void *memory, size_t count, size_t size);

/* Grows the array *items (`size` bytes an item) to at least `needed` items, at least doubling
 * *capacity. New items are not initialised. */
ocelotl_status oc_grow(void *items, size_t *capacity, size_t needed, size_t size);

/* The same, but an empty array gets room for two: for arrays that are many and mostly short. */
ocelotl_status oc_grow_few(void *items, size_t *capacity, size_t needed, size_t size);

/* Copies a string into *copy (freed by free). */
ocelotl_status oc_copy_text(char **copy, const char *text);

/* The same of a text that may be NULL, which leaves *copy as it is. */
ocelotl_status oc_copy_optional(char **copy, const char *text);

/* --- Arrays whose items are removed anywhere, as links end in any order. A removal leaves a hole,
 * so nothing behind it moves, and the items keep their ranks */

/* The holes of an array; the owner of the array keeps them and the count of items. NULL: without
 * holes the item of a rank is at that place. An array has at most twice as many places as items,
 * and a few. */
typedef struct oc_holes oc_holes;

void oc_holes_free(oc_holes *holes);

/* The place of the item of a rank, below their count. O(log count), O(1) without holes. */
size_t oc_holes_find(const oc_holes *holes, size_t rank);
static inline size_t oc_holes_place(const oc_holes *holes, size_t rank)
{
    return holes == NULL ? rank : oc_holes_find(holes, rank);
}

/* The places of an array of `count` items; the next is added behind them. */
size_t oc_holes_count(const oc_holes *holes);
static inline size_t oc_holes_end(const oc_holes *holes, size_t count)
{
    return holes == NULL ? count : oc_holes_count(holes);
}

/* How many items are before a place, and whether one is there. */
size_t oc_holes_before(const oc_holes *holes, size_t place);
bool oc_holes_has(const oc_holes *holes, size_t place);

/* To be called before an item is added at the end. Arrays without holes note nothing. */
ocelotl_status oc_holes_note(oc_holes *holes);
static inline ocelotl_status oc_holes_add(oc_holes *holes)
{
    return holes == NULL ? OCELOTL_OK : oc_holes_note(holes);
}

/* Takes out the item of a rank; items may move to lower places. The array has `count` items of
 * `size` bytes. O(log count), amortised. In case of failure nothing has changed. */
ocelotl_status oc_holes_take_out(oc_holes **holes, void *items, size_t size, size_t count,
                                 size_t rank);
static inline ocelotl_status oc_holes_remove(oc_holes **holes, void *items, size_t size,
                                             size_t count, size_t rank)
{
    return *holes == NULL && rank + 1 == count ? OCELOTL_OK
                                               : oc_holes_take_out(holes, items, size, count, rank);
}

/* Moves the items to their ranks' places, which ends all holes. O(places). */
void oc_holes_close(oc_holes **holes, void *items, size_t size);

#endif

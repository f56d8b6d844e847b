/* Arrays that may be larger than memory.
 *
 * Up to OC_BULK_KEPT bytes they are in memory. What is larger is in a file without a name in the
 * folder for temporary files, mapped: the system writes it out where it needs the memory. Such an
 * array is best used from its one end to the other. Nothing else depends on where it is. */
#ifndef OC_BASE_FILE_BULK_H
#define OC_BASE_FILE_BULK_H

#include "base/status.h"

#include <stddef.h>

#define OC_BULK_KEPT ((size_t)1 << 25)

/* Grows the array *items, NULL at first, to at least `needed` items of `size` bytes. New items are
 * not initialised. O(1) amortised. Errors: MEMORY; IO where the file cannot have as much. */
ocelotl_status oc_bulk_grow(void *items, size_t *capacity, size_t needed, size_t size);

/* Allocates count x size zeroed bytes into *items. Errors: the same. */
ocelotl_status oc_bulk_allocate(void *items, size_t count, size_t size);

/* Frees what one of these gave; NULL is allowed. */
void oc_bulk_free(void *items);

/* Sorts an array; equals stay in their order. Merges what is in order already from one end to the
 * other. O(n log n), O(n) where all is in order. Errors: the same. */
ocelotl_status oc_bulk_sort(void *items, size_t count, size_t size,
                            int (*compare)(const void *, const void *));

#endif

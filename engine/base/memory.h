/* Memory that says when it cannot be had. */
#ifndef OC_BASE_MEMORY_H
#define OC_BASE_MEMORY_H

#include "base/status.h"

/* Allocates count x size zeroed bytes into *memory (freed by free); zero bytes give a valid
 * pointer. */
ocelotl_status oc_allocate(void *memory, size_t count, size_t size);

/* The same, so that it begins with a cache line. */
ocelotl_status oc_allocate_aligned(void *memory, size_t count, size_t size);

/* Allocates much that is used all over, in as few pages as the system can. The content is not
 * defined. */
ocelotl_status oc_allocate_large(void *memory, size_t count, size_t size);

/* Grows the array *items (of `size` bytes an item) so that it holds at least `needed` items, at
 * least doubling *capacity. New items are not initialised. */
ocelotl_status oc_grow(void *items, size_t *capacity, size_t needed, size_t size);

/* Copies a string into *copy (freed by free). */
ocelotl_status oc_copy_text(char **copy, const char *text);

/* The same of a text that may be NULL, which leaves *copy as it is. */
ocelotl_status oc_copy_optional(char **copy, const char *text);

#endif

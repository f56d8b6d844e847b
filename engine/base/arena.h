/* Memory that is freed at once: what one object owns, or what one function needs until it ends. */
#ifndef OC_BASE_ARENA_H
#define OC_BASE_ARENA_H

#include "base/status.h"

#include <stdbool.h>

/* Zero-initialised it is empty. Once it gets no memory, `failed` stays set, and all later requests
 * fail. It may be copied as a structure, where the copy takes its place. For one thread at a
 * time. */
typedef struct oc_arena {
    struct oc_arena_block *blocks;
    char *last;       /* what was allocated last in the block that is being filled, */
    char *next, *end; /* and what is left of that block */
    size_t block_size;
    bool failed;
} oc_arena;

/* Frees all that it has, and leaves it empty. It may lie in its own memory. O(blocks). */
void oc_arena_free(oc_arena *arena);

/* MEMORY if any request has failed: to be checked once, after copies of texts. */
ocelotl_status oc_arena_status(const oc_arena *arena);

/* Allocates a zeroed object whose first member is the arena that it lives in. It is ended by
 * `oc_arena_free(&object->arena)`. */
ocelotl_status oc_arena_make(void *object, size_t size);

/* Allocates count x size zeroed bytes into *memory, aligned for items of that size; zero bytes give
 * a valid pointer. */
ocelotl_status oc_arena_allocate(void *memory, oc_arena *arena, size_t count, size_t size);

/* Grows the array *items (NULL, or of this arena) as oc_grow does: to `needed` items at least, the
 * new ones not initialised. What was allocated last grows in place, and so do arrays of many
 * bytes. */
ocelotl_status oc_arena_grow(void *items, size_t *capacity, oc_arena *arena, size_t needed,
                             size_t size);

/* Copies a string, or bytes with a '\0' behind them. Without memory: "", and `failed` is set. */
const char *oc_arena_copy(oc_arena *arena, const char *text);
const char *oc_arena_copy_bytes(oc_arena *arena, const char *bytes, size_t length);

#endif

#include "base/arena.h"

#include "base/memory.h"

#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What has LARGE bytes has a block of its own, which realloc can grow. The address sanitizer sees
 * the bounds of blocks alone, so with it, each request has one. */
#ifdef __SANITIZE_ADDRESS__
enum { LARGE = 0 };
#else
enum { LARGE = 4096 };
#endif
enum { SMALLEST_BLOCK = 1024, LARGEST_BLOCK = 65536 };

/* All blocks are in a list; one may be moved by realloc, so it knows the one before. */
struct oc_arena_block {
    alignas(max_align_t) struct oc_arena_block *next;
    struct oc_arena_block *before;
    char bytes[];
};

void oc_arena_free(oc_arena *arena)
{
    struct oc_arena_block *block = arena->blocks;
    *arena = (oc_arena){0};
    while (block != NULL) {
        struct oc_arena_block *next = block->next;
        free(block);
        block = next;
    }
}

static ocelotl_status fail(oc_arena *arena)
{
    arena->failed = true;
    return oc_fail_memory();
}

ocelotl_status oc_arena_status(const oc_arena *arena)
{
    return arena->failed ? oc_fail_memory() : OCELOTL_OK;
}

/* Puts a block in its place in the list, where it was before it moved or at the begin. */
static void link_block(oc_arena *arena, struct oc_arena_block *block)
{
    if (block->before != NULL)
        block->before->next = block;
    else
        arena->blocks = block;
    if (block->next != NULL)
        block->next->before = block;
}

static char *add_block(oc_arena *arena, size_t bytes)
{
    struct oc_arena_block *block =
        bytes <= SIZE_MAX - sizeof *block ? calloc(1, sizeof *block + bytes) : NULL;
    if (block == NULL)
        return NULL;
    block->next = arena->blocks;
    link_block(arena, block);
    return block->bytes;
}

/* The size of a type is a multiple of its alignment. */
static size_t padding(const char *place, size_t size)
{
    const size_t largest = alignof(max_align_t);
    const size_t factor = size & (0 - size);
    const size_t alignment = factor == 0 || factor > largest ? largest : factor;
    return (size_t)(0 - (uintptr_t)place) & (alignment - 1);
}

ocelotl_status oc_arena_allocate(void *memory, oc_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (arena->failed || __builtin_mul_overflow(count, size, &bytes))
        return fail(arena);
    char *place = NULL;
    if (bytes >= LARGE) {
        place = add_block(arena, bytes);
    } else {
        const size_t left = (size_t)(arena->end - arena->next);
        const size_t skipped = padding(arena->next, size);
        if (left >= skipped && left - skipped >= bytes && arena->next != NULL) {
            place = arena->next + skipped;
        } else {
            size_t wanted = arena->block_size < SMALLEST_BLOCK ? SMALLEST_BLOCK : arena->block_size;
            wanted = wanted < bytes ? LARGE : wanted;
            place = add_block(arena, wanted);
            if (place != NULL) {
                arena->end = place + wanted;
                arena->block_size = wanted < LARGEST_BLOCK ? 2 * wanted : wanted;
            }
        }
        if (place != NULL) {
            arena->last = place;
            arena->next = place + bytes;
        }
    }
    if (place == NULL)
        return fail(arena);
    memcpy(memory, &place, sizeof place);
    return OCELOTL_OK;
}

ocelotl_status oc_arena_make(void *object, size_t size)
{
    oc_arena arena = {0};
    void *made = NULL;
    OC_TRY(oc_arena_allocate(&made, &arena, 1, size));
    memcpy(made, &arena, sizeof arena);
    memcpy(object, &made, sizeof made);
    return OCELOTL_OK;
}

/* Grows an array that has a block of its own. */
static char *grow_block(oc_arena *arena, char *items, size_t bytes)
{
    struct oc_arena_block *block =
        (struct oc_arena_block *)(void *)(items - offsetof(struct oc_arena_block, bytes));
    block = bytes <= SIZE_MAX - sizeof *block ? realloc(block, sizeof *block + bytes) : NULL;
    if (block == NULL)
        return NULL;
    link_block(arena, block);
    return block->bytes;
}

ocelotl_status oc_arena_grow(void *items, size_t *capacity, oc_arena *arena, size_t needed,
                             size_t size)
{
    if (needed <= *capacity)
        return OCELOTL_OK;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < needed && wanted <= SIZE_MAX / 2)
        wanted *= 2;
    size_t bytes;
    if (arena->failed || wanted < needed || __builtin_mul_overflow(wanted, size, &bytes))
        return fail(arena);
    char *place;
    memcpy(&place, items, sizeof place);
    const size_t had = *capacity * size;
    if (place != NULL && had >= LARGE) {
        place = grow_block(arena, place, bytes);
        if (place == NULL)
            return fail(arena);
    } else if (place != NULL && place == arena->last && bytes < LARGE &&
               bytes <= (size_t)(arena->end - place)) {
        arena->next = place + bytes;
    } else {
        char *moved = NULL;
        OC_TRY(oc_arena_allocate(&moved, arena, wanted, size));
        if (place != NULL && had > 0)
            memcpy(moved, place, had);
        place = moved;
    }
    memcpy(items, &place, sizeof place);
    *capacity = wanted;
    return OCELOTL_OK;
}

const char *oc_arena_copy_bytes(oc_arena *arena, const char *bytes, size_t length)
{
    char *copy = NULL;
    if (length == SIZE_MAX || oc_arena_allocate(&copy, arena, length + 1, 1) != OCELOTL_OK)
        return "";
    if (length > 0)
        memcpy(copy, bytes, length);
    return copy;
}

const char *oc_arena_copy(oc_arena *arena, const char *text)
{
    return oc_arena_copy_bytes(arena, text, strlen(text));
}

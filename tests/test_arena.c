/* Arenas: their memory is zeroed, aligned, apart, stays where it is when others grow, and ends at
 * once; a request that fails makes all later ones fail. */
#include "base/arena.h"
#include "base/text.h"
#include "check.h"

#include <stdint.h>

/* Fills what is given with a byte of its own, after it was all zeros. */
static unsigned char *take(oc_arena *arena, size_t count, size_t size, int byte)
{
    unsigned char *taken = NULL;
    CHECK_OK(oc_arena_allocate(&taken, arena, count, size));
    CHECK(taken != NULL);
    CHECK(size == 0 || (uintptr_t)taken % ((size & (0 - size)) > 16 ? 16 : size & (0 - size)) == 0);
    for (size_t i = 0; i < count * size; i++)
        CHECK(taken[i] == 0);
    memset(taken, byte, count * size);
    return taken;
}

static void check_requests(void)
{
    enum { REQUESTS = 3000 };
    static const size_t sizes[] = {1, 8, 24, 4, 0, 7, 16, 1, 5000, 40, 2, 100000, 4095, 4096};
    static unsigned char *taken[REQUESTS];
    oc_arena arena = {0};
    for (size_t i = 0; i < REQUESTS; i++)
        taken[i] = take(&arena, i % 3, sizes[i % 14], (int)(i % 251) + 1);
    for (size_t i = 0; i < REQUESTS; i++)
        for (size_t b = 0; b < i % 3 * sizes[i % 14]; b++)
            CHECK(taken[i][b] == i % 251 + 1);
    CHECK_OK(oc_arena_status(&arena));
    oc_arena_free(&arena);
    oc_arena_free(&arena);
}

/* Arrays that grow in turn, with texts between them. */
static void check_growth(void)
{
    enum { ARRAYS = 3, ITEMS = 20000 };
    oc_arena arena = {0};
    uint32_t *items[ARRAYS] = {NULL};
    size_t capacities[ARRAYS] = {0};
    const char *texts[ITEMS / 100];
    for (uint32_t i = 0; i < ITEMS; i++) {
        for (uint32_t a = 0; a < ARRAYS; a++) {
            CHECK_OK(oc_arena_grow(&items[a], &capacities[a], &arena, i + 1, sizeof *items[a]));
            CHECK(capacities[a] > i);
            items[a][i] = i * ARRAYS + a;
        }
        if (i % 100 == 0)
            texts[i / 100] = oc_arena_copy(&arena, i % 200 == 0 ? "even" : "");
    }
    for (uint32_t i = 0; i < ITEMS; i++)
        for (uint32_t a = 0; a < ARRAYS; a++)
            CHECK(items[a][i] == i * ARRAYS + a);
    for (uint32_t i = 0; i < ITEMS; i += 100)
        CHECK_TEXT(texts[i / 100], i % 200 == 0 ? "even" : "");
    CHECK_TEXT(oc_arena_copy_bytes(&arena, "abcdef", 3), "abc");
    CHECK_TEXT(oc_arena_copy_utf8(&arena, "a\xff"), "a\xef\xbf\xbd");
    CHECK_OK(oc_arena_status(&arena));
    oc_arena_free(&arena);
}

/* An object in its own arena. */
static void check_object(void)
{
    struct object {
        oc_arena arena;
        const char *name;
        char rest[5000];
    } *object = NULL;
    CHECK_OK(oc_arena_make(&object, sizeof *object));
    CHECK(object->name == NULL && object->rest[4999] == 0);
    object->name = oc_arena_copy(&object->arena, "name");
    CHECK_TEXT(object->name, "name");
    oc_arena_free(&object->arena);
}

/* What fails leaves what is there, and no later request does anything. */
static void check_failures(void)
{
    for (int kind = 0; kind < 4; kind++) {
        oc_arena arena = {0};
        uint64_t *items = NULL;
        uint64_t *before = NULL;
        size_t capacity = 0;
        CHECK_OK(oc_arena_grow(&items, &capacity, &arena, kind == 3 ? 5000 : 1, sizeof *items));
        items[0] = 7;
        before = items;
        const size_t count = capacity;
        if (kind < 2)
            CHECK_FAILS(oc_arena_allocate(&items, &arena, SIZE_MAX, kind == 0 ? 1 : 32),
                        OCELOTL_ERROR_MEMORY, "out of memory");
        else
            CHECK_FAILS(oc_arena_grow(&items, &capacity, &arena, SIZE_MAX / 2, sizeof *items),
                        OCELOTL_ERROR_MEMORY, "out of memory");
        CHECK(items == before && capacity == count && items[0] == 7);
        CHECK_FAILS(oc_arena_allocate(&items, &arena, 1, 1), OCELOTL_ERROR_MEMORY, "out of");
        CHECK_FAILS(oc_arena_grow(&items, &capacity, &arena, count + 1, 8), OCELOTL_ERROR_MEMORY,
                    "out of");
        CHECK(items == before && items[0] == 7);
        CHECK_TEXT(oc_arena_copy(&arena, "text"), "");
        CHECK_FAILS(oc_arena_status(&arena), OCELOTL_ERROR_MEMORY, "out of memory");
        oc_arena_free(&arena);
        CHECK_OK(oc_arena_status(&arena));
    }
}

int main(void)
{
    check_requests();
    check_growth();
    check_object();
    check_failures();
    return 0;
}

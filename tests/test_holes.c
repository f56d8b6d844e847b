/* Compares an array with holes, after removals anywhere, with one whose items move. */
#include "check.h"

#include "base/memory.h"

enum { MOST = 5000 };

typedef struct both {
    uint32_t known[MOST];
    size_t count;
    oc_holes *holes;
    uint32_t *items;
    size_t capacity;
} both;

static void add(both *b, uint32_t item)
{
    const size_t place = oc_holes_end(b->holes, b->count);
    CHECK_OK(oc_grow(&b->items, &b->capacity, place + 1, sizeof *b->items));
    CHECK_OK(oc_holes_add(b->holes));
    b->items[place] = item;
    b->known[b->count++] = item;
}

static void take_out(both *b, size_t rank)
{
    CHECK_OK(oc_holes_remove(&b->holes, b->items, sizeof *b->items, b->count, rank));
    memmove(&b->known[rank], &b->known[rank + 1], (b->count - 1 - rank) * sizeof *b->known);
    b->count--;
    CHECK(oc_holes_end(b->holes, b->count) <= 2 * b->count + 200);
}

static void check_item(const both *b, size_t rank)
{
    const size_t place = oc_holes_place(b->holes, rank);
    CHECK(place < oc_holes_end(b->holes, b->count) && b->items[place] == b->known[rank]);
    CHECK(oc_holes_has(b->holes, place) && oc_holes_before(b->holes, place) == rank);
}

/* The less `bias` is, the nearer to the end: 1 takes out anywhere. */
static void check(uint64_t seed, uint32_t most, uint32_t bias)
{
    uint64_t random = seed;
    static both b;
    uint32_t next = 0;
    b = (both){0};
    for (uint32_t i = 0; i < 20000; i++) {
        const bool grows = i / 5000 % 2 == 0;
        if (b.count < most && (b.count == 0 || check_below(&random, 4) < (grows ? 3 : 1)))
            add(&b, next++);
        else
            take_out(&b,
                     b.count - 1 - check_below(&random, (uint32_t)b.count / bias + 1) % b.count);
        if (b.count > 0)
            check_item(&b, check_below(&random, (uint32_t)b.count));
        if (i % 1000 == 0)
            for (size_t rank = 0; rank < b.count; rank++)
                check_item(&b, rank);
    }
    for (uint32_t i = 0; i < b.count / 3; i++)
        take_out(&b, i);
    oc_holes_close(&b.holes, b.items, sizeof *b.items);
    CHECK(b.holes == NULL);
    for (size_t rank = 0; rank < b.count; rank++)
        CHECK(b.items[rank] == b.known[rank]);
    while (b.count > 0) {
        take_out(&b, 0);
        if (b.count > 0)
            check_item(&b, b.count / 2);
    }
    oc_holes_free(b.holes);
    free(b.items);
}

int main(void)
{
    for (uint64_t seed = 1; seed < 8; seed++) {
        check(seed, MOST, 1);
        check(seed, 300, 1);
        check(seed, MOST, 20);
        check(seed, 100, 3);
    }
    return 0;
}

/* Arrays are the same in memory and in a file: what they hold, and in which order. */
#define _GNU_SOURCE
#include "check.h"

#include "base/file/bulk.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct item {
    uint32_t key, number;
    char rest[16];
} item;

static int compare(const void *a, const void *b)
{
    const item *one = a, *other = b;
    return (one->key > other->key) - (one->key < other->key);
}

/* Keys by number: in order, turned round, in parts in order, or all over. */
static uint32_t key_of(int pattern, uint32_t number, size_t count)
{
    return pattern == 0   ? number / 3
           : pattern == 1 ? (uint32_t)count - number / 3
           : pattern == 2 ? number % 100003
                          : number * 2654435761u >> 14;
}

static void check_sorted(size_t count)
{
    for (int pattern = 0; pattern < 4; pattern++) {
        item *items = NULL;
        size_t capacity = 0;
        for (uint32_t i = 0; i < count; i++) {
            CHECK_OK(oc_bulk_grow(&items, &capacity, i + 1, sizeof *items));
            items[i] = (item){.key = key_of(pattern, i, count), .number = i};
        }
        CHECK_OK(oc_bulk_sort(items, count, sizeof *items, compare));
        size_t wrong = 0;
        for (uint32_t i = 0; i < count; i++) {
            const int order = i > 0 ? compare(&items[i - 1], &items[i]) : -1;
            wrong += items[i].key != key_of(pattern, items[i].number, count) || order > 0 ||
                     (order == 0 && items[i - 1].number >= items[i].number);
        }
        CHECK(wrong == 0);
        oc_bulk_free(items);
    }
}

int main(void)
{
    static const size_t counts[] = {0, 1, 2, 3, 1000, 3 * OC_BULK_KEPT / sizeof(item) + 5};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        check_sorted(counts[i]);

    uint64_t *zeros = NULL;
    const size_t count = OC_BULK_KEPT / 4;
    CHECK_OK(oc_bulk_allocate(&zeros, count, sizeof *zeros));
    uint64_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= zeros[i];
    CHECK(all == 0);
    oc_bulk_free(zeros);
    oc_bulk_free(NULL);

    CHECK_FAILS(oc_bulk_allocate(&zeros, SIZE_MAX / 8, 16), OCELOTL_ERROR_MEMORY, "memory");
    struct rlimit before;
    CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR && getrlimit(RLIMIT_FSIZE, &before) == 0);
    const struct rlimit little = {2 * OC_BULK_KEPT, before.rlim_max};
    uint64_t *items = NULL;
    size_t capacity = 0;
    CHECK(setrlimit(RLIMIT_FSIZE, &little) == 0);
    CHECK_OK(oc_bulk_grow(&items, &capacity, OC_BULK_KEPT / 6, sizeof *items));
    const size_t had = capacity;
    CHECK_FAILS(oc_bulk_grow(&items, &capacity, OC_BULK_KEPT, sizeof *items), OCELOTL_ERROR_IO,
                "larger than files may be");
    CHECK(capacity == had);
    items[had - 1] = 1;
    oc_bulk_free(items);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    setenv("TMPDIR", "/nowhere", 1);
    CHECK_FAILS(oc_bulk_allocate(&zeros, OC_BULK_KEPT, 1), OCELOTL_ERROR_IO, "for what is large");
    CHECK_OK(oc_bulk_allocate(&zeros, OC_BULK_KEPT / 2, 1));
    unsetenv("TMPDIR");
    oc_bulk_free(zeros);
    return EXIT_SUCCESS;
}

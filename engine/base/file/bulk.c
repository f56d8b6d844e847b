#define _GNU_SOURCE
#include "base/file/bulk.h"

#include "base/file/sink.h"
#include "base/memory.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Before the items. */
typedef struct head {
    size_t bytes; /* with the head */
    int file;     /* -1: they are in memory */
} head;

static const char what[] = "the temporary file in TMPDIR (or /tmp) for what is large";

static head *head_of(void *items)
{
    return items != NULL ? (head *)items - 1 : NULL;
}

/* Disk is had before it is used: a page that finds none would end the program. */
static ocelotl_status map(head **mapped, int file, size_t bytes, const head *before)
{
    const int error = posix_fallocate(file, 0, (off_t)bytes);
    if (error != 0)
        return oc_fail_to_write(what, error);
    void *at = before != NULL ? mremap((void *)before, before->bytes, bytes, MREMAP_MAYMOVE)
                              : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        return oc_fail_memory();
    *mapped = at;
    return OCELOTL_OK;
}

static ocelotl_status move_to_file(head **moved, head *from, size_t bytes)
{
    int file;
    OC_TRY(oc_open_nameless(&file, NULL, what));
    const ocelotl_status status = map(moved, file, bytes, NULL);
    if (status != OCELOTL_OK) {
        close(file);
        return status;
    }
    if (from != NULL)
        memcpy(*moved, from, from->bytes);
    free(from);
    (*moved)->file = file;
    return OCELOTL_OK;
}

static ocelotl_status resize(void **items, size_t bytes)
{
    head *is = head_of(*items);
    if (is != NULL && is->file >= 0) {
        OC_TRY(map(&is, is->file, bytes, is));
    } else if (bytes > OC_BULK_KEPT) {
        OC_TRY(move_to_file(&is, is, bytes));
    } else {
        head *grown = NULL;
        OC_TRY(oc_allocate(&grown, bytes, 1));
        if (is != NULL)
            memcpy(grown, is, is->bytes);
        free(is);
        is = grown;
        is->file = -1;
    }
    is->bytes = bytes;
    *items = is + 1;
    return OCELOTL_OK;
}

/* The bytes of items behind their head, in whole pages where they are in a file; 0: too many. */
static size_t find_bytes(size_t count, size_t size)
{
    const size_t page = (size_t)1 << 16;
    if (count > (SIZE_MAX / 2 - page) / size)
        return 0;
    const size_t bytes = sizeof(head) + count * size;
    return bytes > OC_BULK_KEPT ? (bytes + page - 1) / page * page : bytes;
}

ocelotl_status oc_bulk_grow(void *items, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return OCELOTL_OK;
    /* In memory twice as much: it is copied. */
    const size_t more = *capacity * size < OC_BULK_KEPT ? *capacity : *capacity / 4;
    const size_t least = *capacity + (more < 8 ? 8 : more);
    const size_t bytes = find_bytes(needed < least ? least : needed, size);
    void *block;
    if (bytes == 0)
        return oc_fail_memory();
    memcpy(&block, items, sizeof block);
    OC_TRY(resize(&block, bytes));
    memcpy(items, &block, sizeof block);
    *capacity = (bytes - sizeof(head)) / size;
    return OCELOTL_OK;
}

ocelotl_status oc_bulk_allocate(void *items, size_t count, size_t size)
{
    const size_t bytes = find_bytes(count, size);
    void *block = NULL;
    if (bytes == 0)
        return oc_fail_memory();
    OC_TRY(resize(&block, bytes));
    memcpy(items, &block, sizeof block);
    return OCELOTL_OK;
}

void oc_bulk_free(void *items)
{
    head *is = head_of(items);
    if (is == NULL)
        return;
    const int file = is->file;
    if (file < 0) {
        free(is);
        return;
    }
    munmap(is, is->bytes);
    close(file);
}

/* --- Sorting */

typedef struct sorting {
    char *items;
    size_t size;
    int (*compare)(const void *, const void *);
    char *aside;
    size_t room;
} sorting;

/* Merges two parts that follow each other: what of the first does not stay is put aside. */
static ocelotl_status merge(sorting *s, size_t from, size_t middle, size_t to)
{
    const size_t size = s->size;
    const char *right = s->items + middle * size;
    const char *end = s->items + to * size;
    if (s->compare(right - size, right) <= 0)
        return OCELOTL_OK;
    while (from < middle && s->compare(s->items + from * size, right) <= 0)
        from++;
    const size_t count = middle - from;
    OC_TRY(oc_bulk_grow(&s->aside, &s->room, count, size));
    if (s->aside == NULL) /* nothing was put there yet */
        return OCELOTL_OK;
    char *out = s->items + from * size;
    memcpy(s->aside, out, count * size);
    const char *left = s->aside;
    for (const char *last = left + count * size; left < last; out += size) {
        const bool takes_right = right < end && s->compare(left, right) > 0;
        memcpy(out, takes_right ? right : left, size);
        right += takes_right ? size : 0;
        left += takes_right ? 0 : size;
    }
    return OCELOTL_OK;
}

/* Merges parts of `width` items, each in order, to one. */
static ocelotl_status merge_parts(sorting *s, size_t from, size_t to, size_t width)
{
    for (; width < to - from; width *= 2)
        for (size_t i = from; to - i > width; i += 2 * width) {
            const size_t middle = i + width;
            if (to - middle <= width) {
                OC_TRY(merge(s, i, middle, to));
                break;
            }
            OC_TRY(merge(s, i, middle, middle + width));
        }
    return OCELOTL_OK;
}

/* What is in memory at once first. */
static ocelotl_status sort_all(sorting *s, size_t count)
{
    const size_t part = OC_BULK_KEPT / s->size;
    for (size_t i = 0; i < count; i += part)
        OC_TRY(merge_parts(s, i, count - i < part ? count : i + part, 1));
    return merge_parts(s, 0, count, part);
}

ocelotl_status oc_bulk_sort(void *items, size_t count, size_t size,
                            int (*compare)(const void *, const void *))
{
    sorting s = {items, size, compare, NULL, 0};
    const ocelotl_status status = sort_all(&s, count);
    oc_bulk_free(s.aside);
    return status;
}

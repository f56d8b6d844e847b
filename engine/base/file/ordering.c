#define _GNU_SOURCE
#include "base/file/ordering.h"

#include "base/file/sink.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A text in memory: `at` is where it begins. */
typedef struct entry {
    oc_order order;
    uint32_t length;
    size_t at;
} entry;

/* Before a text in a run. */
typedef struct head {
    oc_order order;
    uint64_t length;
} head;

/* A run on its way back: a part of it is in memory. */
typedef struct run {
    uint64_t next, end; /* of the file: what has not been read */
    char *buffer;
    size_t used, filled, size; /* of the buffer */
    head first;                /* what comes next; its text is at `used` */
} run;

struct oc_ordering {
    size_t memory;
    oc_text texts;
    entry *entries;
    size_t count, capacity;
    bool is_sorted;
    size_t given; /* of the entries */
    int file;     /* -1: no run has been written */
    uint64_t length;
    run *runs;
    size_t run_count, run_capacity;
    size_t *heap; /* of the runs that are not at their end: the first comes next */
    size_t heap_count;
    bool is_taken; /* the text of the first run has been given */
};

enum { OC_WRITE_BUFFER = 1 << 20, OC_LEAST_BUFFER = 1 << 14 };

static const size_t longest = (size_t)1 << 30;

static const char what[] = "the temporary file for what is sorted";

ocelotl_status oc_ordering_open(oc_ordering **ordering, size_t memory)
{
    OC_TRY(oc_allocate(ordering, 1, sizeof **ordering));
    (*ordering)->memory = memory;
    (*ordering)->file = -1;
    (*ordering)->is_sorted = true;
    return OCELOTL_OK;
}

static int compare_orders(const oc_order *one, const oc_order *other)
{
    if (one->time != other->time)
        return one->time < other->time ? -1 : 1;
    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    if (one->place != other->place)
        return one->place < other->place ? -1 : 1;
    return 0;
}

static int compare_entries(const void *a, const void *b)
{
    const entry *one = a;
    const entry *other = b;
    const int compared = compare_orders(&one->order, &other->order);
    return compared != 0 ? compared : one->at < other->at ? -1 : 1;
}

static void sort(oc_ordering *ordering)
{
    if (!ordering->is_sorted)
        qsort(ordering->entries, ordering->count, sizeof *ordering->entries, compare_entries);
    ordering->is_sorted = true;
}

/* --- Runs */

static ocelotl_status write_entries(oc_ordering *ordering, oc_text *buffer)
{
    for (size_t i = 0; i < ordering->count; i++) {
        const entry *next = &ordering->entries[i];
        head start;
        memset(&start, 0, sizeof start);
        start.order = next->order;
        start.length = next->length;
        oc_text_append(buffer, (const char *)&start, sizeof start);
        oc_text_append(buffer, ordering->texts.bytes + next->at, next->length);
        if (buffer->failed)
            return oc_fail_memory();
        if (buffer->length < OC_WRITE_BUFFER && i + 1 < ordering->count)
            continue;
        OC_TRY(oc_write_all(ordering->file, what, buffer->bytes, buffer->length));
        ordering->length += buffer->length;
        oc_text_clear(buffer);
    }
    return OCELOTL_OK;
}

/* Writes what is in memory, which is empty then. */
static ocelotl_status write_run(oc_ordering *ordering)
{
    oc_text buffer = {0};
    if (ordering->file < 0)
        OC_TRY(oc_open_nameless(&ordering->file, NULL, what));
    OC_TRY(oc_grow(&ordering->runs, &ordering->run_capacity, ordering->run_count + 1,
                   sizeof *ordering->runs));
    run *added = &ordering->runs[ordering->run_count];
    *added = (run){.next = ordering->length};
    sort(ordering);
    const ocelotl_status status = write_entries(ordering, &buffer);
    oc_text_free(&buffer);
    added->end = ordering->length;
    ordering->run_count++;
    ordering->count = 0;
    oc_text_clear(&ordering->texts);
    return status;
}

ocelotl_status oc_ordering_add(oc_ordering *ordering, const oc_order *order, const char *bytes,
                               size_t length)
{
    const size_t held = ordering->texts.length + ordering->count * sizeof *ordering->entries;
    if (length > longest)
        return oc_fail(OCELOTL_ERROR_LIMIT, "an event carries more than 1 GiB");
    if (ordering->count > 0 && held + length > ordering->memory)
        OC_TRY(write_run(ordering));
    OC_TRY(oc_grow(&ordering->entries, &ordering->capacity, ordering->count + 1,
                   sizeof *ordering->entries));
    entry *added = &ordering->entries[ordering->count];
    *added = (entry){*order, (uint32_t)length, ordering->texts.length};
    oc_text_append(&ordering->texts, bytes, length);
    if (ordering->texts.failed)
        return oc_fail_memory();
    ordering->is_sorted =
        ordering->is_sorted &&
        (ordering->count == 0 || compare_orders(&added[-1].order, &added->order) <= 0);
    ordering->count++;
    return OCELOTL_OK;
}

/* --- Back again */

/* Makes `needed` bytes behind `used` be in the buffer. */
static ocelotl_status fill(const oc_ordering *ordering, run *from, size_t needed)
{
    if (from->filled - from->used >= needed)
        return OCELOTL_OK;
    if (from->used > 0)
        memmove(from->buffer, from->buffer + from->used, from->filled - from->used);
    from->filled -= from->used;
    from->used = 0;
    OC_TRY(oc_grow(&from->buffer, &from->size, needed, 1));
    while (from->filled < from->size && from->next < from->end) {
        const uint64_t left = from->end - from->next;
        const size_t room = from->size - from->filled;
        const ssize_t got = pread(ordering->file, from->buffer + from->filled,
                                  left < room ? (size_t)left : room, (off_t)from->next);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return oc_fail(OCELOTL_ERROR_IO, "%s: cannot read it back: %s", what,
                           got < 0 ? strerror(errno) : "it is too short");
        from->filled += (size_t)got;
        from->next += (uint64_t)got;
    }
    return from->filled >= needed ? OCELOTL_OK
                                  : oc_fail(OCELOTL_ERROR_INTERNAL, "a sorted run ends too early");
}

/* Finds the text behind `used`; *found is whether one is left. */
static ocelotl_status load(bool *found, const oc_ordering *ordering, run *from)
{
    *found = from->next < from->end || from->used < from->filled;
    if (!*found)
        return OCELOTL_OK;
    OC_TRY(fill(ordering, from, sizeof from->first));
    memcpy(&from->first, from->buffer + from->used, sizeof from->first);
    from->used += sizeof from->first;
    return fill(ordering, from, (size_t)from->first.length);
}

/* Returns whether a text comes before another; among equals that of the earlier run. */
static bool comes_before(const oc_ordering *ordering, size_t one, size_t other)
{
    const int compared =
        compare_orders(&ordering->runs[one].first.order, &ordering->runs[other].first.order);
    return compared != 0 ? compared < 0 : one < other;
}

static void sift_down(oc_ordering *ordering, size_t place)
{
    size_t *heap = ordering->heap;
    const size_t sinking = heap[place];
    for (size_t child; (child = 2 * place + 1) < ordering->heap_count; place = child) {
        if (child + 1 < ordering->heap_count &&
            comes_before(ordering, heap[child + 1], heap[child]))
            child++;
        if (!comes_before(ordering, heap[child], sinking))
            break;
        heap[place] = heap[child];
    }
    heap[place] = sinking;
}

static ocelotl_status begin_merge(oc_ordering *ordering)
{
    size_t size = ordering->memory / ordering->run_count;
    size = size < OC_LEAST_BUFFER ? OC_LEAST_BUFFER : size;
    size = size > OC_WRITE_BUFFER ? OC_WRITE_BUFFER : size;
    free(ordering->heap);
    OC_TRY(oc_allocate(&ordering->heap, ordering->run_count, sizeof *ordering->heap));
    for (size_t i = 0; i < ordering->run_count; i++) {
        bool found;
        OC_TRY(oc_grow(&ordering->runs[i].buffer, &ordering->runs[i].size, size, 1));
        OC_TRY(load(&found, ordering, &ordering->runs[i]));
        if (found)
            ordering->heap[ordering->heap_count++] = i;
    }
    for (size_t i = ordering->heap_count / 2; i-- > 0;)
        sift_down(ordering, i);
    return OCELOTL_OK;
}

ocelotl_status oc_ordering_finish(oc_ordering *ordering)
{
    if (ordering->run_count == 0) {
        sort(ordering);
        return OCELOTL_OK;
    }
    if (ordering->count > 0)
        OC_TRY(write_run(ordering));
    oc_text_free(&ordering->texts);
    free(ordering->entries);
    ordering->entries = NULL;
    ordering->capacity = 0;
    return begin_merge(ordering);
}

static void give(oc_order *order, const char **bytes, size_t *length, const oc_order *given,
                 const char *text, uint64_t size)
{
    *order = *given;
    *bytes = text != NULL ? text : "";
    *length = (size_t)size;
}

/* Goes behind the text that was given last. */
static ocelotl_status pass(oc_ordering *ordering)
{
    bool found;
    run *first = &ordering->runs[ordering->heap[0]];
    first->used += (size_t)first->first.length;
    OC_TRY(load(&found, ordering, first));
    if (!found)
        ordering->heap[0] = ordering->heap[--ordering->heap_count];
    if (ordering->heap_count > 0)
        sift_down(ordering, 0);
    return OCELOTL_OK;
}

ocelotl_status oc_ordering_next(oc_order *order, const char **bytes, size_t *length,
                                oc_ordering *ordering)
{
    *bytes = NULL;
    if (ordering->run_count == 0) {
        if (ordering->given < ordering->count) {
            const entry *next = &ordering->entries[ordering->given++];
            give(order, bytes, length, &next->order, ordering->texts.bytes + next->at,
                 next->length);
        }
        return OCELOTL_OK;
    }
    if (ordering->is_taken)
        OC_TRY(pass(ordering));
    ordering->is_taken = ordering->heap_count > 0;
    if (ordering->heap_count > 0) {
        const run *first = &ordering->runs[ordering->heap[0]];
        give(order, bytes, length, &first->first.order, first->buffer + first->used,
             first->first.length);
    }
    return OCELOTL_OK;
}

static void forget_runs(oc_ordering *ordering)
{
    for (size_t i = 0; i < ordering->run_count; i++)
        free(ordering->runs[i].buffer);
    free(ordering->heap);
    ordering->heap = NULL;
    ordering->heap_count = 0;
    ordering->run_count = 0;
    ordering->is_taken = false;
}

void oc_ordering_clear(oc_ordering *ordering)
{
    forget_runs(ordering);
    oc_text_clear(&ordering->texts);
    ordering->count = 0;
    ordering->given = 0;
    ordering->is_sorted = true;
    ordering->length = 0; /* the file is written anew */
    if (ordering->file >= 0)
        (void)lseek(ordering->file, 0, SEEK_SET);
}

size_t oc_ordering_runs(const oc_ordering *ordering)
{
    return ordering->run_count;
}

void oc_ordering_free(oc_ordering *ordering)
{
    if (ordering == NULL)
        return;
    forget_runs(ordering);
    free(ordering->runs);
    free(ordering->entries);
    oc_text_free(&ordering->texts);
    if (ordering->file >= 0)
        close(ordering->file);
    free(ordering);
}

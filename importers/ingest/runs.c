#define _GNU_SOURCE
#include "importers/ingest/runs.h"

#include "base/file/sink.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OC_WRITE_BUFFER = 1 << 20, OC_LEAST_BUFFER = 1 << 12, OC_MOST_BUFFER = 1 << 20 };

/* Before the records of a stream. */
typedef struct stream_head {
    uint64_t stream, bytes;
} stream_head;

/* --- Writing */

static ocelotl_status open_file(oc_runs *runs)
{
    char *folder = NULL;
    OC_TRY(oc_copy_text(&folder, runs->target));
    char *slash = strrchr(folder, '/');
    if (slash != NULL)
        slash[slash == folder] = '\0'; /* "/" stays */
    const ocelotl_status status =
        oc_open_nameless(&runs->file, slash != NULL ? folder : ".", runs->target);
    free(folder);
    return status;
}

static ocelotl_status write_out(oc_runs *runs, const char *bytes, size_t length)
{
    while (length > 0) {
        const ssize_t written = pwrite(runs->file, bytes, length, (off_t)runs->length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return oc_fail_to_write(runs->target, written < 0 ? errno : ENOSPC);
        bytes += written;
        length -= (size_t)written;
        runs->length += (uint64_t)written;
    }
    return OCELOTL_OK;
}

static ocelotl_status flush(oc_runs *runs)
{
    const size_t length = runs->buffered;
    runs->buffered = 0;
    return write_out(runs, runs->buffer, length);
}

ocelotl_status oc_runs_begin(oc_runs *runs)
{
    if (runs->file < 0)
        OC_TRY(open_file(runs));
    if (runs->buffer == NULL)
        OC_TRY(oc_allocate(&runs->buffer, OC_WRITE_BUFFER, 1));
    OC_TRY(oc_grow(&runs->all, &runs->capacity, runs->count + 1, sizeof *runs->all));
    runs->all[runs->count] = (oc_run){.next = runs->length, .factor = 1};
    return OCELOTL_OK;
}

ocelotl_status oc_runs_add(oc_runs *runs, const void *records, size_t bytes)
{
    if (runs->buffered + bytes > OC_WRITE_BUFFER)
        OC_TRY(flush(runs));
    if (bytes > OC_WRITE_BUFFER)
        return write_out(runs, records, bytes);
    memcpy(runs->buffer + runs->buffered, records, bytes);
    runs->buffered += bytes;
    return OCELOTL_OK;
}

ocelotl_status oc_runs_stream(oc_runs *runs, uint32_t stream, uint64_t bytes)
{
    const stream_head head = {stream, bytes};
    return oc_runs_add(runs, &head, sizeof head);
}

ocelotl_status oc_runs_end(oc_runs *runs)
{
    OC_TRY(flush(runs));
    runs->all[runs->count++].end = runs->length;
    return OCELOTL_OK;
}

ocelotl_status oc_runs_refine(oc_runs *runs, uint64_t factor)
{
    for (size_t i = 0; i < runs->count; i++)
        if (__builtin_mul_overflow(runs->all[i].factor, factor, &runs->all[i].factor))
            return oc_fail(OCELOTL_ERROR_LIMIT, "times are too fine for 64 bits");
    return OCELOTL_OK;
}

/* --- Reading */

/* Makes `needed` bytes behind `used` be in the buffer. */
static ocelotl_status fill(const oc_runs *runs, oc_run *run, size_t needed)
{
    if (run->filled - run->used >= needed)
        return OCELOTL_OK;
    if (run->used > 0)
        memmove(run->buffer, run->buffer + run->used, run->filled - run->used);
    run->filled -= run->used;
    run->used = 0;
    OC_TRY(oc_grow(&run->buffer, &run->size, needed, 1));
    while (run->filled < run->size && run->next < run->end) {
        const uint64_t left = run->end - run->next;
        const size_t room = run->size - run->filled;
        const ssize_t got = pread(runs->file, run->buffer + run->filled,
                                  left < room ? (size_t)left : room, (off_t)run->next);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return oc_fail(OCELOTL_ERROR_IO, "%s: cannot read back what was sorted: %s",
                           runs->target, got < 0 ? strerror(errno) : "the file is too short");
        run->filled += (size_t)got;
        run->next += (uint64_t)got;
    }
    return run->filled >= needed
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_INTERNAL, "%s: a sorted run ends too early", runs->target);
}

/* Finds the next record behind `used`. */
static ocelotl_status load(const oc_runs *runs, oc_run *run)
{
    run->head = NULL;
    while (run->left == 0) {
        stream_head head;
        if (run->next == run->end && run->used == run->filled)
            return OCELOTL_OK;
        OC_TRY(fill(runs, run, sizeof head));
        memcpy(&head, run->buffer + run->used, sizeof head);
        run->used += sizeof head;
        run->stream = (uint32_t)head.stream;
        run->left = head.bytes;
    }
    OC_TRY(fill(runs, run, sizeof(oc_packed)));
    const oc_packed *packed = (const oc_packed *)(const void *)(run->buffer + run->used);
    OC_TRY(fill(runs, run, packed->size));
    run->head = (oc_packed *)(void *)(run->buffer + run->used);
    if (run->factor > 1 && !oc_packed_refine(run->head, run->factor))
        return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
    return OCELOTL_OK;
}

/* Whether a run's record comes before another's; of equals that of the earlier run. */
static bool comes_before(const oc_runs *runs, uint32_t left, uint32_t right)
{
    const oc_run *one = &runs->all[left];
    const oc_run *other = &runs->all[right];
    if (one->stream != other->stream)
        return one->stream < other->stream;
    const int compared = oc_packed_compare(one->head, other->head, runs->by_group);
    return compared != 0 ? compared < 0 : left < right;
}

static void sift_down(oc_runs *runs, size_t place)
{
    uint32_t *heap = runs->heap;
    const uint32_t sinking = heap[place];
    for (size_t child; (child = 2 * place + 1) < runs->heap_count; place = child) {
        if (child + 1 < runs->heap_count && comes_before(runs, heap[child + 1], heap[child]))
            child++;
        if (!comes_before(runs, heap[child], sinking))
            break;
        heap[place] = heap[child];
    }
    heap[place] = sinking;
}

ocelotl_status oc_runs_merge(oc_runs *runs, size_t memory)
{
    size_t size = runs->count > 0 ? memory / runs->count : 0;
    size = size < OC_LEAST_BUFFER ? OC_LEAST_BUFFER : size;
    size = size > OC_MOST_BUFFER ? OC_MOST_BUFFER : size;
    free(runs->buffer);
    runs->buffer = NULL;
    OC_TRY(oc_allocate(&runs->heap, runs->count, sizeof *runs->heap));
    for (size_t i = 0; i < runs->count; i++) {
        oc_run *run = &runs->all[i];
        OC_TRY(oc_grow(&run->buffer, &run->size, size, 1));
        OC_TRY(load(runs, run));
        if (run->head != NULL)
            runs->heap[runs->heap_count++] = (uint32_t)i;
    }
    for (size_t i = runs->heap_count / 2; i-- > 0;)
        sift_down(runs, i);
    return OCELOTL_OK;
}

const oc_packed *oc_runs_next(uint32_t *stream, const oc_runs *runs)
{
    if (runs->heap_count == 0)
        return NULL;
    const oc_run *run = &runs->all[runs->heap[0]];
    *stream = run->stream;
    return run->head;
}

ocelotl_status oc_runs_pass(oc_runs *runs)
{
    oc_run *run = &runs->all[runs->heap[0]];
    run->used += run->head->size;
    run->left -= run->head->size;
    OC_TRY(load(runs, run));
    if (run->head == NULL)
        runs->heap[0] = runs->heap[--runs->heap_count];
    if (runs->heap_count > 0)
        sift_down(runs, 0);
    return OCELOTL_OK;
}

void oc_runs_free(oc_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        free(runs->all[i].buffer);
    free(runs->all);
    free(runs->heap);
    free(runs->buffer);
    if (runs->file >= 0)
        close(runs->file);
}

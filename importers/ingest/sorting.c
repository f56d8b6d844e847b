#include "importers/ingest/sorting.h"

#include "base/memory.h"
#include "importers/ingest/runs.h"

#include <stdlib.h>

enum {
    OC_SLAB = 1 << 21, /* memory is taken from the system in pieces of this size, */
    OC_FIRST_BLOCK = 512,
    OC_LAST_BLOCK = 1 << 16, /* and by a stream in pieces of a size between these */
    OC_LEAST_MEMORY = 1 << 16
};

/* Records of a stream, one behind the other. */
typedef struct block {
    struct block *next;
    size_t used, size; /* bytes behind this head */
} block;

typedef struct stream {
    block *first, *last;
    const oc_packed *newest;
    uint64_t count, bytes;
    bool is_disordered; /* a record comes before one that was added earlier */
} stream;

typedef struct slab {
    char *bytes;
    size_t used, size;
} slab;

struct oc_sorting {
    size_t memory;
    bool by_group;
    char *target;
    uint64_t count;
    stream *streams;
    size_t stream_count, stream_capacity;
    slab *slabs;
    size_t slab_count, slab_capacity;
    size_t open_slab;         /* those before it are full */
    size_t taken;             /* bytes of slabs in use */
    uint64_t most_disordered; /* records of the longest stream that has to be sorted */
    oc_runs runs;
    const oc_packed **keys, **scratch; /* of the stream that is being sorted */
    size_t key_capacity, scratch_capacity;
    size_t current; /* the stream that is being given, */
    block *reading; /* and where in it: a block, */
    size_t offset;
    uint64_t next_key;
    oc_sorted record; /* the one given last */
    ocelotl_attribute_value *room;
    size_t room_capacity;
    bool gives_runs, passes;
};

ocelotl_status oc_sorting_open(oc_sorting **sorting, const char *target, size_t memory,
                               bool by_group)
{
    OC_TRY(oc_allocate(sorting, 1, sizeof **sorting));
    oc_sorting *made = *sorting;
    made->memory = memory < OC_LEAST_MEMORY ? OC_LEAST_MEMORY : memory;
    made->by_group = by_group;
    made->runs.file = -1;
    made->runs.by_group = by_group;
    const ocelotl_status status = oc_copy_text(&made->target, target);
    made->runs.target = made->target;
    if (status != OCELOTL_OK) {
        oc_sorting_free(made);
        *sorting = NULL;
    }
    return status;
}

/* --- Memory */

/* The memory in use, and what sorting the longest stream will take. */
static size_t memory_needed(const oc_sorting *sorting)
{
    return sorting->taken + 2 * sizeof(const oc_packed *) * (size_t)sorting->most_disordered;
}

static ocelotl_status add_slab(oc_sorting *sorting, size_t size)
{
    const size_t usual = sorting->memory / 8 < OC_SLAB ? sorting->memory / 8 : OC_SLAB;
    OC_TRY(oc_grow(&sorting->slabs, &sorting->slab_capacity, sorting->slab_count + 1,
                   sizeof *sorting->slabs));
    slab *added = &sorting->slabs[sorting->slab_count];
    *added = (slab){.size = size > usual ? size : usual};
    OC_TRY(oc_allocate_large(&added->bytes, added->size, 1));
    sorting->slab_count++;
    return OCELOTL_OK;
}

static ocelotl_status add_block(oc_sorting *sorting, stream *to, size_t needed)
{
    size_t size = to->last != NULL ? 2 * to->last->size : OC_FIRST_BLOCK;
    size = size > OC_LAST_BLOCK ? OC_LAST_BLOCK : size;
    size = size < needed ? needed : size;
    const size_t whole = sizeof(block) + size;
    for (; sorting->open_slab < sorting->slab_count; sorting->open_slab++) {
        const slab *open = &sorting->slabs[sorting->open_slab];
        if (open->size - open->used >= whole)
            break;
    }
    if (sorting->open_slab == sorting->slab_count)
        OC_TRY(add_slab(sorting, whole));
    slab *open = &sorting->slabs[sorting->open_slab];
    block *added = (block *)(void *)(open->bytes + open->used);
    *added = (block){.size = size};
    open->used += (whole + 7) & ~(size_t)7;
    if (open->used > open->size)
        open->used = open->size;
    sorting->taken += whole;
    if (to->last != NULL)
        to->last->next = added;
    else
        to->first = added;
    to->last = added;
    return OCELOTL_OK;
}

static void forget_all(oc_sorting *sorting)
{
    for (size_t i = 0; i < sorting->stream_count; i++)
        sorting->streams[i] = (stream){0};
    for (size_t i = 0; i < sorting->slab_count; i++)
        sorting->slabs[i].used = 0;
    sorting->open_slab = 0;
    sorting->taken = 0;
    sorting->most_disordered = 0;
}

/* --- Runs */

static ocelotl_status sort_stream(oc_sorting *sorting, const stream *from)
{
    size_t count = 0;
    OC_TRY(oc_grow(&sorting->keys, &sorting->key_capacity, (size_t)from->count,
                   sizeof(const oc_packed *)));
    OC_TRY(oc_grow(&sorting->scratch, &sorting->scratch_capacity, (size_t)from->count,
                   sizeof(const oc_packed *)));
    for (const block *one = from->first; one != NULL; one = one->next)
        for (size_t offset = 0; offset < one->used;) {
            const oc_packed *packed =
                (const oc_packed *)(const void *)((const char *)(one + 1) + offset);
            sorting->keys[count++] = packed;
            offset += packed->size;
        }
    oc_packed_sort(sorting->keys, sorting->scratch, count, sorting->by_group);
    return OCELOTL_OK;
}

static ocelotl_status write_stream(oc_sorting *sorting, const stream *from)
{
    oc_runs *runs = &sorting->runs;
    OC_TRY(oc_runs_stream(runs, (uint32_t)(from - sorting->streams), from->bytes));
    if (!from->is_disordered) {
        for (const block *one = from->first; one != NULL; one = one->next)
            OC_TRY(oc_runs_add(runs, one + 1, one->used));
        return OCELOTL_OK;
    }
    OC_TRY(sort_stream(sorting, from));
    for (size_t i = 0; i < from->count; i++)
        OC_TRY(oc_runs_add(runs, sorting->keys[i], sorting->keys[i]->size));
    return OCELOTL_OK;
}

static ocelotl_status write_run(oc_sorting *sorting)
{
    OC_TRY(oc_runs_begin(&sorting->runs));
    for (size_t i = 0; i < sorting->stream_count; i++)
        if (sorting->streams[i].count > 0)
            OC_TRY(write_stream(sorting, &sorting->streams[i]));
    OC_TRY(oc_runs_end(&sorting->runs));
    forget_all(sorting);
    return OCELOTL_OK;
}

/* --- Adding */

static ocelotl_status add_streams(oc_sorting *sorting, uint32_t last)
{
    OC_TRY(oc_grow(&sorting->streams, &sorting->stream_capacity, (size_t)last + 1,
                   sizeof *sorting->streams));
    while (sorting->stream_count <= last)
        sorting->streams[sorting->stream_count++] = (stream){0};
    return OCELOTL_OK;
}

ocelotl_status oc_sorting_add(oc_sorting *sorting, const oc_sorted *record)
{
    const uint32_t size = oc_packed_size(record);
    if (size == 0)
        return oc_fail(OCELOTL_ERROR_LIMIT, "attributes of an event take more than 1 GiB");
    if (record->stream >= sorting->stream_count)
        OC_TRY(add_streams(sorting, record->stream));
    if (memory_needed(sorting) >= sorting->memory)
        OC_TRY(write_run(sorting));
    stream *to = &sorting->streams[record->stream];
    if (to->last == NULL || to->last->size - to->last->used < size)
        OC_TRY(add_block(sorting, to, size));
    oc_packed *place = (oc_packed *)(void *)((char *)(to->last + 1) + to->last->used);
    oc_packed_write(place, record, size);
    to->last->used += size;
    to->bytes += size;
    to->count++;
    if (to->newest != NULL && oc_packed_compare(to->newest, place, sorting->by_group) > 0)
        to->is_disordered = true;
    if (to->is_disordered && to->count > sorting->most_disordered)
        sorting->most_disordered = to->count;
    to->newest = place;
    sorting->count++;
    return OCELOTL_OK;
}

ocelotl_status oc_sorting_refine(oc_sorting *sorting, uint64_t factor)
{
    OC_TRY(oc_runs_refine(&sorting->runs, factor));
    for (size_t i = 0; i < sorting->stream_count; i++)
        for (block *one = sorting->streams[i].first; one != NULL; one = one->next)
            for (size_t offset = 0; offset < one->used;) {
                oc_packed *packed = (oc_packed *)(void *)((char *)(one + 1) + offset);
                if (!oc_packed_refine(packed, factor))
                    return oc_fail(OCELOTL_ERROR_LIMIT, "a time is too large for the finest one");
                offset += packed->size;
            }
    return OCELOTL_OK;
}

/* --- Giving */

static ocelotl_status begin_stream(oc_sorting *sorting)
{
    if (sorting->current >= sorting->stream_count)
        return OCELOTL_OK;
    const stream *from = &sorting->streams[sorting->current];
    sorting->reading = from->first;
    sorting->offset = 0;
    sorting->next_key = 0;
    return from->is_disordered ? sort_stream(sorting, from) : OCELOTL_OK;
}

ocelotl_status oc_sorting_finish(oc_sorting *sorting)
{
    sorting->gives_runs = sorting->runs.count > 0;
    if (!sorting->gives_runs)
        return begin_stream(sorting);
    if (sorting->taken > 0)
        OC_TRY(write_run(sorting));
    for (size_t i = 0; i < sorting->slab_count; i++)
        free(sorting->slabs[i].bytes);
    sorting->slab_count = 0;
    return oc_runs_merge(&sorting->runs, sorting->memory);
}

static const oc_packed *next_in_stream(oc_sorting *sorting, const stream *from)
{
    if (from->is_disordered)
        return sorting->next_key < from->count ? sorting->keys[sorting->next_key++] : NULL;
    while (sorting->reading != NULL && sorting->offset == sorting->reading->used) {
        sorting->reading = sorting->reading->next;
        sorting->offset = 0;
    }
    if (sorting->reading == NULL)
        return NULL;
    const char *bytes = (const char *)(sorting->reading + 1) + sorting->offset;
    const oc_packed *packed = (const oc_packed *)(const void *)bytes;
    sorting->offset += packed->size;
    return packed;
}

static ocelotl_status next_packed(const oc_packed **packed, oc_sorting *sorting)
{
    *packed = NULL;
    if (sorting->gives_runs) {
        if (sorting->passes)
            OC_TRY(oc_runs_pass(&sorting->runs));
        *packed = oc_runs_next(&sorting->record.stream, &sorting->runs);
        sorting->passes = *packed != NULL;
        return OCELOTL_OK;
    }
    while (sorting->current < sorting->stream_count) {
        *packed = next_in_stream(sorting, &sorting->streams[sorting->current]);
        sorting->record.stream = (uint32_t)sorting->current;
        if (*packed != NULL)
            return OCELOTL_OK;
        sorting->current++;
        OC_TRY(begin_stream(sorting));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_sorting_next(const oc_sorted **record, oc_sorting *sorting)
{
    const oc_packed *packed;
    *record = NULL;
    OC_TRY(next_packed(&packed, sorting));
    if (packed == NULL)
        return OCELOTL_OK;
    OC_TRY(oc_grow(&sorting->room, &sorting->room_capacity, packed->attribute_count,
                   sizeof *sorting->room));
    oc_packed_read(&sorting->record, sorting->room, packed);
    *record = &sorting->record;
    return OCELOTL_OK;
}

uint64_t oc_sorting_count(const oc_sorting *sorting)
{
    return sorting->count;
}

size_t oc_sorting_runs(const oc_sorting *sorting)
{
    return sorting->runs.count;
}

void oc_sorting_free(oc_sorting *sorting)
{
    if (sorting == NULL)
        return;
    for (size_t i = 0; i < sorting->slab_count; i++)
        free(sorting->slabs[i].bytes);
    free(sorting->slabs);
    free(sorting->streams);
    free(sorting->keys);
    free(sorting->scratch);
    free(sorting->room);
    free(sorting->target);
    oc_runs_free(&sorting->runs);
    free(sorting);
}

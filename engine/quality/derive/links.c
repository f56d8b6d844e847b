/* Streams of links with new times: where both ends are dated by different clocks, records change
 * their order. They are read to the end, put in order and written again. */
#include "quality/derive/derive.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* A record on its way through the ordering; what it carries follows it. */
typedef struct moved {
    oc_record record;
    uint64_t number; /* of the link that it ends, in the order of beginnings */
} moved;

/* What is before the text of each attribute. */
typedef struct moved_attribute {
    uint32_t attribute;
    size_t length;
} moved_attribute;

/* A link that is open where the trace is read. */
typedef struct open_link {
    int64_t begin; /* in the trace; first, as in all such lists */
    uint64_t number;
} open_link;

typedef struct moving {
    oc_derivation *derivation;
    const oc_stream *stream;
    oc_text bytes;
    uint64_t place; /* of the next record */
    uint64_t begun; /* links so far */
    ocelotl_attribute_value *attributes;
    size_t capacity;
} moving;

/* --- New times */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Times that are too far apart are refused where they are written. */
static int64_t difference(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* A link that ends where it began or later stands at its end, another one at its begin. */
static void move_arrival(const moving *m, oc_record *record)
{
    oc_derivation *d = m->derivation;
    const uint32_t target = m->stream->resource;
    const int64_t end = record->duration < 0 ? record->time + record->duration : record->time;
    const int64_t new_end = oc_derive_time(d, target, end);
    if (record->partner == OCELOTL_NONE) {
        record->time = oc_derive_time(d, target, record->time);
        record->duration = difference(new_end, record->time);
        return;
    }
    const int64_t begin = oc_derive_time(d, record->partner, end - record->duration);
    record->duration = difference(new_end, begin);
    record->time = larger(begin, new_end);
}

/* The end of a link where it began, no later than that resource lives. */
static void move_departure(const moving *m, oc_record *record, int64_t begin)
{
    oc_derivation *d = m->derivation;
    const uint32_t source = m->stream->resource;
    const int64_t new_begin = oc_derive_time(d, source, begin);
    if (record->partner == OCELOTL_NONE) {
        record->time = oc_derive_time(d, source, record->time);
        record->duration = difference(new_begin, record->time);
        return;
    }
    const int64_t end = oc_derive_time(d, record->partner, record->time + record->duration);
    const int64_t last = oc_derive_time(d, source, d->trace->resources[source].end);
    record->time = larger(end, new_begin);
    record->time = record->time > last ? last : record->time;
    record->duration = difference(end, record->time);
}

/* --- Into the ordering */

static ocelotl_status add_moved(moving *m, const moved *moved_record)
{
    const oc_records *records = &m->derivation->reader.records;
    const oc_record *record = &moved_record->record;
    oc_text_clear(&m->bytes);
    oc_text_append(&m->bytes, (const char *)moved_record, sizeof *moved_record);
    for (uint32_t a = 0; a < record->attribute_count; a++) {
        const ocelotl_attribute_value carried = oc_record_attribute_at(records, record, a);
        const moved_attribute head = {carried.attribute, carried.length};
        oc_text_append(&m->bytes, (const char *)&head, sizeof head);
        oc_text_append(&m->bytes, carried.text, carried.length);
    }
    if (m->bytes.failed)
        return oc_fail_memory();
    return oc_ordering_add(m->derivation->ordering, &(oc_order){record->time, m->place++, 0},
                           m->bytes.bytes, m->bytes.length);
}

static ocelotl_status read_chunk(moving *m)
{
    oc_derivation *d = m->derivation;
    const oc_records *records = &d->reader.records;
    for (size_t i = 0; i < records->count; i++) {
        moved is;
        memset(&is, 0, sizeof is);
        is.record = records->records[i];
        if (m->stream->role == OC_ROLE_LINKS_IN) {
            move_arrival(m, &is.record);
        } else if (is.record.ends) {
            size_t index = 0;
            OC_TRY(oc_open_list_find(&index, &d->open, is.record.depth));
            const open_link ended = *(open_link *)oc_open_list_at(&d->open, sizeof ended, index);
            is.number = ended.number;
            move_departure(m, &is.record, ended.begin);
            OC_TRY(oc_open_list_remove(&d->open, sizeof ended, index));
        } else {
            open_link *link;
            OC_TRY(oc_open_list_begin(&link, &d->open, sizeof *link));
            *link = (open_link){is.record.time, m->begun++};
            is.record.time = oc_derive_time(d, m->stream->resource, is.record.time);
        }
        OC_TRY(oc_derive_check(d));
        OC_TRY(add_moved(m, &is));
    }
    return OCELOTL_OK;
}

/* --- Out of it */

static ocelotl_status write_moved(moving *m, const char *bytes)
{
    oc_derivation *d = m->derivation;
    moved is;
    memcpy(&is, bytes, sizeof is);
    const oc_record *record = &is.record;
    uint64_t link = (uint64_t)d->copier.target << OC_LINK_BITS | is.number;
    bytes += sizeof is;
    OC_TRY(oc_grow(&m->attributes, &m->capacity, record->attribute_count, sizeof *m->attributes));
    for (uint32_t a = 0; a < record->attribute_count; a++) {
        moved_attribute head;
        memcpy(&head, bytes, sizeof head);
        bytes += sizeof head;
        m->attributes[a] = (ocelotl_attribute_value){head.attribute, bytes, head.length};
        bytes += head.length;
    }
    const oc_writer_attributes carried = {m->attributes, record->attribute_count};
    if (oc_record_has_partner(record, m->stream->role)) {
        /* a link that ends before it begins, or behind its resource, is no less in the trace */
        const bool ahead = m->stream->role == OC_ROLE_LINKS_OUT || record->duration < 0;
        const int64_t end = ahead ? record->time + record->duration : record->time;
        OC_TRY(oc_writer_check_bound(d->writer, end));
        oc_writer_bound(d->writer, end);
    }
    if (m->stream->role == OC_ROLE_LINKS_IN)
        return oc_copy_record(d->writer, d->copier.target, record, &carried);
    return record->ends ? oc_writer_link_depart(d->writer, link, record, &carried)
                        : oc_writer_link_begin(&link, d->writer, d->copier.target, record->value,
                                               record->time, &carried);
}

static ocelotl_status move(moving *m)
{
    oc_derivation *d = m->derivation;
    oc_order order;
    const char *bytes;
    size_t length;
    for (size_t c = 0; c < d->reader.chunk_count; c++) {
        OC_TRY(oc_reader_read(&d->reader, c, true));
        OC_TRY(read_chunk(m));
    }
    OC_TRY(oc_ordering_finish(d->ordering));
    OC_TRY(oc_ordering_next(&order, &bytes, &length, d->ordering));
    while (bytes != NULL) {
        OC_TRY(write_moved(m, bytes));
        OC_TRY(oc_ordering_next(&order, &bytes, &length, d->ordering));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_derive_links(oc_derivation *d)
{
    moving m = {.derivation = d, .stream = &d->trace->streams[d->stream]};
    oc_open_list_shorten(&d->open, sizeof(open_link), 0);
    const ocelotl_status status = move(&m);
    oc_ordering_clear(d->ordering);
    oc_text_free(&m.bytes);
    free(m.attributes);
    return status;
}

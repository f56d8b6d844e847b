/* The records of the chunk that is being filled, as they come: a few bytes each, one behind the
 * other, so that adding one touches little memory. They become columns when the chunk is written,
 * which may be done by another thread. */
#ifndef OC_STORE_CODEC_PACKING_H
#define OC_STORE_CODEC_PACKING_H

#include "store/codec/record.h"

#include <string.h>

/* Zero-initialised it is empty. */
typedef struct oc_packing {
    unsigned char *bytes;
    uint32_t length, capacity;
    uint32_t count;   /* records */
    uint32_t entries; /* that they are in columns: see codec/columns.h */
    uint32_t text;    /* bytes of text in their attributes */
    /* times of the first and the last record; the end stays when the records are forgotten */
    int64_t begin, end;
    bool ends; /* the last record is an end of the innermost that carries nothing */
} oc_packing;

/* Appends a record. Errors: MEMORY; LIMIT where a chunk grows beyond 2 GiB. */
ocelotl_status oc_packing_add(oc_packing *packing, oc_role role, const oc_record *record,
                              const ocelotl_attribute_value *attributes, size_t attribute_count);

/* Makes room for `extra` bytes more. */
ocelotl_status oc_packing_enlarge(oc_packing *packing, size_t extra);

/* Forgets the records and keeps the memory; gives it back. */
void oc_packing_clear(oc_packing *packing);
void oc_packing_free(oc_packing *packing);

/* --- States, the most frequent records: without a call for each */

enum { OC_PACKING_INTEGER = 10, OC_PACKING_RECORD = 6 * OC_PACKING_INTEGER };

static inline ocelotl_status oc_packing_reserve(oc_packing *packing, size_t extra)
{
    return packing->capacity - packing->length >= extra ? OCELOTL_OK
                                                        : oc_packing_enlarge(packing, extra);
}

static inline unsigned char *oc_packing_put(unsigned char *next, uint64_t number)
{
    while (number >= 0x80) {
        *next++ = (unsigned char)(number | 0x80);
        number >>= 7;
    }
    *next++ = (unsigned char)number;
    return next;
}

static inline unsigned char *oc_packing_put_signed(unsigned char *next, int64_t number)
{
    const uint64_t twice = (uint64_t)number << 1;
    return oc_packing_put(next, number < 0 ? ~twice : twice);
}

/* Time does not go back. */
static inline unsigned char *oc_packing_put_time(unsigned char *next, const oc_packing *packing,
                                                 int64_t time)
{
    return packing->count > 0 ? oc_packing_put(next, (uint64_t)time - (uint64_t)packing->end)
                              : oc_packing_put_signed(next, time);
}

/* An end and a begin at one instant are one entry. */
static inline void oc_packing_count(oc_packing *packing, int64_t time, bool begins, bool ends)
{
    packing->entries += !(begins && packing->ends && packing->end == time);
    packing->ends = ends;
    if (packing->count++ == 0)
        packing->begin = time;
    packing->end = time;
}

/* Appends a record that is no more than its time and its code: a begin, an instant, an end of the
 * innermost. */
static inline ocelotl_status oc_packing_add_state(oc_packing *packing, int64_t time, uint64_t code)
{
    OC_TRY(oc_packing_reserve(packing, OC_PACKING_RECORD));
    unsigned char *next = packing->bytes + packing->length;
    next = oc_packing_put_time(next, packing, time);
    next = oc_packing_put(next, code);
    *next++ = 0; /* attributes */
    packing->length = (uint32_t)(next - packing->bytes);
    oc_packing_count(packing, time, code != OC_CODE_END, code == OC_CODE_END);
    return OCELOTL_OK;
}

/* --- As columns */

/* In the order of docs/developer/store.md. */
typedef enum oc_packed_column {
    OC_PACKED_TIME,
    OC_PACKED_CODE,
    OC_PACKED_DEPTH,
    OC_PACKED_PARTNER,
    OC_PACKED_DURATION,
    OC_PACKED_NUMBER,
    OC_PACKED_ATTRIBUTE_COUNT,     /* of all but ends */
    OC_PACKED_END_ATTRIBUTE_COUNT, /* of ends */
    OC_PACKED_COUNT
} oc_packed_column;

/* The columns of one chunk after the other. Zero-initialised it is empty. */
typedef struct oc_columns_maker {
    struct {
        unsigned char *bytes, *end;
        size_t capacity;
    } columns[OC_PACKED_COUNT];
    oc_carried_text *carried; /* what the records carry */
    size_t carried_count, carried_capacity;
    oc_texts_maker texts;
} oc_columns_maker;

/* Makes the columns of a chunk from the bytes of a packing, not yet compressed. */
ocelotl_status oc_columns_make(oc_text *joined, oc_columns_maker *maker, const unsigned char *bytes,
                               size_t length, size_t count, oc_role role);
void oc_columns_maker_free(oc_columns_maker *maker);

/* --- Reading it back: the bytes are the writer's own and need no check */

static inline const unsigned char *oc_packing_unsigned(uint64_t *number, const unsigned char *from)
{
    unsigned shift = 0;
    for (*number = *from & 0x7F; *from++ >= 0x80;)
        *number |= (uint64_t)(*from & 0x7F) << (shift += 7);
    return from;
}

static inline const unsigned char *oc_packing_signed(int64_t *number, const unsigned char *from)
{
    uint64_t twice;
    from = oc_packing_unsigned(&twice, from);
    *number = (int64_t)(twice >> 1 ^ (0 - (twice & 1)));
    return from;
}

/* An optional index. */
static inline const unsigned char *oc_packing_index(uint32_t *index, const unsigned char *from)
{
    uint64_t number;
    from = oc_packing_unsigned(&number, from);
    *index = (uint32_t)number - 1;
    return from;
}

static inline const unsigned char *oc_packing_double(double *number, const unsigned char *from)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        bits |= (uint64_t)*from++ << (8 * i);
    memcpy(number, &bits, sizeof bits);
    return from;
}

/* Reads a record without its attributes; `before` is the time of the one before it, NULL for the
 * first. Gives the place of the number of its attributes, which follow. */
static inline const unsigned char *oc_packing_record(oc_record *record, const unsigned char *from,
                                                     oc_role role, const int64_t *before)
{
    const bool is_interval = role == OC_ROLE_STATES || role == OC_ROLE_LINKS_OUT;
    uint64_t step;
    uint64_t code;
    *record = (oc_record){.value = OCELOTL_NONE};
    if (before == NULL) {
        from = oc_packing_signed(&record->time, from);
    } else {
        from = oc_packing_unsigned(&step, from);
        record->time = (int64_t)((uint64_t)*before + step);
    }
    if (role == OC_ROLE_VARIABLE)
        return oc_packing_double(&record->number, from);
    from = oc_packing_unsigned(&code, from);
    record->ends = is_interval && code < OC_CODE_BEGIN;
    if (!record->ends)
        record->value = (uint32_t)(code - (is_interval ? OC_CODE_BEGIN : 0)) - 1;
    if (record->ends && code == OC_CODE_END_DEEPER) {
        from = oc_packing_index(&record->depth, from);
        record->depth++;
    }
    if (oc_record_has_partner(record, role)) {
        from = oc_packing_index(&record->partner, from);
        from = oc_packing_signed(&record->duration, from);
    }
    return from;
}

static inline const unsigned char *oc_packing_attribute(ocelotl_attribute_value *attribute,
                                                        const unsigned char *from)
{
    uint64_t number;
    uint64_t length;
    from = oc_packing_unsigned(&number, from);
    from = oc_packing_unsigned(&length, from);
    *attribute = (ocelotl_attribute_value){(uint32_t)number, (const char *)from, (size_t)length};
    return from + length;
}

#endif

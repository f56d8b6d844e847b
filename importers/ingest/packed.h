/* A record of a sorting as it lies in memory and in a run: the order of its bytes is the machine's,
 * since nobody else reads it. */
#ifndef OC_IMPORTERS_COMMON_PACKED_H
#define OC_IMPORTERS_COMMON_PACKED_H

#include "importers/ingest/sorting.h"

typedef struct oc_packed {
    int64_t time;
    union {
        int64_t end;
        uint64_t bits; /* the number or the detail */
    };
    uint64_t group;
    uint32_t type, value, order;
    uint32_t size; /* of all of it in bytes, with the attributes behind it; a multiple of 8 */
    uint32_t attribute_count;
    uint32_t kind;
} oc_packed;

/* The bytes that a record takes; 0 for one that is too large. */
uint32_t oc_packed_size(const oc_sorted *record);

/* Writes a record of that size; `place` is aligned to 8. */
void oc_packed_write(oc_packed *place, const oc_sorted *record, uint32_t size);

/* Reads a record into *record, all but its stream. `room` must hold its attributes; their texts are
 * those of `packed`. */
void oc_packed_read(oc_sorted *record, ocelotl_attribute_value *room, const oc_packed *packed);

/* Multiplies the times; false where one does not fit. */
bool oc_packed_refine(oc_packed *packed, uint64_t factor);

/* Negative where the left one comes first, 0 where the order they came in counts. */
static inline int oc_packed_compare(const oc_packed *left, const oc_packed *right, bool by_group)
{
    if (by_group && left->group != right->group)
        return left->group < right->group ? -1 : 1;
    if (left->time != right->time)
        return left->time < right->time ? -1 : 1;
    const bool is_span = left->kind == OC_SORTED_SPAN;
    if (is_span != (right->kind == OC_SORTED_SPAN))
        return is_span ? 1 : -1;
    if (!is_span)
        return 0;
    if (left->end != right->end)
        return left->end > right->end ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

/* Sorts records, stably. `scratch` has room for as many. O(n log n), O(n) for what is in order. */
void oc_packed_sort(const oc_packed **records, const oc_packed **scratch, size_t count,
                    bool by_group);

#endif

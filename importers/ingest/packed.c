#include "importers/ingest/packed.h"

#include "base/text.h"

#include <string.h>

/* Before each text: its attribute and its length. */
enum { OC_ATTRIBUTE_HEAD = 8 };

static const size_t largest = (size_t)1 << 30;

uint32_t oc_packed_size(const oc_sorted *record)
{
    size_t size = sizeof(oc_packed);
    for (size_t i = 0; i < record->attribute_count; i++) {
        const ocelotl_attribute_value *attribute = &record->attributes[i];
        if (attribute->text == NULL)
            continue;
        if (attribute->length > largest || size > largest)
            return 0;
        size += OC_ATTRIBUTE_HEAD + attribute->length;
    }
    return size > largest ? 0 : (uint32_t)((size + 7) & ~(size_t)7);
}

void oc_packed_write(oc_packed *place, const oc_sorted *record, uint32_t size)
{
    char *next = (char *)(place + 1);
    *place = (oc_packed){.time = record->time,
                         .bits = record->detail,
                         .group = record->group,
                         .type = record->type,
                         .value = record->value,
                         .order = record->order,
                         .size = size,
                         .kind = (uint32_t)record->kind};
    for (size_t i = 0; i < record->attribute_count; i++) {
        const ocelotl_attribute_value *attribute = &record->attributes[i];
        const uint32_t head[2] = {attribute->attribute, (uint32_t)attribute->length};
        if (attribute->text == NULL)
            continue;
        memcpy(next, head, sizeof head);
        memcpy(next + sizeof head, attribute->text, attribute->length);
        next += sizeof head + attribute->length;
        place->attribute_count++;
    }
    /* What a run holds is defined to its last byte. */
    memset(next, 0, (size_t)((char *)place + size - next));
}

void oc_packed_read(oc_sorted *record, ocelotl_attribute_value *room, const oc_packed *packed)
{
    const char *next = (const char *)(packed + 1);
    record->kind = (oc_sorted_kind)packed->kind;
    record->group = packed->group;
    record->time = packed->time;
    record->detail = packed->bits;
    record->order = packed->order;
    record->type = packed->type;
    record->value = packed->value;
    record->attributes = room;
    record->attribute_count = packed->attribute_count;
    for (uint32_t i = 0; i < packed->attribute_count; i++) {
        uint32_t head[2];
        memcpy(head, next, sizeof head);
        room[i] = (ocelotl_attribute_value){head[0], next + sizeof head, head[1]};
        next += sizeof head + head[1];
    }
}

bool oc_packed_refine(oc_packed *packed, uint64_t factor)
{
    return oc_multiply_time(&packed->time, packed->time, factor) &&
           (packed->kind != OC_SORTED_SPAN || oc_multiply_time(&packed->end, packed->end, factor));
}

enum { OC_SHORT_PIECE = 16 };

static void insert_all(const oc_packed **records, size_t count, bool by_group)
{
    for (size_t i = 1; i < count; i++) {
        const oc_packed *one = records[i];
        size_t place = i;
        for (; place > 0 && oc_packed_compare(records[place - 1], one, by_group) > 0; place--)
            records[place] = records[place - 1];
        records[place] = one;
    }
}

/* Merges records[0, middle) and records[middle, count). */
static void merge(const oc_packed **records, const oc_packed **scratch, size_t middle, size_t count,
                  bool by_group)
{
    size_t left = 0;
    size_t right = middle;
    if (oc_packed_compare(records[middle - 1], records[middle], by_group) <= 0)
        return;
    memcpy(scratch, records, middle * sizeof(const oc_packed *));
    for (size_t i = 0; left < middle; i++)
        records[i] = right < count && oc_packed_compare(scratch[left], records[right], by_group) > 0
                         ? records[right++]
                         : scratch[left++];
}

void oc_packed_sort(const oc_packed **records, const oc_packed **scratch, size_t count,
                    bool by_group)
{
    for (size_t first = 0; first < count; first += OC_SHORT_PIECE)
        insert_all(records + first, count - first < OC_SHORT_PIECE ? count - first : OC_SHORT_PIECE,
                   by_group);
    for (size_t length = OC_SHORT_PIECE; length < count; length *= 2)
        for (size_t first = 0; count - first > length; first += 2 * length) {
            const size_t left = count - first;
            merge(records + first, scratch, length, left < 2 * length ? left : 2 * length,
                  by_group);
            if (left <= 2 * length)
                break;
        }
}

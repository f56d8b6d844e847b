#include "store/codec/packing.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A record is its time (since the one before; of the first signed, since 0); of a variable, its
 * number, of all others its code, of an end that is not of the innermost, its depth; of the two
 * that know both ends of a link, partner and duration; the number of its attributes, and for each
 * its number, length and text. */

enum { LONGEST_INTEGER = OC_PACKING_INTEGER, SMALLEST_PACKING = 64 };
static const uint32_t largest_packing = (uint32_t)1 << 31;

ocelotl_status oc_packing_enlarge(oc_packing *packing, size_t extra)
{
    uint32_t capacity = packing->capacity < SMALLEST_PACKING ? SMALLEST_PACKING : packing->capacity;
    if (extra > largest_packing - packing->length)
        return oc_fail(OCELOTL_ERROR_LIMIT, "a chunk of events of more than 2 GiB");
    while (capacity - packing->length < extra)
        capacity *= 2;
    unsigned char *bytes = realloc(packing->bytes, capacity);
    if (bytes == NULL)
        return oc_fail_memory();
    packing->bytes = bytes;
    packing->capacity = capacity;
    return OCELOTL_OK;
}

static ocelotl_status add_attributes(oc_packing *packing, const ocelotl_attribute_value *attributes,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ocelotl_attribute_value *attribute = &attributes[i];
        if (attribute->text == NULL)
            continue;
        OC_TRY(oc_packing_reserve(packing, 2 * LONGEST_INTEGER + attribute->length));
        unsigned char *next =
            oc_packing_put(packing->bytes + packing->length, attribute->attribute);
        next = oc_packing_put(next, attribute->length);
        memcpy(next, attribute->text, attribute->length);
        packing->length = (uint32_t)(next - packing->bytes) + (uint32_t)attribute->length;
        packing->text += (uint32_t)attribute->length;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_packing_add(oc_packing *packing, oc_role role, const oc_record *record,
                              const ocelotl_attribute_value *attributes, size_t attribute_count)
{
    size_t given = 0;
    OC_TRY(oc_packing_reserve(packing, OC_PACKING_RECORD));
    unsigned char *next = packing->bytes + packing->length;
    next = oc_packing_put_time(next, packing, record->time);
    if (role == OC_ROLE_VARIABLE) {
        uint64_t bits;
        memcpy(&bits, &record->number, sizeof bits);
        for (size_t i = 0; i < 8; i++)
            *next++ = (unsigned char)(bits >> (8 * i));
    } else {
        next = oc_packing_put(next, oc_record_code(record, role));
    }
    if (record->ends && record->depth > 0)
        next = oc_packing_put(next, record->depth);
    if (oc_record_has_partner(record, role)) {
        next =
            oc_packing_put(next, (uint32_t)(record->partner +
                                            1)); /* OCELOTL_NONE becomes 0, so that it is short */
        next = oc_packing_put_signed(next, record->duration);
    }
    for (size_t i = 0; i < attribute_count; i++)
        given += attributes[i].text != NULL;
    next = oc_packing_put(next, given);
    packing->length = (uint32_t)(next - packing->bytes);
    if (given > 0)
        OC_TRY(add_attributes(packing, attributes, attribute_count));
    const bool states = role == OC_ROLE_STATES;
    oc_packing_count(packing, record->time, states && !record->ends,
                     states && record->ends && record->depth == 0 && given == 0);
    return OCELOTL_OK;
}

void oc_packing_clear(oc_packing *packing)
{
    packing->length = 0;
    packing->count = 0;
    packing->entries = 0;
    packing->ends = false;
    packing->text = 0;
}

void oc_packing_free(oc_packing *packing)
{
    free(packing->bytes);
    *packing = (oc_packing){0};
}

/* Begins the columns. None is longer than its source: codes of states grow by a bit, and leave out
 * the number of attributes. */
static ocelotl_status begin_columns(oc_columns_maker *maker, size_t length)
{
    for (size_t i = 0; i < OC_PACKED_COUNT; i++) {
        OC_TRY(oc_grow(&maker->columns[i].bytes, &maker->columns[i].capacity,
                       length + LONGEST_INTEGER, 1));
        maker->columns[i].end = maker->columns[i].bytes;
    }
    maker->carried_count = 0;
    return OCELOTL_OK;
}

/* Copies an integer to its column as it is. */
static inline const unsigned char *move_integer(oc_columns_maker *maker, oc_packed_column column,
                                                const unsigned char *from)
{
    unsigned char *end = maker->columns[column].end;
    while ((*end++ = *from++) >= 0x80) {
    }
    maker->columns[column].end = end;
    return from;
}

/* Notes what a record carries; the texts stay where they are. */
static ocelotl_status move_attributes(oc_columns_maker *maker, const unsigned char **next,
                                      uint64_t count)
{
    OC_TRY(oc_grow(&maker->carried, &maker->carried_capacity, maker->carried_count + count,
                   sizeof *maker->carried));
    for (uint64_t i = 0; i < count; i++) {
        ocelotl_attribute_value value;
        *next = oc_packing_attribute(&value, *next);
        maker->carried[maker->carried_count++] =
            (oc_carried_text){value.attribute, (const unsigned char *)value.text, value.length};
    }
    return OCELOTL_OK;
}

/* How many attributes a record has, which follow. */
static inline ocelotl_status move_count(oc_columns_maker *maker, const unsigned char **next,
                                        bool ends)
{
    uint64_t own;
    oc_packing_unsigned(&own, *next);
    *next = move_integer(maker, ends ? OC_PACKED_END_ATTRIBUTE_COUNT : OC_PACKED_ATTRIBUTE_COUNT,
                         *next);
    return own == 0 ? OCELOTL_OK : move_attributes(maker, next, own);
}

static ocelotl_status move_records(oc_columns_maker *maker, const unsigned char *from, size_t count,
                                   oc_role role)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t code = OC_CODE_BEGIN;
        from = move_integer(maker, OC_PACKED_TIME, from);
        if (role == OC_ROLE_VARIABLE) {
            memcpy(maker->columns[OC_PACKED_NUMBER].end, from, 8);
            maker->columns[OC_PACKED_NUMBER].end += 8;
            from += 8;
        } else {
            code = *from;
            from = move_integer(maker, OC_PACKED_CODE, from);
        }
        if (role == OC_ROLE_LINKS_OUT && code == OC_CODE_END_DEEPER)
            from = move_integer(maker, OC_PACKED_DEPTH, from);
        if (role == OC_ROLE_LINKS_IN || (role == OC_ROLE_LINKS_OUT && code < OC_CODE_BEGIN)) {
            from = move_integer(maker, OC_PACKED_PARTNER, from);
            from = move_integer(maker, OC_PACKED_DURATION, from);
        }
        OC_TRY(move_count(maker, &from, role == OC_ROLE_LINKS_OUT && code < OC_CODE_BEGIN));
    }
    return OCELOTL_OK;
}

/* Gives the number of entries. */
static ocelotl_status move_states(size_t *entries, oc_columns_maker *maker,
                                  const unsigned char *from, size_t count)
{
    *entries = count;
    for (size_t i = 0; i < count; i++) {
        uint64_t code;
        uint64_t entry = OC_ENTRY_BEGIN;
        from = move_integer(maker, OC_PACKED_TIME, from);
        from = oc_packing_unsigned(&code, from);
        /* A begin behind an end that carries nothing, at the same instant: its time is 0 then,
         * which has one byte. */
        if (code == OC_CODE_END && from[0] == 0 && i + 1 < count && from[1] == 0 &&
            from[2] >= OC_CODE_BEGIN) {
            from = oc_packing_unsigned(&code, from + 2);
            entry = OC_ENTRY_REPLACE;
            i++;
            --*entries;
        }
        if (code > OC_CODE_BEGIN)
            code = entry + 2 * (code - OC_CODE_BEGIN - 1);
        maker->columns[OC_PACKED_CODE].end =
            oc_packing_put(maker->columns[OC_PACKED_CODE].end, code);
        if (code == OC_CODE_END_DEEPER)
            from = move_integer(maker, OC_PACKED_DEPTH, from);
        OC_TRY(move_count(maker, &from, code < OC_CODE_BEGIN));
    }
    return OCELOTL_OK;
}

ocelotl_status oc_columns_make(oc_text *joined, oc_columns_maker *maker, const unsigned char *bytes,
                               size_t length, size_t count, oc_role role)
{
    size_t entries = count;
    OC_TRY(begin_columns(maker, length));
    OC_TRY(role == OC_ROLE_STATES ? move_states(&entries, maker, bytes, count)
                                  : move_records(maker, bytes, count, role));
    oc_text_clear(joined);
    oc_bytes_add_unsigned(joined, entries);
    for (size_t i = 0; i < OC_PACKED_COUNT; i++) {
        if (i == OC_PACKED_ATTRIBUTE_COUNT)
            oc_bytes_add_unsigned(joined, maker->carried_count);
        if (i == OC_PACKED_ATTRIBUTE_COUNT && maker->carried_count == 0)
            break;
        oc_text_append(joined, (const char *)maker->columns[i].bytes,
                       (size_t)(maker->columns[i].end - maker->columns[i].bytes));
    }
    OC_TRY(oc_texts_pack(joined, &maker->texts, maker->carried, maker->carried_count));
    return joined->failed ? oc_fail_memory() : OCELOTL_OK;
}

void oc_columns_maker_free(oc_columns_maker *maker)
{
    for (size_t i = 0; i < OC_PACKED_COUNT; i++)
        free(maker->columns[i].bytes);
    free(maker->carried);
    oc_texts_maker_free(&maker->texts);
    *maker = (oc_columns_maker){0};
}

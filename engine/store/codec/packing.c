#include "store/codec/packing.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A record is its time (signed, since the one before); of a variable, its number, of all others its
 * code, of an end that is not of the innermost, its depth; of the two that know both ends of a
 * link, partner and duration; the number of its attributes, and for each its number, length and
 * text. */

enum { LONGEST_INTEGER = 10, LONGEST_RECORD = 6 * LONGEST_INTEGER, SMALLEST_PACKING = 64 };
static const uint32_t largest_packing = (uint32_t)1 << 31;

static ocelotl_status enlarge(oc_packing *packing, size_t extra)
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

static inline ocelotl_status reserve(oc_packing *packing, size_t extra)
{
    return packing->capacity - packing->length >= extra ? OCELOTL_OK : enlarge(packing, extra);
}

static inline unsigned char *put_unsigned(unsigned char *next, uint64_t number)
{
    while (number >= 0x80) {
        *next++ = (unsigned char)(number | 0x80);
        number >>= 7;
    }
    *next++ = (unsigned char)number;
    return next;
}

static inline unsigned char *put_signed(unsigned char *next, int64_t number)
{
    const uint64_t twice = (uint64_t)number << 1;
    return put_unsigned(next, number < 0 ? ~twice : twice);
}

static unsigned char *put_double(unsigned char *next, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (size_t i = 0; i < 8; i++)
        *next++ = (unsigned char)(bits >> (8 * i));
    return next;
}

static ocelotl_status add_attributes(oc_packing *packing, const ocelotl_attribute_value *attributes,
                                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const ocelotl_attribute_value *attribute = &attributes[i];
        if (attribute->text == NULL)
            continue;
        OC_TRY(reserve(packing, 2 * LONGEST_INTEGER + attribute->length));
        unsigned char *next = put_unsigned(packing->bytes + packing->length, attribute->attribute);
        next = put_unsigned(next, attribute->length);
        memcpy(next, attribute->text, attribute->length);
        packing->length = (uint32_t)(next - packing->bytes) + (uint32_t)attribute->length;
        packing->text += (uint32_t)attribute->length;
    }
    return OCELOTL_OK;
}

ocelotl_status oc_packing_add(oc_packing *packing, oc_role role, const oc_record *record,
                              const ocelotl_attribute_value *attributes, size_t attribute_count)
{
    const int64_t before = packing->count > 0 ? packing->end : 0;
    size_t given = 0;
    OC_TRY(reserve(packing, LONGEST_RECORD));
    unsigned char *next = packing->bytes + packing->length;
    next = put_signed(next, (int64_t)((uint64_t)record->time - (uint64_t)before));
    if (role == OC_ROLE_VARIABLE)
        next = put_double(next, record->number);
    else
        next = put_unsigned(next, oc_record_code(record, role));
    if (record->ends && record->depth > 0)
        next = put_unsigned(next, record->depth);
    if (oc_record_has_partner(record, role)) {
        next = put_unsigned(next, (uint32_t)(record->partner +
                                             1)); /* OCELOTL_NONE becomes 0, so that it is short */
        next = put_signed(next, record->duration);
    }
    for (size_t i = 0; i < attribute_count; i++)
        given += attributes[i].text != NULL;
    next = put_unsigned(next, given);
    packing->length = (uint32_t)(next - packing->bytes);
    if (given > 0)
        OC_TRY(add_attributes(packing, attributes, attribute_count));
    if (packing->count++ == 0)
        packing->begin = record->time;
    packing->end = record->time;
    return OCELOTL_OK;
}

ocelotl_status oc_packing_add_state(oc_packing *packing, int64_t time, uint64_t code)
{
    const int64_t before = packing->count > 0 ? packing->end : 0;
    OC_TRY(reserve(packing, LONGEST_RECORD));
    unsigned char *next = packing->bytes + packing->length;
    next = put_signed(next, (int64_t)((uint64_t)time - (uint64_t)before));
    next = put_unsigned(next, code);
    *next++ = 0; /* attributes */
    packing->length = (uint32_t)(next - packing->bytes);
    if (packing->count++ == 0)
        packing->begin = time;
    packing->end = time;
    return OCELOTL_OK;
}

void oc_packing_clear(oc_packing *packing)
{
    packing->length = 0;
    packing->count = 0;
    packing->text = 0;
}

void oc_packing_free(oc_packing *packing)
{
    free(packing->bytes);
    *packing = (oc_packing){0};
}

/* No column is longer than all that it is made from. */
static ocelotl_status begin_columns(oc_columns_maker *maker, size_t length)
{
    for (size_t i = 0; i < OC_PACKED_COUNT; i++) {
        OC_TRY(oc_grow(&maker->columns[i].bytes, &maker->columns[i].capacity,
                       length + LONGEST_INTEGER, 1));
        maker->columns[i].end = maker->columns[i].bytes;
    }
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

static inline const unsigned char *move_bytes(oc_columns_maker *maker, oc_packed_column column,
                                              const unsigned char *from, size_t length)
{
    memcpy(maker->columns[column].end, from, length);
    maker->columns[column].end += length;
    return from + length;
}

static const unsigned char *move_attributes(oc_columns_maker *maker, const unsigned char *from,
                                            uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length;
        from = move_integer(maker, OC_PACKED_ATTRIBUTE_NAME, from);
        oc_packing_unsigned(&length, from);
        from = move_integer(maker, OC_PACKED_ATTRIBUTE_LENGTH, from);
        from = move_bytes(maker, OC_PACKED_ATTRIBUTE_TEXT, from, (size_t)length);
    }
    return from;
}

static uint64_t move_records(oc_columns_maker *maker, const unsigned char *from, size_t count,
                             oc_role role)
{
    const bool is_interval = role == OC_ROLE_STATES || role == OC_ROLE_LINKS_OUT;
    uint64_t attributes = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t code = OC_CODE_BEGIN;
        uint64_t own;
        from = move_integer(maker, OC_PACKED_TIME, from);
        if (role == OC_ROLE_VARIABLE) {
            from = move_bytes(maker, OC_PACKED_NUMBER, from, 8);
        } else {
            code = *from;
            from = move_integer(maker, OC_PACKED_CODE, from);
        }
        if (is_interval && code == OC_CODE_END_DEEPER)
            from = move_integer(maker, OC_PACKED_DEPTH, from);
        if (role == OC_ROLE_LINKS_IN || (role == OC_ROLE_LINKS_OUT && code < OC_CODE_BEGIN)) {
            from = move_integer(maker, OC_PACKED_PARTNER, from);
            from = move_integer(maker, OC_PACKED_DURATION, from);
        }
        oc_packing_unsigned(&own, from);
        from = move_integer(maker, OC_PACKED_ATTRIBUTE_COUNT, from);
        if (own > 0)
            from = move_attributes(maker, from, own);
        attributes += own;
    }
    return attributes;
}

ocelotl_status oc_columns_make(oc_text *joined, oc_columns_maker *maker, const unsigned char *bytes,
                               size_t length, size_t count, oc_role role)
{
    OC_TRY(begin_columns(maker, length));
    const uint64_t attributes = move_records(maker, bytes, count, role);
    oc_text_clear(joined);
    oc_bytes_add_unsigned(joined, count);
    for (size_t i = 0; i < OC_PACKED_COUNT; i++) {
        if (i == OC_PACKED_ATTRIBUTE_COUNT)
            oc_bytes_add_unsigned(joined, attributes);
        if (i == OC_PACKED_ATTRIBUTE_COUNT && attributes == 0)
            break;
        oc_text_append(joined, (const char *)maker->columns[i].bytes,
                       (size_t)(maker->columns[i].end - maker->columns[i].bytes));
    }
    return joined->failed ? oc_fail_memory() : OCELOTL_OK;
}

void oc_columns_maker_free(oc_columns_maker *maker)
{
    for (size_t i = 0; i < OC_PACKED_COUNT; i++)
        free(maker->columns[i].bytes);
    *maker = (oc_columns_maker){0};
}

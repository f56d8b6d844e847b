#include "store/packing.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_INTEGER = 10, SMALLEST_COLUMN = 32 };
static const uint32_t largest_column = (uint32_t)1 << 31;

static ocelotl_status enlarge(oc_packing *columns, oc_packed_column *column, size_t extra)
{
    uint32_t capacity = column->capacity < SMALLEST_COLUMN ? SMALLEST_COLUMN : column->capacity;
    if (extra > largest_column - column->length)
        return oc_fail(OCELOTL_ERROR_LIMIT, "a chunk of events of more than 2 GiB");
    while (capacity - column->length < extra)
        capacity *= 2;
    unsigned char *bytes = realloc(column->bytes, capacity);
    if (bytes == NULL)
        return oc_fail_memory();
    columns->allocated += capacity - column->capacity;
    column->bytes = bytes;
    column->capacity = capacity;
    return OCELOTL_OK;
}

static inline ocelotl_status reserve(oc_packing *columns, oc_packed_column *column, size_t extra)
{
    return column->capacity - column->length >= extra ? OCELOTL_OK : enlarge(columns, column, extra);
}

static inline ocelotl_status add_unsigned(oc_packing *columns, oc_packing_column name, uint64_t number)
{
    oc_packed_column *column = &columns->column[name];
    OC_TRY(reserve(columns, column, LONGEST_INTEGER));
    unsigned char *next = column->bytes + column->length;
    while (number >= 0x80) {
        *next++ = (unsigned char)(number | 0x80);
        number >>= 7;
    }
    *next++ = (unsigned char)number;
    column->length = (uint32_t)(next - column->bytes);
    return OCELOTL_OK;
}

static inline ocelotl_status add_signed(oc_packing *columns, oc_packing_column name, int64_t number)
{
    const uint64_t twice = (uint64_t)number << 1;
    return add_unsigned(columns, name, number < 0 ? ~twice : twice);
}

static ocelotl_status add_bytes(oc_packing *columns, oc_packing_column name, const void *bytes, size_t length)
{
    oc_packed_column *column = &columns->column[name];
    if (length == 0)
        return OCELOTL_OK;
    OC_TRY(reserve(columns, column, length));
    memcpy(column->bytes + column->length, bytes, length);
    column->length += (uint32_t)length;
    return OCELOTL_OK;
}

static ocelotl_status add_double(oc_packing *columns, double number)
{
    uint64_t bits;
    unsigned char block[8];
    memcpy(&bits, &number, sizeof bits);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = (unsigned char)(bits >> (8 * i));
    return add_bytes(columns, OC_COLUMN_NUMBER, block, sizeof block);
}

/* The counts of attributes begin with the first record that has one: those before it have none. */
static ocelotl_status begin_attributes(oc_packing *columns)
{
    oc_packed_column *counts = &columns->column[OC_COLUMN_ATTRIBUTE_COUNT];
    OC_TRY(reserve(columns, counts, columns->count));
    if (columns->count > 0)
        memset(counts->bytes, 0, columns->count);
    counts->length = columns->count;
    return OCELOTL_OK;
}

static ocelotl_status add_attributes(oc_packing *columns, const ocelotl_attribute_value *attributes, size_t count)
{
    size_t given = 0;
    for (size_t i = 0; i < count; i++)
        given += attributes[i].text != NULL;
    if (columns->attribute_count == 0 && given == 0)
        return OCELOTL_OK;
    if (columns->attribute_count == 0)
        OC_TRY(begin_attributes(columns));
    OC_TRY(add_unsigned(columns, OC_COLUMN_ATTRIBUTE_COUNT, given));
    for (size_t i = 0; i < count; i++) {
        if (attributes[i].text == NULL)
            continue;
        OC_TRY(add_unsigned(columns, OC_COLUMN_ATTRIBUTE_NAME, attributes[i].attribute));
        OC_TRY(add_unsigned(columns, OC_COLUMN_ATTRIBUTE_LENGTH, attributes[i].length));
        OC_TRY(add_bytes(columns, OC_COLUMN_ATTRIBUTE_TEXT, attributes[i].text, attributes[i].length));
    }
    columns->attribute_count += (uint32_t)given;
    return OCELOTL_OK;
}

static ocelotl_status add_code(oc_packing *columns, oc_role role, const oc_record *record)
{
    OC_TRY(add_unsigned(columns, OC_COLUMN_CODE, oc_record_code(record, role)));
    return record->ends && record->depth > 0 ? add_unsigned(columns, OC_COLUMN_DEPTH, record->depth) : OCELOTL_OK;
}

ocelotl_status oc_packing_add(oc_packing *columns, oc_role role, const oc_record *record,
                              const ocelotl_attribute_value *attributes, size_t attribute_count)
{
    const int64_t before = columns->count > 0 ? columns->end : 0;
    OC_TRY(add_signed(columns, OC_COLUMN_TIME, (int64_t)((uint64_t)record->time - (uint64_t)before)));
    OC_TRY(role == OC_ROLE_VARIABLE ? add_double(columns, record->number) : add_code(columns, role, record));
    if (oc_record_has_partner(record, role)) {
        /* OCELOTL_NONE becomes 0, so that it is short. */
        OC_TRY(add_unsigned(columns, OC_COLUMN_PARTNER, (uint32_t)(record->partner + 1)));
        OC_TRY(add_signed(columns, OC_COLUMN_DURATION, record->duration));
    }
    if (attribute_count > 0 || columns->attribute_count > 0)
        OC_TRY(add_attributes(columns, attributes, attribute_count));
    if (columns->count++ == 0)
        columns->begin = record->time;
    columns->end = record->time;
    return OCELOTL_OK;
}

void oc_packing_join(oc_text *bytes, const oc_packing *columns)
{
    oc_bytes_add_unsigned(bytes, columns->count);
    for (size_t i = 0; i < OC_COLUMN_COUNT; i++) {
        if (i == OC_COLUMN_ATTRIBUTE_COUNT)
            oc_bytes_add_unsigned(bytes, columns->attribute_count);
        oc_text_append(bytes, (const char *)columns->column[i].bytes, columns->column[i].length);
    }
}

void oc_packing_clear(oc_packing *columns)
{
    for (size_t i = 0; i < OC_COLUMN_COUNT; i++)
        columns->column[i].length = 0;
    columns->count = 0;
    columns->attribute_count = 0;
}

void oc_packing_free(oc_packing *columns)
{
    for (size_t i = 0; i < OC_COLUMN_COUNT; i++)
        free(columns->column[i].bytes);
    *columns = (oc_packing){0};
}

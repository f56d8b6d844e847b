#include "store/codec/record.h"

#include "base/memory.h"
#include "store/codec/columns.h"
#include "store/codec/packing.h"

#include <stdlib.h>
#include <string.h>

ocelotl_status oc_records_add(oc_records *records, const oc_record *record,
                              const ocelotl_attribute_value *attributes, size_t attribute_count)
{
    OC_TRY(oc_grow(&records->records, &records->capacity, records->count + 1,
                   sizeof *records->records));
    OC_TRY(oc_grow(&records->attributes, &records->attribute_capacity,
                   records->attribute_count + attribute_count, sizeof *records->attributes));
    oc_record added = *record;
    added.attribute_first = (uint32_t)records->attribute_count;
    added.attribute_count = 0;
    for (size_t i = 0; i < attribute_count; i++) {
        if (attributes[i].text == NULL)
            continue;
        records->attributes[records->attribute_count++] = (oc_record_attribute){
            attributes[i].attribute, records->text.length, attributes[i].length};
        oc_text_append(&records->text, attributes[i].text, attributes[i].length);
        added.attribute_count++;
    }
    if (records->text.failed)
        return oc_fail_memory();
    records->records[records->count++] = added;
    return OCELOTL_OK;
}

double oc_record_number(const oc_records *records, const oc_record *record, uint32_t attribute)
{
    double sum = 0;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        const oc_record_attribute *carried = &records->attributes[record->attribute_first + i];
        double number;
        if (carried->attribute == attribute && carried->length > 0 &&
            oc_bytes_are_number(&number, records->text.bytes + carried->text, carried->length))
            sum += number;
    }
    return sum;
}

void oc_records_clear(oc_records *records)
{
    records->count = 0;
    records->attribute_count = 0;
    oc_text_clear(&records->text);
}

void oc_records_free(oc_records *records)
{
    free(records->records);
    free(records->attributes);
    oc_text_free(&records->text);
    oc_blob_opener_free(&records->opener);
    *records = (oc_records){0};
}

ocelotl_status oc_carried_copy(oc_carried **carried, const oc_records *records,
                               const oc_record *record)
{
    size_t bytes = 0;
    oc_carried *copy = NULL;
    *carried = NULL;
    if (record->attribute_count == 0)
        return OCELOTL_OK;
    const oc_record_attribute *attributes = &records->attributes[record->attribute_first];
    for (uint32_t i = 0; i < record->attribute_count; i++)
        bytes += attributes[i].length;
    OC_TRY(oc_allocate(&copy, 1,
                       sizeof *copy + record->attribute_count * sizeof copy->values[0] + bytes));
    char *text = (char *)(copy->values + record->attribute_count);
    copy->count = record->attribute_count;
    for (uint32_t i = 0; i < record->attribute_count; i++) {
        copy->values[i] =
            (ocelotl_attribute_value){attributes[i].attribute, text, attributes[i].length};
        if (attributes[i].length > 0)
            memcpy(text, records->text.bytes + attributes[i].text, attributes[i].length);
        text += attributes[i].length;
    }
    *carried = copy;
    return OCELOTL_OK;
}

static bool is_interval(oc_role role)
{
    return role == OC_ROLE_STATES || role == OC_ROLE_LINKS_OUT;
}

static ocelotl_status collect(oc_packing *packing, const oc_records *records, oc_role role)
{
    for (size_t i = 0; i < records->count; i++) {
        const oc_record *record = &records->records[i];
        ocelotl_attribute_value *attributes = NULL;
        OC_TRY(oc_allocate(&attributes, record->attribute_count, sizeof *attributes));
        for (uint32_t a = 0; a < record->attribute_count; a++) {
            const oc_record_attribute *attribute =
                &records->attributes[record->attribute_first + a];
            attributes[a] = (ocelotl_attribute_value){
                attribute->attribute, records->text.bytes + attribute->text, attribute->length};
        }
        const ocelotl_status status =
            oc_packing_add(packing, role, record, attributes, record->attribute_count);
        free(attributes);
        OC_TRY(status);
    }
    return OCELOTL_OK;
}

static ocelotl_status pack(oc_text *blob, oc_text *joined, oc_columns_maker *maker,
                           oc_packing *packing, const oc_records *records, oc_role role,
                           ZSTD_CCtx *compressor)
{
    OC_TRY(collect(packing, records, role));
    OC_TRY(oc_columns_make(joined, maker, packing->bytes, packing->length, packing->count, role));
    return oc_blob_pack(blob, joined, compressor);
}

ocelotl_status oc_records_pack(oc_text *blob, const oc_records *records, oc_role role)
{
    oc_packing packing = {0};
    oc_columns_maker maker = {0};
    oc_text joined = {0};
    ZSTD_CCtx *compressor = ZSTD_createCCtx();
    const ocelotl_status status =
        compressor == NULL ? oc_fail_memory()
                           : pack(blob, &joined, &maker, &packing, records, role, compressor);
    ZSTD_freeCCtx(compressor);
    oc_packing_free(&packing);
    oc_columns_maker_free(&maker);
    oc_text_free(&joined);
    return status;
}

static ocelotl_status damaged(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events");
}

static void read_code(oc_record *record, oc_bytes_reader *reader, oc_role role)
{
    uint64_t code = oc_bytes_unsigned(reader);
    if (is_interval(role)) {
        record->ends = code < OC_CODE_BEGIN;
        record->depth = code == OC_CODE_END_DEEPER;
        if (record->ends)
            return;
        code -= OC_CODE_BEGIN;
    }
    if (code > UINT32_MAX)
        reader->failed = true;
    record->value = (uint32_t)code - 1;
}

static void read_times(oc_records *records, oc_bytes_reader *reader, uint64_t unit)
{
    int64_t time = 0;
    for (size_t i = 0; i < records->count && !reader->failed; i++) {
        const int64_t step = oc_bytes_signed(reader);
        if ((i > 0 && step < 0) || !oc_add_times(&time, time, step) ||
            !oc_multiply_time(&records->records[i].time, time, unit))
            reader->failed = true;
    }
}

static void read_partners(oc_records *records, oc_bytes_reader *reader, oc_role role, uint64_t unit)
{
    for (size_t i = 0; i < records->count && !reader->failed; i++)
        if (oc_record_has_partner(&records->records[i], role))
            records->records[i].partner = oc_bytes_index(reader) - 1;
    for (size_t i = 0; i < records->count && !reader->failed; i++)
        if (oc_record_has_partner(&records->records[i], role) &&
            !oc_multiply_time(&records->records[i].duration, oc_bytes_signed(reader), unit))
            reader->failed = true;
}

static ocelotl_status read_attributes(oc_records *records, oc_bytes_reader *reader)
{
    const size_t count = oc_bytes_count(reader);
    if (count == 0)
        return reader->failed ? damaged() : OCELOTL_OK;
    if (count > OC_MOST_ATTRIBUTES)
        return damaged();
    OC_TRY(oc_grow(&records->attributes, &records->attribute_capacity, count,
                   sizeof *records->attributes));
    size_t next = 0;
    for (size_t i = 0; i < records->count; i++) {
        const size_t own = oc_bytes_count(reader);
        if (own > count - next)
            return damaged();
        records->records[i].attribute_first = (uint32_t)next;
        records->records[i].attribute_count = (uint32_t)own;
        next += own;
    }
    if (next != count)
        return damaged();
    records->attribute_count = count;
    for (size_t i = 0; i < count; i++)
        records->attributes[i] = (oc_record_attribute){.attribute = oc_bytes_index(reader)};
    for (size_t i = 0; i < count; i++)
        records->attributes[i].length = (size_t)oc_bytes_unsigned(reader);
    for (size_t i = 0; i < count && !reader->failed; i++) {
        const char *block = oc_bytes_block(reader, records->attributes[i].length);
        records->attributes[i].text = records->text.length;
        if (block != NULL)
            oc_text_append(&records->text, block, records->attributes[i].length);
    }
    if (records->text.failed)
        return oc_fail_memory();
    return reader->failed ? damaged() : OCELOTL_OK;
}

static ocelotl_status unpack_columns(oc_records *records, const char *bytes, size_t length,
                                     oc_role role, uint64_t unit)
{
    oc_bytes_reader reader = oc_bytes_read(bytes, length);
    const size_t count = oc_bytes_count(&reader);
    oc_records_clear(records);
    if (count > OC_MOST_RECORDS)
        return damaged();
    OC_TRY(oc_grow(&records->records, &records->capacity, count, sizeof *records->records));
    for (size_t i = 0; i < count; i++)
        records->records[i] = (oc_record){0};
    records->count = count;
    read_times(records, &reader, unit);
    if (role != OC_ROLE_VARIABLE)
        for (size_t i = 0; i < count; i++)
            read_code(&records->records[i], &reader, role);
    for (size_t i = 0; i < count; i++)
        if (records->records[i].depth > 0)
            records->records[i].depth = oc_bytes_index(&reader);
    if (role == OC_ROLE_LINKS_OUT || role == OC_ROLE_LINKS_IN)
        read_partners(records, &reader, role, unit);
    if (role == OC_ROLE_VARIABLE)
        for (size_t i = 0; i < count; i++)
            records->records[i].number = oc_bytes_double(&reader);
    OC_TRY(read_attributes(records, &reader));
    return reader.failed || reader.next != reader.end ? damaged() : OCELOTL_OK;
}

ocelotl_status oc_records_unpack(oc_records *records, const void *blob, size_t length, oc_role role,
                                 uint64_t unit)
{
    if (unit == 0)
        return damaged();
    OC_TRY(oc_blob_open(&records->opener, blob, length));
    return unpack_columns(records, (const char *)records->opener.columns, records->opener.length,
                          role, unit);
}

#include "store/codec/record.h"

#include "base/memory.h"
#include "store/codec/columns.h"
#include "store/codec/packing.h"

#include <stdlib.h>
#include <string.h>

ocelotl_attribute_value oc_record_attribute_at(const oc_records *records, const oc_record *record,
                                               uint32_t index)
{
    const oc_record_attribute *carried = &records->attributes[record->attribute_first + index];
    return (ocelotl_attribute_value){carried->attribute,
                                     carried->length > 0 ? records->text.bytes + carried->text : "",
                                     carried->length};
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
    oc_texts_order_free(&records->order);
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

static ocelotl_status damaged(void)
{
    return oc_fail(OCELOTL_ERROR_INPUT, "damaged chunk of events");
}

/* Where the reading of a chunk is. */
typedef struct chunk_reader {
    oc_bytes_reader bytes;
    oc_bytes_reader codes; /* of states: where they begin */
    size_t entries;
    oc_role role;
    uint64_t unit;
} chunk_reader;

static void read_code(oc_record *record, oc_bytes_reader *reader, oc_role role)
{
    uint64_t code = oc_bytes_unsigned(reader);
    if (role == OC_ROLE_LINKS_OUT) {
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

/* The time of the next entry, in units and in ticks; false where it cannot be one. */
static inline bool read_time(int64_t *time, int64_t *units, oc_bytes_reader *times, bool first,
                             uint64_t unit)
{
    if (first)
        *units = oc_bytes_signed(times);
    else if (__builtin_add_overflow(*units, oc_bytes_unsigned(times), units))
        return false;
    return oc_multiply_time(time, *units, unit);
}

static ocelotl_status make_records(oc_records *records, size_t count)
{
    if (count > OC_MOST_RECORDS)
        return damaged();
    OC_TRY(oc_grow(&records->records, &records->capacity, count, sizeof *records->records));
    for (size_t i = 0; i < count; i++)
        records->records[i] = (oc_record){0};
    records->count = count;
    return OCELOTL_OK;
}

/* A record each. */
static ocelotl_status read_entries(oc_records *records, chunk_reader *reader)
{
    int64_t units = 0;
    oc_bytes_reader *bytes = &reader->bytes;
    OC_TRY(make_records(records, reader->entries));
    for (size_t i = 0; i < records->count && !bytes->failed; i++)
        if (!read_time(&records->records[i].time, &units, bytes, i == 0, reader->unit))
            bytes->failed = true;
    for (size_t i = 0; i < records->count && reader->role != OC_ROLE_VARIABLE; i++)
        read_code(&records->records[i], bytes, reader->role);
    return OCELOTL_OK;
}

/* Whether an entry of a column of states is two records. */
static inline bool is_pair(uint64_t code)
{
    return code >= OC_ENTRY_BEGIN && (code & 1) != 0;
}

static size_t count_pairs(oc_bytes_reader codes, size_t entries)
{
    size_t pairs = 0;
    for (size_t i = 0; i < entries; i++)
        pairs += is_pair(oc_bytes_unsigned(&codes));
    return pairs;
}

/* Takes an entry; gives the record behind it. */
static inline oc_record *read_state(oc_record *next, oc_bytes_reader *codes, int64_t time)
{
    const uint64_t code = oc_bytes_unsigned(codes);
    next->time = time;
    next->ends = code < OC_ENTRY_BEGIN || is_pair(code);
    next->depth = code == OC_CODE_END_DEEPER;
    if (code < OC_ENTRY_BEGIN)
        return next + 1;
    next += next->ends;
    next->time = time;
    if ((code - OC_ENTRY_BEGIN) >> 1 >= OCELOTL_NONE)
        codes->failed = true;
    next->value = (uint32_t)((code - OC_ENTRY_BEGIN) >> 1);
    return next + 1;
}

static ocelotl_status read_states(oc_records *records, chunk_reader *reader)
{
    int64_t units = 0;
    int64_t time = 0;
    oc_bytes_reader times = reader->bytes;
    oc_columns_skip(&reader->bytes, reader->entries);
    reader->codes = reader->bytes;
    if (reader->bytes.failed || reader->entries > OC_MOST_RECORDS)
        return damaged();
    OC_TRY(make_records(records, reader->entries + count_pairs(reader->codes, reader->entries)));
    oc_record *next = records->records;
    for (size_t i = 0; i < reader->entries && !times.failed; i++) {
        if (!read_time(&time, &units, &times, i == 0, reader->unit))
            times.failed = true;
        next = read_state(next, &reader->bytes, time);
    }
    return times.failed ? damaged() : OCELOTL_OK;
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

/* How many attributes each entry has that is an end, or each other one; a pair is a begin. */
static void read_counts(oc_records *records, chunk_reader *reader, bool ends)
{
    oc_bytes_reader codes = reader->codes;
    oc_record *record = records->records;
    for (size_t i = 0; i < reader->entries; i++, record++) {
        if (reader->role == OC_ROLE_STATES)
            record += is_pair(oc_bytes_unsigned(&codes));
        if (record->ends == ends)
            record->attribute_count = oc_bytes_index(&reader->bytes);
    }
}

/* Sets where the attributes of each record begin; false unless all are used. */
static bool place_attributes(oc_records *records, size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < records->count; i++) {
        oc_record *record = &records->records[i];
        if (record->attribute_count > count - next)
            return false;
        record->attribute_first = (uint32_t)next;
        next += record->attribute_count;
    }
    return next == count;
}

static ocelotl_status read_attributes(oc_records *records, chunk_reader *reader)
{
    const size_t count = oc_bytes_count(&reader->bytes);
    if (count == 0)
        return reader->bytes.failed ? damaged() : OCELOTL_OK;
    if (count > OC_MOST_ATTRIBUTES)
        return damaged();
    OC_TRY(oc_grow(&records->attributes, &records->attribute_capacity, count,
                   sizeof *records->attributes));
    read_counts(records, reader, false);
    read_counts(records, reader, true);
    if (!place_attributes(records, count))
        return damaged();
    records->attribute_count = count;
    return oc_texts_unpack(records->attributes, &records->text, &records->order, &reader->bytes,
                           count);
}

static ocelotl_status unpack_columns(oc_records *records, chunk_reader *reader)
{
    const oc_role role = reader->role;
    oc_bytes_reader *bytes = &reader->bytes;
    oc_records_clear(records);
    reader->entries = oc_bytes_count(bytes);
    if (role == OC_ROLE_STATES)
        OC_TRY(read_states(records, reader));
    else
        OC_TRY(read_entries(records, reader));
    for (size_t i = 0; i < records->count; i++)
        if (records->records[i].depth > 0)
            records->records[i].depth = oc_bytes_index(bytes);
    if (role == OC_ROLE_LINKS_OUT || role == OC_ROLE_LINKS_IN)
        read_partners(records, bytes, role, reader->unit);
    if (role == OC_ROLE_VARIABLE)
        for (size_t i = 0; i < records->count; i++)
            records->records[i].number = oc_bytes_double(bytes);
    OC_TRY(read_attributes(records, reader));
    return bytes->failed || bytes->next != bytes->end ? damaged() : OCELOTL_OK;
}

ocelotl_status oc_records_unpack(oc_records *records, const void *blob, size_t length, oc_role role,
                                 uint64_t unit, const ZSTD_DDict *dictionary)
{
    if (unit == 0)
        return damaged();
    OC_TRY(oc_blob_open(&records->opener, blob, length, dictionary));
    chunk_reader reader = {
        .bytes = oc_bytes_read((const char *)records->opener.columns, records->opener.length),
        .role = role,
        .unit = unit};
    return unpack_columns(records, &reader);
}

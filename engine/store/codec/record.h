/* Records: what the events of a stream are made of, and their columns in a chunk. See
 * docs/developer/store.md. */
#ifndef OC_STORE_CODEC_RECORD_H
#define OC_STORE_CODEC_RECORD_H

#include "base/text.h"
#include "store/codec/columns.h"
#include "store/codec/texts.h"

#include <ocelotl/writer.h>

/* What a stream holds. A link has a stream at both its ends. */
typedef enum oc_role {
    OC_ROLE_EVENTS = 0,
    OC_ROLE_STATES = 1,
    OC_ROLE_VARIABLE = 2,
    /* where links begin: a begin and an end for each, like states that cross */
    OC_ROLE_LINKS_OUT = 3,
    OC_ROLE_LINKS_IN = 4 /* where links end: an instant for each */
} oc_role;

/* One change in a stream. Which members count depends on the role; the others are 0. */
typedef struct oc_record {
    int64_t time;   /* in ticks */
    bool ends;      /* states, links out: an open one ends; otherwise one begins */
    uint32_t depth; /* of an end: how many of those open began later */
    uint32_t value; /* all but ends and variables; may be OCELOTL_NONE */
    /* end of a link out, link in: the resource at the other end, or OCELOTL_NONE */
    uint32_t partner;
    int64_t duration;         /* link in: end - begin; end of a link out: the real end - time */
    double number;            /* variable */
    uint32_t attribute_first; /* in oc_records.attributes */
    uint32_t attribute_count;
} oc_record;

/* What a chunk holds at most, in records and in the attributes that they carry: so much memory a
 * reader has to have for it, whatever it was compressed to. */
#define OC_MOST_RECORDS    ((size_t)1 << 22)
#define OC_MOST_ATTRIBUTES ((size_t)1 << 24)

/* The records of a chunk, in order of time. Zero-initialised it is empty. */
typedef struct oc_records {
    oc_record *records;
    size_t count, capacity;
    oc_record_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    oc_text text; /* of the attributes */
    oc_texts_order order;
    oc_blob_opener opener; /* of the blobs that they are unpacked from */
} oc_records;

/* Whether a record is of the two that know both ends of a link. */
static inline bool oc_record_has_partner(const oc_record *record, oc_role role)
{
    return role == OC_ROLE_LINKS_IN || (role == OC_ROLE_LINKS_OUT && record->ends);
}

/* What a record of any role but variables is, and its value, as one number. */
static inline uint64_t oc_record_code(const oc_record *record, oc_role role)
{
    const uint64_t value = (uint32_t)(record->value + 1); /* OCELOTL_NONE is 0 */
    if (role != OC_ROLE_STATES && role != OC_ROLE_LINKS_OUT)
        return value;
    if (record->ends)
        return record->depth == 0 ? OC_CODE_END : OC_CODE_END_DEEPER;
    return OC_CODE_BEGIN + value;
}

/* What a record carries of an attribute, where that is a number; several are added up. */
double oc_record_number(const oc_records *records, const oc_record *record, uint32_t attribute);

/* What a record carries, by index below its attribute_count. It lives as long as the records. */
ocelotl_attribute_value oc_record_attribute_at(const oc_records *records, const oc_record *record,
                                               uint32_t index);

void oc_records_clear(oc_records *records);
void oc_records_free(oc_records *records);

/* What a record carries, copied: one block of memory, NULL for nothing. */
typedef struct oc_carried {
    size_t count;
    ocelotl_attribute_value values[];
} oc_carried;

/* Copies what a record carries (to be freed). */
ocelotl_status oc_carried_copy(oc_carried **carried, const oc_records *records,
                               const oc_record *record);

/* Unpacks a blob; times are in multiples of `unit` ticks, `dictionary` is that of the role or NULL.
 * Every length in the blob is checked, no more memory is taken than the records need. Errors: INPUT
 * "damaged chunk ...". */
ocelotl_status oc_records_unpack(oc_records *records, const void *blob, size_t length, oc_role role,
                                 uint64_t unit, const ZSTD_DDict *dictionary);

#endif

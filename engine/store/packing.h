/* The records of the chunk that is being filled, packed as they come: a few bytes each instead of a structure. */
#ifndef OC_STORE_PACKING_H
#define OC_STORE_PACKING_H

#include "store/record.h"

typedef struct oc_packed_column {
    unsigned char *bytes;
    uint32_t length, capacity;
} oc_packed_column;

/* In the order of docs/store.md. */
typedef enum oc_packing_column {
    OC_COLUMN_TIME,
    OC_COLUMN_CODE,
    OC_COLUMN_DEPTH,
    OC_COLUMN_PARTNER,
    OC_COLUMN_DURATION,
    OC_COLUMN_NUMBER,
    OC_COLUMN_ATTRIBUTE_COUNT,
    OC_COLUMN_ATTRIBUTE_NAME,
    OC_COLUMN_ATTRIBUTE_LENGTH,
    OC_COLUMN_ATTRIBUTE_TEXT,
    OC_COLUMN_COUNT
} oc_packing_column;

/* Zero-initialised it is empty. */
typedef struct oc_packing {
    oc_packed_column column[OC_COLUMN_COUNT];
    int64_t begin, end; /* times of the first and the last record */
    uint32_t count;     /* records */
    uint32_t attribute_count;
    size_t allocated; /* bytes of memory, in all columns */
} oc_packing;

/* Appends a record. Errors: MEMORY; LIMIT where a column grows beyond 2 GiB. */
ocelotl_status oc_packing_add(oc_packing *columns, oc_role role, const oc_record *record,
                              const ocelotl_attribute_value *attributes, size_t attribute_count);

/* Bytes of text in the attributes so far. */
static inline size_t oc_packing_text(const oc_packing *columns)
{
    return columns->column[OC_COLUMN_ATTRIBUTE_TEXT].length;
}

/* Appends the chunk's columns as they are stored before compression. */
void oc_packing_join(oc_text *bytes, const oc_packing *columns);

/* Forgets the records and keeps the memory; gives it back. */
void oc_packing_clear(oc_packing *columns);
void oc_packing_free(oc_packing *columns);

#endif

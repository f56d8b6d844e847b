/* The records of the chunk that is being filled, as they come: a few bytes each, one behind the
 * other, so that adding one touches little memory. They become columns when the chunk is written,
 * which may be done by another thread. */
#ifndef OC_STORE_CODEC_PACKING_H
#define OC_STORE_CODEC_PACKING_H

#include "store/codec/record.h"

/* Zero-initialised it is empty. */
typedef struct oc_packing {
    unsigned char *bytes;
    uint32_t length, capacity;
    uint32_t count; /* records */
    uint32_t text;  /* bytes of text in their attributes */
    /* times of the first and the last record; the end stays when the records are forgotten */
    int64_t begin, end;
} oc_packing;

/* Appends a record. Errors: MEMORY; LIMIT where a chunk grows beyond 2 GiB. */
ocelotl_status oc_packing_add(oc_packing *packing, oc_role role, const oc_record *record,
                              const ocelotl_attribute_value *attributes, size_t attribute_count);

/* The same for a record that is no more than its time and its code: a begin, an instant, an end of
 * the innermost. */
ocelotl_status oc_packing_add_state(oc_packing *packing, int64_t time, uint64_t code);

/* Forgets the records and keeps the memory; gives it back. */
void oc_packing_clear(oc_packing *packing);
void oc_packing_free(oc_packing *packing);

/* In the order of docs/developer/store.md. */
typedef enum oc_column {
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
} oc_column;

/* The columns of one chunk after the other. Zero-initialised it is empty. */
typedef struct oc_columns_maker {
    struct {
        unsigned char *bytes, *end;
        size_t capacity;
    } columns[OC_COLUMN_COUNT];
} oc_columns_maker;

/* Makes the columns of a chunk out of the bytes of a packing, as they are stored before
 * compression. */
ocelotl_status oc_columns_make(oc_text *joined, oc_columns_maker *maker, const unsigned char *bytes,
                               size_t length, size_t count, oc_role role);
void oc_columns_maker_free(oc_columns_maker *maker);

#endif

/* The attributes of a chunk as columns: whose they are, and their texts, as patterns with columns
 * of numbers where they have few (the keys of links: "7_12_33#4"). See docs/developer/store.md. */
#ifndef OC_STORE_CODEC_TEXTS_H
#define OC_STORE_CODEC_TEXTS_H

#include "base/text.h"

/* An attribute's text; the bytes are the owner's. */
typedef struct oc_carried_text {
    uint32_t attribute;
    const unsigned char *bytes;
    size_t length;
} oc_carried_text;

/* Patterns and numbers of the texts of one attribute at most; what has more is stored as it is. */
enum { OC_MOST_PATTERNS = 16, OC_MOST_SLOTS = 64, OC_LONGEST_PATTERN = 255 };

/* Memory to sort the texts of one chunk after the other. Zero-initialised it is empty. */
typedef struct oc_texts_order {
    uint32_t *order, *moved;
    size_t order_capacity, moved_capacity;
} oc_texts_order;
void oc_texts_order_free(oc_texts_order *order);

/* Memory to pack one chunk after the other. Zero-initialised it is empty. */
typedef struct oc_texts_maker {
    oc_texts_order order;
    oc_text which;
    oc_text slots[OC_MOST_SLOTS];
} oc_texts_maker;

/* Appends the columns of what the records of a chunk carry, in their order. */
ocelotl_status oc_texts_pack(oc_text *columns, oc_texts_maker *maker, const oc_carried_text *texts,
                             size_t count);
void oc_texts_maker_free(oc_texts_maker *maker);

/* A text as it is read: a place in the texts. */
typedef struct oc_record_attribute {
    uint32_t attribute;
    size_t text; /* where it begins */
    size_t length;
} oc_record_attribute;

/* Reads what oc_texts_pack appended, and appends the texts. Errors: INPUT "damaged chunk ..",
 * MEMORY. */
ocelotl_status oc_texts_unpack(oc_record_attribute *attributes, oc_text *texts,
                               oc_texts_order *order, oc_bytes_reader *columns, size_t count);

#endif

/* Links in the making: starts that wait for their end, and ends that wait for their start. */
#ifndef OC_IMPORTERS_COMMON_LINKS_H
#define OC_IMPORTERS_COMMON_LINKS_H

#include "base/map.h"
#include "importers/common/block.h"
#include "importers/common/resources.h"

/* What a start and an end have in common; the text is that of the first attribute. */
typedef struct oc_link_key {
    uint64_t hash;
    uint32_t type, resource, value;
    uint32_t length;
    const char *text;
} oc_link_key;

/* Hashes a link's key ahead of time, on the thread that reads the event. */
static inline uint64_t oc_link_hash(const oc_hash_key *key, const oc_raw_event *event,
                                    const ocelotl_attribute_value *text)
{
    const uint64_t place = (uint64_t)event->type << 32 | event->resource;
    return oc_hash_mixed(key, oc_hash_keyed(key, text->text, text->length) + event->value, place);
}

/* An end whose start comes later: the whole of it, with what it carries and the texts behind. */
typedef struct oc_early_end {
    oc_raw_event event;
    uint64_t line;
    ocelotl_attribute_value attributes[];
} oc_early_end;

enum { OC_SHORT_KEY = 24 };

/* Half of a link. Very many may wait: one is as long as a line of the processor's cache. */
typedef struct oc_half {
    /* The key, with the high half of its hash: */
    uint32_t hash;
    uint32_t type, resource, value;
    union {
        char short_key[OC_SHORT_KEY];
        char *long_key;
    };
    union {
        uint64_t link;     /* of a start: the writer's */
        oc_early_end *end; /* of an end; NULL where the place is free */
    };
    uint32_t length; /* of the key's text */
    uint32_t next;   /* of the same key; or the next free one */
    uint32_t last;   /* of the oldest of a key: the youngest */
    bool is_start;
} oc_half;

typedef struct oc_link_slot {
    uint32_t oldest; /* place + 1; 0: the slot is free */
    uint32_t hash;   /* the low half of the key's */
} oc_link_slot;

/* Zero-initialised but for `free_half`, which is OC_MAP_NONE, and its `hash_key`, it is empty. */
typedef struct oc_links {
    oc_half *halves;
    size_t count, capacity;
    uint32_t free_half;
    oc_hash_key hash_key;
    oc_link_slot *slots; /* a hash table of the oldest half of each key that waits */
    size_t slot_count, used;
    uint64_t reversed;  /* links that end before they begin */
    uint64_t dead_ends; /* ends given to the writer without their start */
} oc_links;

/* Takes a start or an end of a link and gives the writer what is complete. The key is the first of
 * its attributes. Several links of one key are matched first in, first out. */
ocelotl_status oc_links_add(oc_links *links, oc_resources *resources, const oc_applied *one);

/* Prefetches what an event will need: first the slot of its other half, and later the half. */
void oc_links_expect_slot(const oc_links *links, const oc_raw_event *event);
void oc_links_expect_half(const oc_links *links, const oc_raw_event *event);

/* Multiplies the times that are kept; false where one does not fit. */
bool oc_links_refine(oc_links *links, uint64_t factor);

/* At the end of the trace: hands what is unmatched to the writer. Counts starts and ends without
 * the other. */
ocelotl_status oc_links_finish(oc_links *links, oc_resources *resources, uint64_t *starts,
                               uint64_t *ends);

void oc_links_free(oc_links *links);

#endif

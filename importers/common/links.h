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
    size_t length;
    const char *text;
} oc_link_key;

enum { OC_SHORT_KEY = 24 };

/* Half of a link. */
typedef struct oc_half {
    bool is_start;
    uint64_t link;                       /* of a start: the writer's */
    oc_raw_event event;                  /* of an end: the whole of it, */
    ocelotl_attribute_value *attributes; /* and what it carries, with the texts */
    uint64_t line;
    uint32_t next;   /* of the same key; or the next free one */
    uint32_t last;   /* of the oldest of a key: the youngest */
    oc_link_key key; /* its text is one of those below */
    char short_key[OC_SHORT_KEY];
    char *long_key;
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

/* Takes a start or an end, whose key is the first of its attributes, and gives the writer what is
 * known. Several links of one key are matched first in, first out. */
ocelotl_status oc_links_add(oc_links *links, oc_resources *resources, const oc_applied *one);

/* At the end of the trace: hands what is unmatched to the writer. Counts starts and ends without
 * the other. */
ocelotl_status oc_links_finish(oc_links *links, oc_resources *resources, uint64_t *starts,
                               uint64_t *ends);

void oc_links_free(oc_links *links);

#endif

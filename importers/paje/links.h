/* Links in the making: starts that wait for their end, and ends that wait for their start. */
#ifndef OC_IMPORTERS_PAJE_LINKS_H
#define OC_IMPORTERS_PAJE_LINKS_H

#include "importers/paje/event.h"
#include "importers/paje/names.h"

/* Half of a link. */
typedef struct paje_half {
    bool is_start;
    uint64_t link;    /* of a start: the writer's */
    paje_event event; /* of an end: the whole of it */
    uint32_t next;    /* of the same key; or the next free one */
    uint32_t last;    /* of the oldest of a key: the youngest */
} paje_half;

/* Zero-initialised but for `free_half`, which is OC_MAP_NONE, it is empty. */
typedef struct paje_links {
    paje_half *halves;
    size_t count, capacity;
    uint32_t free_half;
    oc_map first_of_key; /* (type, container, value, key) -> the oldest half that waits, or OC_MAP_NONE */
    oc_text key;         /* scratch */
    uint64_t reversed;   /* links that end before they begin */
    uint64_t dead_ends;  /* ends given to the writer without their start */
} paje_links;

/* Takes a start or an end, whose key is the first of its attributes, and gives the writer what is known. Several
 * links of one key are matched first in, first out. */
ocelotl_status paje_links_add(paje_links *links, paje_names *names, paje_event *event);

/* At the end of the trace: hands what is unmatched to the writer. Counts starts and ends without the other. */
ocelotl_status paje_links_finish(paje_links *links, paje_names *names, uint64_t *starts, uint64_t *ends);

void paje_links_free(paje_links *links);

#endif

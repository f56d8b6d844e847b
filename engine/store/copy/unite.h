/* One trace of the parts that the writers of several ranks have made (ocelotl_writer_turn). */
#ifndef OC_STORE_COPY_UNITE_H
#define OC_STORE_COPY_UNITE_H

#include "store/copy/copying.h"

typedef struct oc_part {
    ocelotl_trace *trace;
    oc_catalogue catalogue;
    oc_numbers numbers; /* what its names are in the whole */
} oc_part;

/* Zero-initialised there is nothing. */
typedef struct oc_union {
    oc_arena arena;
    oc_part *parts; /* by rank */
    uint32_t count;
    /* What they are together: its names, and its streams; a stream's `shard` is the part that has
     * it, `stored` its number there. It has no file of its own: the notes of resources are
     * those of the first part. */
    ocelotl_trace trace;
    oc_catalogue catalogue; /* without paths */
} oc_union;

/* Unites the parts at some paths. Names are numbered in the order of the turns in which they were
 * declared, whichever part that was in, so that it depends on no number of parts. O(names of all
 * parts). Errors: as of opening a trace. Free in any case. */
ocelotl_status oc_unite(oc_union *whole, const char *const *paths, uint32_t count);
void oc_union_free(oc_union *whole);

#endif

/* Counts the records of a source by the format's own kinds and their fates. */
#ifndef OC_IMPORTERS_COMMON_KINDS_H
#define OC_IMPORTERS_COMMON_KINDS_H

#include "base/map.h"

#include <ocelotl/writer.h>

typedef struct oc_kind {
    char *name; /* as the format calls it */
    char *why;  /* its records are left out, or NULL */
    ocelotl_fate fate;
    uint64_t count;
} oc_kind;

/* Zero-initialised it is empty. One thread at a time may use it; several have one each, which are
 * added up by the writer. */
typedef struct oc_kinds {
    oc_kind *kinds;
    size_t count, capacity;
    oc_map index_of; /* (fate, name) -> index */
    uint32_t recent; /* counted last */
} oc_kinds;

/* The index of a kind with a fate, made where it is new; `why` as
 * ocelotl_writer_source_kind has it. O(length) expected. */
ocelotl_status oc_kinds_find(uint32_t *index, oc_kinds *kinds, const char *name, size_t length,
                             ocelotl_fate fate, const char *why);

/* Counts a record: the fast path. */
static inline void oc_kinds_add(oc_kinds *kinds, uint32_t index)
{
    kinds->kinds[index].count++;
}

/* Finds a kind and counts some records of it; the same again is quick. */
ocelotl_status oc_kinds_count(oc_kinds *kinds, const char *name, ocelotl_fate fate, uint64_t count,
                              const char *why);

/* Counts a record as left out that was counted otherwise. */
ocelotl_status oc_kinds_leave_out(oc_kinds *kinds, uint32_t index, const char *why);

/* Gives the writer all that was counted; kinds without a record are left out. */
ocelotl_status oc_kinds_finish(const oc_kinds *kinds, ocelotl_writer *writer);

void oc_kinds_free(oc_kinds *kinds);

#endif

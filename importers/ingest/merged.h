/* Resources of several files that are one where their paths are (--same-root), for importers that
 * write one file after the other. What a later file has at a row and at a time where another has
 * been goes to a lane below the row (`thread/~FILE`), as states that cross do. */
#ifndef OC_IMPORTERS_COMMON_MERGED_H
#define OC_IMPORTERS_COMMON_MERGED_H

#include "base/map.h"

#include <ocelotl/writer.h>

/* A resource that files may share. */
typedef struct oc_merged_place {
    uint32_t resource; /* the writer's */
    uint32_t file;     /* that had it last */
    int64_t last;      /* of what happened there, and */
    int64_t end;       /* when it ended; INT64_MIN: nothing, not. Both are kept by the importer */
} oc_merged_place;

/* Zero-initialised but for the first two members it is empty. */
typedef struct oc_merged {
    ocelotl_writer *writer;
    uint32_t file;    /* at hand, from 0, */
    const char *name; /* and its node's */
    /* (type, parent, name) -> place; (type) -> the type of lanes below it; (row, file) -> lane */
    oc_map number_of;
    oc_merged_place *places;
    size_t count, capacity;
} oc_merged;

/* What is asked for. */
typedef struct oc_merged_key {
    uint32_t type, parent; /* the writer's */
    const char *name;
    int64_t begin; /* of its life, where it is new */
} oc_merged_key;

/* Finds the place of a resource, declared where no other file has it; of two in one file the second
 * is new as well. *is_new tells which. O(1). Errors: those of the writer. */
ocelotl_status oc_merged_find(uint32_t *place, bool *is_new, oc_merged *merged,
                              const oc_merged_key *key);

/* Finds the lane of the file at hand below a row of a type, declared where it is new. */
ocelotl_status oc_merged_lane(uint32_t *lane, oc_merged *merged, uint32_t row, uint32_t row_type,
                              int64_t begin);

void oc_merged_free(oc_merged *merged);

#endif

/* Paths of resources: "a/b" is b below a. Of N resources one in the other they have N^2 bytes, so
 * each is written when it is asked for. */
#ifndef OC_STORE_TRACE_PATHS_H
#define OC_STORE_TRACE_PATHS_H

#include "base/map.h"
#include "base/text.h"
#include "store/trace/trace.h"

/* The path that was asked for last: the next one keeps what both begin with. */
typedef struct oc_written_path {
    uint32_t resource; /* OCELOTL_NONE: none was asked for yet */
    char bytes[];
} oc_written_path;

typedef struct oc_paths {
    oc_arena arena; /* of all but the steps */
    const ocelotl_trace *trace;
    size_t *lengths;   /* by resource, of its path */
    uint32_t *numbers; /* by resource: 2, 3 for siblings of one name, written #2, #3; else 0 */
    oc_map steps;      /* from a parent and the last step of a path to the resource */
    oc_written_path *written;
} oc_paths;

/* Numbers siblings of one name and measures all paths. The trace must outlive them. O(bytes of the
 * names). Errors: MEMORY. Free in any case. */
ocelotl_status oc_paths_make(oc_paths *paths, const ocelotl_trace *trace);
void oc_paths_free(oc_paths *paths);

/* The path of a resource, "" for one out of range. It is there until the next one is asked for, by
 * one thread at a time. Costs what it does not share with the one before. */
const char *oc_path_of(const oc_paths *paths, uint32_t resource);

/* The resource of a path, OCELOTL_NONE if none has it. O(length). Errors: MEMORY. */
ocelotl_status oc_path_find(uint32_t *resource, const oc_paths *paths, const char *path,
                            size_t length);

/* Says by resource where it stands in the order of the hierarchy: a resource, then those below it,
 * siblings in the order of the trace. O(resources). */
ocelotl_status oc_find_places(uint32_t **places, oc_arena *arena, const ocelotl_trace *trace);

/* Copies of some paths, which stay. */
typedef struct oc_kept_paths {
    oc_arena arena;
    const char **of; /* by resource: NULL where none was kept */
    size_t bytes;
} oc_kept_paths;

/* Keeps the path of a resource, once. Errors: MEMORY, LIMIT for more than 256 MiB. */
ocelotl_status oc_path_keep(oc_kept_paths *kept, const oc_paths *paths, uint32_t resource);
void oc_kept_paths_free(oc_kept_paths *kept);

#endif

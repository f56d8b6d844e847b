/* Where a state is by what it is inside: the regions that are open around it, "main > solve". */
#ifndef OC_IMPORTERS_OTF2_CALL_PATHS_H
#define OC_IMPORTERS_OTF2_CALL_PATHS_H

#include "base/map.h"

#include <ocelotl/writer.h>

typedef struct otf2_call_path {
    char *name;
    uint32_t level; /* regions in it */
    uint32_t value; /* the writer's, or OCELOTL_NONE */
} otf2_call_path;

/* Zero-initialised it is empty. */
typedef struct otf2_call_paths {
    otf2_call_path *paths;
    size_t count, capacity;
    oc_map index_of; /* (parent, region) -> index */
} otf2_call_paths;

/* The path of a region inside a path (OCELOTL_NONE: inside none), made where it is new. A path has
 * at most 32 regions: the 33rd is "..", as is all inside it. O(length) expected. */
ocelotl_status otf2_call_paths_find(uint32_t *path, otf2_call_paths *paths, uint32_t parent,
                                    uint32_t region, const char *name);

void otf2_call_paths_free(otf2_call_paths *paths);

#endif

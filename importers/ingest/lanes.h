/* Lanes for states of a row that cross, that is, neither nest nor lie apart. They go below the row
 * (`row/~1`, `row/~2`), so that the states of each lane nest. */
#ifndef OC_IMPORTERS_COMMON_LANES_H
#define OC_IMPORTERS_COMMON_LANES_H

#include "base/map.h"
#include "importers/ingest/sorting.h"

/* How the states of an event type that overlap in a row are drawn apart. */
typedef enum oc_nesting {
    OC_NEST_BY_TIME,   /* inside the state whose time holds theirs; else on a lane */
    OC_NEST_BY_PARENT, /* inside the one that they name, if it holds them: a span's `order` is its
                          number, from 1, and its `group` that of the state around it, or 0 */
    OC_NEST_REPLACE,   /* each begin ends the state before it: they never overlap */
    OC_NEST_PARALLEL   /* never: what overlaps is on lanes */
} oc_nesting;

/* Zero-initialised but for the first four members it has no row. */
typedef struct oc_lanes {
    ocelotl_writer *writer;
    uint32_t lane_type;  /* the type of resources below rows; OCELOTL_NONE: made where it is */
    uint32_t row_type;   /* needed, below this type, which may change with the row */
    int64_t begin;       /* of the lanes' lives */
    oc_map lane_type_of; /* those that were made, by the type that each is below */
    uint32_t row;        /* the writer's resource */
    struct oc_lane *lanes;
    size_t count, capacity;
    uint32_t root;            /* of the tree of lanes, plus 1 */
    struct oc_lane_end *open; /* states that are open */
    size_t open_count, open_capacity;
    uint32_t *resources; /* of the lanes below the row, by number */
    size_t resource_count, resource_capacity;
} oc_lanes;

/* Begins a row: a resource of the writer whose states are given next. Each row is begun once, and
 * oc_lanes_end comes before the next. */
void oc_lanes_begin(oc_lanes *lanes, uint32_t row);

/* Writes a state of the row; states come in the order of a sorting: by time, the longer first. It
 * goes to the first lane where it is inside the open state, as its type nests, or none is open. By
 * time, states of a group (not 0) nest only in states of their group, and share a lane as long as
 * they nest. States of different types never share one. *crosses: it should nest by time, nests
 * nowhere in the row, and is not in the row itself. O(log of lanes). Errors: those of the writer.
 */
ocelotl_status oc_lanes_add(bool *crosses, oc_lanes *lanes, const oc_sorted *span,
                            oc_nesting nesting);

/* Ends all states of the row at their ends. */
ocelotl_status oc_lanes_end(oc_lanes *lanes);

void oc_lanes_free(oc_lanes *lanes);

#endif

/* Shortest paths over pairs of clocks: how far one clock may be shifted against another, if each
 * pair allows so much (D. Bertsekas, Network optimization, 1998, 2.4). */
#ifndef OC_QUALITY_CLOCKS_ROUTES_H
#define OC_QUALITY_CLOCKS_ROUTES_H

#include "quality/clocks/network.h"

/* Zero-initialised it is closed. */
typedef struct oc_routes {
    const oc_network *network;
    double *there, *back; /* by pairing: the length from a to b, and from b to a; may be below 0 */
    double *length;       /* by clock: of the shortest path to it */
    bool *broken;         /* by set: it is not searched, or some round of it is below 0 */
    uint32_t *queue;      /* clocks whose length became less */
    uint32_t *before;     /* by clock, the one that its path comes from; OCELOTL_NONE: none */
    uint32_t *passed;     /* room for a number each */
    bool *waits;
} oc_routes;

/* Makes room for the paths of a network that is joined; free it in any case. Errors: MEMORY. */
ocelotl_status oc_routes_make(oc_routes *routes, const oc_network *network);
void oc_routes_free(oc_routes *routes);

/* Finds the shortest paths within each set, from its reference or, if `from_all`, from the nearest
 * of all clocks, where a path has no length. `against`: edges are taken from their ends. A set
 * where a round is below 0 becomes broken; its lengths mean nothing. O(clocks + pairings) and more
 * where lengths are below 0, at most their product. */
void oc_routes_find(oc_routes *routes, bool from_all, bool against);

#endif

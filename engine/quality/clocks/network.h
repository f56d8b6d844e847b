/* All clocks together: a graph, whose edges are what pairs of clocks say of each other. */
#ifndef OC_QUALITY_CLOCKS_NETWORK_H
#define OC_QUALITY_CLOCKS_NETWORK_H

#include "base/map.h"
#include "quality/clocks/line.h"

#include <math.h>

/* A clock that reads l at the reference's time l - offset - rest - drift (l - middle). */
typedef struct oc_clock {
    int64_t first, last; /* times of what is known of it, by itself; last < first: nothing is */
    int64_t begin, end;  /* of all that is dated by it, by itself; end < begin: nothing is */
    int64_t middle;
    int64_t offset; /* in ticks, as all */
    double rest;    /* of ticks */
    double drift;
    double bound;    /* it is off by at most this, infinite: nothing says */
    double residual; /* the most that a pair's own line is off the network's */
    uint64_t messages, samples;
    uint32_t set;    /* of clocks that messages join, both ways or round */
    uint32_t toward; /* the pairing that leads to its reference; OCELOTL_NONE: it is one */
} oc_clock;

/* The time of all that clocks date, as their reference tells it. */
typedef struct oc_run {
    int64_t from, to;
} oc_run;

/* Zero-initialised it has no clocks. */
typedef struct oc_network {
    oc_clock *clocks;
    uint32_t count;
    oc_pairing *pairings;
    size_t pairing_count, pairing_capacity;
    oc_map pairing_of;    /* (a, b) -> index */
    uint32_t *first_edge; /* by clock: where its pairings begin in `edges`; behind the last: */
    uint32_t *edges;      /* pairings, by index */
    uint32_t *references; /* by set: the clock whose time is told in it */
    oc_run *runs;         /* by set, once bounds are found */
    uint32_t set_count;
    uint32_t *order;    /* clocks of a set side by side, breadth first from its reference */
    double most_drift;  /* of two clocks against each other; 0: all run alike */
    double least_delay; /* of messages that go one way only, in ticks: an unknown as well */
    uint32_t bent;      /* pairs that no straight line explains */
    uint32_t one_way;   /* pairs that messages go only one way between */
} oc_network;

ocelotl_status oc_network_make(oc_network *network, uint32_t clocks);
void oc_network_free(oc_network *network);

/* The pairing of two clocks, a < b, made where it is missing. */
ocelotl_status oc_network_pair(uint32_t *index, oc_network *network, uint32_t a, uint32_t b);

/* Adds what is known: something left `source` when its clock read `sent`, and was at `target` when
 * that one's read `received`. */
ocelotl_status oc_network_add(oc_network *network, uint32_t pairing, uint32_t source, int64_t sent,
                              uint32_t target, int64_t received);

/* Finds the line of each pair, and the sets of clocks; the reference of each is the last of
 * `references` that it has, in other sets the clock with most messages. */
ocelotl_status oc_network_join(oc_network *network, const uint32_t *references, size_t count);

/* Sets the clocks so that lines of pairs agree best, by least squares. Errors: MEMORY. */
ocelotl_status oc_network_solve(oc_network *network);

/* Moves clocks as little as it takes for no message to end before it begins, where that can be.
 * Errors: MEMORY. (repair.c) */
ocelotl_status oc_network_repair(oc_network *network);

/* Finds by how many ticks the clocks of each set must be further ahead of others, at least, for no
 * message between sets to end before it begins: `ahead` by set; 0 where none does. (repair.c) */
void oc_network_part_sets(const oc_network *network, double *ahead);

/* Finds again what is known of each pair, of clocks that may differ so much in speed, for bounds:
 * the lines that were found stay. */
void oc_network_let_drift(oc_network *network, double most_drift);

/* Finds how far off each clock can be, while anything is dated by a clock of its set. */
ocelotl_status oc_network_bound(oc_network *network);

/* By how much a clock is ahead of its reference when their run begins, or ends, in ticks. */
double oc_network_ahead(const oc_network *network, uint32_t clock, bool at_end);

/* The most that two clocks may differ, in ticks, at any instant of their set's run: by the bounds
 * of both, and by what joins them directly. Infinite: nothing says. O(log points). (bounds.c) */
double oc_network_differ(const oc_network *network, uint32_t a, uint32_t b);

/* Between what each clock lies over time, in ticks less its line: by clock, then at each step from
 * the first message of all to the last. Infinite where nothing says. */
typedef struct oc_clock_bands {
    uint32_t steps;
    int64_t from, to;     /* of the reference's time */
    double *least, *most; /* steps + 1 of each clock */
} oc_clock_bands;

/* Fills in bands of so many steps; their numbers are the caller's. O(steps x paths). */
ocelotl_status oc_network_band(oc_clock_bands *bands, const oc_network *network);

/* The reference's time at a step. */
int64_t oc_clock_bands_instant(const oc_clock_bands *bands, uint32_t step);

/* --- Parts of these */

/* What b's clock reads less what a's does, both in the reference's time, at a point of a pairing:
 * how long a message between them takes. */
double oc_network_transit(const oc_network *network, const oc_pairing *pairing, double x, double z);

/* The least time of a message from a to b, or back, infinite without any. */
double oc_network_least(const oc_network *network, const oc_pairing *pairing, bool there);

/* Lets a clock be further ahead. */
static inline void oc_clock_move(oc_clock *clock, double offset, double drift)
{
    clock->drift += drift;
    clock->rest += offset;
    const double whole = rint(clock->rest);
    clock->offset += (int64_t)whole;
    clock->rest -= whole;
}

/* The other end of a pairing. */
static inline uint32_t oc_pairing_other(const oc_pairing *pairing, uint32_t clock)
{
    return pairing->a == clock ? pairing->b : pairing->a;
}

/* The x of a pairing at an instant of the reference's time. */
double oc_network_place(const oc_network *network, const oc_pairing *pairing, int64_t instant);

/* The tick of a clock at a time of the reference, as its line says, to the nearest. */
static inline int64_t oc_clock_tick_at(const oc_clock *clock, int64_t time)
{
    const int64_t near = (int64_t)((uint64_t)time + (uint64_t)clock->offset);
    const double since = (double)(int64_t)((uint64_t)near - (uint64_t)clock->middle);
    return near + (int64_t)llrint(clock->rest + clock->drift * since);
}

/* Whether anything leads from one end of a pairing to the other. */
static inline bool oc_pairing_leads_from(const oc_pairing *pairing, uint32_t clock)
{
    return (pairing->a == clock ? pairing->above.count : pairing->below.count) > 0;
}

/* --- Shortest paths over pairs of clocks: how far one clock may be shifted against another, if
 * each pair allows so much (D. Bertsekas, Network optimization, 1998, 2.4) */

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

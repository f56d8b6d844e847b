/* A walk through the chunks of states, or of links where they begin, that follows what is open. */
#ifndef OC_QUERY_DRAWABLES_DRAWN_INTERVALS_H
#define OC_QUERY_DRAWABLES_DRAWN_INTERVALS_H

#include "query/drawables/drawables.h"

typedef struct oc_interval_walk {
    oc_drawing *drawing;
    bool links;
    bool follows;  /* what is open at the window's end, to its end: that of a link, or to know how
                      long a state lasts */
    int64_t since; /* ends before it do not count */
    int64_t last;  /* the last record's time */
    uint32_t cell; /* no later than the next record's */
    unsigned followed;
} oc_interval_walk;

/* The first lane that is free; a lane that is not needed any more (links have none). */
ocelotl_status oc_walk_find_lane(uint32_t *lane, oc_drawing *drawing);
void oc_walk_release_lane(const oc_interval_walk *walk, uint32_t lane);

/* Something begins that is not in the list yet. */
ocelotl_status oc_walk_begin(oc_live *live, const oc_interval_walk *walk, uint32_t value,
                             int64_t begin, uint32_t cell);

/* How many of what is open began before an instant: they come first. */
size_t oc_walk_live_before(const oc_drawing *drawing, int64_t time);

/* Passes over as many chunks as can be, by their totals; *chunk stays where that is none
 * (drawn_runs.c). */
ocelotl_status oc_walk_pass_over(oc_interval_walk *walk, size_t *chunk);

#endif

/* The phases of the whole: what all resources do together, one time after another. */
#ifndef OC_EXPLAIN_PHASES_H
#define OC_EXPLAIN_PHASES_H

#include "base/arena.h"
#include "explain/explain.h"

/* Finds the phases of a model, those of the best partition of its time at the level to show first,
 * into what is explained. Of phases that repeat a section says how often. O(T^3) in slices. Errors:
 * MEMORY, CANCELLED. */
ocelotl_status oc_phases_find(oc_explained *explained, oc_arena *arena, const ocelotl_work *work);

#endif

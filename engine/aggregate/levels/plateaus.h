/* Plateaus: the few levels that stand for all of them. */
#ifndef OC_AGGREGATE_LEVELS_PLATEAUS_H
#define OC_AGGREGATE_LEVELS_PLATEAUS_H

#include "aggregate/levels/finder.h"

/* A level stands for a range of p where it is worse than the best by no more than this, in
 * normalised pIC, of which the whole is worth 1 at p = 1. */
#define OC_PLATEAU_TOLERANCE 0.01

/* Solves that look for them, at most; about twenty do. */
#define OC_PLATEAU_SOLVES 40

/* Looks for levels until those that it finds tell the plateaus, and marks those that represent one:
 * that to show first (see oc_finder_add) is among them. Ends early where the goal is reached. */
ocelotl_status oc_plateaus_find(oc_finder *finder, oc_finder_goal goal);

#endif

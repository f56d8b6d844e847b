/* The memory of solves that are over, for those to come: the system takes longer to give it than to
 * have it used. */
#ifndef OC_AGGREGATE_EXTRACT_IDLE_H
#define OC_AGGREGATE_EXTRACT_IDLE_H

#include "aggregate/extract/explored.h"

/* An aggregation keeps one solver and one set of shares that nobody uses. Where it has none, a
 * borrower gets new ones. Of those that are given back one is kept; a solver that failed is not,
 * nor are shares that have grown too large. Thread-safe. */
ocelotl_status oc_solver_borrow(oc_solver **solver, const ocelotl_aggregation *aggregation);
void oc_solver_return(oc_solver *solver, const ocelotl_aggregation *aggregation, bool usable);
ocelotl_status oc_shares_borrow(oc_explored_share **shares, const ocelotl_aggregation *aggregation);
void oc_shares_return(oc_explored_share *shares, const ocelotl_aggregation *aggregation);

/* Where an aggregation keeps them. */
ocelotl_status oc_idle_make(struct oc_idle **idle);
void oc_idle_free(struct oc_idle *idle, const ocelotl_aggregation *aggregation);

#endif

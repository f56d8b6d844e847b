/* What was explored of all nodes: their choices, and which ones are taken. */
#ifndef OC_AGGREGATE_EXTRACT_EXPLORED_H
#define OC_AGGREGATE_EXTRACT_EXPLORED_H

#include "aggregate/extract/choices.h"

/* A thread's share: the nodes that it explored. */
typedef struct oc_explored_share {
    oc_choices choices;
    oc_explorer explorer;
    bool ready;
} oc_explored_share;

/* A node that was explored. */
typedef struct oc_explored_node {
    oc_explored_share *share; /* NULL: it was not, for nothing asked for it */
    oc_choices_place place;
} oc_explored_node;

typedef struct oc_explored {
    const ocelotl_aggregation *aggregation;
    const oc_solver *solver;
    const oc_cut_sets *cut_sets; /* what is known of cuts, or NULL */
    double p;
    oc_span all; /* what is asked of the root */
    oc_explored_share *shares;
    oc_explored_node *records; /* by node */
    oc_item best;              /* what the whole comes to; where nothing ties, only that */
    int status;                /* of a thread that failed */
} oc_explored;

/* Makes room. `explored` is of zeros before. */
ocelotl_status oc_explored_make(oc_explored *explored, const ocelotl_aggregation *aggregation,
                                const oc_solver *solver);

/* Explores from the root down, and takes the best from the leaves up; forgets what was explored
 * before. */
ocelotl_status oc_explored_run(oc_explored *explored, const oc_cut_sets *cut_sets);
void oc_explored_free(oc_explored *explored);

/* Tells those who share a node what is known of the blocks that it splits: the rank that has it
 * does. */
ocelotl_status oc_explored_spread(const oc_explored *explored, uint32_t node);

/* The tie rules: larger pIC, larger gain, fewer parts. The order of the choices decides about what
 * is left. */
bool oc_explored_is_better(const oc_explored *explored, const oc_tally *a, const oc_tally *b);

static inline oc_item *oc_items_of(const oc_explored_node *record)
{
    return record->share->choices.items + record->place.item_first;
}

static inline oc_choice *oc_choices_of(const oc_explored_node *record, const oc_item *item)
{
    return record->share->choices.choices + record->place.choice_first + item->choice_first;
}

/* The item that answers to an interval asked for. */
static inline oc_item *oc_answer_of(const oc_explored_node *record, uint32_t asked)
{
    return oc_items_of(record) + record->share->choices.answers[record->place.answer_first + asked];
}

/* The memory of solves that are over, for those to come: the system takes longer to give it than to
 * have it used. */

/* Lends a solver. An aggregation keeps one unused solver and one set of shares; if it has none
 * left, a borrower gets new ones. It keeps one of those given back, but no solver that failed, and
 * no shares that have grown too large. Thread-safe. */
ocelotl_status oc_solver_borrow(oc_solver **solver, const ocelotl_aggregation *aggregation);
void oc_solver_return(oc_solver *solver, const ocelotl_aggregation *aggregation, bool usable);
/* Where an aggregation keeps them. */
ocelotl_status oc_idle_make(struct oc_idle **idle);
void oc_idle_free(struct oc_idle *idle, const ocelotl_aggregation *aggregation);

#endif

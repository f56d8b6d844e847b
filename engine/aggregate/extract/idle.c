#include "aggregate/extract/idle.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Choices that take more bytes are given back to the system. */
#define MOST_BYTES ((size_t)64 << 20)

struct oc_idle {
    _Atomic(oc_solver *) solver;
    _Atomic(oc_explored_share *) shares;
};

static void free_shares(oc_explored_share *shares, const ocelotl_aggregation *aggregation)
{
    for (uint32_t i = 0; shares != NULL && i < aggregation->threads; i++) {
        oc_choices_free(&shares[i].choices);
        oc_explorer_free(&shares[i].explorer);
    }
    free(shares);
}

ocelotl_status oc_idle_make(struct oc_idle **idle)
{
    OC_TRY(oc_allocate(idle, 1, sizeof **idle));
    atomic_init(&(*idle)->solver, NULL);
    atomic_init(&(*idle)->shares, NULL);
    return OCELOTL_OK;
}

void oc_idle_free(struct oc_idle *idle, const ocelotl_aggregation *aggregation)
{
    if (idle != NULL) {
        oc_solver_free(atomic_load(&idle->solver), aggregation);
        free_shares(atomic_load(&idle->shares), aggregation);
    }
    free(idle);
}

ocelotl_status oc_solver_borrow(oc_solver **solver, const ocelotl_aggregation *aggregation)
{
    *solver = atomic_exchange(&aggregation->idle->solver, NULL);
    return *solver != NULL ? OCELOTL_OK : oc_allocate(solver, 1, sizeof **solver);
}

void oc_solver_return(oc_solver *solver, const ocelotl_aggregation *aggregation, bool usable)
{
    oc_solver_free(usable ? atomic_exchange(&aggregation->idle->solver, solver) : solver,
                   aggregation);
}

ocelotl_status oc_shares_borrow(oc_explored_share **shares, const ocelotl_aggregation *aggregation)
{
    *shares = atomic_exchange(&aggregation->idle->shares, NULL);
    return *shares != NULL ? OCELOTL_OK
                           : oc_allocate(shares, aggregation->threads, sizeof **shares);
}

static size_t bytes_of(const oc_choices *choices)
{
    return choices->item_capacity * sizeof *choices->items +
           choices->choice_capacity * sizeof *choices->choices +
           choices->answer_capacity * sizeof *choices->answers;
}

void oc_shares_return(oc_explored_share *shares, const ocelotl_aggregation *aggregation)
{
    size_t bytes = 0;
    for (uint32_t i = 0; shares != NULL && i < aggregation->threads; i++) {
        bytes += bytes_of(&shares[i].choices);
        if (!shares[i].ready) { /* memory may have run out half-way */
            oc_explorer_free(&shares[i].explorer);
            shares[i].explorer = (oc_explorer){0};
        }
    }
    for (uint32_t i = 0; bytes > MOST_BYTES && i < aggregation->threads; i++)
        oc_choices_free(&shares[i].choices);
    free_shares(shares != NULL ? atomic_exchange(&aggregation->idle->shares, shares) : NULL,
                aggregation);
}

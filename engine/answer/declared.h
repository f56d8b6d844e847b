/* Which resources an export of events has to declare, as they do not say all of it: those around
 * others, those that do not live as long as the trace, and those where nothing happens. */
#ifndef OC_ANSWER_DECLARED_H
#define OC_ANSWER_DECLARED_H

#include "answer/paje_definitions.h"

#include <ocelotl/export.h>

/* Zero-initialised it is closed. */
typedef struct oc_declared {
    const ocelotl_trace *trace;
    bool is_whole;   /* all of the trace is written: of a part nothing is declared */
    uint32_t *queue; /* what is to be declared now */
    uint32_t queue_count, count;
    bool *are_met;      /* resources that events name */
    uint32_t *lasts;    /* inside each resource and, behind them, at the top: what was met last */
    bool is_disordered; /* siblings are met in another order than that of the trace */
    bool *are_moved;    /* event types with an event in a resource of another type */
    uint64_t steps;     /* of variables */
    uint64_t late;      /* states and links that carry something at their ends */
    oc_carried_texts carried;
    bool has_bounds;
    int64_t begin, end; /* of what rows say */
} oc_declared;

/* Begins: the queue holds what is to be declared before all events. `selection` is what these are
 * of, NULL: a part of the trace. Errors: MEMORY. */
ocelotl_status oc_declared_open(oc_declared *declared, const ocelotl_trace *trace,
                                const ocelotl_selection *selection);

/* Meets an event. Errors: MEMORY. */
ocelotl_status oc_declared_meet(oc_declared *declared, const ocelotl_event *event);

/* Meets the end: the queue holds what is to be declared behind all events. */
void oc_declared_finish(oc_declared *declared);

void oc_declared_free(oc_declared *declared);

#endif

/* When something happens in a trace: what is left of its time without silences. */
#ifndef OC_QUERY_SILENCES_H
#define OC_QUERY_SILENCES_H

#include <ocelotl/model.h>

/* The activity of a trace. Zero-initialised it is all of its time. */
typedef struct oc_activity {
    ocelotl_span *pieces;  /* of time, in order and apart, by free; as in ocelotl_model_options */
    size_t count;          /* 0: the whole trace */
    int64_t silent;        /* ticks left out between pieces */
    int64_t before, after; /* and before and behind all, */
    uint64_t events_before, events_after; /* with so many events */
    const char *state; /* that all resources are in then, of the trace; NULL: none */
} oc_activity;

/* Finds the silences that leave too little of the picture for what happens; docs/first.md has the
 * rule. States of names that are idle are silent. O(events log events), of very many events
 * O(resources). Errors: those of reading, MEMORY. */
ocelotl_status oc_activity_find(oc_activity *found, ocelotl_trace *trace,
                                bool (*is_idle)(const char *name), const ocelotl_work *work);
void oc_activity_free(oc_activity *activity);

#endif

/* Sampled stacks as nested states: what two samples have in common goes on. */
#ifndef OC_IMPORTERS_INGEST_STACK_H
#define OC_IMPORTERS_INGEST_STACK_H

#include "importers/ingest/ingest.h"

/* Zero-initialised nothing is open. */
typedef struct oc_stack {
    uint32_t *open, *next; /* values, the outermost first: of the last sample, and of the next */
    size_t open_count, open_capacity, next_count, next_capacity;
} oc_stack;

/* Adds an inner value to the next sample. Errors: MEMORY. */
ocelotl_status oc_stack_push(oc_stack *stack, uint32_t value);

/* Makes the next sample, of a time, the last: in `record`, of a row and a type, what is not of it
 * ends, and what is new begins. The next is then empty. */
ocelotl_status oc_stack_change(oc_stack *stack, oc_ingest *ingest, oc_sorted record);

void oc_stack_free(oc_stack *stack);

#endif

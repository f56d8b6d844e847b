#include "importers/ingest/stack.h"

#include "base/memory.h"

#include <stdlib.h>

ocelotl_status oc_stack_push(oc_stack *stack, uint32_t value)
{
    OC_TRY(
        oc_grow(&stack->next, &stack->next_capacity, stack->next_count + 1, sizeof *stack->next));
    stack->next[stack->next_count++] = value;
    return OCELOTL_OK;
}

ocelotl_status oc_stack_change(oc_stack *stack, oc_ingest *ingest, oc_sorted record)
{
    size_t same = 0;
    record.order = record.stream;
    while (same < stack->next_count && same < stack->open_count &&
           stack->open[same] == stack->next[same])
        same++;
    for (record.kind = OC_SORTED_END; stack->open_count > same;) {
        record.value = stack->open[--stack->open_count];
        OC_TRY(oc_ingest_add(ingest, &record));
    }
    OC_TRY(
        oc_grow(&stack->open, &stack->open_capacity, stack->next_count + 1, sizeof *stack->open));
    for (record.kind = OC_SORTED_BEGIN; stack->open_count < stack->next_count;) {
        record.value = stack->next[stack->open_count];
        stack->open[stack->open_count++] = record.value;
        OC_TRY(oc_ingest_add(ingest, &record));
    }
    stack->next_count = 0;
    return OCELOTL_OK;
}

void oc_stack_free(oc_stack *stack)
{
    free(stack->open);
    free(stack->next);
}

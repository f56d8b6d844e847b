/* Conditions on the attributes of events (ocelotl_selection.where). Running totals do not hold
 * these: if conditions concern an event type, its events are read. */
#ifndef OC_STORE_SELECT_CONDITIONS_H
#define OC_STORE_SELECT_CONDITIONS_H

#include "base/format/condition.h"
#include "store/trace/catalogue.h"

#include <ocelotl/types.h>

/* Conditions on some event types, each a bit. Empty if zero-initialised. */
typedef struct oc_conditions {
    oc_arena arena; /* of the lists */
    oc_condition *list;
    size_t count;
    const oc_catalogue *catalogue;
    uint64_t *concern;      /* by event type: what it has to meet */
    size_t *first;          /* by event type: where its attributes are in */
    uint64_t *of_attribute; /* what an attribute has to meet */
} oc_conditions;

/* Reads conditions for the trace of a catalogue, which must outlive them. Free them in any case.
 * Errors: ARGUMENT for what is no condition, and for a name that no event carries, naming the
 * nearest. O(conditions x attributes). */
ocelotl_status oc_conditions_make(oc_conditions *conditions, const oc_catalogue *catalogue,
                                  const ocelotl_names *where);
void oc_conditions_free(oc_conditions *conditions);

/* Whether events of this type have to meet any. */
static inline bool oc_conditions_concern(const oc_conditions *conditions, uint32_t event_type)
{
    return conditions->count > 0 && conditions->concern[event_type] != 0;
}

/* What is known of an event: zero-initialised nothing has been looked at. */
typedef struct oc_verdict {
    uint64_t met, failed;
} oc_verdict;

/* Looks at what a record carries. Errors: MEMORY. */
ocelotl_status oc_conditions_look(oc_verdict *verdict, const oc_conditions *conditions,
                                  uint32_t event_type, const oc_records *records,
                                  const oc_record *record);

/* Whether an event passes, once all of it has been looked at. */
static inline bool oc_verdict_passes(const oc_verdict *verdict, const oc_conditions *conditions,
                                     uint32_t event_type)
{
    return !oc_conditions_concern(conditions, event_type) ||
           (verdict->failed == 0 && (conditions->concern[event_type] & ~verdict->met) == 0);
}

#endif

/* Writes states whose nesting depth is given, from any order. */
#ifndef OC_IMPORTERS_CSV_NESTED_H
#define OC_IMPORTERS_CSV_NESTED_H

#include "importers/ingest/ingest.h"

/* Zero-initialised but for `oddities` and `odd_depth` it is closed. States are added to `sorting`:
 * `group` is the type, `order` how many states are around it. */
typedef struct csv_nested {
    oc_oddities *oddities;
    size_t odd_depth; /* the oddity of a depth that is not what is open around the state */
    oc_sorting *sorting;
    int64_t *open; /* ends of states that are open while they are written, outermost first */
    size_t open_count, open_capacity;
    bool tangled;   /* a state ends after one that is around it */
    void **waiting; /* states of the instant that last, outermost first: oc_packed */
    size_t waiting_count, waiting_capacity, waiting_first;
    ocelotl_attribute_value *room;
    size_t room_capacity;
} csv_nested;

/* Writes all states, each as deep as it says, unless others prevent that. Memory: the states that
 * begin at one instant and last. */
ocelotl_status csv_nested_write(csv_nested *nested, const oc_ingest *ingest);

void csv_nested_free(csv_nested *nested);

#endif

/* Matches begins and ends of states, within a row and group, in order of time. */
#ifndef OC_IMPORTERS_COMMON_PAIRS_H
#define OC_IMPORTERS_COMMON_PAIRS_H

#include "importers/common/packed.h"

/* How an end found its begin. */
typedef enum oc_pair {
    OC_PAIR_NONE,  /* nothing is open: it began before the recording */
    OC_PAIR_INNER, /* it ends the innermost state */
    OC_PAIR_OUTER, /* it names one that others, begun later, outlive: those stay open */
    OC_PAIR_OTHER  /* it names none that is open, and ends the innermost */
} oc_pair;

/* Zero-initialised it is empty. */
typedef struct oc_pairs {
    oc_packed **open; /* outermost first */
    size_t count, capacity;
    oc_packed *closed; /* the one given last */
    ocelotl_attribute_value *room;
    size_t room_capacity;
} oc_pairs;

/* Opens a state inside those that are open. */
ocelotl_status oc_pairs_begin(oc_pairs *pairs, const oc_sorted *begin);

/* Finds the state that an end ends: the innermost open one of its type and value; where its value
 * is OCELOTL_NONE, or none of it is open, the innermost of all. *span is the state with the
 * attributes of both, and with how many are open outside it as its order; it lives until the next
 * call. It is not set where *found is OC_PAIR_NONE. O(depth). */
ocelotl_status oc_pairs_end(oc_pair *found, oc_sorted *span, oc_pairs *pairs, const oc_sorted *end);

/* Ends the outermost state that is open at `time`; *open is false where none is. */
ocelotl_status oc_pairs_rest(bool *open, oc_sorted *span, oc_pairs *pairs, int64_t time);

void oc_pairs_free(oc_pairs *pairs);

#endif

/* Matches begins and ends of states, within a row and group, in order of time. States of each type
 * are matched among themselves. */
#ifndef OC_IMPORTERS_COMMON_PAIRS_H
#define OC_IMPORTERS_COMMON_PAIRS_H

#include "importers/ingest/packed.h"

/* How an end found its begin. */
typedef enum oc_pair {
    OC_PAIR_NONE,  /* nothing is open that it may end: that began before the recording */
    OC_PAIR_INNER, /* it ends the innermost state */
    OC_PAIR_OUTER, /* it names one that others, begun later, outlive: those stay open */
    OC_PAIR_OTHER  /* it names none that is open, and ends the innermost */
} oc_pair;

/* Zero-initialised it is empty. */
typedef struct oc_pairs {
    bool exact; /* an end that names what is not open ends nothing: OC_PAIR_NONE, not OTHER */
    /* Finds what an attribute is called where an end carries another text of it than its begin;
     * NULL: ends carry none that begins do, and lose it. */
    ocelotl_status (*of_end)(uint32_t *attribute, void *context, uint32_t type, uint32_t of_begin);
    void *context;
    struct oc_open_type *types; /* those of what is open, among places of others */
    size_t type_count, type_capacity;
    struct oc_open **named; /* by value: the innermost of it, NULL where none is open */
    size_t named_count, named_capacity;
    size_t open_count;
    uint32_t begun;         /* since nothing was open */
    struct oc_open *closed; /* the one given last */
    ocelotl_attribute_value *room;
    size_t room_capacity;
} oc_pairs;

/* Opens a state inside those that are open. O(attributes). */
ocelotl_status oc_pairs_begin(oc_pairs *pairs, const oc_sorted *begin);

/* Finds the state that an end ends: the innermost open one of its type and value; where its value
 * is OCELOTL_NONE, or none of it is open, the innermost of its type. *span is the state with the
 * attributes of both, those of the begin first, and as its order a number that is larger the later
 * a state began; it lives until the next call. It is not set where *found is OC_PAIR_NONE. O(types
 * + attributes). */
ocelotl_status oc_pairs_end(oc_pair *found, oc_sorted *span, oc_pairs *pairs, const oc_sorted *end);

/* Ends the outermost state of a type at `time`; *open is false where no state is open. Once called,
 * it is called until then. O(types + attributes). */
ocelotl_status oc_pairs_rest(bool *open, oc_sorted *span, oc_pairs *pairs, int64_t time);

/* The state that was closed last, as it began. */
const oc_packed *oc_pairs_closed(const oc_pairs *pairs);

void oc_pairs_free(oc_pairs *pairs);

#endif

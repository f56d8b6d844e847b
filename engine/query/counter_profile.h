/* What a counter grows by in each state, as a profile by function has it. */
#ifndef OC_QUERY_COUNTER_PROFILE_H
#define OC_QUERY_COUNTER_PROFILE_H

#include <ocelotl/selection.h>
#include <ocelotl/trace.h>
#include <ocelotl/work.h>

typedef struct oc_profile_row {
    uint32_t value;       /* OCELOTL_NONE: in no state */
    uint64_t calls;       /* that begin in the window, or are open where it begins */
    int64_t ticks;        /* while it is the innermost */
    double grown, spread; /* meanwhile; of it so much was read neither at its begin nor its end */
    double inclusive;     /* while it is open, once where it is open several times */
} oc_profile_row;

typedef struct oc_profile {
    const char *unit; /* the trace's */
    oc_profile_row all;
    oc_profile_row *rows; /* most growth first */
    uint32_t count;
} oc_profile;

/* Adds up over the resources that have the counter, by the states of a type there (NULL: that of
 * most time). A reading where a state begins or ends is exact; else growth is even between two
 * readings, or with steps all at the later one. O(states x depth + readings of the window). Free it
 * in any case. Errors: ARGUMENT for no such counter, with the nearest; as
 * ocelotl_statistics_compute. */
ocelotl_status oc_profile_compute(oc_profile *profile, ocelotl_trace *trace, const char *counter,
                                  bool steps, const ocelotl_selection *selection, const char *type,
                                  const ocelotl_work *work);
void oc_profile_free(oc_profile *profile);

#endif

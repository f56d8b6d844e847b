/* Removes what is still wrong after clocks are set: the controlled logical clock (R. Rabenseifner,
 * The controlled logical clock, 1997; D. Becker, R. Rabenseifner, F. Wolf, J. Linford, Scalable
 * timestamp synchronization for event traces of message-passing applications, 2009). A message that
 * arrives too early moves its end, and all events behind it on its clock, later; these then slowly
 * approach the others again. Events before it move as well, by less and less. */
#ifndef OC_QUALITY_CLOCKS_AMORTISE_H
#define OC_QUALITY_CLOCKS_AMORTISE_H

#include "quality/clocks/clocks.h"
#include "quality/derive/times.h"

/* The end of a message at one of its clocks. */
typedef struct oc_moment {
    int64_t read;     /* by the clock itself */
    int64_t time;     /* in the reference's time, before anything is moved */
    double shift;     /* how much later it is made, in ticks */
    uint64_t message; /* by number */
    bool arrives;
} oc_moment;

/* The ends of all messages, clock after clock in order of time: arrivals first of those at one
 * instant, which move what is sent then. */
typedef struct oc_moments {
    oc_moment *moments;
    size_t count, capacity;
    size_t *first;     /* by clock, and behind the last */
    uint64_t messages; /* so many, each with two moments */
    size_t *sent;      /* by message: the moment where it begins, */
    size_t *received;  /* and where it ends */
    double latency;    /* the least time that one takes, in ticks */
} oc_moments;

/* Reads the moments of what clocks have been found from; they are the caller's in any case. Memory
 * O(messages). */
ocelotl_status oc_moments_gather(oc_moments *moments, const ocelotl_clocks *clocks,
                                 uint32_t evidence);
void oc_moments_free(oc_moments *moments);

/* Moves moments until no message takes less than the latency; *info is told how much. Errors:
 * MEMORY. */
ocelotl_status oc_moments_move(ocelotl_clocks_info *info, oc_moments *moments, uint32_t clocks);

/* Moves the function of a clock that is straight, or bends at some of these moments. */
ocelotl_status oc_clock_shift(ocelotl_clocks *clocks, uint32_t clock, const oc_shift *shifts,
                              size_t count);

/* Moves the functions of clocks, so that no message ends before it begins. Memory O(messages). */
ocelotl_status oc_clocks_amortise(ocelotl_clocks *clocks, int64_t latency);

#endif

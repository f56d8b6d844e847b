/* How much a counter grows from one instant to the next: between two readings evenly, or in steps,
 * where it is read. */
#ifndef OC_STORE_READ_GROWTH_H
#define OC_STORE_READ_GROWTH_H

#include "store/read/reader.h"

typedef struct oc_growth {
    oc_reader *reader;
    bool steps;
    size_t chunk, next;    /* the record behind the readings around the instant */
    bool is_read, goes_on; /* there is a reading before the instant, and one behind it */
    int64_t since, until;
    double before, after;
    int64_t ticks; /* the instant, */
    double part;   /* and so much of a tick */
} oc_growth;

/* Goes to the beginning of a counter's stream. The reader is the growth's until it has ended. */
ocelotl_status oc_growth_begin(oc_growth *growth, oc_reader *reader, uint32_t stream, bool steps);

/* Moves forward to an instant. *grown is how much was added since the one before, 0 where that was
 * the beginning; of it *spread was read neither where it began nor where it ended. A reading
 * at the instant is before it. Reads at most
 * two chunks. Errors: INPUT for damage. */
ocelotl_status oc_growth_move(double *grown, double *spread, oc_growth *growth, int64_t ticks,
                              double part);

#endif

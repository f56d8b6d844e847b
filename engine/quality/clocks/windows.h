/* How far clocks are apart in windows of time, each by its own messages. The least times both ways
 * say it, if the least delays are alike. */
#ifndef OC_QUALITY_CLOCKS_WINDOWS_H
#define OC_QUALITY_CLOCKS_WINDOWS_H

#include "quality/clocks/clocks.h"

/* Which messages: every other one, the others, or all. */
enum { OC_EVEN_MESSAGES, OC_ODD_MESSAGES, OC_ALL_MESSAGES };

/* Made by hand of clocks, whose functions are set, and the number of windows. */
typedef struct oc_windows {
    ocelotl_clocks *clocks;
    size_t finest;      /* how many windows there are, none is shorter */
    int64_t begin, end; /* of all messages, in the reference's time */
    double *least;      /* by pairing, way, window and parity */
    uint8_t *parity;    /* by pairing and way: of the next message */
    double *rooms;      /* room for a number each */
    size_t *first;      /* the shape of the equations */
    size_t unknowns;
} oc_windows;

/* Reads all messages. Takes fewer windows, `finest` halved, where memory is short, unless their
 * number was given. Errors: LIMIT. */
ocelotl_status oc_windows_read(oc_windows *windows, bool given);
void oc_windows_free(oc_windows *windows);

/* The time of all of them, in ticks. */
double oc_windows_length(const oc_windows *windows);

/* Finds how far each clock is off the straight one in `count` windows, a part of `finest`.
 * fit: by clock and window. known: by window, whether its messages lead both ways between all
 * clocks of each set. */
ocelotl_status oc_windows_solve(double *fit, bool *known, const oc_windows *windows, size_t count,
                                int which);

#endif

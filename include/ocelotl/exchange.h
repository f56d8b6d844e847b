/* Several processes that do one work together.
 *
 * Each has a rank below their number. All make the same calls, with the same options and the same
 * trace; each does a share of the work, and they tell each other what it came to. So all of them
 * get the same results, which are the same bits for any number of ranks, one included. The library
 * knows no way to pass bytes from one process to another: an exchange has it from its caller, as
 * ocelotl-mpi has one over MPI. */
#ifndef OCELOTL_EXCHANGE_H
#define OCELOTL_EXCHANGE_H

#include <ocelotl/status.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ocelotl_exchange {
    uint32_t rank, count; /* this one, of so many */

    /* Passes bytes to another rank, and takes what it passes: what is sent from one rank to another
     * comes in that order. Both may wait for the other rank; a length is the same on both sides.
     * The thread that called the library calls them. Where one fails, the call ends with its error:
     * it is the caller who ends the other ranks, which would wait. */
    ocelotl_status (*send)(void *context, uint32_t to, const void *bytes, size_t length);
    ocelotl_status (*receive)(void *context, uint32_t from, void *bytes, size_t length);
    void *context;
} ocelotl_exchange;

#ifdef __cplusplus
}
#endif
#endif

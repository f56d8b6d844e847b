/* An exchange (ocelotl/exchange.h) over MPI. */
#ifndef OCELOTL_MPI_EXCHANGE_H
#define OCELOTL_MPI_EXCHANGE_H

#include <ocelotl/exchange.h>

#include <mpi.h>

/* Makes an exchange of all ranks of a communicator, which it uses alone: *of is where it keeps what
 * it needs, and both live as long as what is made with the exchange. MPI is to be initialised with
 * MPI_THREAD_FUNNELED at least, and the library called by that thread. An error of MPI ends the
 * program, unless the communicator has another error handler: then the call fails as IO. */
typedef struct ocelotl_mpi_exchange {
    MPI_Comm communicator;
} ocelotl_mpi_exchange;

ocelotl_exchange ocelotl_mpi_exchange_of(ocelotl_mpi_exchange *of, MPI_Comm communicator);

#endif

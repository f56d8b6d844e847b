#include "exchange.h"

/* MPI counts in int. */
static const size_t most = (size_t)1 << 30;

static ocelotl_status send_bytes(void *context, uint32_t to, const void *bytes, size_t length)
{
    const ocelotl_mpi_exchange *of = context;
    const unsigned char *next = bytes;
    for (size_t left = length; left > 0;) {
        const int count = (int)(left < most ? left : most);
        if (MPI_Send(next, count, MPI_BYTE, (int)to, 0, of->communicator) != MPI_SUCCESS)
            return OCELOTL_ERROR_IO;
        next += count;
        left -= (size_t)count;
    }
    return OCELOTL_OK;
}

static ocelotl_status receive_bytes(void *context, uint32_t from, void *bytes, size_t length)
{
    const ocelotl_mpi_exchange *of = context;
    unsigned char *next = bytes;
    for (size_t left = length; left > 0;) {
        const int count = (int)(left < most ? left : most);
        if (MPI_Recv(next, count, MPI_BYTE, (int)from, 0, of->communicator, MPI_STATUS_IGNORE) !=
            MPI_SUCCESS)
            return OCELOTL_ERROR_IO;
        next += count;
        left -= (size_t)count;
    }
    return OCELOTL_OK;
}

ocelotl_exchange ocelotl_mpi_exchange_of(ocelotl_mpi_exchange *of, MPI_Comm communicator)
{
    int rank = 0;
    int count = 1;
    of->communicator = communicator;
    MPI_Comm_rank(communicator, &rank);
    MPI_Comm_size(communicator, &count);
    return (ocelotl_exchange){(uint32_t)rank, (uint32_t)count, send_bytes, receive_bytes, of};
}

/* ocelotl-mpi: ocelotl-cli on the ranks of MPI, which share its work. All do the same command; rank
 * 0 writes what it finds. */
#define _GNU_SOURCE
#include "exchange.h"
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* How long a rank that failed waits for the others to fail as it did, before it ends them. */
static const int patience = 2000; /* milliseconds */

/* Keeps what a rank says on standard error; -1: it is not kept. */
static int keep_errors(FILE **kept)
{
    *kept = tmpfile();
    const int before = *kept != NULL ? dup(STDERR_FILENO) : -1;
    if (before >= 0 && dup2(fileno(*kept), STDERR_FILENO) < 0)
        return -1;
    return before;
}

static void say_errors(FILE *kept, int before, int rank)
{
    char line[4096];
    if (before < 0)
        return;
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    rewind(kept);
    while (fgets(line, sizeof line, kept) != NULL)
        fprintf(stderr, "rank %d: %s", rank, line);
}

/* Whether all ranks come to their end, with the largest exit code of all. One that succeeds waits
 * for the others, which end it if they do not come. */
static bool end_together(int *worst, int code)
{
    MPI_Request request;
    int done = 0;
    MPI_Iallreduce(&code, worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
    for (int waited = 0; !done && (code == 0 || waited < patience); waited++) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    /* What nobody waits for ends with the program. */
    return done; // NOLINT(clang-analyzer-optin.mpi.MPI-Checker)
}

int main(int argc, char **argv)
{
    ocelotl_mpi_exchange of;
    FILE *kept = NULL;
    int before = -1;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    const ocelotl_exchange exchange = ocelotl_mpi_exchange_of(&of, MPI_COMM_WORLD);
    if (exchange.rank > 0) {
        before = keep_errors(&kept);
        if (freopen("/dev/null", "w", stdout) == NULL)
            MPI_Abort(MPI_COMM_WORLD, CLI_INTERNAL);
    }
    cli_set_exchange(&exchange);
    const int code = cli_main(argc, argv);
    int worst = code;
    if (end_together(&worst, code)) {
        /* Where all have failed, the first one has said why. */
        int speaks = code != 0 ? (int)exchange.rank : (int)exchange.count;
        int first = speaks;
        MPI_Allreduce(&speaks, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (code != 0 && first == (int)exchange.rank)
            say_errors(kept, before, first);
        MPI_Finalize();
        return worst;
    }
    say_errors(kept, before, (int)exchange.rank);
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, code);
    return code;
}

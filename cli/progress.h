/* Progress on standard error, where that is a terminal: how much is done, how fast, and how long it takes on. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "command.h"

#include <time.h>

/* What the work is counted in. */
typedef enum cli_unit { CLI_BYTES, CLI_NODES, CLI_SOLVES } cli_unit;

typedef struct cli_progress {
    const char *what; /* "importing" */
    cli_unit unit;
    bool shown;
    struct timespec begin, last;
    uint64_t done; /* as last reported: where it falls, another round has begun */
    double inner;  /* of the solve that is being made, 0..1 */
} cli_progress;

/* Begins work, counted in bytes, that a signal (interrupt, terminate) cancels at its next report. */
void cli_begin_progress(cli_progress *progress, const char *what);
void cli_begin_progress_in(cli_progress *progress, const char *what, cli_unit unit);

/* An ocelotl_progress whose context is a cli_progress. Nothing is shown of work of less than half a second. */
bool cli_show_progress(void *context, uint64_t done, uint64_t total);

/* The same for the nodes of each solve of work that is counted in solves. */
bool cli_show_progress_within(void *context, uint64_t done, uint64_t total);

/* Wipes the line, and leaves signals to the system again. */
void cli_end_progress(cli_progress *progress);

#endif

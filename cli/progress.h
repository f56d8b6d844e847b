/* Progress on standard error, where that is a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "command.h"

#include <time.h>

typedef struct cli_progress {
    const char *what; /* "importing" */
    bool shown;
    struct timespec last;
} cli_progress;

/* Begins work that a signal (interrupt, terminate) cancels at its next report. */
void cli_begin_progress(cli_progress *progress, const char *what);

/* An ocelotl_progress whose context is a cli_progress. */
bool cli_show_progress(void *context, uint64_t done, uint64_t total);

/* Wipes the line, and leaves signals to the system again. */
void cli_end_progress(cli_progress *progress);

#endif

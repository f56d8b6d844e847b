/* Progress on standard error: how much of the whole command is done, which step it is at, how fast
 * that is, and how long it takes on. On a terminal it is one line, elsewhere a line every ten
 * seconds. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <ocelotl/session.h>

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Steps beside those of a session. */
enum { CLI_KEEPING_INPUT = OCELOTL_STEP_READING + 1, CLI_IMPORTING_ALONE, CLI_WRITING };

typedef struct cli_step cli_step;

/* Of one command, over all of its steps. Nobody knows how long those to come will take, so each has
 * a share of what the ones before have left: what is said to be done never falls. Zero-initialised
 * nothing is done. */
typedef struct cli_progress {
    double reached;        /* of the whole command, 0 to 1 */
    struct timespec begin; /* of the command */
    const cli_step *step;  /* NULL: none */
    double from, to;       /* what the step, or its round, goes from and to, as `reached` */
    double end;            /* what the step goes to */
    /* when the step, or its round, began, and when a line was written */
    struct timespec begun, last;
    bool terminal;        /* standard error is one */
    uint64_t done, total; /* as last reported: where `done` falls, another round has begun */
    double inner;         /* of the solve that is being made, 0..1 */
    /* for levels, of those to come: they and the steps before them have smaller shares */
    size_t searches;
} cli_progress;

/* Begins a step (ocelotl_step, or one of the above), which a signal (interrupt, terminate) cancels
 * at its next report. */
void cli_begin_step(cli_progress *progress, int step);

/* An ocelotl_progress whose context is a cli_progress. Nothing is shown in the first half second of
 * a command (elsewhere than on a terminal, ten). */
bool cli_show_progress(void *context, uint64_t done, uint64_t total);

/* The same for the nodes of each solve of work that is counted in solves. */
bool cli_show_progress_within(void *context, uint64_t done, uint64_t total);

/* Wipes the line; a program that was asked to stop ends here. */
void cli_end_step(cli_progress *progress);

/* Shows from now on, or no longer, that work goes on which reports nothing. */
void cli_begin_telling(cli_progress *progress);
void cli_end_telling(void);

#endif

/* Progress on standard error: how much of the whole command is done, which step it is at, how fast
 * that is, and how long it takes on. On a terminal it is one line, elsewhere a line every ten
 * seconds. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What the work of a step is counted in. */
typedef enum cli_unit { CLI_BYTES, CLI_NODES, CLI_SOLVES } cli_unit;

/* Of one command, over all of its steps. Nobody knows how long those to come will take, so each has
 * a share of what the ones before have left: what is said to be done never falls. Zero-initialised
 * nothing is done. */
typedef struct cli_progress {
    double reached;        /* of the whole command, 0 to 1 */
    struct timespec begin; /* of the command */
    const char *what;      /* the step, "importing"; NULL: none */
    cli_unit unit;
    bool several;    /* its work may begin anew, in rounds */
    double from, to; /* what the step, or its round, goes from and to, as `reached` */
    double end;      /* what the step goes to */
    /* when the step, or its round, began, and when a line was written */
    struct timespec step, last;
    bool terminal;        /* standard error is one */
    uint64_t done, total; /* as last reported: where `done` falls, another round has begun */
    double inner;         /* of the solve that is being made, 0..1 */
    /* for levels, of those to come: they and the steps before them have smaller shares */
    size_t searches;
} cli_progress;

/* A step: what it is called, what its work is counted in, which share it has of what is left, and
 * whether it comes in rounds, each counted from 0. */
typedef struct cli_step {
    const char *what;
    cli_unit unit;
    double share;
    bool several;
} cli_step;

extern const cli_step cli_keeping, cli_importing, cli_comparing, cli_measuring, cli_solving,
    cli_finding_levels, cli_drawing_levels, cli_verifying, cli_reading;

/* Begins a step, which a signal (interrupt, terminate) cancels at its next report. */
void cli_begin_step(cli_progress *progress, const cli_step *step);

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

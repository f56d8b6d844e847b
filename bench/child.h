/* Commands that are measured: wall clock, time of all processors, most memory (getrusage of the
 * child). */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stdbool.h>

enum { CHILD_MOST_RUNS = 32 };

typedef struct child_cost {
    /* seconds, seconds, bytes; negative where it did not end well */
    double seconds, processors, memory;
} child_cost;

typedef struct child_command {
    const char *const *arguments; /* NULL at the end; the first is looked for in PATH */
    const char *output;           /* NULL: nobody reads what it prints */
    child_cost costs[CHILD_MOST_RUNS];
    child_cost median; /* of each figure by itself */
} child_command;

/* Whether a command ended well; where it did not, its standard error says why. */
bool child_run(child_cost *cost, const char *const *arguments, const char *output);

/* Runs several commands in turn, `runs` times, so that other load affects all alike. */
void child_compare(child_command *commands, int count, int runs);

#endif

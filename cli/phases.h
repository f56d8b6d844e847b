/* The phases of two models: those of the first, of what all its resources do together, and where
 * they are in the second. */
#ifndef CLI_PHASES_H
#define CLI_PHASES_H

#include "command.h"

/* A phase is a range of slices in each; in the second it may be empty. */
typedef struct cli_phase {
    double begin[2], length[2]; /* in seconds, from where the window begins */
    const char *type;           /* what it is mostly; "": nothing */
    double share;               /* of that, of all */
} cli_phase;

typedef struct cli_phases {
    cli_phase *phases; /* to be freed */
    size_t count;      /* 0 where there is no time, or where there is only one */
} cli_phases;

/* Gives an exit code. The names of types are those of the first model. */
int cli_find_phases(cli_phases *phases, const ocelotl_model *first,
                    const ocelotl_comparison *comparison);

#endif

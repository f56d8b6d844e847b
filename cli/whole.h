/* What a picture of a window shows above it: the whole trace, cut in time. */
#ifndef CLI_WHOLE_H
#define CLI_WHOLE_H

#include "load.h"

/* Zero-initialised it is empty. */
typedef struct cli_whole {
    cli_model_options options;
    cli_loaded loaded; /* its trace and its path are the window's */
    ocelotl_partition *partition;
} cli_whole;

/* Finds the temporal partition to show first of the trace that a model is a window of, for the same
 * resources and state type; none where it is no window. Gives an exit code; free in any case. The
 * window must outlive it, and it may not be moved. */
int cli_whole_find(cli_whole *whole, const cli_loaded *window);
void cli_whole_free(cli_whole *whole);

#endif

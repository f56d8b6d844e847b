/* A folder for a trace that goes into no cache. */
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

#include "command.h"

/* Gives the path of a trace.db, to be freed, in a folder of its own in $TMPDIR or /var/tmp, which is gone when the program
 * ends; of one that is killed the next call here removes it. Every call in a program gives another path. Gives an exit
 * code. */
int cli_temporary_trace(char **path);

#endif

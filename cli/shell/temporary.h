/* A folder for what goes into no cache: a trace, a picture for standard output. */
#ifndef CLI_TEMPORARY_H
#define CLI_TEMPORARY_H

#include "messages.h"

/* Gives the path of a file to write, to be freed, in a folder of its own in $TMPDIR or /var/tmp,
 * which is gone when the program ends; of one that is killed the next call here removes it. Every
 * call in a program gives another path, which ends in `suffix`. */
ocelotl_status cli_temporary_file(char **path, const char *suffix);

/* Removes the folder, if there is one. A handler of signals may do so. */
void cli_remove_temporary(void);

/* Calls back for every name in a folder that is open; it may remove what has the name. What cannot
 * be read has none. */
void cli_each_name(int folder, void (*use)(int folder, const char *name));

#endif

/* What is gone when the program ends: a folder for what goes into no cache, such as a picture for
 * standard output; and how it ends by a signal. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

#include "messages.h"

#include <stdbool.h>

/* Gives the path of a file to write, to be freed, in a folder of its own in $TMPDIR or /var/tmp,
 * which is gone when the program ends; of one that is killed the next call here removes it. Every
 * call in a program gives another path, which ends in `suffix`. */
ocelotl_status cli_temporary_file(char **path, const char *suffix);

/* Removes the folder, if there is one. A handler of signals may do so. */
void cli_remove_temporary(void);

/* Calls back for every name in a folder that is open; it may remove what has the name. What cannot
 * be read has none. */
void cli_each_name(int folder, void (*use)(int folder, const char *name));

/* --- How a program ends that is asked to: by an interrupt (Ctrl-C), a hang-up or SIGTERM */

/* From here on such a signal ends the program at once, as it would by itself, but for one thing:
 * what it was writing beside its targets, and its temporary folder, are gone. A signal that is
 * ignored stays so. */
void cli_catch_signals(void);

/* Work that asks often whether it is to stop has a fifth of a second for that; a second signal ends
 * it at once. */
void cli_begin_watching(void);
void cli_end_watching(void);
bool cli_is_asked_to_stop(void);

/* Ends the program by the signal that asked it to stop, if one did. */
void cli_end_if_asked(void);

#endif

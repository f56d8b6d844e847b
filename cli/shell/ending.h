/* What is gone when the program ends: a folder for what goes into no cache, such as a picture for
 * standard output; and how it ends by a signal. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

#include "messages.h"

#include <stdbool.h>

/* Gives the path of a temporary file to write, to be freed. It lies in a folder of its own in
 * $TMPDIR or /var/tmp, which is removed when the program ends; if the program is killed, the next
 * call of any program removes it. Each call gives another path, which ends in `suffix`. */
ocelotl_status cli_temporary_file(char **path, const char *suffix);

/* Removes the folder, if one was made. A signal handler may call this. */
void cli_remove_temporary(void);

/* Calls back for every name in a folder that is open; it may remove what has the name. What cannot
 * be read has none. */
void cli_each_name(int folder, void (*use)(int folder, const char *name));

/* --- How a program ends that is asked to: by an interrupt (Ctrl-C), a hang-up, SIGTERM, ... */

/* Makes signals remove what the program was writing beside its targets, and its temporary folder,
 * before they end it. A signal that is ignored stays so. */
void cli_catch_signals(void);

/* Names a file or folder that the program is going to replace whole. Once the first of them is in
 * its place no signal ends the program: what is left of it is short. Gives an exit code. */
int cli_expect_target(const char *path);

/* Whether all that was named is in its place. */
bool cli_has_written(void);

/* Gives work that checks often whether to stop a fifth of a second to do so; a second signal ends
 * the program at once. */
void cli_begin_watching(void);
void cli_end_watching(void);
bool cli_is_asked_to_stop(void);

/* Ends the program by the signal that asked it to stop, if one did. */
void cli_end_if_asked(void);

#endif

/* How a program ends that is asked to: by an interrupt (Ctrl-C), a hang-up or SIGTERM. */
#ifndef CLI_ENDING_H
#define CLI_ENDING_H

#include <stdbool.h>

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

/* Messages and exit codes. */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include "failing.h"

#include <stdbool.h>
#include <stdio.h>

/* Exit codes; two are none: CLI_AGAIN, the command is to be run once more; and CLI_READY, it was
 * only tried, and all is well as far as that can be known without the trace. */
enum { CLI_DONE = 0, CLI_WRONG = 1, CLI_USAGE = 2, CLI_INTERNAL = 3, CLI_AGAIN = 4, CLI_READY = 5 };

/* Prints "ocelotl-cli: ..." in a line of its own on standard error, as all below do: what a
 * terminal would obey or hide is named. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Begins the line of a terminal that shows the progress; and wipes it, before something else is
 * printed. Thread-safe. */
void cli_begin_line(void);
void cli_wipe_line(void);

/* From now on, or no longer, keeps messages instead of printing them; and the last one that was
 * kept, "" for none. */
void cli_hold_messages(bool hold);
const char *cli_held_message(void);

/* From now on, or no longer, says no message twice: for what is run again. */
void cli_say_each_once(bool once);

/* Prints the library's message and gives the exit code that fits the status. */
int cli_fail(ocelotl_status status);

/* CLI_DONE, or as cli_fail. */
int cli_code(ocelotl_status status);

/* Gives CLI_USAGE for a wrong option, with a hint at the command's help; else as cli_code. For
 * options that are checked before anything is read. */
int cli_option_code(ocelotl_status status, const char *command);

/* Whether what made a call fail can be mended: where it gives true, cli_fail says nothing and gives
 * CLI_AGAIN. NULL: nothing can. */
void cli_set_mender(bool (*can_mend)(void *context, ocelotl_status status), void *context);

/* Prints "ocelotl-cli: ...; see ocelotl-cli COMMAND --help", for what is not even a request. Gives
 * CLI_USAGE. */
int cli_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "ocelotl-cli: ..." and gives CLI_WRONG. */
int cli_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reports missing memory and gives CLI_INTERNAL. */
int cli_memory(void);

/* Whether a TRACE is standard input: "-". */
bool cli_is_standard_input(const char *path);

#endif

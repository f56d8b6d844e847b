/* What --help prints. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdbool.h>

/* Prints the help of a command. `word` is what follows --help, or NULL: a topic, "all", or what
 * belongs to the rest of a command line, which does not matter. Gives an exit code. */
int cli_print_help(const char *command, const char *word);

/* Prints the help of the program. */
int cli_print_program_help(void);

/* Whether a word of a command line can be a name that the program knows: it is no option, and
 * neither is a file nor looks like one. */
bool cli_may_be_name(const char *word);

#endif

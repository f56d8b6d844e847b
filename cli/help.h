/* What --help prints: all of a command's help where that is short, else what one needs first, and
 * by what word there is more. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "command_line.h"

/* Prints the help of a command. `word` is what follows --help, or NULL: a topic, which is the
 * beginning of a heading in the command's help; "all"; or what belongs to the rest of a command
 * line, which does not matter. Gives an exit code. */
int cli_print_help(const cli_command_line *line, const char *word);

/* Whether a word of a command line can be a name that the program knows: it is no option, and
 * neither is a file nor looks like one. */
bool cli_may_be_name(const char *word);

#endif

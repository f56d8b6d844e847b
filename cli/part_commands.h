/* The commands that look into a part of a report. */
#ifndef CLI_PART_COMMANDS_H
#define CLI_PART_COMMANDS_H

#include "command.h"

enum { CLI_PART_COMMANDS_MOST = 4 };

/* Zero-initialised there are none. */
typedef struct cli_part_commands {
    ocelotl_part_command commands[CLI_PART_COMMANDS_MOST];
    char *texts[CLI_PART_COMMANDS_MOST];
    size_t count;
} cli_part_commands;

/* Makes them of the command that writes the report, with its trace and those of its options that
 * the others take. Where `has_events` is false, only an overview can look into a part; into a part
 * of standard input nothing can. Gives an exit code; free in any case. */
int cli_part_commands_make(cli_part_commands *made, const char *report, bool has_events);
void cli_part_commands_free(cli_part_commands *made);

#endif

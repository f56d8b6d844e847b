/* The JSON of a partition, as docs/programs.md describes it. */
#ifndef CLI_PARTITION_JSON_H
#define CLI_PARTITION_JSON_H

#include "command_line.h"

const char *cli_kind_name(ocelotl_kind kind);

/* Whether a command whose own answer is a picture is to write JSON: by --json, or by the name of
 * the output. */
bool cli_wants_partition_json(const cli_request *request);
/* Refuses --json with an output of another name. Gives an exit code. */
int cli_check_partition_json(const cli_request *request, const char *command);
/* Writes it, to standard output for NULL. Gives an exit code. */
int cli_write_partition_json(const char *path, const ocelotl_partition *partition);

#endif

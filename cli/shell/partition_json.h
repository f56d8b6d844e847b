/* The JSON of a partition, as docs/json.md describes it. */
#ifndef CLI_PARTITION_JSON_H
#define CLI_PARTITION_JSON_H

#include <ocelotl/ocelotl.h>

const char *cli_kind_name(ocelotl_kind kind);

/* Writes it, to standard output for NULL. Gives an exit code. */
int cli_write_partition_json(const char *path, const ocelotl_partition *partition);

#endif

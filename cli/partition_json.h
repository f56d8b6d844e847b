/* The JSON of a partition, as docs/json.md describes it. */
#ifndef CLI_PARTITION_JSON_H
#define CLI_PARTITION_JSON_H

#include "json.h"

const char *cli_kind_name(ocelotl_kind kind);
void cli_partition_json(FILE *file, const ocelotl_partition *partition);

#endif

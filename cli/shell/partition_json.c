#include "partition_json.h"

#include "messages.h"
#include "output.h"

const char *cli_kind_name(ocelotl_kind kind)
{
    return kind == OCELOTL_TEMPORAL  ? "temporal"
           : kind == OCELOTL_SPATIAL ? "spatial"
                                     : "spatiotemporal";
}

int cli_write_partition_json(const char *path, const ocelotl_partition *partition)
{
    ocelotl_buffer answer = {0};
    const ocelotl_sink sink = ocelotl_buffer_sink(&answer);
    return cli_write_answer(path, &answer,
                            cli_code(ocelotl_partition_write_json(&sink, partition)));
}

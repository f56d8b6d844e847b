/* How ocelotl-cli stats answers. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <ocelotl/ocelotl.h>

/* What is written, and of what. */
typedef struct cli_stats_work {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_statistics *statistics;
    ocelotl_names resources; /* that were chosen */
} cli_stats_work;

/* As a table. */
void cli_stats_print_text(const cli_stats_work *work);

#endif

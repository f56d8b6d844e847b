/* What ocelotl-cli stats is asked, and how it answers. */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include "command_line.h"

typedef struct cli_stats_request {
    cli_request common;
    const char *type;
    bool states; /* the type is one of states */
    bool extremes;
} cli_stats_request;

/* What is written, and of what. */
typedef struct cli_stats_work {
    FILE *file;
    const ocelotl_trace *trace;
    const ocelotl_statistics *statistics;
    const cli_stats_request *request;
} cli_stats_work;

/* As a table. */
void cli_stats_print_text(const cli_stats_work *work);

#endif

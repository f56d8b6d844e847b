/* Series as text. */
#ifndef CLI_SERIES_PRINT_H
#define CLI_SERIES_PRINT_H

#include "stream.h"

/* The words for ocelotl_reduction, from OCELOTL_REDUCE_COUNT on. */
enum { CLI_SERIES_REDUCTIONS = 5 };
extern const char *const cli_series_reductions[CLI_SERIES_REDUCTIONS];

/* Each writes all changes of a series just opened, as they come. Gives an exit code. */
int cli_series_csv(cli_stream *stream, const ocelotl_trace *trace, ocelotl_series *series);
int cli_series_json(cli_stream *stream, const ocelotl_trace *trace, ocelotl_series *series);

#endif

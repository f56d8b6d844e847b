/* What was odd in a trace. */
#ifndef CLI_WARNINGS_H
#define CLI_WARNINGS_H

#include <ocelotl/ocelotl.h>

/* How many cases there are, of all kinds. */
uint64_t cli_count_warnings(const ocelotl_trace *trace);

/* Says on standard error what a lenient import left out: lines, or the rest of the trace. */
void cli_say_skipped(const ocelotl_trace *trace);

#endif

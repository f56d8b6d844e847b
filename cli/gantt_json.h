/* What a Gantt chart shows, for programs. */
#ifndef CLI_GANTT_JSON_H
#define CLI_GANTT_JSON_H

#include "stream.h"

/* As docs/programs.md has it. Gives an exit code. */
int cli_gantt_json(cli_stream *stream, const ocelotl_trace *trace,
                   const ocelotl_drawables *drawables);

#endif

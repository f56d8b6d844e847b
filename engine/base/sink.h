/* Bytes on their way to a sink. */
#ifndef OC_BASE_SINK_H
#define OC_BASE_SINK_H

#include "base/text.h"

#include <ocelotl/sink.h>

/* Writes all of some bytes. Errors: those of the sink; ARGUMENT where it has no function. */
ocelotl_status oc_sink_write(const ocelotl_sink *sink, const void *bytes, size_t size);

/* Text that goes to a sink in large pieces as it is made. Initialise it to {.sink = sink}; without
 * a sink all of it stays in `text`. After the first failure nothing more is added: check it once,
 * at the end. */
typedef struct oc_output {
    const ocelotl_sink *sink;
    oc_text text; /* what has not gone out yet */
    ocelotl_status status;
} oc_output;

void oc_output_append(oc_output *output, const char *bytes, size_t length);
void oc_output_add(oc_output *output, const char *string);
void oc_output_format(oc_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Sends what is gathered where that is much: for those that append to `text` themselves. */
void oc_output_flow(oc_output *output);

/* Sends what is gathered, however little: before a failure of what is written as it is found, whose
 * beginning is worth having. Gives `status`. */
ocelotl_status oc_output_send(oc_output *output, ocelotl_status status);

/* Sends the rest, frees the text, and gives the first failure. `status` is that of the caller's own
 * work: where it failed, that is what is given, and nothing more is sent. */
ocelotl_status oc_output_end(oc_output *output, ocelotl_status status);

#endif

/* The lines of a Paje trace in the order of time; of links that arrive at one resource at one
 * instant, in the order in which they do. */
#ifndef OC_ANSWER_PAJE_LINES_H
#define OC_ANSWER_PAJE_LINES_H

#include "base/ordering.h"
#include "base/sink.h"

#include <ocelotl/query.h>

/* Ranks of lines at one instant: containers begin before what happens in them, and end after it. */
#define OC_PAJE_FIRST_RANK 0
#define OC_PAJE_LAST_RANK  UINT32_MAX

typedef struct oc_paje_lines oc_paje_lines;

/* Reads where the links of a selection arrive. */
ocelotl_status oc_paje_lines_open(oc_paje_lines **lines, ocelotl_trace *trace,
                                  const ocelotl_selection *selection);

/* Adds a line, which is spent; with that where a link arrives, the link: of those that are alike in
 * their order. */
ocelotl_status oc_paje_lines_add(oc_paje_lines *lines, const oc_order *order, oc_text *line,
                                 const ocelotl_event *arrives);

/* Writes all lines; *left_out is how many links are not in the order in which they arrive, because
 * memory is bounded. */
ocelotl_status oc_paje_lines_write(uint64_t *left_out, oc_paje_lines *lines, oc_output *out);

/* NULL is allowed. */
void oc_paje_lines_free(oc_paje_lines *lines);

#endif

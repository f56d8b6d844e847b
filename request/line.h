/* A request as the command line it was, to be written again. */
#ifndef OC_REQUEST_LINE_H
#define OC_REQUEST_LINE_H

#include "request/request.h"
#include "request/words.h"

/* Fills a request from words with at most so many traces. Errors: ARGUMENT, MEMORY. */
ocelotl_status oc_line_read(ocelotl_request *line, size_t count, const char *const *words,
                            size_t traces);

/* Behind the last option that looks into a part; 0 where none does. */
size_t oc_line_end_of_zooms(const ocelotl_request *line);

/* Add an option, and the operands behind all options, as words. */
ocelotl_status oc_line_add_option(oc_words *words, const ocelotl_given *option);
ocelotl_status oc_line_add_operands(oc_words *words, const ocelotl_request *line);

#endif

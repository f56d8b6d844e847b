/* What the rest of this room does with a request. */
#ifndef OC_REQUEST_REQUEST_H
#define OC_REQUEST_REQUEST_H

#include "base/status.h"
#include "request/parameters.h"
#include <ocelotl/request.h>

/* Adds an option as given; the value is copied. */
ocelotl_status oc_request_add(ocelotl_request *request, const oc_parameter *row, const char *value);
ocelotl_status oc_request_add_operand(ocelotl_request *request, const char *operand);

/* Makes it one for help, on a topic where that is not NULL. */
ocelotl_status oc_request_set_topic(ocelotl_request *request, const char *topic);

/* The bit of its command. */
unsigned oc_request_command(const ocelotl_request *request);

/* The first option given whose row has a flag; NULL: none has. */
const char *oc_first_given(const ocelotl_request *request, unsigned flag);

/* Takes the value of a row, which lives as long as the request; NULL for a row that takes none.
 * Errors: ARGUMENT, MEMORY. */
ocelotl_status oc_take_value(ocelotl_request *request, const oc_parameter *row, char *value);

/* Reads "1.5s", "200ms", "3us", "2min", "1h", "40%" or plain seconds, with a prefix or not; the
 * instant keeps both texts. */
ocelotl_status oc_read_instant(ocelotl_instant *instant, const char *text,
                               ocelotl_instant_base base, const char *option);

/* Reads a length of time, as above, but no percentage and no prefix, >= 0, in seconds. */
ocelotl_status oc_read_duration(double *seconds, const char *text, const char *option);

/* Refuses an interval that surely ends before it begins. */
ocelotl_status oc_check_interval(const ocelotl_interval *interval);

#endif

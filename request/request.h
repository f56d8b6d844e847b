/* What the rest of this room does with a request. */
#ifndef OC_REQUEST_REQUEST_H
#define OC_REQUEST_REQUEST_H

#include "base/status.h"
#include "request/parameters.h"

/* Adds an option as given; the value is copied. */
ocelotl_status oc_request_add(ocelotl_request *request, const oc_parameter *row, const char *value);
ocelotl_status oc_request_add_operand(ocelotl_request *request, const char *operand);

/* Makes it one for help, on a topic where that is not NULL. */
ocelotl_status oc_request_set_topic(ocelotl_request *request, const char *topic);

/* The bit of its command. */
unsigned oc_request_command(const ocelotl_request *request);

/* The first option given whose row has a flag; NULL: none has. */
const char *oc_first_given(const ocelotl_request *request, unsigned flag);

#endif

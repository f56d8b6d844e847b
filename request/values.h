/* How each kind of parameter takes a value. */
#ifndef OC_REQUEST_VALUES_H
#define OC_REQUEST_VALUES_H

#include "request/parameters.h"

/* Takes the value of a row, which lives as long as the request; NULL for a row that takes none.
 * Errors: ARGUMENT, MEMORY. */
ocelotl_status oc_take_value(ocelotl_request *request, const oc_parameter *row, char *value);

#endif

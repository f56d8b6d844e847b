/* Names of types while they are gathered, see ocelotl_type_names. */
#ifndef OC_STORE_TRACE_TYPE_NAMES_H
#define OC_STORE_TRACE_TYPE_NAMES_H

#include "base/status.h"

#include <ocelotl/trace.h>

/* A value or an event type. */
typedef struct oc_named_type {
    const char *name;
    int32_t colour;              /* 0xRRGGBB or -1 */
    double innermost, inclusive; /* time */
    double count;                /* events */
} oc_named_type;

/* An empty one. Freed by ocelotl_type_names_free. Errors: MEMORY. */
ocelotl_status oc_type_names_begin(ocelotl_type_names **names);

/* Adds a type; what is called like another adds up with it. Errors: MEMORY, LIMIT. O(1) expected.
 */
ocelotl_status oc_type_names_add(ocelotl_type_names *names, const oc_named_type *type);

/* Brings the names into their order. Errors: MEMORY. O(names log names). */
ocelotl_status oc_type_names_end(ocelotl_type_names *names);

#endif

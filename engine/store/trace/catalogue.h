/* Names of a trace that are read on demand, for queries and models: paths of resources and names of
 * attributes. */
#ifndef OC_STORE_TRACE_CATALOGUE_H
#define OC_STORE_TRACE_CATALOGUE_H

#include "store/trace/paths.h"
#include "store/trace/trace.h"

typedef struct oc_attribute_names {
    const char **names;
    size_t count, capacity;
} oc_attribute_names;

typedef struct oc_catalogue {
    oc_arena arena; /* of the attributes */
    ocelotl_trace *trace;
    oc_paths paths;
    oc_attribute_names *attributes; /* by event type */
} oc_catalogue;

/* Reads the names. The trace must outlive them. O(resources + event types). Free in any case. */
ocelotl_status oc_catalogue_read(oc_catalogue *catalogue, ocelotl_trace *trace);
void oc_catalogue_free(oc_catalogue *catalogue);

/* The name of an attribute, NULL where the event type has no such one. */
const char *oc_catalogue_attribute(const oc_catalogue *catalogue, uint32_t event_type,
                                   uint32_t attribute);

/* The attribute with the bytes of links of an event type: the one asked for, or (NULL) the first
 * called size, bytes or length; else OCELOTL_NONE. */
uint32_t oc_catalogue_bytes(const oc_catalogue *catalogue, uint32_t event_type, const char *asked);

/* Gives ARGUMENT: none of some event types (by event type, whether) has it, naming what they have.
 */
ocelotl_status oc_catalogue_fail_bytes(const oc_catalogue *catalogue, const bool *event_types,
                                       const char *asked);

/* The same by event type of links, of those `shown` (by event type; NULL: all); *found: some have
 * it. *bytes is to be freed in any case. Errors: ARGUMENT as above, if one is `needed`. */
ocelotl_status oc_catalogue_find_bytes(uint32_t **bytes, bool *found, const oc_catalogue *catalogue,
                                       const bool *shown, const char *asked, bool needed);

#endif

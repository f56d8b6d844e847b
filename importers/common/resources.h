/* The resources of an import: where each one's events go, what is inside what, and when they end.
 */
#ifndef OC_IMPORTERS_COMMON_RESOURCES_H
#define OC_IMPORTERS_COMMON_RESOURCES_H

#include "base/status.h"

#include <ocelotl/writer.h>

#define OC_NOWHERE UINT32_MAX

/* What is nested in each other, until something befalls it, as its end does: each is befallen once,
 * with all that is inside, however often those around it are. */
typedef struct oc_nested {
    /* what it is inside; of what is out, something that is nearer to what is not */
    uint32_t around;
    uint32_t first, last;    /* of what is inside it, */
    uint32_t before, behind; /* and beside it */
    bool is_out;
} oc_nested;

/* By number. Zero-initialised it is empty; the first is inside nothing. */
typedef struct oc_nest {
    oc_nested *nested;
    size_t count, capacity;
} oc_nest;

void oc_nest_free(oc_nest *nest);

/* Adds the next one inside another; if that one is out, inside the next one around that is not. The
 * first is never out, nor is one added inside OC_NOWHERE. Amortised O(log count). */
ocelotl_status oc_nest_add(oc_nest *nest, uint32_t around);

/* Walks over one and all inside it, what is around first: the one after `number`, or OC_NOWHERE. */
uint32_t oc_nest_next(const oc_nest *nest, uint32_t top, uint32_t number);

/* Takes one out with all inside it, which are not found any more from anywhere. O(their number). */
void oc_nest_take_out(oc_nest *nest, uint32_t number);

/* Where the events of a type went last. */
typedef struct oc_route {
    uint32_t event_type; /* + 1; 0: none */
    uint32_t stream;     /* the writer's */
} oc_route;

enum { OC_ROUTES = 5 }; /* one for each role of a stream */

/* What an event needs when it is applied: as long as a line of the processor's cache. */
typedef struct oc_import_resource {
    oc_route routes[OC_ROUTES];
    int64_t end; /* at this tick it has ended */
    uint32_t id; /* the writer's; OCELOTL_ROOT for the root until something happens there */
    /* how many of the files read so far have begun it and not ended it */
    uint32_t owners;
    bool ended;
    bool ended_within; /* with one around it: its own end may follow and means nothing */
    bool is_root;      /* of the trace or of a file: it ends with the trace */
} oc_import_resource;

/* Zero-initialised but for `writer`; oc_resources_begin comes first. */
typedef struct oc_resources {
    ocelotl_writer *writer;
    oc_import_resource *all; /* 0 is the root */
    char **names;            /* theirs */
    size_t count, capacity, name_capacity;
    oc_nest living; /* those that have not ended */
} oc_resources;

ocelotl_status oc_resources_begin(oc_resources *resources, const char *root);
void oc_resources_free(oc_resources *resources);

/* Declares a resource to the writer; its index is in *index. */
ocelotl_status oc_resources_add(uint32_t *index, oc_resources *resources, uint32_t type,
                                uint32_t parent, const char *name, int64_t begin);

/* The writer's stream where events of a type in a resource went last; OCELOTL_NONE where that is
 * not known. */
static inline uint32_t oc_resources_route(const oc_resources *resources, uint32_t resource,
                                          uint32_t event_type, ocelotl_role role)
{
    const oc_route *route = &resources->all[resource].routes[role];
    return route->event_type == event_type + 1 ? route->stream : OCELOTL_NONE;
}

/* Finds a stream that is not known yet. If it does not exist, it is made, or, without `make`,
 * *stream is OCELOTL_NONE. */
ocelotl_status oc_resources_find_stream(uint32_t *stream, oc_resources *resources,
                                        uint32_t resource, uint32_t event_type, ocelotl_role role,
                                        int64_t time, bool make);

static inline ocelotl_status oc_resources_stream(uint32_t *stream, oc_resources *resources,
                                                 uint32_t resource, uint32_t event_type,
                                                 ocelotl_role role, int64_t time, bool make)
{
    *stream = oc_resources_route(resources, resource, event_type, role);
    return *stream != OCELOTL_NONE ? OCELOTL_OK
                                   : oc_resources_find_stream(stream, resources, resource,
                                                              event_type, role, time, make);
}

/* The writer's resource; the root becomes one when something happens there. */
ocelotl_status oc_resources_id(uint32_t *id, oc_resources *resources, uint32_t resource,
                               int64_t time);

/* Ends a resource with all that is inside it, even if something in it cannot end; the first failure
 * is given at last. The end of a root does nothing. */
ocelotl_status oc_resources_end(oc_resources *resources, uint32_t resource, int64_t time);

#endif

/* What the events of a source do: stacks of states, variables, links, ends of resources. Events
 * come in order of time. */
#ifndef OC_IMPORTERS_PAJE_APPLY_H
#define OC_IMPORTERS_PAJE_APPLY_H

#include "base/arena.h"
#include "base/map.h"
#include "importers/common/oddities.h"
#include "importers/paje/block.h"

/* The resources of an import: where events go, what is inside what, and when they end. */

#define PAJE_NOWHERE UINT32_MAX

/* What is nested in each other, until something befalls it, as its end does: each is befallen once,
 * with all that is inside, however often those around it are. */
typedef struct paje_nested {
    /* what it is inside; of what is out, something that is nearer to what is not */
    uint32_t around;
    uint32_t first, last;    /* of what is inside it, */
    uint32_t before, behind; /* and beside it */
    bool is_out;
} paje_nested;

/* By number. Zero-initialised it is empty; the first is inside nothing. */
typedef struct paje_nest {
    paje_nested *nested;
    size_t count, capacity;
} paje_nest;

void paje_nest_free(paje_nest *nest);

/* Adds the next one inside another; if that one is out, inside the next one around that is not. The
 * first is never out, nor is one added inside PAJE_NOWHERE. Amortised O(log count). */
ocelotl_status paje_nest_add(paje_nest *nest, uint32_t around);

/* Walks over one and all inside it, outer ones first: the one after `number`, or PAJE_NOWHERE. */
uint32_t paje_nest_next(const paje_nest *nest, uint32_t top, uint32_t number);

/* Takes one out with all inside it, which are not found any more from anywhere. O(their number). */
void paje_nest_take_out(paje_nest *nest, uint32_t number);

/* Where the events of a type went last. */
typedef struct paje_route {
    uint32_t event_type; /* + 1; 0: none */
    uint32_t stream;     /* the writer's */
} paje_route;

enum { PAJE_ROUTES = 5 }; /* one for each role of a stream */

/* What an event needs when it is applied: as long as a line of the processor's cache. */
typedef struct paje_resource {
    paje_route routes[PAJE_ROUTES];
    int64_t end; /* at this tick it has ended */
    uint32_t id; /* the writer's; OCELOTL_ROOT for the root until something happens there */
    /* how many of the files read so far have begun it and not ended it */
    uint32_t owners;
    bool ended;
    bool ended_within; /* with one around it: its own end may follow and means nothing */
    bool is_root;      /* of the trace or of a file: it ends with the trace */
} paje_resource;

/* Zero-initialised but for `writer`; paje_resources_begin comes first. */
typedef struct paje_resources {
    ocelotl_writer *writer;
    oc_arena arena;     /* of the names */
    paje_resource *all; /* 0 is the root */
    const char **names; /* theirs */
    size_t count, capacity, name_capacity;
    paje_nest living; /* those that have not ended */
} paje_resources;

ocelotl_status paje_resources_begin(paje_resources *resources, const char *root);
void paje_resources_free(paje_resources *resources);

/* Declares a resource to the writer; its index is in *index. */
ocelotl_status paje_resources_add(uint32_t *index, paje_resources *resources, uint32_t type,
                                  uint32_t parent, const char *name, int64_t begin);

/* The writer's stream where events of a type in a resource went last; OCELOTL_NONE where that is
 * not known. */
static inline uint32_t paje_resources_route(const paje_resources *resources, uint32_t resource,
                                            uint32_t event_type, ocelotl_role role)
{
    const paje_route *route = &resources->all[resource].routes[role];
    return route->event_type == event_type + 1 ? route->stream : OCELOTL_NONE;
}

/* The role of the stream of events of each kind. */
extern const uint8_t paje_roles[];

/* Finds the stream of an event where it is not known. If it does not exist, it is made, or, without
 * `make`, *stream is OCELOTL_NONE. */
ocelotl_status paje_resources_find_stream(uint32_t *stream, paje_resources *resources,
                                          const paje_event *event, bool make);

static inline ocelotl_status paje_resources_stream(uint32_t *stream, paje_resources *resources,
                                                   const paje_applied *one, bool make)
{
    *stream = one->stream;
    return *stream != OCELOTL_NONE
               ? OCELOTL_OK
               : paje_resources_find_stream(stream, resources, one->event, make);
}

/* The writer's resource; the root becomes one when something happens there. */
ocelotl_status paje_resources_id(uint32_t *id, paje_resources *resources, uint32_t resource,
                                 int64_t time);

/* Ends a resource with all that is inside it, even if something in it cannot end; the first failure
 * is given at last. The end of a root does nothing. */
ocelotl_status paje_resources_end(paje_resources *resources, uint32_t resource, int64_t time);

/* Links in the making: starts that wait for their end, and ends that wait for their start. */

/* Hashes a link's key ahead of time, on the thread that reads the event. */
static inline uint64_t paje_link_hash(const oc_hash_key *key, const paje_event *event,
                                      const ocelotl_attribute_value *text)
{
    const uint64_t place = (uint64_t)event->type << 32 | event->resource;
    return oc_hash_mixed(key, oc_hash_keyed(key, text->text, text->length) + event->value, place);
}

/* An end whose start comes later: the whole of it, with what it carries and the texts behind. */
typedef struct paje_early_end {
    paje_event event;
    uint64_t line;
    ocelotl_attribute_value attributes[];
} paje_early_end;

enum { PAJE_SHORT_KEY = 24 };

/* Half of a link. Very many may wait: one is as long as a line of the processor's cache. */
typedef struct paje_half {
    /* The key, with the low half of its hash: */
    uint32_t hash;
    uint32_t type, resource, value;
    union {
        char short_key[PAJE_SHORT_KEY];
        char *long_key;
    };
    union {
        uint64_t link;       /* of a start: the writer's */
        paje_early_end *end; /* of an end; NULL where the place is free */
    };
    uint32_t length; /* of the key's text */
    uint32_t next;   /* of the same bucket; or the next free one */
    bool is_start;
} paje_half;

/* Those of some hashes, the oldest first. */
typedef struct paje_bucket {
    uint32_t first, last;
} paje_bucket;

/* Halves that wait; their places count from 1, and 0 is none. Zero-initialised but for its
 * `hash_key` it is empty. */
typedef struct paje_links {
    paje_half *halves;
    size_t count, capacity;
    uint32_t free_half;
    oc_hash_key hash_key;
    paje_bucket *buckets; /* by the hash of the key */
    size_t bucket_count, waiting;
    uint64_t reversed;  /* links that end before they begin */
    uint64_t dead_ends; /* ends given to the writer without their start */
} paje_links;

/* Takes a start or an end of a link and gives the writer what is complete. The key is the first of
 * its attributes. Several links of one key are matched first in, first out. */
ocelotl_status paje_links_add(paje_links *links, paje_resources *resources,
                              const paje_applied *one);

/* Multiplies the times that are kept; false where one does not fit. */
bool paje_links_refine(paje_links *links, uint64_t factor);

/* At the end of the trace: hands what is unmatched to the writer. Counts starts and ends without
 * the other. */
ocelotl_status paje_links_finish(paje_links *links, paje_resources *resources, uint64_t *starts,
                                 uint64_t *ends);

void paje_links_free(paje_links *links);

/* --- All of it */

/* Zero-initialised, but for resources.writer and `oddities`; paje_stacks_begin comes first. */
typedef struct paje_stacks {
    paje_resources resources;
    paje_links links;
    oc_map variable_of; /* (event type, resource) -> index in values */
    double *values;     /* of variables now */
    size_t value_count, value_capacity;
    oc_oddities *oddities;
    const char *const *files; /* by number, as messages name them */
} paje_stacks;

/* `root` is the name of the root, where events may be. */
ocelotl_status paje_stacks_begin(paje_stacks *stacks, const char *root);

/* Applies the events of a block from *next to before `to`, or until one fails: *next then. Errors:
 * INPUT, without the place. */
ocelotl_status paje_stacks_apply(size_t *next, paje_stacks *stacks, const paje_block *block,
                                 size_t to);

/* Multiplies the times that are kept, for a finer tick; false where one does not fit. */
bool paje_stacks_refine(paje_stacks *stacks, uint64_t factor);

/* Ends the trace: gives the writer links without an end or a start, and counts what is open. */
ocelotl_status paje_stacks_finish(paje_stacks *stacks);
void paje_stacks_free(paje_stacks *stacks);

#endif

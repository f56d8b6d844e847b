/* What the events of a source do: stacks of states, variables, links, ends of resources. Events
 * come in order of time. */
#ifndef OC_IMPORTERS_COMMON_STACKS_H
#define OC_IMPORTERS_COMMON_STACKS_H

#include "base/map.h"
#include "importers/common/links.h"
#include "importers/common/oddities.h"

/* Zero-initialised, but for resources.writer and `oddities`; oc_stacks_begin comes first. */
typedef struct oc_stacks {
    oc_resources resources;
    oc_links links;
    oc_map variable_of; /* (event type, resource) -> index in values */
    double *values;     /* of variables now */
    size_t value_count, value_capacity;
    oc_oddities *oddities;
    const char *const *files; /* by number, as messages name them */
} oc_stacks;

/* `root` is the name of the root, where events may be. */
ocelotl_status oc_stacks_begin(oc_stacks *stacks, const char *root);

/* Applies the events of a block from *next to before `to`, or until one fails: *next then. Errors:
 * INPUT, without the place. */
ocelotl_status oc_stacks_apply(size_t *next, oc_stacks *stacks, const oc_block *block, size_t to);

/* Multiplies the times that are kept, for a finer tick; false where one does not fit. */
bool oc_stacks_refine(oc_stacks *stacks, uint64_t factor);

/* Ends the trace: gives the writer links without an end or a start, and counts what is open. */
ocelotl_status oc_stacks_finish(oc_stacks *stacks);
void oc_stacks_free(oc_stacks *stacks);

#endif

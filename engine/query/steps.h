/* Names that are numbered, and the steps of a program: those that follow each other in time. */
#ifndef OC_QUERY_STEPS_H
#define OC_QUERY_STEPS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/text.h"

#include <ocelotl/model.h>

/* A name of states; several values may have it. */
typedef struct oc_state_name {
    const char *name;
    const char *stem; /* with # for numbers; NULL: it has none, is alone, or comes repeatedly */
    uint64_t count;
    double ticks;       /* inclusive, of all together */
    double stem_ticks;  /* the same of all of its stem */
    bool slow;          /* beside these */
    int64_t begin, end; /* while steps are looked for: when it occurs, in ticks */
} oc_state_name;

/* Zero-initialised it has none. */
typedef struct oc_state_names {
    oc_arena arena;
    oc_state_name *all;
    size_t count;
    uint32_t *of_values;      /* by value: its name, or OCELOTL_NONE */
    oc_map places;            /* of names */
    oc_state_name **numbered; /* those with a stem, each beside those of it, quick ones first */
    size_t numbered_count;
    bool nests;
} oc_state_names;

/* Lists the names of states with events, from the catalogue alone. O(n log n). Errors: MEMORY. */
ocelotl_status oc_state_names_list(oc_state_names *names, const ocelotl_trace *trace);
void oc_state_names_free(oc_state_names *names);

/* Writes the steps of a trace as lines, see `steps` of ocelotl_model_options; nothing without any.
 * They are of one stem, hardly overlap, and cover half of the pieces, or of the trace where these
 * are none (docs/first.md). O(events of their types). Errors: those of reading, MEMORY. */
ocelotl_status oc_steps_find(oc_text *lines, ocelotl_trace *trace,
                             const ocelotl_model_options *options);

#endif

/* What the clocks of a trace are inside. */
#ifndef OC_QUALITY_CLOCKS_CLOCKS_H
#define OC_QUALITY_CLOCKS_CLOCKS_H

#include "quality/clocks.h"
#include "quality/clocks/network.h"
#include "quality/collectives/collectives.h"
#include "store/read/reader.h"
#include "store/select/filter.h"
#include "store/select/groups.h"
#include "store/select/resources.h"
#include "store/trace/catalogue.h"

struct ocelotl_clocks {
    ocelotl_trace *trace;
    ocelotl_clocks_info info;
    oc_catalogue catalogue;
    oc_kept_paths paths;
    bool *event_types;
    oc_groups groups; /* a clock each */
    oc_network network;
    uint32_t tick_factor; /* of a trace that is written */
    uint32_t main; /* the clock that tells the time of what has none: asked for, or of most */
    ocelotl_time_piece *pieces;       /* one a clock, */
    ocelotl_time_piece **own_pieces;  /* or those of a clock that has more; NULL */
    ocelotl_time_function *functions; /* by clock */
    oc_collectives collectives;
    ocelotl_work work;
};

/* A link between two clocks. */
typedef struct oc_message {
    uint32_t source, target; /* clocks */
    int64_t sent, received;  /* by each */
    bool is_collective;      /* a wait for somebody to enter a collective operation */
} oc_message;

/* Beside kinds of ocelotl_evidence: links within a clock, whose source and target are the same. */
enum { OC_EVIDENCE_WITHIN = 64 };

/* Calls for each link between two clocks that has both ends, target after target; then for waits in
 * collective operations. `evidence` says which of them. The callee says whether to go on by its
 * status. */
typedef ocelotl_status (*oc_take_message)(void *context, const oc_message *message);
ocelotl_status oc_clocks_read(const ocelotl_clocks *clocks, uint32_t evidence, oc_take_message take,
                              void *context);

/* Adds all links to the network. */
ocelotl_status oc_clocks_gather(ocelotl_clocks *clocks);

/* The path of a clock; it lives as long as the clocks. */
const char *oc_clocks_path(const ocelotl_clocks *clocks, uint32_t clock);

/* Fails with ARGUMENT for a text of a length that is the path of no clock; names the nearest. */
ocelotl_status oc_clocks_fail_unknown(const ocelotl_clocks *clocks, const char *path,
                                      size_t length);

/* Adds the samples of tables to the network; where a row names no reference it is this one, or the
 * first clock. Errors: IO; INPUT "file:line: ..". */
ocelotl_status oc_clocks_sample(ocelotl_clocks *clocks, const ocelotl_names *files,
                                uint32_t reference);

/* Moves the functions of clocks that run unevenly, or are set: straight in so many pieces of the
 * run that are equally long, or 0 for as few as messages tell apart. Memory O(messages + clocks x
 * pieces). Errors: ARGUMENT where no piece joins the clocks. */
ocelotl_status oc_clocks_bend(ocelotl_clocks *clocks, uint32_t pieces);

/* Counts what is wrong before and after. */
ocelotl_status oc_clocks_check(ocelotl_clocks *clocks);

#endif

/* What was computed for a model and may be asked for again: partitions, and the search for levels.
 */
#ifndef SERVER_KEPT_H
#define SERVER_KEPT_H

#include <ocelotl/session.h>

enum { SERVER_KEPT_PARTITIONS = 4 };

/* A partition at a level of detail, or the search for the levels of a model. */
typedef struct server_kept_partition {
    const ocelotl_model *model; /* NULL: none is here */
    ocelotl_detail detail;
    char *fixed; /* what says the parts instead of it, "" for nothing */
    ocelotl_partition *partition;
    uint64_t used;
} server_kept_partition;

typedef struct server_kept_search {
    const ocelotl_model *model;
    ocelotl_level_search *search;
    uint64_t used;
} server_kept_search;

/* Zero-initialised it keeps nothing. It belongs to the thread that has the session. */
typedef struct server_kept {
    server_kept_partition partitions[SERVER_KEPT_PARTITIONS];
    server_kept_search searches[OCELOTL_SESSION_MODELS];
    uint64_t clock;
    ocelotl_work work; /* of searches */
} server_kept;

/* Gives the partition that a request asks for; it lives until the next one is asked for. Errors:
 * those of ocelotl_session_partition. */
ocelotl_status server_kept_find(const ocelotl_partition **partition, server_kept *kept,
                                ocelotl_session *session, const ocelotl_request *request);

/* The same of the search for the levels of its model. */
ocelotl_status server_kept_search_of(ocelotl_level_search **search, server_kept *kept,
                                     ocelotl_session *session, const ocelotl_request *request);

/* Drops what was made from a model, which is about to be freed; of all models where it is NULL. */
void server_kept_forget(server_kept *kept, const ocelotl_model *model);

#endif

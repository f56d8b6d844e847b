#include "store/read/team.h"

#include "base/machine.h"
#include "base/memory.h"

#include <omp.h>
#include <stdlib.h>

/* The connection of a thread, once it has one. */
typedef struct owned {
    oc_connection connection;
    bool tried, began;
} owned;

struct oc_team {
    ocelotl_trace *trace;
    owned *owned; /* by thread */
    int threads;
    size_t next, count; /* items */
    oc_first_failure failure;
};

int oc_team_threads(uint64_t work, uint64_t share, uint32_t most)
{
    const uint64_t wanted = work / share + 1;
    const int given = omp_get_max_threads();
    const int available = most > 0 && most < (uint32_t)given ? (int)most : given;
    return wanted < (uint64_t)available ? (int)wanted : available;
}

ocelotl_status oc_team_open(oc_team **team, ocelotl_trace *trace, int threads)
{
    oc_team *made = NULL;
    OC_TRY(oc_allocate(&made, 1, sizeof *made));
    made->trace = trace;
    made->threads = threads;
    const ocelotl_status status = oc_allocate(&made->owned, (size_t)threads, sizeof *made->owned);
    if (status == OCELOTL_OK)
        *team = made;
    else
        oc_team_free(made);
    return status;
}

static void disconnect(owned *own, bool first)
{
    if (own->began)
        sqlite3_exec(own->connection.database, "COMMIT", NULL, NULL, NULL);
    if (!first)
        oc_disconnect(&own->connection);
    *own = (owned){0};
}

void oc_team_free(oc_team *team)
{
    if (team == NULL)
        return;
    for (int i = 0; team->owned != NULL && i < team->threads; i++)
        disconnect(&team->owned[i], i == 0);
    free(team->owned);
    free(team);
}

bool oc_team_next(size_t *item, const oc_team_member *member)
{
    oc_team *team = member->team;
    if (oc_first_failure_is_there(&team->failure))
        return false;
#pragma omp atomic capture
    *item = team->next++;
    return *item < team->count;
}

ocelotl_status oc_team_ask(const oc_team_member *member, const ocelotl_work *work)
{
    return member->thread > 0 || work->progress == NULL || work->progress(work->context, 0, 0)
               ? OCELOTL_OK
               : oc_fail(OCELOTL_ERROR_CANCELLED, "%s: reading was cancelled",
                         member->team->trace->label);
}

/* Outside a transaction each statement would lock the file anew and ask whether it has changed. */
static ocelotl_status connect(oc_team *team, owned *own, bool first)
{
    own->tried = true;
    own->connection = oc_connection_of(team->trace);
    if (!first)
        OC_TRY(oc_connect(&own->connection, team->trace));
    own->began = sqlite3_get_autocommit(own->connection.database) != 0;
    return own->began ? oc_database_execute(own->connection.database, team->trace->path, "BEGIN")
                      : OCELOTL_OK;
}

static void run(oc_team *team, int thread, oc_team_work work, void *context)
{
    owned *own = &team->owned[thread];
    ocelotl_status status = OCELOTL_OK;
    if (!own->tried)
        status = connect(team, own, thread == 0);
    if (status != OCELOTL_OK) {
        own->began = false;
        disconnect(own, thread == 0);
        own->tried = true;
    }
    if (own->connection.database != NULL) {
        const oc_team_member member = {team, (uint32_t)thread, own->connection};
        status = work(context, &member);
        if (status != OCELOTL_OK)
            oc_first_failure_keep(&team->failure, status);
    } else if (thread == 0) {
        oc_first_failure_keep(&team->failure, status);
    }
}

ocelotl_status oc_team_run(oc_team *team, size_t count, oc_team_work work, void *context)
{
    team->next = 0;
    team->count = count;
    const int threads = oc_team_size(team->threads);
#pragma omp parallel num_threads(threads)
    run(team, omp_get_thread_num(), work, context);
    /* Between two runs the first thread's connection is the trace's. */
    disconnect(&team->owned[0], true);
    return oc_first_failure_give(&team->failure);
}

ocelotl_status oc_team_do(ocelotl_trace *trace, int threads, size_t count, oc_team_work work,
                          void *context)
{
    oc_team *team = NULL;
    OC_TRY(oc_team_open(&team, trace, threads));
    const ocelotl_status status = oc_team_run(team, count, work, context);
    oc_team_free(team);
    return status;
}

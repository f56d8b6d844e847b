/* Waits of many messages in little memory: what is large is in files. */
#define _GNU_SOURCE
#include "made.h"
#include "quality/waiting/edges.h"
#include "temporary.h"

#include <math.h>
#include <sys/resource.h>

enum { ROUNDS = 600000, LENGTH = 10 };

/* Two ranks send to each other in turn. A round is 10 ticks: a works 4, its message arrives a tick
 * later, then b does the same. */
static ocelotl_trace *write_rounds(const char *path)
{
    ocelotl_writer *writer = must_write_ticks(path, 1);
    const uint32_t kind = must_kind(writer, OCELOTL_ROOT, "rank");
    const uint32_t states = must_type(writer, OCELOTL_STATE, kind, "state");
    const uint32_t links = must_type(writer, OCELOTL_LINK, kind, "message");
    const uint32_t receive = must_value(writer, states, "MPI_Recv");
    const uint32_t ranks[] = {must_resource(writer, kind, OCELOTL_ROOT, "a", 0),
                              must_resource(writer, kind, OCELOTL_ROOT, "b", 0)};
    for (int64_t round = 0; round < ROUNDS; round++)
        for (int turn = 0; turn < 2; turn++) {
            const int64_t begin = LENGTH * round + LENGTH / 2 * turn;
            must_push(writer, ranks[!turn], states, receive, begin);
            must_end_link(writer,
                          must_begin_link(writer, ranks[turn], links, OCELOTL_NONE, begin + 4),
                          ranks[!turn], begin + 5);
            must_pop(writer, ranks[!turn], states, 0, begin + 5);
        }
    return must_finish_and_open(writer, path);
}

/* Pages of files do not count. */
static void bound_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit limit = {(rlim_t)128 << 20, (rlim_t)128 << 20};
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0);
#endif
}

/* Asks may be answered with no from one on. */
typedef struct asking {
    size_t asked, most;
} asking;

static bool may_go_on(void *context, uint64_t done, uint64_t total)
{
    asking *counts = context;
    (void)done;
    (void)total;
    return ++counts->asked < counts->most;
}

int main(void)
{
    asking counts = {.most = SIZE_MAX};
    const oc_waiting *found;
    const ocelotl_work work = {.threads = 1, .progress = may_go_on, .context = &counts};
    const char *path = temporary_path("trace.db");
    OWN_TRACE *trace = write_rounds(path);
    bound_memory();
    CHECK_OK(oc_waiting_of(&found, trace, &work));
    CHECK(found->messages == 2 * ROUNDS && found->count == 2 * ROUNDS);
    CHECK(found->delay_count == 2 * ROUNDS && found->unexplained == 0);
    size_t wrong = 0;
    for (size_t i = 0; i < found->count; i++) {
        const oc_wait *wait = &found->waits[i];
        const oc_delay *delay = &found->delays[i];
        const int64_t begin = LENGTH * (int64_t)(i % ROUNDS) + (i < ROUNDS ? LENGTH / 2 : 0);
        wrong += wait->begin != begin || wait->end != begin + 4 || wait->cause != (i < ROUNDS);
        wrong += fabs((double)(delay->to - delay->from) * delay->weight - 4) > 1e-12;
    }
    CHECK(wrong == 0);
    CHECK(found->path_count == 4 * ROUNDS && found->path[0].from == 0);

    /* who waits may leave behind the reading, too: that is asked each 65536 waits */
    OWN_TRACE *again = must_open(path);
    const size_t all = counts.asked;
    oc_watch watch = {.work = work};
    oc_edges edges = {0};
    counts.asked = 0;
    CHECK_OK(oc_edges_read(&edges, again, &watch));
    oc_edges_free(&edges);
    CHECK(all > counts.asked + 2 * 2 * ROUNDS / 65536);
    counts = (asking){.most = all};
    CHECK_FAILS(oc_waiting_of(&found, again, &work), OCELOTL_ERROR_CANCELLED, "cancelled");
    return EXIT_SUCCESS;
}

/* The trace that is served, and how long work for one may take. */
#define _GNU_SOURCE
#include "answers.h"
#include "clock.h"
#include "guard.h"

#include <stdio.h>

/* Bytes of rectangles that are kept. */
#define SHELF_SIZE ((size_t)64 << 20)

static bool may_go_on(void *context, uint64_t done, uint64_t total)
{
    const server_room *room = context;
    (void)done;
    (void)total;
    return server_turns_go_on(room->turns) &&
           (room->until == 0 || server_milliseconds() < (double)room->until);
}

void server_room_work_for(server_room *room, int64_t moment)
{
    room->until = moment > 0 ? (int64_t)server_milliseconds() + moment : 0;
}

void server_room_forget(server_room *room, const ocelotl_model *model)
{
    server_kept_forget(&room->kept, model);
}

ocelotl_status server_room_begin(server_room *room, const server_options *options,
                                 server_turns *turns)
{
    server_key run;
    *room = (server_room){.options = *options, .turns = turns};
    room->kept.work.progress = may_go_on;
    room->kept.work.context = room;
    if (!server_key_make(&run))
        return ocelotl_fail(OCELOTL_ERROR_IO, "the system gives no random numbers");
    snprintf(room->run, sizeof room->run, "%.16s", run.text);
    if (!server_watch_begin(&room->watch, options->trace) ||
        !server_watch_begin(&room->second, options->second) ||
        pthread_mutex_init(&room->lock, NULL) != 0)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    return server_shelf_begin(&room->shelf, SHELF_SIZE);
}

void server_room_end(server_room *room)
{
    server_kept_forget(&room->kept, NULL);
    server_shelf_end(&room->shelf);
    server_watch_end(&room->second);
    server_watch_end(&room->watch);
    pthread_mutex_destroy(&room->lock);
}

/* The trace that is served, for one request at a time: whose turn it is, whether the trace is still
 * what was opened, and what was computed of it and may be asked for again. */
#ifndef SERVER_ROOM_H
#define SERVER_ROOM_H

#include "failing.h"
#include "server.h"

#include <pthread.h>
#include <stdatomic.h>

/* Milliseconds of the monotonic clock. */
double server_milliseconds(void);

enum { SERVER_KEY_LENGTH = 32 };

/* A key of 128 random bits, as hexadecimal digits. */
typedef struct server_key {
    char text[SERVER_KEY_LENGTH + 1];
} server_key;

/* Makes a key; false: the system gives no random numbers. */
bool server_key_make(server_key *key);

/* --- Turns: a page that asks for something else no longer wants what it asked for before. All
 * functions are thread-safe; each is O(clients). */

enum { SERVER_MOST_CLIENTS = 64, SERVER_CLIENT_LENGTH = 24 };

/* A page that asks, and the number of the last thing it wanted to see. */
typedef struct server_client {
    char name[SERVER_CLIENT_LENGTH + 1];
    uint64_t turn;
} server_client;

typedef struct server_turns {
    pthread_mutex_t lock;
    server_client clients[SERVER_MOST_CLIENTS];
    size_t count, next; /* the oldest client gives way to a new one */
    char running[SERVER_CLIENT_LENGTH + 1];
    bool yields;             /* what runs gives way to all else */
    size_t waiting;          /* requests that do not give way, and do not run yet */
    atomic_bool interrupted; /* what runs is not wanted any more */
    atomic_bool stopping;    /* nothing is */
    /* how far what runs has come */
    double begun;                     /* milliseconds of the monotonic clock; 0: nothing runs */
    atomic_int step;                  /* an ocelotl_step; -1: none has begun */
    atomic_uint_fast64_t done, total; /* of the step; a total of 0 is not known */
    atomic_uint round;                /* of several that a step has, as solves, from 0 */
} server_turns;

/* Notes how far what runs has come, of a step of it. Returns whether it is still wanted. */
bool server_turns_go_on(server_turns *turns, uint64_t done, uint64_t total);
void server_turns_begin_step(server_turns *turns, int step);

/* A client, "" for none, wants something: what it asked for before is interrupted, and what
 * yields. */
void server_turns_want(server_turns *turns, const char *client, uint64_t turn);

/* Something that does not give way waits until it may run. */
void server_turns_wait(server_turns *turns);

/* Begins to run for a client, "" for none; false: it has asked for something else since, or
 * what yields is to give way to what waits. */
bool server_turns_run(server_turns *turns, const char *client, uint64_t turn, bool yields);

/* What ran has ended. */
void server_turns_rest(server_turns *turns);

/* --- What was computed for a model (kept.c). It belongs to the thread that has the session. */

enum { SERVER_KEPT_PARTITIONS = 4 };

/* A partition at a level of detail, or the search for the levels of a model. */
typedef struct server_kept_one {
    const ocelotl_model *model; /* NULL: none is here */
    ocelotl_detail detail;
    char *fixed; /* what says the parts instead of it, "" for nothing */
    ocelotl_partition *partition;
    ocelotl_level_search *search;
    uint64_t used;
} server_kept_one;

/* Zero-initialised it keeps nothing. */
typedef struct server_kept {
    server_kept_one partitions[SERVER_KEPT_PARTITIONS];
    server_kept_one searches[OCELOTL_SESSION_MODELS];
    uint64_t clock;
    ocelotl_work work; /* of searches */
} server_kept;

/* Gives the partition that a request asks for; it lives until the next one is asked for. Errors:
 * those of ocelotl_session_partition. */
ocelotl_status server_kept_find(const ocelotl_partition **partition, server_kept *kept,
                                ocelotl_session *session, const ocelotl_request *request);

/* The same of the search for the levels of its model. */
ocelotl_status server_kept_search(ocelotl_level_search **search, server_kept *kept,
                                  ocelotl_session *session, const ocelotl_request *request);

/* Drops what was made from a model, which is about to be freed; of all models where it is NULL. */
void server_kept_forget(server_kept *kept, const ocelotl_model *model);

/* --- Rectangles that were drawn before, with the p at which they are known to be best: asked for
 * again they need no solve (kept.c). Thread-safe. */

enum { SERVER_SHELF_BOOKS = 512 };

/* The records of a partition of a place, in a plot of a size. */
typedef struct server_book {
    char *place;    /* NULL: none is here */
    uint64_t parts; /* hash of the partition */
    double p_from, p_to;
    ocelotl_detail asked; /* what led to it first */
    char *bytes;
    size_t size;
    uint64_t used;
} server_book;

typedef struct server_shelf {
    pthread_mutex_t lock;
    server_book books[SERVER_SHELF_BOOKS];
    size_t size; /* bytes of all */
    uint64_t clock;
} server_shelf;

/* Puts records of ocelotl_records_write at p onto the shelf, with the request. A book that is there
 * becomes known for all p between: if one partition is best at two p, it is best between them. It
 * is no failure if nothing can be kept. */
void server_shelf_put(server_shelf *shelf, const char *place, const ocelotl_detail *asked,
                      uint64_t parts, double p, const ocelotl_buffer *records);

/* Writes the records of a place at a detail, like those of a fresh solve. *found is whether they
 * are known. Errors: those of the sink. */
ocelotl_status server_shelf_get(bool *found, const ocelotl_sink *sink, server_shelf *shelf,
                                const char *place, const ocelotl_detail *detail);

/* Widens the range of p of a place's books that hold p, for plots of any size. */
void server_shelf_widen(server_shelf *shelf, const char *place, double p, double p_from,
                        double p_to);
void server_shelf_empty(server_shelf *shelf);

/* --- The room */

/* A file, or a folder with its contents, as it was at the beginning. */
typedef struct server_watch {
    const char *path; /* NULL: nothing is watched */
    bool folder;
    uint64_t first; /* what it looked like; 0: it was not there */
    bool changed;   /* of a folder, when it was looked at last */
    int64_t looked; /* at this second of the monotonic clock */
} server_watch;

enum { SERVER_RUN_LENGTH = 16 };

typedef struct server_room {
    server_options options;
    server_turns turns;
    pthread_mutex_t lock; /* of the session */
    pthread_mutex_t watching;
    server_watch watches[2]; /* of the traces that were opened */
    server_kept kept;        /* of the session */
    server_shelf shelf;
    double until;   /* milliseconds of the monotonic clock when work pauses; 0: never */
    int64_t moment; /* milliseconds that the next search for levels may take */
    char run[SERVER_RUN_LENGTH + 1]; /* names this time that the trace is served */
} server_room;

#define SERVER_ROOM_INIT                                                                     \
    {                                                                                        \
        .turns = {.lock = PTHREAD_MUTEX_INITIALIZER}, .lock = PTHREAD_MUTEX_INITIALIZER,     \
        .watching = PTHREAD_MUTEX_INITIALIZER, .shelf = {.lock = PTHREAD_MUTEX_INITIALIZER}, \
    }

/* Begins with what the options name, which must outlive the room. Errors: IO (no random numbers).
 * O(files of a folder). */
ocelotl_status server_room_begin(server_room *room, const server_options *options);

/* Drops what is kept; of a room that has not begun, too. */
void server_room_end(server_room *room);

/* Whether a file of what is served was replaced, changed, added or removed. A folder of many files
 * is looked at once a second. Thread-safe. */
bool server_room_is_changed(server_room *room);

#endif

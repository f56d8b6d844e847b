/* What each address below /api/v1/ answers, without a socket. */
#ifndef SERVER_ANSWERS_H
#define SERVER_ANSWERS_H

#include "kept.h"
#include "server.h"
#include "shelf.h"
#include "turns.h"
#include "watch.h"

enum {
    SERVER_MOMENT = 150, /* milliseconds of work before a page hears of it */
    SERVER_MOMENT_MOST = 60000,
    SERVER_TAG_LENGTH = 24,
    SERVER_TIMING_LENGTH = 80
};

/* The trace, for one request at a time. */
typedef struct server_room {
    server_options options;
    server_turns *turns;
    pthread_mutex_t lock;       /* of the session */
    server_watch watch, second; /* of the traces that were opened */
    server_kept kept;           /* of the session */
    server_shelf shelf;
    int64_t until;  /* milliseconds of the monotonic clock when work pauses; 0: never */
    int64_t moment; /* milliseconds that the next search for levels may take */
    char run[SERVER_TAG_LENGTH + 1]; /* names this time that the trace is served */
} server_room;

/* What a client has sent to be kept or asked; zero-initialised it only asks. */
typedef struct server_sent {
    const char *method; /* NULL: GET */
    const char *body;   /* followed by a zero byte; NULL: none */
    size_t size;
    const char *match; /* the tag of what it changes (If-Match); NULL: it does not say */
} server_sent;

/* An answer; zero-initialised it is none. */
typedef struct server_answer {
    server_sent sent;
    unsigned status; /* of HTTP */
    const char *type;
    const char *file; /* what a browser would call it; NULL: nothing to keep */
    ocelotl_buffer body;
    const char
        *wanted; /* tags that the client has answers of already (If-None-Match); NULL: none */
    char tag[SERVER_TAG_LENGTH + 1];       /* of the answer (ETag); "": it has none */
    char timing[SERVER_TIMING_LENGTH + 1]; /* how long it took (Server-Timing) */
    char *command;  /* the command line that draws what is seen; NULL: none, else freed by free */
    bool immutable; /* a client may keep it without asking again */
    bool gzip;      /* the body is compressed */
} server_answer;

/* Begins with what the options name, which must outlive the room, as the turns must. Errors:
 * MEMORY. */
ocelotl_status server_room_begin(server_room *room, const server_options *options,
                                 server_turns *turns);
void server_room_end(server_room *room);

/* Pauses long work after this many milliseconds; 0: never. */
void server_room_work_for(server_room *room, int64_t milliseconds);

/* Drops what was made from a model that is about to be freed. */
void server_room_forget(server_room *room, const ocelotl_model *model);

/* Answers a path with its query, the part behind the question mark, "" for none. Earlier requests
 * come first. Thread-safe. The body is freed by ocelotl_buffer_free. */
void server_answer_path(server_answer *answer, server_room *room, const char *path,
                        const char *query);

/* How large what a client sends to an address by a method may be; 0: nothing is taken there. */
size_t server_answer_takes(const char *path, const char *method);

/* Makes an answer that says what is wrong, in JSON; `hint` may be NULL. */
void server_answer_problem(server_answer *answer, unsigned status, const char *error,
                           const char *hint);

#endif

/* What each address below /api/v1/ answers, without a socket. */
#ifndef SERVER_ANSWERS_H
#define SERVER_ANSWERS_H

#include "server.h"
#include "turns.h"

#include <sys/stat.h>

/* The trace, and one who asks it at a time. */
typedef struct server_room {
    server_options options;
    server_turns *turns;
    pthread_mutex_t lock; /* of the session */
    struct stat served;   /* the file when it was opened */
    bool has_file;
} server_room;

/* An answer; zero-initialised it is none. */
typedef struct server_answer {
    unsigned status; /* of HTTP */
    const char *type;
    const char *file; /* what a browser would call it; NULL: nothing to keep */
    ocelotl_buffer body;
} server_answer;

/* Begins with what the options name, which must outlive the room, as the turns must. Errors:
 * MEMORY. */
ocelotl_status server_room_begin(server_room *room, const server_options *options,
                                 server_turns *turns);
void server_room_end(server_room *room);

/* Answers a path with its query, the part behind the question mark, "" for none; waits for those
 * who asked before. Thread-safe. The body is freed by ocelotl_buffer_free. */
void server_answer_path(server_answer *answer, server_room *room, const char *path,
                        const char *query);

/* Makes an answer that says what is wrong, in JSON; `hint` may be NULL. */
void server_answer_problem(server_answer *answer, unsigned status, const char *error,
                           const char *hint);

#endif

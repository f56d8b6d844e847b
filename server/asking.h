/* A request to the server: what its answer is made from, and where it goes. */
#ifndef SERVER_ASKING_H
#define SERVER_ASKING_H

#include "answers.h"
#include "out.h"
#include "state.h"

enum { SERVER_MOST_OWN = 6 };

typedef struct server_asking server_asking;

/* An address below /api/v1/. */
typedef struct server_route {
    const char *path;
    void (*answer)(server_asking *with); /* what fails is held by `out` */
    const char *command;                 /* whose options the query has */
    const char *type;
    const char *file;  /* what the command line writes to; NULL: the answer is no file */
    bool kept;         /* a browser keeps it as a file */
    bool says, draws;  /* what a command answers: as JSON, as a picture */
    ocelotl_form form; /* of a file */
    bool views;        /* replaces what the same page asked for before */
    bool yields;       /* gives way to everything else */
    /* answers what is known already, without the session; false: it is not. NULL: never */
    bool (*known)(server_asking *with);
    bool steady;        /* the answer is the same as long as the trace is served */
    size_t most;        /* bytes of an answer; 0: as many as it takes */
    const char *method; /* NULL: GET */
    size_t takes;       /* bytes of what is sent by that method */
    /* names in the query that are no options of the command, NULL behind the last */
    const char *own[SERVER_MOST_OWN];
} server_route;

struct server_asking {
    server_room *room;
    ocelotl_session *session; /* of the room */
    const server_route *route;
    server_query query;
    const char *own[SERVER_MOST_OWN]; /* values of the route's own names, NULL: not given */
    server_state state;
    ocelotl_picture_options view; /* of the request, with its command */
    server_out out;               /* the answer's body, as large as the route allows */
    server_answer *answer;
    bool overflows; /* the answer is larger than the route allows */
};

extern const char server_json_type[];

/* Gives the partition that is asked for, which is kept for the next one that asks; NULL: it failed.
 */
const ocelotl_partition *server_find_partition(server_asking *with);

/* Does the same, once the view fits the model. */
const ocelotl_partition *server_find_seen(server_asking *with);

/* Writes what the page shows of a partition, with that of the whole trace. */
void server_put_view(server_asking *with, const ocelotl_partition *partition);

/* Begins an object of JSON with the command that gives the same; `next` follows. */
void server_put_command(server_asking *with, const char *next);

/* The value of one of the route's own names; NULL: it was not given. */
const char *server_asking_get(const server_asking *with, const char *name);

/* The same as a whole number of at most `most`; `none` if it is not given. False: it failed. */
bool server_asking_count(uint64_t *number, server_asking *with, const char *name, uint64_t none,
                         uint64_t most);

#endif

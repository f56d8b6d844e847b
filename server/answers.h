/* What each address below /api/v1/ answers, without a socket: from a query to a request of the
 * library, and from its answer to bytes. */
#ifndef SERVER_ANSWERS_H
#define SERVER_ANSWERS_H

#include "room.h"

enum {
    SERVER_TAG_LENGTH = 24,
    SERVER_TIMING_LENGTH = 80,
    SERVER_MOST_PAIRS = 256,
    SERVER_MOST_OWN = 6
};

/* --- From outside */

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

/* Answers a path with its query, the part behind the question mark, "" for none. Earlier requests
 * come first. Thread-safe. The body is freed by ocelotl_buffer_free. */
void server_answer_path(server_answer *answer, server_room *room, const char *path,
                        const char *query);

/* How large what a client sends to an address by a method may be; 0: nothing is taken there. */
size_t server_answer_takes(const char *path, const char *method);

/* The type of most answers. */
#define SERVER_JSON "application/json"

/* Makes an answer that says what is wrong, in JSON; `hint` may be NULL. */
void server_answer_problem(server_answer *answer, unsigned status, const char *error,
                           const char *hint);

/* --- What is written to a sink, piece by piece: the first failure stays, and nothing is written
 * behind it */

typedef struct server_out {
    ocelotl_sink sink;
    ocelotl_status status;
} server_out;

/* Keeps a failure, unless there was one before. Returns whether all went well so far. */
bool server_hold(server_out *out, ocelotl_status status);

void server_put_bytes(server_out *out, const char *bytes, size_t size);

/* Writes JSON: a format as it is, but for %s, a text as a string of JSON, and %g, a number. */
void server_put(server_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- A query, and the request that it means (asking.c) */

typedef struct server_pair {
    const char *name, *value;
} server_pair;

/* Names and values of a URL in their order. Zero-initialised it is empty. */
typedef struct server_query {
    server_pair pairs[SERVER_MOST_PAIRS];
    size_t count;
    char *texts; /* of all pairs, to be freed */
} server_query;

/* Splits the query of a URL, without its question mark; %XX and + are decoded. Errors: ARGUMENT (a
 * %XX that is none, a zero byte, too many pairs), MEMORY. O(length). */
ocelotl_status server_query_read(server_query *query, const char *text);

/* The last value of a name, NULL: it is not there. */
const char *server_query_get(const server_query *query, const char *name);

/* The same, and takes all pairs of that name out; the value lives as long as the query. */
const char *server_query_take(server_query *query, const char *name);

/* What is shown, as options of the program: a request, and the command line that asks the same.
 * Zero-initialised it is empty. */
typedef struct server_state {
    ocelotl_request *request;
    char *line; /* it draws what is seen, to `file` */
} server_state;

/* Fills the request of a command with the options in a query.
 *
 * Names that only say how the page looks begin with "look.": they are in the request, and not in
 * the command line. "client" and "turn" are no options. The command need not take all that the
 * overview takes: what it does not take is left out. Free it in any case. Errors: ARGUMENT (an
 * option that is none, or that no address may set; what its value is), MEMORY. */
ocelotl_status server_state_read(server_state *state, const server_options *options,
                                 const char *command, const server_query *query, const char *file);
void server_state_free(server_state *state);

/* Writes, as JSON, the options that a page may set, and its first ones. */
void server_state_put_options(server_out *out, const server_options *options);

/* --- Addresses (routes.c) */

typedef struct server_asking server_asking;

/* An address below /api/v1/. */
typedef struct server_route {
    const char *path;
    void (*answer)(server_asking *with); /* what fails is held by `out` */
    const char *command;                 /* whose options the query has */
    const char *file;  /* what the command line writes to; NULL: the answer is no file */
    ocelotl_form form; /* of an answer that a browser keeps as a file; 0: it is JSON */
    bool bytes;        /* it is bytes that the page draws */
    bool says, draws;  /* what a command answers: as JSON, as a picture */
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

/* Finds the address of a path and a method, NULL for GET; one that only names a command is made.
 * NULL: there is none. */
const server_route *server_find_route(server_route *made, const char *path, const char *method);

/* A request to the server: what its answer is made from, and where it goes. */
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

/* The value of one of the route's own names; NULL: it was not given. */
const char *server_asking_get(const server_asking *with, const char *name);

/* The same as a whole number of at most `most`; `none` if it is not given. False: it failed. */
bool server_asking_count(uint64_t *number, server_asking *with, const char *name, uint64_t none,
                         uint64_t most);

/* Gives the partition that is asked for, kept for the next one that asks; NULL: it failed. */
const ocelotl_partition *server_find_partition(server_asking *with);

/* Does the same, once the view fits the model. */
const ocelotl_partition *server_find_seen(server_asking *with);

/* Writes what the page shows of a partition. */
void server_put_view(server_asking *with, const ocelotl_partition *partition);

/* drawing.c: what a page draws itself, and what it says of a part */
void server_answer_records(server_asking *with);
bool server_know_records(server_asking *with);
void server_answer_frame(server_asking *with);
void server_answer_nodes(server_asking *with);
void server_answer_box(server_asking *with);
void server_answer_likely(server_asking *with);
void server_answer_found(server_asking *with);
void server_answer_part(server_asking *with);

/* sql.c */
void server_answer_sql(server_asking *with);

#endif

/* The server of a trace: what the page of viz/page asks, over HTTP, on this machine alone.
 *
 * It uses the public interface of the library, as the program does. Only http.c knows a library
 * for HTTP; without it server_start says what to install. */
#ifndef SERVER_H
#define SERVER_H

#include <ocelotl/session.h>

/* Zero is the default of each member but those that name what is served. */
typedef struct server_options {
    ocelotl_session *session;       /* which the server alone uses until server_free */
    const char *trace;              /* its path, as it was given */
    const char *second;             /* of the one it is compared with; NULL: another window of it */
    const ocelotl_request *initial; /* what is shown first; of the command "serve" */
    uint32_t port;                  /* 0: one that is free */
    const char *socket;             /* a path: serves there alone. NULL: on the loopback */
} server_options;

typedef struct server server;

/* Makes a server that does not listen yet. Progress of the session asks server_may_go_on, so it
 * comes before the session. Errors: MEMORY, IO (no random numbers). */
ocelotl_status server_new(server **made);

/* Begins to serve. Errors: IO (the port or the path is in use), UNSUPPORTED (no library for HTTP),
 * MEMORY. */
ocelotl_status server_start(server *with, const server_options *options);

/* Ends what is being answered and closes all connections. NULL is allowed. */
void server_free(server *with);

/* Where it is reached, with its key: an address, or for a socket how to get there. */
const char *server_address(const server *with);

/* Closes connections that others hold without asking: to be called every now and then. */
void server_tend(server *with);

/* Seconds since the last request. Thread-safe. */
double server_idle_seconds(const server *with);

/* Drops what was made from a model of the session: for its `forget`. */
void server_forget(server *with, const ocelotl_model *model);

/* Notes how far what is being answered has come: for the steps and the progress of the session.
 * Returns whether it is still wanted. Thread-safe. */
void server_begin_step(server *with, ocelotl_step step);
bool server_may_go_on(server *with, uint64_t done, uint64_t total);

#endif

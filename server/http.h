/* HTTP: the only place that knows a library for it. */
#ifndef SERVER_HTTP_H
#define SERVER_HTTP_H

#include "answers.h"

typedef struct server_http server_http;

/* What a connection is answered from; it must outlive the connections. */
typedef struct server_desk {
    server_http *http; /* which answers */
    server_room *room;
    const server_key *key;
    uint32_t port;         /* 0: a socket with a path */
    _Atomic int64_t asked; /* seconds of the monotonic clock at the last request */
} server_desk;

/* Answers what comes to a listening socket, which it closes in the end. Errors: ARGUMENT (the
 * program was built without a library for HTTP), IO, MEMORY. */
ocelotl_status server_http_start(server_http **http, server_desk *desk, int listening);

/* Closes connections whose headers do not come in time: to be called every now and then. */
void server_http_tend(server_http *http);

/* Closes all connections once what is being answered has ended. NULL is allowed. */
void server_http_stop(server_http *http);

#endif

#define _GNU_SOURCE
#include "server.h"

#include "clock.h"
#include "http.h"
#include "listen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct server {
    server_turns turns;
    server_room room;
    server_key key;
    server_desk desk;
    server_http *http;
    bool has_room;
    const char *socket; /* to be removed in the end; NULL: none */
    char address[256];
};

ocelotl_status server_new(server **made)
{
    server *one = calloc(1, sizeof *one);
    if (one == NULL)
        return ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
    if (!server_key_make(&one->key)) {
        free(one);
        return ocelotl_fail(OCELOTL_ERROR_IO, "the system gives no random numbers for a key");
    }
    const ocelotl_status status = server_turns_begin(&one->turns);
    if (status == OCELOTL_OK)
        *made = one;
    else
        free(one);
    return status;
}

static ocelotl_status listen_anywhere(int *listening, server *with, const server_options *options)
{
    if (options->socket == NULL) {
        with->desk.port = options->port;
        return server_listen_port(listening, &with->desk.port);
    }
    const ocelotl_status status = server_listen_path(listening, options->socket);
    if (status == OCELOTL_OK)
        with->socket = options->socket;
    return status;
}

static void write_address(server *with)
{
    if (with->socket != NULL)
        snprintf(with->address, sizeof with->address,
                 "http://localhost:8000/#k=%s (after: ssh -L 8000:%s HOST)", with->key.text,
                 with->socket);
    else
        snprintf(with->address, sizeof with->address, "http://127.0.0.1:%u/#k=%s",
                 (unsigned)with->desk.port, with->key.text);
}

ocelotl_status server_start(server *with, const server_options *options)
{
    int listening = -1;
    ocelotl_status status = server_room_begin(&with->room, options, &with->turns);
    with->has_room = status == OCELOTL_OK;
    with->desk.room = &with->room;
    with->desk.key = &with->key;
    if (status == OCELOTL_OK)
        status = listen_anywhere(&listening, with, options);
    if (status == OCELOTL_OK)
        status = server_http_start(&with->http, &with->desk, listening);
    if (status == OCELOTL_OK)
        write_address(with);
    return status;
}

void server_free(server *with)
{
    if (with == NULL)
        return;
    server_turns_stop(&with->turns);
    server_http_stop(with->http);
    if (with->socket != NULL)
        unlink(with->socket);
    if (with->has_room)
        server_room_end(&with->room);
    server_turns_end(&with->turns);
    free(with);
}

const char *server_address(const server *with)
{
    return with->address;
}

void server_tend(server *with)
{
    server_http_tend(with->http);
}

double server_idle_seconds(const server *with)
{
    return (double)(server_seconds() - atomic_load(&with->desk.asked));
}

void server_forget(server *with, const ocelotl_model *model)
{
    if (with->has_room)
        server_room_forget(&with->room, model);
}

bool server_may_go_on(server *with)
{
    return server_turns_go_on(&with->turns);
}

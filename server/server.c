#define _GNU_SOURCE
#include "server.h"

#include "http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

struct server {
    server_room room;
    server_key key;
    server_desk desk;
    server_http *http;
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
    one->room = (server_room)SERVER_ROOM_INIT;
    *made = one;
    return OCELOTL_OK;
}

/* --- Sockets that only this machine reaches */

enum { WAITING = 64 }; /* connections that are not taken yet */

static ocelotl_status fail_to_listen(int listening, const char *what, const char *hint)
{
    const int error = errno;
    if (listening >= 0)
        close(listening);
    return server_fail(OCELOTL_ERROR_IO, "%s: cannot serve there: %s%s", what, strerror(error),
                       hint);
}

/* Listens on the loopback, even at a port that was in use a moment ago; *port becomes the one taken
 * where it is 0. */
static ocelotl_status listen_to_port(int *listening, uint32_t *port)
{
    const int yes = 1;
    char name[32];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof address;
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    snprintf(name, sizeof name, "port %u", (unsigned)*port);
    if (made < 0 || setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(made, (const struct sockaddr *)&address, size) != 0 || listen(made, WAITING) != 0 ||
        getsockname(made, (struct sockaddr *)&address, &size) != 0)
        return fail_to_listen(made, name,
                              "; expected another --port, or none for one that is free");
    *port = ntohs(address.sin_port);
    *listening = made;
    return OCELOTL_OK;
}

/* Listens at a path that only its owner may use. */
static ocelotl_status listen_at_path(int *listening, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        return ocelotl_fail(OCELOTL_ERROR_ARGUMENT,
                            "--socket has a path that is too long, expected at most 107 bytes");
    memcpy(address.sun_path, path, strlen(path) + 1);
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const mode_t before = umask(S_IRWXG | S_IRWXO | S_IXUSR);
    const bool bound =
        made >= 0 && bind(made, (const struct sockaddr *)&address, sizeof address) == 0;
    umask(before);
    if (!bound || listen(made, WAITING) != 0)
        return fail_to_listen(made, path, "; expected a name in a folder that nothing has yet");
    *listening = made;
    return OCELOTL_OK;
}

/* --- Serving */

ocelotl_status server_start(server *with, const server_options *options)
{
    int listening = -1;
    ocelotl_status status = server_room_begin(&with->room, options);
    with->desk.room = &with->room;
    with->desk.key = &with->key;
    with->desk.port = options->socket == NULL ? options->port : 0;
    if (status == OCELOTL_OK)
        status = options->socket == NULL ? listen_to_port(&listening, &with->desk.port)
                                         : listen_at_path(&listening, options->socket);
    if (status != OCELOTL_OK)
        return status;
    with->socket = options->socket;
    status = server_http_start(&with->http, &with->desk, listening);
    if (with->socket != NULL)
        snprintf(with->address, sizeof with->address,
                 "http://localhost:8000/#k=%s (after: ssh -L 8000:%s HOST)", with->key.text,
                 with->socket);
    else
        snprintf(with->address, sizeof with->address, "http://127.0.0.1:%u/#k=%s",
                 (unsigned)with->desk.port, with->key.text);
    return status;
}

void server_free(server *with)
{
    if (with == NULL)
        return;
    atomic_store(&with->room.turns.stopping, true);
    server_http_stop(with->http);
    if (with->socket != NULL)
        unlink(with->socket);
    server_room_end(&with->room);
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
    return (double)((int64_t)(server_milliseconds() / 1000) - atomic_load(&with->desk.asked));
}

void server_forget(server *with, const ocelotl_model *model)
{
    server_kept_forget(&with->room.kept, model);
}

void server_begin_step(server *with, ocelotl_step step)
{
    server_turns_begin_step(&with->room.turns, (int)step);
}

bool server_may_go_on(server *with, uint64_t done, uint64_t total)
{
    return server_turns_go_on(&with->room.turns, done, total);
}

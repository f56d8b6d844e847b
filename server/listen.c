#define _GNU_SOURCE
#include "listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAITING = 64 }; /* connections that are not taken yet */

static ocelotl_status fail(int listening, const char *what, const char *hint)
{
    char message[400];
    snprintf(message, sizeof message, "%s: cannot serve there: %s%s", what, strerror(errno), hint);
    if (listening >= 0)
        close(listening);
    return ocelotl_fail(OCELOTL_ERROR_IO, message);
}

/* Binds a port, even one that was in use a moment ago. */
static bool bind_port(int listening, uint32_t port)
{
    const int yes = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0 &&
           bind(listening, (const struct sockaddr *)&address, sizeof address) == 0 &&
           listen(listening, WAITING) == 0;
}

ocelotl_status server_listen_port(int *listening, uint32_t *port)
{
    char name[32];
    struct sockaddr_in taken = {.sin_port = 0};
    socklen_t size = sizeof taken;
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(name, sizeof name, "port %u", (unsigned)*port);
    if (made < 0 || !bind_port(made, *port) ||
        getsockname(made, (struct sockaddr *)&taken, &size) != 0)
        return fail(made, name, "; expected another --port, or none for one that is free");
    *port = ntohs(taken.sin_port);
    *listening = made;
    return OCELOTL_OK;
}

ocelotl_status server_listen_path(int *listening, const char *path)
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
        return fail(made, path, "; expected a name in a folder that nothing has yet");
    *listening = made;
    return OCELOTL_OK;
}

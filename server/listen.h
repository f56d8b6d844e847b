/* Sockets that only this machine reaches. */
#ifndef SERVER_LISTEN_H
#define SERVER_LISTEN_H

#include <ocelotl/status.h>

#include <stdint.h>

/* Listens on the loopback; *port becomes the one taken where it is 0. Errors: IO (it is in use). */
ocelotl_status server_listen_port(int *listening, uint32_t *port);

/* Listens at a path that only its owner may use. Errors: ARGUMENT (the path is too long), IO
 * (something has this name). */
ocelotl_status server_listen_path(int *listening, const char *path);

#endif

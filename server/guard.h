/* Decides which requests may be answered: by the key, and the names a browser sends. */
#ifndef SERVER_GUARD_H
#define SERVER_GUARD_H

#include <stdbool.h>
#include <stdint.h>

enum { SERVER_KEY_LENGTH = 32 };

/* A key of 128 random bits, as hexadecimal digits. */
typedef struct server_key {
    char text[SERVER_KEY_LENGTH + 1];
} server_key;

/* Makes a key; false: the system gives no random numbers. */
bool server_key_make(server_key *key);

/* Whether a text is the key, in a time that does not depend on it. NULL is none. */
bool server_key_fits(const server_key *key, const char *text);

/* Whether a Host is this machine's loopback with our port; 0: any port, for what comes through a
 * socket. A page elsewhere that gave its name our address has another Host. */
bool server_host_fits(const char *host, uint32_t port);

/* Whether the Origin and Sec-Fetch-Site of a request are those of our own page; NULL if absent. */
bool server_origin_fits(const char *origin, const char *site, const char *host);

#endif

#define _GNU_SOURCE
#include "guard.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

bool server_key_make(server_key *key)
{
    unsigned char bytes[SERVER_KEY_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(key->text + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool server_key_fits(const server_key *key, const char *text)
{
    unsigned differs = 0;
    if (text == NULL || strlen(text) != SERVER_KEY_LENGTH)
        return false;
    for (size_t i = 0; i < SERVER_KEY_LENGTH; i++)
        differs |= (unsigned)(key->text[i] ^ text[i]);
    return differs == 0;
}

/* The text behind the name of a loopback; NULL: none. */
static const char *after_loopback(const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(host, names[i], strlen(names[i])) == 0)
            return host + strlen(names[i]);
    return NULL;
}

bool server_host_fits(const char *host, uint32_t port)
{
    char expected[16];
    const char *rest = host != NULL ? after_loopback(host) : NULL;
    if (rest == NULL)
        return false;
    if (port == 0)
        return rest[0] == '\0' || (rest[0] == ':' && strspn(rest + 1, "0123456789") > 0 &&
                                   rest[1 + strspn(rest + 1, "0123456789")] == '\0');
    snprintf(expected, sizeof expected, ":%u", (unsigned)port);
    return strcmp(rest, expected) == 0;
}

bool server_origin_fits(const char *origin, const char *site, const char *host)
{
    static const char scheme[] = "http://";
    if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return false;
    if (origin == NULL)
        return true;
    return strncmp(origin, scheme, strlen(scheme)) == 0 && host != NULL &&
           strcmp(origin + strlen(scheme), host) == 0;
}

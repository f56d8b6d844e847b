/* Whose turn it is: a page that asks for something else no longer wants what it asked for before.
 */
#ifndef SERVER_TURNS_H
#define SERVER_TURNS_H

#include <ocelotl/status.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { SERVER_MOST_CLIENTS = 64, SERVER_CLIENT_LENGTH = 24 };

/* A page that asks, and the number of the last thing it wanted to see. */
typedef struct server_client {
    char name[SERVER_CLIENT_LENGTH + 1];
    uint64_t turn;
} server_client;

/* Zero-initialised nobody asks. */
typedef struct server_turns {
    pthread_mutex_t lock;
    server_client clients[SERVER_MOST_CLIENTS];
    size_t count, next; /* the oldest client gives way to a new one */
    char running[SERVER_CLIENT_LENGTH + 1];
    bool yields;             /* what runs gives way to all else */
    atomic_bool interrupted; /* what runs is not wanted any more */
    atomic_bool stopping;    /* nothing is */
} server_turns;

/* Errors: MEMORY. All functions below are thread-safe; each is O(clients). */
ocelotl_status server_turns_begin(server_turns *turns);
void server_turns_end(server_turns *turns);

/* Whether what runs is still wanted; from server_turns_stop on nothing is. */
bool server_turns_go_on(server_turns *turns);
void server_turns_stop(server_turns *turns);

/* A client, "" for none, wants something: what it asked for before is interrupted, and what
 * yields. */
void server_turns_want(server_turns *turns, const char *client, uint64_t turn);

/* Begins to run for a client, "" for none; false: it has asked for something else since. */
bool server_turns_run(server_turns *turns, const char *client, uint64_t turn, bool yields);

/* What ran has ended. */
void server_turns_rest(server_turns *turns);

#endif

/* Whose turn it is: a page that asks for something else no longer wants what it asked for before.
 */
#include "turns.h"

#include <string.h>

ocelotl_status server_turns_begin(server_turns *turns)
{
    return pthread_mutex_init(&turns->lock, NULL) == 0
               ? OCELOTL_OK
               : ocelotl_fail(OCELOTL_ERROR_MEMORY, "out of memory");
}

void server_turns_end(server_turns *turns)
{
    pthread_mutex_destroy(&turns->lock);
}

bool server_turns_go_on(server_turns *turns)
{
    return !atomic_load(&turns->stopping) && !atomic_load(&turns->interrupted);
}

void server_turns_stop(server_turns *turns)
{
    atomic_store(&turns->stopping, true);
}

static server_client *find_client(server_turns *turns, const char *name)
{
    for (size_t i = 0; i < turns->count; i++)
        if (strcmp(turns->clients[i].name, name) == 0)
            return &turns->clients[i];
    const size_t index = turns->next;
    turns->next = (index + 1) % SERVER_MOST_CLIENTS;
    if (turns->count < SERVER_MOST_CLIENTS)
        turns->count++;
    turns->clients[index] = (server_client){.turn = 0};
    strncpy(turns->clients[index].name, name, SERVER_CLIENT_LENGTH);
    return &turns->clients[index];
}

void server_turns_want(server_turns *turns, const char *client, uint64_t turn)
{
    pthread_mutex_lock(&turns->lock);
    server_client *asking = client[0] != '\0' ? find_client(turns, client) : NULL;
    const bool newer = asking != NULL && turn > asking->turn;
    if (newer)
        asking->turn = turn;
    if (turns->yields || (newer && strcmp(turns->running, client) == 0))
        atomic_store(&turns->interrupted, true);
    pthread_mutex_unlock(&turns->lock);
}

bool server_turns_run(server_turns *turns, const char *client, uint64_t turn, bool yields)
{
    pthread_mutex_lock(&turns->lock);
    const bool wanted = !atomic_load(&turns->stopping) &&
                        (client[0] == '\0' || turn >= find_client(turns, client)->turn);
    if (wanted) {
        turns->running[0] = '\0';
        strncat(turns->running, client, SERVER_CLIENT_LENGTH);
        turns->yields = yields;
        atomic_store(&turns->interrupted, false);
    }
    pthread_mutex_unlock(&turns->lock);
    return wanted;
}

void server_turns_rest(server_turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    turns->running[0] = '\0';
    turns->yields = false;
    atomic_store(&turns->interrupted, false);
    pthread_mutex_unlock(&turns->lock);
}

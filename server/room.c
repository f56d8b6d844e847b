#define _GNU_SOURCE
#include "room.h"

#include <ocelotl/digest.h>

#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

/* More files than these are not looked at: a folder of a trace has fewer, or all of them change. */
enum { MOST_FILES = 20000 };

double server_milliseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

bool server_key_make(server_key *key)
{
    unsigned char bytes[SERVER_KEY_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(key->text + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* --- Turns */

bool server_turns_go_on(server_turns *turns, uint64_t done, uint64_t total)
{
    if (done < atomic_load(&turns->done))
        atomic_fetch_add(&turns->round, 1);
    atomic_store(&turns->done, done);
    atomic_store(&turns->total, total);
    return !atomic_load(&turns->stopping) && !atomic_load(&turns->interrupted);
}

void server_turns_begin_step(server_turns *turns, int step)
{
    atomic_store(&turns->done, 0);
    atomic_store(&turns->total, 0);
    atomic_store(&turns->round, 0);
    atomic_store(&turns->step, step);
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

void server_turns_wait(server_turns *turns)
{
    pthread_mutex_lock(&turns->lock);
    turns->waiting++;
    pthread_mutex_unlock(&turns->lock);
}

bool server_turns_run(server_turns *turns, const char *client, uint64_t turn, bool yields)
{
    pthread_mutex_lock(&turns->lock);
    turns->waiting -= !yields;
    const bool wanted = !atomic_load(&turns->stopping) && (!yields || turns->waiting == 0) &&
                        (client[0] == '\0' || turn >= find_client(turns, client)->turn);
    if (wanted) {
        turns->running[0] = '\0';
        strncat(turns->running, client, SERVER_CLIENT_LENGTH);
        turns->yields = yields;
        turns->begun = server_milliseconds();
        server_turns_begin_step(turns, -1);
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
    turns->begun = 0;
    atomic_store(&turns->interrupted, false);
    pthread_mutex_unlock(&turns->lock);
}

/* --- Whether what is served is still what was opened */

/* Hashes what identifies a file and its last change. */
static uint64_t hash_file(const char *name, const struct stat *of)
{
    const int64_t identity[] = {(int64_t)of->st_ino, (int64_t)of->st_dev, of->st_size,
                                of->st_mtim.tv_sec, of->st_mtim.tv_nsec};
    uint64_t digest[2] = {1, 0};
    ocelotl_digest(digest, name, strlen(name));
    ocelotl_digest(digest, identity, sizeof identity);
    return digest[0];
}

/* Adds up the hashes of a folder, so that the order in which it lists its files does not matter. It
 * follows links, as importers do. 0: nothing is there. */
static uint64_t look(server_watch *watch)
{
    struct stat now;
    uint64_t sum = 0;
    if (watch->path == NULL || stat(watch->path, &now) != 0)
        return 0;
    watch->folder = S_ISDIR(now.st_mode);
    if (!watch->folder)
        return hash_file("", &now);
    char *const paths[] = {(char *)watch->path, NULL};
    FTS *walk = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    FTSENT *entry = NULL;
    for (int i = 0; walk != NULL && i < MOST_FILES && (entry = fts_read(walk)) != NULL; i++)
        if (entry->fts_info == FTS_F || entry->fts_info == FTS_D)
            sum += hash_file(entry->fts_path, entry->fts_statp);
    if (walk != NULL)
        fts_close(walk);
    return sum;
}

bool server_room_is_changed(server_room *room)
{
    const int64_t now = (int64_t)(server_milliseconds() / 1000);
    bool changed = false;
    pthread_mutex_lock(&room->watching);
    for (int i = 0; i < 2; i++) {
        server_watch *watch = &room->watches[i];
        if (watch->first != 0 && (!watch->folder || now != watch->looked)) {
            watch->changed = look(watch) != watch->first;
            watch->looked = now;
        }
        changed = changed || watch->changed;
    }
    pthread_mutex_unlock(&room->watching);
    return changed;
}

/* --- The room */

static bool may_go_on(void *context, uint64_t done, uint64_t total)
{
    server_room *room = context;
    return server_turns_go_on(&room->turns, done, total) &&
           (room->until == 0 || server_milliseconds() < room->until);
}

ocelotl_status server_room_begin(server_room *room, const server_options *options)
{
    const char *const paths[] = {options->trace, options->second};
    server_key run;
    if (!server_key_make(&run))
        return ocelotl_fail(OCELOTL_ERROR_IO, "the system gives no random numbers");
    snprintf(room->run, sizeof room->run, "%.*s", SERVER_RUN_LENGTH, run.text);
    room->options = *options;
    room->kept.work.progress = may_go_on;
    room->kept.work.context = room;
    for (int i = 0; i < 2; i++) {
        room->watches[i].path = paths[i];
        room->watches[i].first = look(&room->watches[i]);
        room->watches[i].looked = (int64_t)(server_milliseconds() / 1000);
    }
    return OCELOTL_OK;
}

void server_room_end(server_room *room)
{
    server_kept_forget(&room->kept, NULL);
    server_shelf_empty(&room->shelf);
}

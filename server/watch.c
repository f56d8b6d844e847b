#define _GNU_SOURCE
#include "watch.h"

#include "clock.h"

#include <fts.h>
#include <sys/stat.h>

/* More files than these are not looked at: a folder of a trace has fewer, or all of them change. */
enum { MOST_FILES = 20000 };

/* FNV-1a, 64 bits. */
static uint64_t add(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * 0x100000001B3u;
}

/* Hashes what identifies a file and its last change. */
static uint64_t hash_file(const char *name, const struct stat *of)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *name != '\0'; name++)
        hash = add(hash, (unsigned char)*name);
    hash = add(add(hash, (uint64_t)of->st_ino), (uint64_t)of->st_dev);
    hash = add(hash, (uint64_t)of->st_size);
    hash = add(hash, (uint64_t)of->st_mtim.tv_sec);
    return add(hash, (uint64_t)of->st_mtim.tv_nsec);
}

/* Adds up hashes, so that the order in which a folder lists its files does not matter. It follows
 * links, as importers do. */
static uint64_t hash_folder(const char *path)
{
    char *const paths[] = {(char *)path, NULL};
    uint64_t sum = 0, count = 0;
    FTS *walk = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
    if (walk == NULL)
        return 0;
    for (FTSENT *entry = NULL; count < MOST_FILES && (entry = fts_read(walk)) != NULL; count++)
        if (entry->fts_info == FTS_F || entry->fts_info == FTS_D)
            sum += hash_file(entry->fts_path, entry->fts_statp);
    fts_close(walk);
    return sum;
}

/* 0: it is not there. */
static uint64_t look(server_watch *watch)
{
    struct stat now;
    if (watch->path == NULL || stat(watch->path, &now) != 0)
        return 0;
    watch->folder = S_ISDIR(now.st_mode);
    return watch->folder ? hash_folder(watch->path) : hash_file("", &now);
}

bool server_watch_begin(server_watch *watch, const char *path)
{
    *watch = (server_watch){.path = path};
    watch->first = look(watch);
    watch->known = watch->first != 0;
    watch->looked = server_seconds();
    return pthread_mutex_init(&watch->lock, NULL) == 0;
}

void server_watch_end(server_watch *watch)
{
    pthread_mutex_destroy(&watch->lock);
}

bool server_watch_is_changed(server_watch *watch)
{
    const int64_t now = server_seconds();
    if (!watch->known)
        return false;
    pthread_mutex_lock(&watch->lock);
    if (!watch->folder || now != watch->looked) {
        watch->changed = look(watch) != watch->first;
        watch->looked = now;
    }
    const bool changed = watch->changed;
    pthread_mutex_unlock(&watch->lock);
    return changed;
}

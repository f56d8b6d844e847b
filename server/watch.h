/* Whether what is served is still what was opened. */
#ifndef SERVER_WATCH_H
#define SERVER_WATCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* A file, or a folder with its contents, as it was at the beginning. */
typedef struct server_watch {
    const char *path;
    bool known; /* it was there */
    bool folder;
    uint64_t first; /* what it looked like */
    pthread_mutex_t lock;
    bool changed;   /* of a folder, when it was looked at last */
    int64_t looked; /* at this second of the monotonic clock */
} server_watch;

/* The path, NULL to watch nothing, must outlive the watch. False: memory ran out. O(files of a
 * folder). */
bool server_watch_begin(server_watch *watch, const char *path);
void server_watch_end(server_watch *watch);

/* Whether a file of it was replaced, changed, added or removed. A folder of many files is looked
 * at once a second. Thread-safe. */
bool server_watch_is_changed(server_watch *watch);

#endif

/* The user's cache: traces that were imported on the fly, and answers. It is bounded:
 * what was used least recently goes first. Any number of programs may use it at once, and whatever
 * is in it may be removed at any time. */
#ifndef OC_REQUEST_CACHE_H
#define OC_REQUEST_CACHE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>

/* The digest of the texts that a key is made of; zero before the first. */
typedef struct oc_key {
    uint64_t digest[2];
} oc_key;

void oc_key_add(oc_key *key, const char *text);

/* Adds what a file is: its inode, size and times, of them that of its last change in any way only
 * where `changed` is set, for a file of the cache is changed whenever it is used. */
void oc_key_add_file(oc_key *key, const struct stat *file, bool changed);

/* The file that a TRACE is imported into when it is used directly, to be freed. NULL if it can have
 * no folder, with *reason, to be freed, as in oc_cache_folder. `reading` holds all options of the
 * import. Errors: ARGUMENT (the bound), IO (the trace), MEMORY. */
ocelotl_status oc_cache_path(char **path, char **reason, const char *trace, const char *reading);

/* A path from the root of the file system, to be freed: what is in the cache says where it is from,
 * whatever folder the program runs in. NULL: no memory. */
char *oc_whole_path(const char *path);

/* How large the cache may be, in bytes. */
uint64_t oc_cache_limit(void);

/* Says that a file of the cache is used now. */
void oc_cache_touch(const char *path);

/* The folder, to be freed: it exists, is the user's own, no link, and closed to all others. NULL:
 * none, and *reason, to be freed (NULL: no memory), says why. Links above it are root's or the
 * user's. With `make` it makes what is missing. */
char *oc_cache_folder(char **reason, bool make);

/* Opens a file of the folder and keeps others from removing it until it is closed, or the program
 * ends. A link of that name, or another user's file, is removed. -1: it does not exist. */
int oc_cache_hold(const char *path);

/* Removes a file of the folder, or a link in it, unless another program holds it. Returns whether
 * it is gone. */
bool oc_cache_remove(const char *path);

/* --- The files in it */

typedef struct oc_cached_file {
    char *name;
    uint64_t size;              /* on the disk */
    struct timespec made, used; /* made last, and used last */
    bool answer;                /* or a trace */
    /* what is said of it once it was looked into */
    char kind[40];
    char *source;
    bool read;
} oc_cached_file;

/* Empty if zero-initialised. */
typedef struct oc_cached {
    char *folder;
    char *reason;          /* why it was not read, NULL: it was */
    oc_cached_file *files; /* what was used least recently comes first */
    size_t count;
    /* of all in the folder, what is being written and what is somebody else's, too */
    uint64_t size;
    bool failed; /* for want of memory not all are there */
} oc_cached;

/* Reads the folder of the cache, and removes what killed programs left there. False: it does not
 * exist; free in any case. */
bool oc_cached_read(oc_cached *cached);

/* Removes a file; false where that is not possible, as while another program uses it. */
bool oc_cached_remove(oc_cached *cached, size_t index);

/* Makes a file that was looked into as if it had not been: used when it was. */
void oc_cached_restore(const oc_cached *cached, size_t index);

void oc_cached_free(oc_cached *cached);

/* Removes the least recently used files until the cache keeps to its bound, but not `used`. It also
 * removes what killed programs left. */
void oc_cache_trim(const char *used);

#endif

/* The user's cache: traces that were imported on the fly, and answers (answers.h). It is bounded:
 * what was used least recently goes first. Any number of programs may use it at once, and whatever
 * is in it may be removed at any time. */
#ifndef OC_REQUEST_CACHE_H
#define OC_REQUEST_CACHE_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/stat.h>

/* The digest of the texts that a key is made of; zero before the first. */
typedef struct oc_key {
    uint64_t digest[2];
} oc_key;

void oc_key_add(oc_key *key, const char *text);

/* Adds what a file is: its inode, size and times, of them that of its last change in any way only
 * where `changed` is set, for a file of the cache is changed whenever it is used. */
void oc_key_add_file(oc_key *key, const struct stat *file, bool changed);

/* The file that a TRACE is imported into when it is used directly, to be freed; NULL where there
 * can be no folder for it, and then *reason, to be freed, as oc_cache_folder has it. `reading` is
 * all that was asked of the import. Errors: ARGUMENT (the bound), IO (the trace), MEMORY. */
ocelotl_status oc_cache_path(char **path, char **reason, const char *trace, const char *reading);

/* A path from the root of the file system, to be freed: what is in the cache says where it is from,
 * whatever folder the program runs in. NULL: no memory. */
char *oc_whole_path(const char *path);

/* How large the cache may be, in bytes. */
uint64_t oc_cache_limit(void);

/* Says that a file of the cache is used now. */
void oc_cache_touch(const char *path);

/* Where the folder is, or would be, to be freed; NULL: nothing says where, or there is no memory.
 */
char *oc_cache_name(void);

/* The folder, to be freed, which exists, is the user's own, no link, and closed to everybody else;
 * NULL: there is none, and *reason, to be freed (NULL: no memory), says why. Links above it are
 * root's or the user's. Makes what is missing of it, where `make` is set. */
char *oc_cache_folder(char **reason, bool make);

/* Opens a file of the folder and keeps others from removing it until it is closed, or the program
 * ends. What has the name but is a link, or no file of the user's own, is removed. -1: it is not
 * there. */
int oc_cache_hold(const char *path);

/* Removes a file of the folder, or a link in it, unless another program holds it. Whether it is
 * gone. */
bool oc_cache_remove(const char *path);

#endif

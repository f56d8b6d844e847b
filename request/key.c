/* Keys: digests of texts, and of what files and folders are. */
#define _GNU_SOURCE
#include "request/cache.h"

#include "base/status.h"

#include <ocelotl/digest.h>

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void oc_key_add(oc_key *key, const char *text)
{
    ocelotl_digest(key->digest, text, strlen(text));
}

void oc_key_add_file(oc_key *key, const struct stat *file, bool changed)
{
    char text[160];
    const struct timespec change = changed ? file->st_ctim : (struct timespec){0, 0};
    snprintf(text, sizeof text, "%llu %lld %lld.%09ld %lld.%09ld", (unsigned long long)file->st_ino,
             (long long)file->st_size, (long long)file->st_mtim.tv_sec, file->st_mtim.tv_nsec,
             (long long)change.tv_sec, change.tv_nsec);
    oc_key_add(key, text);
}

enum { DEPTH = 16, ENTRIES = 1000000 }; /* as deep as an import looks */

static int compare(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* Adds what is next in a folder; false: nothing is. */
static bool add_next(oc_key *key, FTS *walk)
{
    FTSENT *entry = fts_read(walk);
    if (entry == NULL)
        return false;
    if (entry->fts_info == FTS_D && entry->fts_level > DEPTH)
        (void)fts_set(walk, entry, FTS_SKIP);
    if (entry->fts_info != FTS_F || entry->fts_name[0] == '.')
        return true;
    oc_key_add(key, entry->fts_path);
    oc_key_add_file(key, entry->fts_statp, true);
    return true;
}

ocelotl_status oc_key_add_folder(oc_key *key, char *path)
{
    char *const paths[] = {path, NULL};
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare);
    int error = walk == NULL ? errno : 0;
    errno = 0;
    for (size_t i = 0; walk != NULL && i < ENTRIES && add_next(key, walk); i++)
        errno = 0;
    if (walk != NULL) {
        error = errno;
        (void)fts_close(walk);
    }
    return error == ENOMEM ? oc_fail_memory() : OCELOTL_OK;
}

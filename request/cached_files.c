#define _GNU_SOURCE
#include "request/cached_files.h"

#include "base/replacement.h"
#include "request/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

static int compare_files(const void *a, const void *b)
{
    const oc_cached_file *x = a;
    const oc_cached_file *y = b;
    const int later = is_later(&x->used, &y->used) - is_later(&y->used, &x->used);
    return later != 0 ? later : strcmp(x->name, y->name);
}

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name);
    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

static void add_file(oc_cached *cached, int folder, const char *name)
{
    struct stat found;
    if (fstatat(folder, name, &found, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(found.st_mode))
        return;
    const bool partial = strstr(name, ".partial-") != NULL;
    if (partial && oc_remove_left(folder, name))
        return;
    cached->size += (uint64_t)found.st_blocks * 512;
    if (partial || (!ends_in(name, ".db") && !ends_in(name, ".answer")))
        return;
    oc_cached_file *files = realloc(cached->files, (cached->count + 1) * sizeof *files);
    if (files == NULL) {
        cached->failed = true;
        return;
    }
    cached->files = files;
    oc_cached_file *file = &files[cached->count];
    *file = (oc_cached_file){.name = strdup(name),
                             .size = (uint64_t)found.st_blocks * 512,
                             .made = found.st_mtim,
                             .used = is_later(&found.st_atim, &found.st_mtim) ? found.st_atim
                                                                              : found.st_mtim,
                             .answer = ends_in(name, ".answer")};
    cached->count += file->name != NULL;
    cached->failed = cached->failed || file->name == NULL;
}

bool oc_cached_read(oc_cached *cached)
{
    errno = 0;
    cached->folder = oc_cache_name();
    char *trusted = cached->folder != NULL ? oc_cache_folder(&cached->reason, false) : NULL;
    DIR *folder = trusted != NULL ? opendir(trusted) : NULL;
    cached->failed = folder == NULL && errno == ENOMEM;
    free(trusted);
    if (folder == NULL)
        return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        add_file(cached, dirfd(folder), entry->d_name);
    closedir(folder);
    if (cached->count > 0)
        qsort(cached->files, cached->count, sizeof *cached->files, compare_files);
    return true;
}

bool oc_cached_remove(oc_cached *cached, size_t index)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", cached->folder, cached->files[index].name) < 0)
        return false;
    const bool removed = oc_cache_remove(path);
    if (removed)
        cached->size -= cached->files[index].size;
    free(path);
    return removed;
}

void oc_cached_restore(const oc_cached *cached, size_t index)
{
    const struct timespec times[2] = {cached->files[index].used, {.tv_nsec = UTIME_OMIT}};
    char *path = NULL;
    if (asprintf(&path, "%s/%s", cached->folder, cached->files[index].name) < 0)
        return;
    (void)utimensat(AT_FDCWD, path, times, 0);
    free(path);
}

void oc_cached_free(oc_cached *cached)
{
    for (size_t i = 0; i < cached->count; i++)
        free(cached->files[i].name);
    free(cached->files);
    free(cached->folder);
    free(cached->reason);
    *cached = (oc_cached){0};
}

void oc_cache_trim(const char *used)
{
    oc_cached cached = {0};
    const uint64_t limit = oc_cache_limit();
    const char *slash = strrchr(used, '/');
    const char *name = slash != NULL ? slash + 1 : used;
    (void)oc_cached_read(&cached); /* a cache that cannot be read holds nothing to remove */
    for (size_t i = 0; i < cached.count; i++)
        if (strcmp(cached.files[i].name, name) != 0 && cached.size > limit)
            oc_cached_remove(&cached, i);
    oc_cached_free(&cached);
}
